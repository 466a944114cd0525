//! `/painel`: logins, pages, decisions; and everything that must not work.

mod alcance;
mod amostra;
mod auditoria;
mod chaves;
mod conta;
mod documento;
mod documentos;
mod emails;
mod emitir;
mod empresas;
mod empresas_certificado;
mod exportacoes;
mod integracoes;
mod oidc;
mod pessoas;
mod porta;
mod recebidos;
mod segundo_fator;

use serde_json::{Value, json};
use store::accounts::Permissao;
use store::audit::Actor;

use crate::support::app::{Tenant, TestApp, ended};
use crate::support::body::{self, NUMERIC};
use crate::support::browser::{Browser, SESSION, proof};
use crate::support::client::{Answer, Client};

/// A tenant with a company, an agent with an `assistida` key, and a person who has logged in.
struct World {
    app: TestApp,
    tenant: Tenant,
    agent: Client,
    person: Browser,
    email: String,
}

impl World {
    async fn new() -> World {
        World::with(TestApp::start().await).await
    }

    async fn with(app: TestApp) -> World {
        let tenant = app.issuer(NUMERIC).await;
        let agent = app.limited(&tenant, Permissao::Assistida).await;
        let (person, user) = Browser::of(&app, &tenant, "homologacao").await;
        World { app, tenant, agent, person, email: user.email }
    }

    async fn prepared(&self) -> Value {
        self.agent.post("/v1/nfe/preparar", &body::emission(NUMERIC)).await.ok(200)
    }

    async fn confirm(&self, prepared: &Value) -> Answer {
        let body = json!({ "token_confirmacao": prepared["token_confirmacao"] });
        self.agent.post("/v1/nfe/confirmar", &body).await
    }
}

fn address(prepared: &Value) -> &str {
    prepared["url_confirmacao"].as_str().unwrap()
}

#[tokio::test]
async fn a_person_approves_and_the_agent_goes_on() {
    let mut world = World::new().await;
    let prepared = world.prepared().await;
    let list = world.person.get("/painel/confirmacoes").await.text();
    assert!(
        list.contains(address(&prepared)) && list.contains("R$ 100,00") && list.contains("Maria da Silva"),
        "{list}"
    );
    let page = world.person.get(address(&prepared)).await;
    let text = page.text();
    for shown in [
        "Emitir esta nota?",
        "R$ 100,00",
        "Maria da Silva",
        "529.982.247-25",
        "Papelaria de Teste Ltda",
        "Caderno 96 folhas",
        "Homologação",
        "sem teto",
        "assistida",
    ] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    let pdf = world.person.get(&format!("{}/pdf", address(&prepared))).await;
    assert_eq!(
        (pdf.status.as_u16(), pdf.header("content-type"), &pdf.bytes[..5]),
        (200, "application/pdf", &b"%PDF-"[..])
    );
    world.confirm(&prepared).await.refused(403, "confirmacao_pendente");
    let decided = world.person.decide(address(&prepared), "aprovar", "").await;
    assert_eq!((decided.status.as_u16(), decided.header("location")), (303, address(&prepared)), "{}", decided.text());
    let after = world.person.get(address(&prepared)).await.text();
    assert!(
        after.contains("aprovada") && after.contains(&world.email) && !after.contains("name=\"decisao\""),
        "{after}"
    );
    let job = ended(&world.agent, &world.confirm(&prepared).await.ok(202)).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    let past = world.person.get(address(&prepared)).await.text();
    assert!(past.contains("emitida") && past.contains(job["job_id"].as_str().unwrap()), "{past}");
    let trail =
        world.app.store.audit_trail(world.tenant.id, store::audit::AuditFilter::default(), 100, 0).await.unwrap().0;
    let act = trail.iter().find(|act| act.ato == "emissao_aprovada").unwrap();
    assert_eq!(
        (act.ator_nome.as_deref(), act.alvo.as_str()),
        (Some(world.email.as_str()), prepared["id_confirmacao"].as_str().unwrap())
    );
    assert!(act.endereco.is_some() && act.requisicao_id.is_some());
    world.app.finish().await;
}

#[tokio::test]
async fn a_refusal_is_told_to_the_agent_with_its_reason_and_kills_the_token() {
    let mut world = World::new().await;
    let prepared = world.prepared().await;
    assert_eq!(world.person.decide(address(&prepared), "recusar", "  valor errado ").await.status, 303);
    let refused = world.confirm(&prepared).await.refused(409, "confirmacao_recusada");
    assert_eq!(
        (&refused["motivo"], &refused["url_confirmacao"]),
        (&json!("valor errado"), &prepared["url_confirmacao"])
    );
    let token = json!({ "token_confirmacao": prepared["token_confirmacao"] });
    world.tenant.test.post("/v1/nfe/confirmar", &token).await.refused(409, "confirmacao_recusada");
    // also after its deadline, when an approval comes too late
    world.app.clock.forward(601);
    world.confirm(&prepared).await.refused(409, "confirmacao_recusada");
    let twice = world.person.decide(address(&prepared), "aprovar", "").await;
    assert_eq!(twice.status, 409, "{}", twice.text());
    world.confirm(&prepared).await.refused(409, "confirmacao_recusada");
    // what it was is still in the list, without the note
    let page = world.person.get(address(&prepared)).await.text();
    assert!(page.contains("valor errado") && page.contains("R$ 100,00") && !page.contains("Caderno"), "{page}");
    assert_eq!(world.tenant.test.get("/v1/notas").await.ok(200)["total"], 0);
    world.app.finish().await;
}

#[tokio::test]
async fn everything_that_waits_is_on_some_page() {
    let mut world = World::new().await;
    // two keys, so that no bound of one is met
    let other = world.app.limited(&world.tenant, Permissao::Assistida).await;
    let mut prepared = Vec::new();
    for client in [&world.agent, &other] {
        for _ in 0..26 {
            prepared.push(client.post("/v1/nfe/preparar", &body::emission(NUMERIC)).await.ok(200));
        }
    }
    let first = world.person.get("/painel/confirmacoes").await.text();
    assert!(first.contains("(52)") && first.contains("/painel/confirmacoes?espera=2"), "{first}");
    let second = world.person.get("/painel/confirmacoes?espera=2").await.text();
    assert!(second.contains("/painel/confirmacoes?espera=1"), "{second}");
    let hidden: Vec<&str> =
        prepared.iter().map(address).filter(|one| !first.contains(one) && !second.contains(one)).collect();
    assert!(hidden.is_empty(), "{hidden:?}");
    assert!(second.contains(address(&prepared[0])) && !first.contains(address(&prepared[0])));
    world.app.finish().await;
}

#[tokio::test]
async fn of_two_persons_the_first_decides() {
    let world = World::new().await;
    let prepared = world.prepared().await;
    let (other, _) = Browser::of(&world.app, &world.tenant, "homologacao").await;
    let calls: Vec<_> = [world.person.clone(), other]
        .into_iter()
        .cycle()
        .take(10)
        .enumerate()
        .map(|(index, mut browser)| {
            let address = address(&prepared).to_owned();
            let decisao = if index % 2 == 0 { "aprovar" } else { "recusar" };
            tokio::spawn(async move { browser.decide(&address, decisao, "").await.status.as_u16() })
        })
        .collect();
    let mut statuses = Vec::new();
    for call in calls {
        statuses.push(call.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!((statuses[0], statuses.iter().filter(|status| **status == 409).count()), (303, 9), "{statuses:?}");
    world.app.finish().await;
}

#[tokio::test]
async fn what_ended_is_not_decided_and_an_approval_ends_with_the_token() {
    let mut world = World::new().await;
    let (late, approved) = (world.prepared().await, world.prepared().await);
    assert_eq!(world.person.decide(address(&approved), "aprovar", "").await.status, 303);
    world.app.clock.forward(601);
    let answer = world.person.decide(address(&late), "aprovar", "").await;
    assert_eq!(answer.status, 410, "{}", answer.text());
    assert!(world.person.get(address(&late)).await.text().contains("expirada"));
    world.confirm(&late).await.refused(410, "confirmacao_expirada");
    world.confirm(&approved).await.refused(410, "confirmacao_expirada");
    world.app.finish().await;
}

#[tokio::test]
async fn goods_beside_the_total_are_shown_and_count_against_the_ceiling() {
    let mut world = World::new().await;
    let mut body = body::emission(NUMERIC);
    let mut gift = body["nota"]["produtos"][0].clone();
    gift["indTot"] = json!(0);
    body["nota"]["produtos"].as_array_mut().unwrap().push(gift);
    let prepared = world.agent.post("/v1/nfe/preparar", &body).await.ok(200);
    let page = world.person.get(address(&prepared)).await.text();
    assert!(page.contains("Movimenta") && page.contains("R$ 100,00") && page.contains("R$ 200,00"), "{page}");
    world.app.store.set_ceiling(world.tenant.id, Some(19_999), &Actor::operator(), 0).await.unwrap();
    let page = world.person.get(address(&prepared)).await.text();
    assert!(page.contains("passa do teto") && !page.contains("value=\"aprovar\""), "{page}");
    let answer = world.person.decide(address(&prepared), "aprovar", "").await;
    assert_eq!(answer.status, 422, "{}", answer.text());
    world.app.finish().await;
}

#[tokio::test]
async fn nothing_above_the_ceiling_is_approved() {
    let mut world = World::new().await;
    let prepared = world.prepared().await;
    world.app.store.set_ceiling(world.tenant.id, Some(9_999), &Actor::operator(), 0).await.unwrap();
    let page = world.person.get(address(&prepared)).await.text();
    assert!(
        page.contains("passa do teto") && !page.contains("value=\"aprovar\"") && page.contains("value=\"recusar\""),
        "{page}"
    );
    // and a form that was open before is refused
    let answer = world.person.decide(address(&prepared), "aprovar", "").await;
    assert_eq!(answer.status, 422, "{}", answer.text());
    world.confirm(&prepared).await.refused(403, "confirmacao_pendente");
    assert_eq!(world.person.decide(address(&prepared), "recusar", "").await.status, 303);
    world.app.finish().await;
}

#[tokio::test]
async fn what_is_anothers_or_of_the_other_environment_is_not_there() {
    let mut world = World::new().await;
    let stranger = world.app.issuer(body::ALPHANUMERIC).await;
    let (mut other, _) = Browser::of(&world.app, &stranger, "homologacao").await;
    let prepared = world.prepared().await;
    let live = world.tenant.live.post("/v1/nfe/preparar", &body::emission(NUMERIC)).await.ok(200);
    let mut third = other.clone();
    let nobodys = "/painel/confirmar/01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e";
    for (browser, address) in
        [(&mut other, address(&prepared)), (&mut world.person, address(&live)), (&mut third, nobodys)]
    {
        let page = browser.get(address).await;
        assert_eq!(page.status, 404, "{}", page.text());
        assert!(!page.text().contains("100,00"));
        assert_eq!(browser.decide(address, "aprovar", "").await.status, 404);
        assert_eq!(browser.get(&format!("{address}/pdf")).await.status, 404);
        assert!(!browser.get("/painel/confirmacoes").await.text().contains(address));
    }
    world.confirm(&prepared).await.refused(403, "confirmacao_pendente");
    for wrong in ["/painel/confirmar/x", "/painel/confirmar/%3Cscript%3E", "/painel/confirmar/x/pdf"] {
        let page = world.person.get(wrong).await;
        assert!(page.status == 404 && !page.text().contains("<script>"), "{}", page.text());
    }
    // a person of production sees both
    let proof = proof(&world.person.get("/painel").await);
    let before = world.person.cookies[SESSION].clone();
    let switched = world.person.post("/painel/ambiente", &[("prova", &proof), ("ambiente", "producao")]).await;
    assert_eq!(switched.status, 303, "{}", switched.text());
    let page = world.person.get(address(&live)).await;
    assert!(page.status == 200 && page.text().contains("PRODUÇÃO"), "{}", page.text());
    assert_eq!(world.person.get(address(&prepared)).await.status, 200);
    // and the earlier session is invalid
    let mut old = world.person.clone();
    old.cookies.insert(SESSION.to_owned(), before);
    assert_eq!(old.get("/painel").await.header("location"), "/painel/entrar");
    world.app.finish().await;
}

#[tokio::test]
async fn what_was_stored_is_shown_as_text() {
    let mut world = World::new().await;
    let mut emission = body::emission(NUMERIC);
    let nasty = "<script>alert(1)</script>\"'><img src=x>";
    emission["nota"]["produtos"][0]["xProd"] = json!(nasty);
    emission["nota"]["destinatario"]["xNome"] = json!(nasty);
    emission["nota"]["identificacao"]["natOp"] = json!("<b onclick=x>Venda</b>");
    emission["referencia_externa"] = json!("APROVEJA");
    let prepared = world.agent.post("/v1/nfe/preparar", &emission).await.ok(200);
    let pages = [world.person.get("/painel/confirmacoes").await, world.person.get(address(&prepared)).await];
    for page in pages {
        let text = page.text();
        assert!(!text.contains("<script>") && !text.contains("<img src=x") && !text.contains("<b onclick"), "{text}");
        assert!(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{text}");
        // no text of the preparing agent
        assert!(!text.contains("APROVEJA"), "{text}");
        let policy = page.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'")
                && policy.contains("script-src 'self';")
                && !policy.contains("unsafe"),
            "{policy}"
        );
        assert_eq!((page.header("cache-control"), page.header("x-frame-options")), ("no-store", "DENY"));
    }
    let reason = "</textarea><script>x</script>";
    assert_eq!(world.person.decide(address(&prepared), "recusar", reason).await.status, 303);
    let text = world.person.get(address(&prepared)).await.text();
    assert!(!text.contains("<script>") && text.contains("&lt;/textarea&gt;"), "{text}");
    world.confirm(&prepared).await.refused(409, "confirmacao_recusada");
    world.app.finish().await;
}

#[tokio::test]
async fn a_form_says_what_it_decides() {
    let mut world = World::new().await;
    let prepared = world.prepared().await;
    assert_eq!(world.person.decide(address(&prepared), "talvez", "").await.status, 400);
    assert_eq!(world.person.decide(address(&prepared), "recusar", &"x".repeat(501)).await.status, 422);
    assert_eq!(world.person.decide(address(&prepared), "recusar", &"x".repeat(20_000)).await.status, 413);
    world.confirm(&prepared).await.refused(403, "confirmacao_pendente");
    assert_eq!(world.person.decide(address(&prepared), "recusar", &"ç".repeat(500)).await.status, 303);
    world.app.finish().await;
}
