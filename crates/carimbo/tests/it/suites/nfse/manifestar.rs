//! `POST /v1/nfse/manifestar`: closed until the operator opens it; then a party's event is signed, registered by the
//! Sefin, and shown on both sides.

use serde_json::{Value, json};

use super::issued;
use crate::support::app::{Tenant, TestApp, ended};
use crate::support::body::{ALPHANUMERIC, NUMERIC};
use crate::support::services::{provider, rendered};

const ROUTE: &str = "/v1/nfse/manifestar";
const SYNC: &str = "/v1/nfse/recebidas/sincronizar";

struct Scene {
    app: TestApp,
    prestador: Tenant,
    tomador: Tenant,
}

impl Scene {
    async fn start() -> Scene {
        let app = TestApp::start_with(|parts| parts.opened.manifests_services = true).await;
        let (prestador, tomador) = (provider(&app).await, app.issuer(ALPHANUMERIC).await);
        Scene { app, prestador, tomador }
    }
    async fn render(&self, referencia: &str) -> Value {
        issued(&self.prestador, &rendered(NUMERIC, ALPHANUMERIC, referencia)).await
    }
    /// Posts an event of the tomador; returns the final answer of its job.
    async fn said(&self, said: &Value) -> Value {
        ended(&self.tomador.test, &self.tomador.test.post(ROUTE, said).await.ok(202)).await
    }
}

#[tokio::test]
async fn it_is_closed_until_the_operator_opens_it() {
    let app = TestApp::start().await;
    let tenant = app.issuer(ALPHANUMERIC).await;
    let said = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": "3".repeat(50), "tipo": "confirmacao", "papel": "tomador" });
    let refused = tenant.test.post(ROUTE, &said).await.refused(403, "permissao_negada");
    assert!(refused["detail"].as_str().unwrap().contains("manifestacao.nfse"), "{refused}");
    app.finish().await;
}

#[tokio::test]
async fn a_party_rejects_and_confirms_and_the_issuer_learns_of_it() {
    let scene = Scene::start().await;
    let (one, other) = (scene.render("A1").await, scene.render("A2").await);
    let client = &scene.tomador.test;
    client.post(SYNC, &json!({ "cpf_cnpj": ALPHANUMERIC })).await.ok(200);
    // the company's role follows from the received note
    let rejection = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": one["nota"]["chave"], "tipo": "rejeicao", "codigo_motivo": 9,
        "justificativa": "Serviço que não contratamos", "referencia_externa": "R1" });
    let job = scene.said(&rejection).await;
    assert_eq!((&job["status"], &job["operacao"]), (&"completed".into(), &"manifestacao".into()), "{job:#}");
    assert_eq!(job["evento_fiscal"]["codigo"], "203206", "{job:#}");
    let replay = client.post(ROUTE, &rejection).await.ok(200);
    assert_eq!((&replay["job_id"], &replay["idempotente"]), (&job["job_id"], &true.into()));
    let confirmation =
        json!({ "cpf_cnpj": ALPHANUMERIC, "chave": other["nota"]["chave"], "tipo": "confirmacao", "papel": "tomador" });
    assert_eq!(scene.said(&confirmation).await["evento_fiscal"]["codigo"], "203202");
    for (note, word) in [(&one, "rejeicao"), (&other, "confirmacao")] {
        let chave = note["nota"]["chave"].as_str().unwrap();
        let shown = client.get(&format!("/v1/nfse/recebidas/{chave}")).await.ok(200);
        assert_eq!(shown["manifestacao"]["tipo"], word, "{shown}");
    }
    // one event per party, and only of its role: predicted for the received note, and refused alike
    client.post(SYNC, &json!({ "cpf_cnpj": ALPHANUMERIC })).await;
    scene.app.forward(3_700).await;
    client.post(SYNC, &json!({ "cpf_cnpj": ALPHANUMERIC })).await.ok(200);
    for (papel, code) in [("tomador", "E1833"), ("intermediario", "E0813")] {
        let said = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": other["nota"]["chave"], "tipo": "rejeicao", "papel": papel, "codigo_motivo": 1 });
        let accepted = client.post(ROUTE, &said).await.ok(202);
        assert_eq!(accepted["avisos"][0]["codigo_status"], code, "{accepted}");
        let refused = ended(client, &accepted).await;
        assert_eq!(refused["evento_fiscal"]["codigo_status"], code, "{refused:#}");
    }
    // the simulator verifies signature and author; the issuer receives the event by the ADN, and a confirmed note is
    // not cancelled
    scene.prestador.test.post(SYNC, &json!({ "cpf_cnpj": NUMERIC })).await.ok(200);
    let chave = one["nota"]["chave"].as_str().unwrap();
    let shown = scene.prestador.test.get(&format!("/v1/nfse/recebidas/{chave}")).await.ok(200);
    let event = &shown["eventos"][0];
    assert_eq!((&event["tipo_evento"], &event["autor"]), (&"203206".into(), &ALPHANUMERIC.into()), "{shown}");
    assert_eq!(event["motivo"], "Serviço que não contratamos");
    let cancellation =
        json!({ "cpf_cnpj": NUMERIC, "job_id": other["job_id"], "justificativa": "Serviço que não foi prestado" });
    let refused =
        ended(&scene.prestador.test, &scene.prestador.test.post("/v1/nfse/cancelar", &cancellation).await.ok(202))
            .await;
    assert_eq!(refused["evento_fiscal"]["codigo_status"], "E0840", "{refused:#}");
    scene.app.finish().await;
}

#[tokio::test]
async fn a_lost_answer_is_asked_for_and_a_second_word_is_the_sefins_to_refuse() {
    let scene = Scene::start().await;
    let note = scene.render("B1").await;
    let fault = json!({ "servico": "POST /nfse/eventos", "tipo": "reset_after", "vezes": 1 });
    scene.app.control.post("/_sim/falhas", &fault).await.ok(201);
    let said =
        json!({ "cpf_cnpj": ALPHANUMERIC, "chave": note["nota"]["chave"], "tipo": "confirmacao", "papel": "tomador" });
    let job = scene.said(&said).await;
    assert_eq!((&job["status"], &job["evento_fiscal"]["codigo"]), (&"completed".into(), &"203202".into()), "{job:#}");
    let chave = note["nota"]["chave"].as_str().unwrap();
    let there = scene.app.control.get(&format!("/_sim/nfse/notas/{chave}")).await.ok(200);
    assert_eq!(there["eventos"].as_array().unwrap().len(), 1, "{there}");
    // the Sefin refuses an author without that role
    let foreign = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": chave, "tipo": "rejeicao", "papel": "intermediario", "codigo_motivo": "1" });
    let refused = scene.said(&foreign).await;
    assert_eq!(refused["evento_fiscal"]["codigo_status"], "E0813", "{refused:#}");
    scene.app.finish().await;
}

#[tokio::test]
async fn the_requests_are_checked_whole() {
    let scene = Scene::start().await;
    let client = &scene.tomador.test;
    client.post(ROUTE, &json!({})).await.refused(400, "campo_obrigatorio");
    let wrong = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": "35", "tipo": "ciencia", "papel": "destinatario" });
    assert_eq!(client.post(ROUTE, &wrong).await.refused(422, "validacao")["erros"].as_array().unwrap().len(), 3);
    let chave = "35503082211222333000181000000000000126111234567890";
    for (tipo, more, campo) in [
        ("confirmacao", json!({ "codigo_motivo": 1 }), "codigo_motivo"),
        ("confirmacao", json!({ "justificativa": "Uma razão qualquer" }), "justificativa"),
        ("rejeicao", json!({ "codigo_motivo": 7 }), "codigo_motivo"),
        ("rejeicao", json!({ "codigo_motivo": 1, "justificativa": "curta" }), "justificativa"),
    ] {
        let mut said = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": chave, "tipo": tipo, "papel": "tomador" });
        said.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let refused = client.post(ROUTE, &said).await.refused(422, "validacao");
        assert_eq!(refused["erros"][0]["campo"], campo, "{refused}");
    }
    let unknown = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": chave, "tipo": "confirmacao" });
    assert_eq!(client.post(ROUTE, &unknown).await.refused(422, "validacao")["erros"][0]["campo"], "papel");
    let nobody = json!({ "cpf_cnpj": NUMERIC, "chave": chave, "tipo": "confirmacao", "papel": "tomador" });
    client.post(ROUTE, &nobody).await.refused(404, "nao_encontrado");
    scene.app.finish().await;
}
