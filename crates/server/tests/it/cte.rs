//! `/v1/cte`: a CT-e (57) and a CT-e OS (67) from the request to the authorised file, judged from outside.

use serde_json::{Value, json};

use crate::app::{Tenant, TestApp, ended};
use crate::body::NUMERIC;
use crate::judge;

/// The guide's example, as written.
fn cargo() -> Value {
    serde_json::from_str(include_str!("../../../../docs/guides/cte.json")).unwrap()
}

/// People carried within São Paulo by a carrier of Simples Nacional.
fn passengers() -> Value {
    json!({
        "cpf_cnpj": NUMERIC,
        "nota": {
            "identificacao": {
                "modelo": 67, "CFOP": "5357", "natOp": "Transporte de pessoas", "tpServ": "6",
                "cMunIni": 3550308, "xMunIni": "São Paulo", "UFIni": "SP", "cMunFim": 3509502, "xMunFim": "Campinas", "UFFim": "SP"
            },
            "tomador": {
                "CNPJCPF": "12ABC34501DE35", "IE": "110042490114", "xNome": "Livraria Alfa Exemplo Ltda", "xLgr": "Rua Direita", "nro": "100",
                "xBairro": "Sé", "cMun": 3550308, "xMun": "São Paulo", "CEP": "01002000", "UF": "SP"
            },
            "valores": { "vTPrest": 900 },
            "imposto": { "icms": { "CST": "90", "indSN": 1 }, "federais": { "vINSS": 99 } },
            "servico": { "xDescServ": "Fretamento eventual" },
            "rodoviario": { "nro_reg_estadual": "1234567890123456789012345", "fretamento": { "tpFretamento": 1, "dhViagem": "2026-11-28T08:00:00-03:00" } }
        }
    })
}

/// A tenant whose company carries.
async fn carrier(app: &TestApp) -> Tenant {
    let tenant = app.issuer(NUMERIC).await;
    let settings = json!({ "ambiente": 2, "crt": 1, "serie": "1", "rntrc": "12345678", "taf": "123456789012" });
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/cte"), &settings).await.ok(200);
    tenant
}

/// Issues, and gives the job and its authorised file.
async fn issued(tenant: &Tenant, body: &Value) -> (Value, String) {
    let accepted = tenant.test.post("/v1/cte/emitir", body).await.ok(202);
    let job = ended(&tenant.test, &accepted).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
    let xml = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await;
    assert!(xml.header("content-disposition").contains("-procCTe.xml"), "{}", xml.header("content-disposition"));
    (job, xml.text())
}

#[tokio::test]
async fn cargo_is_carried_from_the_request_to_the_authorised_file() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let (job, xml) = issued(&tenant, &cargo()).await;
    assert_eq!((job["tipo"].as_str(), &job["nota"]["chave"].as_str().unwrap()[20..22]), (Some("cte"), "57"));
    assert!(
        xml.contains("<cteProc ") && xml.contains("<qrCodCTe>") && xml.contains("<RNTRC>12345678</RNTRC>"),
        "{xml}"
    );
    judge::accepts_proc_cte(&xml, &app.ca_file());
    let replay = tenant.test.post("/v1/cte/emitir", &cargo()).await.ok(200);
    assert_eq!((&replay["job_id"], &replay["idempotente"]), (&job["job_id"], &json!(true)));
    let consulted = tenant.test.get(&format!("/v1/cte/consultar/{}", job["job_id"].as_str().unwrap())).await.ok(200);
    assert_eq!(consulted["nota"]["chave"], job["nota"]["chave"]);
    let quota = tenant.test.get("/v1/cotas").await.ok(200);
    assert!(quota.to_string().contains(r#""cte""#), "{quota}");
    assert_eq!(job["arquivos"]["pdf"], Value::Null);
    let form = format!("/v1/cte/{}/file/pdf", job["job_id"].as_str().unwrap());
    tenant.test.get(&form).await.refused(404, "nao_encontrado");
    app.finish().await;
}

#[tokio::test]
async fn people_are_carried_under_the_other_model() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let (job, xml) = issued(&tenant, &passengers()).await;
    assert_eq!(&job["nota"]["chave"].as_str().unwrap()[20..22], "67");
    assert!(xml.contains("<cteOSProc ") && xml.contains("<NroRegEstadual>"), "{xml}");
    judge::accepts_proc_cte_os(&xml, &app.ca_file());
    app.finish().await;
}

#[tokio::test]
async fn what_stops_a_cte_is_said_before_it_is_registered() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let mut body = cargo();
    body["nota"]["valores"] = json!({});
    body["nota"]["remetemte"] = json!({});
    let refusal = tenant.test.post("/v1/cte/emitir", &body).await.refused(422, "documento_invalido");
    assert!(refusal["erros"].to_string().contains("nota.valores.vTPrest"), "{refusal}");
    let told = tenant.test.post("/v1/cte/verificar-campos", &body).await.ok(200);
    assert_eq!(told["valido"], json!(false));
    assert!(told["campos_desconhecidos"].to_string().contains("nota.remetemte"), "{told}");
    let other = app.issuer(crate::body::ALPHANUMERIC).await;
    let mut unconfigured = cargo();
    unconfigured["cpf_cnpj"] = json!(crate::body::ALPHANUMERIC);
    let refusal = other.test.post("/v1/cte/emitir", &unconfigured).await.refused(422, "empresa_sem_configuracao");
    assert!(refusal["detail"].as_str().unwrap().contains("CT-e"), "{refusal}");
    app.finish().await;
}
