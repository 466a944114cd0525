//! QR code of a company: by its CSC, without one, offline; and the error when it cannot be made.

use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp, ended};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::judge;
use crate::support::retail::{configure, give_csc, seller};

async fn sold(client: &Client, body: &Value) -> Value {
    let accepted = client.post("/v1/nfce/emitir", body).await.ok(202);
    ended(client, &accepted).await
}

fn offline(cpf_cnpj: &str) -> Value {
    let mut body = body::counter_sale(cpf_cnpj);
    body["nota"]["identificacao"]["tpEmis"] = json!(9);
    body["nota"]["destinatario"] = json!({ "CNPJCPF": "529.982.247-25" });
    body
}

fn parameters(job: &Value) -> Vec<String> {
    let (_, p) = job["nota"]["qrcode"].as_str().unwrap_or_else(|| panic!("{job}")).split_once("?p=").unwrap();
    p.split('|').map(str::to_owned).collect()
}

#[tokio::test]
async fn without_a_csc_nothing_is_registered_and_the_answer_says_what_to_do() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let body = body::counter_sale(NUMERIC);
    let none = client.post("/v1/nfce/emitir", &body).await.refused(422, "empresa_sem_configuracao");
    assert!(none["detail"].as_str().unwrap().contains("/nfce"), "{none}");
    for (settings, expected) in [
        (json!({ "ambiente": 2 }), "não tem CSC"),
        (json!({ "csc": "0123456789ABCDEF" }), "sem csc_id"),
        (json!({ "csc_id": "abc" }), "não é o número do CSC"),
    ] {
        configure(&client, NUMERIC, settings).await;
        let refused = client.post("/v1/nfce/emitir", &body).await.refused(422, "empresa_sem_configuracao");
        let detail = refused["detail"].as_str().unwrap();
        assert!(detail.contains(expected) && detail.contains("qr_versao 3"), "{detail}");
    }
    assert_eq!(client.get("/v1/notas?tipo=nfce").await.ok(200)["total"], 0);
    app.finish().await;
}

#[tokio::test]
async fn a_wrong_csc_is_refused_by_the_state() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    for (settings, cStat) in [(json!({ "csc": "FFFFFFFFFFFFFFFFFFFF" }), 464), (json!({ "csc_id": "2" }), 462)] {
        configure(&client, NUMERIC, settings).await;
        let job = sold(&client, &body::counter_sale(NUMERIC)).await;
        assert_eq!(
            (&job["nota"]["status"], &job["nota"]["codigo_status"]),
            (&"rejeitada".into(), &cStat.into()),
            "{job}"
        );
        assert_eq!((&job["nota"]["qrcode"], &job["nota"]["url_chave"]), (&Value::Null, &Value::Null));
    }
    app.finish().await;
}

#[tokio::test]
async fn version_3_needs_no_csc() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let made = client.put(&format!("/v1/empresas/{NUMERIC}/nfce"), &json!({ "qr_versao": 3 })).await.ok(200);
    assert_eq!((&made["qr_versao"], &made["csc_configurado"]), (&3.into(), &false.into()));
    let error = client.put(&format!("/v1/empresas/{NUMERIC}/nfce"), &json!({ "qr_versao": 1 })).await;
    error.refused(422, "validacao");
    let job = sold(&client, &body::counter_sale(NUMERIC)).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    assert_eq!(parameters(&job), [job["nota"]["chave"].as_str().unwrap(), "3", "2"]);
    let job = sold(&client, &offline(NUMERIC)).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    let told = parameters(&job);
    assert_eq!((told.len(), &told[4..7]), (8, &["100.00".to_owned(), "2".to_owned(), "52998224725".to_owned()][..]));
    app.finish().await;
}

#[tokio::test]
async fn an_offline_note_tells_day_total_and_digest_and_why() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let accepted = client.post("/v1/nfce/emitir", &offline(NUMERIC)).await.ok(202);
    let assumed: Vec<&str> = accepted["avisos"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|aviso| aviso["codigo"] == "assumido_padrao")
        .map(|aviso| aviso["campo"].as_str().unwrap())
        .collect();
    assert!(assumed.contains(&"nota.identificacao.dhCont") && assumed.contains(&"nota.identificacao.xJust"));
    let job = ended(&client, &accepted).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["tipo_emissao"]), (&"autorizada".into(), &9.into()), "{job}");
    let told = parameters(&job);
    assert_eq!((told.len(), told[1].as_str(), told[4].as_str(), told[6].as_str()), (8, "2", "100.00", "1"));
    let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    judge::accepts_proc_nfe(&xml, &app.ca_file());
    let digest = xml.split_once("<DigestValue>").unwrap().1.split_once('<').unwrap().0;
    let hex: String = digest.bytes().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(told[5], hex);
    assert!(xml.contains("<xJust>Sem comunicacao com a SEFAZ autorizadora</xJust>"));
    app.finish().await;
}

#[tokio::test]
async fn a_person_issues_version_3_whatever_is_configured() {
    const CPF: &str = "11144477735";
    let app = TestApp::start().await;
    let tenant: Tenant = app.issuer(CPF).await;
    give_csc(&app, CPF).await;
    let settings = json!({ "serie": "920", "csc_id": "1", "csc": "0123456789ABCDEF", "qr_versao": 2 });
    configure(&tenant.test, CPF, settings).await;
    let job = sold(&tenant.test, &body::counter_sale(CPF)).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    assert_eq!(parameters(&job)[1], "3");
    app.finish().await;
}
