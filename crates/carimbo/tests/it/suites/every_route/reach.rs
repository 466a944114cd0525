//! Companies that a person's roles reach (`docs/concepts/permissions.md`), where no path names the company: references
//! and the account as a whole; and roles that change, beside keys that do not.

use serde_json::{Value, json};
use store::accounts::Permissao;
use store::audit::Actor;
use store::roles::RoleGrant;

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::{Browser, proof};
use crate::support::users::{bearer, login, user_with};

fn grant(role: Permissao, company: Option<&str>) -> RoleGrant {
    RoleGrant { company: company.map(|company| fiscal::value::CnpjCpf::parse(company).unwrap()), role }
}

/// A reference is the account's. Of one that another company used, a person learns no more than that it is taken.
#[tokio::test]
async fn a_reference_of_a_company_out_of_reach_shows_nothing_of_its_job() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    app.company(&tenant, ALPHANUMERIC).await;
    let with = |mut emission: Value, reference: &str| {
        emission["referencia_externa"] = json!(reference);
        emission
    };
    let hidden = issued(&tenant.test, &with(body::emission(ALPHANUMERIC), "PEDIDO1")).await;
    let own = issued(&tenant.test, &with(body::emission(NUMERIC), "PEDIDO2")).await;
    let user = user_with(&app, &tenant, Permissao::Emissor, Some(NUMERIC)).await;
    let api = bearer(&app, &login(&app, &user).await);
    let (theirs, chave) = (hidden["job_id"].as_str().unwrap(), hidden["nota"]["chave"].as_str().unwrap());
    let why = "erro de digitação no pedido";
    let of_own = json!({ "cpf_cnpj": NUMERIC, "job_id": own["job_id"], "referencia_externa": "PEDIDO1" });
    let and = |more: Value| {
        let mut order = of_own.clone();
        order.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        order
    };
    let numbers =
        json!({ "cpf_cnpj": NUMERIC, "numero_inicial": 70, "justificativa": why, "referencia_externa": "PEDIDO1" });
    let manifestation = json!({
        "cpf_cnpj": NUMERIC,
        "chave": "35261145723174000110550010000000011000000011",
        "tipo": "ciencia",
        "referencia_externa": "PEDIDO1",
    });
    for (path, order) in [
        ("/v1/nfe/emitir", with(body::emission(NUMERIC), "PEDIDO1")),
        ("/v1/nfe/cancelar", and(json!({ "justificativa": why }))),
        ("/v1/nfe/carta-correcao", and(json!({ "correcao": "correção bastante longa" }))),
        ("/v1/nfe/inutilizar", numbers),
        ("/v1/nfe/manifestar", manifestation),
    ] {
        let answer = api.post(path, &order).await;
        let text = answer.text();
        assert!(!text.contains(theirs) && !text.contains(chave) && !text.contains(ALPHANUMERIC), "{path}: {text}");
        let refused = answer.refused(409, "estado_invalido");
        assert!(refused["detail"].as_str().unwrap().contains("outro pedido da conta"), "{path}: {refused}");
    }
    // prepared, and confirmed with the token, it is refused likewise
    let prepared = api.post("/v1/nfe/preparar", &with(body::emission(NUMERIC), "PEDIDO1")).await;
    if prepared.status.as_u16() == 200 {
        let token = json!({ "token_confirmacao": prepared.json()["token_confirmacao"] });
        let confirmed = api.post("/v1/nfe/confirmar", &token).await;
        assert!(confirmed.status.is_client_error() && !confirmed.text().contains(theirs), "{}", confirmed.text());
    }
    // its own are answered with their job
    let again = api.post("/v1/nfe/emitir", &with(body::emission(NUMERIC), "PEDIDO2")).await;
    assert!(again.status.is_success() && again.json()["job_id"] == own["job_id"], "{}", again.text());
    assert_eq!(api.get("/v1/notas").await.ok(200)["total"], 1);
    app.finish().await;
}

/// The tools of MCP are for keys: no person is there, with whatever roles.
#[tokio::test]
async fn no_person_uses_a_tool_of_mcp() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let call = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": { "name": "listar_empresas", "arguments": {} },
    });
    for role in Permissao::ROLES {
        let user = user_with(&app, &tenant, role, Some(NUMERIC)).await;
        let api = bearer(&app, &login(&app, &user).await);
        for door in [api.clone(), api.at(&app.mcp_url)] {
            let answer = door.post("/mcp", &call).await;
            assert!(answer.status.as_u16() == 401 && !answer.text().contains(NUMERIC), "{}", answer.text());
        }
    }
    app.finish().await;
}

/// Keys and quotas count every company, so that a role in some companies does not show them.
#[tokio::test]
async fn what_is_of_the_whole_account_needs_a_role_in_every_company() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    for role in Permissao::ROLES {
        for (company, is_whole) in [(None, true), (Some(NUMERIC), false)] {
            let user = user_with(&app, &tenant, role, company).await;
            let api = bearer(&app, &login(&app, &user).await);
            for path in ["/v1/cotas", "/v1/auth/api-keys"] {
                let answer = api.get(path).await;
                match is_whole {
                    true => drop(answer.ok(200)),
                    false => {
                        let refused = answer.refused(403, "permissao_insuficiente");
                        assert!(refused["detail"].as_str().unwrap().contains("da conta inteira"), "{path}: {refused}");
                    }
                }
            }
            let mut browser = Browser::of_user(&app, &user).await;
            let quotas = browser.get("/painel/pendencias/cotas").await;
            assert_eq!(quotas.status.as_u16(), if is_whole { 200 } else { 403 }, "{role:?}: {}", quotas.text());
            let sample: Value = browser.get("/painel/amostra.json").await.json();
            assert_eq!(
                (sample["chave"].is_string(), sample["cnpj"].is_string()),
                (is_whole, true),
                "{role:?}: {sample}"
            );
        }
    }
    app.finish().await;
}

/// The roles are read at every request: of a token and of a panel that are open already too.
#[tokio::test]
async fn a_changed_role_counts_for_open_sessions_at_once() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    app.company(&tenant, ALPHANUMERIC).await;
    let user = user_with(&app, &tenant, Permissao::Emissor, None).await;
    let api = bearer(&app, &login(&app, &user).await);
    let mut browser = Browser::of_user(&app, &user).await;
    let accepted = api.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    ended(&api, &accepted).await;
    let proof = proof(&browser.get("/painel/emitir").await);
    let operator = Actor::operator();
    let put = |grant| app.store.put_grant(tenant.id, user.id, grant, &operator, 0);
    put(grant(Permissao::Contador, None)).await.unwrap();
    api.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.refused(403, "permissao_insuficiente");
    assert_eq!(browser.post("/painel/emitir", &[("prova", &proof)]).await.status.as_u16(), 403);
    // in one company alone: the other one is gone at once
    put(grant(Permissao::Emissor, Some(ALPHANUMERIC))).await.unwrap();
    app.store.remove_grant(tenant.id, user.id, None, &operator, 0).await.unwrap();
    assert_eq!(api.get("/v1/notas").await.ok(200)["total"], 0);
    assert_eq!(api.get(&format!("/v1/empresas/{NUMERIC}")).await.status.as_u16(), 404);
    assert!(!browser.get("/painel/documentos").await.text().contains(NUMERIC));
    api.get(&format!("/v1/empresas/{ALPHANUMERIC}")).await.ok(200);
    app.store.remove_user(tenant.id, user.id, &operator, 0).await.unwrap();
    assert_eq!(api.get("/v1/notas").await.status.as_u16(), 401);
    assert_eq!(browser.get("/painel").await.status.as_u16(), 303);
    app.finish().await;
}

/// A key has its permission alone; with a session beside it, the request has what both allow.
#[tokio::test]
async fn a_key_is_not_widened_by_a_role_nor_a_role_by_a_key() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    app.company(&tenant, ALPHANUMERIC).await;
    let administrator = user_with(&app, &tenant, Permissao::Administrador, None).await;
    let administrator = bearer(&app, &login(&app, &administrator).await);
    let reader = user_with(&app, &tenant, Permissao::Contador, Some(NUMERIC)).await;
    let reader = bearer(&app, &login(&app, &reader).await);
    let order = json!({ "nome": "agente", "permissao": "leitura" });
    let limited = administrator.post("/v1/auth/api-keys", &order).await.ok(201);
    let limited = limited["chave"].as_str().unwrap();
    let whole = administrator.post("/v1/auth/api-keys", &json!({ "nome": "loja" })).await.ok(201);
    let whole = whole["chave"].as_str().unwrap();
    let emission = body::emission(NUMERIC);
    let issue = |client: crate::support::client::Client| {
        let emission = emission.clone();
        async move { client.post("/v1/nfe/emitir", &emission).await }
    };
    issue(app.anonymous().with_key(limited)).await.refused(403, "permissao_insuficiente");
    issue(administrator.with_key(limited)).await.refused(403, "permissao_insuficiente");
    issue(reader.with_key(whole)).await.refused(403, "permissao_insuficiente");
    // the reach of the person stays, with the strongest key beside it
    assert_eq!(reader.with_key(whole).get(&format!("/v1/empresas/{ALPHANUMERIC}")).await.status.as_u16(), 404);
    let accepted = issue(app.anonymous().with_key(whole)).await.ok(202);
    ended(&tenant.test, &accepted).await;
    // no role is a permission of keys
    for role in Permissao::ROLES {
        let order = json!({ "nome": "x", "permissao": role.word() });
        administrator.post("/v1/auth/api-keys", &order).await.refused(400, "requisicao_invalida");
    }
    app.finish().await;
}
