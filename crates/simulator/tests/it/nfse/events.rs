//! Cancellation, analysis, substitution, manifestations: registered events, and events that exclude others.

use super::bench::{
    NationalBench, TOMADOR, authorized, codes, dps, for_the_tomador, registered, request, town, with, written,
};
use super::tool::{OWN, assert_all_valid, xmlsec1};
use crate::bench::CNPJ;
use authority::nfse_nacional::{NfseEventAnswer, ReceivedNfse, read_event};
use jiff::SignedDuration;
use serde_json::json;
use signing::SigningAlgorithm;
use simulator::clock::ClockMode;
use simulator::nfse::NfseStanding;

const WHY: &str = "Serviço contratado não foi prestado";

fn standing(town: &NationalBench, note: &ReceivedNfse) -> NfseStanding {
    let notes = town.bench.simulator.nfse_notes();
    notes.into_iter().find(|one| one.chave == note.chave.as_str()).unwrap().situacao
}

#[tokio::test]
async fn a_note_is_cancelled_once_by_an_event_that_is_valid_and_verifies() {
    let town = town().await;
    let note = town.issue(&dps(1)).await;
    assert!(town.events_of(&note.chave, "101101").await.is_empty());
    let event = registered(town.register(&note.chave, "101101", Some(WHY)).await);
    assert_all_valid("evento_v1.01.xsd", &[("cancelamento".to_owned(), event.clone())]);
    xmlsec1(town.bench.simulator.pki(), &event, "infEvento", OWN).unwrap();
    assert!(event.contains(&format!("<infEvento Id=\"EVT{}101101001\">", note.chave.as_str())));
    assert_eq!(standing(&town, &note), NfseStanding::Cancelada);
    assert_eq!(town.events_of(&note.chave, "101101").await[0].xml, event);
    assert_eq!(town.refused(&note.chave, "101101").await, "E0802");
    assert_eq!(town.refused(&note.chave, "101103").await, "E0848");
}

#[tokio::test]
async fn both_shapes_of_a_queried_event_are_read() {
    let town = town().await;
    let note = town.issue(&dps(1)).await;
    let event = registered(town.register(&note.chave, "101101", Some(WHY)).await);
    town.bench.simulator.configure(|settings| settings.nfse.evento_unico = true);
    assert_eq!(town.events_of(&note.chave, "101101").await[0].xml, event);
    town.bench.simulator.configure(|settings| settings.nfse.erro_em_lista = true);
    let NfseEventAnswer::Rejected(said) = town.register(&note.chave, "101101", Some(WHY)).await else { panic!() };
    assert_eq!(codes(&said), ["E0802", "E0840"]);
}

#[tokio::test]
async fn a_request_is_judged_by_its_codes() {
    let town = town().await;
    let note = town.issue(&dps(1)).await;
    let (xml, id) = request(CNPJ, &note.chave, "101101", Some(WHY));
    let send = async |xml: &str, id: &str| {
        let signed =
            signing::sign_by(SigningAlgorithm::Sha256, xml.to_owned(), id, &town.bench.certificate).unwrap().xml;
        told(&town, &note, &signed).await
    };
    for (from, to, code) in [
        ("versao=\"1.01\"", "versao=\"1.00\"", "E1825"),
        ("<tpAmb>2<", "<tpAmb>1<", "E1845"),
        ("<cMotivo>2<", "<cMotivo>7<", "RNG6110"),
    ] {
        assert_eq!(send(&xml.replacen(from, to, 1), &id).await, code);
    }
    let other = xml.replacen("Id=\"PRE35", "Id=\"PRE36", 1);
    assert_eq!(send(&other, &id.replacen("PRE35", "PRE36", 1)).await, "E1827");
    assert_eq!(told(&town, &note, &xml).await, "E1989");
    let signed = signing::sign(xml.clone(), &id, &town.bench.certificate).unwrap().xml;
    assert_eq!(told(&town, &note, &signed.replacen(WHY, "Serviço contratado foi prestado", 1)).await, "E1980");
    let stranger = town.certificate_of(TOMADOR);
    let signed = signing::sign(xml, &id, &stranger).unwrap().xml;
    assert_eq!(told(&town, &note, &signed).await, "E0812");
    let unknown = fiscal::value::ChaveNfse::parse("35503082211222333000181000000000000926111234567890").unwrap();
    assert_eq!(town.refused(&unknown, "101101").await, "E1831");
}

async fn told(town: &NationalBench, note: &ReceivedNfse, signed: &str) -> String {
    match read_event(&town.ask(&town.sefin.event(&note.chave, signed)).await).unwrap() {
        NfseEventAnswer::Rejected(said) => codes(&said).remove(0),
        other => panic!("{other:?}"),
    }
}

/// A município with short deadlines: late, too high, without tomador.
#[tokio::test]
async fn a_municipality_limits_who_cancels() {
    let town = town().await;
    let in_belo_horizonte = |number, nota| with(number, json!({ "cLocEmi": "3106200" })).with(&json!({ "nota": nota }));
    let nobody = town.issue(&in_belo_horizonte(1, json!({ "toma": null }))).await;
    assert_eq!(town.refused(&nobody.chave, "101101").await, "E0824");
    let much = town.issue(&in_belo_horizonte(2, json!({ "valores": { "vServ": 5001 } }))).await;
    assert_eq!(town.refused(&much.chave, "101101").await, "E0823");
    let late = town.issue(&in_belo_horizonte(3, json!({}))).await;
    town.bench.simulator.clock().set_mode(ClockMode::Shifted(SignedDuration::from_hours(24)));
    assert_eq!(town.refused(&late.chave, "101101").await, "E0822");
    // The remaining way, an analysis by the município.
    registered(town.register(&late.chave, "101103", Some(WHY)).await);
    assert_eq!(town.refused(&late.chave, "101103").await, "E0802");
}

#[tokio::test]
async fn a_note_is_substituted_and_the_sefin_registers_it() {
    let town = town().await;
    let old = town.issue(&dps(1)).await;
    let substitute = |number, nota: serde_json::Value| {
        let subst = json!({ "subst": { "chSubstda": old.chave.as_str(), "cMotivo": "99", "xMotivo": "Valor errado na primeira" } });
        with(number, subst).with(&json!({ "nota": nota }))
    };
    // A prestador outside of the Simples may change the value, and neither service nor month.
    let other_service = substitute(2, json!({ "serv": { "cServ": { "cTribNac": "170101" } } }));
    assert_eq!(town.codes(&town.signed(&other_service)).await, ["E0060"]);
    let new = town.issue(&substitute(2, json!({ "valores": { "vServ": 900 } }))).await;
    assert_eq!(standing(&town, &old), NfseStanding::Substituida);
    let event = town.events_of(&old.chave, "105102").await.remove(0).xml;
    assert!(event.contains(&format!("<chSubstituta>{}</chSubstituta>", new.chave.as_str())));
    assert_all_valid("evento_v1.01.xsd", &[("substituicao".to_owned(), event.clone())]);
    xmlsec1(town.bench.simulator.pki(), &event, "infEvento", OWN).unwrap();
    assert_eq!(town.codes(&town.signed(&substitute(3, json!({})))).await, ["E0046"]);
    assert_eq!(town.refused(&old.chave, "101101").await, "E0840");
}

#[tokio::test]
async fn a_substitution_is_refused_for_what_is_stored() {
    let town = town().await;
    let substitute = |number, key: &str, nota: serde_json::Value| {
        with(number, json!({ "subst": { "chSubstda": key, "cMotivo": "05" } })).with(&json!({ "nota": nota }))
    };
    let unknown = "35503082211222333000181000000000000126111234567890";
    assert_eq!(town.codes(&town.signed(&substitute(9, unknown, json!({})))).await, ["E0044"]);
    let wrong = "35503082211222333000181000000000000126111234567891";
    assert_eq!(town.codes(&town.signed(&substitute(9, wrong, json!({})))).await, ["E0042", "E0044"]);
    // In the Simples, neither value nor tomador may change.
    let simples = json!({ "prest": { "regTrib": { "opSimpNac": "3", "regApTribSN": "1" } }, "valores": { "trib": { "totTrib": { "pTotTribSN": "6.00" } } } });
    let old = town.issue(&with(1, simples.clone())).await;
    let key = old.chave.as_str();
    let dearer = substitute(2, key, simples.clone()).with(&json!({ "nota": { "valores": { "vServ": 1001 } } }));
    assert_eq!(town.codes(&town.signed(&dearer)).await, ["E0061"]);
    registered(town.register(&old.chave, "101103", Some(WHY)).await);
    assert_eq!(town.codes(&town.signed(&substitute(2, key, simples))).await, ["E0068"]);
    // A município with short deadlines, where the tomador may not change.
    let there = |number, key: &str, nota| {
        substitute(number, key, json!({ "cLocEmi": "3106200" })).with(&json!({ "nota": nota }))
    };
    let old = town.issue(&with(3, json!({ "cLocEmi": "3106200" }))).await;
    let key = old.chave.as_str();
    let for_another = there(4, key, json!({ "toma": { "CPF": "52998224725" } }));
    assert_eq!(town.codes(&town.signed(&for_another)).await, ["E0058"]);
    town.bench.simulator.clock().set_mode(ClockMode::Shifted(SignedDuration::from_hours(49)));
    assert_eq!(town.codes(&town.signed(&there(4, key, json!({})))).await, ["E0050"]);
}

#[tokio::test]
async fn parties_say_what_they_think_once_and_it_counts() {
    let town = town().await;
    let tomador = town.certificate_of(TOMADOR);
    let note = town.issue(&for_the_tomador(1)).await;
    let says = async |tipo: &str| town.register_as(&tomador, TOMADOR, &note.chave, tipo, None).await;
    let event = registered(says("203202").await);
    assert_all_valid("evento_v1.01.xsd", &[("confirmacao".to_owned(), event)]);
    let NfseEventAnswer::Rejected(said) = says("203202").await else { panic!() };
    assert_eq!(codes(&said), ["E0802"]);
    assert_eq!(town.refused(&note.chave, "101101").await, "E0840");
    let NfseEventAnswer::Rejected(said) = says("202201").await else { panic!() };
    assert_eq!(codes(&said), ["E0813"], "quem é tomador não confirma como prestador");
    let subst = json!({ "subst": { "chSubstda": note.chave.as_str(), "cMotivo": "05" }, "toma": { "CPF": null, "CNPJ": TOMADOR } });
    assert_eq!(town.codes(&town.signed(&with(2, subst))).await, ["E0070"]);
    let rejected = town.issue(&for_the_tomador(3)).await;
    registered(
        town.register_as(&tomador, TOMADOR, &rejected.chave, "203206", Some("Serviço já cobrado em outra nota")).await,
    );
    registered(town.register(&rejected.chave, "101101", Some(WHY)).await);
}

#[tokio::test]
async fn a_magic_value_asks_for_the_code_of_an_event() {
    let town = town().await;
    let note = authorized(town.hand_in(&town.signed(&dps(1))).await);
    let answer = town.register(&note.chave, "101101", Some("Erro de valor [SIM:codigo=E0822]")).await;
    assert!(matches!(answer, NfseEventAnswer::Rejected(said) if codes(&said) == ["E0822"]));
    registered(town.register(&note.chave, "101101", Some(WHY)).await);
    assert!(written(&dps(1)).1.starts_with("DPS3550308"));
}
