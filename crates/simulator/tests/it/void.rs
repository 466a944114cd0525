//! NFeInutilizacao4.

use crate::bench::{Bench, CNPJ, Note, code, start};
use authority::table::AuthorityService;
use simulator::rule_switch::RuleSwitch;

async fn void(bench: &Bench, from: u32, until: u32) -> u16 {
    let year = &Note::new(1).dhEmi()[2..4];
    void_with(bench, &format!("ID35{year}{CNPJ}55001{from:09}{until:09}"), year, 1, from, until).await
}

async fn void_with(bench: &Bench, id: &str, year: &str, serie: u16, from: u32, until: u32) -> u16 {
    void_because(bench, id, year, serie, (from, until), "Falha na sequencia de numeracao").await
}

async fn void_because(bench: &Bench, id: &str, year: &str, serie: u16, (from, until): (u32, u32), why: &str) -> u16 {
    let xml = format!(
        "<inutNFe xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\"><infInut Id=\"{id}\"><tpAmb>2</tpAmb><xServ>INUTILIZAR</xServ>\
         <cUF>35</cUF><ano>{year}</ano><CNPJ>{CNPJ}</CNPJ><mod>55</mod><serie>{serie}</serie><nNFIni>{from}</nNFIni><nNFFin>{until}</nNFFin>\
         <xJust>{why}</xJust></infInut></inutNFe>"
    );
    let signed = signing::sign(xml, id, &bench.certificate).unwrap().xml;
    code(&bench.ask(AuthorityService::Inutilizacao, &signed).await)
}

#[tokio::test]
async fn a_code_in_the_justification_is_what_the_request_gets() {
    let bench = start().await;
    let year = &Note::new(1).dhEmi()[2..4].to_owned();
    let id = format!("ID35{year}{CNPJ}55001{:09}{:09}", 1, 2);
    let why = "Ensaio de recusa [SIM:cStat=241]";
    assert_eq!(void_because(&bench, &id, year, 1, (1, 2), why).await, 241);
    assert_eq!(void(&bench, 1, 2).await, 102);
    assert_eq!(bench.simulator.voided().len(), 1);
}

#[tokio::test]
async fn a_voided_number_carries_no_document() {
    let bench = start().await;
    assert_eq!(void(&bench, 10, 12).await, 102);
    assert_eq!(bench.issue(&Note::new(11)).await.0, 206);
    assert_eq!(bench.issue(&Note::new(13)).await.0, 100);
}

#[tokio::test]
async fn a_range_is_voided_once_and_never_over_a_document() {
    let bench = start().await;
    assert_eq!(void(&bench, 10, 12).await, 102);
    assert_eq!(void(&bench, 10, 12).await, 563);
    assert_eq!(void(&bench, 12, 14).await, 256);
    assert_eq!(bench.issue(&Note::new(20)).await.0, 100);
    assert_eq!(void(&bench, 19, 21).await, 241);
}

#[tokio::test]
async fn a_wrong_request_has_its_number() {
    let bench = start().await;
    let year = Note::new(1).dhEmi()[2..4].to_owned();
    assert_eq!(void(&bench, 12, 10).await, 224);
    assert_eq!(void(&bench, 1, 10_001).await, 201);
    let id = |year: &str, serie: u16| format!("ID35{year}{CNPJ}55{serie:03}{:09}{:09}", 1, 2);
    assert_eq!(void_with(&bench, &id(&year, 2), &year, 1, 1, 2).await, 502);
    assert_eq!(void_with(&bench, &id("99", 1), "99", 1, 1, 2).await, 453);
    bench.simulator.configure(|settings| {
        settings.regras.insert(453, RuleSwitch::Off);
    });
    assert_eq!(void_with(&bench, &id(&year, 915), &year, 915, 1, 2).await, 266);
}
