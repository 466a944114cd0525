//! Answers easily mistaken: success under another code, refused queries, another document's name.

use crate::bench::{Bench, Note, batch, code, start, verdict};
use crate::query::query;
use crate::receipt::receipt;
use authority::table::AuthorityService;
use fiscal::xml::Element;
use serde_json::{Value, json};
use simulator::faults::{Fault, FaultType};

async fn sent(bench: &Bench, note: &Note) -> Element {
    bench.ask(AuthorityService::Autorizacao, &batch(&[&bench.sign(note)], "1")).await
}

async fn asked(bench: &Bench, note: &Note) -> Element {
    bench.ask(AuthorityService::ConsultaProtocolo, &query(note.chave().as_str(), "2")).await
}

fn protocol<'e>(reply: &'e Element, tag: &str) -> Option<&'e str> {
    reply.at("protNFe/infProt")?.text_at(tag)
}

#[tokio::test]
async fn an_odd_success_proves_what_any_success_proves() {
    let bench = start().await;
    for (nNF, cStat) in [(1, 121), (2, 199)] {
        let note = Note::new(nNF);
        bench.simulator.add_fault(Fault::new(FaultType::OddSuccess).cStat(cStat));
        let reply = sent(&bench, &note).await;
        assert_eq!(verdict(&reply), (cStat, "Autorizado o uso da NF-e".to_owned()));
        let stored = &bench.simulator.documents(None)[usize::try_from(nNF - 1).unwrap()];
        assert_eq!(protocol(&reply, "chNFe"), Some(note.chave().as_str()));
        assert_eq!(protocol(&reply, "nProt"), Some(stored.nProt.as_str()));
        assert_eq!(protocol(&reply, "digVal"), Some(stored.digVal.as_str()));
        let found = asked(&bench, &note).await;
        assert_eq!((code(&found), protocol(&found, "cStat")), (100, Some("100")));
    }
}

#[tokio::test]
async fn a_receipt_gives_the_odd_success_and_a_refusal_stays_one() {
    let bench = start().await;
    bench.simulator.add_fault(Fault::new(FaultType::OddSuccess).cStat(199).times(2));
    let signed = [bench.sign(&Note::new(1)), bench.sign(&Note::new(2).xProd("X [SIM:cStat=778]"))];
    let received = bench.ask(AuthorityService::Autorizacao, &batch(&[&signed[0], &signed[1]], "0")).await;
    let processed = receipt(&bench, received.text_at("infRec/nRec").unwrap()).await;
    let protocols = processed.children().filter(|child| child.name == "protNFe");
    let codes: Vec<&str> = protocols.map(|one| one.text_at("infProt/cStat").unwrap()).collect();
    assert_eq!(codes, ["199", "778"]);
    assert_eq!(verdict(&sent(&bench, &Note::new(3).xProd("X [SIM:cStat=610]")).await).0, 610);
}

#[tokio::test]
async fn a_protocol_may_come_without_a_digest() {
    let bench = start().await;
    bench.simulator.add_fault(Fault::new(FaultType::NoDigval).times(2));
    for reply in [sent(&bench, &Note::new(1)).await, asked(&bench, &Note::new(1)).await] {
        assert_eq!((protocol(&reply, "cStat"), protocol(&reply, "digVal")), (Some("100"), None));
        assert!(protocol(&reply, "nProt").is_some());
    }
    assert!(protocol(&asked(&bench, &Note::new(1)).await, "digVal").is_some());
}

#[tokio::test]
async fn a_question_is_refused_though_the_document_is_there() {
    let bench = start().await;
    assert_eq!(bench.issue(&Note::new(1)).await.0, 100);
    for cStat in [999, 215, 217, 252] {
        bench.simulator.add_fault(Fault::new(FaultType::Cstat).cStat(cStat).on("NFeConsultaProtocolo4"));
        let refused = asked(&bench, &Note::new(1)).await;
        assert_eq!((code(&refused), refused.at("protNFe")), (cStat, None));
    }
    assert_eq!(code(&asked(&bench, &Note::new(1)).await), 100);
}

#[tokio::test]
async fn a_question_by_receipt_is_refused_and_answered_the_next_time() {
    let bench = start().await;
    bench.simulator.add_fault(Fault::new(FaultType::Async));
    let received = sent(&bench, &Note::new(1)).await;
    let nRec = received.text_at("infRec/nRec").unwrap();
    for cStat in [999, 215] {
        bench.simulator.add_fault(Fault::new(FaultType::Cstat).cStat(cStat).on("NFeRetAutorizacao4"));
        assert_eq!(code(&receipt(&bench, nRec).await), cStat);
    }
    let processed = receipt(&bench, nRec).await;
    assert_eq!((code(&processed), protocol(&processed, "cStat")), (104, Some("100")));
}

#[tokio::test]
async fn an_answer_names_the_next_number_where_no_other_document_is() {
    let bench = start().await;
    let next = Note::new(2).cNF(Note::new(1).cNF).chave();
    bench.simulator.add_fault(Fault::new(FaultType::OtherDocument).times(2));
    for reply in [sent(&bench, &Note::new(1)).await, asked(&bench, &Note::new(1)).await] {
        assert_eq!((protocol(&reply, "cStat"), protocol(&reply, "chNFe")), (Some("100"), Some(next.as_str())));
    }
    let stored = bench.simulator.documents(None);
    assert_eq!((stored.len(), stored[0].chave.as_str()), (1, Note::new(1).chave().as_str()));
}

#[tokio::test]
async fn an_answer_names_another_document_that_is_there() {
    let bench = start().await;
    let other = Note::new(1);
    assert_eq!(bench.issue(&other).await.0, 100);
    let refused = Note::new(3).xProd("X [SIM:cStat=610]");
    for (note, cStat) in [(Note::new(2), "100"), (refused, "610")] {
        bench.simulator.add_fault(Fault::new(FaultType::OtherDocument));
        let reply = sent(&bench, &note).await;
        assert_eq!((protocol(&reply, "cStat"), protocol(&reply, "chNFe")), (Some(cStat), Some(other.chave().as_str())));
    }
    let stored = bench.simulator.documents(None);
    let protocol_of =
        |note: &Note| stored.iter().find(|one| one.chave == note.chave().as_str()).map(|one| one.nProt.as_str());
    // The other document also answers for one that was never sent.
    for asked_for in [Note::new(2), Note::new(5)] {
        bench.simulator.add_fault(Fault::new(FaultType::OtherDocument));
        let found = asked(&bench, &asked_for).await;
        assert_eq!(found.text_at("chNFe"), Some(asked_for.chave().as_str()));
        assert_eq!(protocol(&found, "chNFe"), Some(other.chave().as_str()));
        assert_eq!(protocol(&found, "nProt"), protocol_of(&other));
    }
    assert_eq!(protocol(&asked(&bench, &Note::new(2)).await, "nProt"), protocol_of(&Note::new(2)));
}

#[tokio::test]
async fn a_document_that_was_authorised_is_answered_by_the_refusal_of_another() {
    let bench = start().await;
    bench.simulator.add_fault(Fault::new(FaultType::OtherDocument).cStat(610));
    let reply = sent(&bench, &Note::new(1)).await;
    let next = Note::new(2).cNF(Note::new(1).cNF).chave();
    assert_eq!((protocol(&reply, "cStat"), protocol(&reply, "chNFe")), (Some("610"), Some(next.as_str())));
    assert_eq!((protocol(&reply, "nProt"), code(&asked(&bench, &Note::new(1)).await)), (None, 100));
}

#[tokio::test]
async fn a_receipt_names_another_document() {
    let bench = start().await;
    bench.simulator.add_fault(Fault::new(FaultType::Async));
    let received = sent(&bench, &Note::new(1)).await;
    let nRec = received.text_at("infRec/nRec").unwrap();
    bench.simulator.add_fault(Fault::new(FaultType::OtherDocument).on("NFeRetAutorizacao4"));
    let next = Note::new(2).cNF(Note::new(1).cNF).chave();
    assert_eq!(protocol(&receipt(&bench, nRec).await, "chNFe"), Some(next.as_str()));
    assert_eq!(protocol(&receipt(&bench, nRec).await, "chNFe"), Some(Note::new(1).chave().as_str()));
}

#[tokio::test]
async fn a_fault_that_lacks_its_code_is_not_taken() {
    let bench = start().await;
    for (tipo, member) in [("odd_success", "cStat"), ("cstat", "cStat ou codigo"), ("high_nsu", "nsu")] {
        let (status, body) = bench.control("POST", "/_sim/falhas", Some(json!({ "tipo": tipo }))).await;
        let said = String::from_utf8_lossy(&body).into_owned();
        assert!(status == 400 && said.contains(&format!("precisa de {member}")), "{status} {said}");
    }
    let outage =
        |falha: Value| json!([{ "de": "2026-01-01T00:00:00Z", "ate": "2100-01-01T00:00:00Z", "falha": falha }]);
    let (status, _) = bench.control("PUT", "/_sim/quedas", Some(outage(json!({ "tipo": "odd_success" })))).await;
    assert_eq!(status, 400);
    bench.json("PUT", "/_sim/quedas", Some(outage(json!({ "tipo": "odd_success", "cStat": 121 })))).await;
    assert_eq!(bench.issue(&Note::new(1)).await.0, 121);
    let described = bench.json("GET", "/_sim", None).await;
    for tipo in ["late", "invisible", "odd_success", "no_digval", "other_document", "high_nsu"] {
        assert!(described["tipos_de_falha"][tipo].is_string(), "{tipo}");
    }
}
