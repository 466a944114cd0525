//! Answers of the builder to payloads: all violations at once, notices with the right name, defaults, exact numbers.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use fiscal::document::{BuildContext, BuiltDocument, RequestedNumber, SoftwareHouse};
use fiscal::finding::Violation;
use fiscal::nfe;
use fiscal::value::TpAmb;
use serde_json::{Map, Value, json};

fn emitente() -> Map<String, Value> {
    let record = json!({
        "CNPJCPF": "11222333000181", "xNome": "EMPRESA DE DEMONSTRACAO LTDA", "IE": "110042490114", "CRT": 1,
        "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO", "cMun": 3550308, "xMun": "SAO PAULO", "UF": "SP", "CEP": "01001000"
    });
    record.as_object().expect("an object").clone()
}

/// The smallest payload of an NF-e.
fn least() -> Value {
    json!({
        "identificacao": {"natOp": "VENDA", "tpNF": 1, "indFinal": 1, "indPres": 1},
        "destinatario": {"CNPJCPF": "11144477735", "xNome": "FULANO", "indIEDest": 9, "xLgr": "RUA B", "nro": "2",
            "xBairro": "CENTRO", "cMun": 3550308, "xMun": "SAO PAULO", "UF": "SP", "CEP": "01001000"},
        "produtos": [{"cProd": "1", "xProd": "CAFE", "NCM": "09012100", "CFOP": 5102, "uCom": "UN", "qCom": 1,
            "vUnCom": 10, "vProd": 10, "icms": {"orig": 0, "CSOSN": 102}, "pis": {"CST": "07"}, "cofins": {"CST": "07"}}],
        "pagamentos": [{"tPag": "01", "vPag": 10}]
    })
}

fn context(modelo: u8, emitente: &Map<String, Value>) -> BuildContext<'_> {
    BuildContext {
        modelo,
        ambiente: TpAmb::Homologacao,
        law: fiscal::law::Law::printed(),
        emitente,
        regimes: None,
        configuracao: None,
        serie: 1.into(),
        numero: 7,
        codigo: 84_736_251,
        dhEmi: "2026-11-20T10:00:00-03:00",
        tpEmis: 1,
        contingencia: None,
        verProc: "carimbo",
        software_house: None,
        dialeto: None,
        leiaute: fiscal::nfse::layouts::DpsLayout::Current,
    }
}

fn build(nota: &Value) -> Result<BuiltDocument, Vec<Violation>> {
    nfe::build(nota, &context(55, &emitente()))
}

/// Changes a payload: a pointer and its new value (`Null` removes).
fn with(mut nota: Value, changes: &[(&str, Value)]) -> Value {
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let parent = nota.pointer_mut(parent).unwrap();
        if value.is_null() {
            parent.as_object_mut().unwrap().shift_remove(name);
        } else {
            match parent {
                Value::Array(elements) => elements[name.parse::<usize>().unwrap()] = value.clone(),
                parent => drop(parent.as_object_mut().unwrap().insert(name.to_owned(), value.clone())),
            }
        }
    }
    nota
}

fn refused(nota: &Value) -> Vec<(String, &'static str)> {
    build(nota).unwrap_err().into_iter().map(|violation| (violation.campo, violation.codigo)).collect()
}

fn noticed(nota: &Value) -> Vec<(String, String, Option<String>)> {
    let built = build(nota).unwrap();
    built.notices.into_iter().map(|notice| (notice.campo, notice.codigo, notice.sugestao)).collect()
}

#[test]
fn the_least_payload_builds_with_documented_defaults_and_no_remark() {
    let built = build(&least()).unwrap();
    assert_eq!(built.notices, []);
    assert_eq!(built.valor.to_string(), "10.00");
    assert_eq!(built.destinatario.as_deref(), Some("11144477735"));
    for filled in [
        "<cUF>35</cUF>",
        "<mod>55</mod><serie>1</serie><nNF>7</nNF>",
        "<dhEmi>2026-11-20T10:00:00-03:00</dhEmi>",
        "<tpNF>1</tpNF><idDest>1</idDest><cMunFG>3550308</cMunFG><tpImp>1</tpImp><tpEmis>1</tpEmis>",
        "<procEmi>0</procEmi><verProc>carimbo</verProc>",
        "<cEAN>SEM GTIN</cEAN>",
        "<uTrib>UN</uTrib><qTrib>1.0000</qTrib><vUnTrib>10.00</vUnTrib><indTot>1</indTot>",
        "<vNF>10.00</vNF>",
        "<modFrete>9</modFrete>",
    ] {
        assert!(built.xml.contains(filled), "{filled} in {}", built.xml);
    }
}

#[test]
fn a_misspelled_field_is_named_with_the_right_one() {
    let nota = with(
        least(),
        &[
            ("/produtos/0/vlProd", json!(10)),
            ("/produtos/0/vproduto", json!(10)),
            ("/identificacao/naturezaOperacao", json!("VENDA")),
            ("/destinatario/xnome", json!("FULANO")),
            ("/produtos/0/icms/orgi", json!(0)),
            ("/pagamento", json!([])),
        ],
    );
    let unknown = |campo: &str, sugestao: Option<&str>| {
        (campo.to_owned(), "campo_desconhecido".to_owned(), sugestao.map(str::to_owned))
    };
    let mut found = noticed(&nota);
    found.sort();
    assert_eq!(
        found,
        [
            unknown("nota.destinatario.xnome", Some("xNome")),
            unknown("nota.identificacao.naturezaOperacao", Some("natOp")),
            unknown("nota.pagamento", Some("pagamentos")),
            unknown("nota.produtos[0].icms.orgi", Some("orig")),
            unknown("nota.produtos[0].vlProd", Some("vProd")),
            unknown("nota.produtos[0].vproduto", Some("vProd")),
        ]
    );
}

#[test]
fn a_required_number_that_is_absent_is_zero_and_said() {
    let nota = with(least(), &[("/produtos/0/vProd", Value::Null), ("/produtos/0/pis", json!({"CST": 99}))]);
    let built = build(&nota).unwrap();
    assert!(built.xml.contains("<vProd>0.00</vProd>"), "{}", built.xml);
    let zeros: Vec<&str> = built
        .notices
        .iter()
        .filter(|notice| notice.codigo == "assumido_zero")
        .map(|notice| notice.campo.as_str())
        .collect();
    assert_eq!(
        zeros,
        [
            "nota.produtos[0].vProd",
            "nota.produtos[0].pis.vBC",
            "nota.produtos[0].pis.pPIS",
            "nota.produtos[0].pis.vPIS"
        ]
    );
}

#[test]
fn everything_that_stops_a_document_is_said_at_once() {
    let nota = with(
        least(),
        &[
            ("/identificacao/natOp", Value::Null),
            ("/destinatario/CNPJCPF", json!("11144477734")),
            ("/produtos/0/qCom", json!("duas")),
            ("/produtos/0/NCM", json!("0901")),
            ("/produtos/0/xProd", json!("")),
            ("/produtos/0/vDesc", json!({"valor": 1})),
            ("/produtos/0/icms/CSOSN", json!(999)),
            ("/pagamentos/0/tPag", Value::Null),
            ("/transportador", json!("nenhum")),
        ],
    );
    let mut found = refused(&nota);
    found.sort();
    let expected = [
        ("nota.destinatario.CNPJCPF", "digito_invalido"),
        ("nota.identificacao.natOp", "campo_obrigatorio"),
        ("nota.pagamentos[0].tPag", "campo_obrigatorio"),
        ("nota.produtos[0].NCM", "valor_invalido"),
        ("nota.produtos[0].icms.CSOSN", "valor_invalido"),
        ("nota.produtos[0].qCom", "tipo_invalido"),
        ("nota.produtos[0].vDesc", "tipo_invalido"),
        ("nota.produtos[0].xProd", "campo_obrigatorio"),
        ("nota.transportador", "tipo_invalido"),
    ];
    assert_eq!(found, expected.map(|(campo, codigo)| (campo.to_owned(), codigo)));
}

#[test]
fn what_cannot_be_a_document_is_refused() {
    let one = |campo: &str, codigo| vec![(campo.to_owned(), codigo)];
    assert_eq!(refused(&json!([])), one("nota", "tipo_invalido"));
    assert_eq!(refused(&with(least(), &[("/produtos", Value::Null)])), one("nota.produtos", "campo_obrigatorio"));
    assert_eq!(refused(&with(least(), &[("/produtos", json!([]))])), one("nota.produtos", "campo_obrigatorio"));
    assert_eq!(refused(&with(least(), &[("/produtos", json!([1]))])), one("nota.produtos[0]", "tipo_invalido"));
    assert_eq!(refused(&with(least(), &[("/pagamentos", Value::Null)])), one("nota.pagamentos", "campo_obrigatorio"));
    assert_eq!(
        refused(&with(least(), &[("/destinatario", Value::Null)])),
        one("nota.destinatario", "campo_obrigatorio")
    );
    let another = with(least(), &[("/emitente", json!({"CNPJCPF": "12ABC34501DE35"}))]);
    assert_eq!(refused(&another), one("nota.emitente.CNPJCPF", "emitente_divergente"));
}

#[test]
fn faults_that_only_the_layout_sees_carry_the_path_of_the_payload() {
    let nota = with(
        least(),
        &[
            ("/produtos/0/xProd", json!("x".repeat(121))),
            ("/destinatario/CEP", json!("123")),
            ("/total", json!({"vNF": -1})),
            ("/cobranca", json!({"dup": [{"vDup": 0}]})),
        ],
    );
    let mut found = refused(&nota);
    found.sort();
    let campos = ["nota.cobranca.dup[0].vDup", "nota.destinatario.CEP", "nota.produtos[0].xProd", "nota.total.vNF"];
    assert_eq!(found, campos.map(|campo| (campo.to_owned(), "valor_invalido")));
}

#[test]
fn numbers_keep_every_digit_the_layout_takes() {
    let nota: Value =
        serde_json::from_str(&least().to_string().replace("\"vUnCom\":10", "\"vUnCom\":0.3333333333")).unwrap();
    let nota = with(nota, &[("/produtos/0/qCom", json!("30.0000")), ("/produtos/0/vProd", json!("9.999"))]);
    let built = build(&nota).unwrap();
    assert!(built.xml.contains("<vUnCom>0.3333333333</vUnCom><vProd>10.00</vProd>"), "{}", built.xml);
    assert!(built.notices.iter().any(|notice| notice.codigo == "valor_arredondado"));
}

#[test]
fn a_value_that_rounds_to_nothing_is_told() {
    let nota = with(least(), &[("/produtos/0/vFrete", json!("0.004"))]);
    let built = build(&nota).unwrap();
    assert!(!built.xml.contains("<vFrete>0.004") && !built.xml.contains("</vUnTrib><vFrete>"), "{}", built.xml);
    assert_eq!(noticed(&nota), [("nota.produtos[0].vFrete".to_owned(), "valor_arredondado".to_owned(), None)]);
    assert_eq!(noticed(&with(least(), &[("/produtos/0/vFrete", json!("0.00"))])), []);
}

#[test]
fn codes_may_be_numbers_or_texts_and_masks_are_removed() {
    let nota = with(
        least(),
        &[
            ("/produtos/0/CFOP", json!("5.102")),
            ("/produtos/0/NCM", json!(9_012_100)),
            ("/produtos/0/pis", json!({"CST": 7})),
            ("/pagamentos/0/tPag", json!(1)),
            ("/destinatario/CEP", json!(1_001_000)),
            ("/destinatario/CNPJCPF", json!("111.444.777-35")),
            ("/destinatario/Fone", json!("+55 (11) 3333-4444")),
        ],
    );
    let xml = build(&nota).unwrap().xml;
    for written in [
        "<NCM>09012100</NCM><CFOP>5102</CFOP>",
        "<PISNT><CST>07</CST></PISNT>",
        "<tPag>01</tPag>",
        "<CEP>01001000</CEP><fone>551133334444</fone>",
        "<CPF>11144477735</CPF>",
    ] {
        assert!(xml.contains(written), "{written} in {xml}");
    }
}

#[test]
fn texts_are_cleaned_and_only_a_loss_is_said() {
    let clean = with(least(), &[("/produtos/0/xProd", json!("  Café “forte”\r\n 500 g – lata "))]);
    let built = build(&clean).unwrap();
    assert!(built.xml.contains("<xProd>Café \"forte\" 500 g - lata</xProd>"), "{}", built.xml);
    assert_eq!(built.notices, []);
    // macOS sends letter and accent as two characters
    let apart = with(least(), &[("/produtos/0/xProd", json!("Pa\u{303}o france\u{302}s"))]);
    let built = build(&apart).unwrap();
    assert!(built.xml.contains("<xProd>Pão francês</xProd>"), "{}", built.xml);
    assert_eq!(built.notices, []);
    for lossy in ["BOLO 🎂", "BOLO\u{200b}", "BO\u{0}LO"] {
        let lossy = with(least(), &[("/produtos/0/xProd", json!(lossy))]);
        assert_eq!(noticed(&lossy), [("nota.produtos[0].xProd".to_owned(), "caractere_removido".to_owned(), None)]);
    }
}

#[test]
fn items_of_the_same_shape_and_of_others_are_written_alike() {
    let mut nota = least();
    let item = nota["produtos"][0].clone();
    let reordered: Map<String, Value> =
        item.as_object().unwrap().iter().rev().map(|(name, value)| (name.clone(), value.clone())).collect();
    let other = with(json!({"item": item}), &[("/item/icms", json!({"orig": 0, "CSOSN": "500"}))])["item"].clone();
    nota["produtos"] = json!([item, reordered, other, item]);
    let xml = build(&nota).unwrap().xml;
    let details: Vec<&str> = xml.split("<det nItem=").skip(1).map(|det| &det[4..det.find("</det>").unwrap()]).collect();
    assert_eq!((details[0], details[0]), (details[1], details[3]));
    assert!(details[2].contains("<ICMSSN500><orig>0</orig><CSOSN>500</CSOSN></ICMSSN500>"));
}

#[test]
fn totals_are_summed_and_a_total_of_the_caller_is_kept() {
    let mut nota = least();
    nota["produtos"][0]["vFrete"] = json!("1.50");
    nota["produtos"][0]["vDesc"] = json!("0.50");
    let second = nota["produtos"][0].clone();
    nota["produtos"].as_array_mut().unwrap().push(second);
    nota["produtos"][1]["indTot"] = json!(0);
    let xml = build(&nota).unwrap().xml;
    for total in ["<vProd>10.00</vProd><vFrete>3.00</vFrete>", "<vDesc>1.00</vDesc>", "<vNF>12.00</vNF>"] {
        assert!(xml.contains(total), "{total} in {xml}");
    }
    nota["total"] = json!({"vNF": 99});
    assert!(build(&nota).unwrap().xml.contains("<vNF>99.00</vNF>"));
}

#[test]
fn the_three_bases_of_the_reform_must_agree() {
    let part = |base: &str| json!({"valor_bc": base, "aliquota": "0.1", "valor": "0.01"});
    let ibscbs = |mun: &str| json!({"cst": "000", "classificacao": "000001", "ibs_uf": part("10"), "ibs_mun": part(mun), "cbs": part("10.00")});
    assert!(build(&with(least(), &[("/produtos/0/ibscbs", ibscbs("10.0"))])).is_ok());
    let found = refused(&with(least(), &[("/produtos/0/ibscbs", ibscbs("11"))]));
    assert_eq!(found, [("nota.produtos[0].ibscbs.ibs_mun.valor_bc".to_owned(), "valor_divergente")]);
}

#[test]
fn an_exempt_addressee_has_no_registration_and_another_environment_is_said() {
    let nota = with(
        least(),
        &[
            ("/destinatario/indIEDest", json!(2)),
            ("/destinatario/IE", json!("Isento")),
            ("/identificacao/tpAmb", json!(1)),
            ("/identificacao/mod", json!(55)),
        ],
    );
    let built = build(&nota).unwrap();
    assert!(built.xml.contains("<indIEDest>2</indIEDest></dest>"), "{}", built.xml);
    let ignored: Vec<&str> = built
        .notices
        .iter()
        .filter(|notice| notice.codigo == "campo_ignorado")
        .map(|notice| notice.campo.as_str())
        .collect();
    assert_eq!(ignored, ["nota.identificacao.tpAmb"]);
}

#[test]
fn a_zero_that_cannot_stand_alone_says_nothing() {
    let exempt =
        |value: Value| with(least(), &[("/produtos/0/icms", json!({"orig": 0, "CST": 40, "vICMSDeson": value}))]);
    let built = build(&exempt(json!(0))).unwrap();
    assert!(built.xml.contains("<ICMS40><orig>0</orig><CST>40</CST></ICMS40>"), "{}", built.xml);
    assert_eq!(refused(&exempt(json!("0.01"))), [("nota.produtos[0].icms.motDesICMS".to_owned(), "campo_obrigatorio")]);
    let withheld = json!({"orig": 0, "CSOSN": 500, "vBCSTRet": 0, "pST": 0, "vICMSSTRet": 0});
    let built = build(&with(least(), &[("/produtos/0/icms", withheld)])).unwrap();
    assert!(
        built.xml.contains("<vBCSTRet>0.00</vBCSTRet><pST>0.0000</pST><vICMSSTRet>0.00</vICMSSTRet>"),
        "{}",
        built.xml
    );
}

#[test]
fn the_secret_of_the_software_house_becomes_its_hash_and_nothing_else() {
    let house = |more: Value| {
        let mut house =
            json!({"CNPJ": "11222333000181", "xContato": "ANA", "email": "ana@exemplo.com.br", "fone": "1133334444"});
        house.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        with(least(), &[("/responsavel_tecnico", house)])
    };
    let built = build(&house(json!({"idCSRT": 1, "CSRT": "SEGREDO123"}))).unwrap();
    assert!(built.xml.contains("<idCSRT>01</idCSRT><hashCSRT>"), "{}", built.xml);
    assert!(!format!("{built:?}").contains("SEGREDO123"));
    let own = "aWv6LeEM4X6u4+qBI2OYZ8grigw=";
    let kept = build(&house(json!({"idCSRT": 1, "CSRT": "SEGREDO123", "hashCSRT": own}))).unwrap();
    assert!(kept.xml.contains(own) && !kept.xml.contains("SEGREDO123"), "{}", kept.xml);
    let incomplete = refused(&house(json!({"CSRT": "SEGREDO123"})));
    assert_eq!(incomplete, [("nota.responsavel_tecnico.idCSRT".to_owned(), "campo_obrigatorio")]);
}

#[test]
fn the_house_of_the_service_speaks_where_the_payload_names_no_other() {
    let json = json!({"CNPJ": "11222333000181", "xContato": "ANA", "email": "ana@exemplo.com.br", "fone": "1133334444",
        "idCSRT": "01"});
    let ours = SoftwareHouse { record: json.as_object().unwrap(), csrt: Some("SEGREDO123") };
    let written = |nota: Value| {
        let emitente = emitente();
        let built = nfe::build(&nota, &BuildContext { software_house: Some(ours), ..context(55, &emitente) }).unwrap();
        assert!(built.notices.iter().all(|notice| !notice.campo.contains("responsavel")), "{:?}", built.notices);
        built.xml.split_once("<infRespTec>").map(|(_, house)| house.split_once("</infRespTec>").unwrap().0.to_owned())
    };
    let silent = written(least()).unwrap();
    assert!(silent.starts_with("<CNPJ>11222333000181</CNPJ><xContato>ANA</xContato>"), "{silent}");
    assert!(silent.contains("<idCSRT>01</idCSRT><hashCSRT>") && !silent.contains("SEGREDO123"), "{silent}");
    let same = json!({"CNPJ": "11.222.333/0001-81", "xContato": "BIA"});
    let completed = written(with(least(), &[("/responsavel_tecnico", same)])).unwrap();
    assert!(completed.contains("<xContato>BIA</xContato>") && completed.contains("<hashCSRT>"), "{completed}");
    let other = json!({"CNPJ": "11444777000161", "xContato": "LIA", "email": "lia@outra.com.br", "fone": "1122223333"});
    let theirs = written(with(least(), &[("/responsavel_tecnico", other)])).unwrap();
    assert!(theirs.contains("<CNPJ>11444777000161</CNPJ>") && !theirs.contains("CSRT"), "{theirs}");
}

#[test]
fn a_sum_that_no_total_can_say_is_refused_where_it_stands() {
    let mut nota = with(least(), &[("/produtos/0/vProd", json!("9999999999999.99"))]);
    let item = nota["produtos"][0].clone();
    nota["produtos"] = Value::Array(vec![item; 990]);
    let found = refused(&nota);
    assert!(found.contains(&("nota.total.vProd".to_owned(), "valor_invalido")), "{found:?}");
}

#[test]
fn the_state_and_the_city_of_an_official_address_are_read() {
    let address = json!({"xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO", "cMun": 3304557, "xMun": "RIO DE JANEIRO", "UF": "RJ", "CEP": "20040030"});
    let record =
        json!({"CNPJ": "11222333000181", "xNome": "EMPRESA", "IE": "99999993", "CRT": 1, "enderEmit": address});
    let nota = with(least(), &[("/emit", record)]);
    let nobody = Map::new();
    let built = nfe::build(&nota, &context(55, &nobody)).unwrap();
    for written in ["<cUF>33</cUF>", "<idDest>2</idDest><cMunFG>3304557</cMunFG>"] {
        assert!(built.xml.contains(written), "{written} in {}", built.xml);
    }
}

#[test]
fn from_2027_on_the_total_of_the_reform_is_that_of_the_note_whose_price_holds_the_taxes() {
    let part = |rate: &str, value: &str| json!({"valor_bc": 10, "aliquota": rate, "valor": value});
    let ibscbs = json!({"cst": "000", "classificacao": "000001", "ibs_uf": part("0.05", "0.01"), "ibs_mun": part("0.05", "0.01"), "cbs": part("8.8", "0.88")});
    let issued = |dhEmi: &str| {
        build(&with(least(), &[("/produtos/0/ibscbs", ibscbs.clone()), ("/identificacao/dhEmi", json!(dhEmi))]))
            .unwrap()
            .xml
    };
    assert!(!issued("2026-12-31T23:00:00-03:00").contains("vNFTot"));
    assert!(issued("2027-01-01T00:00:00-03:00").contains("<vNFTot>10.00</vNFTot>"));
}

#[test]
fn an_instant_that_is_none_is_refused_by_name() {
    for given in [json!(1_700_000_000), json!("ontem"), json!("2026-02-30T10:00:00-03:00")] {
        let refusal = build(&with(least(), &[("/identificacao/dhEmi", given.clone())])).unwrap_err();
        println!("{given}: {refusal:?}");
        assert_eq!(refusal.len(), 1, "{given}: {refusal:?}");
        assert_eq!((refusal[0].campo.as_str(), refusal[0].codigo), ("nota.identificacao.dhEmi", "valor_invalido"));
    }
}

#[test]
fn reads_the_numbering_leniently() {
    let asked = nfe::numbering(&json!({"identificacao": {"serie": "001", "nNF": 12}}));
    assert_eq!((asked.serie.map(|serie| serie.to_string()).as_deref(), asked.numero), (Some("1"), Some(12)));
    assert_eq!(nfe::numbering(&json!({"identificacao": {"serie": "x", "nNF": 0}})), RequestedNumber::default());
    assert_eq!(nfe::numbering(&json!(null)), RequestedNumber::default());
}

#[test]
fn a_consumer_invoice_fixes_its_own_fields() {
    let nota = with(least(), &[("/identificacao", json!({"natOp": "VENDA"})), ("/destinatario", Value::Null)]);
    let record = emitente();
    let built = nfe::write(&nota, &context(65, &record)).unwrap();
    for written in [
        "<mod>65</mod>",
        "<idDest>1</idDest>",
        "<tpImp>4</tpImp>",
        "<indFinal>1</indFinal><indPres>1</indPres>",
        "<xProd>NOTA FISCAL EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL</xProd>",
    ] {
        assert!(built.xml.contains(written), "{written} in {}", built.xml);
    }
    assert!(!built.xml.contains("<dest>"));
}

/// The smallest payload of an NFC-e.
fn counter_sale() -> Value {
    with(least(), &[("/identificacao", json!({"natOp": "VENDA"})), ("/destinatario", Value::Null)])
}

fn build_65(nota: &Value) -> BuiltDocument {
    nfe::build(nota, &context(65, &emitente())).unwrap()
}

fn told(built: &BuiltDocument, codigo: &str) -> Vec<String> {
    built.notices.iter().filter(|notice| notice.codigo == codigo).map(|notice| notice.campo.clone()).collect()
}

#[test]
fn what_a_consumer_invoice_cannot_be_is_overruled_and_told() {
    let nota = with(
        counter_sale(),
        &[
            (
                "/identificacao",
                json!({"natOp": "VENDA", "tpNF": 0, "idDest": 2, "finNFe": 4, "indFinal": 0, "tpImp": 1, "tpEmis": 6,
                "dhSaiEnt": "2026-11-20T11:00:00-03:00"}),
            ),
            ("/destinatario", json!({"CNPJCPF": "11144477735", "indIEDest": 1})),
        ],
    );
    let built = build_65(&nota);
    for written in ["<tpNF>1<", "<idDest>1<", "<finNFe>1<", "<indFinal>1<", "<tpImp>4<", "<tpEmis>1<", "<indIEDest>9<"]
    {
        assert!(built.xml.contains(written), "{written} in {}", built.xml);
    }
    assert!(!built.xml.contains("dhSaiEnt"));
    let names = ["tpNF", "idDest", "finNFe", "indFinal", "tpEmis", "tpImp", "dhSaiEnt"];
    let mut expected: Vec<String> = names.iter().map(|name| format!("nota.identificacao.{name}")).collect();
    expected.push("nota.destinatario.indIEDest".to_owned());
    assert_eq!(told(&built, "campo_ignorado"), expected);
    assert_eq!(told(&built, "texto_de_homologacao"), ["nota.produtos[0].xProd"]);
}

#[test]
fn four_fields_of_a_consumer_invoice_are_the_callers() {
    let nota = with(
        counter_sale(),
        &[
            ("/identificacao", json!({"natOp": "VENDA", "indPres": 4, "tpImp": 5, "tpEmis": 9, "indIntermed": 0})),
            ("/transportador", json!({"modFrete": 0})),
        ],
    );
    let record = emitente();
    let reasons = Some(("2026-11-20T09:00:00-03:00", "SEM INTERNET NA LOJA"));
    let built = nfe::build(&nota, &BuildContext { tpEmis: 9, contingencia: reasons, ..context(65, &record) }).unwrap();
    for written in ["<indPres>4<", "<tpImp>5<", "<tpEmis>9<", "<modFrete>0<", "<xJust>SEM INTERNET NA LOJA<"] {
        assert!(built.xml.contains(written), "{written} in {}", built.xml);
    }
    assert_eq!(told(&built, "campo_ignorado"), Vec::<String>::new());
}

#[test]
fn an_offline_emission_is_asked_for_in_the_payload() {
    let asked = json!({"identificacao": {"tpEmis": "9", "dhCont": "2026-11-20T09:00:00-03:00"}});
    let asked = nfe::NfeEmissionRequest::of(&asked);
    assert_eq!((asked.chosen(65), asked.dhCont, asked.xJust), (Some(9), Some("2026-11-20T09:00:00-03:00"), None));
    assert_eq!(nfe::NfeEmissionRequest::of(&json!({"identificacao": {"tpEmis": 1}})).chosen(65), None);
}

#[test]
fn change_is_computed_only_when_it_is_due_and_not_told() {
    let paid = |payments: Value| with(counter_sale(), &[("/pagamentos", payments)]);
    let change = |nota: &Value| build_65(nota).xml.split_once("<vTroco>").map(|(_, rest)| rest[..5].to_owned());
    assert_eq!(
        change(&paid(json!([{"tPag": "01", "vPag": "7.50"}, {"tPag": "01", "vPag": 5}]))).as_deref(),
        Some("2.50<")
    );
    assert_eq!(change(&paid(json!([{"tPag": "01", "vPag": 10}]))), None);
    let told = with(paid(json!([{"tPag": "01", "vPag": 20}])), &[("/troco", json!("9.00"))]);
    assert_eq!(change(&told).as_deref(), Some("9.00<"));
    let of_model_55 = with(least(), &[("/pagamentos", json!([{"tPag": "01", "vPag": 20}]))]);
    assert!(!build(&of_model_55).unwrap().xml.contains("vTroco"));
}

#[test]
fn the_consumer_of_an_invoice_is_known_to_its_code() {
    use fiscal::nfe::qr::ConsumerId;
    let of = |dest: Value| ConsumerId::of(&build_65(&with(counter_sale(), &[("/destinatario", dest)])));
    assert_eq!(ConsumerId::of(&build_65(&counter_sale())), ConsumerId::Unidentified);
    assert_eq!(of(json!({"idEstrangeiro": "AB12345"})), ConsumerId::Foreigner);
    let ConsumerId::By(cpf) = of(json!({"CNPJCPF": "111.444.777-35"})) else { panic!("not identified") };
    assert_eq!(cpf.as_str(), "11144477735");
}

#[test]
fn contingency_is_written_when_the_service_says_so() {
    let record = emitente();
    let context = BuildContext {
        tpEmis: 7,
        contingencia: Some(("2026-11-20T09:00:00-03:00", "SEFAZ fora do ar desde as nove")),
        ..context(55, &record)
    };
    let xml = nfe::build(&least(), &context).unwrap().xml;
    assert!(xml.contains("<tpEmis>7</tpEmis>"));
    assert!(xml.contains("<dhCont>2026-11-20T09:00:00-03:00</dhCont><xJust>SEFAZ fora do ar desde as nove</xJust>"));
}

/// xmlsec1 returned `zFlUxofni50KI4dhhVmIumqFZiQ=` for the SHA-1 of this `infNFe`, canonicalised with its namespace
/// (2128 bytes).
const CONFIRMED: &str = "<infNFe Id=\"NFe35261111222333000181550010000000011847362510\" versao=\"4.00\"><ide><cUF>35</cUF>\
    <cNF>84736251</cNF><natOp>VENDA</natOp><mod>55</mod><serie>1</serie><nNF>1</nNF><dhEmi>2026-11-20T10:00:00-03:00</dhEmi>\
    <tpNF>1</tpNF><idDest>1</idDest><cMunFG>3550308</cMunFG><tpImp>1</tpImp><tpEmis>1</tpEmis><cDV>0</cDV><tpAmb>2</tpAmb>\
    <finNFe>1</finNFe><indFinal>1</indFinal><indPres>1</indPres><procEmi>0</procEmi><verProc>1.0</verProc></ide><emit>\
    <CNPJ>11222333000181</CNPJ><xNome>EMPRESA TESTE LTDA</xNome><enderEmit><xLgr>RUA A</xLgr><nro>1</nro><xBairro>CENTRO</xBairro>\
    <cMun>3550308</cMun><xMun>SAO PAULO</xMun><UF>SP</UF><CEP>01001000</CEP></enderEmit><IE>110042490114</IE><CRT>3</CRT></emit>\
    <dest><CPF>11144477735</CPF><xNome>NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL</xNome><enderDest>\
    <xLgr>RUA B</xLgr><nro>2</nro><xBairro>CENTRO</xBairro><cMun>3550308</cMun><xMun>SAO PAULO</xMun><UF>SP</UF>\
    <CEP>01001000</CEP></enderDest><indIEDest>9</indIEDest></dest><det nItem=\"1\"><prod><cProd>1</cProd><cEAN>SEM GTIN</cEAN>\
    <xProd>CAFE &amp; ACUCAR</xProd><NCM>09012100</NCM><CFOP>5102</CFOP><uCom>UN</uCom><qCom>2.0000</qCom><vUnCom>50.00</vUnCom>\
    <vProd>100.00</vProd><cEANTrib>SEM GTIN</cEANTrib><uTrib>UN</uTrib><qTrib>2.0000</qTrib><vUnTrib>50.00</vUnTrib>\
    <indTot>1</indTot></prod><imposto><ICMS><ICMS00><orig>0</orig><CST>00</CST><modBC>3</modBC><vBC>100.00</vBC>\
    <pICMS>18.0000</pICMS><vICMS>18.00</vICMS></ICMS00></ICMS><PIS><PISNT><CST>07</CST></PISNT></PIS><COFINS><COFINSNT>\
    <CST>07</CST></COFINSNT></COFINS></imposto></det><total><ICMSTot><vBC>100.00</vBC><vICMS>18.00</vICMS>\
    <vICMSDeson>0.00</vICMSDeson><vFCP>0.00</vFCP><vBCST>0.00</vBCST><vST>0.00</vST><vFCPST>0.00</vFCPST>\
    <vFCPSTRet>0.00</vFCPSTRet><vProd>100.00</vProd><vFrete>0.00</vFrete><vSeg>0.00</vSeg><vDesc>0.00</vDesc><vII>0.00</vII>\
    <vIPI>0.00</vIPI><vIPIDevol>0.00</vIPIDevol><vPIS>0.00</vPIS><vCOFINS>0.00</vCOFINS><vOutro>0.00</vOutro>\
    <vNF>100.00</vNF></ICMSTot></total><transp><modFrete>9</modFrete></transp><pag><detPag><indPag>0</indPag><tPag>01</tPag>\
    <vPag>100.00</vPag></detPag></pag></infNFe>";

#[test]
fn writes_byte_for_byte_the_document_whose_digest_was_confirmed() {
    let nota = with(
        least(),
        &[
            ("/identificacao/verProc", json!("1.0")),
            ("/emitente", json!({"xNome": "EMPRESA TESTE LTDA", "CRT": 3})),
            ("/produtos/0/xProd", json!("CAFE & ACUCAR")),
            ("/produtos/0/qCom", json!(2)),
            ("/produtos/0/vUnCom", json!(50)),
            ("/produtos/0/vProd", json!(100)),
            ("/produtos/0/icms", json!({"orig": 0, "CST": 0, "modBC": 3, "vBC": 100, "pICMS": 18, "vICMS": 18})),
            ("/pagamentos/0", json!({"indPag": 0, "tPag": "01", "vPag": 100})),
        ],
    );
    let record = emitente();
    let built = nfe::build(&nota, &BuildContext { numero: 1, ..context(55, &record) }).unwrap();
    let namespace = " xmlns=\"http://www.portalfiscal.inf.br/nfe\"";
    assert_eq!(built.xml, format!("<NFe{namespace}>{CONFIRMED}</NFe>"));
    assert_eq!(CONFIRMED.len() + namespace.len(), 2128);
}

#[test]
fn sums_that_no_number_holds_are_refused() {
    let item = with(least(), &[("/produtos/0/vProd", json!("999999999999999999"))])["produtos"][0].clone();
    let nota = with(least(), &[("/produtos", json!([item, item]))]);
    let record = emitente();
    let violations = nfe::build(&nota, &context(55, &record)).unwrap_err();
    assert!(violations.iter().any(|violation| violation.campo == "nota.produtos[0].vProd"), "{violations:?}");
}

#[test]
fn remarks_are_made_once_at_acceptance() {
    let (nota, record) =
        (with(least(), &[("/naoExiste", json!(1)), ("/produtos/0/pis", json!({"CST": "49"}))]), emitente());
    let built = nfe::build(&nota, &context(55, &record)).unwrap();
    let written = nfe::write(&nota, &context(55, &record)).unwrap();
    assert!(built.notices.len() > 1, "{:?}", built.notices);
    assert_eq!((written.notices, written.xml), (Vec::new(), built.xml));
}
