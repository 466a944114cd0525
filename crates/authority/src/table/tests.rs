//! The whole matrix as a readable page, and the errors of an operator's file.

use super::*;
use std::fmt::Write as _;

const ROLES: [AuthorityRole; 4] =
    [AuthorityRole::Normal, AuthorityRole::Contingency, AuthorityRole::National, AuthorityRole::Unregistered];
const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tables");
const PAGES_OF: [(u8, &str, &str); 5] = [
    (55, "NF-e", "nfe.matrix.txt"),
    (65, "NFC-e", "nfce.matrix.txt"),
    (57, "CT-e", "cte.matrix.txt"),
    (67, "CT-e OS", "cteos.matrix.txt"),
    (DPS, "NFS-e", "nfse.matrix.txt"),
];

#[test]
fn every_state_resolves_as_the_pages_say() {
    for (modelo, name, file) in PAGES_OF {
        let page = page(&EndpointTable::builtin(), modelo, name);
        let file = format!("{PAGES}/{file}");
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            std::fs::write(&file, &page).unwrap();
        }
        let expected = std::fs::read_to_string(&file).unwrap();
        assert_eq!(page, expected, "UPDATE_SNAPSHOTS=1 rewrites {file}");
    }
}

/// UF × role, then authority × environment × service. The second part does not depend on the state, which is asserted.
fn page(table: &EndpointTable, modelo: u8, name: &str) -> String {
    let wire = wire(modelo).unwrap();
    let mut page =
        format!("{name} (model {modelo}): who answers for each state\n\nUF  normal  contingency  national\n");
    for uf in Uf::ALL {
        let [normal, contingency, national, _] = ROLES.map(|role| table.authority(uf, modelo, role).unwrap_or("-"));
        writeln!(page, "{}  {normal:<6}  {contingency:<11}  {national}", uf.sigla()).unwrap();
    }
    let mut rows: BTreeMap<(String, &str), BTreeMap<AuthorityService, Endpoint>> = BTreeMap::new();
    for (uf, ambiente, service, role) in everything() {
        let Ok(endpoint) = table.endpoint(uf, modelo, ambiente, service, role) else { continue };
        let row = rows.entry((endpoint.authority.clone(), ambiente.word())).or_default();
        assert_eq!(row.entry(service).or_insert_with(|| endpoint.clone()), &endpoint);
    }
    for ((authority, ambiente), services) in rows {
        writeln!(page, "\n{authority} {ambiente}").unwrap();
        for official in wire.services() {
            match services.get(&official.service) {
                Some(found) => {
                    assert_eq!((found.name, found.operation), (official.name, official.operation));
                    let operation = found.action.rsplit('/').next().unwrap();
                    writeln!(page, "  {:<21} {operation:<21} {}", official.name, found.url).unwrap();
                }
                None => writeln!(page, "  {:<21} -", official.name).unwrap(),
            }
        }
    }
    page
}

fn everything() -> impl Iterator<Item = (Uf, TpAmb, AuthorityService, AuthorityRole)> {
    let ambientes = [TpAmb::Producao, TpAmb::Homologacao];
    Uf::ALL.into_iter().flat_map(move |uf| {
        ambientes.into_iter().flat_map(move |ambiente| {
            let services = AuthorityService::ALL.into_iter();
            services.flat_map(move |service| ROLES.into_iter().map(move |role| (uf, ambiente, service, role)))
        })
    })
}

#[test]
fn what_issuing_needs_is_there_for_every_state_environment_and_role() {
    use AuthorityService::*;
    let table = EndpointTable::builtin();
    for (uf, ambiente, service, role) in everything() {
        let expected = match role {
            AuthorityRole::Normal => !matches!(service, DistribuicaoDFe | ConsultaCadastro),
            AuthorityRole::Contingency => !matches!(service, DistribuicaoDFe | ConsultaCadastro | Inutilizacao),
            AuthorityRole::National => matches!(service, DistribuicaoDFe | RecepcaoEvento),
            AuthorityRole::Unregistered => service != DistribuicaoDFe,
        };
        let found = table.endpoint(uf, 55, ambiente, service, role);
        if service == ConsultaCadastro && role == AuthorityRole::Normal {
            // SVAN and AM have none
            assert_eq!(found.is_ok(), !matches!(uf, Uf::MA | Uf::AM), "{uf:?}");
        } else {
            assert_eq!(found.is_ok(), expected, "{uf:?} {ambiente:?} {service:?} {role:?}");
        }
    }
}

/// The NFC-e has neither SVC nor Ambiente Nacional; the register is queried under model 55.
#[test]
fn what_an_nfce_needs_is_there_for_every_state_and_environment() {
    use AuthorityService::*;
    let table = EndpointTable::builtin();
    for (uf, ambiente, service, role) in everything() {
        let needed = role == AuthorityRole::Normal && !matches!(service, DistribuicaoDFe | ConsultaCadastro);
        let found = table.endpoint(uf, 65, ambiente, service, role);
        if needed || role != AuthorityRole::Normal {
            assert_eq!(found.is_ok(), needed, "{uf:?} {ambiente:?} {service:?} {role:?}");
        }
    }
}

/// Both models, every state, both environments: the state's authority and its SVC offer all services, the Ambiente
/// Nacional distribution alone.
#[test]
fn what_a_cte_needs_is_there_for_every_state_environment_and_role() {
    use AuthorityService::*;
    let table = EndpointTable::builtin();
    for modelo in [57, 67] {
        for (uf, ambiente, service, role) in everything() {
            let expected = match role {
                AuthorityRole::Normal | AuthorityRole::Contingency => {
                    matches!(service, Autorizacao | ConsultaProtocolo | StatusServico | RecepcaoEvento)
                }
                AuthorityRole::National => service == DistribuicaoDFe,
                AuthorityRole::Unregistered => false,
            };
            let found = table.endpoint(uf, modelo, ambiente, service, role);
            assert_eq!(found.is_ok(), expected, "{modelo} {uf:?} {ambiente:?} {service:?} {role:?}");
        }
    }
}

/// A state whose SVC is on its own host would have no authority left when that host is down.
#[test]
fn no_svc_of_the_cte_stands_on_the_host_of_the_authority_it_stands_in_for() {
    let table = EndpointTable::builtin();
    let host = |uf, ambiente, role| {
        let endpoint = table.endpoint(uf, 57, ambiente, AuthorityService::Autorizacao, role).unwrap();
        endpoint.url.split('/').nth(2).unwrap().to_owned()
    };
    for uf in Uf::ALL {
        for ambiente in [TpAmb::Producao, TpAmb::Homologacao] {
            assert_ne!(
                host(uf, ambiente, AuthorityRole::Normal),
                host(uf, ambiente, AuthorityRole::Contingency),
                "{uf:?}"
            );
        }
    }
}

#[test]
fn the_two_models_of_the_cte_differ_by_the_service_that_authorises_alone() {
    let table = EndpointTable::builtin();
    let of = |modelo, service| table.endpoint(Uf::MT, modelo, TpAmb::Producao, service, AuthorityRole::Normal).unwrap();
    let (cte, os) = (of(57, AuthorityService::Autorizacao), of(67, AuthorityService::Autorizacao));
    assert_eq!((cte.name, os.name), ("CTeRecepcaoSincV4", "CTeRecepcaoOSV4"));
    assert_eq!(os.namespace, "http://www.portalfiscal.inf.br/cte/wsdl/CTeRecepcaoOSV4");
    assert_eq!(os.action, "http://www.portalfiscal.inf.br/cte/wsdl/CTeRecepcaoOSV4/cteRecepcaoOS");
    assert_eq!(os.url, "https://cte.sefaz.mt.gov.br/ctews/services/CTeRecepcaoOSV4");
    for service in
        [AuthorityService::ConsultaProtocolo, AuthorityService::StatusServico, AuthorityService::RecepcaoEvento]
    {
        assert_eq!(of(57, service), of(67, service));
    }
}

#[test]
fn the_ambiente_nacional_has_its_own_operation_for_events() {
    let table = EndpointTable::builtin();
    let action =
        |role| table.endpoint(Uf::SP, 55, TpAmb::Producao, AuthorityService::RecepcaoEvento, role).unwrap().action;
    let namespace = "http://www.portalfiscal.inf.br/nfe/wsdl/NFeRecepcaoEvento4";
    assert_eq!(action(AuthorityRole::Normal), format!("{namespace}/nfeRecepcaoEvento"));
    assert_eq!(action(AuthorityRole::National), format!("{namespace}/nfeRecepcaoEventoNF"));
}

#[test]
fn a_model_without_rows_is_told_with_all_that_was_asked() {
    let asked = EndpointTable::builtin().endpoint(
        Uf::SP,
        58,
        TpAmb::Producao,
        AuthorityService::Autorizacao,
        AuthorityRole::Normal,
    );
    let NoEndpoint { uf, modelo, ambiente, service, role } = asked.unwrap_err();
    assert_eq!((uf, modelo, ambiente), (Uf::SP, 58, TpAmb::Producao));
    assert_eq!((service, role), (AuthorityService::Autorizacao, AuthorityRole::Normal));
}

#[test]
fn an_operator_replaces_one_address_and_one_authorizer_and_leaves_the_rest() {
    let table = EndpointTable::with_overrides(
        r#"
        [nfe.authorizer]
        SP = "SVRS"
        [nfe.service.MT.homologacao]
        NFeAutorizacao4 = "https://novo.example/ws"
        [nfe.quirk.MT]
        consulta_cadastro_wrapped = false
        "#,
    )
    .unwrap();
    let of = |uf, service| table.endpoint(uf, 55, TpAmb::Homologacao, service, AuthorityRole::Normal).unwrap();
    assert_eq!(of(Uf::SP, AuthorityService::Autorizacao).authority, "SVRS");
    assert_eq!(of(Uf::MT, AuthorityService::Autorizacao).url, "https://novo.example/ws");
    assert_eq!(of(Uf::MT, AuthorityService::Autorizacao).quirks, ["voids_numbers_of_cpf"]);
    let before = EndpointTable::builtin()
        .endpoint(Uf::MT, 55, TpAmb::Homologacao, AuthorityService::StatusServico, AuthorityRole::Normal)
        .unwrap();
    assert_eq!(of(Uf::MT, AuthorityService::StatusServico).url, before.url);
    assert_eq!(before.quirks, ["consulta_cadastro_wrapped", "voids_numbers_of_cpf"]);
}

#[test]
fn issuers_without_ie_have_one_authority_whatever_their_state() {
    let table = EndpointTable::builtin();
    for uf in Uf::ALL {
        assert_eq!(table.authority(uf, 55, AuthorityRole::Unregistered), Some("SVRS"), "{uf:?}");
        for modelo in [65, 57, 67, DPS] {
            assert_eq!(table.authority(uf, modelo, AuthorityRole::Unregistered), None, "{modelo}");
        }
    }
    let of = |uf, role| table.endpoint(uf, 55, TpAmb::Producao, AuthorityService::Autorizacao, role).unwrap();
    assert_eq!(of(Uf::SP, AuthorityRole::Unregistered), of(Uf::SC, AuthorityRole::Normal));
    let moved = EndpointTable::with_overrides("nfe.sem_ie = 'SVAN'").unwrap();
    assert_eq!(moved.authority(Uf::SP, 55, AuthorityRole::Unregistered), Some("SVAN"));
    let InvalidTable(message) = EndpointTable::with_overrides("nfe.sem_ie = 'SVR'").unwrap_err();
    assert!(message.contains("o autorizador SVR não tem nenhum endereço"), "{message}");
}

#[test]
fn a_template_replaces_every_address() {
    let template = r#"template.url = "https://127.0.0.1:9443/{modelo}/{authority}/{ambiente}/{service}""#;
    let table = EndpointTable::with_overrides(template).unwrap();
    let url = |uf, ambiente, service, role| table.endpoint(uf, 55, ambiente, service, role).unwrap().url;
    let base = "https://127.0.0.1:9443/nfe";
    let found = url(Uf::SP, TpAmb::Homologacao, AuthorityService::Autorizacao, AuthorityRole::Normal);
    assert_eq!(found, format!("{base}/sp/hom/NFeAutorizacao4"));
    let found = url(Uf::SP, TpAmb::Producao, AuthorityService::StatusServico, AuthorityRole::Contingency);
    assert_eq!(found, format!("{base}/svc-an/prod/NFeStatusServico4"));
    let found = url(Uf::BA, TpAmb::Producao, AuthorityService::RecepcaoEvento, AuthorityRole::National);
    assert_eq!(found, format!("{base}/an/prod/NFeRecepcaoEvento4"));
    for (modelo, base) in [(55, base), (67, "https://127.0.0.1:9443/cte")] {
        for (uf, ambiente, service, role) in everything() {
            if let Ok(endpoint) = table.endpoint(uf, modelo, ambiente, service, role) {
                assert!(endpoint.url.starts_with(base), "{endpoint:?}");
            }
        }
    }
    let os = table
        .endpoint(Uf::AP, 67, TpAmb::Homologacao, AuthorityService::Autorizacao, AuthorityRole::Contingency)
        .unwrap();
    assert_eq!(os.url, "https://127.0.0.1:9443/cte/svc-rs/hom/CTeRecepcaoOSV4");
}

#[test]
fn a_wrong_key_is_named_with_the_nearest_right_one() {
    for (toml, expected) in [
        ("nfee = 1", "nfee é uma chave desconhecida; a mais próxima é nfe"),
        ("[nfe.autorizer]", "nfe.autorizer é uma chave desconhecida; a mais próxima é authorizer"),
        ("nfe.authorizer.SPP = 'SP'", "nfe.authorizer.SPP é uma chave desconhecida; a mais próxima é SP"),
        ("nfe.service.SP.produção.X = 'x'", "TOML"),
        (
            "nfe.service.SP.homolog.X = 'x'",
            "nfe.service.SP.homolog é uma chave desconhecida; a mais próxima é homologacao",
        ),
        (
            "nfe.service.SP.producao.NFeAutorizacao = 'https://x'",
            "nfe.service.SP.producao.NFeAutorizacao é uma chave desconhecida; a mais próxima é NFeAutorizacao4",
        ),
        (
            "cte.service.SP.producao.NFeAutorizacao4 = 'https://x'",
            "cte.service.SP.producao.NFeAutorizacao4 é uma chave desconhecida; a mais próxima é CTe",
        ),
        ("nfe.service.SP.producao.NFeAutorizacao4 = 'http://x'", "NFeAutorizacao4 deve começar com https://"),
        ("nfe.service.SP.producao.NFeAutorizacao4 = 1", "NFeAutorizacao4 deve ser um texto"),
        ("nfe.quirk.MT.cadastro_wrapped = 'x'", "a mais próxima é consulta_cadastro_wrapped"),
        ("nfe.authorizer.SP = 'SVRSS'", "o autorizador SVRSS não tem nenhum endereço; a mais próxima é SVRS"),
        ("template.url = 'https://x/{servico}'", "template.url tem {servico}, desconhecido; a mais próxima é service"),
        ("template.ur = 'https://x'", "template.ur é uma chave desconhecida; a mais próxima é url"),
    ] {
        let InvalidTable(message) = EndpointTable::with_overrides(toml).unwrap_err();
        assert!(message.contains(expected), "{toml}: {message}");
    }
}

#[test]
fn own_servers_of_municipalities_are_off_until_the_operator_turns_them_on() {
    let table = EndpointTable::builtin();
    let rows: Vec<_> = table.own_servers().collect();
    assert_eq!(rows.len(), 6);
    for (codigo, row) in &rows {
        assert!(!row.is_on(), "{codigo}: nobody has confirmed it");
        assert_eq!(
            row.is_national(),
            row.address(TpAmb::Homologacao).is_some(),
            "{codigo}: only what is spoken is called"
        );
    }
    let (on, off) = (3_514_106, 3_547_304);
    let table = EndpointTable::with_overrides(
        "[nfse.propria.3514106]\nativa = true\nhomologacao = 'https://ensaio.exemplo.gov.br/nacional'\n[nfse.propria.3501608]\nsistema = 'Outro'",
    )
    .unwrap();
    let row = table.own_server(on).unwrap();
    assert!(row.is_on() && row.is_national());
    assert_eq!(row.address(TpAmb::Homologacao), Some("https://ensaio.exemplo.gov.br/nacional"));
    assert_eq!(row.address(TpAmb::Producao), Some("https://nfsedoiscorregos.simplissweb.com.br"), "as it was");
    assert!(!table.own_server(off).unwrap().is_on());
    let other = table.own_server(3_501_608).unwrap();
    assert_eq!((other.sistema.as_deref(), other.form()), (Some("Outro"), WireForm::RestPropria));
}

#[test]
fn an_own_server_answers_at_its_base_and_a_template_replaces_it_even_where_a_company_gave_it() {
    let host = |given| OwnHost {
        authority: "PROPRIA-3514106".to_owned(),
        municipio: 3_514_106,
        ambiente: TpAmb::Homologacao,
        base: "https://nfse.cidade.gov.br/api".to_owned(),
        from_company: given,
    };
    let found = EndpointTable::builtin().endpoint_of(&host(true), AuthorityService::Autorizacao).unwrap();
    assert_eq!((found.url.as_str(), found.name, found.from_company), ("https://nfse.cidade.gov.br/api", "NFSe", true));
    assert_eq!(found.authority, "PROPRIA-3514106");
    assert_eq!(
        EndpointTable::builtin().endpoint_of(&host(false), AuthorityService::StatusServico),
        None,
        "there is no such service"
    );
    let toml = "[template]\nurl = 'https://127.0.0.1:9443/{modelo}/{authority}/{ambiente}/{service}'";
    let found = EndpointTable::with_overrides(toml)
        .unwrap()
        .endpoint_of(&host(true), AuthorityService::RecepcaoEvento)
        .unwrap();
    let simulated = "https://127.0.0.1:9443/nfse/propria-3514106/hom/Eventos";
    assert_eq!((found.url.as_str(), found.from_company), (simulated, false));
}

#[test]
fn a_wrong_row_of_an_own_server_is_named() {
    for (toml, expected) in [
        ("nfse.propria.1234567.ativa = true", "nfse.propria.1234567 não é o código do IBGE"),
        ("nfse.propria.3514106.forma = 'rest'", "aceita rest_nacional, rest_propria, soap"),
        ("nfse.propria.3514106.ativa = 'sim'", "ativa deve ser true ou false"),
        ("nfse.propria.3514106.producao = 'http://x'", "deve começar com https://"),
        ("nfse.propria.3514106.url = 'https://x'", "nfse.propria.3514106.url é uma chave desconhecida"),
        ("nfe.propria.3514106.ativa = true", "nfe.propria é uma chave desconhecida"),
        ("nfse.propria.3550308.ativa = true", "nfse.propria.3550308 está ativa e não tem endereço"),
    ] {
        let InvalidTable(message) = EndpointTable::with_overrides(toml).unwrap_err();
        assert!(message.contains(expected), "{toml}: {message}");
    }
}
