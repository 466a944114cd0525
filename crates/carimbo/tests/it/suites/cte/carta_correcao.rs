//! `POST /v1/cte/carta-correcao`: each letter repeats the corrections before it.

use serde_json::{Value, json};

use super::issued;
use crate::support::app::{TestApp, ended};
use crate::support::body::NUMERIC;
use crate::support::judge;
use crate::support::transports::{cargo, carrier};

const PATH: &str = "/v1/cte/carta-correcao";

fn letter(job: &Value, correcoes: Value) -> Value {
    json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "correcoes": correcoes })
}

#[tokio::test]
async fn each_letter_says_everything_that_is_in_force() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let (issued, _) = issued(&tenant, &cargo()).await;
    let letters = [
        (
            json!([{ "grupo": "infQ", "campo": "qCarga", "valor": "90.0000", "item": 1 },
            { "grupo": "compl", "campo": "xObs", "valor": "Entregar pela rua lateral" }]),
            vec!["90.0000", "rua lateral"],
        ),
        (
            json!([{ "grupoAlterado": "infQ", "campoAlterado": "qCarga", "valorAlterado": "95.0000", "nroItemAlterado": "01" }]),
            vec!["95.0000", "rua lateral"],
        ),
    ];
    for (sequence, (correcoes, said)) in (1..).zip(letters) {
        let accepted = tenant.test.post(PATH, &letter(&issued, correcoes)).await.ok(202);
        assert_eq!((&accepted["operacao"], &accepted["avisos"]), (&"carta_correcao".into(), &json!([])), "{accepted}");
        let job = ended(&tenant.test, &accepted).await;
        let event = &job["evento_fiscal"];
        assert_eq!((&event["codigo_status"], &event["sequencia"]), (&135.into(), &sequence.into()), "{job}");
        let file = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await;
        let name = file.header("content-disposition").to_owned();
        assert!(name.contains(&format!("-carta-correcao-0{sequence}-procEventoCTe.xml")), "{name}");
        let xml = file.text();
        assert_eq!(xml.matches("<infCorrecao>").count(), 2, "{xml}");
        assert!(said.iter().all(|said| xml.contains(said)), "{xml}");
        judge::accepts_proc_evento_cte(&xml, &app.ca_file());
        let last = tenant.test.get(&format!("/v1/cte/{}/file/xml_evento", issued["job_id"].as_str().unwrap())).await;
        assert_eq!(last.text(), xml, "the last event is this one");
        let form = tenant.test.get(job["arquivos"]["pdf"].as_str().unwrap()).await;
        let text = judge::text_of_pdf(&form.bytes);
        assert!(said.iter().all(|said| text.contains(said)), "{text}");
    }
    app.finish().await;
}

#[tokio::test]
async fn what_no_letter_may_change_is_refused_by_its_rule() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let (issued, _) = issued(&tenant, &cargo()).await;
    for (correcoes, campo, codigo) in [
        (
            json!([{ "grupo": "vPrest", "campo": "vTPrest", "valor": "1.00" }]),
            "correcoes[0].campo",
            "campo_nao_corrigivel",
        ),
        (json!([{ "grupo": "ide", "campo": "dhEmi", "valor": "x" }]), "correcoes[0].campo", "campo_nao_corrigivel"),
        (json!([{ "grupo": "compl", "campo": "qCarga", "valor": "1" }]), "correcoes[0].campo", "valor_invalido"),
        (json!([{ "grupo": "compl", "campo": "xObs" }]), "correcoes[0]", "validacao"),
        (json!([]), "correcoes", "validacao"),
    ] {
        let refused = tenant.test.post(PATH, &letter(&issued, correcoes)).await.refused(422, "validacao");
        assert_eq!(
            (&refused["erros"][0]["campo"], &refused["erros"][0]["codigo"]),
            (&campo.into(), &codigo.into()),
            "{refused}"
        );
    }
    let missing = json!({ "cpf_cnpj": NUMERIC, "job_id": issued["job_id"] });
    tenant.test.post(PATH, &missing).await.refused(400, "campo_obrigatorio");
    app.finish().await;
}
