//! Deliveries to a receiver: headers, body, attempts.

use openssl::hash::MessageDigest;
use openssl::pkey::PKey;
use openssl::sign::Signer;
use serde_json::{Value, json};

use super::receiver::{Heard, Receiver};
use super::{app_and_receiver, attempted, deliveries, ended_as, inside, issue};
use crate::support::app::{TestApp, ended};
use crate::support::body::{self, NUMERIC};

/// The contract's signature, computed another time.
pub(super) fn contract_signature(secret: &str, raw: &[u8]) -> String {
    let key = PKey::hmac(secret.as_bytes()).unwrap();
    let mut signer = Signer::new(MessageDigest::sha256(), &key).unwrap();
    signer.update(raw).unwrap();
    let hex: String = signer.sign_to_vec().unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={hex}")
}

/// The body without the members that only an event has.
pub(super) fn job_of(heard: &Heard) -> Value {
    let mut body = heard.json();
    for member in ["id", "evento", "timestamp", "tentativa"] {
        assert!(!body.as_object_mut().unwrap().remove(member).unwrap().is_null(), "{member}");
    }
    body
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_end_of_a_note_arrives_signed_and_is_what_the_query_shows() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let tenant = app.issuer(NUMERIC).await;
    let job = issue(&tenant.test, &receiver.url("/notas?loja=7")).await;
    let delivery = ended_as(&tenant.test, &job, "entregue").await;
    let heard = receiver.heard().remove(0);
    let header = |name: &str| heard.headers.get(name).map_or("", String::as_str);
    assert_eq!((heard.path.as_str(), header("content-type")), ("/notas?loja=7", "application/json"));
    assert_eq!((header("x-service-job-id"), header("x-service-tentativa")), (job["job_id"].as_str().unwrap(), "1"));
    let secret = tenant.test.get("/v1/webhooks/segredo").await.ok(200)["segredo"].as_str().unwrap().to_owned();
    assert_eq!(header("x-service-signature"), contract_signature(&secret, &heard.raw));
    let told = heard.json();
    assert_eq!(
        (&told["evento"], &told["tentativa"], &told["id"]),
        (&"nfe.autorizada".into(), &1.into(), &delivery["id"])
    );
    assert_eq!(told["timestamp"], job["concluido_em"]);
    assert_eq!(header("webhook-id"), told["id"].as_str().unwrap());
    assert_eq!(job_of(&heard), job, "exactly the members of the job query");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_fails_twice_sees_attempts_1_2_3_after_30_and_60_seconds() {
    let (app, receiver) = app_and_receiver(&[500, 503]).await;
    let tenant = app.issuer(NUMERIC).await;
    let job = issue(&tenant.test, &receiver.url("/")).await;
    for (attempts, wait) in [(1, 30), (2, 60)] {
        let delivery = attempted(&tenant.test, &job, attempts).await;
        assert_eq!((&delivery["status"], &delivery["concluido_em"]), (&"pendente".into(), &Value::Null));
        let attempt = &delivery["historico"][usize::try_from(attempts).unwrap() - 1];
        // counted from the end of the attempt
        let took = attempt["duracao_ms"].as_i64().unwrap() / 1000 + 2;
        let waits = seconds(&delivery["proxima_tentativa_em"]) - seconds(&attempt["em"]);
        assert!((wait..=wait + took).contains(&waits), "{delivery}");
        app.clock.forward(wait);
    }
    let delivery = ended_as(&tenant.test, &job, "entregue").await;
    assert_eq!((&delivery["tentativas"], &delivery["proxima_tentativa_em"]), (&3.into(), &Value::Null));
    let codes: Vec<&Value> = delivery["historico"].as_array().unwrap().iter().map(|one| &one["codigo_http"]).collect();
    assert_eq!(codes, [500, 503, 200]);
    let heard = receiver.heard();
    let attempts: Vec<&str> = heard.iter().map(|heard| heard.headers["x-service-tentativa"].as_str()).collect();
    assert_eq!(attempts, ["1", "2", "3"]);
    for (heard, attempt) in heard.iter().zip(1..) {
        assert_eq!(heard.headers["webhook-id"], delivery["id"].as_str().unwrap());
        let first = String::from_utf8(receiver.heard()[0].raw.to_vec()).unwrap();
        let same = first.replace("\"tentativa\":1}", &format!("\"tentativa\":{attempt}}}"));
        assert_eq!(String::from_utf8_lossy(&heard.raw), same, "only tentativa differs");
    }
    app.finish().await;
}

fn seconds(instant: &Value) -> i64 {
    instant.as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_second()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_way_a_note_ends_has_its_event() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let tenant = app.issuer(NUMERIC).await;
    for (magic, evento, status) in
        [("[SIM:cStat=610]", "nfe.rejeitada", "rejeitada"), ("[SIM:cStat=302]", "nfe.denegada", "denegada")]
    {
        let mut request = body::emission(NUMERIC);
        request["nota"]["produtos"][0]["xProd"] = json!(format!("Caderno {magic}"));
        request["webhook_url"] = json!(receiver.url("/fim"));
        let job = crate::support::app::issued(&tenant.test, &request).await;
        assert_eq!(job["nota"]["status"], status, "{job}");
        let delivery = ended_as(&tenant.test, &job, "entregue").await;
        let heard = receiver.heard().pop().unwrap();
        assert_eq!((&delivery["evento"], &heard.json()["evento"]), (&evento.into(), &evento.into()));
        assert_eq!(job_of(&heard), job);
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_fails_before_the_authority_is_told_too() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let tenant = app.tenant().await;
    tenant.test.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    let path = format!("/v1/empresas/{NUMERIC}/nfe");
    tenant.test.put(&path, &json!({ "ambiente": 2, "serie": "1" })).await.ok(200);
    let job = issue(&tenant.test, &receiver.url("/")).await;
    assert_eq!((&job["status"], &job["erro_detalhe"]["codigo"]), (&"failed".into(), &"empresa_sem_certificado".into()));
    ended_as(&tenant.test, &job, "entregue").await;
    let heard = receiver.heard().remove(0);
    assert_eq!(heard.json()["evento"], "nfe.falhou");
    assert_eq!(job_of(&heard), job);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancellation_tells_its_own_address_and_the_notes() {
    let (app, of_note) = app_and_receiver(&[]).await;
    let of_cancellation = Receiver::https(&[]).await;
    let tenant = app.issuer(NUMERIC).await;
    let note = issue(&tenant.test, &of_note.url("/nota")).await;
    ended_as(&tenant.test, &note, "entregue").await;
    let request = json!({
        "cpf_cnpj": NUMERIC, "job_id": note["job_id"], "justificativa": "Venda desfeita a pedido do cliente",
        "webhook_url": of_cancellation.url("/cancelamento")
    });
    let accepted = tenant.test.post("/v1/nfe/cancelar", &request).await.ok(202);
    let cancellation = ended(&tenant.test, &accepted).await;
    ended_as(&tenant.test, &cancellation, "entregue").await;
    let told = of_cancellation.heard().remove(0);
    assert_eq!((&told.json()["evento"], job_of(&told)), (&"nfe.cancelada".into(), cancellation));

    let both = |found: &[Value]| found.len() == 2 && found.iter().all(|delivery| delivery["status"] == "entregue");
    let events = deliveries(&tenant.test, &note, both).await;
    assert_eq!((&events[0]["evento"], &events[1]["evento"]), (&"nfe.cancelada".into(), &"nfe.autorizada".into()));
    let told = of_note.heard().remove(1);
    let note = tenant.test.get(note["consulta"].as_str().unwrap()).await.ok(200);
    assert_eq!(note["nota"]["status"], "cancelada");
    assert_eq!(job_of(&told), note);
    let first = of_note.heard().remove(0).json();
    assert_eq!(first["nota"]["status"], "autorizada", "what was told stays as it was");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_an_address_nobody_is_told() {
    let app = TestApp::with_webhooks(inside()).await;
    let tenant = app.issuer(NUMERIC).await;
    let job = crate::support::app::issued(&tenant.test, &body::emission(NUMERIC)).await;
    assert_eq!((&job["status"], &job["webhook"]), (&"completed".into(), &false.into()));
    assert_eq!(tenant.test.get("/v1/webhooks/entregas").await.ok(200)["total"], 0);
    app.finish().await;
}
