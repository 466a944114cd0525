//! Observed failures of the Sefin, each as seen by the product's connector: the document is in doubt, and a query by
//! its identity resolves it.

use super::bench::{NationalBench, authorized, dps, town, with, written};
use authority::nfse_nacional::{DpsAnswer, IssueAnswer, read_dps, read_issue};
use authority::transport::SendStatus;
use serde_json::json;
use simulator::faults::{Fault, FaultType};

/// True when the answer reports nothing about the document.
async fn reports_no_dps(town: &NationalBench, signed: &str) -> bool {
    match town.bench.transport.send(&town.sefin.issue(signed), &town.bench.certificate).await {
        Ok(reply) => read_issue(&reply).is_err(),
        Err(error) => error.sent == SendStatus::Maybe,
    }
}

async fn exists(town: &NationalBench, number: u64) -> bool {
    match read_dps(&town.ask(&town.sefin.dps(&written(&dps(number)).1)).await).unwrap() {
        DpsAnswer::Found(_) => true,
        DpsAnswer::NotFound => false,
        other @ DpsAnswer::Refused(_) => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_was_processed_and_not_told_is_found_by_its_identity() {
    let town = town().await;
    let faults = [
        Fault::new(FaultType::StatusAfter),
        Fault::new(FaultType::StatusAfter).status(502),
        Fault::new(FaultType::PageAfter),
        Fault::new(FaultType::ResetAfter),
        Fault::new(FaultType::HalfReply),
        Fault::new(FaultType::Garbage),
        Fault::new(FaultType::SilenceAfter).ms(50),
    ];
    for (number, fault) in (1..).zip(faults) {
        let kind = fault.tipo;
        town.bench.simulator.add_fault(fault.on("POST /nfse"));
        let signed = town.signed(&dps(number));
        assert!(reports_no_dps(&town, &signed).await, "{kind:?}");
        assert!(exists(&town, number).await, "{kind:?}");
        assert!(matches!(town.hand_in(&signed).await, IssueAnswer::Duplicate(_)), "{kind:?}");
        let counts = town.bench.simulator.nfse_counts(&written(&dps(number)).1);
        assert_eq!((counts.recebida, counts.gravada), (2, 1), "{kind:?}");
    }
}

#[tokio::test]
async fn what_was_not_processed_is_not_there_and_is_taken_the_second_time() {
    let town = town().await;
    let faults = [
        Fault::new(FaultType::HttpStatus).status(500),
        Fault::new(FaultType::HttpStatus).status(429),
        Fault::new(FaultType::Empty200),
        Fault::new(FaultType::ResetBefore),
    ];
    for (number, fault) in (1..).zip(faults) {
        let kind = fault.tipo;
        town.bench.simulator.add_fault(fault.on("POST /nfse"));
        let signed = town.signed(&dps(number));
        assert!(reports_no_dps(&town, &signed).await, "{kind:?}");
        assert!(!exists(&town, number).await, "{kind:?}");
        authorized(town.hand_in(&signed).await);
    }
}

#[tokio::test]
async fn a_fault_finds_its_document_by_a_word_and_its_question_by_its_path() {
    let town = town().await;
    town.bench.simulator.add_fault(Fault::new(FaultType::HttpStatus).status(503).containing("FULANO DE TAL"));
    assert!(reports_no_dps(&town, &town.signed(&dps(1))).await);
    let id = written(&dps(2)).1;
    town.bench.simulator.add_fault(Fault::new(FaultType::HttpStatus).status(503).on("GET /dps").containing(&id));
    assert_eq!(town.key_of(&written(&dps(1)).1).await, DpsAnswer::NotFound);
    assert!(read_dps(&town.ask(&town.sefin.dps(&id)).await).is_err());
}

#[tokio::test]
async fn a_document_asks_for_its_own_fault_once() {
    let town = town().await;
    let case = with(1, json!({ "serv": { "cServ": { "xDescServ": "Aulas [SIM:falha=status_after]" } } }));
    let signed = town.signed(&case);
    assert!(reports_no_dps(&town, &signed).await);
    assert!(matches!(town.hand_in(&signed).await, IssueAnswer::Duplicate(_)));
    let requests = town.bench.simulator.requests();
    let told: Vec<_> = requests.iter().map(|one| (one.servico, one.codigo.as_deref(), one.falha)).collect();
    assert_eq!(told, [("POST /nfse", Some("100"), Some(FaultType::StatusAfter)), ("POST /nfse", Some("E0014"), None)]);
}

/// Longer than the transport waits.
#[tokio::test]
async fn silence_is_not_an_answer() {
    let town = town().await;
    town.bench.simulator.add_fault(Fault::new(FaultType::Latency).ms(600_000).on("POST /nfse"));
    let signed = town.signed(&dps(1));
    let call = town.sefin.issue(&signed);
    let sent = town.bench.transport.send(&call, &town.bench.certificate);
    let waited = tokio::time::timeout(std::time::Duration::from_millis(300), sent).await;
    assert!(waited.is_err(), "nada foi respondido");
    assert!(!exists(&town, 1).await);
}
