//! Lots: a protocol first, their notes later, all of them or none.

use super::bench::{LAVRAS, ProviderBench, Rps, answer, codes, deep, hall, rps};
use jiff::SignedDuration;
use simulator::abrasf::CitySettings;
use simulator::clock::ClockMode;

/// WebISS 2.02, SOAP 1.2.
fn webiss_envelope(operation: &str, message: &str) -> (String, String) {
    let (action, body) = super::bench::govdigital_envelope(operation, message);
    let body = body
        .replace("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope")
        .replacen("2.01", "2.02", 2);
    (action, body)
}

async fn webiss() -> ProviderBench {
    hall("webiss-2.02", webiss_envelope).await.soap12()
}

fn per_cent(number: u32) -> Rps {
    rps(number).with("<Aliquota>0.02", "<Aliquota>2.00")
}

async fn hand_in(hall: &ProviderBench, rps: &[Rps]) -> String {
    let lot = hall.lot_of("EnviarLoteRpsEnvio", rps);
    let answer = hall.ask("RecepcionarLoteRps", &lot).await;
    answer.text_at("Protocolo").unwrap_or_else(|| panic!("{answer:?}")).to_owned()
}

#[tokio::test]
async fn a_lot_of_fifty_gives_a_protocol_and_then_fifty_notes() {
    let hall = webiss().await;
    let all: Vec<Rps> = (1..=50).map(per_cent).collect();
    let protocol = hand_in(&hall, &all).await;
    let answer = hall.ask("ConsultarLoteRps", &hall.query_lot(&protocol)).await;
    assert_eq!(answer.text_at("Situacao"), Some("4"), "{:?}", codes(&answer));
    assert_eq!(answer.child("ListaNfse").unwrap().children().count(), 50);
    assert_eq!(hall.bench.simulator.municipal_notes().len(), 50);
    let again = hall.ask("ConsultarLoteRps", &hall.query_lot(&protocol)).await;
    assert_eq!(again.child("ListaNfse").unwrap().children().count(), 50);
}

#[tokio::test]
async fn a_lot_with_one_bad_rps_makes_no_note_and_names_it() {
    let hall = webiss().await;
    let bad = per_cent(2).with("<ValorServicos>1000.00", "<ValorServicos>0.00");
    let protocol = hand_in(&hall, &[per_cent(1), bad, per_cent(3)]).await;
    let answer = hall.ask("ConsultarLoteRps", &hall.query_lot(&protocol)).await;
    assert_eq!(answer.text_at("Situacao"), Some("3"));
    let list = answer.child("ListaMensagemRetornoLote").unwrap();
    assert!(list.children().all(|one| one.text_at("IdentificacaoRps/Numero") == Some("2")));
    assert_eq!(codes(&answer)[0], "E18");
    assert!(hall.bench.simulator.municipal_notes().is_empty());
    // A valid RPS of a refused lot can be sent again.
    let protocol = hand_in(&hall, &[per_cent(1), per_cent(3)]).await;
    let answer = hall.ask("ConsultarLoteRps", &hall.query_lot(&protocol)).await;
    assert_eq!(answer.text_at("Situacao"), Some("4"));
}

#[tokio::test]
async fn a_lot_takes_its_time_and_so_many_queries() {
    let hall = webiss().await;
    let busy = CitySettings { consultas_em_processamento: 2, espera_s: 60, ..CitySettings::default() };
    hall.bench.simulator.configure(|settings| {
        settings.municipal.cidades.insert(LAVRAS, busy);
    });
    let protocol = hand_in(&hall, &[per_cent(1)]).await;
    for _ in 0..3 {
        let answer = hall.ask("ConsultarLoteRps", &hall.query_lot(&protocol)).await;
        assert_eq!((answer.text_at("Situacao"), codes(&answer)), (Some("2"), vec!["E92".to_owned()]));
    }
    assert_eq!(hall.codes("ConsultarNfsePorRps", &hall.query(1)).await, ["E92"]);
    hall.bench.simulator.clock().set_mode(ClockMode::Shifted(SignedDuration::from_secs(61)));
    let answer = hall.ask("ConsultarNfsePorRps", &hall.query(1)).await;
    assert!(deep(&answer, "InfNfse").is_some(), "{answer:?}");
    assert_eq!(hall.codes("ConsultarLoteRps", &hall.query_lot("P9999999")).await, ["E86"]);
}

/// A client that queries the RPS alone, and never the lot, waits as long.
#[tokio::test]
async fn a_lot_is_carried_on_by_questions_for_its_rps_too() {
    let hall = webiss().await;
    let busy = CitySettings { consultas_em_processamento: 2, ..CitySettings::default() };
    hall.bench.simulator.configure(|settings| {
        settings.municipal.cidades.insert(LAVRAS, busy);
    });
    hand_in(&hall, &[per_cent(1)]).await;
    for _ in 0..2 {
        assert_eq!(hall.codes("ConsultarNfsePorRps", &hall.query(1)).await, ["E92"]);
    }
    let found = hall.ask("ConsultarNfsePorRps", &hall.query(1)).await;
    assert!(found.child("CompNfse").is_some(), "{:?}", codes(&found));
}

#[tokio::test]
async fn a_lot_sent_twice_makes_its_notes_once() {
    let hall = webiss().await;
    let (one, other) = (hand_in(&hall, &[per_cent(1)]).await, hand_in(&hall, &[per_cent(1)]).await);
    assert_ne!(one, other);
    let answer = hall.ask("ConsultarLoteRps", &hall.query_lot(&other)).await;
    assert_eq!(answer.text_at("Situacao"), Some("4"));
    let answer = hall.ask("ConsultarLoteRps", &hall.query_lot(&one)).await;
    assert_eq!((answer.text_at("Situacao"), codes(&answer)), (Some("3"), vec!["E10".to_owned()]));
    assert_eq!(hall.bench.simulator.municipal_notes().len(), 1);
}

#[tokio::test]
async fn what_the_provider_signs_and_the_layout_does_not_ask_for_is_missed() {
    let hall = webiss().await;
    let lot = hall.lot_of("EnviarLoteRpsEnvio", &[per_cent(1)]);
    let at = lot.rfind("<Signature xmlns").unwrap();
    let unsigned = format!("{}</EnviarLoteRpsEnvio>", &lot[..at]);
    assert_eq!(hall.codes("RecepcionarLoteRps", &unsigned).await, ["E174"]);
}

#[tokio::test]
async fn a_lot_that_does_not_fit_what_it_holds_is_refused_at_once() {
    let hall = webiss().await;
    let lot = hall.lot_of("EnviarLoteRpsEnvio", &[per_cent(1)]);
    for (from, to, codigo) in [
        ("<QuantidadeRps>1", "<QuantidadeRps>2", "E69"),
        (
            "<Cnpj>11222333000181</Cnpj></CpfCnpj><InscricaoMunicipal>12345</InscricaoMunicipal><Q",
            "<Cnpj>99888777000161</Cnpj></CpfCnpj><InscricaoMunicipal>12345</InscricaoMunicipal><Q",
            "E159",
        ),
        ("<InscricaoMunicipal>12345</InscricaoMunicipal><Q", "<InscricaoMunicipal>9</InscricaoMunicipal><Q", "E70"),
    ] {
        let bent = lot.replacen(from, to, 1);
        assert_ne!(bent, lot);
        let codes = hall.codes("RecepcionarLoteRps", &bent).await;
        assert!(codes.contains(&codigo.to_owned()), "{codigo}: {codes:?}");
    }
    let twice = hall.lot_of("EnviarLoteRpsEnvio", &[per_cent(1), per_cent(1)]);
    let reply = hall.post("RecepcionarLoteRps", &twice).await.unwrap();
    // A repeated Id is no valid XML-DSig.
    assert!(codes(&answer(&reply.body)).contains(&"E174".to_owned()));
}
