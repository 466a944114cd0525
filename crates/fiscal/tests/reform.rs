//! IBS and CBS from a payload in the contract's names to the official XML: what is computed, what stands in the totals, what the
//! authority would refuse.
#![expect(clippy::unwrap_used, reason = "tests")]

use fiscal::document::{Built, Context};
use fiscal::nfe;
use fiscal::value::TpAmb;
use serde_json::{Map, Value, json};

fn emitente(crt: u8) -> Map<String, Value> {
    let record = json!({
        "CNPJCPF": "11222333000181", "xNome": "EMPRESA DE DEMONSTRACAO LTDA", "IE": "110042490114", "CRT": crt,
        "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO", "cMun": 3550308, "xMun": "SAO PAULO", "UF": "SP", "CEP": "01001000"
    });
    record.as_object().unwrap().clone()
}

/// 1,000.00 of goods with 180.00 of ICMS, 13.53 of PIS and 62.32 of COFINS, sold inside the state on a day.
fn sale(ibscbs: &Value, dhEmi: &str) -> Value {
    let mut nota = json!({
        "identificacao": {"natOp": "VENDA", "tpNF": 1, "indFinal": 1, "indPres": 1, "dhEmi": dhEmi},
        "destinatario": {"CNPJCPF": "11144477735", "xNome": "FULANO", "indIEDest": 9, "xLgr": "RUA B", "nro": "2",
            "xBairro": "CENTRO", "cMun": 3550308, "xMun": "SAO PAULO", "UF": "SP", "CEP": "01001000"},
        "produtos": [{"cProd": "1", "xProd": "CAFE", "NCM": "09012100", "CFOP": 5102, "uCom": "UN", "qCom": 100, "vUnCom": 10, "vProd": 1000,
            "icms": {"orig": 0, "CST": "00", "modBC": 3, "vBC": 1000, "pICMS": 18, "vICMS": 180},
            "pis": {"CST": "01", "vBC": 820, "pPIS": 1.65, "vPIS": 13.53},
            "cofins": {"CST": "01", "vBC": 820, "pCOFINS": 7.6, "vCOFINS": 62.32}}],
        "pagamentos": [{"indPag": 0, "tPag": "15", "vPag": 1000}]
    });
    if !ibscbs.is_null() {
        nota["produtos"][0]["ibscbs"] = ibscbs.clone();
    }
    nota
}

fn built(ibscbs: &Value, dhEmi: &str, crt: u8, ambiente: TpAmb) -> Built {
    let (emitente, nota) = (emitente(crt), sale(ibscbs, dhEmi));
    let context = Context {
        modelo: 55,
        ambiente,
        emitente: &emitente,
        regimes: None,
        configuracao: None,
        serie: 1.into(),
        numero: 7,
        codigo: 84_736_251,
        dhEmi,
        tpEmis: 1,
        contingencia: None,
        verProc: "carimbo",
        software_house: None,
        dialeto: None,
        leiaute: fiscal::nfse::layouts::DpsLayout::Current,
    };
    nfe::build(&nota, &context).unwrap()
}

/// Where a rejection of the reform is foreseen, by code.
fn foreseen(built: &Built) -> Vec<(u16, String)> {
    let reform = built
        .notices
        .iter()
        .filter_map(|notice| Some((notice.codigo_status.as_ref()?.number()?, notice.campo.clone())));
    reform.filter(|(cStat, _)| *cStat >= 1000).collect()
}

const NOW: &str = "2026-11-20T10:00:00-03:00";

#[test]
fn the_official_example_to_the_cent() {
    // LC 214/2025, art. 12: 1000.00 − 180.00 − 13.53 − 62.32 = 744.15; 0.1 % and 0.9 % of it
    let tax = |value: f64, rate: f64| json!({"valor_bc": 744.15, "aliquota": rate, "valor": value});
    let whole = json!({"cst": "000", "classificacao": "000001", "ibs_uf": tax(0.74, 0.1), "ibs_mun": tax(0.0, 0.0), "cbs": tax(6.7, 0.9)});
    let built = built(&whole, NOW, 3, TpAmb::Producao);
    assert!(
        built.xml.contains(
            "<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>744.15</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF>\
             <vIBSUF>0.74</vIBSUF></gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.74</vIBS><gCBS>\
             <pCBS>0.9000</pCBS><vCBS>6.70</vCBS></gCBS></gIBSCBS></IBSCBS>"
        ),
        "{}",
        built.xml
    );
    assert!(built.xml.contains("<IBSCBSTot><vBCIBSCBS>744.15</vBCIBSCBS>"), "{}", built.xml);
    assert!(built.xml.contains("<vIBS>0.74</vIBS><vCredPres>0.00</vCredPres>"), "{}", built.xml);
    assert!(built.xml.contains("<vNF>1000.00</vNF>"), "in 2026 they are not added: {}", built.xml);
    assert_eq!(foreseen(&built), []);
}

#[test]
fn the_example_with_60_per_cent_less() {
    let tax = |value: f64, rate: f64, effective: f64| json!({"valor_bc": 744.15, "aliquota": rate, "valor": value, "reducao": {"percentual": 60, "aliquota_efetiva": effective}});
    let reduced = json!({"cst": "200", "classificacao": "200034", "ibs_uf": tax(0.3, 0.1, 0.04), "ibs_mun": tax(0.0, 0.0, 0.0),
        "cbs": tax(2.68, 0.9, 0.36)});
    let built = built(&reduced, NOW, 3, TpAmb::Producao);
    assert!(built.xml.contains("<pAliqEfet>0.0400</pAliqEfet></gRed><vIBSUF>0.30</vIBSUF>"), "{}", built.xml);
    assert!(built.xml.contains("<pAliqEfet>0.3600</pAliqEfet></gRed><vCBS>2.68</vCBS>"), "{}", built.xml);
    assert_eq!(foreseen(&built), []);
}

#[test]
fn a_cent_too_many_is_foreseen_at_the_field() {
    let tax = |value: f64, rate: f64| json!({"valor_bc": 744.15, "aliquota": rate, "valor": value});
    let wrong = json!({"cst": "000", "classificacao": "000001", "ibs_uf": tax(0.74, 0.1), "ibs_mun": tax(0.0, 0.0), "cbs": tax(6.72, 0.9)});
    assert_eq!(
        foreseen(&built(&wrong, NOW, 3, TpAmb::Producao)),
        [(1069, "nota.produtos[0].ibscbs.cbs.valor".to_owned())]
    );
}

#[test]
fn an_exempt_note_has_the_codes_and_a_total_of_zeros() {
    let exempt = json!({"cst": "410", "classificacao": "410999"});
    let built = built(&exempt, NOW, 3, TpAmb::Producao);
    assert!(built.xml.contains("<IBSCBS><CST>410</CST><cClassTrib>410999</cClassTrib></IBSCBS>"), "{}", built.xml);
    assert!(built.xml.contains("<IBSCBSTot><vBCIBSCBS>0.00</vBCIBSCBS></IBSCBSTot>"), "{}", built.xml);
    assert_eq!(foreseen(&built), []);
}

#[test]
fn without_the_group_1115_is_foreseen_from_its_day_on() {
    let told = |dhEmi: &str, crt, ambiente| foreseen(&built(&Value::Null, dhEmi, crt, ambiente));
    let at_the_item = [(1115, "nota.produtos[0].ibscbs".to_owned())];
    assert_eq!(told("2026-08-03T08:00:00-03:00", 3, TpAmb::Producao), at_the_item);
    assert_eq!(told("2026-08-02T23:59:59-03:00", 3, TpAmb::Producao), []);
    assert_eq!(told("2026-07-01T08:00:00-03:00", 3, TpAmb::Homologacao), at_the_item);
    assert_eq!(told("2026-06-30T08:00:00-03:00", 3, TpAmb::Homologacao), []);
    assert_eq!(told("2027-01-03T08:00:00-03:00", 2, TpAmb::Producao), []);
    assert_eq!(told("2027-01-04T08:00:00-03:00", 2, TpAmb::Producao), at_the_item);
}
