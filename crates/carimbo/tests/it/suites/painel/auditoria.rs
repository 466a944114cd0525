//! `/painel/auditoria`: the trail by person, act, company and period, as a page and as CSV.

use serde_json::json;
use store::accounts::Permissao;

use super::World;
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::Browser;
use crate::support::users::user_with;

const PATH: &str = "/painel/auditoria";

#[tokio::test]
async fn the_trail_is_found_by_person_act_company_and_period() {
    let mut world = World::new().await;
    world.app.company(&world.tenant, ALPHANUMERIC).await;
    let prepared = world.prepared().await;
    world.person.decide(super::address(&prepared), "recusar", "=HYPERLINK(1)").await;
    let user = world.app.store.user_by_email(&world.email).await.unwrap().id;
    let all = world.person.get(PATH).await.text();
    assert!(
        all.contains("Emissão recusada") && all.contains("Empresa cadastrada") && all.contains(&world.email),
        "{all}"
    );
    let of = |filter: String| format!("{PATH}?{filter}");
    let by_person = world.person.get(&of(format!("pessoa={user}"))).await.text();
    let rows =
        |page: &str| page.split("<tbody>").nth(1).unwrap_or_default().split("</tbody>").next().unwrap().to_owned();
    assert!(
        rows(&by_person).contains("Emissão recusada") && !rows(&by_person).contains("Empresa cadastrada"),
        "{by_person}"
    );
    let by_act = world.person.get(&of("ato=emissao_recusada".to_owned())).await.text();
    assert!(rows(&by_act).contains("Emissão recusada") && !rows(&by_act).contains("Entrou"), "{by_act}");
    let by_company = world.person.get(&of(format!("empresa={NUMERIC}"))).await.text();
    assert!(
        rows(&by_company).contains("Emissão recusada") && rows(&by_company).contains("Empresa cadastrada"),
        "{by_company}"
    );
    let others = world.person.get(&of(format!("empresa={ALPHANUMERIC}"))).await.text();
    assert!(!rows(&others).contains("Emissão recusada") && rows(&others).contains("Empresa cadastrada"), "{others}");
    let never = world.person.get(&of("de=2020-01-01&ate=2020-01-02".to_owned())).await.text();
    assert!(never.contains("Nada com estes filtros"), "{never}");
    let wrong = world.person.get(&of("pessoa=%3Cscript%3E&de=x".to_owned())).await;
    let text = wrong.text();
    assert!(wrong.status.as_u16() == 422 && text.contains("falha-pessoa") && !text.contains("<script>\""), "{text}");

    let file = world.person.get(&format!("{PATH}.csv?ato=emissao_recusada")).await;
    assert_eq!((file.status.as_u16(), file.header("content-type")), (200, "text/csv; charset=utf-8"));
    let text = file.text();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains(&world.email) && text.contains("Emissão recusada") && !text.contains(";\"="), "{text}");

    // another account sees nothing of it, nor does a role without the trail, nor anybody without a session
    let other = world.app.issuer(ALPHANUMERIC).await;
    let (mut stranger, _) = Browser::of(&world.app, &other, "homologacao").await;
    let theirs = stranger.get(&of(format!("pessoa={user}"))).await.text();
    assert!(theirs.contains("Nada com estes filtros"), "{theirs}");
    let clerk = user_with(&world.app, &world.tenant, Permissao::Emissor, None).await;
    let mut clerk = Browser::of_user(&world.app, &clerk).await;
    assert_eq!(clerk.get(&format!("{PATH}.csv")).await.status.as_u16(), 403);
    let nobody = Browser::new(&world.app).get(PATH).await;
    assert_eq!(nobody.status.as_u16(), 303);
    world.app.finish().await;
}

/// Emissions and acts on documents name their person and their company.
#[tokio::test]
async fn an_order_of_a_person_names_person_and_company_and_older_pages_follow() {
    let mut world = World::new().await;
    let clerk = user_with(&world.app, &world.tenant, Permissao::Emissor, Some(NUMERIC)).await;
    let api = crate::support::users::bearer(&world.app, &crate::support::users::login(&world.app, &clerk).await);
    let accepted = api.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    crate::support::app::ended(&api, &accepted).await;
    let found = world.person.get(&format!("{PATH}?pessoa={}&empresa={NUMERIC}&ato=operacao_pedida", clerk.id)).await;
    assert!(found.text().contains(&clerk.email) && found.text().contains("/painel/documentos/"), "{}", found.text());
    for at in 0..60 {
        let body = json!({ "nome": format!("chave {at}") });
        world.tenant.test.post("/v1/auth/api-keys", &body).await.ok(201);
    }
    let first = world.person.get(&format!("{PATH}?ato=chave_criada")).await.text();
    let (_, rest) = first.split_once("antes=").unwrap_or_else(|| panic!("{first}"));
    let place = rest.split('"').next().unwrap();
    let second = world.person.get(&format!("{PATH}?ato=chave_criada&antes={place}")).await.text();
    assert!(first.contains("chave 59") && !first.contains("chave 1;") && second.contains("chave 1;"), "{second}");
    assert!(!second.contains("chave 59") && second.contains("As mais novas"), "{second}");
    world.app.finish().await;
}
