//! Roles of people (`docs/concepts/permissions.md`): every route × every role over HTTP, and companies out of reach.

use http::Method;
use serde_json::json;
use store::accounts::Permissao;

use crate::suites::every_route::permissions::asked;
use crate::suites::every_route::routes::needs;
use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::{Browser, proof};
use crate::support::client::{Answer, Client};
use crate::support::users::{bearer, login, user_with};

/// The table, stated a second time: the needs that a role does not meet.
const REFUSED: &[(Permissao, &[&str])] = &[
    (Permissao::Administrador, &[]),
    (Permissao::Emissor, &["Approve", "Configure", "Administer"]),
    (Permissao::Aprovador, &["Export", "Assist", "Act", "Configure", "Administer"]),
    (Permissao::Contador, &["Assist", "Approve", "Act", "Configure", "Administer"]),
];

/// Needs that the rows may name.
const NEEDS: &[&str] =
    &["Free", "Read", "ReadAccount", "Export", "Assist", "Approve", "Act", "Configure", "Administer"];

/// Routes that an administrator may do here and that would end what the test uses.
fn ends_the_session(route: &str) -> bool {
    ["POST /v1/auth/logout", "POST /painel/sair"].contains(&route)
}

#[tokio::test]
async fn a_person_does_by_each_route_what_the_role_says() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let mut tried = 0;
    for (role, refused) in REFUSED {
        let user = user_with(&app, &tenant, *role, None).await;
        let api = bearer(&app, &login(&app, &user).await);
        let mut browser = Browser::of_user(&app, &user).await;
        let proof = proof(&browser.get("/painel").await);
        for (route, need) in needs() {
            assert!(NEEDS.contains(&need.as_str()), "{route}: {need}");
            if need == "Free" || route.ends_with("/mcp") || ends_the_session(&route) {
                continue;
            }
            let should = refused.contains(&need.as_str());
            // an administrator removes the company of the others
            if route == "DELETE /v1/empresas/{cpf_cnpj}" && !should {
                continue;
            }
            let is_page = route.contains(" /painel");
            let answer = if is_page { page(&mut browser, &route, &proof).await } else { asked(&api, &route).await };
            let text = answer.text();
            let is_refused = if is_page {
                answer.status.as_u16() == 403 && text.contains("Seu papel não inclui isto")
            } else {
                answer.status.as_u16() == 403 && answer.json()["codigo"] == "permissao_insuficiente"
            };
            assert_eq!(is_refused, should, "{role:?} {route} ({need}): {} {text}", answer.status);
            if is_refused {
                assert!(text.contains(role.word()) && text.contains("administrador"), "{route}: {text}");
            }
            tried += 1;
        }
    }
    assert!(tried > 400, "{tried}");
    app.finish().await;
}

async fn page(browser: &mut Browser, route: &str, proof: &str) -> Answer {
    let (method, path) = route.split_once(' ').unwrap();
    let path =
        ["{id}", "{ato}", "{tipo}", "{assunto}", "{empresa}", "{chave}"].iter().fold(path.to_owned(), |path, place| {
            let value = match *place {
                "{ato}" => "cancelar",
                "{tipo}" => "xml",
                "{assunto}" => "certificados",
                "{empresa}" => NUMERIC,
                "{chave}" => "35261111222333000181550010000000011000000019",
                _ => "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e",
            };
            path.replace(place, value)
        });
    if method == "GET" { browser.get(&path).await } else { browser.post(&path, &[("prova", proof)]).await }
}

/// A company without a role does not exist: for every route that names it, in every list, and for its documents.
#[tokio::test]
async fn a_company_out_of_reach_does_not_exist() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    app.company(&tenant, ALPHANUMERIC).await;
    let hidden = issued(&tenant.test, &body::emission(ALPHANUMERIC)).await;
    let own = issued(&tenant.test, &body::emission(NUMERIC)).await;
    for role in Permissao::ROLES {
        let user = user_with(&app, &tenant, role, Some(NUMERIC)).await;
        let api = bearer(&app, &login(&app, &user).await);
        let mut browser = Browser::of_user(&app, &user).await;
        named(&api).await;
        hidden_in_the_api(&api, &hidden, &own).await;
        hidden_in_the_panel(&mut browser, &hidden, &own).await;
    }
    // the same, once the person has a role there
    let user = user_with(&app, &tenant, Permissao::Contador, Some(ALPHANUMERIC)).await;
    let api = bearer(&app, &login(&app, &user).await);
    api.get(&format!("/v1/empresas/{ALPHANUMERIC}")).await.ok(200);
    assert_eq!(api.get("/v1/notas").await.ok(200)["total"], 1);
    app.finish().await;
}

/// Every route with a company in its path.
async fn named(api: &Client) {
    let (mut tried, mut absent) = (0, 0);
    for (route, _) in needs().into_iter().filter(|(route, _)| route.contains("{cpf_cnpj}") && route.contains(" /v1/")) {
        let (method, path) = route.split_once(' ').unwrap();
        let path = path.replace("{cpf_cnpj}", ALPHANUMERIC);
        let method: Method = method.parse().unwrap();
        let answer = api.send(method, &path, &[("content-type", "application/json")], "{}".into()).await;
        let status = answer.status.as_u16();
        assert!(status == 404 || status == 403, "{route}: {status} {}", answer.text());
        tried += 1;
        absent += usize::from(status == 404);
    }
    assert!(tried >= 15 && absent > 0, "{tried} {absent}");
}

async fn hidden_in_the_api(api: &Client, hidden: &serde_json::Value, own: &serde_json::Value) {
    let id = |job: &serde_json::Value| job["job_id"].as_str().unwrap().to_owned();
    let chave = |job: &serde_json::Value| job["nota"]["chave"].as_str().unwrap_or_default().to_owned();
    let (theirs, ours) = (id(hidden), id(own));
    api.get(&format!("/v1/nfe/consultar/{ours}")).await.ok(200);
    for path in [
        format!("/v1/nfe/consultar/{theirs}"),
        format!("/v1/nfe/{theirs}/file/xml"),
        format!("/v1/nfe/{theirs}/eventos"),
        format!("/v1/jobs/{theirs}/itens"),
    ] {
        assert_eq!(api.get(&path).await.status.as_u16(), 404, "{path}");
    }
    if !chave(hidden).is_empty() {
        assert_eq!(api.get(&format!("/v1/notas/{}", chave(hidden))).await.status.as_u16(), 404);
    }
    let notes = api.get("/v1/notas").await.ok(200);
    assert_eq!(notes["total"], 1, "{notes}");
    let companies = api.get("/v1/empresas").await.ok(200);
    assert_eq!(companies["total"], 1, "{companies}");
    for path in [
        "/v1/notas",
        "/v1/auth/notas",
        "/v1/empresas",
        "/v1/empresas/certificados",
        "/v1/empresas/numeracao",
        "/v1/diagnostico",
        "/v1/jobs/erros",
        "/v1/jobs/rejeitadas",
        "/v1/webhooks/entregas",
        "/v1/nfe/recebidas",
    ] {
        let answer = api.get(path).await;
        let text = answer.text();
        assert_eq!(answer.status.as_u16(), 200, "{path}: {text}");
        assert!(!text.contains(ALPHANUMERIC) && !text.contains(&theirs), "{path}: {text}");
    }
    let batch = api.post("/v1/jobs/consultar-lote", &json!({ "job_ids": [theirs] })).await;
    assert!(!batch.text().contains(ALPHANUMERIC), "{}", batch.text());
    // an order for it: refused by role, or like one for a company that is not registered
    for (path, body) in [
        ("/v1/nfe/emitir", body::emission(ALPHANUMERIC)),
        ("/v1/nfe/preparar", body::emission(ALPHANUMERIC)),
        ("/v1/nfe/previa", body::emission(ALPHANUMERIC)),
        ("/v1/exportacoes", json!({ "cpf_cnpj": ALPHANUMERIC, "de": "2026-11-01", "ate": "2026-11-30" })),
    ] {
        let answer = api.post(path, &body).await;
        assert!([403, 404, 422].contains(&answer.status.as_u16()), "{path}: {} {}", answer.status, answer.text());
    }
}

async fn hidden_in_the_panel(browser: &mut Browser, hidden: &serde_json::Value, own: &serde_json::Value) {
    let (theirs, ours) = (hidden["job_id"].as_str().unwrap(), own["job_id"].as_str().unwrap());
    let list = browser.get("/painel/documentos").await.text();
    assert!(list.contains(ours) && !list.contains(theirs) && !list.contains(ALPHANUMERIC), "{list}");
    for path in ["", "/pdf", "/arquivo/xml"] {
        let path = format!("/painel/documentos/{theirs}{path}");
        assert_eq!(browser.get(&path).await.status.as_u16(), 404, "{path}");
    }
    let home = browser.get("/painel").await.text();
    assert!(home.contains("<strong>1</strong>") && !home.contains("<strong>2</strong>"), "{home}");
}

#[tokio::test]
async fn a_role_in_one_company_does_not_count_in_another() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    app.company(&tenant, ALPHANUMERIC).await;
    let read_only = issued(&tenant.test, &body::emission(ALPHANUMERIC)).await;
    let user = user_with(&app, &tenant, Permissao::Emissor, Some(NUMERIC)).await;
    let reads = store::roles::RoleGrant {
        company: Some(fiscal::value::CnpjCpf::parse(ALPHANUMERIC).unwrap()),
        role: Permissao::Contador,
    };
    app.store.put_grant(tenant.id, user.id, reads, &store::audit::Actor::operator(), 0).await.unwrap();
    let api = bearer(&app, &login(&app, &user).await);
    let job = read_only["job_id"].as_str().unwrap();
    api.get(&format!("/v1/nfe/consultar/{job}")).await.ok(200);
    let cancel = json!({ "cpf_cnpj": ALPHANUMERIC, "job_id": job, "justificativa": "erro de digitação no pedido" });
    assert_eq!(api.post("/v1/nfe/cancelar", &cancel).await.status.as_u16(), 404);
    let refused = api.post("/v1/nfe/emitir", &body::emission(ALPHANUMERIC)).await;
    assert!(refused.status.is_client_error(), "{}", refused.text());
    let accepted = api.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    ended(&api, &accepted).await;
    // its page shows the document without the acts
    let mut browser = Browser::of_user(&app, &user).await;
    let page = browser.get(&format!("/painel/documentos/{job}")).await.text();
    assert!(page.contains("Seu papel lê este documento") && !page.contains("/cancelar"), "{page}");
    // an administrator of one company is none of the account
    let local = user_with(&app, &tenant, Permissao::Administrador, Some(NUMERIC)).await;
    let local = bearer(&app, &login(&app, &local).await);
    local.post("/v1/auth/api-keys", &json!({})).await.refused(403, "permissao_insuficiente");
    local.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 2, "serie": "2" })).await.ok(200);
    app.finish().await;
}
