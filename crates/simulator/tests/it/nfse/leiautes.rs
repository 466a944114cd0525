//! Layouts of the DPS that an environment accepts, and its answer to the other.

use super::bench::{NationalBench, authorized, town, with};
use super::tool::{OF_THE_DPS, assert_all_valid, xmlsec1};
use authority::nfse_nacional::{IssueAnswer, SefinEndpoint, SefinMessage};
use fiscal::value::TpAmb;
use serde_json::json;
use simulator::nfse::settings::AcceptedLayouts;
use testkit::cases::nfse::Case;

/// A note with IBS and CBS, whose service is rendered to another party.
fn dps(number: u64, leiaute: &str) -> Case {
    let reform = json!({ "cIndOp": "100301", "indDest": 1, "dest": { "CPF": "52998224725", "xNome": "BELTRANO" },
        "valores": { "trib": { "gIBSCBS": { "CST": "000", "cClassTrib": "000001" } } } });
    let home =
        json!({ "endNac": { "cMun": "3550308", "CEP": "01001000" }, "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO" });
    let nota = json!({ "IBSCBS": reform, "toma": { "end": home }, "valores": { "vDedRed": { "vDR": 100 } },
        "serv": { "cServ": { "cTribNac": "070201", "cNBS": "115021000" }, "obra": { "cObra": "123456789012" } } });
    with(number, nota).with(&json!({ "leiaute": leiaute }))
}

async fn refusal(town: &NationalBench, case: &Case) -> SefinMessage {
    match town.hand_in(&town.signed(case)).await {
        IssueAnswer::Rejected(mut said) if said.len() == 1 => said.remove(0),
        other => panic!("{other:?}"),
    }
}

/// Text between a start tag and its end.
fn reform(xml: &str) -> &str {
    xml.split("<cLocalidadeIncid>").nth(1).unwrap().split("</totCIBS>").next().unwrap()
}

#[tokio::test]
async fn homologacao_takes_both_and_computes_the_same() {
    let town = town().await;
    let package = town.issue(&dps(1, "atual")).await;
    let note = town.issue(&dps(2, "nt009")).await;
    assert_eq!(reform(&package.xml), reform(&note.xml));
    assert!(note.xml.contains("<finNFSe>0</finNFSe><cLocEmi>"), "{}", note.xml);
    assert_all_valid("NFSe_v1.01.xsd", &[("atual".to_owned(), package.xml)]);
    xmlsec1(town.bench.simulator.pki(), &note.xml, "infDPS", OF_THE_DPS).unwrap();
    assert_all_valid("../nfse-nt009/NFSe_v1.01.xsd", &[("nt009".to_owned(), note.xml)]);
}

#[tokio::test]
async fn the_layout_that_is_not_taken_is_refused_by_the_name_of_its_sign() {
    let town = town().await;
    for (taken, refused, other) in
        [(AcceptedLayouts::Nt009, "atual", "nt009"), (AcceptedLayouts::Current, "nt009", "atual")]
    {
        town.bench.simulator.configure(|settings| settings.nfse.leiaute.homologacao = taken);
        let said = refusal(&town, &dps(1, refused)).await;
        assert_eq!(said.codigo.as_str(), "E1235", "{taken:?}");
        assert!(said.complemento.as_deref().unwrap_or_default().contains("finNFSe"), "{taken:?}: {said:?}");
        // Nothing was registered: this number is accepted in the other layout.
        authorized(town.hand_in(&town.signed(&dps(1, other))).await);
        town.bench.simulator.reset();
    }
}

#[tokio::test]
async fn production_takes_the_layout_in_force_until_it_is_told() {
    let homologacao = town().await;
    let sefin = SefinEndpoint::at(&homologacao.bench.simulator.sefin_url(TpAmb::Producao));
    let town = NationalBench { sefin, ..homologacao };
    let of_production = |number: u64, leiaute: &str| dps(number, leiaute).with(&json!({ "ambiente": "producao" }));
    assert_eq!(refusal(&town, &of_production(1, "nt009")).await.codigo.as_str(), "E1235");
    town.issue(&of_production(1, "atual")).await;
    town.bench.simulator.configure(|settings| settings.nfse.leiaute.producao = AcceptedLayouts::Nt009);
    town.issue(&of_production(2, "nt009")).await;
}
