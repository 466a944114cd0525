//! The slow-down of failing logins.

use http::Method;
use serde_json::json;
use server::edge::Edge;
use store::audit::{Act, Filter};

use super::world::{SENHA, User, login, user};
use crate::app::TestApp;
use crate::client::Answer;

async fn attempt(app: &TestApp, from: &str, email: &str, senha: &str) -> Answer {
    let headers = [("content-type", "application/json"), ("x-forwarded-for", from)];
    let body = json!({ "email": email, "senha": senha }).to_string().into();
    app.anonymous().send(Method::POST, "/v1/auth/login", &headers, body).await
}

async fn fail(app: &TestApp, from: &str, email: &str) {
    for _ in 0..5 {
        let refused = attempt(app, from, email, "errada").await;
        assert_eq!(refused.header("www-authenticate"), "Bearer realm=\"carimbo\"");
        refused.refused(401, "credenciais_invalidas");
    }
}

async fn behind_a_proxy() -> TestApp {
    let trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    TestApp::start_with(|parts| parts.edge = Edge { trusted_proxies, ..Edge::default() }).await
}

#[tokio::test]
async fn five_failures_slow_the_pair_down_and_nobody_else() {
    let app = behind_a_proxy().await;
    let tenant = app.tenant().await;
    let (ana, bia): (User, User) = (user(&app, &tenant).await, user(&app, &tenant).await);
    fail(&app, "203.0.113.7", &ana.email).await;
    let slowed = attempt(&app, "203.0.113.7", &ana.email.to_uppercase(), SENHA).await;
    let wait: i64 = slowed.header("retry-after").parse().unwrap();
    assert!((1..=900).contains(&wait), "{wait}");
    slowed.refused(429, "muitas_requisicoes");
    attempt(&app, "203.0.113.8", &ana.email, SENHA).await.ok(200);
    attempt(&app, "203.0.113.7", &bia.email, SENHA).await.ok(200);
    let filter = Filter { act: Some(Act::LoginBloqueado), ..Filter::default() };
    let (entries, total) = app.store.audit_trail(tenant.id, filter, 10, 0).await.unwrap();
    assert_eq!((total, entries[0].endereco.as_deref()), (1, Some("203.0.113.7")));
    assert_eq!((entries[0].ator.as_str(), &entries[0].alvo), ("desconhecido", &ana.id.to_string()));
    app.finish().await;
}

#[tokio::test]
async fn an_unknown_e_mail_is_refused_and_slowed_down_alike() {
    let app = behind_a_proxy().await;
    let tenant = app.tenant().await;
    let ana = user(&app, &tenant).await;
    let of_somebody = attempt(&app, "203.0.113.7", &ana.email, "errada").await.refused(401, "credenciais_invalidas");
    let of_nobody =
        attempt(&app, "203.0.113.7", "ninguem@x.com.br", "errada").await.refused(401, "credenciais_invalidas");
    assert_eq!(of_somebody["mensagem"], of_nobody["mensagem"]);
    fail(&app, "203.0.113.8", "ninguem@x.com.br").await;
    attempt(&app, "203.0.113.8", "ninguem@x.com.br", "errada").await.refused(429, "muitas_requisicoes");
    app.finish().await;
}

#[tokio::test]
async fn a_good_login_forgets_the_failures_before_it() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let ana = user(&app, &tenant).await;
    for _ in 0..2 {
        for _ in 0..4 {
            attempt(&app, "-", &ana.email, "errada").await.refused(401, "credenciais_invalidas");
        }
        login(&app, &ana).await;
    }
    app.finish().await;
}

#[tokio::test]
async fn a_stranger_does_not_escape_by_naming_other_addresses() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let ana = user(&app, &tenant).await;
    for host in 1..=5 {
        let from = format!("203.0.113.{host}");
        attempt(&app, &from, &ana.email, "errada").await.refused(401, "credenciais_invalidas");
    }
    attempt(&app, "203.0.113.6", &ana.email, SENHA).await.refused(429, "muitas_requisicoes");
    app.finish().await;
}
