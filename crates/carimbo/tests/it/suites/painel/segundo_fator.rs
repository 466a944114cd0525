//! The second factor: turned on and off, asked for at the panel and at the API, and everything that must not pass.

use http::Method;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::browser::{Browser, SESSION, proof};
use crate::support::client::Answer;
use crate::support::second_factor::{Authenticator, between, turn_on};
use crate::support::users::{SENHA, User};

struct World {
    app: TestApp,
    person: Browser,
    user: User,
    held: Authenticator,
    recovery: Vec<String>,
}

impl World {
    async fn new() -> World {
        let app = TestApp::start().await;
        let tenant = app.tenant().await;
        let (mut person, user) = Browser::of(&app, &tenant, "homologacao").await;
        let (held, recovery) = turn_on(&app, &mut person).await;
        World { app, person, user, held, recovery }
    }

    /// A browser after the right password, at the code's page.
    async fn half(&self) -> Browser {
        let mut browser = Browser::new(&self.app);
        let entered = browser.enter(&self.user.email, SENHA, "homologacao").await;
        assert_eq!((entered.status.as_u16(), entered.header("location")), (303, "/painel/entrar/codigo"));
        assert!(browser.told.starts_with("carimbo_meia=") && browser.told.contains("SameSite=Strict"));
        browser
    }

    async fn send(&self, browser: &mut Browser, code: &str) -> Answer {
        let token = proof(&browser.get("/painel/entrar/codigo").await);
        browser.post("/painel/entrar/codigo", &[("prova", &token), ("codigo", code)]).await
    }

    /// The next code, after the one that was used.
    fn next_code(&self) -> String {
        self.app.clock.forward(30);
        self.held.code(&self.app)
    }
}

#[tokio::test]
async fn a_code_opens_the_session_and_never_another() {
    let world = World::new().await;
    assert_eq!(world.recovery.len(), 10);
    let code = world.next_code();
    let mut browser = world.half().await;
    let entered = world.send(&mut browser, &code).await;
    assert_eq!((entered.status.as_u16(), entered.header("location")), (303, "/painel"), "{}", entered.text());
    assert_eq!(browser.get("/painel").await.status, 200);
    // a session that the browser had before is not carried over: it ends, and another begins
    let before = browser.cookies[SESSION].clone();
    browser.enter(&world.user.email, SENHA, "homologacao").await;
    assert_eq!(browser.cookies[SESSION], before, "half a sign-in changes no session");
    let later = world.next_code();
    assert_eq!(world.send(&mut browser, &later).await.status, 303);
    assert_ne!(browser.cookies[SESSION], before);
    let mut fixed = Browser::new(&world.app);
    fixed.cookies.insert(SESSION.to_owned(), before);
    assert_eq!(fixed.get("/painel").await.header("location"), "/painel/entrar");
    // the same code in another sign-in, within its window
    let code = later;
    let mut second = world.half().await;
    let again = world.send(&mut second, &code).await;
    assert!(again.status == 401 && again.text().contains("já foi usado"), "{}", again.text());
    assert!(!second.cookies.contains_key(SESSION));
    // ten browsers with one code at once: one enters
    let code = world.next_code();
    let mut calls = Vec::new();
    for _ in 0..3 {
        let mut one = world.half().await;
        let token = proof(&one.get("/painel/entrar/codigo").await);
        let code = code.clone();
        calls.push(tokio::spawn(async move {
            one.post("/painel/entrar/codigo", &[("prova", &token), ("codigo", &code)]).await.status.as_u16()
        }));
    }
    let mut statuses = Vec::new();
    for call in calls {
        statuses.push(call.await.unwrap());
    }
    assert_eq!(statuses.iter().filter(|status| **status == 303).count(), 1, "{statuses:?}");
    // the code that turned it on is used too; one step early and late are accepted
    let mut third = world.half().await;
    let now = jiff::Timestamp::now().as_second() + 90;
    assert_eq!(world.send(&mut third, &world.held.code_at(now + 30)).await.status, 303);
    world.app.finish().await;
}

#[tokio::test]
async fn a_recovery_code_serves_once() {
    let mut world = World::new().await;
    let mut browser = world.half().await;
    let shown = world.recovery[0].to_uppercase();
    assert_eq!(world.send(&mut browser, &shown).await.status, 303);
    let mut second = world.half().await;
    let again = world.send(&mut second, &world.recovery[0]).await;
    assert!(again.status == 401 && !second.cookies.contains_key(SESSION), "{}", again.text());
    assert_eq!(world.send(&mut second, &world.recovery[1]).await.status, 303);
    let page = world.person.get("/painel/conta").await.text();
    assert!(page.contains("Restam 8 códigos"), "{page}");
    // the store holds digests and a sealed secret
    let dump = world.app.dump().await.to_lowercase();
    let hexadecimal: String = world.held.secret().iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(!dump.contains(&hexadecimal));
    for code in &world.recovery {
        assert!(!dump.contains(code.as_str()) && !dump.contains(&code.replace('-', "")), "{code}");
    }
    assert_eq!(dump.matches("codigo_recuperacao_usado").count(), 2);
    world.app.finish().await;
}

#[tokio::test]
async fn half_a_sign_in_opens_nothing_else() {
    let world = World::new().await;
    let mut browser = world.half().await;
    for path in ["/painel", "/painel/conta", "/painel/documentos", "/painel/emitir", "/painel/amostra.json"] {
        let answer = browser.get(path).await;
        assert!(answer.status == 303 || !answer.text().contains("Loja"), "{path}: {}", answer.text());
    }
    // its token is none of the panel's, nor of the API's
    let half = browser.cookies["carimbo_meia"].clone();
    let mut forged = Browser::new(&world.app);
    forged.cookies.insert(SESSION.to_owned(), half.clone());
    assert_eq!(forged.get("/painel").await.header("location"), "/painel/entrar");
    world.app.anonymous().with_token(&half).get("/v1/auth/me").await.refused(401, "nao_autenticado");
    // nor is a session's token half a sign-in
    let mut other = Browser::new(&world.app);
    other.cookies.insert("carimbo_meia".to_owned(), world.person.cookies[SESSION].clone());
    assert_eq!(other.get("/painel/entrar/codigo").await.header("location"), "/painel/entrar");
    // a form of another origin, or without its proof
    let code = world.next_code();
    let token = proof(&browser.get("/painel/entrar/codigo").await);
    let fields = [("prova", token.as_str()), ("codigo", code.as_str())];
    assert_eq!(browser.post_from(Some("https://mau.com"), "/painel/entrar/codigo", &fields).await.status, 403);
    let bare = [("prova", "x"), ("codigo", code.as_str())];
    assert_eq!(browser.post("/painel/entrar/codigo", &bare).await.status, 403);
    // five minutes
    world.app.clock.forward(301);
    assert_eq!(browser.get("/painel/entrar/codigo").await.header("location"), "/painel/entrar");
    // with another password it is over, and so it is without the user
    let mut fresh = world.half().await;
    let hash = "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA".to_owned();
    let tenant = world.app.store.user_by_email(&world.user.email).await.unwrap().tenant_id;
    let operator = store::audit::Actor::operator();
    world.app.store.change_password(tenant, world.user.id, hash, &operator, 0).await.unwrap();
    assert_eq!(fresh.get("/painel/entrar/codigo").await.header("location"), "/painel/entrar");
    world.app.finish().await;
}

#[tokio::test]
async fn guesses_are_bounded_and_the_password_gives_no_fresh_ones() {
    let world = World::new().await;
    let mut browser = world.half().await;
    for _ in 0..4 {
        let wrong = world.send(&mut browser, "000000").await;
        assert_eq!(wrong.status, 401, "{}", wrong.text());
        assert!(wrong.text().contains("aria-invalid=\"true\""));
    }
    // the right password in between clears nothing
    let mut again = world.half().await;
    assert_eq!(world.send(&mut again, "000000").await.status, 401);
    let code = world.next_code();
    let slowed = browser.enter(&world.user.email, SENHA, "homologacao").await;
    assert_eq!(slowed.status, 429, "{}", slowed.text());
    let page = world.send(&mut again, &code).await;
    assert!(page.status == 429 && !page.header("retry-after").is_empty(), "{}", page.text());
    let body = json!({ "email": world.user.email, "senha": SENHA, "codigo": code });
    world.app.anonymous().post("/v1/auth/login", &body).await.refused(429, "muitas_requisicoes");
    world.app.finish().await;
}

#[tokio::test]
async fn the_api_asks_for_the_code_too() {
    let world = World::new().await;
    let api = world.app.anonymous();
    let body = |codigo: serde_json::Value| {
        let mut body = json!({ "email": world.user.email, "senha": SENHA });
        if !codigo.is_null() {
            body["codigo"] = codigo;
        }
        body
    };
    let missing = api.post("/v1/auth/login", &body(json!(null))).await.refused(401, "segundo_fator_exigido");
    assert!(missing["detail"].as_str().unwrap().contains("codigo"), "{missing}");
    api.post("/v1/auth/login", &body(json!("000000"))).await.refused(401, "segundo_fator_exigido");
    api.post("/v1/auth/login", &body(json!(123_456))).await.refused(400, "requisicao_invalida");
    let code = world.next_code();
    let entered = api.post("/v1/auth/login", &body(json!(code))).await.ok(200);
    assert!(entered["token"].is_string());
    api.post("/v1/auth/login", &body(json!(code))).await.refused(401, "segundo_fator_exigido");
    api.post("/v1/auth/login", &body(json!(world.recovery[0]))).await.ok(200);
    // a wrong password does not tell that there is a second factor
    let wrong = json!({ "email": world.user.email, "senha": "errada errada errada", "codigo": "000000" });
    api.post("/v1/auth/login", &wrong).await.refused(401, "credenciais_invalidas");
    world.app.finish().await;
}

#[tokio::test]
async fn turning_it_on_and_off_asks_for_what_it_must() {
    let mut world = World::new().await;
    let token = proof(&world.person.get("/painel/conta").await);
    let off = "/painel/conta/segundo-fator/desligar";
    let code = world.next_code();
    let wrong = world.person.post(off, &[("prova", &token), ("senha", "errada"), ("codigo", &code)]).await;
    assert!(wrong.status == 422 && wrong.text().contains("falha-fator-senha"), "{}", wrong.text());
    let wrong = world.person.post(off, &[("prova", &token), ("senha", SENHA), ("codigo", "000000")]).await;
    assert!(wrong.status == 422 && wrong.text().contains("falha-fator-codigo"), "{}", wrong.text());
    // a second secret is not begun over one that is on
    let begun = world.person.post("/painel/conta/segundo-fator", &[("prova", &token), ("senha", SENHA)]).await;
    assert_eq!(begun.header("location"), "/painel/conta");
    assert_eq!(world.person.get("/painel/conta/segundo-fator").await.header("location"), "/painel/conta");
    let done = world.person.post(off, &[("prova", &token), ("senha", SENHA), ("codigo", &code)]).await;
    assert_eq!(done.header("location"), "/painel/conta?feito=desligado", "{}", done.text());
    let mut browser = Browser::new(&world.app);
    assert_eq!(browser.enter(&world.user.email, SENHA, "homologacao").await.header("location"), "/painel");
    // a wrong first code turns nothing on
    let begun = world.person.post("/painel/conta/segundo-fator", &[("prova", &token), ("senha", SENHA)]).await;
    assert_eq!(begun.status, 303);
    let path = "/painel/conta/segundo-fator/confirmar";
    let refused = world.person.post(path, &[("prova", &token), ("codigo", "000000")]).await;
    assert!(refused.status == 422 && refused.text().contains("falha-codigo"), "{}", refused.text());
    assert_eq!(
        Browser::new(&world.app).enter(&world.user.email, SENHA, "homologacao").await.header("location"),
        "/painel"
    );
    // forms of strangers
    let codes = "/painel/conta/segundo-fator/codigos";
    for path in [
        off,
        path,
        codes,
        "/painel/conta/segundo-fator",
        "/painel/conta/senha",
        "/painel/conta/nome",
        "/painel/conta/sessoes",
    ] {
        let origin = Some("https://mau.com");
        assert_eq!(world.person.post_from(origin, path, &[("prova", &token)]).await.status, 403, "{path}");
        assert_eq!(Browser::new(&world.app).post(path, &[("prova", &token)]).await.status, 303, "{path}");
    }
    let line = format!("{SESSION}={}", world.person.cookies[SESSION]);
    let page = world.app.anonymous().look(Method::GET, "/painel/conta", &[("cookie", &line)], "".into()).await;
    assert!(page.header("content-security-policy").contains("default-src 'none'"));
    world.app.finish().await;
}

#[tokio::test]
async fn an_unconfirmed_secret_is_over_after_a_quarter_of_an_hour() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let (mut person, user) = Browser::of(&app, &tenant, "homologacao").await;
    let token = proof(&person.get("/painel/conta").await);
    let begun = person.post("/painel/conta/segundo-fator", &[("prova", &token), ("senha", SENHA)]).await;
    assert_eq!(begun.status, 303);
    let page = "/painel/conta/segundo-fator";
    app.clock.forward(600);
    let shown = person.get(page).await.text();
    let held = Authenticator::of(between(&shown, "<code class=\"segredo\">", "</code>"));
    app.clock.forward(301);
    assert_eq!(person.get(page).await.header("location"), "/painel/conta");
    let code = held.code(&app);
    let late = person.post(&format!("{page}/confirmar"), &[("prova", &token), ("codigo", &code)]).await;
    assert_eq!(late.header("location"), "/painel/conta?feito=venceu", "{}", late.text());
    assert!(person.get("/painel/conta?feito=venceu").await.text().contains("Comece de novo"));
    let mut browser = Browser::new(&app);
    assert_eq!(browser.enter(&user.email, SENHA, "homologacao").await.header("location"), "/painel");
    // begun again, the old secret is another's
    let (fresh, _) = turn_on(&app, &mut person).await;
    assert_ne!(fresh.spelled, held.spelled);
    app.finish().await;
}

#[tokio::test]
async fn new_recovery_codes_ask_for_password_and_code_and_replace_the_old_ones() {
    let mut world = World::new().await;
    let token = proof(&world.person.get("/painel/conta").await);
    let path = "/painel/conta/segundo-fator/codigos";
    let code = world.next_code();
    let wrong = world.person.post(path, &[("prova", &token), ("senha", "errada"), ("codigo", &code)]).await;
    assert!(wrong.status == 422 && wrong.text().contains("falha-codigos-senha"), "{}", wrong.text());
    let wrong = world.person.post(path, &[("prova", &token), ("senha", SENHA), ("codigo", "000000")]).await;
    assert!(wrong.status == 422 && wrong.text().contains("falha-codigos-codigo"), "{}", wrong.text());
    let fields = [("prova", token.as_str()), ("senha", SENHA), ("codigo", code.as_str())];
    assert_eq!(world.person.post_from(Some("https://mau.com"), path, &fields).await.status, 403);
    let page = world.person.post(path, &fields).await;
    assert_eq!(page.status, 200, "{}", page.text());
    let text = page.text();
    let list = between(&text, "<ul class=\"codigos\">", "</ul>");
    let fresh: Vec<&str> = list.split("<code>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
    assert!(fresh.len() == 10 && !world.recovery.iter().any(|old| fresh.contains(&old.as_str())), "{fresh:?}");
    // the code that allowed it is used
    let again = world.person.post(path, &fields).await;
    assert!(again.status == 422 && again.text().contains("falha-codigos-codigo"), "{}", again.text());
    let mut browser = world.half().await;
    assert_eq!(world.send(&mut browser, &world.recovery[0]).await.status, 401);
    assert_eq!(world.send(&mut browser, fresh[0]).await.status, 303);
    // without a second factor there is nothing to replace
    let tenant = world.app.store.user_by_email(&world.user.email).await.unwrap().tenant_id;
    let operator = store::audit::Actor::operator();
    world.app.store.remove_second_factor(tenant, world.user.id, None, &operator, 0).await.unwrap();
    assert_eq!(world.person.post(path, &fields).await.header("location"), "/painel/conta");
    world.app.finish().await;
}

#[tokio::test]
async fn after_twenty_wrong_codes_only_a_recovery_code_enters() {
    let world = World::new().await;
    let tenant = world.app.store.user_by_email(&world.user.email).await.unwrap().tenant_id;
    let now = || engine::process::clock::Clock::now(&*world.app.clock).as_second();
    let mut browser = world.half().await;
    assert_eq!(world.send(&mut browser, "000000").await.status, 401);
    let counted = world.app.store.second_factor(tenant, world.user.id, now()).await.unwrap().unwrap();
    assert_eq!(counted.wrong_codes, 1, "a wrong code is counted, from whatever address it came");
    for _ in 1..20 {
        world.app.store.record_wrong_code(tenant, world.user.id, now()).await.unwrap();
    }
    let code = world.next_code();
    let held = world.send(&mut browser, &code).await;
    assert!(held.status == 401 && held.text().contains("por uma hora"), "{}", held.text());
    let body = json!({ "email": world.user.email, "senha": SENHA, "codigo": code });
    let refused = world.app.anonymous().post("/v1/auth/login", &body).await.refused(401, "segundo_fator_exigido");
    assert!(refused["detail"].as_str().unwrap().contains("por uma hora"), "{refused}");
    assert_eq!(world.send(&mut browser, &world.recovery[0]).await.status, 303);
    // the recovery code ended it, and so does an hour
    let mut second = world.half().await;
    assert_eq!(world.send(&mut second, &code).await.status, 303);
    for _ in 0..20 {
        world.app.store.record_wrong_code(tenant, world.user.id, now()).await.unwrap();
    }
    let mut third = world.half().await;
    assert_eq!(world.send(&mut third, &world.next_code()).await.status, 401);
    world.app.clock.forward(3600);
    let mut fourth = world.half().await;
    assert_eq!(world.send(&mut fourth, &world.next_code()).await.status, 303);
    world.app.finish().await;
}
