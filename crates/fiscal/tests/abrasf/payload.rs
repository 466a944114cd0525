//! Answers to payloads: violations and notices with the caller's paths, the examples of the reference, defaults, sums.

use fiscal::abrasf::{self, AbrasfDialect, AbrasfVersion, RateUnit};
use fiscal::document::BuildContext;
use fiscal::finding::Notice;
use fiscal::regime::RegimeCalendar;
use serde_json::{Value, json};
use testkit::cases::abrasf::Case;

fn gov() -> AbrasfDialect {
    AbrasfDialect::official(AbrasfVersion::GovDigital201)
}

fn xml(case: &Case, dialect: &AbrasfDialect) -> String {
    case.build(dialect).unwrap_or_else(|found| panic!("{found:#?}")).xml
}

/// The message without the parts that only a signed one has and that others write differently: declarations on signed
/// elements, the two `Id`.
fn bare(xml: &str) -> String {
    xml.replace(" xmlns=\"http://www.abrasf.org.br/nfse.xsd\"", "")
}

fn told<'n>(notices: &'n [Notice], codigo: &str) -> Vec<&'n str> {
    notices.iter().filter(|it| it.codigo == codigo).map(|it| it.campo.as_str()).collect()
}

/// The reference's payload of GovDigital, with its numbers, becomes the RPS of its lot and of its GerarNfse.
#[test]
fn the_example_of_govdigital_is_written() {
    let nota = json!({
        "rps": { "numero": 1, "serie": "1", "tipo": 1 }, "data_emissao": "2026-11-20", "competencia": "2026-11-20",
        "servico": { "valores": { "valor_servicos": 1000.0, "valor_iss": 20.0, "aliquota": 2.0 }, "iss_retido": 2, "item_lista_servico": "1.07",
            "codigo_cnae": "6209100", "codigo_tributacao_municipio": "107", "discriminacao": "Suporte técnico", "codigo_municipio": "3138203",
            "exigibilidade_iss": 1, "municipio_incidencia": "3138203", "municipio_prestacao": "3138203", "pais_prestacao": "1058", "codigo_nbs": "115029000",
            "c_ind_op": "100301", "c_class_trib_reg": "000001" },
        "tomador": { "cpf": "11144477735", "razao_social": "FULANO DE TAL", "endereco": { "endereco": "Rua Exemplo", "numero": "10", "bairro": "Centro",
            "codigo_municipio": "3138203", "uf": "MG", "cep": "37200000" }, "contato": { "email": "fulano@exemplo.com.br" } } });
    let dialect = AbrasfDialect { aliquota: Some(RateUnit::Fraction), ..gov() };
    let declaration = "<Rps><InfDeclaracaoPrestacaoServico Id=\"R1\"><Rps><IdentificacaoRps><Numero>1</Numero><Serie>1</Serie><Tipo>1</Tipo></IdentificacaoRps><DataEmissao>2026-11-20</DataEmissao><Status>1</Status></Rps><Competencia>2026-11-20</Competencia><Servico><Valores><ValorServicos>1000.00</ValorServicos><ValorIss>20.00</ValorIss><Aliquota>0.02</Aliquota></Valores><IssRetido>2</IssRetido><ItemListaServico>1.07</ItemListaServico><CodigoCnae>6209100</CodigoCnae><CodigoTributacaoMunicipio>107</CodigoTributacaoMunicipio><Discriminacao>Suporte técnico</Discriminacao><CodigoMunicipio>3138203</CodigoMunicipio><CodigoPais>1058</CodigoPais><ExigibilidadeISS>1</ExigibilidadeISS><MunicipioIncidencia>3138203</MunicipioIncidencia><MunicipioPrestacao>3138203</MunicipioPrestacao><PaisPrestacao>1058</PaisPrestacao><CodigoNBS>115029000</CodigoNBS><CIndOp>100301</CIndOp><CClassTribReg>000001</CClassTribReg></Servico><Prestador><CpfCnpj><Cnpj>11222333000181</Cnpj></CpfCnpj><InscricaoMunicipal>12345</InscricaoMunicipal></Prestador><Tomador><IdentificacaoTomador><CpfCnpj><Cpf>11144477735</Cpf></CpfCnpj></IdentificacaoTomador><RazaoSocial>FULANO DE TAL</RazaoSocial><Endereco><Endereco>Rua Exemplo</Endereco><Numero>10</Numero><Bairro>Centro</Bairro><CodigoMunicipio>3138203</CodigoMunicipio><Uf>MG</Uf><CodigoPais>1058</CodigoPais><Cep>37200000</Cep></Endereco><Contato><Email>fulano@exemplo.com.br</Email></Contato></Tomador><OptanteSimplesNacional>2</OptanteSimplesNacional><IncentivoFiscal>2</IncentivoFiscal></InfDeclaracaoPrestacaoServico></Rps>";
    let built = Case::with(&nota).build(&dialect).unwrap();
    assert_eq!(
        bare(&built.xml),
        format!(
            "<EnviarLoteRpsSincronoEnvio><LoteRps Id=\"L1\" versao=\"2.01\"><NumeroLote>1</NumeroLote><CpfCnpj><Cnpj>11222333000181</Cnpj></CpfCnpj><InscricaoMunicipal>12345</InscricaoMunicipal><QuantidadeRps>1</QuantidadeRps><ListaRps>{declaration}</ListaRps></LoteRps></EnviarLoteRpsSincronoEnvio>"
        )
    );
    assert_eq!(built.ids.asked_by, "RPS3138203-11222333000181-1-1-1-12345");
    assert_eq!((built.valor.to_string().as_str(), built.destinatario.as_deref()), ("1000.00", Some("11144477735")));
    let gerar = AbrasfDialect { mode: abrasf::SubmissionMode::Gerar, ..dialect };
    assert_eq!(bare(&xml(&Case::with(&nota), &gerar)), format!("<GerarNfseEnvio>{declaration}</GerarNfseEnvio>"));
}

/// The reference's lot of 1.00 and its GerarNfse of 2.04 have one payload.
#[test]
fn the_examples_of_the_first_and_the_last_version_are_written() {
    let nota = json!({ "competencia": "2026-11-20", "servico": { "codigo_cnae": null }, "tomador": { "endereco": null, "contato": null } });
    assert_eq!(
        bare(&xml(&Case::with(&nota), &AbrasfDialect::official(AbrasfVersion::V100))),
        "<EnviarLoteRpsEnvio><LoteRps Id=\"L1\" versao=\"1.00\"><NumeroLote>1</NumeroLote><Cnpj>11222333000181</Cnpj><InscricaoMunicipal>12345</InscricaoMunicipal><QuantidadeRps>1</QuantidadeRps><ListaRps><Rps><InfRps Id=\"R1\"><IdentificacaoRps><Numero>1</Numero><Serie>1</Serie><Tipo>1</Tipo></IdentificacaoRps><DataEmissao>2026-11-20T10:00:00</DataEmissao><NaturezaOperacao>1</NaturezaOperacao><OptanteSimplesNacional>2</OptanteSimplesNacional><IncentivadorCultural>2</IncentivadorCultural><Status>1</Status><Servico><Valores><ValorServicos>1000.00</ValorServicos><IssRetido>2</IssRetido><ValorIss>20.00</ValorIss><BaseCalculo>1000.00</BaseCalculo><Aliquota>0.02</Aliquota><ValorLiquidoNfse>1000.00</ValorLiquidoNfse></Valores><ItemListaServico>1.07</ItemListaServico><CodigoTributacaoMunicipio>107</CodigoTributacaoMunicipio><Discriminacao>Suporte técnico</Discriminacao><CodigoMunicipio>3138203</CodigoMunicipio></Servico><Prestador><Cnpj>11222333000181</Cnpj><InscricaoMunicipal>12345</InscricaoMunicipal></Prestador><Tomador><IdentificacaoTomador><CpfCnpj><Cpf>11144477735</Cpf></CpfCnpj></IdentificacaoTomador><RazaoSocial>FULANO DE TAL</RazaoSocial></Tomador></InfRps></Rps></ListaRps></LoteRps></EnviarLoteRpsEnvio>"
    );
    let nota = json!({ "servico": { "codigo_nbs": "115029000" } });
    let dialect = AbrasfDialect { mode: abrasf::SubmissionMode::Gerar, ..AbrasfDialect::official(AbrasfVersion::V204) };
    assert_eq!(
        bare(&xml(&Case::with(&nota), &dialect)),
        "<GerarNfseEnvio><Rps><InfDeclaracaoPrestacaoServico Id=\"R1\"><Rps><IdentificacaoRps><Numero>1</Numero><Serie>1</Serie><Tipo>1</Tipo></IdentificacaoRps><DataEmissao>2026-11-20</DataEmissao><Status>1</Status></Rps><Competencia>2026-11-20</Competencia><Servico><Valores><ValorServicos>1000.00</ValorServicos><ValorIss>20.00</ValorIss><Aliquota>2.00</Aliquota></Valores><IssRetido>2</IssRetido><ItemListaServico>01.07</ItemListaServico><CodigoCnae>6209100</CodigoCnae><CodigoTributacaoMunicipio>107</CodigoTributacaoMunicipio><CodigoNbs>115029000</CodigoNbs><Discriminacao>Suporte técnico</Discriminacao><CodigoMunicipio>3138203</CodigoMunicipio><ExigibilidadeISS>1</ExigibilidadeISS><MunicipioIncidencia>3138203</MunicipioIncidencia></Servico><Prestador><CpfCnpj><Cnpj>11222333000181</Cnpj></CpfCnpj><InscricaoMunicipal>12345</InscricaoMunicipal></Prestador><TomadorServico><IdentificacaoTomador><CpfCnpj><Cpf>11144477735</Cpf></CpfCnpj></IdentificacaoTomador><RazaoSocial>FULANO DE TAL</RazaoSocial><Endereco><Endereco>Rua Exemplo</Endereco><Numero>10</Numero><Bairro>Centro</Bairro><CodigoMunicipio>3138203</CodigoMunicipio><Uf>MG</Uf><Cep>37200000</Cep></Endereco><Contato><Email>fulano@exemplo.com.br</Email></Contato></TomadorServico><OptanteSimplesNacional>2</OptanteSimplesNacional><IncentivoFiscal>2</IncentivoFiscal></InfDeclaracaoPrestacaoServico></Rps></GerarNfseEnvio>"
    );
}

#[test]
fn what_is_assumed_is_told_and_the_configuration_speaks_first() {
    let built = Case::with(&json!({ "competencia": null })).build(&gov()).unwrap();
    assert_eq!(
        told(&built.notices, "assumido_padrao"),
        [
            "nota.competencia",
            "nota.optante_simples_nacional",
            "nota.incentivo_fiscal",
            "nota.servico.codigo_municipio",
            "nota.servico.exigibilidade_iss",
            "nota.servico.municipio_incidencia",
            "nota.servico.iss_retido",
            "nota.servico.valores.valor_iss",
        ]
    );
    let configured = json!({ "configuracao": { "incentivo_fiscal": true, "inscricao_municipal": "98-7", "regime": { "opSimpNac": 2 } } });
    let text = xml(&Case::of(&configured), &gov());
    for part in [
        "<RegimeEspecialTributacao>5</RegimeEspecialTributacao><OptanteSimplesNacional>1</OptanteSimplesNacional><IncentivoFiscal>1</IncentivoFiscal>",
        "<InscricaoMunicipal>98-7</InscricaoMunicipal>",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn sums_are_to_the_cent() {
    // 10000 - 1500.50 - 100 = 8399.50; 5% = 419.975, half away from zero; 10000 - 726.23 - 150 - 419.98 withheld
    let nota = json!({ "servico": { "iss_retido": 1, "valores": { "valor_servicos": 10000, "valor_deducoes": 1500.5, "valor_pis": 65, "valor_cofins": 300,
        "valor_inss": 110, "valor_ir": 150, "valor_csll": 100, "outras_retencoes": 1.23, "desconto_incondicionado": 100, "desconto_condicionado": 50, "aliquota": 5 } } });
    let text = xml(&Case::with(&nota), &AbrasfDialect::official(AbrasfVersion::V100));
    for part in [
        "<BaseCalculo>8399.50</BaseCalculo>",
        "<ValorIss>419.98</ValorIss><ValorIssRetido>419.98</ValorIssRetido>",
        "<ValorLiquidoNfse>8703.79</ValorLiquidoNfse>",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// Every violation at once, with the caller's paths and names.
#[test]
fn every_problem_is_listed_under_the_path_of_the_caller() {
    let refused = |nota: &Value, dialect: &AbrasfDialect| -> Vec<(String, &'static str)> {
        let found = Case::with(nota).build(dialect).unwrap_err();
        found.into_iter().map(|it| (it.campo, it.codigo)).collect()
    };
    let nota = json!({ "servico": { "discriminacao": null, "exigibilidade_iss": 9, "valores": { "valor_servicos": "mil", "aliquota": { "a": 1 } } },
        "tomador": { "cpf": "11144477736", "endereco": { "uf": "MGX" } }, "competencia": "ontem" });
    let mut found = refused(&nota, &gov());
    found.sort();
    let expected = [
        ("nota.competencia", "valor_invalido"),
        ("nota.servico.discriminacao", "campo_obrigatorio"),
        ("nota.servico.exigibilidade_iss", "valor_invalido"),
        ("nota.servico.valores.aliquota", "tipo_invalido"),
        ("nota.servico.valores.valor_servicos", "tipo_invalido"),
        ("nota.tomador.cpf", "digito_invalido"),
        ("nota.tomador.endereco.uf", "valor_invalido"),
    ];
    assert_eq!(found.iter().map(|(campo, codigo)| (campo.as_str(), *codigo)).collect::<Vec<_>>(), expected);
    let official = json!({ "servico": null, "Servico": { "Valores": { "ValorServicos": 1 } } });
    let found = refused(&official, &gov());
    let campos: Vec<&str> = found.iter().map(|(campo, _)| campo.as_str()).collect();
    assert!(
        campos.contains(&"nota.Servico.Discriminacao") && campos.contains(&"nota.Servico.ItemListaServico"),
        "{campos:?}"
    );
    // the list of items of 2.04 is closed
    let found = refused(
        &json!({ "servico": { "item_lista_servico": "99.99" } }),
        &AbrasfDialect::official(AbrasfVersion::V204),
    );
    assert_eq!(found, [("nota.servico.item_lista_servico".to_owned(), "valor_invalido")]);
    // a party has one document
    let found = refused(&json!({ "tomador": { "cpf": "11144477735", "cnpj": "11222333000181" } }), &gov());
    assert_eq!(found, [("nota.tomador.cnpj".to_owned(), "valor_divergente")]);
}

#[test]
fn another_prestador_a_repeated_field_and_a_company_without_a_provider_are_refused() {
    let refused = |nota: &Value| {
        let found = Case::with(nota).build(&gov()).unwrap_err();
        found.into_iter().map(|it| (it.campo, it.codigo)).collect::<Vec<_>>()
    };
    assert_eq!(
        refused(&json!({ "prestador": { "cpf_cnpj": { "cnpj": "12ABC34501DE35" } } })),
        [("nota.prestador.cpf_cnpj.cnpj".to_owned(), "emitente_divergente")]
    );
    assert_eq!(
        refused(&json!({ "Servico": { "Discriminacao": "outra" } })),
        [("nota.Servico.Discriminacao".to_owned(), "valor_divergente")]
    );
    let case = Case::with(&json!({}));
    let found = case.in_context(&gov(), |nota, context| {
        let none = fiscal::document::BuildContext {
            dialeto: None,
            leiaute: fiscal::nfse::layouts::DpsLayout::Current,
            emitente: context.emitente,
            regimes: None,
            configuracao: context.configuracao,
            ..*context
        };
        abrasf::build(nota, &none).unwrap_err()
    });
    assert_eq!(found[0].codigo, "empresa_sem_configuracao");
}

#[test]
fn what_another_version_has_is_told_and_what_none_has_is_suggested() {
    let nota = json!({ "servico": { "codigo_nbs": "115029000", "discriminacaoo": "x" }, "informacoes_complementares": "y", "qualquer": { "a": 1 } });
    let built = Case::with(&nota).build(&AbrasfDialect::official(AbrasfVersion::V201)).unwrap();
    assert_eq!(told(&built.notices, "campo_ignorado"), ["nota.servico.codigo_nbs", "nota.informacoes_complementares"]);
    assert_eq!(told(&built.notices, "campo_desconhecido"), ["nota.servico.discriminacaoo", "nota.qualquer"]);
    let hint = built.notices.iter().find(|it| it.campo.ends_with("discriminacaoo")).unwrap();
    assert_eq!(hint.sugestao.as_deref(), Some("discriminacao"));
}

#[test]
fn a_code_that_the_version_names_otherwise_is_translated_or_refused() {
    let text = |nota: &Value, version| xml(&Case::with(nota), &AbrasfDialect::official(version));
    assert!(
        text(&json!({ "servico": { "exigibilidade_iss": 5 } }), AbrasfVersion::V100).contains("<NaturezaOperacao>4<")
    );
    assert!(text(&json!({ "natureza_operacao": 6 }), AbrasfVersion::V202).contains("<ExigibilidadeISS>7<"));
    let found = Case::with(&json!({ "servico": { "exigibilidade_iss": 4 } }))
        .build(&AbrasfDialect::official(AbrasfVersion::V100))
        .unwrap_err();
    assert_eq!((found[0].campo.as_str(), found[0].codigo), ("nota.servico.exigibilidade_iss", "valor_invalido"));
    assert!(found[0].mensagem.contains("natureza"), "{}", found[0].mensagem);
}

#[test]
fn refusals_of_the_city_hall_are_foreseen_with_their_codes() {
    let foreseen = |patch: &Value, version| {
        let case = Case::of(patch);
        let review = case.in_context(&AbrasfDialect::official(version), abrasf::review);
        let told = review.notices.into_iter().filter(|it| it.codigo == "rejeicao_prevista");
        let mut told: Vec<(String, String)> =
            told.map(|it| (it.codigo_status.unwrap().to_string(), it.campo)).collect();
        told.sort();
        told
    };
    assert_eq!(foreseen(&json!({}), AbrasfVersion::GovDigital201), []);
    assert_eq!(foreseen(&json!({}), AbrasfVersion::V100), []);
    let one = |patch: Value, codigo: &str, campo: &str| {
        assert_eq!(foreseen(&patch, AbrasfVersion::GovDigital201), [(codigo.to_owned(), campo.to_owned())], "{patch}");
    };
    let nota = |nota: Value| json!({ "nota": nota });
    let values = |values: Value| json!({ "nota": { "servico": { "valores": values } } });
    one(nota(json!({ "competencia": "2026-12-01" })), "E2", "nota.competencia");
    one(nota(json!({ "data_emissao": "2026-11-21" })), "E16", "nota.data_emissao");
    one(values(json!({ "valor_servicos": 0 })), "E18", "nota.servico.valores.valor_servicos");
    one(values(json!({ "valor_deducoes": 1000.01, "valor_iss": 0 })), "E19", "nota.servico.valores.valor_deducoes");
    one(values(json!({ "desconto_condicionado": 1001 })), "E21", "nota.servico.valores.desconto_incondicionado");
    one(values(json!({ "valor_ir": 1001 })), "E99", "nota.servico.valores.valor_servicos");
    one(
        nota(json!({ "servico": { "iss_retido": 1, "exigibilidade_iss": 3, "valores": { "valor_iss": 1 } } })),
        "E37",
        "nota.servico.iss_retido",
    );
    one(nota(json!({ "servico": { "iss_retido": 1 }, "incentivo_fiscal": 1 })), "E38", "nota.servico.iss_retido");
    one(
        nota(json!({ "servico": { "iss_retido": 1, "valores": { "aliquota": null } } })),
        "E40",
        "nota.servico.valores.aliquota",
    );
    one(
        nota(json!({ "servico": { "codigo_municipio": 3138299, "municipio_incidencia": 3138203 } })),
        "E42",
        "nota.servico.codigo_municipio",
    );
    one(nota(json!({ "tomador": { "cpf": null, "cnpj": "11222333000181" } })), "E52", "nota.tomador.cnpj");
    one(
        nota(json!({ "tomador": { "inscricao_municipal": "9", "endereco": { "codigo_municipio": 3550308 } } })),
        "E53",
        "nota.tomador.inscricao_municipal",
    );
    one(nota(json!({ "tomador": { "razao_social": null } })), "E118", "nota.tomador.razao_social");
    one(json!({ "configuracao": { "inscricao_municipal": null } }), "E141", "nota.prestador.inscricao_municipal");
    let company = json!({ "nota": { "tomador": { "cpf": null, "cnpj": "12ABC34501DE35", "endereco": null } } });
    let codes: Vec<String> =
        foreseen(&company, AbrasfVersion::GovDigital201).into_iter().map(|(codigo, _)| codigo).collect();
    assert_eq!(codes, ["E113", "E114", "E115", "E56", "E59"]);
    let outside = json!({ "nota": { "natureza_operacao": 2, "servico": { "valores": { "aliquota": null } } } });
    let codes: Vec<String> = foreseen(&outside, AbrasfVersion::V100).into_iter().map(|(codigo, _)| codigo).collect();
    assert_eq!(codes, ["E110", "E123", "E161"]);
}

#[test]
fn a_number_that_is_asked_for_is_found_under_any_name() {
    for nota in [
        json!({ "rps": { "numero": 15, "serie": "a1" } }),
        json!({ "Rps": { "IdentificacaoRps": { "Numero": "15", "Serie": "A1" } } }),
        json!({ "identificacao_rps": { "numero": 15, "serie": "A1" } }),
        json!({ "InfRps": { "IdentificacaoRps": { "Numero": 15, "Serie": "A1" } } }),
        json!({ "infDPS": { "nDPS": 15, "serie": "A1" } }),
    ] {
        let asked = abrasf::numbering(&nota);
        assert_eq!((asked.numero, asked.serie.unwrap().as_str()), (Some(15), "A1"), "{nota}");
    }
    assert_eq!(
        abrasf::numbering(&json!({ "rps": { "numero": 0 }, "servico": [] })),
        fiscal::document::RequestedNumber::default()
    );
    let case = Case::of(&json!({ "serie": "NF", "numero": 77 }));
    let built = case.build(&gov()).unwrap();
    assert_eq!(
        (built.ids.id.as_str(), built.ids.asked_by.as_str()),
        ("R77", "RPS3138203-11222333000181-1-NF-77-12345")
    );
    assert!(built.xml.contains("<Numero>77</Numero><Serie>NF</Serie>"));
}

#[test]
fn a_provider_may_have_its_own_namespace_and_attribute() {
    let dialect = AbrasfDialect {
        namespace: "http://nfse.abase.com.br/nfse.xsd".into(),
        id_attribute: abrasf::IdAttribute::Small,
        ..AbrasfDialect::official(AbrasfVersion::V201)
    };
    let built = Case::with(&json!({})).build(&dialect).unwrap();
    // this text is checked against the layout, in its own namespace
    assert!(built.xml.starts_with("<EnviarLoteRpsSincronoEnvio xmlns=\"http://nfse.abase.com.br/nfse.xsd\"><LoteRps xmlns=\"http://nfse.abase.com.br/nfse.xsd\" id=\"L1\""));
}

/// No payload causes a panic, and every answer is bounded.
#[test]
fn a_hostile_payload_is_refused_in_bounds() {
    let deep = (0..100).fold(json!(1), |inner, _| json!({ "servico": [inner] }));
    let many: Vec<Value> = (0..5_000).map(|_| json!({ "tipo_deducao": 1 })).collect();
    for nota in [
        json!(null),
        json!([]),
        json!("x"),
        json!({ "servico": [], "tomador": "x", "rps": 7 }),
        json!({ "servico": { "servico": deep }, "tomador": deep }),
        json!({ "deducao": many }),
        json!({ "servico": { "valores": { "valor_servicos": "9".repeat(60), "aliquota": "-1e9" }, "item_lista_servico": "é.é", "discriminacao": "\u{0}\u{ffff}" } }),
        json!({ "tomador": { "endereco": { "cep": "é" } }, "data_emissao": "éééééééééé", "competencia": "2026-02-30" }),
    ] {
        for version in AbrasfVersion::ALL {
            let case = Case {
                folder: "hostile".into(),
                input: json!({ "emitente": { "CNPJ": "11222333000181", "cMun": 3_138_203 }, "configuracao": {}, "nota": nota }),
            };
            let found = case.build(&AbrasfDialect::official(version)).unwrap_err();
            assert!(!found.is_empty() && found.len() <= 2_000, "{version} {nota}: {}", found.len());
        }
    }
}

#[test]
fn the_regime_is_that_of_the_day_of_the_rps() {
    let calendar = RegimeCalendar::of_record(&json!({ "regimes": [{ "a_partir_de": "2026-11-01", "crt": 1 }] }));
    let dialect = gov();
    for (day, optante) in [("2026-10-31", "2"), ("2026-11-01", "1")] {
        let case = Case::of(&json!({ "configuracao": { "regime": null }, "nota": { "rps": { "data_emissao": day } } }));
        let built = case.in_context(&dialect, |nota, context| {
            abrasf::build(nota, &BuildContext { regimes: Some(&calendar), ..*context })
        });
        let xml = built.unwrap().xml;
        let written = format!("<OptanteSimplesNacional>{optante}</OptanteSimplesNacional>");
        assert!(xml.contains(&written) && xml.contains(&format!("<DataEmissao>{day}")), "{day}: {xml}");
    }
}
