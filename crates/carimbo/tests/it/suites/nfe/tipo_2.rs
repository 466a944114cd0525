//! `tpImp` 6, the DANFE Simplificado Tipo 2: an NF-e of retail, with a QR code and no CSC.
//!
//! Law: NT 2026.002, NT 2026.003.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, issued, job_when};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::judge;

const LITERAL: &str = "NOTA FISCAL EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL";

/// A sale at the counter by an NF-e.
fn sale() -> Value {
    let mut body = body::emission(NUMERIC);
    body["nota"]["identificacao"]["tpImp"] = json!(6);
    body
}

async fn text(client: &Client, job: &Value, kind: &str) -> String {
    let answer = client.get(job["arquivos"][kind].as_str().unwrap_or_else(|| panic!("no {kind}: {job}"))).await;
    if kind == "xml" { answer.text() } else { judge::text_of_pdf(&answer.bytes) }
}

/// The code of a document, read from its printed form.
async fn printed_code(client: &Client, job: &Value) -> String {
    let pdf = client.get(job["arquivos"]["pdf"].as_str().unwrap()).await;
    let pages = judge::codes_of_pdf(&pdf.bytes);
    assert_eq!(pages[0].len(), 1, "{pages:?}");
    pages[0][0].clone()
}

#[tokio::test]
async fn is_authorised_in_both_environments_and_its_code_is_read_from_the_paper() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 1 })).await.ok(200);
    for (client, tpAmb, address) in [
        (&tenant.test, 2, "https://www.homologacao.nfce.fazenda.sp.gov.br/qrcode"),
        (&tenant.live, 1, "https://www.nfce.fazenda.sp.gov.br/qrcode"),
    ] {
        let verified = client.post("/v1/nfe/verificar-campos", &sale()).await.ok(200);
        assert_eq!((&verified["valido"], &verified["rejeicoes_previstas"]), (&true.into(), &json!([])), "{verified:#}");
        let told = verified["avisos"].as_array().unwrap().iter().any(|aviso| aviso["codigo"] == "texto_de_homologacao");
        assert_eq!(told, tpAmb == 2, "{verified:#}");
        let job = issued(client, &sale()).await;
        assert_eq!(job["nota"]["status"], "autorizada", "{job}");
        let (chave, xml) = (job["nota"]["chave"].as_str().unwrap(), text(client, &job, "xml").await);
        judge::accepts_proc_nfe(&xml, &app.ca_file());
        assert_eq!(xml.contains(LITERAL), tpAmb == 2, "{xml}");
        let expected = format!("{address}?p={chave}|3|{tpAmb}");
        assert!(xml.contains(&format!("<qrCode>{expected}</qrCode>")), "{xml}");
        assert_eq!(printed_code(client, &job).await, expected);
        assert!(text(client, &job, "pdf").await.contains("DANFE Simplificado Tipo 2"));
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn goes_offline_as_an_nfce_does_with_a_code_signed_by_its_certificate() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    app.sp_stops().await;
    let mut body = sale();
    body["nota"]["identificacao"]["tpEmis"] = json!(9);
    let verified = client.post("/v1/nfe/verificar-campos", &body).await.ok(200);
    assert_eq!((&verified["valido"], &verified["rejeicoes_previstas"]), (&true.into(), &json!([])), "{verified:#}");
    let accepted = client.post("/v1/nfe/emitir", &body).await.ok(202);
    let job = job_when(&client, &accepted, |job| job["arquivos"]["xml"].is_string()).await;
    let nota = &job["nota"];
    assert_eq!((&nota["status"], &nota["tipo_emissao"]), (&Value::Null, &9.into()), "{job}");
    assert_eq!(nota["contingencia"]["tipo"], "offline");
    let code = printed_code(&client, &job).await;
    let parts: Vec<&str> = code.split_once("?p=").unwrap().1.split('|').collect();
    assert_eq!((parts.len(), parts[1], parts[2], parts[4]), (8, "3", "2", "100.00"), "{code}");
    assert_eq!((parts[5], parts[6]), ("2", "52998224725"), "{code}");
    let form = text(&client, &job, "pdf").await.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(form.contains("EMITIDA EM CONTINGÊNCIA") && form.contains("Via do Estabelecimento"), "{form}");
    app.sp_works().await;
    let job = ended(&client, &accepted).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["chave"]), (&"autorizada".into(), &nota["chave"]), "{job}");
    judge::accepts_proc_nfe(&text(&client, &job, "xml").await, &app.ca_file());
    app.finish().await;
}

#[tokio::test]
async fn what_retail_may_not_is_foreseen_of_it_too() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = sale();
    body["nota"]["identificacao"]["indFinal"] = json!(0);
    body["nota"]["cobranca"] = json!({ "fatura": { "nFat": "1", "vOrig": 100, "vLiq": 100 } });
    let verified = client.post("/v1/nfe/verificar-campos", &body).await.ok(200);
    let codes: Vec<u64> = verified["rejeicoes_previstas"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| found["codigo_status"].as_u64().unwrap())
        .collect();
    assert!(codes.contains(&716) && codes.contains(&760), "{verified:#}");
    // the text excepts it from none: an NF-e names its addressee
    let mut body = sale();
    body["nota"].as_object_mut().unwrap().shift_remove("destinatario");
    let verified = client.post("/v1/nfe/verificar-campos", &body).await.ok(200);
    assert_eq!(verified["rejeicoes_previstas"][0]["codigo_status"], 719, "{verified:#}");
    app.finish().await;
}
