//! Messages that are processed after their client met a reset, and documents that are hidden from queries.

use crate::bench::{Bench, Note, batch, code, start, verdict};
use crate::query::query;
use authority::sefaz;
use authority::table::AuthorityService;
use authority::transport::SendStatus;
use fiscal::value::{ChaveAcesso, TpAmb};
use serde_json::json;
use simulator::faults::{Fault, FaultType};
use simulator::settings::{ModeAt, ServiceMode};

/// Longer than a test runs.
const AN_HOUR: u64 = 3_600_000;

fn late() -> Fault {
    Fault::new(FaultType::Late).ms(AN_HOUR)
}

fn invisible() -> Fault {
    Fault::new(FaultType::Invisible).ms(AN_HOUR)
}

async fn asked(bench: &Bench, chave: &ChaveAcesso) -> u16 {
    bench.code(AuthorityService::ConsultaProtocolo, &query(chave.as_str(), "2")).await
}

/// Sends a signed note and meets a reset.
async fn dropped(bench: &Bench, signed: &str) {
    let call = sefaz::NFE.authorize(&bench.endpoint(AuthorityService::Autorizacao), 1, signed);
    let error = bench.send(&call).await.unwrap_err();
    assert_eq!((error.sent, error.kind), (SendStatus::Maybe, "closed"), "{error}");
}

fn standing_still(modo: ServiceMode) -> ModeAt {
    ModeAt { modo, autoridade: None, modelo: None, ambiente: None, servico: None, retorno_s: None }
}

#[tokio::test]
async fn a_late_message_is_unknown_until_it_is_processed() {
    let bench = start().await;
    let (note, signed) = (Note::new(1), bench.sign(&Note::new(1)));
    bench.simulator.add_fault(late());
    // A query changes nothing and is not late.
    assert_eq!(asked(&bench, &note.chave()).await, 217);
    dropped(&bench, &signed).await;
    assert_eq!(asked(&bench, &note.chave()).await, 217);
    assert!(bench.simulator.documents(None).is_empty());
    assert_eq!(bench.simulator.process_late(), 1);
    assert_eq!(asked(&bench, &note.chave()).await, 100);
    assert_eq!(bench.verdict(&signed).await.0, 204);
    let counts = bench.simulator.counts(note.chave().as_str());
    assert_eq!((counts.recebida, counts.gravada), (2, 1));
    let told: Vec<_> = bench.simulator.requests().iter().map(|one| (one.cStat, one.falha)).collect();
    let expected = [(Some(217), None), (None, Some(FaultType::Late)), (Some(217), None)];
    assert_eq!(told[..3], expected, "the drop is listed once, its processing is not");
}

#[tokio::test]
async fn its_time_comes_without_being_asked() {
    let bench = start().await;
    bench.simulator.configure(|settings| settings.limites = false);
    let signed = bench.sign(&Note::new(1).xProd("X [SIM:falha=late,ms=20]"));
    dropped(&bench, &signed).await;
    while asked(&bench, &Note::new(1).chave()).await == 217 {
        tokio::task::yield_now().await;
    }
    assert_eq!(asked(&bench, &Note::new(1).chave()).await, 100);
    assert_eq!(bench.simulator.process_late(), 0, "once is all");
}

#[tokio::test]
async fn what_is_sent_again_meanwhile_is_processed_and_the_late_one_meets_it() {
    let bench = start().await;
    let signed = bench.sign(&Note::new(1));
    bench.simulator.add_fault(late());
    dropped(&bench, &signed).await;
    assert_eq!(bench.verdict(&signed).await.0, 100);
    let given = bench.simulator.documents(None)[0].nProt.clone();
    assert_eq!(bench.simulator.process_late(), 1);
    let counts = bench.simulator.counts(Note::new(1).chave().as_str());
    assert_eq!((counts.recebida, counts.processada, counts.gravada), (2, 2, 1));
    assert_eq!(bench.simulator.documents(None)[0].nProt, given);
}

#[tokio::test]
async fn what_is_inside_is_processed_while_the_service_stands_still() {
    let bench = start().await;
    for (nNF, modo, cStat) in
        [(1, ServiceMode::ParalisadoMomentaneamente, 108), (2, ServiceMode::ParalisadoSemPrevisao, 109)]
    {
        let note = Note::new(nNF);
        bench.simulator.add_fault(late());
        dropped(&bench, &bench.sign(&note)).await;
        bench.simulator.configure(|settings| settings.servicos = vec![standing_still(modo)]);
        assert_eq!(asked(&bench, &note.chave()).await, cStat);
        assert_eq!(bench.simulator.process_late(), 1);
        assert!(bench.simulator.document(TpAmb::Homologacao, note.chave().as_str()).is_some());
        assert_eq!(asked(&bench, &note.chave()).await, cStat, "no query finds it yet");
        bench.simulator.configure(|settings| settings.servicos.clear());
        assert_eq!(asked(&bench, &note.chave()).await, 100);
    }
}

#[tokio::test]
async fn an_svc_that_was_closed_meanwhile_processes_what_is_inside() {
    let bench = start().await;
    let mut note = Note::new(1);
    note.tpEmis = 6;
    let mut call = sefaz::NFE.authorize(&bench.endpoint(AuthorityService::Autorizacao), 1, &bench.sign(&note));
    call.url = call.url.replace("/sp/", "/svc-an/");
    bench.simulator.add_fault(late());
    assert!(bench.send(&call).await.is_err());
    bench.simulator.configure(|settings| settings.svc_abertas = Some(["RJ".to_owned()].into()));
    assert_eq!(verdict(&bench.ask_call(&call).await).0, 114);
    bench.simulator.process_late();
    assert_eq!(bench.simulator.documents(None)[0].autoridade, "svc-an");
}

#[tokio::test]
async fn a_reset_forgets_what_waits() {
    let bench = start().await;
    bench.simulator.add_fault(late().containing(Note::new(1).chave().as_str()));
    assert_eq!(bench.issue(&Note::new(2)).await.0, 100);
    dropped(&bench, &bench.sign(&Note::new(1))).await;
    bench.simulator.reset();
    assert_eq!(bench.simulator.process_late(), 0);
    assert!(bench.simulator.documents(None).is_empty());
}

#[tokio::test]
async fn the_control_plane_counts_and_ends_what_is_held_back() {
    let bench = start().await;
    for fault in [
        json!({ "tipo": "late", "ms": AN_HOUR, "servico": "NFeAutorizacao4" }),
        json!({ "tipo": "invisible", "ms": AN_HOUR, "resposta": true }),
    ] {
        bench.json("POST", "/_sim/falhas", Some(fault)).await;
    }
    dropped(&bench, &bench.sign(&Note::new(1))).await;
    assert_eq!(bench.issue(&Note::new(2)).await.0, 100);
    let both = json!({ "mensagens": 1, "escondidos": 1 });
    assert_eq!(bench.json("GET", "/_sim/atrasos", None).await, both);
    assert_eq!(bench.json("POST", "/_sim/atrasos", None).await, both);
    assert_eq!(bench.json("GET", "/_sim/atrasos", None).await, json!({ "mensagens": 0, "escondidos": 0 }));
    for nNF in [1, 2] {
        assert_eq!(asked(&bench, &Note::new(nNF).chave()).await, 100);
    }
}

#[tokio::test]
async fn an_invisible_document_is_a_duplicate_that_no_query_finds() {
    let bench = start().await;
    let (note, signed) = (Note::new(1), bench.sign(&Note::new(1)));
    bench.simulator.add_fault(invisible());
    dropped(&bench, &signed).await;
    assert_eq!(asked(&bench, &note.chave()).await, 217);
    let (cStat, xMotivo) = bench.verdict(&signed).await;
    assert!(cStat == 204 && xMotivo.contains("[nRec:"), "{cStat} {xMotivo}");
    let other = note.clone().cNF(10_203_040);
    assert_eq!(asked(&bench, &other.chave()).await, 217, "its number is as unknown");
    assert_eq!(bench.issue(&other).await.0, 539);
    assert_eq!(bench.simulator.reveal(), 1);
    assert_eq!(asked(&bench, &note.chave()).await, 100);
}

#[tokio::test]
async fn an_invisible_document_may_be_answered_and_comes_to_light_in_time() {
    let bench = start().await;
    bench.simulator.configure(|settings| settings.limites = false);
    bench.simulator.add_fault(Fault::new(FaultType::Invisible).ms(200).answered());
    assert_eq!(bench.issue(&Note::new(1)).await.0, 100);
    assert_eq!(asked(&bench, &Note::new(1).chave()).await, 217);
    while asked(&bench, &Note::new(1).chave()).await == 217 {
        tokio::task::yield_now().await;
    }
    assert_eq!(asked(&bench, &Note::new(1).chave()).await, 100);
}

#[tokio::test]
async fn a_batch_is_late_whole() {
    let bench = start().await;
    let signed = [1, 2].map(|nNF| bench.sign(&Note::new(nNF)));
    bench.simulator.add_fault(late());
    let call = bench.call(AuthorityService::Autorizacao, &batch(&[&signed[0], &signed[1]], "0"));
    assert!(bench.send(&call).await.is_err());
    bench.simulator.process_late();
    assert_eq!(bench.simulator.documents(None).len(), 2);
    let unknown = crate::receipt::receipt(&bench, "351000000000099").await;
    assert_eq!(code(&unknown), 106);
}
