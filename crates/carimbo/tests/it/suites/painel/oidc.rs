//! Sign-in by a provider of OpenID Connect, and everything it must not believe.

use serde_json::{Value, json};
use server::oidc::OidcSettings;

use crate::support::app::{Tenant, TestApp};
use crate::support::browser::{Browser, SESSION, proof};
use crate::support::client::Answer;
use crate::support::provider::{Provider, parameters};
use crate::support::second_factor::{between, turn_on};
use crate::support::users::{SENHA, User, user};

struct World {
    app: TestApp,
    tenant: Tenant,
    provider: Provider,
    user: User,
}

/// A sign-in under way.
struct Begun {
    browser: Browser,
    /// Address at the provider.
    url: String,
}

impl World {
    async fn new() -> World {
        World::with(|_| {}).await
    }

    async fn with(change: impl FnOnce(&mut OidcSettings)) -> World {
        let provider = Provider::start().await;
        let mut settings = provider.settings();
        change(&mut settings);
        let app = TestApp::start_with(|parts| parts.edge.oidc = Some(settings)).await;
        let tenant = app.tenant().await;
        let user = user(&app, &tenant).await;
        World { app, tenant, provider, user }
    }

    async fn begin(&self) -> Begun {
        let mut browser = Browser::new(&self.app);
        let led = browser.get("/painel/entrar/oidc").await;
        assert_eq!(led.status, 303, "{}", led.text());
        assert!(browser.told.contains("; SameSite=Lax") && browser.told.contains("; HttpOnly"), "{}", browser.told);
        Begun { browser, url: led.header("location").to_owned() }
    }

    /// Signs in as a person with these claims changed.
    async fn sign_in(&self, email: &str, change: impl FnOnce(&mut Value)) -> (Browser, Answer) {
        let mut begun = self.begin().await;
        let mut said = self.provider.person(&begun.url, "sub-1", email);
        change(&mut said.claims);
        self.provider.say(said);
        let answer = begun.back("c").await;
        (begun.browser, answer)
    }
}

impl Begun {
    /// Comes back with the right state.
    async fn back(&mut self, code: &str) -> Answer {
        let state = parameters(&self.url)["state"].clone();
        self.browser.get(&format!("/painel/entrar/oidc/retorno?code={code}&state={state}")).await
    }
}

fn is_in(browser: &Browser) -> bool {
    browser.cookies.contains_key(SESSION)
}

#[tokio::test]
async fn a_verified_e_mail_finds_its_user_and_the_identity_stays() {
    let world = World::new().await;
    let door = Browser::new(&world.app).get("/painel/entrar").await.text();
    assert!(door.contains("Entrar com Login da Loja") && door.contains("name=\"senha\""), "{door}");
    let begun = world.begin().await;
    let asked = parameters(&begun.url);
    assert!(begun.url.starts_with(&format!("{}/auth?", world.provider.settings().issuer)));
    assert_eq!((asked["code_challenge_method"].as_str(), asked["response_type"].as_str()), ("S256", "code"));
    assert!(asked["redirect_uri"].ends_with("/painel/entrar/oidc/retorno"));
    let (mut browser, answer) = world.sign_in(&world.user.email.to_uppercase(), |_| {}).await;
    assert!(answer.status == 200 && answer.header("refresh").ends_with("url=/painel"), "{}", answer.text());
    assert!(browser.told.contains("SameSite=Strict") && browser.get("/painel").await.status == 200);
    let page = browser.get("/painel/conta").await.text();
    assert!(page.contains("vinculado") && page.contains("pelo provedor"), "{page}");
    // afterwards the subject counts, whatever its e-mail
    let (browser, answer) = world.sign_in("outro@alheio.com", |claims| claims["email_verified"] = json!(false)).await;
    assert!(answer.status == 200 && is_in(&browser), "{}", answer.text());
    // and another subject of the same e-mail is not that person
    let (browser, answer) = world.sign_in(&world.user.email, |claims| claims["sub"] = json!("sub-2")).await;
    assert!(answer.status == 403 && !is_in(&browser) && answer.text().contains("Minha conta"), "{}", answer.text());
    // a removed user has no identity any more
    let operator = store::audit::Actor::operator();
    user(&world.app, &world.tenant).await;
    world.app.store.remove_user(world.tenant.id, world.user.id, &operator, 0).await.unwrap();
    let (browser, answer) = world.sign_in(&world.user.email, |_| {}).await;
    assert!(answer.status == 403 && !is_in(&browser), "{}", answer.text());
    world.app.finish().await;
}

#[tokio::test]
async fn an_identity_that_proves_nothing_opens_nothing() {
    let world = World::new().await;
    let email = world.user.email.clone();
    let now = jiff::Timestamp::now().as_second();
    let changes: [(&str, Value); 10] = [
        ("aud", json!("outro-servico")),
        ("aud", json!(["carimbo", "outro"])),
        ("azp", json!("outro")),
        ("iss", json!("https://mau.com")),
        ("nonce", json!("x")),
        ("nonce", Value::Null),
        ("exp", json!(now - 3600)),
        ("iat", json!(now + 3600)),
        ("sub", json!("")),
        ("sub", json!("a\u{0}b")),
    ];
    for (claim, value) in changes {
        let (browser, answer) = world.sign_in(&email, |claims| claims[claim] = value.clone()).await;
        assert!(answer.status == 403 && !is_in(&browser), "{claim} {value}: {}", answer.text());
        assert!(answer.text().contains("Entrar com a senha"));
    }
    for (claim, value) in [("email_verified", json!(false)), ("email_verified", Value::Null), ("email", Value::Null)] {
        let (browser, answer) = world.sign_in(&email, |claims| claims[claim] = value.clone()).await;
        assert!(answer.status == 403 && !is_in(&browser), "{claim} {value}: {}", answer.text());
    }
    // algorithms without a proof
    for alg in ["none", "HS256", "ES256", "RS512"] {
        let mut begun = world.begin().await;
        let mut said = world.provider.person(&begun.url, "sub-1", &email);
        said.alg = alg;
        world.provider.say(said);
        let answer = begun.back("c").await;
        assert!(answer.status == 403 && !is_in(&begun.browser), "{alg}: {}", answer.text());
    }
    // the sign of Kelvin is k in lower case, and another person's letter
    let operator = store::audit::Actor::operator();
    let senha_hash = "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA".to_owned();
    let karla = store::users::NewUser { email: "karla@kappa.com.br".to_owned(), nome: None, senha_hash };
    world.app.store.create_user(world.tenant.id, karla, &operator, 0).await.unwrap();
    let (browser, answer) = world.sign_in("\u{212a}arla@kappa.com.br", |_| {}).await;
    assert!(answer.status == 403 && !is_in(&browser), "{}", answer.text());
    assert_eq!(world.sign_in("Karla@kappa.com.br", |claims| claims["sub"] = json!("karla")).await.1.status, 200);
    let (_, answer) = world.sign_in("<script>@x.com", |_| {}).await;
    assert!(answer.status == 403 && !answer.text().contains("<script>@"), "{}", answer.text());
    world.app.finish().await;
}

#[tokio::test]
async fn an_answer_belongs_to_the_browser_that_began() {
    let world = World::new().await;
    let email = world.user.email.clone();
    let mut begun = world.begin().await;
    let mut stranger = world.begin().await;
    world.provider.say(world.provider.person(&begun.url, "sub-1", &email));
    let state = parameters(&begun.url)["state"].clone();
    let before = world.provider.exchanges();
    // another browser with this state, one without a cookie, one without a state, a changed cookie
    let path = format!("/painel/entrar/oidc/retorno?code=c&state={state}");
    assert_eq!(stranger.browser.get(&path).await.status, 403);
    assert_eq!(Browser::new(&world.app).get(&path).await.status, 400);
    let mut bare = world.begin().await;
    assert_eq!(bare.browser.get("/painel/entrar/oidc/retorno?code=c").await.status, 403);
    let cookie = begun.browser.cookies["carimbo_oidc"].clone();
    let mut changed = begun.browser.clone();
    changed.cookies.insert("carimbo_oidc".to_owned(), format!("{cookie}.01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e"));
    assert_eq!(changed.get(&path).await.status, 403);
    // an answer that another issuer signed (RFC 9207)
    let mut mixed = world.begin().await;
    let own = parameters(&mixed.url)["state"].clone();
    let foreign = format!("/painel/entrar/oidc/retorno?code=c&state={own}&iss=https%3A%2F%2Fmau.com");
    assert_eq!(mixed.browser.get(&foreign).await.status, 403);
    // the provider's own refusal
    let mut denied = world.begin().await;
    let own = parameters(&denied.url)["state"].clone();
    let answer = denied.browser.get(&format!("/painel/entrar/oidc/retorno?error=access_denied&state={own}")).await;
    assert!(answer.status == 403 && answer.text().contains("foi recusado"), "{}", answer.text());
    assert_eq!(world.provider.exchanges(), before, "no code was exchanged");
    // ten minutes
    let mut late = begun.browser.clone();
    world.app.clock.forward(601);
    assert_eq!(late.get(&path).await.status, 400);
    world.app.clock.forward(-601);
    // PKCE: the verifier of another sign-in does not match the challenge
    let mut said = world.provider.person(&stranger.url, "sub-1", &email);
    said.challenge = "x".to_owned();
    world.provider.say(said);
    let mut again = world.begin().await;
    assert_eq!(again.back("c").await.status, 403);
    // once: the cookie is gone after the answer, and the session before it has ended
    world.provider.say(world.provider.person(&begun.url, "sub-1", &email));
    assert_eq!(begun.back("c").await.status, 200);
    assert!(!begun.browser.cookies.contains_key("carimbo_oidc") || is_in(&begun.browser));
    world.app.finish().await;
}

#[tokio::test]
async fn an_issuer_that_is_down_does_not_hinder_the_password() {
    let world = World::new().await;
    world.provider.stop();
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    let mut browser = Browser::new(&world.app);
    let page = browser.get("/painel/entrar/oidc").await;
    assert!(page.status == 502 && page.text().contains("entre com o e-mail e a senha"), "{}", page.text());
    assert_eq!(browser.enter(&world.user.email, SENHA, "homologacao").await.status, 303);
    world.app.finish().await;
}

#[tokio::test]
async fn off_by_default_and_bounded_by_domains_and_by_choice() {
    let app = TestApp::start().await;
    let mut browser = Browser::new(&app);
    assert!(!browser.get("/painel/entrar").await.text().contains("oidc"));
    for path in ["/painel/entrar/oidc", "/painel/entrar/oidc/retorno?code=c&state=s", "/painel/entrar/oidc/sair"] {
        assert_eq!(browser.get(path).await.status, 404, "{path}");
    }
    app.finish().await;
    let closed = World::with(|settings| settings.domains = vec!["loja.com.br".to_owned()]).await;
    let (browser, answer) = closed.sign_in(&closed.user.email, |_| {}).await;
    assert!(answer.status == 403 && !is_in(&browser) && answer.text().contains("domínio"), "{}", answer.text());
    closed.app.finish().await;
    let manual = World::with(|settings| settings.matches_email = false).await;
    let (browser, answer) = manual.sign_in(&manual.user.email, |_| {}).await;
    assert!(answer.status == 403 && !is_in(&browser), "{}", answer.text());
    manual.app.finish().await;
}

#[tokio::test]
async fn a_user_links_and_unlinks_the_own_identity() {
    let world = World::new().await;
    let mut person = Browser::new(&world.app);
    person.enter(&world.user.email, SENHA, "homologacao").await;
    let (held, _) = turn_on(&world.app, &mut person).await;
    // an e-mail alone does not pass a second factor
    let (browser, answer) = world.sign_in(&world.user.email, |_| {}).await;
    assert!(answer.status == 403 && !is_in(&browser) && answer.text().contains("segundo fator"), "{}", answer.text());
    let token = proof(&person.get("/painel/conta").await);
    let wrong = person.post("/painel/conta/vinculo", &[("prova", &token), ("senha", "errada")]).await;
    assert!(wrong.status == 422 && wrong.text().contains("falha-vinculo-senha"), "{}", wrong.text());
    // an identity goes past the second factor: password and session alone do not link it
    world.app.clock.forward(30);
    let code = held.code(&world.app);
    for typed in ["", "000000"] {
        let fields = [("prova", token.as_str()), ("senha", SENHA), ("codigo", typed)];
        let wrong = person.post("/painel/conta/vinculo", &fields).await;
        assert!(wrong.status == 422 && wrong.text().contains("falha-vinculo-codigo"), "{}", wrong.text());
    }
    let fields = [("prova", token.as_str()), ("senha", SENHA), ("codigo", code.as_str())];
    let page = person.post("/painel/conta/vinculo", &fields).await;
    assert_eq!(page.status, 200, "{}", page.text());
    assert_eq!(person.post("/painel/conta/vinculo", &fields).await.status, 422, "each code serves once");
    let url = between(&page.text(), "class=\"botao principal\" href=\"", "\"").replace("&amp;", "&");
    world.provider.say(world.provider.person(&url, "sub-7", "ana@longe.com"));
    let mut begun = Begun { browser: person.clone(), url };
    // the browser sends no strict cookie with the way back
    let session = begun.browser.cookies.remove(SESSION).unwrap();
    let linked = begun.back("c").await;
    assert!(linked.header("refresh").contains("/painel/conta?feito=vinculo"), "{}", linked.text());
    let mut said_in = world.begin().await;
    world.provider.say(world.provider.person(&said_in.url, "sub-7", "ana@longe.com"));
    assert_eq!(said_in.back("c").await.status, 200);
    assert_eq!(said_in.browser.get("/painel").await.status, 200);
    // another user cannot link the same identity
    let other = user(&world.app, &world.tenant).await;
    let mut second = Browser::new(&world.app);
    second.enter(&other.email, SENHA, "homologacao").await;
    let others = proof(&second.get("/painel/conta").await);
    let page = second.post("/painel/conta/vinculo", &[("prova", &others), ("senha", SENHA)]).await;
    let url = between(&page.text(), "class=\"botao principal\" href=\"", "\"").replace("&amp;", "&");
    world.provider.say(world.provider.person(&url, "sub-7", "ana@longe.com"));
    let taken = Begun { browser: second, url }.back("c").await;
    assert_eq!(taken.status, 409, "{}", taken.text());
    // unlinked, it opens nothing
    person.cookies.insert(SESSION.to_owned(), session);
    let done = person.post("/painel/conta/vinculo/desfazer", &[("prova", &token)]).await;
    assert_eq!(done.header("location"), "/painel/conta?feito=desfeito");
    let mut after = world.begin().await;
    world.provider.say(world.provider.person(&after.url, "sub-7", "ana@longe.com"));
    assert_eq!(after.back("c").await.status, 403);
    // the way out
    let out = person.post("/painel/sair", &[("prova", &token)]).await;
    assert_eq!(out.header("location"), "/painel/entrar?saiu=1");
    assert!(person.get("/painel/entrar?saiu=1").await.text().contains("sair também"));
    let led = person.get("/painel/entrar/oidc/sair").await;
    assert!(led.header("location").contains("/end?client_id=carimbo"), "{}", led.text());
    world.app.finish().await;
}

#[tokio::test]
async fn keys_that_the_provider_changed_are_fetched_and_old_ones_prove_nothing() {
    let world = World::new().await;
    let email = world.user.email.clone();
    assert_eq!(world.sign_in(&email, |_| {}).await.1.status, 200);
    world.provider.rotate();
    assert_eq!(world.sign_in(&email, |_| {}).await.1.status, 200);
    // a second change within the minute is found later: a stranger's key id does not make us ask without end
    world.provider.rotate();
    let (browser, answer) = world.sign_in(&email, |_| {}).await;
    assert!(answer.status == 403 && !is_in(&browser), "{}", answer.text());
    world.app.finish().await;
}

#[tokio::test]
async fn metadata_that_is_too_large_or_of_another_issuer_is_none() {
    let altered = [
        json!({ "x": "x".repeat(300_000) }),
        json!({ "issuer": "https://mau.com" }),
        json!({ "authorization_endpoint": "javascript:alert(1)" }),
        json!({ "authorization_endpoint": "https://p.example/a\r\nset-cookie: x=y" }),
        json!({ "token_endpoint": "ftp://p.example/t" }),
    ];
    for altered in altered {
        let world = World::new().await;
        world.provider.publish(altered.clone());
        let page = Browser::new(&world.app).get("/painel/entrar/oidc").await;
        assert_eq!(page.status, 502, "{}", page.text());
        world.app.finish().await;
    }
}

#[tokio::test]
async fn the_visits_of_an_address_are_bounded() {
    let world = World::new().await;
    let mut browser = Browser::new(&world.app);
    let mut refused = 0;
    for count in 0..300 {
        let answer = browser.get("/painel/entrar/oidc/retorno?code=c&state=s").await;
        if answer.status == 429 {
            assert!(count >= 120 && !answer.header("retry-after").is_empty(), "{count}");
            refused += 1;
        }
    }
    assert!(refused > 0);
    assert_eq!(browser.enter(&world.user.email, SENHA, "homologacao").await.status, 303);
    world.app.finish().await;
}
