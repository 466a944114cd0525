//! A worker that dies in the middle: another one finds its jobs by their leases and queries before it sends.

use crate::house::{key, of_each, options};
use engine::worker::Worker;
use fiscal::lifecycle::DocumentState;
use simulator::faults::{Fault, FaultType};
use std::time::Duration;

of_each! {
    async fn a_job_of_a_dead_worker_is_taken_over_and_asked_for_first(house) {
        let mut house = house;
        house.simulator.add_fault(Fault::new(FaultType::SlowBody).ms(2_000).on(house.issues.authorisation));
        let id = house.issue("Caderno").await;
        let sending = |job: &store::jobs::Job| job.document.as_ref().is_some_and(|it| it.state == DocumentState::Sending);
        house.job_when(id, "sending", sending).await;
        let chave = key(&house.job(id).await.document.unwrap());
        while house.simulator.counts(&chave).gravada == 0 {
            tokio::task::yield_now().await;
        }
        house.kill_worker().await;
        let engine = house.another_engine().await;
        let worker = Worker::start(engine.clone(), options());
        let job = house.ended(id).await;
        assert_eq!(job.document.unwrap().state, DocumentState::Authorized);
        let counts = house.simulator.counts(&chave);
        assert_eq!((counts.recebida, counts.consultada > 0), (1, true), "asked, not sent again");
        worker.stop(Duration::from_secs(5)).await;
        engine.store().close().await;
        house.start();
        house.close().await;
    }

    async fn a_stop_finishes_what_is_at_hand(house) {
        let mut house = house;
        house.simulator.add_fault(Fault::new(FaultType::Latency).ms(500).on(house.issues.authorisation));
        let id = house.issue("Caderno").await;
        house.job_when(id, "begun", |job| job.document.is_some()).await;
        house.stop_worker(Duration::from_secs(20)).await;
        assert_eq!(house.job(id).await.document.unwrap().state, DocumentState::Authorized);
        house.start();
        house.close().await;
    }
}
