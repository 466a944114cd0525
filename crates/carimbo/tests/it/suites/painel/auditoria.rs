//! `/painel/auditoria`: the trail by person, act, company and period, as a page and as CSV.

use std::collections::BTreeMap;

use http::Method;
use serde_json::json;
use store::accounts::Permissao;
use store::audit::AuditFilter;

use super::World;
use crate::support::app::{ended, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::{Browser, proof};
use crate::support::client::Client;
use crate::support::users::{User, bearer, login, user, user_with};

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

/// An emission and its cancellation, changes of companies, a key and an export.
async fn act_by_api(api: &Client) {
    let note = issued(api, &body::emission(NUMERIC)).await;
    let job = note["job_id"].as_str().unwrap();
    let why = "Venda desfeita a pedido do cliente";
    let cancel = json!({ "cpf_cnpj": NUMERIC, "job_id": job, "justificativa": why });
    ended(api, &api.post("/v1/nfe/cancelar", &cancel).await.ok(202)).await;
    let company = format!("/v1/empresas/{NUMERIC}");
    api.put(&company, &json!({ "nome_fantasia": "Papelaria" })).await.ok(200);
    api.put(&format!("{company}/nfe"), &json!({ "serie": "2" })).await.ok(200);
    api.post("/v1/empresas", &body::company(ALPHANUMERIC)).await.ok(201);
    api.delete(&format!("/v1/empresas/{ALPHANUMERIC}")).await.ok(200);
    let key = api.post("/v1/auth/api-keys", &json!({ "nome": "loja" })).await.ok(201);
    api.delete(&format!("/v1/auth/api-keys/{}", key["id"].as_str().unwrap())).await.ok(200);
    let month = json!({ "cpf_cnpj": NUMERIC, "de": "2026-11-01", "ate": "2026-11-30" });
    let export = api.post("/v1/exportacoes", &month).await.ok(202);
    api.delete(&format!("/v1/exportacoes/{}", export["exportacao_id"].as_str().unwrap())).await.ok(200);
}

/// An invitation, its revocation, and each act on another person.
async fn act_on_people(panel: &mut Browser, other: &User) {
    let form = proof(&panel.get("/painel/pessoas").await);
    let of = |more: &[(&'static str, &'static str)]| {
        let mut fields = vec![("prova", form.clone())];
        fields.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
        fields
    };
    let at = format!("/painel/pessoas/{}", other.id);
    for (path, fields) in [
        ("/painel/pessoas/convidar".to_owned(), of(&[("email", "bia@loja.com.br"), ("papel", "emissor")])),
        (format!("{at}/papel"), of(&[("papel", "emissor"), ("empresa", NUMERIC)])),
        (format!("{at}/retirar"), of(&[("empresa", NUMERIC)])),
        (format!("{at}/remover"), of(&[("certeza", "sim")])),
    ] {
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let done = panel.post(&path, &fields).await;
        assert!(done.status.is_success() || done.status.is_redirection(), "{path}: {}", done.text());
    }
    let page = panel.get("/painel/pessoas").await.text();
    let (_, rest) = page.split_once("/painel/pessoas/convites/").unwrap();
    let revoke = format!("/painel/pessoas/convites/{}/revogar", rest.split('/').next().unwrap());
    assert_eq!(panel.post(&revoke, &[("prova", &form)]).await.status.as_u16(), 303);
}

/// Each act names its person, and its company where it is about one.
#[tokio::test]
async fn every_act_of_a_person_is_in_the_trail_with_the_name() {
    let mut world = World::new().await;
    let person = user(&world.app, &world.tenant).await;
    let api = bearer(&world.app, &login(&world.app, &person).await);
    let mut panel = Browser::of_user(&world.app, &person).await;
    act_by_api(&api).await;
    let prepared = world.prepared().await;
    panel.decide(super::address(&prepared), "recusar", "não é nosso").await;
    let other = user_with(&world.app, &world.tenant, Permissao::Contador, None).await;
    act_on_people(&mut panel, &other).await;
    let filter = AuditFilter { by: Some(person.id), ..AuditFilter::default() };
    let entries = world.app.store.audit_entries(world.tenant.id, filter, None, 100).await.unwrap();
    assert!(entries.iter().all(|entry| entry.ator == "usuario" && entry.ator_nome.as_deref() == Some(&*person.email)));
    let mut acts: BTreeMap<&str, usize> = BTreeMap::new();
    entries.iter().for_each(|entry| *acts.entry(entry.ato.as_str()).or_default() += 1);
    for (act, times) in [
        ("sessao_iniciada", 2),
        ("operacao_pedida", 2),
        ("empresa_alterada", 1),
        ("configuracao_alterada", 1),
        ("empresa_criada", 1),
        ("empresa_removida", 1),
        ("chave_criada", 1),
        ("chave_revogada", 1),
        ("exportacao_pedida", 1),
        ("exportacao_apagada", 1),
        ("emissao_recusada", 1),
        ("convite_criado", 1),
        ("convite_revogado", 1),
        ("papel_dado", 1),
        ("papel_retirado", 1),
        ("usuario_removido", 1),
    ] {
        assert_eq!(acts.get(act), Some(&times), "{act}: {acts:?}");
    }
    // those about the company are found by it
    let page = world.person.get(&format!("{PATH}?pessoa={}&empresa={NUMERIC}", person.id)).await.text();
    for act in ["Emissão ou ato pedido", "Exportação pedida", "Exportação apagada", "Papel dado", "Empresa alterada"]
    {
        assert!(page.contains(&format!(">{act}</td>")), "{act}: {page}");
    }
    // the name stays when the person has gone
    let filter = AuditFilter { by: Some(other.id), ..AuditFilter::default() };
    assert!(world.app.store.audit_entries(world.tenant.id, filter, None, 10).await.unwrap().is_empty());
    let form = proof(&world.person.get("/painel/pessoas").await);
    let gone = world
        .person
        .post(&format!("/painel/pessoas/{}/remover", person.id), &[("prova", &form), ("certeza", "sim")])
        .await;
    assert_eq!(gone.status.as_u16(), 303, "{}", gone.text());
    let page = world.person.get(&format!("{PATH}?pessoa={}", person.id)).await.text();
    assert!(page.contains(&person.email) && page.contains("Exportação pedida"), "{page}");
    world.app.finish().await;
}

/// No method of any address changes the trail.
#[tokio::test]
async fn the_trail_is_only_read() {
    let mut world = World::new().await;
    let before = world.app.store.audit_entries(world.tenant.id, AuditFilter::default(), None, 100).await.unwrap();
    assert!(!before.is_empty());
    let cookie = world.person.get(PATH).await;
    assert_eq!(cookie.status.as_u16(), 200);
    let form = proof(&cookie);
    for path in [PATH.to_owned(), format!("{PATH}.csv"), format!("{PATH}/{}", before[0].id)] {
        assert!([404, 405].contains(&world.person.post(&path, &[("prova", &form)]).await.status.as_u16()), "{path}");
    }
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        for path in ["/v1/auth/auditoria".to_owned(), format!("/v1/auth/auditoria/{}", before[0].id)] {
            let answer = world.tenant.test.look(method.clone(), &path, &[], "{}".into()).await;
            assert!([404, 405].contains(&answer.status.as_u16()), "{method} {path}: {}", answer.status);
        }
    }
    let after = world.app.store.audit_entries(world.tenant.id, AuditFilter::default(), None, 100).await.unwrap();
    assert_eq!(after, before);
    world.app.finish().await;
}
