//! `/painel/conta`: name, password, sessions.

use crate::support::app::TestApp;
use crate::support::browser::{Browser, SESSION, proof};
use crate::support::users::{SENHA, login, user};

#[tokio::test]
async fn a_name_is_shown_as_text_and_refused_beside_its_field() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    assert_eq!(Browser::new(&app).get("/painel/conta").await.header("location"), "/painel/entrar");
    let (mut person, _) = Browser::of(&app, &tenant, "homologacao").await;
    let token = proof(&person.get("/painel/conta").await);
    let nasty = "<script>alert(1)</script>";
    assert_eq!(person.post("/painel/conta/nome", &[("prova", &token), ("nome", nasty)]).await.status, 303);
    let page = person.get("/painel/conta?feito=nome").await.text();
    assert!(
        page.contains("O nome foi trocado") && !page.contains(nasty) && page.contains("&lt;script&gt;alert(1)"),
        "{page}"
    );
    assert!(!person.get("/painel/conta?feito=%3Cscript%3E").await.text().contains("<script>alert"));
    for wrong in ["", "  ", "a\nb", &"x".repeat(101)] {
        let answer = person.post("/painel/conta/nome", &[("prova", &token), ("nome", wrong)]).await;
        assert!(answer.status == 422 && answer.text().contains("falha-nome"), "{wrong:?}: {}", answer.text());
    }
    app.finish().await;
}

#[tokio::test]
async fn a_new_password_asks_for_the_old_one_and_ends_the_others() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let (mut person, user) = Browser::of(&app, &tenant, "homologacao").await;
    let mut elsewhere = Browser::new(&app);
    elsewhere.enter(&user.email, SENHA, "homologacao").await;
    let token = proof(&person.get("/painel/conta").await);
    let fresh = "outra senha, mais longa";
    let fields = |old: &str, new: &str, again: &str| {
        [
            ("prova", token.clone()),
            ("senha", old.to_owned()),
            ("senha_nova", new.to_owned()),
            ("senha_repetida", again.to_owned()),
        ]
    };
    for (old, new, again, mark) in [
        ("errada", fresh, fresh, "falha-trocar-senha"),
        (SENHA, "curta", "curta", "falha-senha-nova"),
        (SENHA, SENHA, SENHA, "falha-senha-nova"),
        (SENHA, fresh, "outra coisa longa", "falha-senha-repetida"),
    ] {
        let fields = fields(old, new, again);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let answer = person.post("/painel/conta/senha", &fields).await;
        assert!(answer.status == 422 && answer.text().contains(mark), "{mark}: {}", answer.text());
        assert!(!answer.text().contains(fresh), "a password is not shown again");
    }
    let before = person.cookies[SESSION].clone();
    let fields = fields(SENHA, fresh, fresh);
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(person.post("/painel/conta/senha", &fields).await.header("location"), "/painel/conta?feito=senha");
    assert_ne!(person.cookies[SESSION], before);
    assert_eq!(person.get("/painel/conta").await.status, 200);
    assert_eq!(elsewhere.get("/painel").await.header("location"), "/painel/entrar");
    assert_eq!(Browser::new(&app).enter(&user.email, SENHA, "homologacao").await.status, 401);
    assert_eq!(Browser::new(&app).enter(&user.email, fresh, "homologacao").await.status, 303);
    app.finish().await;
}

#[tokio::test]
async fn sessions_are_listed_and_ended_by_their_own_user_only() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let (mut person, user_) = Browser::of(&app, &tenant, "homologacao").await;
    let mut phone = Browser::new(&app);
    phone.enter(&user_.email, SENHA, "homologacao").await;
    login(&app, &user_).await;
    let neighbour = user(&app, &tenant).await;
    let mut other = Browser::new(&app);
    other.enter(&neighbour.email, SENHA, "homologacao").await;
    let page = person.get("/painel/conta").await.text();
    let ids = |page: &str| -> Vec<String> {
        let parts =
            page.split("name=\"sessao\" value=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
        parts.filter(|id| id != "outras").collect()
    };
    let own = ids(&page);
    assert_eq!(own.len(), 3, "{page}");
    assert!(page.contains("127.0.0.1") && page.contains("pela API"), "{page}");
    // another user of the account does not end it
    let others = proof(&other.get("/painel/conta").await);
    for id in own.iter().map(String::as_str).chain(["x", "<script>"]) {
        let answer = other.post("/painel/conta/sessoes", &[("prova", &others), ("sessao", id)]).await;
        assert!(answer.status == 404 && !answer.text().contains("<script>\""), "{}", answer.text());
    }
    assert_eq!(phone.get("/painel").await.status, 200);
    // one, the phone's
    let phones = ids(&phone.get("/painel/conta").await.text());
    assert_eq!(phones.len(), 3);
    let token = proof(&person.get("/painel/conta").await);
    let done = person.post("/painel/conta/sessoes", &[("prova", &token), ("sessao", "outras")]).await;
    assert_eq!(done.header("location"), "/painel/conta?feito=sessoes");
    assert_eq!(phone.get("/painel").await.header("location"), "/painel/entrar");
    assert_eq!(other.get("/painel").await.status, 200);
    let left = ids(&person.get("/painel/conta").await.text());
    assert_eq!(left.len(), 1);
    // the own one: a logout
    let ended = person.post("/painel/conta/sessoes", &[("prova", &token), ("sessao", &left[0])]).await;
    assert_eq!(ended.header("location"), "/painel/entrar");
    assert_eq!(person.get("/painel").await.header("location"), "/painel/entrar");
    app.finish().await;
}
