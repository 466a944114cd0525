//! `GET /v1/nfe/consultar/{id}`.

use serde_json::{Value, json};

use crate::support::app::{TestApp, issued};
use crate::support::body::{self, NUMERIC};

#[tokio::test]
async fn an_authorised_job_shows_every_member() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("TUDO1");
    let job = issued(&client, &body).await;
    let members: Vec<&str> = job.as_object().unwrap().keys().map(String::as_str).collect();
    for expected in [
        "job_id",
        "referencia_externa",
        "tipo",
        "operacao",
        "cpf_cnpj",
        "ambiente",
        "status",
        "mensagem",
        "tentativas",
        "idempotente",
        "webhook",
        "consulta",
        "criado_em",
        "atualizado_em",
        "concluido_em",
        "nota",
        "arquivos",
        "erro",
        "erro_detalhe",
    ] {
        assert!(members.contains(&expected), "{expected} in {members:?}");
    }
    assert_eq!((&job["tipo"], &job["operacao"]), (&"nfe".into(), &"emissao".into()));
    assert_eq!((&job["tentativas"], &job["idempotente"], &job["webhook"]), (&1.into(), &false.into(), &false.into()));
    assert_eq!((&job["erro"], &job["erro_detalhe"]), (&Value::Null, &Value::Null));
    for instant in ["criado_em", "atualizado_em", "concluido_em"] {
        assert!(job[instant].as_str().unwrap().ends_with("-03:00"), "{job}");
    }
    check_nota(&job["nota"]);
    let id = job["job_id"].as_str().unwrap();
    let files = json!({ "xml": format!("/v1/nfe/{id}/file/xml"), "pdf": format!("/v1/nfe/{id}/file/pdf"),
        "log": format!("/v1/nfe/{id}/file/log"), "xml_cancelamento": null });
    assert_eq!(job["arquivos"], files);
    app.finish().await;
}

fn check_nota(nota: &Value) {
    assert_eq!(
        (&nota["status"], &nota["modelo"], &nota["numero"]),
        (&"autorizada".into(), &55.into(), &1.into()),
        "{nota}"
    );
    assert_eq!((&nota["serie"], &nota["tipo_emissao"], &nota["contingencia"]), (&"1".into(), &1.into(), &Value::Null));
    assert_eq!((&nota["codigo_status"], &nota["motivo_status"]), (&100.into(), &"Autorizado o uso da NF-e".into()));
    assert_eq!(nota["motivo"], nota["motivo_status"]);
    assert_eq!(nota["chave"], nota["chave_acesso"]);
    assert!(fiscal::value::ChaveAcesso::parse(nota["chave"].as_str().unwrap()).is_ok());
    assert_eq!(nota["protocolo"].as_str().unwrap().len(), 15);
    assert!(nota["data_emissao"].as_str().unwrap().ends_with("-03:00"), "{nota}");
    assert!(nota["data_autorizacao"].as_str().unwrap().contains('T'), "{nota}");
    assert_eq!(nota["valor_total"].to_string(), "100.00");
}

#[tokio::test]
async fn what_is_absent_or_another_tenants_is_404() {
    let app = TestApp::start().await;
    let owner = app.issuer(NUMERIC).await.test;
    let other = app.tenant().await.test;
    let job = issued(&owner, &body::emission(NUMERIC)).await;
    let path = job["consulta"].as_str().unwrap();
    let foreign = other.get(path).await.refused(404, "nao_encontrado");
    let absent = other.get(&format!("/v1/nfe/consultar/{}", uuid::Uuid::now_v7())).await.refused(404, "nao_encontrado");
    assert_eq!(foreign["detail"], absent["detail"]);
    other.get("/v1/nfe/consultar/1").await.refused(404, "nao_encontrado");
    other.get(job["arquivos"]["xml"].as_str().unwrap()).await.refused(404, "nao_encontrado");
    app.finish().await;
}
