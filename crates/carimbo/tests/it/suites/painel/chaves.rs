//! `/painel/chaves`: keys of an account that a person creates, replaces and revokes.

use super::World;
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::{Browser, proof};
use crate::support::client::Answer;

const PATH: &str = "/painel/chaves";

async fn submit(person: &mut Browser, to: &str, fields: &[(&str, &str)]) -> Answer {
    let proof = proof(&person.get(PATH).await);
    let mut all = vec![("prova", proof.as_str())];
    all.extend(fields);
    person.post(to, &all).await
}

/// The secret on the page of a new key.
fn secret(page: &Answer) -> String {
    let text = page.text();
    assert_eq!(page.status.as_u16(), 201, "{text}");
    let rest = text.split_once("<code id=\"chave\">").unwrap_or_else(|| panic!("{text}")).1;
    rest.split('<').next().unwrap().to_owned()
}

/// Address of the newest key of a name.
async fn address(world: &World, nome: &str) -> String {
    let keys = world.app.store.list_api_keys(world.tenant.id).await.unwrap();
    format!("{PATH}/{}", keys.iter().find(|key| key.nome == nome).unwrap().id)
}

#[tokio::test]
async fn a_person_creates_a_key_that_is_shown_once_and_does_what_it_may() {
    let mut world = World::new().await;
    let name = "<script>alert(1)</script>";
    let made = submit(&mut world.person, PATH, &[("nome", name), ("permissao", "leitura")]).await;
    let key = secret(&made);
    assert!(key.starts_with("crb_test_") && !made.text().contains("<script>alert"), "{}", made.text());
    assert_eq!(made.header("cache-control"), "no-store");
    let client = world.app.anonymous().with_key(&key);
    client.get("/v1/empresas").await.ok(200);
    client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.refused(403, "permissao_insuficiente");
    let list = world.person.get(PATH).await.text();
    assert!(list.contains("&lt;script&gt;") && list.contains(&key[..12]) && list.contains("Só consultar"), "{list}");
    assert!(!list.contains(&key) && !list.contains("<script>alert"), "{list}");
    let page = world.person.get(&address(&world, name).await).await;
    assert!(
        page.status == 200 && !page.text().contains(&key) && !page.text().contains("<script>alert"),
        "{}",
        page.text()
    );
    world.app.finish().await;
}

#[tokio::test]
async fn a_replaced_key_is_valid_until_the_end_of_the_chosen_day() {
    let mut world = World::new().await;
    let old = secret(&submit(&mut world.person, PATH, &[("nome", "ERP"), ("permissao", "completa")]).await);
    let page = address(&world, "ERP").await;
    let today = jiff::Timestamp::from_second(world.app.clock_s() - 3 * 3_600).unwrap().to_string()[..10].to_owned();
    for wrong in ["", "2020-01-01", "2999-01-01", "<script>x"] {
        let sent = submit(&mut world.person, &format!("{page}/trocar"), &[("ate", wrong)]).await;
        let text = sent.text();
        assert!(sent.status == 422 && text.contains("id=\"falha-ate\"") && !text.contains("<script>x"), "{text}");
    }
    let new = submit(&mut world.person, &format!("{page}/trocar"), &[("ate", &today)]).await;
    assert!(new.text().contains("vale até"), "{}", new.text());
    let new = secret(&new);
    let (before, after) = (world.app.anonymous().with_key(&old), world.app.anonymous().with_key(&new));
    before.get("/v1/empresas").await.ok(200);
    after.get("/v1/empresas").await.ok(200);
    let list = world.person.get(PATH).await.text();
    assert!(list.contains("trocada") && list.contains("vale até"), "{list}");
    let twice = submit(&mut world.person, &format!("{page}/trocar"), &[("ate", &today)]).await;
    assert!(twice.status == 409 && twice.text().contains("já foi trocada"), "{}", twice.text());
    world.app.clock.forward(86_400);
    before.get("/v1/empresas").await.refused(401, "chave_revogada");
    after.get("/v1/empresas").await.ok(200);
    world.app.finish().await;
}

#[tokio::test]
async fn a_revoked_key_ends_at_once_and_only_the_accounts_keys_of_the_environment_exist() {
    let mut world = World::new().await;
    let key = secret(&submit(&mut world.person, PATH, &[("nome", "Loja"), ("permissao", "completa")]).await);
    let page = address(&world, "Loja").await;
    let other = world.app.issuer(ALPHANUMERIC).await;
    let (mut stranger, _) = Browser::of(&world.app, &other, "homologacao").await;
    let (mut production, _) = Browser::of(&world.app, &world.tenant, "producao").await;
    for visitor in [&mut stranger, &mut production] {
        assert!(!visitor.get(PATH).await.text().contains(&page));
        assert_eq!(visitor.get(&page).await.status, 404);
        for act in ["revogar", "trocar"] {
            assert_eq!(submit(visitor, &format!("{page}/{act}"), &[("ate", "2026-12-01")]).await.status, 404, "{act}");
        }
    }
    assert_eq!(world.person.get(&format!("{PATH}/x")).await.status, 404);
    let client = world.app.anonymous().with_key(&key);
    client.get("/v1/empresas").await.ok(200);
    let revoked = submit(&mut world.person, &format!("{page}/revogar"), &[]).await;
    assert_eq!((revoked.status.as_u16(), revoked.header("location")), (303, PATH), "{}", revoked.text());
    client.get("/v1/empresas").await.refused(401, "chave_revogada");
    assert!(world.person.get(PATH).await.text().contains("Revogadas (1)"));
    world.app.finish().await;
}

#[tokio::test]
async fn a_wrong_form_says_so_beside_its_field_and_strangers_are_refused() {
    let mut world = World::new().await;
    let before = world.app.store.list_api_keys(world.tenant.id).await.unwrap().len();
    let long = "x".repeat(101);
    for (nome, permissao, field) in [
        ("", "leitura", "falha-nome"),
        (long.as_str(), "leitura", "falha-nome"),
        ("ERP", "<script>", "falha-permissao"),
    ] {
        let sent = submit(&mut world.person, PATH, &[("nome", nome), ("permissao", permissao)]).await;
        let text = sent.text();
        assert!(sent.status == 422 && text.contains(&format!("id=\"{field}\"")) && text.contains(nome), "{text}");
    }
    let proof = proof(&world.person.get(PATH).await);
    let fields = [("nome", "ERP"), ("permissao", "completa")];
    assert_eq!(world.person.post(PATH, &fields).await.status, 403);
    let with_proof = [("prova", proof.as_str()), fields[0], fields[1]];
    assert_eq!(world.person.post_from(Some("https://outro.exemplo"), PATH, &with_proof).await.status, 403);
    let led = Browser::new(&world.app).get(PATH).await;
    assert_eq!((led.status.as_u16(), led.header("location")), (303, "/painel/entrar"));
    assert_eq!(world.app.store.list_api_keys(world.tenant.id).await.unwrap().len(), before);
    world.app.finish().await;
}
