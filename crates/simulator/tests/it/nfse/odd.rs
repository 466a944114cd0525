//! Late, hidden and mixed-up answers of the Sefin: the outcome of a DPS differs from the answer to it.

use super::bench::{NationalBench, authorized, codes, dps, town, written};
use authority::nfse_nacional::{DpsAnswer, IssueAnswer, read_exists, read_issue};
use fiscal::xml::{self, Element};
use serde_json::Value;
use simulator::LostBook;
use simulator::faults::{Fault, FaultType};

/// Longer than a test runs.
const AN_HOUR: u64 = 3_600_000;

fn id_of(number: u64) -> String {
    written(&dps(number)).1
}

async fn dropped(town: &NationalBench, signed: &str) {
    let sent = town.bench.transport.send(&town.sefin.issue(signed), &town.bench.certificate).await;
    assert_eq!(sent.unwrap_err().kind, "closed");
}

/// The JSON of the answer to a DPS.
async fn sent(town: &NationalBench, signed: &str) -> (u16, Value) {
    let reply = town.ask(&town.sefin.issue(signed)).await;
    (reply.status.as_u16(), serde_json::from_slice(&reply.body).unwrap())
}

fn read(note: &str) -> Element {
    xml::read(note.as_bytes()).unwrap()
}

fn digest_in(note: &str) -> Option<String> {
    let path = "infNFSe/DPS/Signature/SignedInfo/Reference/DigestValue";
    read(note).text_at(path).map(str::to_owned)
}

#[tokio::test]
async fn a_late_dps_is_unknown_until_it_is_processed() {
    let town = town().await;
    let signed = town.signed(&dps(1));
    town.bench.simulator.add_fault(Fault::new(FaultType::Late).ms(AN_HOUR));
    assert_eq!(town.key_of(&id_of(1)).await, DpsAnswer::NotFound);
    dropped(&town, &signed).await;
    assert_eq!(town.key_of(&id_of(1)).await, DpsAnswer::NotFound);
    assert_eq!(town.bench.simulator.process_late(), 1);
    assert!(matches!(town.key_of(&id_of(1)).await, DpsAnswer::Found(_)));
    assert!(matches!(town.hand_in(&signed).await, IssueAnswer::Duplicate(_)));
}

#[tokio::test]
async fn a_dps_sent_again_meanwhile_is_taken_and_the_late_one_is_a_duplicate() {
    let town = town().await;
    let signed = town.signed(&dps(1));
    town.bench.simulator.add_fault(Fault::new(FaultType::Late).ms(AN_HOUR).on("POST /nfse"));
    dropped(&town, &signed).await;
    let note = authorized(town.hand_in(&signed).await);
    town.bench.simulator.process_late();
    let counts = town.bench.simulator.nfse_counts(&id_of(1));
    assert_eq!((counts.recebida, counts.gravada, counts.rejeitada), (2, 1, 1));
    assert_eq!(town.bench.simulator.nfse_notes()[0].chave, note.chave.as_str());
}

#[tokio::test]
async fn a_late_cancellation_is_registered_after_the_reset() {
    let town = town().await;
    let note = town.issue(&dps(1)).await;
    town.bench.simulator.add_fault(Fault::new(FaultType::Late).ms(AN_HOUR));
    let (xml, id) =
        super::bench::request(crate::bench::CNPJ, &note.chave, "101101", Some("Serviço contratado não foi prestado"));
    let signed = signing::sign(xml, &id, &town.bench.certificate).unwrap().xml;
    let call = town.sefin.event(&note.chave, &signed);
    assert!(town.bench.transport.send(&call, &town.bench.certificate).await.is_err());
    assert!(town.bench.simulator.nfse_notes()[0].eventos.is_empty());
    town.bench.simulator.process_late();
    assert_eq!(town.bench.simulator.nfse_notes()[0].eventos[0].tipo, "101101");
}

#[tokio::test]
async fn an_invisible_note_is_a_duplicate_that_no_query_finds() {
    let town = town().await;
    let signed = town.signed(&dps(1));
    town.bench.simulator.add_fault(Fault::new(FaultType::Invisible).ms(AN_HOUR));
    dropped(&town, &signed).await;
    assert_eq!(town.key_of(&id_of(1)).await, DpsAnswer::NotFound);
    assert!(!read_exists(&town.ask(&town.sefin.exists(&id_of(1))).await).unwrap());
    let chave = town.bench.simulator.nfse_notes()[0].chave.clone();
    let base = town.bench.simulator.sefin_url(fiscal::value::TpAmb::Homologacao);
    assert_eq!(town.get(&format!("{base}/nfse/{chave}")).await.0, 404);
    assert_eq!(town.codes(&signed).await, ["E0014"]);
    assert_eq!(town.bench.simulator.reveal(), 1);
    assert!(matches!(town.key_of(&id_of(1)).await, DpsAnswer::Found(found) if found.as_str() == chave));
    assert!(read_exists(&town.ask(&town.sefin.exists(&id_of(1))).await).unwrap());
}

#[tokio::test]
async fn an_invisible_note_may_be_answered() {
    let town = town().await;
    town.bench.simulator.add_fault(Fault::new(FaultType::Invisible).ms(AN_HOUR).answered());
    authorized(town.hand_in(&town.signed(&dps(1))).await);
    assert_eq!(town.key_of(&id_of(1)).await, DpsAnswer::NotFound);
}

/// The note is sealed all the same: only the DPS is wrong.
#[tokio::test]
async fn a_note_holds_a_dps_of_another_digest_or_an_unsigned_one() {
    let town = town().await;
    for (number, kind) in [(1, FaultType::WrongDigval), (2, FaultType::NoDigval)] {
        let signed = town.signed(&dps(number));
        let own = read(&signed).text_at("Signature/SignedInfo/Reference/DigestValue").unwrap().to_owned();
        town.bench.simulator.add_fault(Fault::new(kind));
        let (status, body) = sent(&town, &signed).await;
        assert_eq!((status, body["idDps"].as_str()), (201, Some(id_of(number).as_str())));
        let given = unpacked(&body);
        match kind {
            FaultType::WrongDigval => assert!(digest_in(&given).is_some_and(|digest| digest != own)),
            _ => assert_eq!(read(&given).at("infNFSe/DPS/Signature"), None),
        }
        assert!(is_sealed(&given), "{given}");
        let stored = &town.bench.simulator.nfse_notes().into_iter().find(|one| one.id_dps == id_of(number)).unwrap();
        assert_eq!(digest_in(stored.xml()), Some(own.clone()));
        town.bench.simulator.add_fault(Fault::new(kind).on("GET /nfse"));
        let base = town.bench.simulator.sefin_url(fiscal::value::TpAmb::Homologacao);
        let url = format!("{base}/nfse/{}", stored.chave);
        let (first, second) = (unpacked(&town.get(&url).await.1), unpacked(&town.get(&url).await.1));
        assert_ne!(digest_in(&first), Some(own.clone()));
        assert_eq!(second, stored.xml());
    }
}

fn unpacked(body: &Value) -> String {
    let packed = openssl::base64::decode_block(body["nfseXmlGZipB64"].as_str().unwrap()).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&packed[..]), &mut text).unwrap();
    text
}

/// True when the digest of the seal is that of what it seals.
fn is_sealed(note: &str) -> bool {
    let (start, end) = (note.find("<infNFSe").unwrap(), note.rfind("</infNFSe>").unwrap());
    let element = format!("{}</infNFSe>", &note[start..end]);
    let alone = element.replacen("<infNFSe", "<infNFSe xmlns=\"http://www.sped.fazenda.gov.br/nfse\"", 1);
    let form = bergshamra_c14n::C14nMode::ExclusiveWithComments;
    let canonical = bergshamra_c14n::canonicalize::<&str>(&alone, form, None, &[]).unwrap();
    let digest = openssl::base64::encode_block(&openssl::sha::sha256(&canonical));
    read(note).text_at("Signature/SignedInfo/Reference/DigestValue") == Some(digest.as_str())
}

#[tokio::test]
async fn a_question_is_refused_though_the_note_is_there() {
    let town = town().await;
    let note = town.issue(&dps(1)).await;
    let base = town.bench.simulator.sefin_url(fiscal::value::TpAmb::Homologacao);
    let (by_id, by_key) = (format!("{base}/dps/{}", id_of(1)), format!("{base}/nfse/{}", note.chave.as_str()));
    for (service, url, status) in [("GET /dps", &by_id, 400), ("GET /nfse", &by_key, 422), ("GET /dps", &by_id, 503)] {
        let fault = Fault::new(FaultType::Cstat).codigo("E1226").mensagem("Sistema indisponível");
        town.bench.simulator.add_fault(fault.status(status).on(service));
        let (answered, body) = town.get(url).await;
        let erro = &body["erro"];
        assert_eq!(
            (answered, erro["codigo"].as_str(), erro["descricao"].as_str()),
            (status, Some("E1226"), Some("Sistema indisponível"))
        );
        assert_eq!(town.get(url).await.0, 200);
    }
    town.bench.simulator.add_fault(Fault::new(FaultType::Cstat).codigo("E1226").status(500).on("HEAD /dps"));
    assert_eq!(town.ask(&town.sefin.exists(&id_of(1))).await.status.as_u16(), 500);
}

#[tokio::test]
async fn a_dps_is_refused_by_a_scripted_code_without_being_processed() {
    let town = town().await;
    town.bench.simulator.add_fault(Fault::new(FaultType::Cstat).codigo("E0625").on("POST /nfse"));
    match read_issue(&town.ask(&town.sefin.issue(&town.signed(&dps(1)))).await).unwrap() {
        IssueAnswer::Rejected(said) => assert_eq!(codes(&said), ["E0625"]),
        other => panic!("{other:?}"),
    }
    assert_eq!(town.bench.simulator.nfse_counts(&id_of(1)).recebida, 0);
    town.issue(&dps(1)).await;
}

#[tokio::test]
async fn an_answer_names_the_next_dps_where_no_other_note_is() {
    let town = town().await;
    town.bench.simulator.add_fault(Fault::new(FaultType::OtherDocument).times(2));
    let (status, body) = sent(&town, &town.signed(&dps(1))).await;
    assert_eq!((status, body["idDps"].as_str()), (201, Some(id_of(2).as_str())));
    assert_eq!(body["chaveAcesso"], town.bench.simulator.nfse_notes()[0].chave);
    let base = town.bench.simulator.sefin_url(fiscal::value::TpAmb::Homologacao);
    assert_eq!(town.get(&format!("{base}/dps/{}", id_of(1))).await.1["idDps"], id_of(2));
    assert_eq!(town.get(&format!("{base}/dps/{}", id_of(1))).await.1["idDps"], id_of(1));
}

#[tokio::test]
async fn an_answer_is_of_another_note_or_refuses_another_dps() {
    let town = town().await;
    let other = town.issue(&dps(9)).await;
    town.bench.simulator.add_fault(Fault::new(FaultType::OtherDocument));
    let (status, body) = sent(&town, &town.signed(&dps(1))).await;
    assert_eq!((status, body["idDps"].as_str()), (201, Some(id_of(9).as_str())));
    assert_eq!((body["chaveAcesso"].as_str(), unpacked(&body)), (Some(other.chave.as_str()), other.xml));
    let base = town.bench.simulator.sefin_url(fiscal::value::TpAmb::Homologacao);
    for asked in [1, 5] {
        town.bench.simulator.add_fault(Fault::new(FaultType::OtherDocument));
        let (status, body) = town.get(&format!("{base}/dps/{}", id_of(asked))).await;
        assert_eq!((status, body["chaveAcesso"].as_str()), (200, Some(other.chave.as_str())), "{asked}");
    }
    town.bench.simulator.add_fault(Fault::new(FaultType::OtherDocument).codigo("E0625"));
    let (status, body) = sent(&town, &town.signed(&dps(2))).await;
    assert_eq!((status, body["erros"][0]["codigo"].as_str()), (400, Some("E0625")));
    assert_eq!(body["idDPS"], id_of(3));
    assert!(matches!(town.key_of(&id_of(2)).await, DpsAnswer::Found(_)), "it was authorised");
    // And a deserved refusal.
    town.bench.simulator.add_fault(Fault::new(FaultType::OtherDocument));
    let (status, body) = sent(&town, &town.signed(&dps(2))).await;
    assert_eq!(
        (status, body["erros"][0]["codigo"].as_str(), &body["idDPS"]),
        (400, Some("E0014"), &Value::from(id_of(3)))
    );
}

#[tokio::test]
async fn what_a_lost_book_held_is_made_again() {
    let town = town().await;
    let (one, two) = (town.issue(&dps(1)).await, town.issue(&dps(2)).await);
    let chave = Some(id_of(1));
    let sefin = Some("sefin".to_owned());
    let lost = LostBook { chave, autoridade: sefin, ..LostBook::default() };
    assert_eq!(town.bench.simulator.forget(&lost), 1);
    assert_eq!(town.key_of(&id_of(1)).await, DpsAnswer::NotFound);
    assert_eq!(town.key_of(&id_of(2)).await, DpsAnswer::Found(two.chave));
    assert_ne!(town.issue(&dps(1)).await.chave, one.chave);
    assert_eq!(town.bench.simulator.nfse_counts(&id_of(1)).gravada, 2);
}
