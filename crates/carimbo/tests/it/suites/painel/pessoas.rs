//! `/painel/pessoas`: invitations, roles, and the last administrator.

use store::accounts::Permissao;

use super::World;
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::{Browser, SESSION, proof};
use crate::support::client::Answer;
use crate::support::users::{user, user_with};

const PATH: &str = "/painel/pessoas";
const FRESH: &str = "uma senha bem comprida";

/// Submits the invitation form.
async fn invite(person: &mut Browser, email: &str, papel: &str, empresa: &str) -> Answer {
    let proof = proof(&person.get(PATH).await);
    let fields = [("prova", proof.as_str()), ("email", email), ("nome", "Bia"), ("papel", papel), ("empresa", empresa)];
    person.post(&format!("{PATH}/convidar"), &fields).await
}

/// Path of the link that the page shows.
#[track_caller]
fn link(page: &Answer) -> String {
    let text = page.text();
    assert_eq!(page.status.as_u16(), 201, "{text}");
    let (_, rest) = text.split_once("/painel/convite/").unwrap_or_else(|| panic!("{text}"));
    format!("/painel/convite/{}", rest.split('"').next().unwrap())
}

async fn accept(browser: &mut Browser, link: &str, senha: &str, repetida: &str) -> Answer {
    let proof = proof(&browser.get(link).await);
    browser.post(link, &[("prova", &proof), ("senha", senha), ("repetida", repetida)]).await
}

async fn gone(browser: &mut Browser, link: &str) {
    let answer = browser.get(link).await;
    assert_eq!(answer.status.as_u16(), 404);
    assert!(answer.text().contains("não vale mais"), "{}", answer.text());
}

#[tokio::test]
async fn an_invited_accountant_enters_and_reads_only() {
    let mut world = World::new().await;
    let issued = crate::support::app::issued(&world.tenant.test, &body::emission(NUMERIC)).await;
    let job = issued["job_id"].as_str().unwrap();
    let link = link(&invite(&mut world.person, "Bia@Contabil.com.br", "contador", "").await);
    // once: the list shows the invitation and never its link
    let list = world.person.get(PATH).await.text();
    assert!(list.contains("bia@contabil.com.br") && !list.contains("/painel/convite/"), "{list}");
    // its secret is not stored
    let secret = link.rsplit('/').next().unwrap();
    assert!(!world.app.dump().await.contains(secret));

    let mut guest = Browser::new(&world.app);
    let short = accept(&mut guest, &link, "curta", "curta").await;
    assert_eq!(short.status.as_u16(), 422, "{}", short.text());
    let other = accept(&mut guest, &link, FRESH, "outra senha comprida").await;
    assert!(other.status.as_u16() == 422 && other.text().contains("diferentes"), "{}", other.text());
    let foreign = guest.post_from(Some("https://outro.exemplo"), &link, &[("senha", FRESH), ("repetida", FRESH)]).await;
    assert_eq!(foreign.status.as_u16(), 403);
    let unproven = guest.post(&link, &[("senha", FRESH), ("repetida", FRESH)]).await;
    assert_eq!(unproven.status.as_u16(), 403);
    let entered = accept(&mut guest, &link, FRESH, FRESH).await;
    assert_eq!((entered.status.as_u16(), entered.header("location")), (303, "/painel"), "{}", entered.text());
    gone(&mut Browser::new(&world.app), &link).await;

    let home = guest.get("/painel").await.text();
    assert!(home.contains("Documentos") && home.contains("Exportar o mês"), "{home}");
    for hidden in ["/painel/emitir\"", "/painel/pessoas\"", "/painel/auditoria\""] {
        assert!(!home.contains(hidden), "{hidden}: {home}");
    }
    let page = guest.get(&format!("/painel/documentos/{job}")).await.text();
    assert!(page.contains("Seu papel lê este documento") && !page.contains("/cancelar\""), "{page}");
    let proof = proof(&guest.get("/painel").await);
    let refused = guest.post("/painel/emitir", &[("prova", &proof)]).await;
    assert_eq!(refused.status.as_u16(), 403);
    let told = refused.text();
    assert!(told.contains("contador") && told.contains("emissor") && told.contains(&world.email), "{told}");
    // the panel's cookie is worth nothing on the API, as a token or as a cookie
    let token = guest.cookies[SESSION].clone();
    let api = guest.client.with_token(&token);
    assert_eq!(api.get("/v1/notas").await.status.as_u16(), 401);
    let cookie = format!("{SESSION}={token}");
    let by_cookie = guest.client.look(http::Method::GET, "/v1/notas", &[("cookie", cookie.as_str())], "".into()).await;
    assert_eq!(by_cookie.status.as_u16(), 401);
    world.app.finish().await;
}

#[tokio::test]
async fn a_revoked_expired_or_replaced_link_opens_nothing() {
    let mut world = World::new().await;
    let mut guest = Browser::new(&world.app);
    let first = link(&invite(&mut world.person, "bia@contabil.com.br", "contador", "").await);
    let second = link(&invite(&mut world.person, "bia@contabil.com.br", "emissor", NUMERIC).await);
    gone(&mut guest, &first).await;
    let page = world.person.get(PATH).await;
    let text = page.text();
    let (_, rest) = text.split_once(&format!("{PATH}/convites/")).unwrap();
    let id = rest.split('/').next().unwrap().to_owned();
    // of another account, a stranger revokes nothing
    let other = world.app.issuer(ALPHANUMERIC).await;
    let (mut stranger, _) = Browser::of(&world.app, &other, "homologacao").await;
    let path = format!("{PATH}/convites/{id}/revogar");
    let theirs = proof(&stranger.get(PATH).await);
    assert_eq!(stranger.post(&path, &[("prova", &theirs)]).await.status.as_u16(), 404);
    guest.get(&second).await.text().contains("emissor").then_some(()).unwrap();
    let revoked = world.person.post(&path, &[("prova", &proof(&page))]).await;
    assert_eq!(revoked.status.as_u16(), 303);
    gone(&mut guest, &second).await;
    let third = link(&invite(&mut world.person, "bia@contabil.com.br", "contador", "").await);
    world.app.forward(7 * 86_400 + 1).await;
    gone(&mut guest, &third).await;
    gone(&mut guest, "/painel/convite/qualquer").await;
    world.app.finish().await;
}

/// An accepted link ends the session that the browser brought.
#[tokio::test]
async fn an_accepted_link_ends_the_session_before() {
    let mut world = World::new().await;
    let link = link(&invite(&mut world.person, "bia@contabil.com.br", "contador", "").await);
    let mut before = world.person.clone();
    let accepted = accept(&mut world.person, &link, FRESH, FRESH).await;
    assert_eq!(accepted.status.as_u16(), 303, "{}", accepted.text());
    assert_ne!(world.person.cookies[SESSION], before.cookies[SESSION]);
    assert_eq!(before.get("/painel").await.status.as_u16(), 303);
    assert_eq!(world.person.get("/painel").await.status.as_u16(), 200);
    world.app.finish().await;
}

#[tokio::test]
async fn a_wrong_invitation_says_so_beside_its_field() {
    let mut world = World::new().await;
    for (email, papel, empresa, field) in [
        ("ana@loja.com.br\r\nBcc: x@y.com", "contador", "", "falha-email"),
        ("ana", "contador", "", "falha-email"),
        ("<script>alert(1)</script>@x.com", "contador", "", "falha-email"),
        ("ana@loja.com.br", "dono", "", "falha-papel"),
        ("ana@loja.com.br", "completa", "", "falha-papel"),
        ("ana@loja.com.br", "contador", ALPHANUMERIC, "falha-empresa"),
        ("ana@loja.com.br", "contador", "<script>", "falha-empresa"),
    ] {
        let answer = invite(&mut world.person, email, papel, empresa).await;
        let text = answer.text();
        assert_eq!(answer.status.as_u16(), 422, "{email:?} {papel} {empresa}: {text}");
        assert!(text.contains(&format!("id=\"{field}\"")) && text.contains("aria-invalid=\"true\""), "{text}");
        assert!(!text.contains("<script>alert") && !text.contains("/painel/convite/"), "{text}");
    }
    let own = world.email.clone();
    let known = invite(&mut world.person, &own, "contador", "").await;
    assert!(known.status.as_u16() == 422 && known.text().contains("já entra nesta conta"), "{}", known.text());
    // a name is text
    let proof = proof(&world.person.get(PATH).await);
    let named = [
        ("prova", proof.as_str()),
        ("email", "caio@loja.com.br"),
        ("nome", "<script>alert(1)</script>"),
        ("papel", "emissor"),
    ];
    let made = world.person.post(&format!("{PATH}/convidar"), &named).await;
    let mut guest = Browser::new(&world.app);
    assert_eq!(accept(&mut guest, &link(&made), FRESH, FRESH).await.status.as_u16(), 303);
    for page in [PATH.to_owned(), "/painel/auditoria".to_owned()] {
        let text = world.person.get(&page).await.text();
        assert!(text.contains("caio@loja.com.br") && !text.contains("<script>alert"), "{text}");
    }
    let home = guest.get("/painel").await.text();
    assert!(home.contains("&lt;script&gt;") && !home.contains("<script>alert"), "{home}");
    world.app.finish().await;
}

/// An address of another account is not taken into this one.
#[tokio::test]
async fn an_address_of_another_account_is_refused_when_it_accepts() {
    let mut world = World::new().await;
    let other = world.app.issuer(ALPHANUMERIC).await;
    let stranger = user(&world.app, &other).await;
    let link = link(&invite(&mut world.person, &stranger.email, "administrador", "").await);
    let answer = accept(&mut Browser::new(&world.app), &link, FRESH, FRESH).await;
    assert!(answer.status.as_u16() == 422 && answer.text().contains("outra conta"), "{}", answer.text());
    world.app.finish().await;
}

#[tokio::test]
async fn roles_change_at_the_next_click_and_the_last_administrator_stays() {
    let mut world = World::new().await;
    let people = world.app.store.people(world.tenant.id).await.unwrap();
    let me = people.iter().find(|person| person.email == world.email).unwrap().id;
    // the account's first user, who is an administrator too
    let owner = people.iter().find(|person| person.email != world.email).unwrap().id;
    let proof = proof(&world.person.get(PATH).await);
    let clerk = user_with(&world.app, &world.tenant, Permissao::Emissor, Some(NUMERIC)).await;
    let mut at_desk = Browser::of_user(&world.app, &clerk).await;
    assert_eq!(at_desk.get("/painel/emitir").await.status.as_u16(), 200);
    let page = format!("{PATH}/{}", clerk.id);
    assert!(world.person.get(&page).await.text().contains("emissor"));
    let give = [("prova", proof.as_str()), ("papel", "contador"), ("empresa", NUMERIC)];
    assert_eq!(world.person.post(&format!("{page}/papel"), &give).await.header("location"), page);
    assert_eq!(at_desk.get("/painel/emitir").await.status.as_u16(), 403);
    // the only role stays, a company of another account is none, an unknown role is none
    let take = [("prova", proof.as_str()), ("empresa", NUMERIC)];
    let only = world.person.post(&format!("{page}/retirar"), &take).await;
    assert!(only.status.as_u16() == 422 && only.text().contains("único papel"), "{}", only.text());
    for (papel, empresa) in [("contador", ALPHANUMERIC), ("dono", NUMERIC), ("leitura", NUMERIC)] {
        let give = [("prova", proof.as_str()), ("papel", papel), ("empresa", empresa)];
        assert_eq!(world.person.post(&format!("{page}/papel"), &give).await.status.as_u16(), 422, "{papel} {empresa}");
    }
    // without the tick nothing is removed; with it the session ends
    let unsure = world.person.post(&format!("{page}/remover"), &[("prova", &proof)]).await;
    assert_eq!(unsure.status.as_u16(), 422);
    let sure = [("prova", proof.as_str()), ("certeza", "sim")];
    assert_eq!(world.person.post(&format!("{page}/remover"), &sure).await.header("location"), PATH);
    assert_eq!(at_desk.get("/painel").await.status.as_u16(), 303);
    assert_eq!(world.person.get(&page).await.status.as_u16(), 404);

    assert_eq!(world.person.post(&format!("{PATH}/{owner}/remover"), &sure).await.status.as_u16(), 303);
    let lower = [("prova", proof.as_str()), ("papel", "contador"), ("empresa", "")];
    for (path, fields) in [("papel", &lower[..]), ("remover", &sure[..]), ("retirar", &[("prova", proof.as_str())][..])]
    {
        let kept = world.person.post(&format!("{PATH}/{me}/{path}"), fields).await;
        assert_eq!(kept.status.as_u16(), 422, "{path}: {}", kept.text());
    }
    assert_eq!(world.person.get(PATH).await.status.as_u16(), 200);

    // another account's people do not exist, for pages and forms
    let other = world.app.issuer(ALPHANUMERIC).await;
    let (mut stranger, _) = Browser::of(&world.app, &other, "homologacao").await;
    let theirs = self::proof(&stranger.get(PATH).await);
    assert_eq!(stranger.get(&format!("{PATH}/{me}")).await.status.as_u16(), 404);
    let give = [("prova", theirs.as_str()), ("papel", "contador"), ("empresa", "")];
    assert_eq!(stranger.post(&format!("{PATH}/{me}/papel"), &give).await.status.as_u16(), 404);
    // from elsewhere, and without a session
    let foreign = world.person.post_from(Some("https://outro.exemplo"), &format!("{PATH}/{me}/papel"), &lower).await;
    assert_eq!(foreign.status.as_u16(), 403);
    let nobody = Browser::new(&world.app).get(PATH).await;
    assert_eq!((nobody.status.as_u16(), nobody.header("location")), (303, "/painel/entrar"));
    world.app.finish().await;
}

#[tokio::test]
async fn an_approver_decides_and_issues_nothing_an_accountant_decides_nothing() {
    let world = World::new().await;
    let prepared = world.prepared().await;
    let address = super::address(&prepared);
    let reader = user_with(&world.app, &world.tenant, Permissao::Contador, None).await;
    let mut reader = Browser::of_user(&world.app, &reader).await;
    let seen = reader.get(address).await.text();
    assert!(seen.contains("Só quem tem o papel de aprovador") && !seen.contains("name=\"decisao\""), "{seen}");
    assert_eq!(reader.decide(address, "aprovar", "").await.status.as_u16(), 403);
    let approver = user_with(&world.app, &world.tenant, Permissao::Aprovador, Some(NUMERIC)).await;
    let mut approver = Browser::of_user(&world.app, &approver).await;
    assert_eq!(approver.get("/painel/emitir").await.status.as_u16(), 403);
    assert_eq!(approver.decide(address, "aprovar", "").await.status.as_u16(), 303);
    let accepted = world.confirm(&prepared).await.ok(202);
    crate::support::app::ended(&world.agent, &accepted).await;
    world.app.finish().await;
}

/// A link falls when its maker administers no more; its form names no address.
#[tokio::test]
async fn a_link_falls_with_its_maker_and_makes_nobody_else() {
    let mut world = World::new().await;
    let maker = user_with(&world.app, &world.tenant, Permissao::Administrador, None).await;
    let mut at_desk = Browser::of_user(&world.app, &maker).await;
    let first = link(&invite(&mut at_desk, "bia@contabil.com.br", "administrador", "").await);
    let mut guest = Browser::new(&world.app);
    assert_eq!(guest.get(&first).await.status.as_u16(), 200);
    let proof_of_guest = proof(&guest.get(&first).await);
    // the maker becomes an accountant: an open page of the link is worth nothing either
    let everywhere = |role| store::roles::RoleGrant { company: None, role };
    let (tenant, operator) = (world.tenant.id, store::audit::Actor::operator());
    let put = |role| world.app.store.put_grant(tenant, maker.id, everywhere(role), &operator, 0);
    put(Permissao::Contador).await.unwrap();
    let fields = [("prova", proof_of_guest.as_str()), ("senha", FRESH), ("repetida", FRESH)];
    assert_eq!(guest.post(&first, &fields).await.status.as_u16(), 404);
    gone(&mut guest, &first).await;
    assert!(!world.person.get(PATH).await.text().contains("bia@contabil.com.br"));
    // and a removed one's link likewise
    put(Permissao::Administrador).await.unwrap();
    let second = link(&invite(&mut at_desk, "caio@contabil.com.br", "contador", "").await);
    world.app.store.remove_user(tenant, maker.id, &operator, 0).await.unwrap();
    gone(&mut guest, &second).await;
    // another address in the form is no address of the person
    let third = link(&invite(&mut world.person, "davi@contabil.com.br", "contador", NUMERIC).await);
    let form = proof(&guest.get(&third).await);
    let fields = [
        ("prova", form.as_str()),
        ("senha", FRESH),
        ("repetida", FRESH),
        ("email", "eva@contabil.com.br"),
        ("usuario", "eva@contabil.com.br"),
        ("papel", "administrador"),
        ("empresa", ""),
    ];
    assert_eq!(guest.post(&third, &fields).await.status.as_u16(), 303);
    let people = world.app.store.people(tenant).await.unwrap();
    assert!(people.iter().all(|person| person.email != "eva@contabil.com.br"), "{people:?}");
    let davi = people.iter().find(|person| person.email == "davi@contabil.com.br").unwrap();
    assert_eq!(davi.grants.len(), 1);
    assert_eq!((davi.grants[0].role, davi.grants[0].company.is_some()), (Permissao::Contador, true));
    // used up, for whoever comes with it
    let again = Browser::new(&world.app).post(&third, &fields).await;
    assert!(again.status.as_u16() == 404 && again.text().contains("não vale mais"), "{}", again.text());
    world.app.finish().await;
}
