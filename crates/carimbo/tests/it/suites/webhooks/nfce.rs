//! Webhook events of an NFC-e: their own names, and the members that only an NFC-e has.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::notificacao::{contract_signature, job_of};
use super::{app_and_receiver, deliveries, ended_as};
use crate::support::app::{PASSWORD, ended};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::retail::{CSC, configure, seller};

async fn sell(client: &Client, url: &str, change: impl FnOnce(&mut Value)) -> Value {
    let mut request = body::counter_sale(NUMERIC);
    request["webhook_url"] = json!(url);
    change(&mut request);
    ended(client, &client.post("/v1/nfce/emitir", &request).await.ok(202)).await
}

fn cancellation(job: &Value, url: &str) -> Value {
    let justificativa = "Venda desfeita pelo cliente";
    json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": justificativa, "webhook_url": url })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_authorised_sale_is_told_with_its_qr_code_and_then_its_cancellation() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let client = seller(&app).await.test;
    let job = sell(&client, &receiver.url("/venda"), |_| {}).await;
    assert_eq!((&job["tipo"], &job["nota"]["status"]), (&"nfce".into(), &"autorizada".into()), "{job}");
    ended_as(&client, &job, "entregue").await;
    let heard = receiver.heard().remove(0);
    let told = heard.json();
    assert_eq!((&told["evento"], &told["nota"]["modelo"]), (&"nfce.autorizada".into(), &65.into()), "{told}");
    assert!(told["nota"]["qrcode"].as_str().unwrap().contains("?p="), "{told}");
    assert!(told["nota"]["url_chave"].is_string() && told["consulta"].as_str().unwrap().starts_with("/v1/nfce/"));
    assert_eq!(job_of(&heard), job, "exactly the members of the job query");
    assert!(!String::from_utf8_lossy(&heard.raw).contains(CSC));
    let secret = client.get("/v1/webhooks/segredo").await.ok(200)["segredo"].as_str().unwrap().to_owned();
    assert_eq!(heard.headers["x-service-signature"], contract_signature(&secret, &heard.raw));

    let request = cancellation(&job, &receiver.url("/cancelamento"));
    let cancelled = ended(&client, &client.post("/v1/nfce/cancelar", &request).await.ok(202)).await;
    ended_as(&client, &cancelled, "entregue").await;
    let both = |found: &[Value]| found.len() == 2 && found.iter().all(|delivery| delivery["status"] == "entregue");
    let of_the_note = deliveries(&client, &job, both).await;
    assert_eq!(
        (&of_the_note[0]["evento"], &of_the_note[1]["evento"]),
        (&"nfce.cancelada".into(), &"nfce.autorizada".into())
    );
    let heard = receiver.heard();
    let own = heard.iter().find(|one| one.path == "/cancelamento").unwrap();
    assert_eq!((&own.json()["evento"], job_of(own)), (&"nfce.cancelada".into(), cancelled));
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_other_way_a_sale_ends_has_its_event() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let client = seller(&app).await.test;
    // a cancellation that comes too late
    let job = sell(&client, &receiver.url("/venda"), |_| {}).await;
    app.control.put("/_sim/relogio", &json!({ "modo": "deslocado", "segundos": 1_860 })).await.ok(200);
    let request = cancellation(&job, &receiver.url("/tarde"));
    let late = ended(&client, &client.post("/v1/nfce/cancelar", &request).await.ok(202)).await;
    assert_eq!(late["evento_fiscal"]["codigo_status"], 501, "{late}");
    app.control.put("/_sim/relogio", &json!({ "modo": "real" })).await.ok(200);
    // an addressee whose situation is irregular
    let denied = sell(&client, &receiver.url("/denegada"), |request| {
        request["nota"]["destinatario"] = json!({ "CNPJCPF": "99999930280" });
    })
    .await;
    // a security code that is not the state's
    configure(&client, NUMERIC, json!({ "csc": "FFFFFFFFFFFFFFFFFFFF" })).await;
    let rejected = sell(&client, &receiver.url("/rejeitada"), |_| {}).await;
    for (job, status, evento, path) in [
        (&late, "autorizada", "nfce.cancelamento_rejeitado", "/tarde"),
        (&denied, "denegada", "nfce.denegada", "/denegada"),
        (&rejected, "rejeitada", "nfce.rejeitada", "/rejeitada"),
    ] {
        assert_eq!(job["nota"]["status"], status, "{job}");
        let delivery = ended_as(&client, job, "entregue").await;
        let heard = receiver.heard().into_iter().find(|heard| heard.path == path).unwrap();
        assert_eq!((&delivery["evento"], &heard.json()["evento"]), (&evento.into(), &evento.into()));
        assert_eq!(&job_of(&heard), job);
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sale_that_fails_is_told_and_once_its_cause_is_gone_it_is_sold() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let client = app.tenant().await.test;
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    configure(&client, NUMERIC, json!({ "ambiente": 2, "serie": "1", "csc_id": "000001", "csc": CSC })).await;
    let job = sell(&client, &receiver.url("/"), |_| {}).await;
    assert_eq!((&job["status"], &job["erro_detalhe"]["codigo"]), (&"failed".into(), &"empresa_sem_certificado".into()));
    ended_as(&client, &job, "entregue").await;
    let heard = receiver.heard().remove(0);
    assert_eq!((&heard.json()["evento"], job_of(&heard)), (&"nfce.falhou".into(), job.clone()));
    let upload = json!({ "certificado": STANDARD.encode(app.pfx(NUMERIC, 365)), "senha": PASSWORD });
    client.put(&format!("/v1/empresas/{NUMERIC}/certificado"), &upload).await.ok(200);
    let path = format!("/v1/jobs/{}/reprocessar", job["job_id"].as_str().unwrap());
    let again = client.post(&path, &json!({})).await.ok(202);
    assert_eq!((&again["tipo"], &again["consulta"]), (&"nfce".into(), &job["consulta"]), "{again}");
    let sold = ended(&client, &job).await;
    assert_eq!((&sold["nota"]["status"], &sold["nota"]["numero"]), (&"autorizada".into(), &1.into()), "{sold}");
    assert!(sold["nota"]["qrcode"].is_string(), "{sold}");
    let both = |found: &[Value]| found.len() == 2 && found.iter().all(|delivery| delivery["status"] == "entregue");
    let told = deliveries(&client, &job, both).await;
    assert_eq!((&told[0]["evento"], &told[1]["evento"]), (&"nfce.autorizada".into(), &"nfce.falhou".into()));
    app.finish().await;
}
