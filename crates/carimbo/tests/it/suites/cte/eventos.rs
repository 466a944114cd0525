//! `POST /v1/cte/eventos`: events of the carrier and of the payer of the transport, and their cancellations.

use serde_json::{Value, json};

use super::issued;
use crate::support::app::{Tenant, TestApp, ended};
use crate::support::body::{ALPHANUMERIC, NUMERIC};
use crate::support::judge;
use crate::support::transports::{cargo, carrier, passengers};

const PATH: &str = "/v1/cte/eventos";
const DELIVERED: &str = "35261112ABC34501DE35550010000000011847362511";
const PICTURE: &str = "aVZCT1J3MEtHZ28=";

fn event(job: &Value, tipo: &str, dados: Value) -> Value {
    json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "tipo": tipo, "dados": dados })
}

/// Registers it, and gives its job and its file.
async fn registered(app: &TestApp, tenant: &Tenant, request: &Value) -> (Value, String) {
    let accepted = tenant.test.post(PATH, request).await.ok(202);
    assert_eq!((&accepted["operacao"], &accepted["avisos"]), (&"evento".into(), &json!([])), "{accepted}");
    let job = ended(&tenant.test, &accepted).await;
    assert_eq!(job["evento_fiscal"]["codigo_status"], 135, "{job}");
    let file = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await;
    let name = format!("{}-01-procEventoCTe.xml", request["tipo"].as_str().unwrap().replace('_', "-"));
    assert!(file.header("content-disposition").contains(&name), "{}", file.header("content-disposition"));
    let xml = file.text();
    judge::accepts_proc_evento_cte(&xml, &app.ca_file());
    (job, xml)
}

/// Registers an event that the authority refuses; returns the predicted and the actual code.
async fn refused(tenant: &Tenant, request: &Value) -> (Value, Value) {
    let accepted = tenant.test.post(PATH, request).await.ok(202);
    let job = ended(&tenant.test, &accepted).await;
    (accepted["avisos"][0]["codigo_status"].clone(), job["evento_fiscal"]["codigo_status"].clone())
}

#[tokio::test]
async fn a_delivery_is_proved_by_a_picture_that_is_not_kept_and_taken_back() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let (issued, _) = issued(&tenant, &cargo()).await;
    let dados = json!({ "dhEntrega": issued["nota"]["data_autorizacao"], "nDoc": "52998224725", "xNome": "Maria da Silva",
        "imagem": PICTURE, "infEntrega": [DELIVERED] });
    let request = event(&issued, "comprovante_entrega", dados);
    let mut without = request.clone();
    without["dados"].as_object_mut().unwrap().remove("infEntrega");
    assert_eq!(refused(&tenant, &without).await, (865.into(), 865.into()));
    let mut early = request.clone();
    early["dados"]["dhEntrega"] = json!("2026-01-01T09:00:00-03:00");
    assert_eq!(refused(&tenant, &early).await, (872.into(), 872.into()));
    let (job, xml) = registered(&app, &tenant, &request).await;
    assert!(xml.contains("<hashEntrega>") && xml.contains("<dhHashEntrega>") && xml.contains(DELIVERED), "{xml}");
    assert!(!app.dump().await.contains(PICTURE), "the picture is kept nowhere");
    assert_eq!(refused(&tenant, &request).await, (870.into(), 870.into()));
    let cancellation =
        json!({ "cpf_cnpj": NUMERIC, "job_id": issued["job_id"], "justificativa": "Serviço não prestado ao cliente" });
    let held = tenant.test.post("/v1/cte/cancelar", &cancellation).await.refused(409, "estado_invalido");
    assert!(held["detail"].as_str().unwrap().contains("862"), "{held}");
    let mut back = event(&issued, "cancelar_comprovante_entrega", json!({}));
    back.as_object_mut().unwrap().remove("dados");
    let (_, xml) = registered(&app, &tenant, &back).await;
    let protocol = job["evento_fiscal"]["protocolo"].as_str().unwrap();
    assert!(xml.contains(&format!("<nProtCE>{protocol}</nProtCE>")), "{xml}");
    let accepted = tenant.test.post("/v1/cte/cancelar", &cancellation).await.ok(202);
    assert_eq!(ended(&tenant.test, &accepted).await["nota"]["status"], "cancelada");
    app.finish().await;
}

#[tokio::test]
async fn a_delivery_that_failed_is_told_and_taken_back() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let (issued, _) = issued(&tenant, &cargo()).await;
    let dados = json!({ "dhTentativaEntrega": issued["nota"]["data_autorizacao"], "nTentativa": 1, "tpMotivo": 4,
        "xJustMotivo": "Portão fechado e ninguém atendeu", "imagem": PICTURE, "infEntrega": [DELIVERED] });
    let (_, xml) = registered(&app, &tenant, &event(&issued, "insucesso_entrega", dados)).await;
    assert!(xml.contains("<hashTentativaEntrega>") && xml.contains("<dhHashTentativaEntrega>"), "{xml}");
    let mut foreign = json!({ "dhTentativaEntrega": issued["nota"]["data_autorizacao"], "tpMotivo": 1 });
    foreign["infEntrega"] = json!(["35261112ABC34501DE35550010000000021847362519"]);
    let warned = tenant.test.post(PATH, &event(&issued, "insucesso_entrega", foreign)).await.ok(202);
    assert_eq!(warned["avisos"][0]["codigo_status"], 864, "{warned}");
    ended(&tenant.test, &warned).await;
    registered(&app, &tenant, &event(&issued, "cancelar_insucesso_entrega", json!({}))).await;
    app.finish().await;
}

#[tokio::test]
async fn who_pays_disagrees_with_a_transport_of_another_and_no_longer_does() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let (issued, _) = issued(&tenant, &cargo()).await;
    // another account: the document is not there at all
    let payer = app.issuer(ALPHANUMERIC).await;
    let said = |tipo: &str, dados: Value| json!({ "cpf_cnpj": ALPHANUMERIC, "chave": issued["nota"]["chave"], "tipo": tipo, "dados": dados });
    let (job, xml) = registered(&app, &payer, &said("desacordo", json!({ "xObs": "O valor não é o combinado" }))).await;
    assert!(xml.contains("<indDesacordoOper>1</indDesacordoOper>"), "{xml}");
    let (_, xml) = registered(&app, &payer, &said("cancelar_desacordo", json!({}))).await;
    let protocol = job["evento_fiscal"]["protocolo"].as_str().unwrap();
    assert!(xml.contains(&format!("<nProtEvPrestDes>{protocol}</nProtEvPrestDes>")), "{xml}");
    // the carrier is not who pays
    let mut own = said("desacordo", json!({ "xObs": "O valor não é o combinado" }));
    own["cpf_cnpj"] = json!(NUMERIC);
    assert_eq!(refused(&tenant, &own).await.1, 755);
    app.finish().await;
}

#[tokio::test]
async fn what_is_of_other_transports_is_foretold_or_refused() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let (cargo, _) = issued(&tenant, &cargo()).await;
    let (people, _) = issued(&tenant, &passengers()).await;
    let register = json!({ "xRegistro": "Transbordo no terminal de Santos" });
    assert_eq!(refused(&tenant, &event(&cargo, "multimodal", register.clone())).await, (679.into(), 679.into()));
    let party = json!({ "CNPJCPF": "33000167000101", "UF": "RJ", "xNome": "Banco Teste SA" });
    let gtv = json!({ "infGTV": [{ "nDoc": "1", "id": "AIDF1", "dEmi": "2026-11-20", "nDV": "3", "qCarga": "12.5",
        "infEspecie": [{ "tpEspecie": "1", "vEspecie": "1000.00" }], "rem": party, "dest": party }] });
    assert_eq!(refused(&tenant, &event(&people, "gtv", gtv.clone())).await, (889.into(), 889.into()));
    for (job, tipo, dados, cStat) in [(&cargo, "gtv", gtv, "721"), (&people, "multimodal", register, "732")] {
        let refusal = tenant.test.post(PATH, &event(job, tipo, dados)).await.refused(422, "validacao");
        assert!(refusal["erros"][0]["mensagem"].as_str().unwrap().contains(cStat), "{refusal}");
    }
    let short = tenant.test.post(PATH, &event(&cargo, "multimodal", json!({ "xRegistro": "curto" }))).await;
    assert_eq!(short.refused(422, "validacao")["erros"][0]["campo"], "dados.xRegistro");
    let unknown = tenant.test.post(PATH, &event(&cargo, "cancelamento", json!({}))).await;
    assert_eq!(unknown.refused(422, "validacao")["erros"][0]["campo"], "tipo");
    let wrong = event(&cargo, "comprovante_entrega", json!({ "imagem": "não é base64" }));
    let wrong = tenant.test.post(PATH, &wrong).await.refused(422, "validacao");
    assert_eq!(wrong["erros"][0]["campo"], "dados.imagem", "{wrong}");
    app.finish().await;
}
