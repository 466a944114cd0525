//! Faults of a municipal provider: the note is in doubt, and a query by its RPS resolves it.

use super::bench::{ProviderBench, answer, codes, deep, govdigital, rps};
use simulator::faults::{Fault, FaultType};

const ISSUE: &str = "RecepcionarLoteRpsSincrono";

/// True when the answer reports nothing about the note.
async fn reports_no_note(hall: &ProviderBench, lot: &str) -> bool {
    match hall.post(ISSUE, lot).await {
        Err(_) => true,
        Ok(reply) => {
            !reply.status.is_success() || fiscal::xml::read(&reply.body).map_or(true, |page| page.name == "html")
        }
    }
}

#[tokio::test]
async fn what_was_processed_and_not_told_is_found_by_its_rps() {
    let hall = govdigital().await;
    let faults = [
        Fault::new(FaultType::StatusAfter),
        Fault::new(FaultType::PageAfter),
        Fault::new(FaultType::ResetAfter),
        Fault::new(FaultType::HalfReply),
        Fault::new(FaultType::Garbage),
        Fault::new(FaultType::SilenceAfter).ms(50),
    ];
    for (number, fault) in (1..).zip(faults) {
        let kind = fault.tipo;
        hall.bench.simulator.add_fault(fault.on(ISSUE));
        let lot = hall.lot(&[rps(number)]);
        assert!(reports_no_note(&hall, &lot).await, "{kind:?}");
        assert!(deep(&hall.ask("ConsultarNfsePorRps", &hall.query(number)).await, "InfNfse").is_some(), "{kind:?}");
        assert_eq!(hall.codes(ISSUE, &lot).await, ["E10"], "{kind:?}");
        let counts = hall.counts(number);
        assert_eq!((counts.recebida, counts.gravada), (2, 1), "{kind:?}");
    }
}

#[tokio::test]
async fn what_was_not_processed_is_not_there_and_is_taken_the_second_time() {
    let hall = govdigital().await;
    let faults = [
        Fault::new(FaultType::ResetBefore),
        Fault::new(FaultType::HttpStatus).status(503),
        Fault::new(FaultType::Empty200),
        Fault::new(FaultType::SoapFault),
    ];
    for (number, fault) in (1..).zip(faults) {
        let kind = fault.tipo;
        hall.bench.simulator.add_fault(fault.on(ISSUE));
        let lot = hall.lot(&[rps(number)]);
        assert!(reports_no_note(&hall, &lot).await, "{kind:?}");
        assert_eq!(hall.codes("ConsultarNfsePorRps", &hall.query(number)).await, ["E4"], "{kind:?}");
        assert!(hall.codes(ISSUE, &lot).await.is_empty(), "{kind:?}");
    }
}

#[tokio::test]
async fn an_answer_of_another_form_says_the_same() {
    let hall = govdigital().await;
    for (number, kind) in (1..).zip([FaultType::Cdata, FaultType::Prefixed, FaultType::Whitespace]) {
        hall.bench.simulator.add_fault(Fault::new(kind).on(ISSUE));
        let reply = hall.post(ISSUE, &hall.lot(&[rps(number)])).await.unwrap();
        assert!(deep(&answer(&reply.body), "InfNfse").is_some(), "{kind:?}");
    }
}

#[tokio::test]
async fn a_note_that_was_made_may_be_answered_as_if_it_had_been_there() {
    let hall = govdigital().await;
    hall.bench.simulator.add_fault(Fault::new(FaultType::Duplicate204).on(ISSUE));
    assert_eq!(hall.codes(ISSUE, &hall.lot(&[rps(1)])).await, ["E10"]);
    assert!(deep(&hall.ask("ConsultarNfsePorRps", &hall.query(1)).await, "InfNfse").is_some());
}

#[tokio::test]
async fn a_lot_that_is_lost_has_a_protocol_that_nobody_knows() {
    let hall = govdigital().await;
    hall.bench.simulator.add_fault(Fault::new(FaultType::LostLot));
    let answer = hall.ask("RecepcionarLoteRps", &hall.lot_of("EnviarLoteRpsEnvio", &[rps(1)])).await;
    let protocol = answer.text_at("Protocolo").unwrap().to_owned();
    let asked = hall.ask("ConsultarLoteRps", &hall.query_lot(&protocol)).await;
    assert_eq!((asked.text_at("Situacao"), codes(&asked)), (Some("1"), vec!["E86".to_owned()]));
    assert_eq!(hall.codes("ConsultarNfsePorRps", &hall.query(1)).await, ["E4"]);
    hall.issue(&rps(1)).await;
}

#[tokio::test]
async fn an_rps_asks_for_its_own_fault() {
    let hall = govdigital().await;
    let asks = rps(1).with("Suporte", "Suporte [SIM:falha=reset_after]");
    assert!(hall.post(ISSUE, &hall.lot(std::slice::from_ref(&asks))).await.is_err());
    assert_eq!(hall.codes(ISSUE, &hall.lot(&[asks])).await, ["E10"]);
}
