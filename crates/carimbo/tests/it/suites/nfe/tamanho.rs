//! The 500 KB of a message (214): predicted from the document's size, and refused by the authority.

use serde_json::{Value, json};

use crate::support::app::{TestApp, issued};
use crate::support::body::{self, NUMERIC};

/// Items with descriptions of the greatest length.
fn items(count: usize) -> Value {
    let mut body = body::emission(NUMERIC);
    let mut item = body::item("100.00");
    item["infAdProd"] = json!("Caderno universitário de capa dura, folhas pautadas ".repeat(9).trim());
    body["nota"]["produtos"] = Value::Array(vec![item; count]);
    body["nota"]["pagamentos"][0]["vPag"] = body::number(&format!("{count}00.00"));
    body
}

fn foresees_it(answer: &Value, list: &str) -> bool {
    answer[list].as_array().unwrap().iter().any(|found| found["codigo_status"] == 214)
}

#[tokio::test]
async fn a_message_that_is_too_large_is_foreseen_and_refused() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let small = client.post("/v1/nfe/verificar-campos", &items(300)).await.ok(200);
    assert!(!foresees_it(&small, "rejeicoes_previstas"), "{:#}", small["rejeicoes_previstas"]);
    let large = client.post("/v1/nfe/verificar-campos", &items(990)).await.ok(200);
    assert!(foresees_it(&large, "rejeicoes_previstas"), "{:#}", large["rejeicoes_previstas"]);
    let told =
        large["rejeicoes_previstas"].as_array().unwrap().iter().find(|found| found["codigo_status"] == 214).unwrap();
    assert!(told["mensagem"].as_str().unwrap().contains("o limite é 500 KB"), "{told}");
    let job = issued(&client, &items(990)).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["codigo_status"]), (&"rejeitada".into(), &214.into()), "{job}");
    app.finish().await;
}
