//! `GET /v1/nfce/{id}/file/pdf`, `…/file/escpos`, `…/file/xml_cancelamento` and `POST /v1/nfce/previa`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::support::app::{TestApp, ended};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::judge;
use crate::support::retail::seller;

fn squeezed(pdf: &[u8]) -> String {
    judge::text_of_pdf(pdf).split_whitespace().collect()
}

async fn sold(client: &Client, body: &Value) -> Value {
    let accepted = client.post("/v1/nfce/emitir", body).await.ok(202);
    ended(client, &accepted).await
}

#[tokio::test]
async fn a_receipt_comes_for_paper_and_for_the_printer() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let job = sold(&client, &body::counter_sale(NUMERIC)).await;
    let (id, chave) = (job["job_id"].as_str().unwrap(), job["nota"]["chave"].as_str().unwrap());
    let file = async |asked: &str| client.get(&format!("/v1/nfce/{id}/file/{asked}")).await;
    let pdf = file("pdf").await;
    assert!(squeezed(&pdf.bytes).contains(chave));
    // 80 and 58 mm in points
    assert_eq!(judge::size_of_pdf(&pdf.bytes).0, 226);
    assert_eq!(judge::size_of_pdf(&file("pdf?largura=58").await.bytes).0, 164);
    let item = "NOTAFISCALEMITIDAEMAMBIENTE";
    assert!(squeezed(&pdf.bytes).contains(item));
    assert!(!squeezed(&file("pdf?itens=false").await.bytes).contains(item));
    for (asked, columns) in [("escpos", 48), ("escpos?largura=58", 32)] {
        let bytes = file(asked).await;
        assert_eq!(bytes.header("content-type"), "application/octet-stream");
        assert_eq!(bytes.header("content-disposition"), format!("attachment; filename=\"{chave}-danfe-nfce.bin\""));
        assert!(bytes.bytes.starts_with(&[0x1B, b'@', 0x1B, b't', 2]));
        assert!(bytes.bytes.ends_with(&[0x1D, b'V', 66, 0]));
        let code = job["nota"]["qrcode"].as_str().unwrap();
        assert!(bytes.text().contains(code), "{}", bytes.text());
        assert!(bytes.text().contains(&format!("\n{}\n", "-".repeat(columns))), "{}", bytes.text());
    }
    // the company's logo, as dots, before everything else
    const DOTS: &[u8] = b"\x1Ba\x01\x1Dv0\x00";
    let has_dots = |bytes: &[u8]| bytes.windows(DOTS.len()).any(|part| part == DOTS);
    assert!(!has_dots(&file("escpos").await.bytes));
    let logo = json!({ "logo": STANDARD.encode(include_bytes!("../empresas/logo.jpg")) });
    client.put(&format!("/v1/empresas/{NUMERIC}/logo"), &logo).await.ok(200);
    assert!(file("escpos").await.bytes[5..].starts_with(DOTS));
    let bad = file("escpos?largura=76").await.refused(400, "requisicao_invalida");
    assert_eq!(bad["erros"][0]["campo"], "largura");
    app.finish().await;
}

#[tokio::test]
async fn a_cancelled_receipt_says_so() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let job = sold(&client, &body::counter_sale(NUMERIC)).await;
    let id = job["job_id"].as_str().unwrap();
    let cancel = json!({ "cpf_cnpj": NUMERIC, "job_id": id, "justificativa": "Venda desfeita pelo cliente" });
    let accepted = client.post("/v1/nfce/cancelar", &cancel).await.ok(202);
    ended(&client, &accepted).await;
    assert!(squeezed(&client.get(&format!("/v1/nfce/{id}/file/pdf")).await.bytes).contains("NOTACANCELADA"));
    let printed = client.get(&format!("/v1/nfce/{id}/file/escpos")).await.text();
    assert!(printed.contains("NOTA CANCELADA") && printed.contains("protocolo de cancelamento"), "{printed}");
    assert!(!printed.contains(job["nota"]["qrcode"].as_str().unwrap()), "{printed}");
    let xml = client.get(&format!("/v1/nfce/{id}/file/xml_cancelamento")).await.text();
    assert!(xml.contains("<procEventoNFe"), "{xml}");
    app.finish().await;
}

#[tokio::test]
async fn a_rejected_receipt_is_no_receipt() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let mut sale = body::counter_sale(NUMERIC);
    // in homologação the authority prescribes the first name of a receipt
    let mut second = sale["nota"]["produtos"][0].clone();
    second["xProd"] = json!("[SIM:cStat=778]");
    sale["nota"]["produtos"].as_array_mut().unwrap().push(second);
    sale["nota"]["pagamentos"][0]["vPag"] = json!(200);
    let job = sold(&client, &sale).await;
    assert_eq!(job["nota"]["status"], "rejeitada", "{job}");
    let id = job["job_id"].as_str().unwrap();
    for file in ["pdf", "pdf?largura=58"] {
        let said = squeezed(&client.get(&format!("/v1/nfce/{id}/file/{file}")).await.bytes);
        assert!(said.contains("SEMVALORFISCAL") && said.contains("REJEITADA:778-"), "{said}");
        assert!(!said.contains("ConsultepelaChave"), "{said}");
    }
    for file in ["escpos", "escpos?largura=58"] {
        let said = client.get(&format!("/v1/nfce/{id}/file/{file}")).await.text();
        assert!(said.contains("SEM VALOR FISCAL") && said.contains("REJEITADA: 778 - "), "{said}");
        assert!(!said.contains("qrcode?p="), "{said}");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_preview_of_a_receipt_has_no_key_and_no_code() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let pdf = client.post("/v1/nfce/previa?largura=58", &body::counter_sale(NUMERIC)).await;
    assert_eq!((pdf.status.as_u16(), pdf.header("content-type")), (200, "application/pdf"), "{}", pdf.text());
    let text = squeezed(&pdf.bytes);
    assert!(text.contains("SEMVALORFISCAL") && text.contains("CONSUMIDORNÃOIDENTIFICADO"), "{text}");
    assert!(!text.contains("ConsultepelaChave"), "{text}");
    assert_eq!(client.get("/v1/notas").await.ok(200)["total"], 0);
    app.finish().await;
}
