//! Wall time that jumps while a document is being sent: its job stays where it is.

use crate::house::{House, key, options};
use crate::issued::{Issued, NFCE, NFE};
use engine::worker::Worker;
use fiscal::lifecycle::DocumentState;
use simulator::clock::ClockMode;
use simulator::faults::{Fault, FaultType};
use std::time::Duration;
use store::jobs::Job;

const JUMP: Duration = Duration::from_secs(600);

fn is_sending(job: &Job) -> bool {
    job.document.as_ref().is_some_and(|it| it.state == DocumentState::Sending)
}

/// A document whose authority takes this long to answer, after receiving it.
async fn on_its_way(house: &House, ms: u64) -> (uuid::Uuid, String) {
    house.simulator.add_fault(Fault::new(FaultType::Latency).ms(ms).on(house.issues.authorisation));
    let id = house.issue("Caderno").await;
    let chave = key(&house.job_when(id, "sending", is_sending).await.document.unwrap());
    while house.simulator.faults().list().iter().all(|one| one.ocorrencias == 0) {
        tokio::task::yield_now().await;
    }
    (id, chave)
}

async fn assert_left_alone(house: &House, id: uuid::Uuid, chave: &str) {
    let job = house.ended(id).await;
    let document = job.document.as_ref().unwrap();
    let history = house.history(id).await;
    assert_eq!((document.state, key(document).as_str()), (DocumentState::Authorized, chave), "{history}");
    assert_eq!(job.tentativas, 1, "{history}");
    let counts = house.simulator.counts(chave);
    assert_eq!((counts.recebida, counts.consultada), (1, 0), "sent once and asked for by nobody");
}

async fn jumps_ahead(house: House) {
    let (id, chave) = on_its_way(&house, 2_500).await;
    house.clock.forward(JUMP);
    assert_left_alone(&house, id, &chave).await;
    house.simulator.clock().set_mode(ClockMode::Shifted(JUMP.try_into().unwrap()));
    let next = house.ended(house.issue("Caneta").await).await;
    assert_eq!(next.document.unwrap().state, DocumentState::Authorized, "what comes after the jump is taken at once");
    house.close().await;
}

async fn of_another_process(house: House) {
    let engine = house.another_engine().await;
    let worker = Worker::start(engine.clone(), options());
    let (id, chave) = on_its_way(&house, 2_500).await;
    house.clock.forward(JUMP);
    assert_left_alone(&house, id, &chave).await;
    worker.stop(Duration::from_secs(5)).await;
    engine.store().close().await;
    house.close().await;
}

async fn again_and_again(house: House) {
    let (id, chave) = on_its_way(&house, 2_500).await;
    for _ in 0..20 {
        house.clock.forward(JUMP);
        tokio::time::sleep(Duration::from_millis(70)).await;
    }
    assert_left_alone(&house, id, &chave).await;
    house.close().await;
}

/// Tests a fact of a document on both databases.
macro_rules! on_its_way {
    ($($fact:ident: $story:ident $issued:expr;)*) => {
        mod sqlite {
            use super::*;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $fact() {
                $story(House::sqlite_of(issued($issued)).await).await;
            })*
        }
        mod postgres {
            use super::*;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $fact() {
                $story(House::postgres_of(issued($issued)).await).await;
            })*
        }
    };
}

const fn issued(issued: &'static Issued) -> &'static Issued {
    issued
}

on_its_way! {
    a_jump_ahead_leaves_a_retail_note_on_its_way_alone: jumps_ahead &NFCE;
    a_jump_ahead_leaves_a_note_on_its_way_alone: jumps_ahead &NFE;
    a_jump_ahead_of_two_processes_gives_neither_what_the_other_has: of_another_process &NFCE;
    a_clock_that_jumps_again_and_again_leaves_it_alone: again_and_again &NFCE;
}
