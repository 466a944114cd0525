//! `PUT`, `GET` and `DELETE /v1/empresas/{cpf_cnpj}/logo`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::Method;
use serde_json::json;

use crate::support::app::{TestApp, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::client::{Answer, Client};
use crate::support::judge;

/// A PNG of one grey: 40 by 20 pixels.
const PNG: &[u8] = include_bytes!("logo.png");
/// A JPEG of one colour: 30 by 20 pixels.
const JPEG: &[u8] = include_bytes!("logo.jpg");

fn path() -> String {
    format!("/v1/empresas/{NUMERIC}/logo")
}

async fn raw(client: &Client, media: &str, file: &[u8]) -> Answer {
    client.send(Method::PUT, &path(), &[("content-type", media)], Bytes::from(file.to_vec())).await
}

fn form(name: &str, file: &[u8]) -> Bytes {
    let head = format!("--fim\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"l.png\"\r\n\r\n");
    Bytes::from([head.as_bytes(), file, b"\r\n--fim--\r\n"].concat())
}

#[tokio::test]
async fn a_logo_is_kept_as_it_came_whichever_way_it_came() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    client.get(&path()).await.refused(404, "nao_encontrado");
    let kept = client.put(&path(), &json!({ "logo": STANDARD.encode(PNG) })).await.ok(200);
    let shown = json!({
        "cpf_cnpj": NUMERIC, "formato": "image/png", "largura": 40, "altura": 20, "bytes": PNG.len()
    });
    assert_eq!(kept, shown);
    let got = client.get(&path()).await;
    assert_eq!((got.header("content-type"), got.bytes.as_ref()), ("image/png", PNG));
    let headers = [("content-type", "multipart/form-data; boundary=fim")];
    let kept = client.send(Method::PUT, &path(), &headers, form("arquivo", JPEG)).await.ok(200);
    assert_eq!((&kept["formato"], &kept["largura"]), (&"image/jpeg".into(), &30.into()));
    assert_eq!(client.get(&path()).await.bytes.as_ref(), JPEG);
    // what it is decides, not what it is called
    assert_eq!(raw(&client, "image/jpeg", PNG).await.ok(200)["formato"], "image/png");
    let removed = client.delete(&path()).await.ok(200);
    assert_eq!((&removed["sucesso"], &removed["cpf_cnpj"]), (&true.into(), &NUMERIC.into()));
    client.get(&path()).await.refused(404, "nao_encontrado");
    client.delete(&path()).await.refused(404, "nao_encontrado");
    app.finish().await;
}

#[tokio::test]
async fn what_cannot_be_printed_is_refused_with_its_reason() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    let gif = raw(&client, "image/png", b"GIF89a").await.refused(422, "validacao");
    assert!(gif["mensagem"].as_str().unwrap().contains("não é PNG nem JPEG"), "{gif}");
    assert_eq!(gif["erros"][0]["campo"], "logo");
    let damaged = raw(&client, "image/png", &PNG[..40]).await.refused(422, "validacao");
    assert!(damaged["mensagem"].as_str().unwrap().contains("danificada"), "{damaged}");
    raw(&client, "image/jpeg", &JPEG[..JPEG.len() - 2]).await.refused(422, "validacao");
    let mut large = PNG.to_vec();
    large.resize(513 << 10, 0);
    raw(&client, "image/png", &large).await.refused(413, "corpo_grande");
    raw(&client, "image/gif", PNG).await.refused(415, "midia_invalida");
    client.put(&path(), &json!({ "logo": "não é base64" })).await.refused(422, "validacao");
    client.put(&path(), &json!({ "logo": 7 })).await.refused(400, "requisicao_invalida");
    client.put(&path(), &json!({})).await.refused(400, "campo_obrigatorio");
    let headers = [("content-type", "multipart/form-data; boundary=fim")];
    client.send(Method::PUT, &path(), &headers, form("outra", PNG)).await.refused(400, "campo_obrigatorio");
    let unknown = format!("/v1/empresas/{ALPHANUMERIC}/logo");
    client.put(&unknown, &json!({ "logo": STANDARD.encode(PNG) })).await.refused(404, "nao_encontrado");
    client.get(&path()).await.refused(404, "nao_encontrado");
    app.finish().await;
}

#[tokio::test]
async fn the_logo_stands_on_the_forms_and_goes_with_the_company() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.test;
    let job = issued(client, &body::emission(NUMERIC)).await;
    let pdf = job["arquivos"]["pdf"].as_str().unwrap();
    assert_eq!(judge::pictures_of_pdf(&client.get(pdf).await.bytes), 0);
    raw(client, "image/png", PNG).await.ok(200);
    assert_eq!(judge::pictures_of_pdf(&client.get(pdf).await.bytes), 1);
    let preview = client.post("/v1/nfe/previa", &body::emission(NUMERIC)).await;
    assert_eq!(judge::pictures_of_pdf(&preview.bytes), 1);
    client.delete(&format!("/v1/empresas/{NUMERIC}")).await.ok(200);
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    client.get(&path()).await.refused(404, "nao_encontrado");
    assert_eq!(judge::pictures_of_pdf(&client.get(pdf).await.bytes), 0);
    app.finish().await;
}
