//! Webhook events of a national NFS-e: of our own acts, and of acts of others, which the ADN brings and the note shows.

use serde_json::{Value, json};

use super::assinatura::judged;
use super::receiver::Receiver;
use super::{app_and_receiver, deliveries, ended_as};
use crate::support::app::{Tenant, TestApp, ended};
use crate::support::body::{ALPHANUMERIC, NUMERIC};
use crate::support::municipal_services;
use crate::support::services::{another, provider, rendered};

const SYNC: &str = "/v1/nfse/recebidas/sincronizar";

struct Scene {
    app: TestApp,
    receiver: Receiver,
    tenant: Tenant,
}

impl Scene {
    async fn start() -> Scene {
        let (app, receiver) = app_and_receiver(&[]).await;
        let tenant = provider(&app).await;
        Scene { app, receiver, tenant }
    }
    /// Issues a note with webhook events.
    async fn issued(&self, referencia: &str) -> Value {
        let mut body = rendered(NUMERIC, ALPHANUMERIC, referencia);
        body["webhook_url"] = json!(self.receiver.url("/nota"));
        let job = ended(&self.tenant.test, &self.tenant.test.post("/v1/nfse/emitir", &body).await.ok(202)).await;
        assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
        assert_eq!(ended_as(&self.tenant.test, &job, "entregue").await["evento"], "nfse.autorizada");
        job
    }
    /// Makes the município, or the system, act on a note.
    async fn municipality(&self, job: &Value, act: &Value) {
        let chave = job["nota"]["chave"].as_str().unwrap();
        self.app.control.post(&format!("/_sim/nfse/notas/{chave}/eventos"), act).await.ok(200);
    }
    /// Fetches what is new, an hour later.
    async fn fetch(&self) -> Value {
        self.app.forward(3_700).await;
        self.tenant.test.post(SYNC, &json!({ "cpf_cnpj": NUMERIC })).await.ok(200)
    }
    async fn job(&self, job: &Value) -> Value {
        self.tenant.test.get(&format!("/v1/nfse/consultar/{}", job["job_id"].as_str().unwrap())).await.ok(200)
    }
    /// Returns the webhook events of a note, oldest first.
    fn told(&self, job: &Value) -> Vec<Value> {
        let heard = self.receiver.heard().into_iter().map(|one| one.json());
        heard.filter(|body| body["job_id"] == job["job_id"]).collect()
    }
}

/// Emission, its refusal, cancellation, its refusal, substitution: each outcome has its event, and a public verifier
/// accepts the delivery.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_end_of_a_service_is_told_and_the_public_verifier_takes_it() {
    let scene = Scene::start().await;
    let client = &scene.tenant.test;
    let told = async |path: &str, mut body: Value, word: &str| {
        body["webhook_url"] = json!(scene.receiver.url("/fim"));
        let job = ended(client, &client.post(path, &body).await.ok(202)).await;
        assert_eq!(ended_as(client, &job, "entregue").await["evento"], word, "{job:#}");
        job
    };
    let (issue, cancel) = ("/v1/nfse/emitir", "/v1/nfse/cancelar");
    let of = |job: &Value, why: &str| json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": why });
    let mut wrong = another("FIM2");
    wrong["nota"]["serv"]["cServ"]["cTribNac"] = json!("999999");
    let note = told(issue, another("FIM1"), "nfse.autorizada").await;
    let refused = told(issue, wrong, "nfse.rejeitada").await;
    let kept =
        told(cancel, of(&note, "Serviço que não foi prestado [SIM:codigo=E0822]"), "nfse.cancelamento_rejeitado").await;
    let cancelled = told(cancel, of(&note, "Serviço que não foi prestado"), "nfse.cancelada").await;
    let before = told(issue, another("FIM3"), "nfse.autorizada").await;
    let mut after = another("FIM4");
    after["nota"]["subst"] =
        json!({ "chSubstda": before["nota"]["chave"], "cMotivo": "99", "xMotivo": "Correção da descrição do serviço" });
    let after = told(issue, after, "nfse.autorizada").await;
    // and the substituted note's caller gets the event of its end, once
    deliveries(client, &before, |found| found.iter().filter(|one| one["status"] == "entregue").count() == 2).await;
    let words = |job: &Value| {
        scene.told(job).iter().map(|body| body["evento"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(words(&before), ["nfse.autorizada", "nfse.cancelada"]);
    assert_eq!(scene.told(&before)[1]["nota"]["substituida_por"], after["nota"]["chave"]);
    assert_eq!((words(&note), words(&after)), (vec!["nfse.autorizada".to_owned()], vec!["nfse.autorizada".to_owned()]));
    let said = &scene.told(&refused)[0]["nota"];
    assert!(said["rejeicoes"].as_array().unwrap().iter().any(|one| one["codigo_status"] == "E0310"), "{said}");
    assert_eq!(scene.told(&kept)[0]["evento_fiscal"]["codigo_status"], "E0822", "{:#}", scene.told(&kept)[0]);
    assert_eq!(scene.told(&cancelled)[0]["evento_fiscal"]["codigo"], "101101");
    let secret = client.get("/v1/webhooks/segredo").await.ok(200);
    let heard = scene.receiver.heard();
    assert_eq!(heard.len(), 7);
    for one in heard {
        let body = String::from_utf8(one.raw.to_vec()).unwrap();
        assert_eq!(judged(secret["segredo"].as_str().unwrap(), &one, &body), "taken", "{body}");
    }
    scene.app.finish().await;
}

/// A municipal note: issued, refused, cancelled, replaced.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_end_of_a_municipal_service_is_told_and_the_public_verifier_takes_it() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let tenant = municipal_services::provider(&app).await;
    let client = &tenant.test;
    let told = async |path: &str, mut body: Value, word: &str| {
        body["webhook_url"] = json!(receiver.url("/fim"));
        let job = ended(client, &client.post(path, &body).await.ok(202)).await;
        assert_eq!(ended_as(client, &job, "entregue").await["evento"], word, "{job:#}");
        job
    };
    let note = told(municipal_services::ROUTE, municipal_services::service("FIM1"), "nfse.autorizada").await;
    let mut wrong = municipal_services::service("FIM2");
    wrong["nota"]["servico"]["discriminacao"] = json!("Suporte [SIM:codigo=E45]");
    told(municipal_services::ROUTE, wrong, "nfse.rejeitada").await;
    let of = |job: &Value| json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Serviço que não foi prestado" });
    told("/v1/nfse/cancelar", of(&note), "nfse.cancelada").await;
    let before = told(municipal_services::ROUTE, municipal_services::service("FIM3"), "nfse.autorizada").await;
    let mut after = municipal_services::service("FIM4");
    after["nota"]["rps"] = json!({ "rps_substituido": { "numero": before["nota"]["numero_dps"] } });
    told(municipal_services::ROUTE, after, "nfse.autorizada").await;
    deliveries(client, &before, |found| found.iter().filter(|one| one["status"] == "entregue").count() == 2).await;
    let secret = client.get("/v1/webhooks/segredo").await.ok(200);
    let heard = receiver.heard();
    let of_the_replaced =
        heard.iter().map(super::receiver::Heard::json).filter(|one| one["job_id"] == before["job_id"]);
    let words: Vec<Value> = of_the_replaced.map(|one| one["evento"].clone()).collect();
    assert_eq!(words, ["nfse.autorizada", "nfse.cancelada"]);
    assert_eq!(heard.len(), 6);
    for one in heard {
        let body = String::from_utf8(one.raw.to_vec()).unwrap();
        assert_eq!(judged(secret["segredo"].as_str().unwrap(), &one, &body), "taken", "{body}");
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_that_the_municipality_cancels_shows_so_and_is_told_once() {
    let scene = Scene::start().await;
    let (one, other) = (scene.issued("M1").await, scene.issued("M2").await);
    scene.municipality(&one, &json!({ "tipo": "305101", "motivo": "Nota emitida em duplicidade" })).await;
    assert_eq!(scene.job(&one).await["nota"]["status"], "autorizada", "nobody has heard of it yet");
    let synced = scene.fetch().await;
    assert_eq!((&synced["documentos_novos"], &synced["notas_novas"]), (&3.into(), &2.into()), "{synced}");
    let client = &scene.tenant.test;
    let cancelled = scene.job(&one).await;
    assert_eq!(
        (&cancelled["nota"]["status"], &cancelled["status"]),
        (&"cancelada".into(), &"completed".into()),
        "{cancelled:#}"
    );
    assert_eq!(scene.job(&other).await["nota"]["status"], "autorizada");
    let two =
        deliveries(client, &one, |found| found.iter().filter(|one| one["status"] == "entregue").count() == 2).await;
    assert_eq!(two.len(), 2, "{two:#?}");
    let told = scene.told(&one);
    let words: Vec<&Value> = told.iter().map(|body| &body["evento"]).collect();
    assert_eq!(words, ["nfse.autorizada", "nfse.cancelada"]);
    assert_eq!(told[1]["nota"]["status"], "cancelada", "{:#}", told[1]);
    // the event is shown and kept
    let shown = client.get(&format!("/v1/nfse/recebidas/{}", one["nota"]["chave"].as_str().unwrap())).await.ok(200);
    let event = &shown["eventos"][0];
    assert_eq!(
        (&event["tipo_evento"], &event["motivo"]),
        (&"305101".into(), &"Nota emitida em duplicidade".into()),
        "{shown}"
    );
    assert_eq!((&shown["papeis"], &shown["situacao"]), (&json!(["prestador"]), &"cancelada".into()), "{shown}");
    let file = format!("/v1/nfse/{}/file/xml_cancelamento", one["job_id"].as_str().unwrap());
    assert!(client.get(&file).await.text().contains("e305101"));
    assert_eq!(client.get("/v1/notas?tipo=nfse&status=cancelada").await.ok(200)["total"], 1);
    // it cannot be cancelled again, and fetching it again makes no event
    let again =
        json!({ "cpf_cnpj": NUMERIC, "job_id": one["job_id"], "justificativa": "Serviço que não foi prestado" });
    client.post("/v1/nfse/cancelar", &again).await.refused(409, "estado_invalido");
    client.post(SYNC, &json!({ "cpf_cnpj": NUMERIC, "nsu": 3 })).await.ok(200);
    assert_eq!(scene.fetch().await["documentos_novos"], 0);
    assert_eq!(scene.told(&one).len(), 2);
    scene.app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_ends_no_note_leaves_it_and_is_shown() {
    let scene = Scene::start().await;
    let job = scene.issued("B1").await;
    scene
        .municipality(&job, &json!({ "tipo": "305102", "sobre": "101101", "motivo": "Bloqueada em fiscalização" }))
        .await;
    scene.municipality(&job, &json!({ "tipo": "205204" })).await;
    assert_eq!(scene.fetch().await["documentos_novos"], 3);
    let now = scene.job(&job).await;
    assert_eq!(now["nota"]["status"], "autorizada", "{now:#}");
    let chave = job["nota"]["chave"].as_str().unwrap();
    let shown = scene.tenant.test.get(&format!("/v1/nfse/recebidas/{chave}")).await.ok(200);
    let kinds: Vec<&Value> = shown["eventos"].as_array().unwrap().iter().map(|event| &event["tipo_evento"]).collect();
    assert_eq!(kinds, ["305102", "205204"], "{shown}");
    assert_eq!(scene.told(&job).len(), 1, "nothing ended");
    scene.app.finish().await;
}

/// Our own event comes back by the ADN: it is one cancellation with one webhook event.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn our_own_cancellation_that_comes_back_is_no_second_one() {
    let scene = Scene::start().await;
    let job = scene.issued("P1").await;
    let cancellation =
        json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Serviço que não foi prestado" });
    let cancelled =
        ended(&scene.tenant.test, &scene.tenant.test.post("/v1/nfse/cancelar", &cancellation).await.ok(202)).await;
    assert_eq!(cancelled["status"], "completed", "{cancelled:#}");
    deliveries(&scene.tenant.test, &job, |found| found.iter().filter(|one| one["status"] == "entregue").count() == 2)
        .await;
    assert_eq!(scene.fetch().await["documentos_novos"], 2);
    assert_eq!(scene.told(&job).len(), 2);
    assert_eq!(scene.job(&job).await["nota"]["status"], "cancelada");
    scene.app.finish().await;
}

/// The answer of the Sefin is lost, and the ADN brings note and cancellation before the job knows that there is a note.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_that_comes_before_its_note_is_known_waits_for_it() {
    let scene = Scene::start().await;
    for fault in [
        json!({ "servico": "POST /nfse", "tipo": "status_after", "status": 500, "vezes": 1 }),
        json!({ "servico": "GET /dps", "tipo": "http_status", "status": 503, "vezes": 1 }),
    ] {
        scene.app.control.post("/_sim/falhas", &fault).await.ok(201);
    }
    let mut body = rendered(NUMERIC, ALPHANUMERIC, "ANTES1");
    body["webhook_url"] = json!(scene.receiver.url("/nota"));
    let accepted = scene.tenant.test.post("/v1/nfse/emitir", &body).await.ok(202);
    let chave = loop {
        let notes = scene.app.control.get("/_sim/nfse/notas").await.ok(200);
        if let Some(chave) = notes["notas"][0]["chave"].as_str() {
            break chave.to_owned();
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    };
    scene.app.control.post(&format!("/_sim/nfse/notas/{chave}/eventos"), &json!({ "tipo": "305101" })).await.ok(200);
    scene.tenant.test.post(SYNC, &json!({ "cpf_cnpj": NUMERIC })).await.ok(200);
    let job = ended(&scene.tenant.test, &accepted).await;
    assert_eq!((&job["nota"]["chave"], &job["nota"]["status"]), (&json!(chave), &"cancelada".into()), "{job:#}");
    deliveries(&scene.tenant.test, &job, |found| found.iter().filter(|one| one["status"] == "entregue").count() == 2)
        .await;
    let told = scene.told(&job);
    let mut words: Vec<&str> = told.iter().map(|body| body["evento"].as_str().unwrap()).collect();
    words.sort_unstable();
    assert_eq!(words, ["nfse.autorizada", "nfse.cancelada"], "{told:#?}");
    scene.app.finish().await;
}
