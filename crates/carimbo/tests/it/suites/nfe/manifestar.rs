//! `POST /v1/nfe/manifestar`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::recebidas::{SYNC, Scene};
use crate::support::app::{PASSWORD, TestApp, ended, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::client::Client;
use crate::support::judge;
use crate::support::received::chave;

const PATH: &str = "/v1/nfe/manifestar";

fn said(chave: &str, tipo: &str) -> Value {
    json!({ "cpf_cnpj": ALPHANUMERIC, "chave": chave, "tipo": tipo })
}

/// Returns the predicted rejections of the answer.
fn foreseen(job: &Value) -> Vec<u64> {
    let notices = job["avisos"].as_array().unwrap().iter().filter(|notice| notice["codigo"] == "rejeicao_prevista");
    notices.map(|notice| notice["codigo_status"].as_u64().unwrap()).collect()
}

async fn done(client: &Client, request: &Value) -> Value {
    let accepted = client.post(PATH, request).await.ok(202);
    assert_eq!((&accepted["operacao"], &accepted["status"]), (&"manifestacao".into(), &"pending".into()), "{accepted}");
    let job = ended(client, &accepted).await;
    assert_eq!(job["status"], "completed", "{job}");
    job
}

#[tokio::test]
async fn after_the_ciencia_the_whole_note_comes() {
    let scene = Scene::start().await;
    let mut moved = 0;
    let client = &scene.receiver.test;
    let key = chave(&scene.issue().await["nota"]);
    scene.sync().await.ok(200);
    let job = done(client, &said(&key, "ciencia")).await;
    let event = &job["evento_fiscal"];
    assert_eq!((&event["codigo"], &event["codigo_status"]), (&"210210".into(), &135.into()), "{job}");
    assert_eq!(foreseen(&job), [] as [u64; 0]);
    assert_eq!((&event["chave"], &job["nota"], &job["ambiente"]), (&json!(key), &Value::Null, &"homologacao".into()));
    let file = client.get(job["arquivos"]["xml"].as_str().unwrap()).await;
    assert!(file.header("content-disposition").contains(&format!("{key}-ciencia-01-procEventoNFe.xml")));
    judge::accepts_proc_evento(&file.text(), &scene.app.ca_file());
    let pdf = client.get(job["arquivos"]["pdf"].as_str().unwrap()).await;
    assert!(judge::text_of_pdf(&pdf.bytes).split_whitespace().collect::<String>().contains("CIÊNCIADAOPERAÇÃO"));
    let events = client.get(&format!("/v1/nfe/{}/eventos", job["job_id"].as_str().unwrap())).await.ok(200);
    assert_eq!((&events["chave"], &events["total"]), (&json!(key), &1.into()), "{events}");
    let nota = client.get(&format!("/v1/nfe/recebidas/{key}")).await.ok(200);
    assert_eq!((&nota["manifestacao"]["tipo"], &nota["tipo"]), (&"ciencia".into(), &"resumo".into()), "{nota}");
    scene.forward(3_700, &mut moved).await;
    assert_eq!(scene.sync().await.ok(200)["documentos_novos"], 1);
    let nota = client.get(&format!("/v1/nfe/recebidas/{key}")).await.ok(200);
    assert_eq!((&nota["tipo"], &nota["destinatario"]), (&"completa".into(), &ALPHANUMERIC.into()), "{nota}");
    let xml = client.get(nota["arquivos"]["xml"].as_str().unwrap()).await;
    assert!(xml.header("content-disposition").contains("procNFe.xml"));
    judge::accepts_proc_nfe(&xml.text(), &scene.app.ca_file());
    // the issuer receives the event by the distribution
    let told = scene.issuer.test.post(SYNC, &json!({ "cpf_cnpj": NUMERIC })).await.ok(200);
    assert_eq!((&told["documentos_novos"], &told["notas_novas"]), (&1.into(), &0.into()), "{told}");
    scene.app.finish().await;
}

#[tokio::test]
async fn the_last_word_counts_and_is_listed() {
    let scene = Scene::start().await;
    let client = &scene.receiver.test;
    let key = chave(&scene.issue().await["nota"]);
    scene.sync().await.ok(200);
    let mut refused = said(&key, "nao_realizada");
    refused["justificativa"] = json!("Mercadoria recusada na entrega");
    for (request, tipo) in [
        (said(&key, "confirmacao"), "confirmacao"),
        (said(&key, "desconhecimento"), "desconhecimento"),
        (refused, "nao_realizada"),
        (said(&key, "confirmacao"), "confirmacao"),
    ] {
        let job = done(client, &request).await;
        assert_eq!(job["evento_fiscal"]["codigo_status"], 135, "{job}");
        let page = client.get(&format!("/v1/nfe/recebidas?manifestacao={tipo}")).await.ok(200);
        assert_eq!(page["total"], 1, "{page}");
    }
    // the third confirmation is one too many, and awareness comes too late: nothing changes
    client.post(PATH, &said(&key, "confirmacao")).await.refused(409, "estado_invalido");
    let late = done(client, &said(&key, "ciencia")).await;
    assert_eq!(late["evento_fiscal"]["codigo_status"], 655, "{late}");
    assert_eq!(foreseen(&late), [655], "{late}");
    let nota = client.get(&format!("/v1/nfe/recebidas/{key}")).await.ok(200);
    assert_eq!(nota["manifestacao"]["tipo"], "confirmacao", "{nota}");
    scene.app.finish().await;
}

#[tokio::test]
async fn what_the_authority_refuses_is_told_with_its_code() {
    let scene = Scene::start().await;
    let client = &scene.receiver.test;
    let mut moved = 0;
    let code =
        async |key: &str, tipo: &str| done(client, &said(key, tipo)).await["evento_fiscal"]["codigo_status"].clone();
    // not addressed to this company
    let other = issued(&scene.issuer.test, &body::emission(NUMERIC)).await;
    assert_eq!(code(&chave(&other["nota"]), "ciencia").await, 575);
    // cancelled by its issuer
    let cancelled = scene.issue().await;
    let why =
        json!({ "cpf_cnpj": NUMERIC, "job_id": cancelled["job_id"], "justificativa": "Venda desfeita pelo cliente" });
    let job = scene.issuer.test.post("/v1/nfe/cancelar", &why).await.ok(202);
    assert_eq!(ended(&scene.issuer.test, &job).await["nota"]["status"], "cancelada");
    let cancelled = chave(&cancelled["nota"]);
    assert_eq!(
        (code(&cancelled, "ciencia").await, code(&cancelled, "desconhecimento").await),
        (650.into(), 651.into())
    );
    // one that the Ambiente Nacional does not have yet
    assert_eq!(code("35261199999999000191550010000000011847362510", "ciencia").await, 136);
    // too late
    let late = chave(&scene.issue().await["nota"]);
    scene.forward(11 * 86_400, &mut moved).await;
    let job = done(client, &said(&late, "ciencia")).await;
    assert_eq!(job["evento_fiscal"]["codigo_status"], 596, "{job}");
    assert!(job["evento_fiscal"]["motivo_status"].as_str().unwrap().contains("10 dias"), "{job}");
    assert_eq!(code(&late, "confirmacao").await, 135);
    scene.forward(80 * 86_400, &mut moved).await;
    assert_eq!(code(&late, "desconhecimento").await, 596);
    scene.app.finish().await;
}

#[tokio::test]
async fn what_will_be_refused_is_told_beforehand_by_the_received_note() {
    let scene = Scene::start().await;
    let client = &scene.receiver.test;
    let mut moved = 0;
    let job = scene.issue().await;
    let (cancelled, late) = (chave(&job["nota"]), chave(&scene.issue().await["nota"]));
    scene.sync().await.ok(200);
    let why = json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Venda desfeita pelo cliente" });
    let cancellation = scene.issuer.test.post("/v1/nfe/cancelar", &why).await.ok(202);
    ended(&scene.issuer.test, &cancellation).await;
    scene.forward(11 * 86_400, &mut moved).await;
    scene.sync().await.ok(200);
    for (key, tipo, codes) in [
        (&late, "ciencia", &[596][..]),
        (&late, "confirmacao", &[]),
        (&cancelled, "ciencia", &[596, 650]),
        (&cancelled, "desconhecimento", &[651]),
    ] {
        let job = done(client, &said(key, tipo)).await;
        assert_eq!(foreseen(&job), codes, "{job}");
        let told = job["evento_fiscal"]["codigo_status"].as_u64().unwrap();
        assert_eq!(told, codes.first().copied().unwrap_or(135), "the authority says it: {job}");
    }
    scene.app.finish().await;
}

#[tokio::test]
async fn what_was_said_before_the_note_came_shows_on_it() {
    let scene = Scene::start().await;
    let client = &scene.receiver.test;
    let key = chave(&scene.issue().await["nota"]);
    done(client, &said(&key, "ciencia")).await;
    done(client, &said(&key, "confirmacao")).await;
    // registered already: the later event stays valid
    assert_eq!(done(client, &said(&key, "ciencia")).await["evento_fiscal"]["codigo_status"], 573);
    client.get(&format!("/v1/nfe/recebidas/{key}")).await.refused(404, "nao_encontrado");
    assert_eq!(scene.sync().await.ok(200)["notas_novas"], 1);
    let nota = client.get(&format!("/v1/nfe/recebidas/{key}")).await.ok(200);
    assert_eq!((&nota["manifestacao"]["tipo"], &nota["tipo"]), (&"confirmacao".into(), &"completa".into()), "{nota}");
    assert!(nota["manifestacao"]["em"].as_str().unwrap().ends_with("-03:00"), "{nota}");
    scene.app.finish().await;
}

#[tokio::test]
async fn without_a_certificate_nothing_leaves_and_it_can_be_tried_again() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let client = &tenant.test;
    let bare = "98765432000198";
    client.post("/v1/empresas", &body::company(bare)).await.ok(201);
    client.put(&format!("/v1/empresas/{bare}/nfe"), &json!({ "ambiente": 2, "serie": "1" })).await.ok(200);
    let mut request = said("35261199999999000191550010000000011847362510", "confirmacao");
    request["cpf_cnpj"] = json!(bare);
    let failed = ended(client, &client.post(PATH, &request).await.ok(202)).await;
    assert_eq!(
        (&failed["status"], &failed["erro_detalhe"]["codigo"]),
        (&"failed".into(), &"empresa_sem_certificado".into())
    );
    let upload = json!({ "certificado": STANDARD.encode(app.pfx(bare, 365)), "senha": PASSWORD });
    client.put(&format!("/v1/empresas/{bare}/certificado"), &upload).await.ok(200);
    let again = client.post(&format!("/v1/jobs/{}/reprocessar", failed["job_id"].as_str().unwrap()), &json!({})).await;
    let job = ended(client, &again.ok(202)).await;
    assert_eq!((&job["status"], &job["evento_fiscal"]["sequencia"]), (&"completed".into(), &1.into()), "{job}");
    app.finish().await;
}

#[tokio::test]
async fn the_request_is_checked_whole() {
    let scene = Scene::start().await;
    let client = &scene.receiver.test;
    let missing = client.post(PATH, &json!({})).await.refused(400, "campo_obrigatorio");
    assert_eq!(missing["erros"].as_array().unwrap().len(), 3);
    let key = "35261199999999000191550010000000011847362510";
    for (tipo, justificativa, campo) in [
        ("aceite", json!(null), "tipo"),
        ("nao_realizada", json!("curta"), "justificativa"),
        ("desconhecimento", json!("curta"), "justificativa"),
        ("ciencia", json!("Justificativa que não cabe aqui"), "justificativa"),
        ("nao_realizada", json!("x".repeat(256)), "justificativa"),
    ] {
        let mut request = said(key, tipo);
        request["justificativa"] = justificativa;
        let refused = client.post(PATH, &request).await.refused(422, "validacao");
        assert_eq!(refused["erros"][0]["campo"], campo, "{refused}");
    }
    client.post(PATH, &said(key, "nao_realizada")).await.refused(400, "campo_obrigatorio");
    client.post(PATH, &said(&"1".repeat(44), "ciencia")).await.refused(422, "validacao");
    let consumer = client.post(PATH, &said("35261111222333000181650010000000011123456787", "ciencia")).await;
    assert_eq!(consumer.refused(422, "validacao")["erros"][0]["campo"], "chave");
    let mut foreign = said(key, "ciencia");
    foreign["cpf_cnpj"] = json!(NUMERIC);
    client.post(PATH, &foreign).await.refused(404, "nao_encontrado");
    client.post("/v1/empresas", &body::company("98765432000198")).await.ok(201);
    foreign["cpf_cnpj"] = json!("98765432000198");
    client.post(PATH, &foreign).await.refused(422, "empresa_sem_configuracao");
    scene.app.finish().await;
}

#[tokio::test]
async fn a_reference_used_again_gives_the_first_job() {
    let scene = Scene::start().await;
    let client = &scene.receiver.test;
    let key = chave(&scene.issue().await["nota"]);
    let mut request = said(&key, "ciencia");
    request["referencia_externa"] = json!("MANIF1");
    let first = done(client, &request).await;
    let again = client.post(PATH, &request).await.ok(200);
    assert_eq!((&again["idempotente"], &again["job_id"]), (&true.into(), &first["job_id"]));
    scene.app.finish().await;
}
