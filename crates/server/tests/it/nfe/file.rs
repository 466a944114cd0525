//! `GET /v1/nfe/{id}/file/{tipo}`.

use serde_json::json;

use crate::app::{TestApp, issued};
use crate::body::{self, NUMERIC};
use crate::judge;

#[tokio::test]
async fn the_authorised_xml_and_the_history_are_named_by_the_key() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let job = issued(&client, &body::emission(NUMERIC)).await;
    let chave = job["nota"]["chave"].as_str().unwrap();
    let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await;
    assert!(xml.header("content-type").starts_with("application/xml"));
    assert_eq!(xml.header("content-disposition"), format!("attachment; filename=\"{chave}-procNFe.xml\""));
    judge::accepts_proc_nfe(&xml.text(), &app.ca_file());
    let log = client.get(job["arquivos"]["log"].as_str().unwrap()).await;
    assert_eq!(log.header("content-type"), "text/plain; charset=utf-8");
    assert!(log.header("content-disposition").contains(chave));
    assert!(log.text().contains(chave) && log.text().contains("100"), "{}", log.text());
    let pdf = client.get(job["arquivos"]["pdf"].as_str().unwrap()).await;
    assert_eq!(pdf.header("content-type"), "application/pdf");
    assert_eq!(pdf.header("content-disposition"), format!("attachment; filename=\"{chave}.pdf\""));
    let shown: String = judge::text_of_pdf(&pdf.bytes).split_whitespace().collect();
    assert!(shown.contains(chave) && shown.contains(job["nota"]["protocolo"].as_str().unwrap()), "{shown}");
    app.finish().await;
}

#[tokio::test]
async fn a_file_that_does_not_exist_yet_is_409_and_a_kind_that_does_not_exist_404() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"][0]["xProd"] = json!("[SIM:cStat=778]");
    let job = issued(&client, &body).await;
    let id = job["job_id"].as_str().unwrap();
    for tipo in ["xml", "xml_cancelamento"] {
        client.get(&format!("/v1/nfe/{id}/file/{tipo}")).await.refused(409, "arquivo_indisponivel");
    }
    let preview = client.get(&format!("/v1/nfe/{id}/file/pdf")).await;
    assert!(judge::text_of_pdf(&preview.bytes).contains("SEM VALOR FISCAL"));
    client.get(&format!("/v1/nfe/{id}/file/zip")).await.refused(404, "nao_encontrado");
    app.finish().await;
}
