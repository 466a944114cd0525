//! Resolution of a company's row.

use super::*;

fn hom(codigo: u32, said: &ProviderChoice<'_>) -> Result<ResolvedProvider, NotUsable> {
    ProviderTable::builtin().resolve(codigo, TpAmb::Homologacao, said)
}

#[test]
fn the_table_has_every_row_of_its_sources() {
    assert_eq!(
        AbrasfOverlay::builtin().and_then(|ours| ProviderTable::builtin().with_overlay(&ours)).map(drop),
        Ok(())
    );
    let providers = ProviderTable::builtin();
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for row in providers.rows() {
        *names.entry(&row.provider).or_default() += 1;
    }
    // every general version, and the providers of the source: 42 in 51 versions; each row has a golden request
    assert_eq!(names.remove("abrasf"), Some(6));
    assert!(names.len() >= 41 && names.values().sum::<usize>() >= 50, "{names:?}");
    assert_eq!(providers.own_layouts().count(), 11);
    assert!(providers.municipalities().count() >= 1_866);
    let has_row = |municipality: &&MunicipalityRow| {
        providers.of(&municipality.provider).iter().any(|row| row.version == municipality.version)
    };
    assert!(providers.municipalities().filter(has_row).count() >= 970);
    assert_eq!(providers.municipalities().filter(|municipality| municipality.divergent.is_some()).count(), 341);
    assert_eq!(providers.national_cities().count(), 2_598);
}

#[test]
fn a_row_of_the_municipality_is_enough_where_all_agree() {
    let resolved = hom(LAVRAS, &ProviderChoice::default()).unwrap();
    assert_eq!((resolved.row.name().as_str(), resolved.dialect.mode), ("GovDigital 2.01", SubmissionMode::Sincrono));
    assert_eq!(resolved.dialect.version.word(), "govdigital-2.01");
    assert_eq!((resolved.authority.as_str(), resolved.own_address), ("MUNICIPIO-3138203", false));
    // the source marks the município, not the provider
    assert_eq!(resolved.dialect.aliquota, Some(RateUnit::Percent));
    assert_eq!(hom(3_152_808, &ProviderChoice::default()).unwrap().dialect.aliquota, None);
    let service = |service| resolved.endpoint(service, &company()).map(|endpoint| endpoint.name);
    assert_eq!(service(AuthorityService::Autorizacao), Some("RecepcionarLoteRpsSincrono"));
    assert_eq!(service(AuthorityService::RetAutorizacao), Some("ConsultarLoteRps"));
    assert_eq!(service(AuthorityService::RecepcaoEvento), Some("CancelarNfse"));
    assert_eq!(service(AuthorityService::Inutilizacao), None);
}

#[test]
fn what_the_company_says_wins() {
    let url = Some("https://nota.example/ws");
    let said = ProviderChoice {
        provedor: Some("webiss"),
        versao: Some("2.02"),
        url,
        modo: Some("gerar"),
        aliquota: Some("fracao"),
    };
    let resolved = hom(LAVRAS, &said).unwrap();
    assert_eq!((resolved.row.name().as_str(), resolved.own_address), ("WebISS 2.02", true));
    assert_eq!((resolved.dialect.mode, resolved.dialect.aliquota), (SubmissionMode::Gerar, Some(RateUnit::Fraction)));
    assert_eq!(resolved.address(), "https://nota.example/ws");
    // an alias resolves to its provider, and a provider with one row needs no version
    let said = ProviderChoice { provedor: Some("Sonner"), ..ProviderChoice::default() };
    assert_eq!(hom(LAVRAS, &said).unwrap().row.name(), "GovDigital 2.01");
    // without a provider's row: the manual's defaults
    let said = ProviderChoice { provedor: Some("abrasf"), versao: Some("2.04"), url, ..ProviderChoice::default() };
    let resolved = hom(5_300_108, &said).unwrap();
    assert_eq!((resolved.row.name().as_str(), resolved.dialect.aliquota), ("abrasf 2.04", None));
    let header = resolved.row.header.clone().unwrap();
    assert_eq!(
        resolved.row.filled(&header, AbrasfOperation::GerarNfse, ""),
        r#"<cabecalho xmlns="http://www.abrasf.org.br/nfse.xsd" versao="2.04"><versaoDados>2.04</versaoDados></cabecalho>"#
    );
}

/// Checks that each configuration is refused in homologação with this text.
fn refuses(cases: &[(&str, u32, ProviderChoice<'_>, &str)]) {
    for (what, codigo, said, expected) in cases {
        let refused = hom(*codigo, said).unwrap_err().to_string();
        assert!(refused.contains(expected), "{what}: {refused}");
    }
}

#[test]
fn what_is_not_sure_is_refused_with_what_to_configure() {
    let url = Some("https://nota.example/ws");
    let all = ProviderChoice::default();
    refuses(&[
        ("no row", 1_100_015, all, "não está na tabela de provedores: informe provedor, versao e a URL"),
        (
            "divergent",
            3_122_306,
            all,
            "as fontes divergem sobre o provedor do município (GovDigital 2.01 ou Betha 2.02): informe provedor e versao",
        ),
        (
            "own layout",
            3_550_308,
            all,
            "o provedor ISSSaoPaulo usa leiaute próprio (Nota Paulistana: mensagens próprias",
        ),
        ("no provider", 1_100_015, ProviderChoice { provedor: Some("WebIS"), url, ..all }, "a mais próxima é WebISS"),
        (
            "no version",
            LAVRAS,
            ProviderChoice { provedor: Some("WebISS"), versao: Some("2.04"), url, ..all },
            "não há linha do provedor WebISS na versão 2.04; há: 1.00, 2.02",
        ),
        (
            "which version",
            LAVRAS,
            ProviderChoice { provedor: Some("WebISS"), url, ..all },
            "informe versao na configuração de NFS-e da empresa: o provedor WebISS tem 1.00, 2.02",
        ),
        (
            "another version of the table",
            3_127_107,
            all,
            "não há linha do provedor GovDigital na versão 2.00; há: 2.01",
        ),
        (
            "off",
            LAVRAS,
            ProviderChoice { provedor: Some("Giss"), versao: Some("2.04"), url, ..all },
            "a linha Giss 2.04 está desligada: cada mensagem tem um namespace próprio",
        ),
    ]);
}

#[test]
fn an_address_or_a_word_that_is_not_sure_is_refused_likewise() {
    let url = Some("https://nota.example/ws");
    let all = ProviderChoice::default();
    refuses(&[
        (
            "another's municipality",
            3_550_308,
            ProviderChoice { provedor: Some("WebISS"), versao: Some("2.02"), ..all },
            "informe url_homologacao na configuração",
        ),
        ("wrong environment", 3_146_107, all, "a URL de homologação que a fonte traz não deve ser usada"),
        ("same address", 2_611_606, all, "é a mesma de produção: um teste pode gerar nota real"),
        (
            "clear",
            LAVRAS,
            ProviderChoice { url: Some("http://nota.example"), ..all },
            "url_homologacao deve ser um endereço https://",
        ),
        ("one address each", 4_205_902, all, "este provedor tem uma URL por operação"),
        (
            "no such mode",
            LAVRAS,
            ProviderChoice { modo: Some("assincrono"), ..all },
            "modo deve ser um destes: sincrono, lote, gerar",
        ),
        (
            "no mode",
            LAVRAS,
            ProviderChoice { provedor: Some("BHISS"), url, modo: Some("gerar"), ..all },
            "o provedor BHISS 1.00 não tem o modo gerar; tem: lote",
        ),
    ]);
    let producao = |codigo| ProviderTable::builtin().resolve(codigo, TpAmb::Producao, &all).unwrap_err().to_string();
    assert!(producao(3_103_504).contains("não deve ser usada"), "Araguari");
    assert!(producao(4_306_767).contains("as fontes divergem"), "Eldorado do Sul");
    let said = ProviderChoice { provedor: Some("Pronim"), versao: Some("1.00"), ..all };
    let refused = ProviderTable::builtin().resolve(4_306_767, TpAmb::Producao, &said).unwrap_err().to_string();
    assert!(refused.contains("informe url_producao"), "{refused}");
}

#[test]
fn an_address_in_the_clear_is_called_over_tls_or_not_at_all() {
    let providers = ProviderTable::builtin();
    let mut plain = 0;
    for municipality in providers.municipalities() {
        for ambiente in [TpAmb::Producao, TpAmb::Homologacao] {
            plain += usize::from(municipality.url(ambiente).starts_with("http://"));
            let said = ProviderChoice {
                provedor: Some(&municipality.provider),
                aliquota: Some("percentual"),
                ..ProviderChoice::default()
            };
            if let Ok(resolved) = providers.resolve(municipality.codigo, ambiente, &said) {
                for operation in AbrasfOperation::ALL {
                    let endpoint = resolved.endpoint_of(operation, &company());
                    assert!(endpoint.is_none_or(|endpoint| endpoint.url.starts_with("https://")), "{municipality:?}");
                }
            }
        }
    }
    assert!(plain > 500, "{plain}");
    let resolved = ProviderTable::builtin().resolve(
        3_101_607,
        TpAmb::Producao,
        &ProviderChoice { provedor: Some("Betha"), versao: Some("2.02"), ..ProviderChoice::default() },
    );
    assert!(resolved.is_err_and(|why| why.to_string().contains("uma URL por operação")));
}

#[test]
fn one_address_for_each_operation_is_made_by_the_row() {
    let abaco = hom(1_200_401, &ProviderChoice::default()).unwrap();
    let url = |operation| abaco.endpoint_of(operation, &company()).unwrap().url;
    let base = "https://homologa.e-nfs.com.br/riobranco/servlet";
    assert_eq!(url(AbrasfOperation::RecepcionarLoteRps), format!("{base}/arecepcionarloterps"));
    assert_eq!(url(AbrasfOperation::ConsultarNfsePorRps), format!("{base}/aconsultarnfseporrps"));
}

#[test]
fn an_operator_changes_rows_and_municipalities_key_by_key() {
    let table = EndpointTable::with_overrides(
        r#"
        [abrasf.provider.Giss."2.04"]
        off = false
        [abrasf.provider.Nova."2.04"]
        soap = "1.1"
        namespace = "urn:nova"
        request = "{Op}"
        data_argument = "xml"
        content = "escaped"
        action = "{Op}"
        data_namespace = "http://www.abrasf.org.br/nfse.xsd"
        signs = { rps = "Rps/InfDeclaracaoPrestacaoServico" }
        mode = "gerar"
        [abrasf.provider.Nova."2.03"]
        like = "2.04"
        mode = "sincrono"
        [abrasf.municipality.3138203]
        homologacao = "https://nova.example/ws"
        [abrasf.municipality.5300108]
        provider = "Nova"
        version = "2.03"
        producao = { RecepcionarLoteRpsSincrono = "https://nova.example/envio", ConsultarNfsePorRps = "https://nova.example/consulta" }
        [abrasf.municipality.3122306]
        provider = "GovDigital"
        "#,
    )
    .unwrap();
    let providers = table.providers();
    let resolve = |codigo, ambiente| providers.resolve(codigo, ambiente, &ProviderChoice::default());
    assert_eq!(resolve(LAVRAS, TpAmb::Homologacao).unwrap().address(), "https://nova.example/ws");
    assert_eq!(resolve(LAVRAS, TpAmb::Producao).unwrap().address(), "https://ws.nfe-cidades.com.br/ws/lavr");
    let nova = resolve(5_300_108, TpAmb::Producao).unwrap();
    assert_eq!((nova.row.name().as_str(), nova.address()), ("Nova 2.03", "https://nova.example/envio"));
    assert!(nova.has(AbrasfOperation::ConsultarNfsePorRps) && !nova.has(AbrasfOperation::CancelarNfse));
    // naming the provider chooses between the two that sources name
    assert_eq!(resolve(3_122_306, TpAmb::Producao).unwrap().row.name(), "GovDigital 2.01");
    assert!(providers.of("Giss")[0].off.is_none() && ProviderTable::builtin().of("Giss")[0].off.is_some());
    assert_eq!(providers.municipalities().count(), 1_866);
    let none =
        EndpointTable::with_overrides("abrasf.municipality.1100015 = { provider = \"WebISS\", version = \"2.02\" }")
            .unwrap();
    assert_eq!(none.providers().municipalities().count(), 1_867);
}

#[test]
fn who_wants_its_questions_signed_gets_no_question_that_is_not() {
    let table = EndpointTable::with_overrides("[abrasf.provider.DSF.\"2.03\"]\noff = false").unwrap();
    let said = |provedor| ProviderChoice {
        provedor: Some(provedor),
        url: Some("https://x.example/ws"),
        ..ProviderChoice::default()
    };
    let asked_by = "RPS5300108-11222333000181-1-1-1-12345";
    // (row, the query of an RPS is signed, the query of a batch is signed)
    for (provedor, of_rps, of_batch) in [("ISSNet", true, false), ("DSF", true, true), ("GovDigital", false, false)] {
        let said = ProviderChoice { versao: (provedor == "DSF").then_some("2.03"), ..said(provedor) };
        let resolved = table.providers().resolve(5_300_108, TpAmb::Producao, &said).unwrap();
        let rps = resolved.endpoint(AuthorityService::ConsultaProtocolo, &company()).unwrap();
        assert_eq!(WireProtocol::Abrasf.query(&rps, TpAmb::Producao, asked_by).is_none(), of_rps, "{provedor}");
        let batch = resolved.endpoint(AuthorityService::RetAutorizacao, &company()).unwrap();
        let question = batch_question(&batch, "P1").unwrap();
        assert_eq!(!question.signatures.is_empty(), of_batch, "{provedor}");
        assert!(question.xml.contains("<Protocolo>P1</Protocolo>"), "{}", question.xml);
    }
}

#[test]
fn a_template_replaces_every_address_a_companys_own_too_since_nothing_leaves_a_sandbox() {
    let url = r#"abrasf.template.url = "https://127.0.0.1:9443/municipal/{provider}/{city}/{ambiente}""#;
    let table = EndpointTable::with_overrides(url).unwrap();
    let of = |codigo, said: &ProviderChoice<'_>| table.providers().resolve(codigo, TpAmb::Homologacao, said).unwrap();
    assert_eq!(
        of(LAVRAS, &ProviderChoice::default()).address(),
        "https://127.0.0.1:9443/municipal/GovDigital-2.01/3138203/hom"
    );
    let abaco = of(1_200_401, &ProviderChoice::default());
    let asked = abaco.endpoint(AuthorityService::ConsultaProtocolo, &company()).unwrap();
    assert_eq!(asked.url, "https://127.0.0.1:9443/municipal/Abaco-1.00/1200401/hom");
    let said = ProviderChoice { url: Some("https://nota.example/ws"), ..ProviderChoice::default() };
    let own = of(LAVRAS, &said);
    assert_eq!(own.address(), of(LAVRAS, &ProviderChoice::default()).address());
    assert!(!own.own_address, "what the operator gave is not judged as a company's");
}

#[test]
fn a_wrong_key_is_named_with_the_nearest_right_one() {
    for (toml, expected) in [
        ("abrasf.providr = 1", "abrasf.providr é uma chave desconhecida; a mais próxima é provider"),
        (
            "[abrasf.provider.WebISS.\"2.02\"]\nsoop = '1.1'",
            "abrasf.provider.WebISS.2.02.soop é uma chave desconhecida; a mais próxima é soap",
        ),
        ("[abrasf.provider.WebISS.\"2.02\"]\nsoap = '1.3'", "soap deve ser um destes: 1.1, 1.2"),
        ("[abrasf.provider.WebISS.\"2.02\"]\noff = true", "off deve ser o motivo (texto) ou false"),
        (
            "[abrasf.provider.WebISS.\"2.02\"]\nnames = { GerarNota = 'x' }",
            "names.GerarNota é uma chave desconhecida; a mais próxima é GerarNfse",
        ),
        (
            "[abrasf.provider.WebISS.\"2.02\"]\nsigns = { lot = 'x' }",
            "signs.lot é uma chave desconhecida; a mais próxima é lote",
        ),
        ("[abrasf.provider.Nova.\"2.04\"]\nsoap = '1.1'", "falta"),
        ("[abrasf.provider.Nova.\"3.00\"]\nlike = '2.04'", "não há a versão 2.04 de Nova"),
        ("[abrasf.provider.Nova.\"2.04\"]\nlike = '2.04'", "like volta a si mesma"),
        ("[abrasf.municipality.1]", "abrasf.municipality.1 não é o código do IBGE de um município"),
        ("abrasf.municipality.3138203.producao = 'http://x'", "producao deve começar com https://"),
        ("abrasf.municipality.3138203.aliquota = 'dez'", "aliquota deve ser um destes: percentual, fracao"),
        ("abrasf.municipality.3138203.prov = 'x'", "prov é uma chave desconhecida; a mais próxima é provider"),
        (
            "abrasf.template.url = 'https://x/{cidade}'",
            "abrasf.template.url tem {cidade}, desconhecido; a mais próxima é city",
        ),
    ] {
        let InvalidTable(message) = EndpointTable::with_overrides(toml).unwrap_err();
        assert!(message.contains(expected), "{toml}: {message}");
    }
}

#[test]
fn a_municipality_is_explained_with_what_it_needs_and_why() {
    let providers = ProviderTable::builtin();
    let lavras = providers.explain(LAVRAS, false).unwrap();
    assert_eq!(
        (lavras.nome, lavras.provider.as_deref(), lavras.version.as_deref()),
        ("Lavras", Some("GovDigital"), Some("2.01"))
    );
    let protocol = lavras.protocol.unwrap();
    assert_eq!(
        (protocol.soap, protocol.mode, protocol.aliquota, protocol.off),
        ("1.1", "sincrono", Some("percentual"), None)
    );
    assert_eq!(protocol.signs, ["rps", "lote", "cancelamento"]);
    assert_eq!(
        lavras.homologacao,
        EnvironmentStatus::Usable("https://ws.homolog.nfe-cidades.com.br/ws/lavr".to_owned())
    );
    assert!(lavras.needs.iter().any(|need| need.contains("série")), "{:?}", lavras.needs);
    assert!(lavras.why.iter().any(|why| why.contains("unidade da alíquota")), "{:?}", lavras.why);
    let ariquemes = providers.explain(1_100_023, false).unwrap();
    assert!(ariquemes.needs.iter().any(|need| need.contains("prefeitura.senha")), "{:?}", ariquemes.needs);
    assert!(ariquemes.why.iter().any(|why| why.contains("URL de homologacao em http")), "{:?}", ariquemes.why);
    let national = providers.explain(3_122_306, false).unwrap();
    assert!(matches!(national.producao, EnvironmentStatus::NotUsable(NotUsable::National { .. })), "{national:?}");
    let divergent = providers.explain(1_100_122, false).unwrap();
    assert!(matches!(divergent.producao, EnvironmentStatus::NotUsable(NotUsable::Divergent { .. })), "{divergent:?}");
    let none = providers.explain(1_100_015, false).unwrap();
    assert_eq!((none.provider, none.producao), (None, EnvironmentStatus::NotUsable(NotUsable::NoRow(1_100_015))));
    assert_eq!(providers.explain(9_999_999, false), None);
}
