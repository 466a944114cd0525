//! Late, hidden and mixed-up answers of municipal providers: the outcome of an RPS differs from the answer to it.

use super::bench::{ProviderBench, Rps, answer, codes, deep, govdigital, rps};
use crate::bench::CNPJ;
use fiscal::xml::Element;
use simulator::LostBook;
use simulator::faults::{Fault, FaultType};

const ISSUE: &str = "RecepcionarLoteRpsSincrono";
const BY_RPS: &str = "ConsultarNfsePorRps";
const BY_LOT: &str = "ConsultarLoteRps";
/// Longer than a test runs.
const AN_HOUR: u64 = 3_600_000;

async fn found(hall: &ProviderBench, number: u32) -> bool {
    deep(&hall.ask(BY_RPS, &hall.query(number)).await, "InfNfse").is_some()
}

/// Sends a lot that is answered by its protocol; returns the protocol.
async fn protocol(hall: &ProviderBench, rps: &[Rps]) -> String {
    let lot = hall.lot_of("EnviarLoteRpsEnvio", rps);
    hall.ask("RecepcionarLoteRps", &lot).await.text_at("Protocolo").unwrap().to_owned()
}

/// The number of the first RPS that an answer names.
fn named(answer: &Element) -> Option<&str> {
    deep(answer, "IdentificacaoRps")?.text_at("Numero")
}

#[tokio::test]
async fn a_late_rps_is_unknown_until_it_is_processed() {
    let hall = govdigital().await;
    let lot = hall.lot(&[rps(1)]);
    hall.bench.simulator.add_fault(Fault::new(FaultType::Late).ms(AN_HOUR));
    assert_eq!(hall.codes(BY_RPS, &hall.query(1)).await, ["E4"]);
    assert!(hall.post(ISSUE, &lot).await.is_err());
    assert_eq!(hall.codes(BY_RPS, &hall.query(1)).await, ["E4"]);
    assert_eq!(hall.bench.simulator.process_late(), 1);
    assert!(found(&hall, 1).await);
    assert_eq!(hall.codes(ISSUE, &lot).await, ["E10"]);
}

#[tokio::test]
async fn an_rps_sent_again_meanwhile_is_taken_and_the_late_one_is_used() {
    let hall = govdigital().await;
    let lot = hall.lot(&[rps(1)]);
    hall.bench.simulator.add_fault(Fault::new(FaultType::Late).ms(AN_HOUR).on(ISSUE));
    assert!(hall.post(ISSUE, &lot).await.is_err());
    assert!(hall.codes(ISSUE, &lot).await.is_empty());
    hall.bench.simulator.process_late();
    let counts = hall.counts(1);
    assert_eq!((counts.recebida, counts.gravada, counts.rejeitada), (2, 1, 1));
}

#[tokio::test]
async fn a_late_lot_has_a_protocol_that_its_sender_never_saw() {
    let hall = govdigital().await;
    hall.bench.simulator.add_fault(Fault::new(FaultType::Late).ms(AN_HOUR).on("RecepcionarLoteRps"));
    let lot = hall.lot_of("EnviarLoteRpsEnvio", &[rps(1)]);
    assert!(hall.post("RecepcionarLoteRps", &lot).await.is_err());
    assert_eq!(hall.codes(BY_RPS, &hall.query(1)).await, ["E4"]);
    hall.bench.simulator.process_late();
    assert!(found(&hall, 1).await);
}

#[tokio::test]
async fn a_late_cancellation_is_done_after_the_reset() {
    let hall = govdigital().await;
    let number = hall.issue(&rps(1)).await;
    hall.bench.simulator.add_fault(Fault::new(FaultType::Late).ms(AN_HOUR));
    assert!(hall.post("CancelarNfse", &hall.cancellation(number)).await.is_err());
    let standing = || hall.bench.simulator.municipal_notes()[0].situacao;
    assert_eq!(standing(), simulator::abrasf::MunicipalStanding::Normal);
    hall.bench.simulator.process_late();
    assert_eq!(standing(), simulator::abrasf::MunicipalStanding::Cancelada);
}

#[tokio::test]
async fn an_invisible_note_is_a_used_number_that_no_query_finds() {
    let hall = govdigital().await;
    let lot = hall.lot(&[rps(1)]);
    hall.bench.simulator.add_fault(Fault::new(FaultType::Invisible).ms(AN_HOUR));
    assert!(hall.post(ISSUE, &lot).await.is_err());
    assert_eq!(hall.codes(BY_RPS, &hall.query(1)).await, ["E4"]);
    assert_eq!(hall.codes(ISSUE, &lot).await, ["E10"]);
    assert_eq!(hall.bench.simulator.reveal(), 1);
    assert!(found(&hall, 1).await);
}

#[tokio::test]
async fn an_invisible_lot_is_unknown_by_its_protocol_and_by_its_rps() {
    let hall = govdigital().await;
    hall.bench.simulator.add_fault(Fault::new(FaultType::Invisible).ms(AN_HOUR).answered());
    let protocol = protocol(&hall, &[rps(1)]).await;
    assert_eq!(hall.codes(BY_LOT, &hall.query_lot(&protocol)).await, ["E86"]);
    assert_eq!(hall.codes(BY_RPS, &hall.query(1)).await, ["E4"]);
    assert_eq!(hall.codes(ISSUE, &hall.lot(&[rps(1)])).await, ["E10"]);
    assert_eq!(hall.bench.simulator.reveal(), 2, "the lot and its note");
    let asked = hall.ask(BY_LOT, &hall.query_lot(&protocol)).await;
    assert!(asked.text_at("Situacao") == Some("4") && found(&hall, 1).await);
}

#[tokio::test]
async fn a_question_is_refused_by_a_code_of_choice_and_the_lot_is_processed() {
    let hall = govdigital().await;
    for (number, codigo) in (1..).zip(["E160", "E1", "E183", "E999", "E157", "L999", "E88"]) {
        let protocol = protocol(&hall, &[rps(number)]).await;
        let fault = Fault::new(FaultType::Cstat).codigo(codigo).mensagem("Sistema indisponível");
        hall.bench.simulator.add_fault(fault.on(BY_LOT));
        let refused = hall.ask(BY_LOT, &hall.query_lot(&protocol)).await;
        let text = deep(&refused, "MensagemRetorno").unwrap().text_at("Mensagem");
        assert_eq!((codes(&refused), text), (vec![codigo.to_owned()], Some("Sistema indisponível")));
        let stored = hall.bench.simulator.municipal_notes();
        assert!(stored.iter().any(|note| note.rps.numero == number.to_string()), "{codigo}: it was authorised");
        assert_eq!(hall.ask(BY_LOT, &hall.query_lot(&protocol)).await.text_at("Situacao"), Some("4"));
        assert_eq!(hall.codes(ISSUE, &hall.lot(&[rps(number)])).await, ["E10"]);
    }
}

#[tokio::test]
async fn a_question_by_rps_is_refused_though_the_note_is_there() {
    let hall = govdigital().await;
    hall.issue(&rps(1)).await;
    hall.bench.simulator.add_fault(Fault::new(FaultType::Cstat).codigo("E4").on(BY_RPS));
    assert_eq!(hall.codes(BY_RPS, &hall.query(1)).await, ["E4"]);
    assert!(found(&hall, 1).await);
}

#[tokio::test]
async fn a_scripted_code_of_the_sending_leaves_it_unprocessed() {
    let hall = govdigital().await;
    hall.bench.simulator.add_fault(Fault::new(FaultType::Cstat).codigo("E45").on(ISSUE));
    assert_eq!(hall.codes(ISSUE, &hall.lot(&[rps(1)])).await, ["E45"]);
    assert!(hall.bench.simulator.municipal_notes().is_empty());
    hall.issue(&rps(1)).await;
}

#[tokio::test]
async fn an_answer_names_the_next_rps_where_no_other_note_is() {
    let hall = govdigital().await;
    hall.bench.simulator.add_fault(Fault::new(FaultType::OtherDocument).times(2));
    for operation in [ISSUE, BY_RPS] {
        let message = if operation == ISSUE { hall.lot(&[rps(1)]) } else { hall.query(1) };
        let answered = answer(&hall.post(operation, &message).await.unwrap().body);
        assert_eq!(named(&answered), Some("2"), "{operation}");
    }
    assert_eq!(hall.bench.simulator.municipal_notes()[0].rps.numero, "1");
    assert_eq!(named(&hall.ask(BY_RPS, &hall.query(1)).await), Some("1"));
}

#[tokio::test]
async fn an_answer_names_another_rps_that_is_there() {
    let hall = govdigital().await;
    hall.issue(&rps(9)).await;
    let protocol = protocol(&hall, &[rps(1)]).await;
    hall.bench.simulator.add_fault(Fault::new(FaultType::OtherDocument).on(BY_LOT));
    assert_eq!(named(&hall.ask(BY_LOT, &hall.query_lot(&protocol)).await), Some("9"));
    assert_eq!(named(&hall.ask(BY_LOT, &hall.query_lot(&protocol)).await), Some("1"));
    // A deserved refusal, and one of a document that was authorised.
    hall.bench.simulator.add_fault(Fault::new(FaultType::OtherDocument).on(ISSUE));
    let bad = rps(2).with("<ValorServicos>1000.00", "<ValorServicos>0.00");
    let refused = hall.ask(ISSUE, &hall.lot(&[bad])).await;
    assert_eq!((codes(&refused)[0].as_str(), named(&refused)), ("E18", Some("1")));
    hall.bench.simulator.add_fault(Fault::new(FaultType::OtherDocument).codigo("E45").on(ISSUE));
    let refused = hall.ask(ISSUE, &hall.lot(&[rps(3)])).await;
    assert_eq!((codes(&refused), named(&refused)), (vec!["E45".to_owned()], Some("1")));
    assert!(found(&hall, 3).await);
}

#[tokio::test]
async fn what_a_lost_book_held_is_made_again() {
    let hall = govdigital().await;
    let first = hall.issue(&rps(1)).await;
    hall.issue(&rps(2)).await;
    let elsewhere = LostBook { autoridade: Some("govdigital-2.01/1".to_owned()), ..LostBook::default() };
    assert_eq!(hall.bench.simulator.forget(&elsewhere), 0);
    let lost = LostBook {
        chave: Some("1/1".to_owned()),
        emitente: Some(CNPJ.to_owned()),
        autoridade: Some("govdigital-2.01/3138203".to_owned()),
        ..LostBook::default()
    };
    assert_eq!(hall.bench.simulator.forget(&lost), 1);
    assert_eq!(hall.codes(BY_RPS, &hall.query(1)).await, ["E4"]);
    assert!(found(&hall, 2).await);
    assert_ne!(hall.issue(&rps(1)).await, first);
    assert_eq!(hall.counts(1).gravada, 2);
}
