//! `POST /v1/nfce/inutilizar`: as for the NF-e, in the sequences of model 65.

use serde_json::json;

use crate::support::app::{TestApp, ended};
use crate::support::body::{self, NUMERIC};
use crate::support::judge;
use crate::support::retail::seller;

#[tokio::test]
async fn numbers_of_the_nfce_are_voided_and_those_of_the_nfe_stay() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let request = json!({
        "cpf_cnpj": NUMERIC, "serie": "1", "numero_inicial": "1", "numero_final": 2, "ano": 2026,
        "justificativa": "Caixa trocado antes da primeira venda"
    });
    let accepted = client.post("/v1/nfce/inutilizar", &request).await.ok(202);
    assert!(accepted["consulta"].as_str().unwrap().starts_with("/v1/nfce/consultar/"));
    let job = ended(&client, &accepted).await;
    assert_eq!((&job["tipo"], &job["operacao"]), (&json!("nfce"), &json!("inutilizacao")), "{job}");
    assert_eq!((&job["nota"]["status"], &job["nota"]["modelo"]), (&json!("inutilizada"), &json!(65)), "{job}");
    let file = client.get(job["arquivos"]["xml"].as_str().unwrap()).await;
    judge::accepts_proc_inut(&file.text(), &app.ca_file());
    let sale = client.post("/v1/nfce/emitir", &body::counter_sale(NUMERIC)).await.ok(202);
    assert_eq!(ended(&client, &sale).await["nota"]["numero"], 3);
    let note = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    assert_eq!(ended(&client, &note).await["nota"]["numero"], 1);
    let id = job["job_id"].as_str().unwrap();
    client.get(&format!("/v1/nfe/consultar/{id}")).await.refused(404, "nao_encontrado");
    assert_eq!(client.get("/v1/notas?status=inutilizada&tipo=nfce").await.ok(200)["total"], 1);
    app.finish().await;
}
