//! IBS and CBS from a payload in the contract's names to the official XML: computed values, totals, predicted
//! rejections.
#![expect(clippy::unwrap_used, reason = "tests")]

use fiscal::document::{BuildContext, BuiltDocument};
use fiscal::law::Law;
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

fn built(ibscbs: &Value, dhEmi: &str, crt: u8, ambiente: TpAmb) -> BuiltDocument {
    built_under(Law::printed(), ibscbs, dhEmi, crt, ambiente)
}

fn built_under(law: &Law, ibscbs: &Value, dhEmi: &str, crt: u8, ambiente: TpAmb) -> BuiltDocument {
    built_of(law, &sale(ibscbs, dhEmi), dhEmi, crt, ambiente)
}

fn built_of(law: &Law, nota: &Value, dhEmi: &str, crt: u8, ambiente: TpAmb) -> BuiltDocument {
    issued_in("SP", law, nota, dhEmi, crt, ambiente)
}

fn issued_in(uf: &str, law: &Law, nota: &Value, dhEmi: &str, crt: u8, ambiente: TpAmb) -> BuiltDocument {
    let mut emitente = emitente(crt);
    if uf == "PR" {
        let of_curitiba =
            json!({"IE": "1234567850", "cMun": 4106902, "xMun": "CURITIBA", "UF": "PR", "CEP": "80010000"});
        emitente.extend(of_curitiba.as_object().unwrap().clone());
    }
    let tpEmis = nota["identificacao"]["tpEmis"].as_u64().map_or(1, |tpEmis| u8::try_from(tpEmis).unwrap());
    let context = BuildContext {
        modelo: 55,
        ambiente,
        law,
        emitente: &emitente,
        regimes: None,
        configuracao: None,
        serie: 1.into(),
        numero: 7,
        codigo: 84_736_251,
        dhEmi,
        tpEmis,
        contingencia: None,
        verProc: "carimbo",
        software_house: None,
        dialeto: None,
        leiaute: fiscal::nfse::layouts::DpsLayout::Current,
    };
    nfe::build(nota, &context).unwrap()
}

/// Paths of the predicted rejections of the reform, by code.
fn foreseen(built: &BuiltDocument) -> Vec<(u16, String)> {
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
    assert_eq!(told("2026-07-01T08:00:00-03:00", 3, TpAmb::Homologacao), at_the_item);
    assert_eq!(told("2026-06-30T08:00:00-03:00", 3, TpAmb::Homologacao), []);
    for moment in [NOW, "2027-01-04T08:00:00-03:00"] {
        assert_eq!(told(moment, 3, TpAmb::Producao), [], "no day is printed for production");
        assert_eq!(told(moment, 2, TpAmb::Homologacao), [], "nothing is said of the Simples");
        assert_eq!(told(moment, 2, TpAmb::Producao), []);
    }
    assert_eq!(told("2027-01-04T08:00:00-03:00", 3, TpAmb::Homologacao), at_the_item);
}

/// Notices without a code of an authority.
fn remarked(built: &BuiltDocument) -> Vec<(String, String)> {
    let plain = built.notices.iter().filter(|notice| notice.codigo_status.is_none());
    plain.map(|notice| (notice.codigo.clone(), notice.campo.clone())).collect()
}

#[test]
fn production_remarks_upon_what_the_law_asks_and_no_rule_does() {
    let absent = [("ibscbs_ausente".to_owned(), "nota.produtos[0].ibscbs".to_owned())];
    let told = |crt, ambiente| remarked(&built(&Value::Null, NOW, crt, ambiente));
    assert_eq!(told(3, TpAmb::Producao), absent);
    assert_eq!(told(3, TpAmb::Homologacao), [], "there the rule tells it");
    assert_eq!(told(1, TpAmb::Producao), []);
}

#[test]
fn the_rate_of_2027_is_compared_when_the_operator_has_set_it() {
    let part = |value: &str, rate: &str| json!({"valor_bc": "744.15", "aliquota": rate, "valor": value});
    let of_2027 = json!({"cst": "000", "classificacao": "000001", "ibs_uf": part("0.37", "0.05"), "ibs_mun": part("0.37", "0.05"), "cbs": part("65.49", "8.8")});
    let day = "2027-01-01T00:00:00-03:00";
    let named = |codigo: &str, campo: &str| (codigo.to_owned(), format!("nota.produtos[0].{campo}"));
    let (unknown, ended) =
        (named("aliquota_desconhecida", "ibscbs.cbs.aliquota"), named("tributo_extinto", "pis.vPIS"));
    let printed = built(&of_2027, day, 3, TpAmb::Producao);
    assert_eq!((remarked(&printed), foreseen(&printed)), (vec![unknown, ended.clone()], vec![]));
    let set = |rate: &str| Law::read(json!({ "cbs_2027": rate })).unwrap();
    let right = built_under(&set("8.80"), &of_2027, day, 3, TpAmb::Producao);
    assert_eq!((remarked(&right), foreseen(&right)), (vec![ended.clone()], vec![]));
    let wrong = built_under(&set("8.7"), &of_2027, day, 3, TpAmb::Producao);
    assert_eq!(remarked(&wrong), [ended]);
    assert_eq!(foreseen(&wrong), [(1037, "nota.produtos[0].ibscbs.cbs.aliquota".to_owned())]);
}

#[test]
fn taxes_that_ended_are_remarked_from_the_first_note_of_2027_on() {
    let last = |dhEmi: &str| remarked(&built(&Value::Null, dhEmi, 1, TpAmb::Homologacao));
    assert_eq!(last("2026-12-31T23:59:59-05:00"), [], "its own offset decides, and not that of Brasília");
    let ended = [("tributo_extinto".to_owned(), "nota.produtos[0].pis.vPIS".to_owned())];
    assert_eq!(last("2027-01-01T00:00:00-02:00"), ended);
}

/// NT 2014.001 v1.41: in production from 2026-10-05 on, by the day of the reception.
#[test]
fn an_epec_of_a_state_that_takes_none_is_remarked_from_its_day_on() {
    let told = |uf: &str, dhEmi: &str, tpEmis: u8, ambiente| {
        let mut nota = sale(&Value::Null, dhEmi);
        let reasons = json!({"tpEmis": tpEmis, "dhCont": dhEmi, "xJust": "SEM COMUNICACAO COM A SEFAZ"});
        nota["identificacao"].as_object_mut().unwrap().extend(reasons.as_object().unwrap().clone());
        let remarked = remarked(&issued_in(uf, Law::printed(), &nota, dhEmi, 1, ambiente));
        remarked.into_iter().find(|(codigo, _)| codigo == "epec_vedada").map(|(_, campo)| campo)
    };
    let at_the_field = Some("nota.identificacao.tpEmis".to_owned());
    let (before, from) = ("2026-10-04T23:59:59-03:00", "2026-10-05T00:00:00-03:00");
    assert_eq!(told("PR", before, 4, TpAmb::Producao), None);
    assert_eq!(told("PR", from, 4, TpAmb::Producao), at_the_field);
    assert_eq!(told("PR", before, 4, TpAmb::Homologacao), at_the_field);
    assert_eq!(told("PR", "2026-09-08T23:59:59-03:00", 4, TpAmb::Homologacao), None);
    assert_eq!((told("SP", from, 4, TpAmb::Producao), told("PR", from, 5, TpAmb::Producao)), (None, None));
}

/// UB12-10, exception 1, and UB18-10: a document that refers to one of 2026 needs no group; the rates of 2026 are
/// accepted only in a return.
#[test]
fn a_complement_of_2027_leaves_the_group_out_and_does_not_repeat_the_rates_of_2026() {
    let part = |value: &str, rate: &str| json!({"valor_bc": "744.15", "aliquota": rate, "valor": value});
    let of_2026 = json!({"cst": "000", "classificacao": "000001", "ibs_uf": part("0.74", "0.1"), "ibs_mun": part("0.00", "0"), "cbs": part("6.70", "0.9")});
    let law = Law::read(json!({ "cbs_2027": "8.8" })).unwrap();
    let told = |finNFe: u8, ibscbs: &Value, dhEmi: &str| -> Vec<u16> {
        let mut nota = sale(ibscbs, dhEmi);
        nota["identificacao"]["finNFe"] = json!(finNFe);
        nota["identificacao"]["NFref"] = json!([{"refNFe": "35261111222333000181550010000000011234567890"}]);
        let codes = foreseen(&built_of(&law, &nota, dhEmi, 3, TpAmb::Homologacao)).into_iter().map(|(code, _)| code);
        codes.filter(|code| [1026, 1036, 1037, 1115].contains(code)).collect()
    };
    let (last, first) = ("2026-12-31T23:59:59-03:00", "2027-01-01T00:00:00-03:00");
    assert_eq!(told(2, &of_2026, last), [0_u16; 0]);
    assert_eq!(told(2, &of_2026, first), [1026, 1036, 1037]);
    assert_eq!(told(4, &of_2026, first), [0_u16; 0]);
    assert_eq!((told(2, &Value::Null, first), told(4, &Value::Null, first)), (vec![], vec![]));
    assert_eq!(told(1, &Value::Null, first), [1115]);
}

/// Violations of a sale of the Simples, issued at a moment in an environment.
fn refused(nota: &Value, now: &str, ambiente: TpAmb) -> Vec<(String, &'static str, String)> {
    let emitente = emitente(1);
    let context = BuildContext {
        modelo: 55,
        ambiente,
        law: Law::printed(),
        emitente: &emitente,
        regimes: None,
        configuracao: None,
        serie: 1.into(),
        numero: 7,
        codigo: 84_736_251,
        dhEmi: now,
        tpEmis: 1,
        contingencia: None,
        verProc: "carimbo",
        software_house: None,
        dialeto: None,
        leiaute: fiscal::nfse::layouts::DpsLayout::Current,
    };
    let refused = nfe::build(nota, &context).err().unwrap_or_default();
    refused.into_iter().map(|violation| (violation.campo, violation.codigo, violation.mensagem)).collect()
}

fn sale_of_the_simples() -> Value {
    let within = json!({"cst": "000", "classificacao": "000001",
        "simples": {"ibs": {"aliquota": 0.0068, "valor": 0.07}, "cbs": {"aliquota": 0.6132, "valor": 6.13}}});
    // dated by the caller: only the day of issue counts
    let mut nota = sale(&within, "2026-12-13T10:00:00-03:00");
    nota["produtos"][0]["icms"] = json!({"orig": 0, "CSOSN": "102"});
    nota["produtos"][0]["cAtivSN"] = json!("01");
    nota
}

#[test]
fn a_field_of_a_technical_note_is_refused_before_its_day_and_says_when_it_comes() {
    let early = refused(&sale_of_the_simples(), "2026-12-13T23:59:59-03:00", TpAmb::Producao);
    let told: Vec<&str> = early.iter().map(|(campo, ..)| campo.as_str()).collect();
    assert_eq!(told, ["nota.produtos[0].cAtivSN", "nota.produtos[0].ibscbs.simples"], "{early:?}");
    assert!(early.iter().all(|(_, codigo, _)| *codigo == "campo_futuro"), "{early:?}");
    let mensagem = "cAtivSN entra em 2026-12-14 em produção (NT 2026.005 v1.00). Até lá, retire-o, ou emita em homologação, que já o aceita.";
    assert_eq!(early[0].2, mensagem);
}

#[test]
fn from_its_day_on_it_is_written() {
    for (now, ambiente) in [
        ("2026-12-14T00:00:00-03:00", TpAmb::Producao),
        ("2026-10-26T00:00:00-03:00", TpAmb::Homologacao),
        ("2026-11-29T10:00:00-03:00", TpAmb::Homologacao),
    ] {
        assert_eq!(refused(&sale_of_the_simples(), now, ambiente), [], "{now}");
    }
    let before = refused(&sale_of_the_simples(), "2026-10-25T23:59:59-03:00", TpAmb::Homologacao);
    assert!(before[0].2.ends_with("Até lá, retire-o."), "{before:?}");
}

#[test]
fn a_total_that_the_caller_writes_too_early_is_refused_where_it_stands() {
    let mut nota = sale(&json!({"cst": "000", "classificacao": "000001"}), NOW);
    nota["produtos"][0]["icms"] = json!({"orig": 0, "CSOSN": "102"});
    nota["ibscbs_total"] = json!({"vBCIBSCBS": 0, "simples": {"vIBSSN": 0.07, "vCBSSN": 6.13}});
    let early = refused(&nota, NOW, TpAmb::Producao);
    let told: Vec<_> = early.iter().map(|(campo, codigo, _)| (campo.as_str(), *codigo)).collect();
    assert_eq!(told, [("nota.ibscbs_total.simples", "campo_futuro")]);
}

#[test]
fn a_net_value_without_its_price_is_refused_and_no_zero() {
    let mut nota = sale_of_the_simples();
    nota["produtos"][0]["vProdLiq"] = json!(993.8);
    let told = refused(&nota, NOW, TpAmb::Homologacao);
    let told: Vec<_> = told.iter().map(|(campo, codigo, _)| (campo.as_str(), *codigo)).collect();
    assert_eq!(told, [("nota.produtos[0].vUnComLiq", "campo_obrigatorio")]);
}
