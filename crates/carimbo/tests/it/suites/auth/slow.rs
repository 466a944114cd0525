//! The slow-down of failing logins.

use http::Method;
use serde_json::json;
use server::edge::Edge;
use server::{LoginLimits, ServiceLimits};
use std::num::NonZeroU32;
use store::audit::{AuditAct, AuditFilter};

use crate::support::app::TestApp;
use crate::support::client::Answer;
use crate::support::users::{SENHA, User, login, user};

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
    let filter = AuditFilter { act: Some(AuditAct::LoginBloqueado), ..AuditFilter::default() };
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

/// The limits of failed logins beside that of a pair.
async fn limited(logins: LoginLimits) -> TestApp {
    let trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    TestApp::start_with(|parts| {
        parts.edge = Edge { trusted_proxies, ..Edge::default() };
        parts.limits = ServiceLimits { logins, ..ServiceLimits::default() };
    })
    .await
}

fn few(most: u32) -> NonZeroU32 {
    NonZeroU32::new(most).unwrap()
}

#[tokio::test]
async fn guesses_of_one_e_mail_from_many_addresses_have_a_limit_that_locks_out_no_known_place() {
    let app = limited(LoginLimits { of_an_email: few(6), ..LoginLimits::default() }).await;
    let tenant = app.tenant().await;
    let ana = user(&app, &tenant).await;
    attempt(&app, "198.51.100.1", &ana.email, SENHA).await.ok(200);
    for host in 1..=6 {
        let from = format!("203.0.113.{host}");
        attempt(&app, &from, &ana.email, "errada").await.refused(401, "credenciais_invalidas");
    }
    let slowed = attempt(&app, "203.0.113.7", &ana.email, SENHA).await;
    let wait: i64 = slowed.header("retry-after").parse().unwrap();
    assert!((1..=900).contains(&wait), "{wait}");
    slowed.refused(429, "muitas_requisicoes");
    // from where the user always comes, it goes on
    attempt(&app, "198.51.100.1", &ana.email, SENHA).await.ok(200);
    let filter = AuditFilter { act: Some(AuditAct::LoginBloqueado), ..AuditFilter::default() };
    let (entries, total) = app.store.audit_trail(tenant.id, filter, 10, 0).await.unwrap();
    assert_eq!((total, entries[0].endereco.as_deref()), (1, Some("203.0.113.6")));
    assert_eq!((&entries[0].detalhes["limite"], &entries[0].alvo), (&json!("email"), &ana.id.to_string()));
    let digest = entries[0].detalhes["email_resumo"].as_str().unwrap();
    assert!(digest.len() == 16 && !entries[0].detalhes.to_string().contains(&ana.email), "{digest}");
    app.finish().await;
}

#[tokio::test]
async fn guesses_over_many_e_mails_and_many_addresses_have_a_limit_and_are_told_to_the_accounts() {
    let app = limited(LoginLimits { of_an_address: few(4), in_all: few(9), ..LoginLimits::default() }).await;
    let tenant = app.tenant().await;
    let (ana, bia) = (user(&app, &tenant).await, user(&app, &tenant).await);
    attempt(&app, "198.51.100.1", &ana.email, SENHA).await.ok(200);
    // many e-mails from one address, one of them a user's
    attempt(&app, "203.0.113.1", &bia.email, "errada").await.refused(401, "credenciais_invalidas");
    for number in 0..3 {
        let email = format!("{number}@x.com.br");
        attempt(&app, "203.0.113.1", &email, "errada").await.refused(401, "credenciais_invalidas");
    }
    attempt(&app, "203.0.113.1", "4@x.com.br", "errada").await.refused(429, "muitas_requisicoes");
    // an e-mail and an address each time
    for number in 2..=6 {
        let (from, email) = (format!("203.0.113.{number}"), format!("{number}@y.com.br"));
        attempt(&app, &from, &email, "errada").await.refused(401, "credenciais_invalidas");
    }
    attempt(&app, "203.0.113.9", "9@y.com.br", "errada").await.refused(429, "muitas_requisicoes");
    attempt(&app, "203.0.113.10", &bia.email, SENHA).await.refused(429, "muitas_requisicoes");
    // an address with a recent login is not blocked, for any of its users
    attempt(&app, "198.51.100.1", &ana.email, SENHA).await.ok(200);
    attempt(&app, "198.51.100.1", &bia.email, SENHA).await.ok(200);
    let filter = AuditFilter { act: Some(AuditAct::LoginsLimitados), ..AuditFilter::default() };
    let (entries, _) = app.store.audit_trail(tenant.id, filter, 10, 0).await.unwrap();
    let told: Vec<(&str, Option<&str>)> =
        entries.iter().map(|entry| (entry.alvo.as_str(), entry.endereco.as_deref())).collect();
    assert_eq!(told, [("todos", Some("203.0.113.6")), ("endereco", Some("203.0.113.1"))]);
    // an account without guesses gets no entry
    assert_eq!(app.store.audit_trail(app.tenant().await.id, filter, 10, 0).await.unwrap().1, 0);
    app.finish().await;
}

/// `guesses` at the same moment, one of them right: who sent what, and what it was answered.
async fn burst(app: &TestApp, email: &str, guesses: usize, right: usize) -> Vec<(bool, Answer)> {
    let client = app.anonymous().clone();
    let all: Vec<_> = (0..guesses)
        .map(|number| {
            let senha = if number == right { SENHA.to_owned() } else { format!("palpite {number}") };
            let body = json!({ "email": email, "senha": senha });
            let client = client.clone();
            tokio::spawn(async move { (number == right, client.post("/v1/auth/login", &body).await) })
        })
        .collect();
    let mut answers = Vec::new();
    for answer in all {
        answers.push(answer.await.unwrap());
    }
    answers
}

#[tokio::test]
async fn in_a_burst_the_right_guess_is_answered_like_the_others() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    for (guesses, right) in [(12, 11), (12, 6), (40, 39)] {
        let ana = user(&app, &tenant).await;
        let mut looked_at = 0;
        for (is_right, answer) in burst(&app, &ana.email, guesses, right).await {
            match answer.status.as_u16() {
                200 => assert!(is_right),
                401 => {
                    assert!(!is_right);
                    looked_at += 1;
                    answer.refused(401, "credenciais_invalidas");
                }
                _ => {
                    assert!(answer.header("retry-after").parse::<u32>().unwrap() > 0);
                    answer.refused(429, "muitas_requisicoes");
                }
            }
        }
        assert!(looked_at <= 5, "{looked_at} of {guesses} guesses were looked at");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_flood_of_one_address_is_bounded_and_holds_up_no_other() {
    let app = behind_a_proxy().await;
    let tenant = app.tenant().await;
    let ana = user(&app, &tenant).await;
    let client = app.anonymous().clone();
    let flood: Vec<_> = (0..60)
        .map(|number| {
            let client = client.clone();
            tokio::spawn(async move {
                let headers = [("content-type", "application/json"), ("x-forwarded-for", "203.0.113.66")];
                let body = json!({ "email": format!("{number}@x.com.br"), "senha": "errada" }).to_string().into();
                client.send(Method::POST, "/v1/auth/login", &headers, body).await
            })
        })
        .collect();
    // however long the flood takes, who comes from elsewhere is let in
    attempt(&app, "203.0.113.7", &ana.email, SENHA).await.ok(200);
    let mut refused = 0;
    for answer in flood {
        let answer = answer.await.unwrap();
        match answer.status.as_u16() {
            401 => {}
            _ => {
                assert_eq!(answer.header("retry-after"), "2");
                answer.refused(429, "muitas_requisicoes");
                refused += 1;
            }
        }
    }
    assert!(refused > 0, "nobody was told to wait");
    app.finish().await;
}

#[tokio::test]
async fn what_cannot_be_an_e_mail_or_a_password_is_not_looked_at() {
    let app = TestApp::start().await;
    let long = json!({ "email": format!("{}@x.com.br", "a".repeat(250)), "senha": "x" });
    let error = app.anonymous().post("/v1/auth/login", &long).await.refused(400, "requisicao_invalida");
    assert_eq!(error["erros"][0]["campo"], "email");
    let long = json!({ "email": "a@x.com.br", "senha": "x".repeat(257) });
    let error = app.anonymous().post("/v1/auth/login", &long).await.refused(422, "validacao");
    assert_eq!(error["erros"][0]["campo"], "senha");
    app.finish().await;
}

#[tokio::test]
async fn a_session_that_guesses_in_a_burst_is_answered_alike_too() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let ana = user(&app, &tenant).await;
    let token = login(&app, &ana).await["token"].as_str().unwrap().to_owned();
    let all: Vec<_> = (0..12)
        .map(|number| {
            let client = app.anonymous().with_token(&token);
            let body = json!({ "senha_atual": format!("palpite {number}"), "senha_nova": "uma senha bem longa" });
            tokio::spawn(async move { client.put("/v1/auth/senha", &body).await })
        })
        .collect();
    let mut looked_at = 0;
    for answer in all {
        match answer.await.unwrap() {
            answer if answer.status == 401 => looked_at += 1,
            answer => drop(answer.refused(429, "muitas_requisicoes")),
        }
    }
    assert!(looked_at <= 5, "{looked_at}");
    app.finish().await;
}
