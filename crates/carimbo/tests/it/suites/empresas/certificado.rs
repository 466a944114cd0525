//! `PUT /v1/empresas/{cpf_cnpj}/certificado`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::Method;
use serde_json::{Value, json};

use crate::support::app::{PASSWORD, TestApp};
use crate::support::body::{self, NUMERIC};

fn upload(pfx: &[u8], senha: &str) -> Value {
    json!({ "certificado": STANDARD.encode(pfx), "senha": senha })
}

#[tokio::test]
async fn a_good_certificate_is_kept_and_described_but_never_returned() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    let path = format!("/v1/empresas/{NUMERIC}/certificado");
    let record = client.put(&path, &upload(&app.pfx(NUMERIC, 365), PASSWORD)).await.ok(200);
    assert_eq!((&record["status"], &record["cpf_cnpj"]), (&"valido".into(), &NUMERIC.into()));
    assert!(record["titular"].as_str().unwrap().contains(NUMERIC), "{record}");
    assert!((364..=365).contains(&record["dias_para_expirar"].as_i64().unwrap()));
    let soon = client.put(&path, &upload(&app.pfx(NUMERIC, 20), PASSWORD)).await.ok(200);
    assert_eq!(soon["status"], "expira_em_breve");
    let company = client.get(&format!("/v1/empresas/{NUMERIC}")).await.ok(200);
    assert_eq!(company["certificado"]["status"], "expira_em_breve");
    app.finish().await;
}

#[tokio::test]
async fn a_form_with_the_file_works_as_well() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    let mut form = b"--fim\r\nContent-Disposition: form-data; name=\"arquivo\"; filename=\"a.pfx\"\r\n\r\n".to_vec();
    form.extend(app.pfx(NUMERIC, 365));
    form.extend(
        format!("\r\n--fim\r\nContent-Disposition: form-data; name=\"senha\"\r\n\r\n{PASSWORD}\r\n--fim--\r\n").bytes(),
    );
    let path = format!("/v1/empresas/{NUMERIC}/certificado");
    let headers = [("content-type", "multipart/form-data; boundary=fim")];
    let record = client.send(Method::PUT, &path, &headers, Bytes::from(form)).await.ok(200);
    assert_eq!(record["status"], "valido");
    let mut large = b"--fim\r\nContent-Disposition: form-data; name=\"arquivo\"; filename=\"a.pfx\"\r\n\r\n".to_vec();
    large.resize(3 << 20, b'x');
    client.send(Method::PUT, &path, &headers, Bytes::from(large)).await.refused(413, "corpo_grande");
    app.finish().await;
}

#[tokio::test]
async fn what_cannot_sign_for_this_company_is_refused_at_once() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    let path = format!("/v1/empresas/{NUMERIC}/certificado");
    let good = app.pfx(NUMERIC, 365);
    let wrong_password = client.put(&path, &upload(&good, "outra")).await.refused(422, "certificado_invalido");
    assert_eq!(wrong_password["erros"][0]["campo"], "senha");
    client.put(&path, &upload(b"qualquer coisa", PASSWORD)).await.refused(422, "certificado_invalido");
    client.put(&path, &upload(&app.pfx(NUMERIC, -1), PASSWORD)).await.refused(422, "certificado_invalido");
    let foreign = upload(&app.pfx("12345678000195", 365), PASSWORD);
    client.put(&path, &foreign).await.refused(422, "certificado_de_outra_empresa");
    client
        .put(&path, &json!({ "certificado": "não é base64", "senha": "x" }))
        .await
        .refused(422, "certificado_invalido");
    let missing = client.put(&path, &json!({})).await.refused(400, "campo_obrigatorio");
    assert_eq!(missing["erros"].as_array().unwrap().len(), 2);
    client.put(&path, &json!({ "certificado": 1, "senha": "x" })).await.refused(400, "requisicao_invalida");
    client
        .put("/v1/empresas/12345678000195/certificado", &upload(&good, PASSWORD))
        .await
        .refused(404, "nao_encontrado");
    app.finish().await;
}

#[tokio::test]
async fn a_branch_signs_with_the_certificate_of_its_root() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    client.post("/v1/empresas", &body::company("11222333000262")).await.ok(201);
    let record = client.put("/v1/empresas/11222333000262/certificado", &upload(&app.pfx(NUMERIC, 365), PASSWORD)).await;
    assert_eq!(record.ok(200)["status"], "valido");
    app.finish().await;
}

/// A file with nothing but a MAC, which asks for this many rounds.
pub(crate) fn mac_only(rounds: u32) -> Vec<u8> {
    let sha1 = [0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 0x05, 0x00];
    let digest = [&[0x30, 0x21], &sha1[..], &[0x04, 0x14], &[0; 20]].concat();
    let mac = [&[0x30, 0x34], &digest[..], &[0x04, 0x08], b"saltsalt", &[0x02, 0x05, 0x00], &rounds.to_be_bytes()[..]];
    let data = [0x30, 0x11, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01];
    let content = [0xa0, 0x04, 0x04, 0x02, 0x30, 0x00];
    [&[0x30, 0x4c, 0x02, 0x01, 0x03], &data[..], &content, &mac.concat()].concat()
}

#[tokio::test]
async fn a_file_that_asks_for_two_thousand_million_rounds_is_refused_at_once_and_stops_nobody() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    let path = format!("/v1/empresas/{NUMERIC}/certificado");
    let costly = upload(&mac_only(u32::MAX >> 1), PASSWORD);
    let begun = std::time::Instant::now();
    let (refused, health) = tokio::join!(client.put(&path, &costly), app.anonymous().get("/health"));
    health.ok(200);
    let refused = refused.refused(422, "certificado_invalido");
    assert_eq!(refused["erros"][0]["campo"], "certificado");
    assert!(refused["detail"].as_str().unwrap().contains("exporte-o de novo"), "{refused}");
    // obeying the file's iteration count would take half an hour of a core
    assert!(begun.elapsed() < std::time::Duration::from_secs(10), "{:?}", begun.elapsed());
    app.finish().await;
}

#[tokio::test]
async fn one_account_opens_one_certificate_at_a_time_and_a_few_wait() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    let path = format!("/v1/empresas/{NUMERIC}/certificado");
    // the first holds the only place for as many rounds as are still taken, and each of the others longer than it takes
    // to ask: the line fills however the processors are shared out, and its last is served within its 20 s on a busy
    // machine too
    let (slow, quick) = (upload(&mac_only(500_000), PASSWORD), upload(&mac_only(100_000), PASSWORD));
    let mut uploads = tokio::task::JoinSet::new();
    for file in std::iter::once(slow).chain(std::iter::repeat_n(quick, 59)) {
        let (client, path) = (client.clone(), path.clone());
        uploads.spawn(async move { client.put(&path, &file).await });
    }
    app.anonymous().get("/health").await.ok(200);
    let answers = uploads.join_all().await;
    let (told, opened): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 429);
    assert!(!told.is_empty() && opened.len() >= 17, "{} were told to wait, {} opened", told.len(), opened.len());
    for answer in told {
        assert_eq!(answer.header("retry-after"), "5");
        answer.refused(429, "muitas_requisicoes");
    }
    for answer in opened {
        answer.refused(422, "certificado_invalido");
    }
    app.finish().await;
}
