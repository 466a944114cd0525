//! The operator's logs: one line of JSON per fact, with the fields that find it again. Written by the real binary.

use std::path::Path;

use http::Method;
use serde_json::{Value, json};
use simulator::Simulator;

use crate::support::app::ended;
use crate::support::authorities::{company, simulator, with_simulator};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::installation::{Installation, Running};

/// Every line is one flat object with each name once.
fn lines(log: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(log).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (line, read) in text.lines().zip(&lines) {
        for (name, value) in read.as_object().unwrap() {
            assert!(!value.is_object() && !value.is_array(), "{line}");
            assert_eq!(line.matches(&format!("\"{name}\":")).count(), 1, "{name} in {line}");
        }
        let written = read["timestamp"].as_str().unwrap();
        assert!(written.parse::<jiff::Timestamp>().is_ok(), "{line}");
    }
    lines
}

/// A service that logs as JSON, the authorities beside it, and a caller.
async fn logged() -> (Installation, Simulator, Running, Client) {
    let installation = Installation::new().await;
    let key = installation.account();
    let simulator = simulator(&installation.dir).await;
    let mut command = with_simulator(installation.command(&["serve"]));
    command.env("CARIMBO_LOG_FORMATO", "json");
    let service = Running::start(command, &installation.dir.join(LOG));
    let client = Client::new(service.base_url()).with_key(&key);
    (installation, simulator, service, client)
}

const LOG: &str = "log";

#[tokio::test]
async fn a_failed_login_has_one_line_with_its_address_and_no_e_mail() {
    let (installation, simulator, service, client) = logged().await;
    for (email, senha) in [("ana@guardada.com.br", "s3nha-errada-1"), ("ANA@guardada.com.br", "s3nha-errada-2")] {
        let body = json!({ "email": email, "senha": senha });
        client.post("/v1/auth/login", &body).await.refused(401, "credenciais_invalidas");
    }
    let body = json!({ "email": "bia@guardada.com.br", "senha": "s3nha-errada-3" });
    client.post("/v1/auth/login", &body).await.refused(401, "credenciais_invalidas");
    service.terminate();
    simulator.stop().await;
    let lines = lines(&installation.dir.join(LOG));
    let failed: Vec<_> = lines.iter().filter(|line| line["message"] == "login failed").collect();
    let [one, two, three] = failed[..] else { panic!("{failed:#?}") };
    assert_eq!((&one["level"], &one["client.address"]), (&"WARN".into(), &"127.0.0.1".into()));
    assert!(one["request.id"].is_string() && one["email.digest"].as_str().unwrap().len() == 16, "{one}");
    // the same e-mail is found by its digest, another is not, and neither is the e-mail itself
    assert_eq!(one["email.digest"], two["email.digest"]);
    assert_ne!(one["email.digest"], three["email.digest"]);
    let text = std::fs::read_to_string(installation.dir.join(LOG)).unwrap().to_lowercase();
    assert!(!text.contains("guardada.com.br") && !text.contains("s3nha-errada"));
    installation.finish().await;
}

fn of_job<'l>(lines: &'l [Value], job: &Value, message: &str) -> Vec<&'l Value> {
    lines.iter().filter(|line| line["job.id"] == job["job_id"] && line["message"] == message).collect()
}

#[tokio::test]
async fn a_settled_document_has_one_line_that_says_whose_what_and_why() {
    let (installation, simulator, service, client) = logged().await;
    let sold = async |request: &str, body: &Value| {
        let headers = [("content-type", "application/json"), ("x-request-id", request)];
        let sent = client.send(Method::POST, "/v1/nfe/emitir", &headers, body.to_string().into()).await;
        ended(&client, &sent.ok(202)).await
    };
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    client.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 2 })).await.ok(200);
    let failed = sold("sem-certificado", &body::emission(NUMERIC)).await;
    client.send(Method::DELETE, &format!("/v1/empresas/{NUMERIC}"), &[], "".into()).await;
    company(&client, &simulator).await;
    let authorised = sold("boa", &body::emission(NUMERIC)).await;
    let mut refused = body::emission(NUMERIC);
    refused["nota"]["produtos"][0]["xProd"] = json!("[SIM:cStat=778]");
    let rejected = sold("recusada", &refused).await;
    let cancel =
        json!({ "cpf_cnpj": NUMERIC, "job_id": authorised["job_id"], "justificativa": "pedido desfeito pelo cliente" });
    let cancelled = ended(&client, &client.post("/v1/nfe/cancelar", &cancel).await.ok(202)).await;
    service.terminate();
    simulator.stop().await;

    let lines = lines(&installation.dir.join(LOG));
    for (job, level, result, class, cStat, request) in [
        (&failed, "WARN", "falhou", "certificado", None, Some("sem-certificado")),
        (&authorised, "INFO", "autorizada", "autorizado", Some(100), Some("boa")),
        (&rejected, "INFO", "rejeitada", "regra", Some(778), Some("recusada")),
        (&cancelled, "INFO", "cancelada", "cancelado", Some(135), None),
    ] {
        let [line] = of_job(&lines, job, "document settled")[..] else { panic!("{job:#}\n{lines:#?}") };
        assert_eq!((&line["level"], &line["result"], &line["class"]), (&level.into(), &result.into(), &class.into()));
        assert_eq!(line["authority.cStat"], cStat.map_or(Value::Null, Value::from), "{line}");
        assert_eq!((&line["company"], &line["document.tipo"]), (&NUMERIC.into(), &"nfe".into()), "{line}");
        assert!(line["tenant"].is_string() && line["authority.name"] == "SP", "{line}");
        if let Some(request) = request {
            assert_eq!(line["request.id"], request, "{line}");
            // the request's own line names the job, so that one leads to the other
            let [registered] = of_job(&lines, job, "registered")[..] else { panic!("{lines:#?}") };
            assert_eq!(registered["request.id"], request);
        }
        if cStat.is_some() {
            assert_eq!(line["document.chave"].as_str().map(str::len), Some(44), "{line}");
        }
    }
    assert_eq!(of_job(&lines, &failed, "document settled")[0]["error.codigo"], "empresa_sem_certificado");
    installation.finish().await;
}

#[tokio::test]
async fn an_authority_that_stops_is_one_line_not_one_for_each_document() {
    let (installation, simulator, service, client) = logged().await;
    company(&client, &simulator).await;
    let stopped = json!([{ "modo": "paralisado_sem_previsao", "autoridade": "sp" }]);
    Client::new(&simulator.control_url()).put("/_sim/servicos", &stopped).await.ok(200);
    for _ in 0..5 {
        let sold = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
        assert_eq!(ended(&client, &sold).await["nota"]["status"], "autorizada");
    }
    service.terminate();
    simulator.stop().await;
    let lines = lines(&installation.dir.join(LOG));
    let changed: Vec<_> = lines.iter().filter(|line| line["message"] == "circuit changed").collect();
    let [line] = changed[..] else { panic!("{changed:#?}") };
    assert_eq!(
        (&line["level"], &line["authority.name"], &line["to"]),
        (&"WARN".into(), &"SP".into(), &"aberto".into())
    );
    assert_eq!(lines.iter().filter(|line| line["message"] == "document settled").count(), 5);
    let waits = lines.iter().filter(|line| line["message"] == "job waits").count();
    assert!(waits <= 5, "a line for a reason, not for an attempt: {waits}");
    installation.finish().await;
}
