//! Lost books, and separate books: a number is authorised twice.

use crate::bench::{Bench, CNPJ, Note, code, start, verdict};
use crate::query::query;
use authority::sefaz;
use authority::table::AuthorityService;
use jiff::SignedDuration;
use serde_json::{Value, json};
use simulator::clock::ClockMode;

async fn asked(bench: &Bench, note: &Note) -> u16 {
    bench.code(AuthorityService::ConsultaProtocolo, &query(note.chave().as_str(), "2")).await
}

async fn lose(bench: &Bench, mut which: Value) -> u64 {
    which["livro"] = json!("perdido");
    bench.json("POST", "/_sim/livro", Some(which)).await["esquecidos"].as_u64().unwrap()
}

fn in_svc(nNF: u32) -> Note {
    let mut note = Note::new(nNF);
    note.tpEmis = 6;
    note
}

/// Code of a note sent to the SVC of its state.
async fn sent_to_svc(bench: &Bench, note: &Note) -> (u16, String) {
    let mut call = sefaz::NFE.authorize(&bench.endpoint(AuthorityService::Autorizacao), 1, &bench.sign(note));
    call.url = call.url.replace("/sp/", "/svc-an/");
    verdict(&bench.ask_call(&call).await)
}

/// Code of a query at the SVC.
async fn asked_of_svc(bench: &Bench, note: &Note) -> u16 {
    let mut call = bench.call(AuthorityService::ConsultaProtocolo, &query(note.chave().as_str(), "2"));
    call.url = call.url.replace("/sp/", "/svc-an/");
    code(&bench.ask_call(&call).await)
}

#[tokio::test]
async fn what_a_lost_book_held_is_unknown_and_its_number_is_given_again() {
    let bench = start().await;
    let (one, two) = (Note::new(1), Note::new(2));
    for note in [&one, &two] {
        assert_eq!(bench.issue(note).await.0, 100);
    }
    assert_eq!(lose(&bench, json!({ "chave": one.chave().as_str() })).await, 1);
    assert_eq!((asked(&bench, &one).await, asked(&bench, &two).await), (217, 100));
    let other_key = one.clone().cNF(10_203_040);
    assert_eq!(bench.issue(&other_key).await.0, 100, "the number is free");
    assert_eq!(bench.issue(&one).await.0, 539);
}

#[tokio::test]
async fn a_document_authorised_again_after_the_loss_is_counted_twice() {
    let bench = start().await;
    assert_eq!(bench.issue(&Note::new(1)).await.0, 100);
    assert_eq!(lose(&bench, json!({})).await, 1);
    assert_eq!(bench.issue(&Note::new(1)).await.0, 100);
    assert_eq!(bench.simulator.counts(Note::new(1).chave().as_str()).gravada, 2);
    assert_eq!(bench.json("GET", "/_sim/contadores", None).await["gravadas_mais_de_uma_vez"], 1);
}

#[tokio::test]
async fn a_book_is_lost_by_issuer_by_authority_or_since_an_instant() {
    let bench = start().await;
    assert_eq!(bench.issue(&Note::new(1)).await.0, 100);
    assert_eq!(sent_to_svc(&bench, &in_svc(2)).await.0, 100);
    bench.simulator.clock().set_mode(ClockMode::Shifted(SignedDuration::from_mins(10)));
    assert_eq!(bench.issue(&Note::new(3)).await.0, 100);
    assert_eq!(lose(&bench, json!({ "emitente": "99999999000191" })).await, 0);
    assert_eq!(lose(&bench, json!({ "autoridade": "svc-an", "emitente": CNPJ })).await, 1);
    let since = jiff::Timestamp::now() + SignedDuration::from_mins(5);
    assert_eq!(lose(&bench, json!({ "desde": since })).await, 1);
    assert_eq!((asked(&bench, &Note::new(1)).await, asked(&bench, &Note::new(3)).await), (100, 217));
    let (status, _) = bench.control("POST", "/_sim/livro", Some(json!({ "livro": "perdido", "outra": 1 }))).await;
    assert_eq!(status, 400);
}

#[tokio::test]
async fn an_svc_shares_the_book_of_the_state_unless_it_has_its_own() {
    let bench = start().await;
    assert_eq!(bench.issue(&Note::new(1)).await.0, 100);
    assert_eq!(sent_to_svc(&bench, &in_svc(1)).await.0, 539);
    assert_eq!(
        bench.json("PATCH", "/_sim/configuracao", Some(json!({ "svc_livro_proprio": true }))).await["svc_livro_proprio"],
        true
    );
    assert_eq!(sent_to_svc(&bench, &in_svc(1)).await.0, 100, "one number, two documents");
    assert_eq!(bench.simulator.documents(None).len(), 2);
    // Each finds its own document and nothing of the other.
    assert_eq!((asked(&bench, &Note::new(1)).await, asked_of_svc(&bench, &in_svc(1)).await), (100, 100));
    assert_eq!(asked(&bench, &in_svc(1)).await, 613, "another key under the number");
    assert_eq!(bench.issue(&Note::new(1)).await.0, 204);
    assert_eq!(sent_to_svc(&bench, &in_svc(1)).await.0, 204);
    assert_eq!(sent_to_svc(&bench, &in_svc(7)).await.0, 100);
    assert_eq!(bench.issue(&Note::new(7)).await.0, 100, "nor does the state know what the SVC authorised");
    assert_eq!(asked(&bench, &in_svc(8)).await, 217);
}
