//! `GET /v1/notas`.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::refused_with;
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::client::Client;
use crate::support::users::session;

/// Cancels a note and waits for the end.
async fn cancelled(client: &Client, job: &Value) {
    let request = json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Venda desfeita a pedido" });
    let accepted = client.post("/v1/nfe/cancelar", &request).await.ok(202);
    assert_eq!(ended(client, &accepted).await["nota"]["status"], "cancelada");
}

/// The `job_id`s of a list, and its total.
async fn listed(client: &Client, query: &str) -> (Vec<String>, u64) {
    let page = client.get(&format!("/v1/notas?{query}")).await.ok(200);
    let ids = page["notas"].as_array().unwrap().iter().map(|note| note["job_id"].as_str().unwrap().to_owned());
    (ids.collect(), page["total"].as_u64().unwrap())
}

#[tokio::test]
async fn notes_are_listed_newest_first_with_every_member() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("LISTA1");
    let first = issued(&client, &body).await;
    let second = issued(&client, &body::emission(NUMERIC)).await;
    let page = client.get("/v1/notas").await.ok(200);
    assert_eq!((&page["total"], &page["pagina"], &page["limite"]), (&2.into(), &1.into(), &20.into()));
    let notas = page["notas"].as_array().unwrap();
    assert_eq!((&notas[0]["job_id"], &notas[1]["job_id"]), (&second["job_id"], &first["job_id"]));
    let note = &notas[1];
    for member in first["nota"].as_object().unwrap().keys() {
        assert_eq!(note[member], first["nota"][member], "{member}");
    }
    for member in ["referencia_externa", "tipo", "cpf_cnpj", "ambiente", "consulta", "criado_em", "arquivos"] {
        assert_eq!(note[member], first[member], "{member}");
    }
    assert_eq!((&note["emitente"], &note["job_status"]), (&NUMERIC.into(), &"completed".into()));
    app.finish().await;
}

#[tokio::test]
async fn every_filter_narrows_the_list_and_its_total() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    app.company(&tenant, ALPHANUMERIC).await;
    let client = tenant.test;
    let authorised = issued(&client, &body::emission(NUMERIC)).await;
    let gone = issued(&client, &body::emission(NUMERIC)).await;
    cancelled(&client, &gone).await;
    let rejected = issued(&client, &refused_with(778)).await;
    let denied = issued(&client, &refused_with(302)).await;
    let other = issued(&client, &body::emission(ALPHANUMERIC)).await;
    let id = |job: &Value| job["job_id"].as_str().unwrap().to_owned();
    let all = vec![id(&other), id(&denied), id(&rejected), id(&gone), id(&authorised)];
    let chave = authorised["nota"]["chave"].as_str().unwrap();
    let today = &authorised["criado_em"].as_str().unwrap()[..10];
    for (query, expected) in [
        (String::new(), all.clone()),
        ("status=autorizada".to_owned(), vec![id(&other), id(&authorised)]),
        ("status=cancelada".to_owned(), vec![id(&gone)]),
        ("status=rejeitada".to_owned(), vec![id(&rejected)]),
        ("status=denegada".to_owned(), vec![id(&denied)]),
        ("status=inutilizada".to_owned(), vec![]),
        ("tipo=nfe".to_owned(), all.clone()),
        ("tipo=nfse".to_owned(), vec![]),
        ("tipo=nfce&status=autorizada".to_owned(), vec![]),
        ("tipo=mdfe".to_owned(), vec![]),
        ("tipo=cte".to_owned(), vec![]),
        ("emitente=12.ABC.345/01DE-35".to_owned(), vec![id(&other)]),
        (format!("emitente={NUMERIC}&status=autorizada&tipo=nfe"), vec![id(&authorised)]),
        ("destinatario=529.982.247-25".to_owned(), all.clone()),
        (format!("destinatario={NUMERIC}"), vec![]),
        ("serie=1".to_owned(), all.clone()),
        ("serie=2".to_owned(), vec![]),
        (
            format!("numero={}&emitente={NUMERIC}&status=autorizada", authorised["nota"]["numero"]),
            vec![id(&authorised)],
        ),
        ("numero=999999999".to_owned(), vec![]),
        ("ambiente=homologacao".to_owned(), all.clone()),
        ("ambiente=producao".to_owned(), vec![]),
        (format!("chave={chave}"), vec![id(&authorised)]),
        (format!("de={today}"), all.clone()),
        (format!("ate={today}&tipo=nfe"), all.clone()),
        (format!("de=2020-01-01&ate={today}&emitente={NUMERIC}&status=rejeitada"), vec![id(&rejected)]),
        ("ate=2020-01-01".to_owned(), vec![]),
        ("desconhecido=1".to_owned(), all.clone()),
    ] {
        let total = u64::try_from(expected.len()).unwrap();
        assert_eq!(listed(&client, &query).await, (expected, total), "{query}");
    }
    app.finish().await;
}

#[tokio::test]
async fn pages_are_cut_as_asked_and_a_wrong_parameter_is_named() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(issued(&client, &body::emission(NUMERIC)).await["job_id"].as_str().unwrap().to_owned());
    }
    assert_eq!(listed(&client, "limite=2").await, (vec![ids[2].clone(), ids[1].clone()], 3));
    assert_eq!(listed(&client, "limite=2&pagina=2").await, (vec![ids[0].clone()], 3));
    assert_eq!(listed(&client, "limite=2&pagina=3").await, (vec![], 3));
    assert_eq!(listed(&client, "limite=100").await.1, 3);
    for wrong in [
        "limite=101",
        "limite=0",
        "limite=x",
        "pagina=0",
        "tipo=nf",
        "status=ok",
        "emitente=123",
        "destinatario=1",
        "serie=1000",
        "numero=0",
        "ambiente=teste",
        "chave=35",
        "de=ontem",
        "ate=2026-02-30",
    ] {
        let refused = client.get(&format!("/v1/notas?{wrong}")).await.refused(400, "requisicao_invalida");
        assert_eq!(refused["erros"][0]["campo"], wrong.split('=').next().unwrap(), "{refused}");
    }
    let reversed = client.get("/v1/notas?de=2026-02-02&ate=2026-02-01").await.refused(400, "requisicao_invalida");
    assert_eq!(reversed["erros"][0]["campo"], "ate");
    let several = client.get("/v1/notas?limite=101&tipo=x&status=y").await.refused(400, "requisicao_invalida");
    assert_eq!(several["erros"].as_array().unwrap().len(), 3);
    app.finish().await;
}

#[tokio::test]
async fn another_tenants_notes_are_not_there() {
    let app = TestApp::start().await;
    let owner = app.issuer(NUMERIC).await.test;
    let job = issued(&owner, &body::emission(NUMERIC)).await;
    let other = app.tenant().await.test;
    assert_eq!(listed(&other, "").await, (vec![], 0));
    assert_eq!(listed(&other, &format!("chave={}", job["nota"]["chave"].as_str().unwrap())).await, (vec![], 0));
    app.anonymous().get("/v1/notas").await.refused(401, "nao_autenticado");
    app.finish().await;
}

#[tokio::test]
async fn a_misspelled_filter_is_told_and_refused_when_strict() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let listed = client.get(&format!("/v1/notas?emitnte={NUMERIC}&limite=1&limite=2")).await.ok(200);
    let avisos = &listed["avisos"];
    assert_eq!((&avisos[0]["campo"], &avisos[0]["sugestao"]), (&json!("emitnte"), &json!("emitente")));
    assert_eq!((&avisos[0]["codigo"], &avisos[1]["campo"]), (&json!("parametro_desconhecido"), &json!("limite")));
    assert_eq!((avisos.as_array().unwrap().len(), &listed["limite"]), (2, &json!(1)));
    let strict = client.get("/v1/notas?emitnte=1&estrito=true").await.refused(400, "requisicao_invalida");
    assert_eq!(strict["erros"][0]["codigo"], "parametro_desconhecido");
    app.finish().await;
}

#[tokio::test]
async fn every_list_search_and_report_tells_a_parameter_without_effect() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let (client, session) = (&tenant.test, session(&app, &tenant).await);
    let mut order = body::emission(NUMERIC);
    order["referencia_externa"] = json!("VENDA1");
    issued(client, &order).await;
    let described = app.anonymous().get("/docs/json").await.ok(200);
    let filled: &[(&str, String)] = &[
        ("/v1/jobs/localizar", "ref=VENDA1".to_owned()),
        ("/v1/tributos/simples", "anexo=I&rbt12=200000&data=2027-03-01".to_owned()),
        ("/v1/nfe/status-servico", "uf=SP".to_owned()),
        ("/v1/nfe/cadastro", format!("uf=SP&cnpj={NUMERIC}")),
    ];
    let mut told = Vec::new();
    for (path, operation) in described["paths"].as_object().unwrap() {
        let parameters = operation["get"]["parameters"].as_array().cloned().unwrap_or_default();
        let is_strict = parameters.iter().any(|parameter| parameter["name"] == "estrito");
        // an identifier in a path names one object, whose answer is no list
        if !is_strict || path.contains('{') || SOURCED.contains(&path.as_str()) {
            continue;
        }
        let query = filled.iter().find(|(known, _)| known == path).map_or("", |(_, query)| query);
        let client = if path.starts_with("/v1/auth/") { &session } else { client };
        let answer = client.get(&format!("{path}?{query}&inexistente=1")).await.ok(200);
        let avisos = answer["avisos"].as_array().unwrap_or_else(|| panic!("{path}: {answer}"));
        assert!(avisos.iter().any(|aviso| aviso["campo"] == "inexistente"), "{path}: {answer}");
        let refused = client.get(&format!("{path}?{query}&inexistente=1&estrito=true")).await;
        refused.refused(400, "requisicao_invalida");
        told.push(path.clone());
    }
    assert!(told.len() >= 15, "{told:?}");
    app.finish().await;
}

/// Lists of outside sources, which no test calls.
const SOURCED: &[&str] = &["/v1/cep"];
