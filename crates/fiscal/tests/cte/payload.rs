//! Defaults, notices and violations of a `nota` of models 57 and 67.

use fiscal::cte;
use fiscal::document::{BuildContext, RequestedNumber};
use fiscal::finding::{Notice, Violation};
use fiscal::regime::RegimeCalendar;
use fiscal::value::Serie;
use serde_json::{Value, json};
use testkit::cases::cte::{Case, base};

fn cargo(nota: Value) -> Case {
    base("cte").with(&nota)
}

fn services(nota: Value) -> Case {
    base("cte_os").with(&nota)
}

fn violations(case: &Case) -> Vec<Violation> {
    case.build().expect_err("it must be refused")
}

/// Returns field and code of each violation.
fn refused(case: &Case) -> Vec<(String, &'static str)> {
    violations(case).into_iter().map(|violation| (violation.campo, violation.codigo)).collect()
}

fn check_refused(case: &Case, expected: &[(&str, &str)]) {
    let found = refused(case);
    let found: Vec<(&str, &str)> = found.iter().map(|(campo, codigo)| (campo.as_str(), *codigo)).collect();
    assert_eq!(found, expected);
}

fn notices(case: &Case) -> Vec<Notice> {
    case.build().unwrap_or_else(|found| panic!("{found:#?}")).notices
}

fn told<'n>(notices: &'n [Notice], codigo: &str) -> Vec<&'n str> {
    notices.iter().filter(|notice| notice.codigo == codigo).map(|notice| notice.campo.as_str()).collect()
}

fn xml(case: &Case) -> String {
    case.build().unwrap_or_else(|found| panic!("{found:#?}")).xml
}

#[test]
fn every_assumption_is_told() {
    let told_of = notices(&cargo(json!({})));
    assert_eq!(
        told(&told_of, "assumido_padrao"),
        [
            "nota.identificacao.tpServ",
            "nota.identificacao.retira",
            "nota.identificacao.indIEToma",
            "nota.identificacao.cMunIni",
            "nota.identificacao.cMunFim",
            "nota.valores.vRec",
            "nota.imposto.vTotDFe",
        ]
    );
    assert_eq!(told_of.len(), 7, "{told_of:#?}");
    let said = json!({ "identificacao": {
        "tpServ": 0, "retira": 1, "indIEToma": 1, "cMunIni": 4314902, "xMunIni": "PORTO ALEGRE", "UFIni": "RS", "cMunFim": 3304557,
        "xMunFim": "RIO DE JANEIRO", "UFFim": "RJ",
    }, "valores": { "vRec": 1500 }, "imposto": { "vTotDFe": 1500 } });
    assert_eq!(notices(&cargo(said)), []);
}

#[test]
fn the_name_of_the_operation_follows_the_cfop() {
    let case = cargo(json!({ "identificacao": { "natOp": null, "CFOP": 6352 } }));
    assert!(xml(&case).contains("<natOp>PRESTACAO DE TRANSPORTE A ESTABELECIMENTO INDUSTRIAL</natOp>"));
    assert!(told(&notices(&case), "assumido_padrao").contains(&"nota.identificacao.natOp"));
}

#[test]
fn who_dispatches_and_who_receives_decide_where_the_service_begins_and_ends() {
    let party = |cMun: u32, xMun: &str, UF: &str| json!({ "CNPJCPF": "98765432000198", "xNome": "TERMINAL", "xLgr": "RUA", "nro": "1", "xBairro": "CENTRO", "cMun": cMun, "xMun": xMun, "UF": UF });
    let case = cargo(json!({
        "expedidor": party(4205407, "FLORIANOPOLIS", "SC"), "recebedor": party(3550308, "SAO PAULO", "SP"),
    }));
    let written = xml(&case);
    assert!(
        written.contains("<cMunIni>4205407</cMunIni><xMunIni>FLORIANOPOLIS</xMunIni><UFIni>SC</UFIni>"),
        "{written}"
    );
    assert!(written.contains("<cMunFim>3550308</cMunFim><xMunFim>SAO PAULO</xMunFim><UFFim>SP</UFFim>"), "{written}");
}

#[test]
fn the_registration_of_the_payload_wins_and_loses_the_zero_that_antt_prints() {
    let with = |rodoviario: Value| xml(&cargo(json!({ "rodoviario": rodoviario })));
    assert!(with(json!({})).contains("<rodo><RNTRC>12345678</RNTRC></rodo>"));
    assert!(with(json!({ "rntrc": "087654321" })).contains("<RNTRC>87654321</RNTRC>"));
    assert!(with(json!({ "RNTRC": 87654321 })).contains("<RNTRC>87654321</RNTRC>"));
    assert!(with(json!({ "rntrc": "isento" })).contains("<RNTRC>ISENTO</RNTRC>"));
    let mut case = cargo(json!({}));
    case.input["rntrc"] = Value::Null;
    check_refused(&case, &[("nota.rodoviario.rntrc", "campo_obrigatorio")]);
    check_refused(
        &cargo(json!({ "rodoviario": { "rntrc": "123456789" } })),
        &[("nota.rodoviario.rntrc", "valor_invalido")],
    );
}

#[test]
fn an_index_may_be_a_number_or_a_text_and_a_described_tomador_needs_none() {
    for indice in [json!(3), json!("3"), json!("03")] {
        assert!(xml(&cargo(json!({ "tomador": { "indice": indice } }))).contains("<toma3><toma>3</toma></toma3>"));
    }
    check_refused(&cargo(json!({ "tomador": null })), &[("nota.tomador", "campo_obrigatorio")]);
    check_refused(&cargo(json!({ "tomador": { "indice": null } })), &[("nota.tomador", "campo_obrigatorio")]);
    check_refused(&cargo(json!({ "tomador": { "indice": 7 } })), &[("nota.tomador.indice", "valor_invalido")]);
    let described =
        cargo(json!({ "tomador": { "indice": null, "CNPJCPF": "98765432000198", "xNome": "X", "UF": "RS" } }));
    let campos: Vec<String> = refused(&described).into_iter().map(|(campo, _)| campo).collect();
    assert!(campos.contains(&"nota.tomador.xLgr".to_owned()), "{campos:?}");
    assert!(campos.contains(&"nota.tomador.xNome".to_owned()), "{campos:?}");
}

#[test]
fn a_party_that_is_described_again_is_foreseen() {
    let again = json!({ "indice": null, "CNPJCPF": "33000167000101", "xNome": "MERCADO", "xLgr": "AV C", "nro": "1", "xBairro": "CENTRO", "cMun": 3304557,
        "xMun": "RIO DE JANEIRO", "UF": "RJ" });
    let told_of = notices(&cargo(json!({ "tomador": again })));
    let notice = told_of.iter().find(|notice| notice.codigo_status == Some(799.into())).unwrap();
    assert_eq!((notice.campo.as_str(), notice.sugestao.as_deref()), ("nota.tomador", Some("{\"indice\": \"3\"}")));
}

#[test]
fn prices_quantities_and_taxes_are_never_taken_for_zero() {
    check_refused(
        &cargo(json!({ "valores": { "vTPrest": null } })),
        &[("nota.valores.vTPrest", "campo_obrigatorio"), ("nota.valores.vRec", "campo_obrigatorio")],
    );
    check_refused(
        &cargo(json!({ "imposto": { "icms": { "vBC": null, "pICMS": null } } })),
        &[("nota.imposto.icms.vBC", "campo_obrigatorio"), ("nota.imposto.icms.pICMS", "campo_obrigatorio")],
    );
    check_refused(
        &cargo(json!({ "carga": { "quantidades": [{ "cUnid": "01", "tpMed": "PESO" }] } })),
        &[("nota.carga.quantidades[0].qCarga", "campo_obrigatorio")],
    );
    check_refused(
        &cargo(json!({ "carga": { "quantidades": null, "proPred": null } })),
        &[("nota.carga.proPred", "campo_obrigatorio"), ("nota.carga.quantidades", "campo_obrigatorio")],
    );
    check_refused(
        &services(json!({ "identificacao": { "tpServ": null } })),
        &[("nota.identificacao.tpServ", "campo_obrigatorio")],
    );
    check_refused(
        &cargo(json!({ "identificacao": { "CFOP": null } })),
        &[("nota.identificacao.CFOP", "campo_obrigatorio")],
    );
    check_refused(&cargo(json!({ "imposto": { "icms": null } })), &[("nota.imposto.icms.CST", "campo_obrigatorio")]);
}

#[test]
fn what_the_layout_refuses_is_named_as_the_caller_wrote_it() {
    let case = cargo(json!({
        "remetente": { "xNome": "X", "enderReme": { "xLgr": "R" } }, "carga": { "proPred": "x".repeat(61) },
        "documentos": { "nfe": ["123"] }, "documentos_anteriores": [{ "CNPJCPF": "98765432000198", "xNome": "Y TRANSPORTES", "cte": ["1"] }],
    }));
    let campos: Vec<String> = refused(&case).into_iter().map(|(campo, _)| campo).collect();
    assert_eq!(
        campos,
        [
            "nota.remetente.xNome",
            "nota.remetente.enderReme.xLgr",
            "nota.carga.proPred",
            "nota.documentos.nfe[0].chave",
            "nota.documentos_anteriores[0].cte[0].chCTe",
        ]
    );
}

#[test]
fn an_unknown_name_is_told_with_the_right_one() {
    let told_of = notices(&cargo(json!({
        "cargas": {}, "identificacao": { "CFOPP": 1 }, "servico": { "xDescServ": "X" }, "documentos": { "nfes": [] },
        "valores": { "vTPrestt": 1 }, "remetente": { "xNomee": "Y" }, "tomador": { "indicee": 1 },
    })));
    let found: Vec<(&str, Option<&str>)> = told_of
        .iter()
        .filter(|notice| notice.codigo == "campo_desconhecido")
        .map(|notice| (notice.campo.as_str(), notice.sugestao.as_deref()))
        .collect();
    for expected in [
        ("nota.identificacao.CFOPP", Some("CFOP")),
        ("nota.valores.vTPrestt", Some("vTPrest")),
        ("nota.remetente.xNomee", Some("xNome")),
        ("nota.tomador.indicee", Some("indice")),
        ("nota.cargas", Some("carga")),
        ("nota.servico", Some("carga")),
    ] {
        assert!(found.contains(&expected), "{expected:?} in {found:?}");
    }
    let told_of = notices(&services(json!({ "carga": { "proPred": "X" } })));
    let carga = told_of.iter().find(|notice| notice.campo == "nota.carga").unwrap();
    assert_eq!((carga.codigo.as_str(), carga.sugestao.as_deref()), ("campo_desconhecido", Some("servico")));
}

#[test]
fn other_modals_ended_ways_and_other_states_are_refused() {
    check_refused(&cargo(json!({ "aereo": { "dPrevAereo": "2026-11-25" } })), &[("nota.aereo", "modal_nao_suportado")]);
    check_refused(
        &cargo(json!({ "identificacao": { "modal": "02" } })),
        &[("nota.identificacao.modal", "modal_nao_suportado")],
    );
    for tpEmis in [4, 5] {
        let case = cargo(json!({ "identificacao": { "tpEmis": tpEmis } }));
        check_refused(&case, &[("nota.identificacao.tpEmis", "valor_invalido")]);
        assert!(violations(&case)[0].mensagem.contains("16/11/2026"));
    }
    check_refused(&cargo(json!({ "identificacao": { "UF": "SP" } })), &[("nota.identificacao.UF", "valor_invalido")]);
    assert_eq!(
        told(&notices(&cargo(json!({ "identificacao": { "cUF": 43, "UF": "rs" } }))), "campo_ignorado"),
        [""; 0]
    );
}

#[test]
fn what_the_service_decides_is_told_when_the_caller_says_otherwise() {
    let told_of = notices(&cargo(json!({ "identificacao": {
        "tpEmis": 7, "tpAmb": 1, "dhCont": "2026-11-20T09:00:00-03:00", "xJust": "A SEFAZ está fora de operação",
    } })));
    assert_eq!(
        told(&told_of, "campo_ignorado"),
        [
            "nota.identificacao.tpAmb",
            "nota.identificacao.tpEmis",
            "nota.identificacao.dhCont",
            "nota.identificacao.xJust",
        ]
    );
}

#[test]
fn a_complement_leaves_the_cargo_out_and_tells() {
    let case = cargo(json!({ "complementado": ["43261198765432000198570010000000771135724688"] }));
    assert!(!xml(&case).contains("infCTeNorm"));
    assert_eq!(told(&notices(&case), "campo_ignorado"), ["nota.carga", "nota.documentos"]);
}

#[test]
fn valuables_have_no_modal() {
    let mut case = services(json!({ "identificacao": { "tpServ": 7 } }));
    case.input["taf"] = json!("123456789012");
    assert!(!xml(&case).contains("infModal"));
    assert_eq!(told(&notices(&case), "campo_ignorado"), ["nota.rodoviario"]);
}

#[test]
fn a_tomador_of_services_is_always_described() {
    let told_of = notices(&services(json!({ "tomador": { "indice": 0 } })));
    assert_eq!(told(&told_of, "campo_ignorado"), ["nota.tomador.indice"]);
    let case = services(json!({ "imposto": { "icms": { "indSN": null, "CST": 60 } } }));
    check_refused(&case, &[("nota.imposto.icms.CST", "valor_invalido")]);
}

#[test]
fn an_absent_reform_is_foreseen_in_homologacao_and_told_in_production() {
    let mut case = cargo(json!({ "imposto": { "ibscbs": null } }));
    assert!(notices(&case).iter().any(|notice| notice.codigo_status == Some(310.into())));
    case.input["ambiente"] = json!("producao");
    let told_of = notices(&case);
    assert_eq!(told(&told_of, "ibscbs_ausente"), ["nota.imposto.ibscbs"]);
    assert!(told_of.iter().all(|notice| notice.codigo_status.is_none()));
}

#[test]
fn prices_that_do_not_add_up_are_told() {
    let told_of = notices(&cargo(json!({ "valores": { "componentes": [{ "xNome": "FRETE", "vComp": 1400 }] } })));
    assert_eq!(told(&told_of, "soma_componentes"), ["nota.valores.componentes"]);
    let told_of = notices(&cargo(json!({ "valores": { "vRec": 1500.01 } })));
    let notice = told_of.iter().find(|notice| notice.codigo_status == Some(531.into())).unwrap();
    assert_eq!(notice.campo, "nota.valores.vRec");
}

#[test]
fn model_and_number_are_read_before_anything_is_built() {
    let nota = json!({ "identificacao": { "modelo": "67", "serie": "2", "numero": 15 } });
    let numbering = |serie: Option<u16>, numero| RequestedNumber { serie: serie.map(Serie::from), numero };
    assert_eq!((cte::modelo(&nota), cte::numbering(&nota)), (Some(67), numbering(Some(2), Some(15))));
    let nota = json!({ "infCte": { "ide": { "mod": 57, "nCT": "7" } } });
    assert_eq!((cte::modelo(&nota), cte::numbering(&nota)), (Some(57), numbering(None, Some(7))));
    assert_eq!((cte::modelo(&json!([])), cte::numbering(&json!("x"))), (None, numbering(None, None)));
}

#[test]
fn groups_beside_the_official_tree_are_refused() {
    let case = cargo(json!({ "infCte": { "ide": {} } }));
    assert!(refused(&case).iter().all(|(_, codigo)| *codigo == "estrutura_invalida"));
    let review = case.in_context(cte::review::review);
    assert!(review.violations.iter().any(|violation| violation.campo == "nota.carga"));
}

#[test]
fn a_review_says_everything_at_once() {
    let case =
        cargo(json!({ "imposto": { "ibscbs": null }, "carga": { "proPred": null }, "identificacao": { "xPto": 1 } }));
    let review = case.in_context(cte::review::review);
    assert_eq!(review.violations.len(), 1, "{:?}", review.violations);
    assert!(review.notices.iter().any(|notice| notice.codigo == "campo_desconhecido"));
    assert!(review.notices.iter().any(|notice| notice.codigo_status == Some(310.into())));
}

#[test]
fn the_flat_names_of_another_service_are_read_and_answered_with_ours() {
    let case = cargo(json!({
        "identificacao": { "CFOP": null, "natOp": null }, "cfop": "6353", "natureza_operacao": "TRANSPORTE", "tipo_servico": 0,
        "tomador": null, "valores": null, "valor_total": 1500, "imposto": { "icms": null }, "icms_situacao_tributaria": "00",
        "icms_base_calculo": 1500, "icms_aliquota": 12, "icms_valor": 180, "carga": { "proPred": null, "quantidades": null },
        "produto_predominante": "CAFE", "quantidades": [{ "codigo_unidade_medida": "01", "tipo_medida": "PESO", "quantidade": 10 }],
        "documentos": null, "nfes": [{ "chave_nfe": "43261112ABC34501DE35550010000000011847362513" }],
        "modal_rodoviario": { "rntrc": "87654321" }, "cnpj_remetente": "12ABC34501DE35",
    }));
    let mut case = case;
    case.input["nota"]["tomador"] = json!("0");
    let written = xml(&case);
    for expected in [
        "<CFOP>6353</CFOP><natOp>TRANSPORTE</natOp>",
        "<toma3><toma>0</toma></toma3>",
        "<ICMS00><CST>00</CST><vBC>1500.00</vBC><pICMS>12.00</pICMS><vICMS>180.00</vICMS></ICMS00>",
        "<infQ><cUnid>01</cUnid><tpMed>PESO</tpMed><qCarga>10.0000</qCarga></infQ>",
        "<infNFe><chave>43261112ABC34501DE35550010000000011847362513</chave></infNFe>",
        "<RNTRC>87654321</RNTRC>",
    ] {
        assert!(written.contains(expected), "{expected} in {written}");
    }
    let told_of = notices(&case);
    let ours = |name: &str| {
        let notice = told_of.iter().find(|notice| notice.campo == name).unwrap_or_else(|| panic!("{name}"));
        (notice.codigo.as_str(), notice.sugestao.as_deref().unwrap_or_default())
    };
    assert_eq!(ours("nota.cfop"), ("nome_de_outro_servico", "nota.identificacao.CFOP"));
    assert_eq!(ours("nota.tomador"), ("nome_de_outro_servico", "nota.tomador.indice"));
    assert_eq!(ours("nota.nfes"), ("nome_de_outro_servico", "nota.documentos.nfe"));
    assert_eq!(ours("nota.cnpj_remetente"), ("campo_desconhecido", "nota.remetente.CNPJCPF"));
}

#[test]
fn a_name_of_another_service_yields_to_ours() {
    let told_of = notices(&cargo(json!({ "cfop": "5353" })));
    assert_eq!(told(&told_of, "campo_desconhecido"), ["nota.cfop"]);
    assert!(xml(&cargo(json!({ "cfop": "5353" }))).contains("<CFOP>6353</CFOP>"));
}

#[test]
fn the_regime_of_the_day_is_written_and_fills_what_it_fills() {
    let calendar = RegimeCalendar::of_record(&json!({ "regimes": [{ "a_partir_de": "2027-01-01", "crt": 1 }] }));
    let built = |dhEmi: &str| {
        let case = cargo(json!({ "imposto": null, "identificacao": { "dhEmi": dhEmi } }));
        case.in_context(|nota, context| cte::build(nota, &BuildContext { regimes: Some(&calendar), ..*context }))
    };
    // CRT 3 must send its ICMS; for the Simples it is assumed
    let before = built("2026-12-31T23:59:59-03:00").unwrap_err();
    assert!(before.iter().any(|found| found.campo.contains("icms") || found.campo.contains("imposto")), "{before:?}");
    let after = built("2027-01-01T00:00:00-03:00").unwrap();
    assert!(after.xml.contains("<CRT>1</CRT>") && after.xml.contains("<indSN>1</indSN>"), "{}", after.xml);
}
