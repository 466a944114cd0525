//! `/painel/integracoes`: the account's address, its secret, test events, and deliveries that are sent again.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::suites::webhooks::{inside, receiver::Receiver};
use crate::support::app::{Tenant, TestApp, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::{Browser, proof};
use crate::support::client::Answer;

const PATH: &str = "/painel/integracoes";
const SECRET: &str = "/painel/integracoes/segredo";

struct Scene {
    app: TestApp,
    tenant: Tenant,
    person: Browser,
    receiver: Receiver,
}

impl Scene {
    /// A person, and a receiver that gives these answers first.
    async fn start(statuses: &[u16]) -> Scene {
        let app = TestApp::with_webhooks(inside()).await;
        let tenant = app.issuer(NUMERIC).await;
        let (person, _) = Browser::of(&app, &tenant, "homologacao").await;
        Scene { app, tenant, person, receiver: Receiver::https(statuses).await }
    }

    async fn submit(&mut self, to: &str, fields: &[(&str, &str)]) -> Answer {
        submit(&mut self.person, to, fields).await
    }

    async fn save_address(&mut self, path: &str) {
        let url = self.receiver.url(path);
        let saved = self.submit(PATH, &[("url", &url), ("tentativas", "3")]).await;
        assert_eq!((saved.status.as_u16(), saved.header("location")), (303, PATH), "{}", saved.text());
    }

    /// The page once it shows this.
    async fn shows(&mut self, query: &str, text: &str) -> String {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let page = self.person.get(&format!("{PATH}{query}")).await.text();
            if page.contains(text) {
                return page;
            }
            assert!(Instant::now() < deadline, "{text}: {page}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn deliveries(&self) -> Vec<Value> {
        let page = self.tenant.test.get("/v1/webhooks/entregas").await.ok(200);
        page["entregas"].as_array().unwrap().clone()
    }
}

async fn submit(person: &mut Browser, to: &str, fields: &[(&str, &str)]) -> Answer {
    let proof = proof(&person.get(PATH).await);
    let mut all = vec![("prova", proof.as_str())];
    all.extend(fields);
    person.post(to, &all).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_saves_an_address_tries_it_and_sees_what_it_answered() {
    let mut scene = Scene::start(&[]).await;
    let empty = scene.person.get(PATH).await.text();
    assert!(
        empty.contains("Guarde primeiro um endereço") && empty.contains("Nenhum aviso foi enviado ainda"),
        "{empty}"
    );
    let early = scene.submit(&format!("{PATH}/teste"), &[]).await;
    assert!(early.status == 409 && early.text().contains("não tem endereço"), "{}", early.text());
    let url = scene.receiver.url("/conta");
    let fields = [
        ("url", url.as_str()),
        ("tipo", "nfe"),
        ("tipo", "recebida"),
        ("nomes", "nfce.rejeitada"),
        ("tentativas", "5"),
    ];
    assert_eq!(scene.submit(PATH, &fields).await.status, 303);
    let saved = scene.tenant.test.get("/v1/webhooks/conta").await.ok(200);
    assert_eq!(saved["eventos"], json!(["nfe.*", "recebida.*", "nfce.rejeitada"]));
    assert_eq!((&saved["url"], &saved["tentativas"]), (&json!(url), &json!(5)));
    let page = scene.person.get(PATH).await.text();
    for shown in [
        url.as_str(),
        "value=\"nfe\" checked",
        "value=\"nfce.rejeitada\"",
        "value=\"5\" selected",
        "Enviar um aviso de teste",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(!page.contains("value=\"cte\" checked"), "{page}");

    scene.receiver.say("<script>alert(1)</script>", "");
    let sent = scene.submit(&format!("{PATH}/teste"), &[]).await;
    assert_eq!((sent.status.as_u16(), sent.header("location")), (303, "/painel/integracoes#entregas"));
    let page = scene.shows("", "autorizada\">entregue<").await;
    assert!(
        page.contains("webhook.teste") && page.contains("HTTP 200") && page.contains("&lt;script&gt;alert"),
        "{page}"
    );
    assert!(!page.contains("<script>alert") && page.contains("1 entrega."), "{page}");
    assert_eq!(scene.receiver.heard()[0].json()["evento"], "webhook.teste");
    scene.app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_deliveries_are_found_and_sent_again_one_or_all() {
    let mut scene = Scene::start(&[500; 6]).await;
    scene.save_address("/conta").await;
    for _ in 0..2 {
        issued(&scene.tenant.test, &body::emission(NUMERIC)).await;
    }
    for (attempt, wait) in [(1, 30), (2, 60), (3, 0)] {
        let deadline = Instant::now() + Duration::from_secs(60);
        while scene.deliveries().await.iter().any(|one| one["tentativas"] != attempt) {
            assert!(Instant::now() < deadline, "{:?}", scene.deliveries().await);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        scene.app.clock.forward(wait);
    }
    let page = scene.shows("?situacao=perdida&aviso=nfe.autorizada", "2 entregas.").await;
    assert!(
        page.contains("3 tentativas") && page.contains("Reenviar as perdidas") && page.contains("só 2xx confirma"),
        "{page}"
    );
    let document = scene.deliveries().await[0]["job_id"].as_str().unwrap().to_owned();
    assert!(page.contains(&format!("/painel/documentos/{document}")), "{page}");
    let id = scene.deliveries().await[1]["id"].as_str().unwrap().to_owned();
    let again = scene.submit(&format!("{PATH}/{id}/reenviar"), &[]).await;
    assert_eq!(again.status.as_u16(), 303, "{}", again.text());
    scene.shows("?situacao=entregue", &id).await;
    assert_eq!(scene.submit(&format!("{PATH}/reenviar"), &[]).await.status, 303);
    scene.shows("?situacao=entregue", "2 entregas.").await;
    assert_eq!(scene.receiver.heard().len(), 8);
    assert!(scene.shows("?situacao=perdida", "Nenhuma entrega assim").await.contains("0 entregas."));

    // nobody else's
    let other = scene.app.issuer(ALPHANUMERIC).await;
    let (mut stranger, _) = Browser::of(&scene.app, &other, "homologacao").await;
    let (mut production, _) = Browser::of(&scene.app, &scene.tenant, "producao").await;
    for visitor in [&mut stranger, &mut production] {
        let page = visitor.get(PATH).await.text();
        assert!(!page.contains(&id) && page.contains("0 entregas."), "{page}");
        assert_eq!(submit(visitor, &format!("{PATH}/{id}/reenviar"), &[]).await.status, 404);
        assert_eq!(submit(visitor, &format!("{PATH}/x/reenviar"), &[]).await.status, 404);
    }
    scene.app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_address_says_so_beside_its_field_and_changes_nothing() {
    let mut scene = Scene::start(&[]).await;
    for (fields, field) in [
        ([("url", "http://exemplo.com.br/"), ("nomes", ""), ("tentativas", "4")], "falha-url"),
        ([("url", "https://10.1.2.3/"), ("nomes", ""), ("tentativas", "4")], "falha-url"),
        ([("url", ""), ("nomes", "<script>x"), ("tentativas", "4")], "falha-eventos"),
        ([("url", ""), ("nomes", ""), ("tentativas", "99")], "falha-tentativas"),
    ] {
        let sent = scene.submit(PATH, &fields).await;
        let text = sent.text();
        assert_eq!(sent.status.as_u16(), 422, "{text}");
        assert!(text.contains(&format!("id=\"{field}\"")) && text.contains("aria-invalid=\"true\""), "{field}: {text}");
        let kept = fields.iter().find(|(_, value)| value.starts_with("http")).map_or("", |(_, value)| value);
        assert!(text.contains(kept) && !text.contains("<script>x"), "{text}");
    }
    assert_eq!(scene.tenant.test.get("/v1/webhooks/conta").await.ok(200)["atualizado_em"], Value::Null);
    let wrong = scene.person.get(&format!("{PATH}?aviso=%3Cscript%3Ex&situacao=estranha")).await.text();
    assert!(
        wrong.contains("falha-aviso") && wrong.contains("falha-situacao") && !wrong.contains("<script>x"),
        "{wrong}"
    );

    let proof = proof(&scene.person.get(PATH).await);
    for to in [PATH, SECRET, "/painel/integracoes/teste", "/painel/integracoes/reenviar"] {
        assert_eq!(scene.person.post(to, &[("url", "https://exemplo.com.br/")]).await.status, 403, "{to}");
        let foreign = scene.person.post_from(Some("https://outro.exemplo"), to, &[("prova", &proof)]).await;
        assert_eq!(foreign.status, 403, "{to}");
    }
    let mut nobody = Browser::new(&scene.app);
    for path in [PATH, SECRET] {
        let answer = nobody.get(path).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/painel/entrar"), "{path}");
    }
    scene.app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_secret_is_shown_and_rotated_for_its_environment() {
    let mut scene = Scene::start(&[]).await;
    let secret = |answer: Value| answer["segredo"].as_str().unwrap().to_owned();
    let old = secret(scene.tenant.test.get("/v1/webhooks/segredo").await.ok(200));
    let live = secret(scene.tenant.live.get("/v1/webhooks/segredo").await.ok(200));
    assert!(!scene.person.get(PATH).await.text().contains(&old), "only on the page of its own");
    let page = scene.person.get(SECRET).await.text();
    assert!(page.contains(&old) && !page.contains(&live) && !page.contains("assina até"), "{page}");
    let wrong = scene.submit(SECRET, &[("carencia", "9999")]).await;
    assert!(wrong.status == 422 && wrong.text().contains("id=\"falha-carencia\""), "{}", wrong.text());
    let rotated = scene.submit(SECRET, &[("carencia", "72")]).await;
    assert_eq!((rotated.status.as_u16(), rotated.header("location")), (303, SECRET));
    let new = secret(scene.tenant.test.get("/v1/webhooks/segredo").await.ok(200));
    let page = scene.person.get(SECRET).await.text();
    assert!(new != old && page.contains(&new) && !page.contains(&old) && page.contains("assina até"), "{page}");
    assert_eq!(secret(scene.tenant.live.get("/v1/webhooks/segredo").await.ok(200)), live);
    scene.app.finish().await;
}
