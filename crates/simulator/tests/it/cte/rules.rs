//! A document per rule: right in all but one thing.

use super::bench::{Freight, moment};
use crate::bench::start;
use serde_json::json;

/// Each changed text of a document gets its code; the text before the change is the right one.
#[tokio::test]
async fn each_broken_rule_of_a_cte_has_its_code() {
    let bench = start().await;
    let mut wrong = Vec::new();
    for (nCT, &(expected, from, to)) in (1_u64..).zip(BENT) {
        let freight = match expected {
            469 => Freight::cargo(nCT)
                .replace_text("<rem>", "<exped>")
                .replace_text("</rem>", "</exped>")
                .replace_text("<enderReme>", "<enderExped>")
                .replace_text("</enderReme>", "</enderExped>")
                .replace_text("<toma>0</toma>", "<toma>1</toma>"),
            _ => Freight::cargo(nCT).replace_text(from, to),
        };
        let (cStat, xMotivo) = bench.carried(&freight).await;
        if cStat != expected {
            wrong.push(format!("{from} → {to}: {cStat} {xMotivo}, esperado {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn each_broken_rule_of_a_cte_os_has_its_code() {
    let bench = start().await;
    let later = moment(-60);
    let trip =
        Freight::passengers(1).input["nota"]["rodoviario"]["fretamento"]["dhViagem"].as_str().unwrap().to_owned();
    let cases = [
        (840, "<TAF>123456789012</TAF>", "<NroRegEstadual>1234567890123456789012345</NroRegEstadual>"),
        (760, "<infTribFed><vINSS>528.00</vINSS></infTribFed>", ""),
        (838, trip.as_str(), later.as_str()),
        (676, "<CFOP>6353</CFOP>", "<CFOP>6102</CFOP>"),
        (753, "<UFPer>SC</UFPer>", "<UFPer>SP</UFPer>"),
        (444, "<CNPJ>33000167000101</CNPJ>", "<CNPJ>33000167000102</CNPJ>"),
    ];
    for (nCT, (expected, from, to)) in (1_u64..).zip(cases) {
        let mut freight = Freight::passengers(nCT).replace_text(from, to);
        freight.input["nota"]["rodoviario"]["fretamento"]["dhViagem"] = json!(trip);
        assert_eq!(bench.carried(&freight).await.0, expected, "{from} → {to}");
    }
}

#[tokio::test]
async fn a_rule_that_is_switched_off_refuses_nothing() {
    let bench = start().await;
    let freight = Freight::cargo(1).replace_text("<vRec>1500.00</vRec>", "<vRec>1500.01</vRec>");
    bench.simulator.configure(|settings| {
        settings.regras.insert(531, simulator::rule_switch::RuleSwitch::Off);
    });
    assert_eq!(bench.carried(&freight).await.0, 100);
}

/// Code, text of the right document, text of the wrong one.
const BENT: &[(u16, &str, &str)] = &[
    (252, "<tpAmb>2</tpAmb>", "<tpAmb>1</tpAmb>"),
    (
        646,
        "<xNome>CTE EMITIDO EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL</xNome><enderReme>",
        "<xNome>CAFE</xNome><enderReme>",
    ),
    (
        649,
        "<xNome>CTE EMITIDO EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL</xNome><enderDest>",
        "<xNome>LOJA</xNome><enderDest>",
    ),
    (670, "<serie>1</serie>", "<serie>890</serie>"),
    (247, "<CEP>90010000</CEP><UF>RS</UF></enderEmit>", "<CEP>90010000</CEP><UF>SC</UF></enderEmit>"),
    (227, "<cCT>20261101</cCT>", "<cCT>20261102</cCT>"),
    (461, "<toma>0</toma>", "<toma>1</toma>"),
    (519, "<CFOP>6353</CFOP>", "<CFOP>5353</CFOP>"),
    (676, "<CFOP>6353</CFOP>", "<CFOP>6102</CFOP>"),
    (908, "<CFOP>6353</CFOP>", "<CFOP>6932</CFOP>"),
    (481, "<IE>0962345679</IE>", "<IE>ISENTO</IE>"),
    (209, "<IE>2243658792</IE>", "<IE>2243658793</IE>"),
    (419, "<IE>0962345679</IE>", "<IE>0962345670</IE>"),
    (415, "<CNPJ>12ABC34501DE35</CNPJ>", "<CNPJ>12ABC34501DE36</CNPJ>"),
    (469, "rem", "exped"),
    (
        712,
        "<cMun>4314902</cMun><xMun>PORTO ALEGRE</xMun><CEP>90010000</CEP><UF>RS</UF></enderEmit>",
        "<cMun>3550308</cMun><xMun>PORTO ALEGRE</xMun><CEP>90010000</CEP><UF>RS</UF></enderEmit>",
    ),
    (537, "<cMunEnv>4314902</cMunEnv>", "<cMunEnv>4399999</cMunEnv>"),
    (456, "<cMunIni>4314902</cMunIni>", "<cMunIni>3550308</cMunIni>"),
    (579, "versaoModal=\"4.00\"", "versaoModal=\"4.01\""),
    (580, "<RNTRC>12345678</RNTRC>", "<RNTRC>123456789</RNTRC>"),
    (581, "<vCarga>50000.00</vCarga>", ""),
    (843, "43261112ABC34501DE35550010000000011847362513", "43261112ABC34501DE35550010000000011847362514"),
    (531, "<vRec>1500.00</vRec>", "<vRec>1500.01</vRec>"),
    (675, "<vICMS>180.00</vICMS>", "<vICMS>180.02</vICMS>"),
    (650, "<vTPrest>1500.00</vTPrest>", "<vTPrest>10000000.00</vTPrest>"),
    (318, "<vIBSUF>1.32</vIBSUF>", "<vIBSUF>1.34</vIBSUF>"),
    (314, "<CST>000</CST><cClassTrib>000001</cClassTrib>", "<CST>410</CST><cClassTrib>410001</cClassTrib>"),
    (316, "<pIBSUF>0.1000</pIBSUF>", "<pIBSUF>0.2000</pIBSUF>"),
    (365, "<vTotDFe>1500.00</vTotDFe>", "<vTotDFe>1500.01</vTotDFe>"),
    (360, "<vTotDFe>1500.00</vTotDFe>", ""),
    (851, "dfe-portal.svrs.rs.gov.br", "dfe-portal.svrs.sc.gov.br"),
    (854, "&amp;tpAmb=2</qrCodCTe>", "&amp;tpAmb=2&amp;sign=AAAA</qrCodCTe>"),
    (213, "<CNPJ>11222333000181</CNPJ>", "<CNPJ>33000167000101</CNPJ>"),
];
