//! Acts of a município, ordered over the control plane.

use super::bench::{codes, dps, for_the_tomador, registered, town};
use super::tool::{OWN, assert_all_valid, xmlsec1};
use authority::nfse_nacional::NfseEventAnswer;
use fiscal::value::TpAmb;
use serde_json::json;

const WHY: &str = "Serviço contratado não foi prestado";

#[tokio::test]
async fn a_note_is_cancelled_by_the_municipality_and_the_adn_tells() {
    let town = town().await;
    let note = town.issue(&dps(1)).await;
    let path = format!("/_sim/nfse/notas/{}", note.chave.as_str());
    let act = json!({ "tipo": "305101", "motivo": "Nota emitida para serviço inexistente" });
    let told = town.bench.json("POST", &format!("{path}/eventos"), Some(act.clone())).await;
    assert_eq!((&told["tipo"], &told["numero"]), (&json!("305101"), &json!(1)));
    let shown = town.bench.json("GET", &path, None).await;
    assert_eq!((&shown["situacao"], &shown["eventos"][0]["tipo"]), (&json!("cancelada"), &json!("305101")));
    let event = town.events_of(&note.chave, "305101").await.remove(0).xml;
    assert_all_valid("evento_v1.01.xsd", &[("oficio".to_owned(), event.clone())]);
    xmlsec1(town.bench.simulator.pki(), &event, "infEvento", OWN).unwrap();
    assert_eq!(town.refused(&note.chave, "101101").await, "E0840");
    let base = town.bench.simulator.adn_url(TpAmb::Homologacao);
    let (_, body) = town.get(&format!("{base}/NFSe/{}/Eventos", note.chave.as_str())).await;
    assert_eq!(body["LoteDFe"][0]["TipoEvento"], json!("CANCELAMENTO_POR_OFICIO"));
    let again = town.bench.control("POST", &format!("{path}/eventos"), Some(act)).await;
    assert_eq!(again.0, 400);
}

#[tokio::test]
async fn an_analysis_is_asked_for_and_answered() {
    let town = town().await;
    for (number, answer, standing) in [(1, "105104", "cancelada"), (2, "105105", "autorizada")] {
        let note = town.issue(&dps(number)).await;
        let path = format!("/_sim/nfse/notas/{}", note.chave.as_str());
        let act = json!({ "tipo": answer });
        assert_eq!(town.bench.control("POST", &format!("{path}/eventos"), Some(act.clone())).await.0, 400);
        registered(town.register(&note.chave, "101103", Some(WHY)).await);
        assert_eq!(town.refused(&note.chave, "101101").await, "E0840");
        town.bench.json("POST", &format!("{path}/eventos"), Some(act)).await;
        assert_eq!(town.bench.json("GET", &path, None).await["situacao"], json!(standing));
        assert_eq!(town.refused(&note.chave, "101101").await, "E0840", "{answer}");
        let event = town.events_of(&note.chave, answer).await.remove(0).xml;
        assert_all_valid("evento_v1.01.xsd", &[(answer.to_owned(), event)]);
    }
}

#[tokio::test]
async fn what_is_blocked_waits_until_it_is_unblocked() {
    let town = town().await;
    let note = town.issue(&dps(1)).await;
    let path = format!("/_sim/nfse/notas/{}/eventos", note.chave.as_str());
    let act = async |tipo: &str| town.bench.json("POST", &path, Some(json!({ "tipo": tipo, "sobre": "101101" }))).await;
    act("305102").await;
    assert_eq!(town.refused(&note.chave, "101101").await, "E0840");
    act("305103").await;
    registered(town.register(&note.chave, "101101", Some(WHY)).await);
    let events: Vec<(String, String)> = ["305102", "305103"]
        .into_iter()
        .zip([town.events_of(&note.chave, "305102").await, town.events_of(&note.chave, "305103").await])
        .map(|(tipo, mut found)| (tipo.to_owned(), found.remove(0).xml))
        .collect();
    assert_all_valid("evento_v1.01.xsd", &events);
}

#[tokio::test]
async fn silence_confirms_and_a_rejection_is_annulled() {
    let town = town().await;
    let note = town.issue(&for_the_tomador(1)).await;
    let tomador = town.certificate_of(super::bench::TOMADOR);
    let says = async |tipo: &str| {
        town.register_as(&tomador, super::bench::TOMADOR, &note.chave, tipo, Some("Serviço já cobrado em outra nota"))
            .await
    };
    registered(says("203206").await);
    let path = format!("/_sim/nfse/notas/{}/eventos", note.chave.as_str());
    town.bench.json("POST", &path, Some(json!({ "tipo": "205208", "sobre": "203206" }))).await;
    let annulled = town.events_of(&note.chave, "205208").await.remove(0).xml;
    assert_all_valid("evento_v1.01.xsd", &[("anulacao".to_owned(), annulled)]);
    assert_eq!(town.refused(&note.chave, "101101").await, "E0840");
    let silent = town.issue(&for_the_tomador(2)).await;
    let path = format!("/_sim/nfse/notas/{}/eventos", silent.chave.as_str());
    town.bench.json("POST", &path, Some(json!({ "tipo": "205204" }))).await;
    let answer = town.register_as(&tomador, super::bench::TOMADOR, &silent.chave, "203202", None).await;
    assert!(matches!(answer, NfseEventAnswer::Rejected(said) if codes(&said) == ["E0861"]));
}

#[tokio::test]
async fn the_control_plane_shows_and_changes_what_the_sefin_knows() {
    let town = town().await;
    let note = town.issue(&dps(1)).await;
    let all = town.bench.json("GET", "/_sim/nfse/notas", None).await;
    assert_eq!((&all["total"], &all["notas"][0]["chave"]), (&json!(1), &json!(note.chave.as_str())));
    let (_, xml) = town.bench.control("GET", &format!("/_sim/nfse/notas/{}/xml", note.chave.as_str()), None).await;
    assert_eq!(xml, note.xml);
    let id = super::bench::written(&dps(1)).1;
    assert_eq!(town.bench.json("GET", &format!("/_sim/nfse/dps/{id}"), None).await["gravada"], json!(1));
    let own = json!({ "convenio": "inativo" });
    town.bench.json("PUT", "/_sim/nfse/municipios/3550308", Some(own)).await;
    assert!(town.codes(&town.signed(&dps(2))).await.contains(&"E0038".to_owned()));
    let listed = town.bench.json("GET", "/_sim/nfse/municipios", None).await;
    assert_eq!(listed["3550308"]["convenio"], json!("inativo"));
    assert_eq!(listed["2800308"]["emissor_nacional"], json!(false));
    assert_eq!(town.bench.control("PUT", "/_sim/nfse/municipios/3550308", Some(json!({ "x": 1 }))).await.0, 400);
    town.bench.simulator.reset();
    assert_eq!(town.bench.json("GET", "/_sim/nfse/notas", None).await["total"], json!(0));
}
