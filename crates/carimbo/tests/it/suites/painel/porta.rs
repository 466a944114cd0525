//! Login of the panel: cookies, foreign forms, throttle, the end of a session.

use http::Method;
use serde_json::json;
use server::edge::Edge;

use super::{World, address};
use crate::support::app::TestApp;
use crate::support::browser::{Browser, SESSION, proof};
use crate::support::users::{SENHA, login, user};

#[tokio::test]
async fn who_is_not_logged_in_is_led_to_the_door_and_back() {
    let world = World::new().await;
    let prepared = world.prepared().await;
    let mut nobody = Browser::new(&world.app);
    let led = nobody.get(address(&prepared)).await;
    let door = format!("/painel/entrar?confirmar={}", prepared["id_confirmacao"].as_str().unwrap());
    assert_eq!((led.status.as_u16(), led.header("location")), (303, door.as_str()));
    assert_eq!(nobody.get("/painel").await.header("location"), "/painel/entrar");
    let page = nobody.get(&door).await;
    assert!(page.text().contains(address(&prepared)), "{}", page.text());
    let fields = [
        ("prova", proof(&page)),
        ("email", world.email.clone()),
        ("senha", SENHA.to_owned()),
        ("ambiente", "homologacao".to_owned()),
        ("confirmar", prepared["id_confirmacao"].as_str().unwrap().to_owned()),
    ];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let entered = nobody.post("/painel/entrar", &fields).await;
    assert_eq!((entered.status.as_u16(), entered.header("location")), (303, address(&prepared)));
    // no redirect leads to another site
    for to in ["https://mau.com", "//mau.com", "/../x", "javascript:alert(1)"] {
        let page = nobody.get(&format!("/painel/entrar?confirmar={to}&para={to}")).await.text();
        assert!(!page.contains("mau.com") && !page.contains("javascript"), "{page}");
    }
    world.app.finish().await;
}

#[tokio::test]
async fn the_cookie_is_for_the_panel_only_and_tokens_of_the_api_are_not() {
    let mut world = World::new().await;
    let flags: Vec<&str> = world.person.told.split("; ").skip(1).collect();
    assert_eq!(flags, ["Path=/painel", "Max-Age=3600", "HttpOnly", "SameSite=Strict"]);
    let cookie = world.person.cookies[SESSION].clone();
    // at the API: as a cookie, as a token, as a key
    let line = format!("{SESSION}={cookie}");
    let api = world.app.anonymous();
    api.send(Method::GET, "/v1/notas", &[("cookie", &line)], "".into()).await.refused(401, "nao_autenticado");
    api.with_token(&cookie).get("/v1/notas").await.refused(401, "nao_autenticado");
    api.with_token(&cookie).get("/v1/auth/me").await.refused(401, "nao_autenticado");
    api.with_key(&cookie).get("/v1/notas").await.refused(401, "nao_autenticado");
    // and the other way round: a token of the API, a key
    let person = user(&world.app, &world.tenant).await;
    let token = login(&world.app, &person).await["token"].as_str().unwrap().to_owned();
    for value in [token.as_str(), "x", "a.b.c"] {
        let mut browser = Browser::new(&world.app);
        browser.cookies.insert(SESSION.to_owned(), value.to_owned());
        assert_eq!(browser.get("/painel").await.header("location"), "/painel/entrar", "{value}");
    }
    let bearer = format!("Bearer {token}");
    let key = world.agent.api_key.clone().unwrap();
    for header in [("authorization", bearer.as_str()), ("x-api-key", key.as_str())] {
        let answer = world.app.anonymous().look(Method::GET, "/painel", &[header], "".into()).await;
        assert_eq!(answer.header("location"), "/painel/entrar");
    }
    // by a name other than this machine's it is sent over TLS only
    let answer =
        world.app.anonymous().look(Method::GET, "/painel/entrar", &[("host", "notas.loja.com.br")], "".into()).await;
    let told = answer.header("set-cookie");
    assert!(told.starts_with("__Host-carimbo_entrada=") && told.ends_with("; Secure"), "{told}");
    assert!(!answer.headers.contains_key("strict-transport-security"), "no https address is configured");
    // one changed letter makes it invalid
    let changed = format!("{}{}", &cookie[..cookie.len() - 2], if cookie.ends_with("AA") { "BB" } else { "AA" });
    world.person.cookies.insert(SESSION.to_owned(), changed);
    assert_eq!(world.person.get("/painel").await.status, 303);
    world.app.finish().await;
}

#[tokio::test]
async fn where_people_come_by_https_every_cookie_is_secure_whatever_name_the_proxy_asks_by() {
    let public_url = Some("https://notas.loja.com.br".to_owned());
    let app = TestApp::start_with(|parts| parts.edge = Edge { public_url, ..Edge::default() }).await;
    let tenant = app.tenant().await;
    let person = user(&app, &tenant).await;
    // a proxy on this machine: the host it asks for is 127.0.0.1
    let mut browser = Browser::new(&app);
    let door = browser.get("/painel/entrar").await;
    assert_eq!(door.header("strict-transport-security"), "max-age=31536000");
    assert_eq!(app.anonymous().get("/health").await.header("strict-transport-security"), "max-age=31536000");
    let flags = |told: &str| told.split("; ").skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert!(browser.told.starts_with("__Host-carimbo_entrada="), "{}", browser.told);
    assert_eq!(flags(&browser.told), ["Path=/", "Max-Age=3600", "HttpOnly", "SameSite=Strict", "Secure"]);
    let proof = proof(&door);
    let fields = [("prova", proof.as_str()), ("email", &person.email), ("senha", SENHA), ("ambiente", "homologacao")];
    let entered = browser.post_from(Some("https://notas.loja.com.br"), "/painel/entrar", &fields).await;
    assert_eq!(entered.status, 303, "{}", entered.text());
    assert!(browser.told.starts_with(&format!("__Host-{SESSION}=")), "{}", browser.told);
    assert_eq!(flags(&browser.told), ["Path=/", "Max-Age=3600", "HttpOnly", "SameSite=Strict", "Secure"]);
    assert_eq!(browser.get("/painel").await.status, 200);
    // a cookie by the other name, which a neighbouring host could set, is not accepted
    let session = browser.cookies.remove(&format!("__Host-{SESSION}")).unwrap();
    browser.cookies.insert(SESSION.to_owned(), session);
    assert_eq!(browser.get("/painel").await.header("location"), "/painel/entrar");
    app.finish().await;
}

#[tokio::test]
async fn a_form_of_a_stranger_does_nothing() {
    let mut world = World::new().await;
    let prepared = world.prepared().await;
    let own = proof(&world.person.get("/painel").await);
    let (mut other, _) = Browser::of(&world.app, &world.tenant, "homologacao").await;
    let anothers = proof(&other.get("/painel").await);
    let base = world.person.client.base_url.clone();
    let yes = |proof: &str| [("prova", proof.to_owned()), ("decisao", "aprovar".to_owned())];
    let origins =
        [None, Some("null"), Some("https://mau.com"), Some("http://127.0.0.1"), Some("http://127.0.0.1.mau.com")];
    let tries = origins.map(|origin| (origin, own.as_str())).into_iter().chain([
        (Some(base.as_str()), ""),
        (Some(&base), "x"),
        (Some(&base), &anothers),
    ]);
    for (origin, proof) in tries {
        for path in [address(&prepared), "/painel/sair", "/painel/ambiente"] {
            let fields = yes(proof);
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let answer = world.person.clone().post_from(origin, path, &fields).await;
            assert_eq!(answer.status, 403, "{origin:?} {proof} {path}: {}", answer.text());
        }
    }
    world.confirm(&prepared).await.refused(403, "confirmacao_pendente");
    assert_eq!(world.person.get("/painel").await.status, 200);
    // a GET decides nothing
    world.person.get(&format!("{}?decisao=aprovar&prova={own}", address(&prepared))).await;
    world.confirm(&prepared).await.refused(403, "confirmacao_pendente");
    // nor does JSON
    let line = format!("{SESSION}={}", world.person.cookies[SESSION]);
    let headers = [("cookie", line.as_str()), ("origin", base.as_str()), ("content-type", "application/json")];
    let body = json!({ "prova": own, "decisao": "aprovar" }).to_string();
    assert_eq!(world.person.client.look(Method::POST, address(&prepared), &headers, body.into()).await.status, 415);
    world.app.finish().await;
}

#[tokio::test]
async fn a_session_is_new_at_every_login_and_ends_at_logout() {
    let mut world = World::new().await;
    let before = world.person.cookies[SESSION].clone();
    // a planted session, or login cookie: neither is taken over
    let entered = world.person.enter(&world.email, SENHA, "homologacao").await;
    assert_eq!(entered.status, 303);
    assert_ne!(world.person.cookies[SESSION], before);
    let mut planted = world.person.clone();
    planted.cookies.insert(SESSION.to_owned(), before);
    assert_eq!(planted.get("/painel").await.header("location"), "/painel/entrar");
    // the login form is bound to the browser that received it
    let mut victim = Browser::new(&world.app);
    let attackers = proof(&Browser::new(&world.app).get("/painel/entrar").await);
    victim.get("/painel/entrar").await;
    let fields =
        [("prova", attackers.as_str()), ("email", world.email.as_str()), ("senha", SENHA), ("ambiente", "homologacao")];
    assert_eq!(victim.post("/painel/entrar", &fields).await.status, 403);
    assert!(!victim.cookies.contains_key(SESSION));
    // logout ends it in the store, not only in the browser
    let kept = world.person.clone();
    let proof = proof(&world.person.get("/painel").await);
    assert_eq!(world.person.post("/painel/sair", &[("prova", &proof)]).await.status, 303);
    assert!(!world.person.cookies.contains_key(SESSION));
    assert_eq!(kept.clone().get("/painel").await.header("location"), "/painel/entrar");
    world.app.finish().await;
}

#[tokio::test]
async fn a_session_ends_by_rest_and_by_its_time() {
    let mut world = World::new().await;
    // the idle limit is 900 seconds, some of which pass on a busy machine
    for _ in 0..2 {
        world.app.clock.forward(840);
        assert_eq!(world.person.get("/painel").await.status, 200);
    }
    world.app.clock.forward(901);
    assert_eq!(world.person.get("/painel").await.header("location"), "/painel/entrar");
    // however busy, it ends after an hour
    assert_eq!(world.person.enter(&world.email.clone(), SENHA, "homologacao").await.status, 303);
    for _ in 0..5 {
        world.app.clock.forward(590);
        assert_eq!(world.person.get("/painel").await.status, 200);
    }
    world.app.clock.forward(660);
    assert_eq!(world.person.get("/painel").await.status, 303);
    world.app.finish().await;
}

#[tokio::test]
async fn a_pair_that_fails_often_waits_here_and_at_the_api() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let person = user(&app, &tenant).await;
    let mut browser = Browser::new(&app);
    for _ in 0..5 {
        let page = browser.enter(&person.email, "errada de todo jeito", "homologacao").await;
        assert!(page.status == 401 && page.text().contains("não conferem"), "{}", page.text());
        assert!(page.text().contains(&person.email) && !page.text().contains("errada de todo jeito"));
    }
    let slowed = browser.enter(&person.email, SENHA, "homologacao").await;
    assert_eq!(slowed.status, 429, "{}", slowed.text());
    assert!(slowed.header("retry-after").parse::<u32>().unwrap() > 0);
    let body = json!({ "email": person.email, "senha": SENHA });
    app.anonymous().post("/v1/auth/login", &body).await.refused(429, "muitas_requisicoes");
    let unknown = browser.enter("ninguem@pessoas.com.br", SENHA, "homologacao").await;
    assert!(unknown.status == 401 && unknown.text().contains("não conferem"));
    app.finish().await;
}
