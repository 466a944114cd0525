//! An authority that answers no query is detected by queries alone: a sale in doubt does not wait for another sale.

use crate::house::House;
use crate::issued::{NFCE, NFE};
use fiscal::lifecycle::DocumentState;
use simulator::faults::{Fault, FaultType};
use simulator::settings::ServiceMode;
use std::time::{Duration, Instant};
use store::authorities::CircuitState;
use store::jobs::Job;
use uuid::Uuid;

/// A customer at a till waits no longer.
const MINUTE: Duration = Duration::from_secs(60);

fn stand_still(house: &House) {
    house.stand(&[("sp", ServiceMode::ParalisadoMomentaneamente)]);
}

fn is_given_out(job: &Job) -> bool {
    job.document.as_ref().is_some_and(|it| it.state == DocumentState::Issued && it.tipo_emissao == 9)
}

/// A sale alone, whose first message got no answer.
async fn sold_within_a_minute(house: House) {
    let started = Instant::now();
    let id = house.issue("Caderno").await;
    house.job_when(id, "given out", is_given_out).await;
    let history = house.history(id).await;
    assert!(started.elapsed() < MINUTE, "{history}");
    assert!(history.contains("Consultando pela chave") && !history.contains("consultas de uma hora"), "{history}");
    house.close().await;
}

async fn circuit(house: &House) -> Option<CircuitState> {
    let overview = house.engine.store().authorities(house.clock_s()).await.unwrap();
    overview.circuits.into_iter().find(|circuit| circuit.key.authority == "SP").map(|circuit| circuit.state)
}

/// Waits for so many queries of a note, and returns the state of its circuit.
async fn asked_for(house: &House, id: Uuid, times: usize) -> Option<CircuitState> {
    loop {
        let asked = house.history(id).await.matches("Consultando pela chave").count();
        if asked >= times {
            return circuit(house).await;
        }
        house.next_attempt(id).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

mod sqlite {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn an_authority_that_answers_108_to_everything_is_left_by_a_sale_alone() {
        let house = House::sqlite_of(&NFCE).await;
        house.simulator.add_fault(Fault::new(FaultType::ResetBefore).on(NFCE.authorisation));
        stand_still(&house);
        sold_within_a_minute(house).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn so_is_one_that_answers_503_to_everything() {
        let house = House::sqlite_of(&NFCE).await;
        house.simulator.add_fault(Fault::new(FaultType::HttpStatus).status(503).times(u64::MAX));
        sold_within_a_minute(house).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn so_is_one_that_answers_nothing() {
        let house = House::sqlite_of(&NFCE).await;
        house.simulator.add_fault(Fault::new(FaultType::ResetBefore).times(u64::MAX));
        sold_within_a_minute(house).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn answers_that_cannot_be_read_say_nothing_of_the_service() {
        let house = House::sqlite_of(&NFE).await;
        house.simulator.add_fault(Fault::new(FaultType::ResetBefore).on(NFE.authorisation));
        house.simulator.add_fault(Fault::new(FaultType::Empty200).on(NFE.query).times(u64::MAX));
        let id = house.issue("Caderno").await;
        assert_ne!(asked_for(&house, id, 6).await, Some(CircuitState::Open));
        house.close().await;
    }
}

mod postgres {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn an_authority_that_answers_108_to_everything_is_left_by_a_sale_alone() {
        let house = House::postgres_of(&NFCE).await;
        house.simulator.add_fault(Fault::new(FaultType::ResetBefore).on(NFCE.authorisation));
        stand_still(&house);
        sold_within_a_minute(house).await;
    }
}
