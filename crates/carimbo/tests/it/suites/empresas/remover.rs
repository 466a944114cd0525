//! `DELETE /v1/empresas/{cpf_cnpj}`.

use serde_json::json;

use crate::support::app::{TestApp, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};

#[tokio::test]
async fn what_was_issued_stays_and_the_numbering_goes_on_when_the_company_returns() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.test;
    let job = issued(client, &body::emission(NUMERIC)).await;
    assert_eq!(job["nota"]["numero"], 1);
    let removed = client.delete("/v1/empresas/11.222.333/0001-81").await.ok(200);
    assert_eq!((&removed["sucesso"], &removed["cpf_cnpj"]), (&true.into(), &NUMERIC.into()));
    assert_eq!((&removed["jobs_cancelados"], &removed["jobs_em_andamento"]), (&0.into(), &0.into()));
    let path = format!("/v1/empresas/{NUMERIC}");
    client.get(&path).await.refused(404, "nao_encontrado");
    client.delete(&path).await.refused(404, "nao_encontrado");
    assert_eq!(client.get("/v1/empresas").await.ok(200)["total"], 0);
    assert_eq!(client.get("/v1/empresas/certificados").await.ok(200)["total"], 0);
    assert_eq!(client.get("/v1/empresas/numeracao").await.ok(200)["total"], 0);
    client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.refused(404, "nao_encontrado");
    // the document is there, with its files
    let kept = client.get(job["consulta"].as_str().unwrap()).await.ok(200);
    assert_eq!((&kept["nota"], &kept["cpf_cnpj"]), (&job["nota"], &NUMERIC.into()));
    let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await;
    assert!(xml.status.is_success() && xml.text().contains(job["nota"]["chave"].as_str().unwrap()));
    // back again: without certificate and configuration, with its numbers
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    let back = client.get(&path).await.ok(200);
    assert_eq!((&back["certificado"]["status"], &back["configuracoes"]), (&"sem_certificado".into(), &json!({})));
    client.delete(&path).await.ok(200);
    app.company(&tenant, NUMERIC).await;
    assert_eq!(issued(client, &body::emission(NUMERIC)).await["nota"]["numero"], 2);
    app.finish().await;
}

#[tokio::test]
async fn what_waits_is_cancelled_and_other_companies_are_left_alone() {
    let app = TestApp::start_with(|parts| parts.worker = None).await;
    let tenant = app.issuer(NUMERIC).await;
    app.company(&tenant, ALPHANUMERIC).await;
    let client = &tenant.test;
    let mine = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let other = client.post("/v1/nfe/emitir", &body::emission(ALPHANUMERIC)).await.ok(202);
    let removed = client.delete(&format!("/v1/empresas/{NUMERIC}")).await.ok(200);
    assert_eq!((&removed["jobs_cancelados"], &removed["jobs_em_andamento"]), (&1.into(), &0.into()));
    let job = client.get(mine["consulta"].as_str().unwrap()).await.ok(200);
    assert_eq!((&job["status"], &job["nota"], &job["erro"]), (&"cancelled".into(), &json!(null), &json!(null)));
    assert!(job["concluido_em"].is_string(), "{job}");
    let log = client.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
    assert!(log.contains("a empresa foi removida"), "{log}");
    assert_eq!(client.get(other["consulta"].as_str().unwrap()).await.ok(200)["status"], "pending");
    client.delete(&format!("/v1/empresas/{ALPHANUMERIC}")).await.ok(200);
    app.finish().await;
}

#[tokio::test]
async fn another_tenants_company_is_not_removed() {
    let app = TestApp::start().await;
    let owner = app.issuer(NUMERIC).await.test;
    let path = format!("/v1/empresas/{NUMERIC}");
    app.tenant().await.test.delete(&path).await.refused(404, "nao_encontrado");
    app.anonymous().delete(&path).await.refused(401, "nao_autenticado");
    owner.delete("/v1/empresas/123").await.refused(422, "validacao");
    owner.get(&path).await.ok(200);
    app.finish().await;
}
