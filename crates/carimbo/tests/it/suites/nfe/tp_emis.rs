//! `identificacao.tpEmis` of an NF-e: its effect, its notices, and no silent change.
//!
//! Law: MOC 7.0, anexo III, 2.1; rules 556, 557, 570, 711.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, issued, job_when};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::judge;

const PATH: &str = "/v1/nfe/verificar-campos";

/// An emission with these members of `identificacao`.
fn asking(members: &Value) -> Value {
    let mut body = body::emission(NUMERIC);
    for (name, value) in members.as_object().unwrap() {
        body["nota"]["identificacao"][name] = value.clone();
    }
    body
}

fn reasons(tpEmis: u8) -> Value {
    let now = engine::process::local_time::written(jiff::Timestamp::now(), fiscal::value::Uf::SP);
    json!({ "tpEmis": tpEmis, "dhCont": now, "xJust": "Loja sem acesso a internet" })
}

/// Returns the notices about fields that the service decides, by field.
fn ignored(answer: &Value) -> Vec<(&str, &str)> {
    let avisos = answer["avisos"].as_array().unwrap().iter();
    let ignored = avisos.filter(|aviso| aviso["codigo"] == "campo_ignorado");
    ignored.map(|aviso| (aviso["campo"].as_str().unwrap(), aviso["mensagem"].as_str().unwrap())).collect()
}

async fn xml_of(client: &Client, job: &Value) -> String {
    client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text()
}

#[tokio::test]
async fn what_is_not_done_of_it_is_told_and_its_reasons_go_with_it() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    for (tpEmis, why) in
        [(2, "FS-IA"), (3, "Nota Fiscal Fácil"), (6, "SVC"), (7, "SVC"), (8, "1, 4 (EPEC), 5"), (9, "tpImp 6")]
    {
        let body = asking(&reasons(tpEmis));
        let verified = client.post(PATH, &body).await.ok(200);
        assert_eq!((&verified["valido"], &verified["rejeicoes_previstas"]), (&true.into(), &json!([])), "{verified:#}");
        let told = ignored(&verified);
        let campos: Vec<&str> = told.iter().map(|(campo, _)| *campo).collect();
        let expected = ["tpEmis", "dhCont", "xJust"].map(|name| format!("nota.identificacao.{name}"));
        assert_eq!(campos, expected, "{verified:#}");
        assert!(told[0].1.contains(why), "{told:?}");
        let accepted = client.post("/v1/nfe/emitir", &body).await.ok(202);
        assert_eq!(ignored(&accepted), told, "{accepted:#}");
        assert_eq!(ended(&client, &accepted).await["nota"]["status"], "autorizada");
    }
    let job = issued(&client, &asking(&reasons(9))).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["tipo_emissao"]), (&"autorizada".into(), &1.into()), "{job}");
    assert!(!xml_of(&client, &job).await.contains("<xJust>"));
    let normal = client.post(PATH, &asking(&json!({ "tpEmis": "1 " }))).await.ok(200);
    assert_eq!(ignored(&normal), [], "{normal:#}");
    app.finish().await;
}

#[tokio::test]
async fn reasons_without_a_contingency_are_still_foreseen_as_556() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = asking(&reasons(1));
    for _ in 0..2 {
        let verified = client.post(PATH, &body).await.ok(200);
        assert_eq!(verified["rejeicoes_previstas"][0]["codigo_status"], 556, "{verified:#}");
        body["nota"]["identificacao"].as_object_mut().unwrap().shift_remove("tpEmis");
    }
    app.finish().await;
}

#[tokio::test]
async fn who_issues_is_said_by_the_service_and_another_one_is_told() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let verified = client.post(PATH, &asking(&json!({ "cUF": 43, "procEmi": 3 }))).await.ok(200);
    let told = ignored(&verified);
    assert_eq!(told.len(), 2, "{verified:#}");
    assert!(told[0].0 == "nota.identificacao.cUF" && told[0].1.contains("cUF é 35"), "{told:?}");
    assert!(told[1].0 == "nota.identificacao.procEmi" && told[1].1.contains("procEmi é 0"), "{told:?}");
    let job = issued(&client, &asking(&json!({ "cUF": 43, "procEmi": 3, "verProc": "ERP 7.2" }))).await;
    let xml = xml_of(&client, &job).await;
    assert!(xml.contains("<cUF>35</cUF>") && xml.contains("<procEmi>0</procEmi><verProc>ERP 7.2</verProc>"), "{xml}");
    let own = client.post(PATH, &asking(&json!({ "cUF": "35", "procEmi": 0, "verProc": "ERP 7.2" }))).await.ok(200);
    assert_eq!(ignored(&own), [], "{own:#}");
    app.finish().await;
}

#[tokio::test]
async fn security_paper_is_issued_as_such_and_printed_with_its_second_bar_code() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let job = issued(&client, &asking(&reasons(5))).await;
    let nota = &job["nota"];
    assert_eq!((&nota["status"], &nota["tipo_emissao"]), (&"autorizada".into(), &5.into()), "{job}");
    assert_eq!(nota["contingencia"]["tipo"], "fs_da");
    assert_eq!(&nota["chave"].as_str().unwrap()[34..35], "5");
    let instant = |value: &Value| value.as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_second();
    let within = instant(&nota["contingencia"]["prazo_transmissao"]) - instant(&nota["data_emissao"]);
    assert!((168 * 3_600 - 60..=168 * 3_600 + 60).contains(&within), "{job}");
    let xml = xml_of(&client, &job).await;
    assert!(xml.contains("<tpEmis>5</tpEmis>") && xml.contains("<xJust>Loja sem acesso a internet</xJust>"), "{xml}");
    judge::accepts_proc_nfe(&xml, &app.ca_file());
    let codes = judge::codes_of_pdf(&client.get(job["arquivos"]["pdf"].as_str().unwrap()).await.bytes).concat();
    assert!(codes.contains(&nota["chave"].as_str().unwrap().to_owned()), "{codes:?}");
    let second = codes.iter().find(|code| code.len() == 36).unwrap_or_else(|| panic!("{codes:?}"));
    // state of the addressee, kind of emission, the addressee, the total in cents
    assert!(second.starts_with("3550005299822472500000000010000"), "{second}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn security_paper_is_given_out_while_the_authority_is_out_and_transmitted_under_the_same_key() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    app.sp_stops().await;
    // two failures in a row show an outage
    let notes = [
        client.post("/v1/nfe/emitir", &asking(&reasons(5))).await.ok(202),
        client.post("/v1/nfe/emitir", &asking(&reasons(5))).await.ok(202),
    ];
    let mut keys = Vec::new();
    for note in &notes {
        let job = job_when(&client, note, |job| job["arquivos"]["xml"].is_string()).await;
        assert_eq!((&job["nota"]["status"], &job["nota"]["tipo_emissao"]), (&Value::Null, &5.into()), "{job}");
        let form = judge::text_of_pdf(&client.get(job["arquivos"]["pdf"].as_str().unwrap()).await.bytes);
        assert!(form.contains("impresso em decorrência de problemas técnicos"), "{form}");
        keys.push(job["nota"]["chave"].clone());
    }
    app.sp_works().await;
    for (note, chave) in notes.iter().zip(keys) {
        let job = ended(&client, note).await;
        assert_eq!((&job["nota"]["status"], &job["nota"]["chave"]), (&"autorizada".into(), &chave), "{job}");
    }
    app.finish().await;
}

#[tokio::test]
async fn security_paper_without_its_reasons_is_foreseen_and_refused() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    for missing in ["dhCont", "xJust"] {
        let mut members = reasons(5);
        members.as_object_mut().unwrap().shift_remove(missing);
        // the layout has them together or not at all
        let refused = client.post("/v1/nfe/emitir", &asking(&members)).await.refused(422, "documento_invalido");
        assert_eq!(refused["erros"][0]["campo"], format!("nota.identificacao.{missing}"), "{refused}");
    }
    let bare = client.post(PATH, &asking(&json!({ "tpEmis": 5 }))).await.ok(200);
    assert_eq!(bare["rejeicoes_previstas"][0]["codigo_status"], 557, "{bare:#}");
    let mut short = reasons(5);
    short["xJust"] = json!("Sem internet");
    let refused = client.post("/v1/nfe/emitir", &asking(&short)).await.refused(422, "documento_invalido");
    assert_eq!(refused["erros"][0]["campo"], "nota.identificacao.xJust", "{refused}");
    let job = issued(&client, &asking(&json!({ "tpEmis": 5 }))).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["codigo_status"]), (&"rejeitada".into(), &557.into()), "{job}");
    app.finish().await;
}

#[tokio::test]
async fn who_asks_for_epec_has_it_announced_though_the_authority_works() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let job = issued(&client, &asking(&json!({ "tpEmis": 4, "xJust": "Loja sem acesso a internet" }))).await;
    let nota = &job["nota"];
    assert_eq!((&nota["status"], &nota["tipo_emissao"]), (&"autorizada".into(), &4.into()), "{job}");
    assert_eq!((&nota["contingencia"]["tipo"], &nota["contingencia"]["autoridade"]), (&"epec".into(), &"AN".into()));
    assert!(nota["contingencia"]["protocolo_epec"].as_str().unwrap().starts_with("891"), "{job}");
    assert_eq!(nota["contingencia"]["justificativa"], "Loja sem acesso a internet");
    let there = app.control.get(&format!("/_sim/documentos/{}", nota["chave"].as_str().unwrap())).await.ok(200);
    assert_eq!(there["eventos"][0]["tpEvento"], "110140", "{there}");
    judge::accepts_proc_nfe(&xml_of(&client, &job).await, &app.ca_file());
    app.finish().await;
}

#[tokio::test]
async fn an_epec_that_was_asked_for_and_is_refused_leaves_the_normal_way() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let blocked = json!({ "ie": ["110042490114"], "epec_bloqueado": true });
    assert_eq!(app.control.put(&format!("/_sim/contribuintes/{NUMERIC}"), &blocked).await.status.as_u16(), 200);
    let job = issued(&client, &asking(&reasons(4))).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["tipo_emissao"]), (&"autorizada".into(), &1.into()), "{job}");
    assert!(!xml_of(&client, &job).await.contains("<xJust>"));
    let log = client.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
    assert!(log.contains("EPEC recusado pelo Ambiente Nacional: 142"), "{log}");
    app.finish().await;
}

#[tokio::test]
async fn the_svc_of_the_state_is_used_when_it_is_asked_for_and_open() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let job = issued(&client, &asking(&reasons(6))).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["tipo_emissao"]), (&"autorizada".into(), &6.into()), "{job}");
    assert_eq!(job["nota"]["contingencia"]["autoridade"], "SVC-AN");
    // another state's
    let job = issued(&client, &asking(&reasons(7))).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["tipo_emissao"]), (&"autorizada".into(), &1.into()), "{job}");
    let closed = json!([{ "modo": "svc_desabilitada", "autoridade": "svc-an" }]);
    app.control.put("/_sim/servicos", &closed).await.ok(200);
    app.forward(400).await;
    let job = issued(&client, &asking(&reasons(6))).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["tipo_emissao"]), (&"autorizada".into(), &1.into()), "{job}");
    let log = client.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
    assert!(log.contains("não está aberta para o estado"), "{log}");
    app.finish().await;
}
