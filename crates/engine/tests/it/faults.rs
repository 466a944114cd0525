//! Faults on the wire: a note ends once, authorised here exactly when it is authorised there.

use crate::house::{House, key, of_each, on_both};
use crate::nota::nota;
use fiscal::lifecycle::DocumentState;
use fiscal::value::TpAmb;
use simulator::faults::{Fault, FaultType};
use std::time::Duration;
use store::jobs::{Job, JobStatus};
use store::numbers::NumberState;

/// Faults for a note each, in the order of the simulator's list.
fn every_fault(in_batches: bool) -> Vec<Fault> {
    let mut faults = vec![
        Fault::new(FaultType::Latency).ms(200),
        Fault::new(FaultType::ResetBefore),
        Fault::new(FaultType::ResetAfter),
        Fault::new(FaultType::ResetAfter).times(2),
        Fault::new(FaultType::HalfReply),
        Fault::new(FaultType::Empty200),
        Fault::new(FaultType::SoapFault),
        Fault::new(FaultType::Garbage),
        Fault::new(FaultType::Iso88591),
        Fault::new(FaultType::Prefixed),
        Fault::new(FaultType::Whitespace),
        Fault::new(FaultType::Cdata),
        Fault::new(FaultType::SlowBody).ms(1_000),
        Fault::new(FaultType::Duplicate204),
        Fault::new(FaultType::Cstat).cStat(108),
        Fault::new(FaultType::Cstat).cStat(109),
    ];
    faults.extend(in_batches.then(|| Fault::new(FaultType::Async)));
    faults.extend([403, 404, 500, 503].map(|status| Fault::new(FaultType::HttpStatus).status(status)));
    faults
}

/// Authorised on both sides, by the same protocol, over the same bytes, and recorded there once.
fn assert_authorised(house: &House, job: &Job) {
    assert_eq!(job.status, JobStatus::Completed, "{job:#?}");
    let document = job.document.as_ref().unwrap();
    assert_eq!(document.state, DocumentState::Authorized, "{job:#?}");
    let there = house.simulator.document(TpAmb::Homologacao, &key(document)).expect("the authority has the document");
    assert_eq!(document.nProt.as_deref(), Some(there.nProt.as_str()));
    assert_eq!(document.digest.as_deref(), Some(there.digVal.as_str()));
    assert_eq!(house.simulator.counts(&key(document)).gravada, 1);
}

/// Every number up to the highest is used by exactly one note.
async fn assert_no_gap(house: &House, notes: u64) {
    let ledger = house.ledger().await;
    let numbers: Vec<u64> = ledger.iter().map(|row| row.numero).collect();
    assert_eq!(numbers, (1..=notes).collect::<Vec<u64>>(), "series {:?}", house.series());
    assert!(ledger.iter().all(|row| row.state == NumberState::Used), "{ledger:?}");
}

of_each! {
    async fn every_fault_of_the_authorisation_ends_with_one_authorised_document(house) {
        let faults = every_fault(house.issues.in_batches);
        let mut jobs = Vec::new();
        for (position, fault) in faults.iter().enumerate() {
            let product = format!("Caderno [F{position}]");
            house.simulator.add_fault(fault.clone().on(house.issues.authorisation).containing(&product));
            jobs.push(house.issue(&product).await);
        }
        for (id, fault) in jobs.iter().zip(&faults) {
            let job = house.ended(*id).await;
            println!("{:?} {:?} {:?}: {} attempts", fault.tipo, fault.status, fault.cStat, job.tentativas);
            assert_authorised(&house, &job);
        }
        let happened = house.simulator.faults().list();
        assert!(happened.iter().all(|fault| fault.ocorrencias > 0), "a fault never happened: {happened:#?}");
        assert_eq!(house.simulator.documents(None).len(), faults.len());
        assert_no_gap(&house, u64::try_from(faults.len()).unwrap()).await;
        house.close().await;
    }

    async fn faults_of_the_connection_end_with_one_authorised_document(house) {
        house.simulator.add_fault(Fault::new(FaultType::Refuse).times(2));
        house.simulator.add_fault(Fault::new(FaultType::TlsFailure).times(2));
        let id = house.issue("Caderno").await;
        let job = house.ended(id).await;
        assert_authorised(&house, &job);
        let chave = key(&job.document.unwrap());
        let counts = house.simulator.counts(&chave);
        assert_eq!((counts.recebida, counts.consultada), (1, 0), "what never left us is not asked for");
        house.close().await;
    }

    async fn a_lost_reply_is_asked_for_even_when_the_question_fails_too(house) {
        house.simulator.add_fault(Fault::new(FaultType::ResetAfter).on(house.issues.authorisation));
        house.simulator.add_fault(Fault::new(FaultType::ResetBefore).on(house.issues.query));
        house.simulator.add_fault(Fault::new(FaultType::HalfReply).on(house.issues.query));
        let id = house.issue("Caderno").await;
        let job = house.ended(id).await;
        assert_authorised(&house, &job);
        let counts = house.simulator.counts(&key(&job.document.unwrap()));
        assert_eq!(counts.recebida, 1, "never sent twice while in doubt");
        house.close().await;
    }

    async fn what_was_never_seen_goes_again_with_the_same_key(house) {
        house.simulator.add_fault(Fault::new(FaultType::ResetBefore).on(house.issues.authorisation).times(2));
        let id = house.issue("Caderno").await;
        let job = house.ended(id).await;
        assert_authorised(&house, &job);
        assert_eq!(house.simulator.documents(None).len(), 1);
        assert!(house.history(id).await.contains("A autoridade ainda não conhece o documento: 217"));
        house.close().await;
    }

    async fn a_protocol_of_other_bytes_is_never_taken_for_an_authorisation(house) {
        house.simulator.add_fault(Fault::new(FaultType::WrongDigval).on(house.issues.authorisation));
        let id = house.issue("Caderno").await;
        let job = house.ended(id).await;
        assert_eq!(job.status, JobStatus::Failed);
        assert_eq!(job.document.unwrap().state, DocumentState::InDoubt);
        let erro = job.erro.unwrap();
        assert_eq!((erro.codigo.as_str(), erro.repetivel), ("protocolo_divergente", false));
        assert_eq!(house.ledger().await[0].state, NumberState::Reserved, "its number is nobody else's");
        house.close().await;
    }

    async fn undue_use_silences_the_company_for_an_hour(house) {
        house.simulator.add_fault(Fault::new(FaultType::Cstat).cStat(house.issues.undue_use).on(house.issues.authorisation));
        let first = house.issue("Caderno").await;
        let blocked = |job: &Job| job.erro.as_ref().is_some_and(|erro| erro.codigo == "consumo_indevido");
        house.job_when(first, "blocked", blocked).await;
        let asked = house.simulator.requests().len();
        let second = house.issue("Caneta").await;
        let waiting = house.job_when(second, "blocked", blocked).await;
        assert!(waiting.document.is_none(), "no number is taken inside the block");
        assert_eq!(house.simulator.requests().len(), asked, "nothing is sent inside the block");
        house.clock.forward(Duration::from_secs(3_601));
        for id in [first, second] {
            assert_eq!(house.ended(id).await.status, JobStatus::Completed);
        }
        house.close().await;
    }

    async fn the_queries_of_one_key_stay_within_the_hourly_limit(house) {
        house.simulator.add_fault(Fault::new(FaultType::ResetAfter).on(house.issues.authorisation));
        house.simulator.add_fault(Fault::new(FaultType::Empty200).on(house.issues.query).times(25));
        let id = house.issue("Caderno").await;
        let job = house.ended_soon(id).await;
        assert_authorised(&house, &job);
        let asked = asked_at_ms(&house, id).await;
        assert_eq!(asked.len(), 26, "asked until the answer came");
        let busiest = asked.iter().map(|from| asked.iter().filter(|at| (*from..from + HOUR_MS).contains(at)).count()).max();
        assert_eq!(busiest, Some(10), "as often as is allowed and not once more");
        house.close().await;
    }
}

on_both! {
    async fn a_receipt_that_stays_in_process_is_polled_until_it_is_not(house) {
        house.simulator.add_fault(Fault::new(FaultType::Async).on(house.issues.authorisation));
        house.simulator.add_fault(Fault::new(FaultType::Polls105).on("NFeRetAutorizacao4").times(2));
        let id = house.issue("Caderno").await;
        let job = house.ended_soon(id).await;
        assert_authorised(&house, &job);
        assert!(house.history(id).await.contains("Consultando pelo recibo"));
        house.close().await;
    }

    async fn every_item_name_survives_the_way(house) {
        let job = house.ended(house.issue_nota(nota("Ação & \"Reação\" <1> 'ç'")).await).await;
        assert_authorised(&house, &job);
        house.close().await;
    }
}

const HOUR_MS: i64 = 3_600_000;

/// Instants of the queries by key, on the engine's clock.
async fn asked_at_ms(house: &House, id: uuid::Uuid) -> Vec<i64> {
    let log = house.engine.store().log(house.caller.tenant_id, id).await.unwrap();
    log.iter().filter(|line| line.text.starts_with("Consultando pela chave")).map(|line| line.at_ms).collect()
}
