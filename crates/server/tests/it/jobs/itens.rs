//! `GET /v1/jobs/{job_id}/itens`.

use serde_json::{Value, json};

use crate::app::{TestApp, ended, issued};
use crate::body::{self, NUMERIC, item, number};
use crate::client::Client;
use crate::notas::listar::refused_with;

async fn items(client: &Client, job: &Value) -> Value {
    client.get(&format!("/v1/jobs/{}/itens", job["job_id"].as_str().unwrap())).await.ok(200)
}

#[tokio::test]
async fn every_item_is_shown_with_its_tax_groups() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"][0]["ibscbs"] = json!({ "cst": "410", "classificacao": "410001" });
    let job = issued(&client, &body).await;
    let shown = items(&client, &job).await;
    let expected = json!({
        "item": 1, "cProd": "CAD-96", "xProd": "Caderno 96 folhas", "NCM": "48202000", "CFOP": 5102, "vProd": number("100.00"),
        "tributos": {
            "icms": { "orig": 0, "CSOSN": "102" }, "ipi": null, "pis": { "CST": "49" }, "cofins": { "CST": "49" },
            "ibscbs": { "cst": "410", "classificacao": "410001" }, "is_": null
        },
        "causou_rejeicao": false, "motivo": null
    });
    assert_eq!(shown, json!({ "job_id": job["job_id"], "itens": [expected], "rejeicao": null }));
    // of a cancellation: those of the note it cancels
    let request = json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Venda desfeita a pedido" });
    let accepted = client.post("/v1/nfe/cancelar", &request).await.ok(202);
    ended(&client, &accepted).await;
    assert_eq!(items(&client, &accepted).await["itens"], shown["itens"]);
    app.finish().await;
}

#[tokio::test]
async fn the_item_that_caused_a_rejection_is_marked() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"] = json!([item("100.00"), item("100.00"), item("100.00")]);
    // vProd must be qCom × vUnCom: rule 629, which names the item
    body["nota"]["produtos"][1]["vProd"] = number("90.00");
    body["nota"]["pagamentos"][0]["vPag"] = number("290.00");
    let job = issued(&client, &body).await;
    assert_eq!(job["nota"]["status"], "rejeitada", "{job}");
    let shown = items(&client, &job).await;
    let marked: Vec<bool> =
        shown["itens"].as_array().unwrap().iter().map(|item| item["causou_rejeicao"] == true).collect();
    assert_eq!(marked, [false, true, false], "{job} {shown}");
    assert_eq!(shown["itens"][1]["motivo"], job["nota"]["motivo_status"]);
    assert_eq!(shown["itens"][0]["motivo"], Value::Null);
    assert_eq!(shown["rejeicao"]["codigo_status"], job["nota"]["codigo_status"]);
    app.finish().await;
}

#[tokio::test]
async fn a_rejection_of_the_whole_note_marks_no_item() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let job = issued(&client, &refused_with(539)).await;
    let shown = items(&client, &job).await;
    assert_eq!(shown["itens"][0]["causou_rejeicao"], false);
    assert_eq!(shown["rejeicao"]["codigo_status"], 539, "{shown}");
    let stranger = app.tenant().await.test;
    stranger.get(&format!("/v1/jobs/{}/itens", job["job_id"].as_str().unwrap())).await.refused(404, "nao_encontrado");
    client.get("/v1/jobs/1/itens").await.refused(404, "nao_encontrado");
    app.anonymous().get("/v1/jobs/1/itens").await.refused(401, "nao_autenticado");
    app.finish().await;
}
