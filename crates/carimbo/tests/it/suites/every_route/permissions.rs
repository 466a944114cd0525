//! The permission of a key (`docs/concepts/permissions.md`), tried over every route of the router.

use http::Method;
use serde_json::json;
use store::accounts::Permissao;

use crate::suites::every_route::routes::KeyPermission;
use crate::suites::every_route::routes::table::TABLE;
use crate::support::app::{TestApp, ended};
use crate::support::body::{self, NUMERIC};
use crate::support::client::{Answer, Client};
use crate::support::installation::Installation;
use crate::support::users::session;

#[tokio::test]
async fn a_key_does_by_each_route_what_its_permission_says() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    for permissao in [Permissao::Leitura, Permissao::Assistida] {
        let client = app.limited(&tenant, permissao).await;
        for row in TABLE.iter().filter(|row| row.permission != KeyPermission::Anybody) {
            let (route, needed) = (row.route, row.permission);
            let may =
                needed == KeyPermission::Reads || needed == KeyPermission::Assists && permissao == Permissao::Assistida;
            let answer = asked(&client, route).await;
            let status = answer.status.as_u16();
            let refused = status == 403 && answer.json()["codigo"] == "permissao_insuficiente";
            assert_eq!(refused, !may, "{permissao:?} {route}: {status} {}", answer.text());
            if refused {
                let text = answer.json()["detail"].as_str().unwrap().to_owned();
                assert!(text.contains(permissao.word()) && text.contains("completa"), "{text}");
            }
        }
    }
    // nothing of it was done: the company stands, and no job was made
    tenant.test.get(&format!("/v1/empresas/{NUMERIC}")).await.ok(200);
    assert_eq!(tenant.test.get("/v1/notas").await.ok(200)["total"], 0);
    app.finish().await;
}

/// Sends a request of a route with identifiers that do not exist.
pub(super) async fn asked(client: &Client, route: &str) -> Answer {
    let (method, path) = route.split_once(' ').unwrap();
    let method: Method = method.parse().unwrap();
    let path = ["{cpf_cnpj}", "{id}", "{job_id}", "{chave}", "{tipo}", "{codigo}", "{cep}", "{cnpj}"].iter().fold(
        path.to_owned(),
        |path, place| {
            let value = match *place {
                "{cpf_cnpj}" | "{cnpj}" => NUMERIC,
                "{tipo}" => "xml",
                "{chave}" => "35261111222333000181550010000000011000000019",
                "{codigo}" => "3550308",
                "{cep}" => "01001000",
                _ => "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e",
            };
            path.replace(place, value)
        },
    );
    client.send(method, &path, &[("content-type", "application/json")], "{}".into()).await
}

#[tokio::test]
async fn a_key_is_made_with_a_permission_and_listed_with_it() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let made =
        tenant.test.post("/v1/auth/api-keys", &json!({ "nome": "agente", "permissao": "assistida" })).await.ok(201);
    assert_eq!(made["permissao"], "assistida");
    let plain = tenant.test.post("/v1/auth/api-keys", &json!({})).await.ok(201);
    assert_eq!(plain["permissao"], "completa");
    let wrong = tenant.test.post("/v1/auth/api-keys", &json!({ "permissao": "tudo" })).await;
    assert_eq!(wrong.refused(400, "requisicao_invalida")["erros"][0]["campo"], "permissao");
    let listed = tenant.test.get("/v1/auth/api-keys?limite=100").await.ok(200);
    let of = |id: &serde_json::Value| {
        listed["api_keys"].as_array().unwrap().iter().find(|key| key["id"] == *id).unwrap()["permissao"].clone()
    };
    assert_eq!((of(&made["id"]), of(&plain["id"])), (json!("assistida"), json!("completa")));
    // and is held to it, also beside a person's session
    let key = made["chave"].as_str().unwrap();
    let agent = app.anonymous().with_key(key);
    agent.post("/v1/auth/api-keys", &json!({})).await.refused(403, "permissao_insuficiente");
    let person = session(&app, &tenant).await;
    person.post("/v1/auth/api-keys", &json!({})).await.ok(201);
    person.with_key(key).post("/v1/auth/api-keys", &json!({})).await.refused(403, "permissao_insuficiente");
    app.finish().await;
}

#[tokio::test]
async fn what_an_assisted_key_prepares_waits_for_a_person() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let agent = app.limited(&tenant, Permissao::Assistida).await;
    let shown = agent.post("/v1/nfe/preparar", &body::emission(NUMERIC)).await.ok(200);
    let confirmation = json!({ "token_confirmacao": shown["token_confirmacao"] });
    let waits = agent.post("/v1/nfe/confirmar", &confirmation).await.refused(403, "confirmacao_pendente");
    let address = format!("/painel/confirmar/{}", shown["id_confirmacao"].as_str().unwrap());
    assert_eq!((&waits["url_confirmacao"], &shown["url_confirmacao"]), (&json!(address), &json!(address)));
    // other keys of the account do not bypass it
    tenant.test.post("/v1/nfe/confirmar", &confirmation).await.refused(403, "confirmacao_pendente");
    // what a `completa` key prepares it confirms; an `assistida` one does not
    let own = tenant.test.post("/v1/nfe/preparar", &body::emission(NUMERIC)).await.ok(200);
    let own = json!({ "token_confirmacao": own["token_confirmacao"] });
    agent.post("/v1/nfe/confirmar", &own).await.refused(403, "confirmacao_pendente");
    let accepted = tenant.test.post("/v1/nfe/confirmar", &own).await.ok(202);
    ended(&tenant.test, &accepted).await;
    app.finish().await;
}

#[tokio::test]
async fn an_operator_makes_such_keys_and_opens_the_form() {
    let installation = Installation::new().await;
    installation.account();
    let email = ["--email", "dono@exemplo.com.br"];
    let made = installation.run(&[&["conta", "chave", "--permissao", "assistida"], &email[..]].concat());
    assert!(made.well && made.out.starts_with("crb_test_"), "{}{}", made.out, made.told);
    assert!(installation.run(&["conta", "listar"]).out.contains("assistida"));
    let form = |more: &[&str]| installation.run(&[&["conta", "formulario"], &email[..], more].concat());
    assert!(form(&[]).out.contains("negado"));
    assert!(form(&["--permitir"]).out.contains("permitido"));
    assert!(form(&[]).out.contains("permitido"));
    assert!(form(&["--negar"]).out.contains("negado"));
    assert!(!form(&["--negar", "--permitir"]).well);
    installation.finish().await;
}
