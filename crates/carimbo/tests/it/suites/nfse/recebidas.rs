//! `/v1/nfse/recebidas…` and the distribution of NFS-e by the ADN: one company renders a service, and every party finds
//! the note.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::issued;
use crate::support::app::{Tenant, TestApp, ended};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::client::{Answer, Client};
use crate::support::judge;
use crate::support::received::{asked, chave, keys};
use crate::support::services::{provider, rendered};

const LIST: &str = "/v1/nfse/recebidas";
const SYNC: &str = "/v1/nfse/recebidas/sincronizar";
const SERVICE: &str = "GET /contribuintes";

/// A prestador, and a tomador in another account.
struct Scene {
    app: TestApp,
    prestador: Tenant,
    tomador: Tenant,
}

impl Scene {
    async fn start() -> Scene {
        let app = TestApp::start().await;
        let (prestador, tomador) = (provider(&app).await, app.issuer(ALPHANUMERIC).await);
        Scene { app, prestador, tomador }
    }
    async fn render(&self, referencia: &str) -> Value {
        issued(&self.prestador, &rendered(NUMERIC, ALPHANUMERIC, referencia)).await
    }
    async fn sync(&self) -> Answer {
        self.tomador.test.post(SYNC, &json!({ "cpf_cnpj": ALPHANUMERIC })).await
    }
    async fn asked(&self) -> u64 {
        asked(&self.app, SERVICE).await
    }
}

async fn list(client: &Client, query: &str) -> Vec<String> {
    keys(client, LIST, query).await
}

#[tokio::test]
async fn a_service_that_is_taken_is_fetched_listed_and_downloaded() {
    let scene = Scene::start().await;
    let (first, second) = (scene.render("A1").await, scene.render("A2").await);
    let client = &scene.tomador.test;
    let quota = client.get("/v1/cotas").await.text();
    let synced = scene.sync().await.ok(200);
    assert_eq!((&synced["codigo_status"], &synced["notas_novas"]), (&"200".into(), &2.into()), "{synced}");
    assert_eq!((&synced["ult_nsu"], &synced["completo"]), (&2.into(), &true.into()), "{synced}");
    assert_eq!(scene.asked().await, 2, "the ADN tells no end: it is asked until there is nothing more");
    let (one, other) = (chave(&first["nota"]), chave(&second["nota"]));
    assert_eq!(list(client, "").await, [other.as_str(), one.as_str()]);
    for (query, found) in [
        ("papel=tomador", 2),
        ("papel=prestador", 0),
        ("papel=intermediario", 0),
        (
            &format!(
                "prestador={NUMERIC}&emitente={NUMERIC}&cpf_cnpj={ALPHANUMERIC}&situacao=autorizada&de=2020-01-01"
            ),
            2,
        ),
        (&format!("chave={one}&ambiente=homologacao"), 1),
        ("situacao=cancelada", 0),
        ("ate=2020-01-01", 0),
        ("competencia=2020-01", 0),
        ("ambiente=producao", 0),
    ] {
        assert_eq!(list(client, query).await.len(), found, "{query}");
    }
    let bad =
        client.get(&format!("{LIST}?papel=x&situacao=denegada&limite=101&chave=1&de=x&competencia=2026-13")).await;
    assert_eq!(bad.refused(400, "requisicao_invalida")["erros"].as_array().unwrap().len(), 6);

    let nfse = client.get(&format!("{LIST}/{one}")).await.ok(200);
    assert_eq!((&nfse["papeis"], &nfse["situacao"]), (&json!(["tomador"]), &"autorizada".into()), "{nfse}");
    assert_eq!((&nfse["emitente"]["cpf_cnpj"], &nfse["prestador"]), (&NUMERIC.into(), &NUMERIC.into()), "{nfse}");
    assert_eq!((&nfse["tomador"], &nfse["numero"]), (&ALPHANUMERIC.into(), &"1".into()), "{nfse}");
    assert_eq!((&nfse["codigo_servico"], &nfse["codigo_municipio"]), (&"010101".into(), &"3550308".into()));
    assert_eq!((&nfse["valor_total"], &nfse["valor_liquido"]), (&body::number("1500.00"), &body::number("1500.00")));
    let month = &nfse["competencia"].as_str().unwrap()[..7];
    assert_eq!(list(client, &format!("competencia={month}")).await.len(), 2);
    let xml = client.get(nfse["arquivos"]["xml"].as_str().unwrap()).await;
    assert!(xml.header("content-disposition").contains(&format!("{one}-NFSe.xml")));
    judge::accepts_nfse(&xml.text(), &scene.app.ca_file());
    let own = scene.prestador.test.get(first["arquivos"]["xml"].as_str().unwrap()).await.text();
    assert_eq!(xml.text(), own, "byte for byte as it was issued");
    assert_eq!(client.get("/v1/cotas").await.text(), quota, "nothing is debited");

    // no other tenant sees it, and neither does another route
    for stranger in [&scene.prestador.test, &scene.app.tenant().await.test] {
        assert!(list(stranger, "").await.is_empty());
        stranger.get(&format!("{LIST}/{one}")).await.refused(404, "nao_encontrado");
        stranger.get(&format!("{LIST}/{one}/xml")).await.refused(404, "nao_encontrado");
    }
    client.get(&format!("/v1/nfe/recebidas/{one}")).await.refused(404, "nao_encontrado");
    client.get(&format!("/v1/cte/recebidos/{one}/xml")).await.refused(404, "nao_encontrado");
    scene.app.finish().await;
}

#[tokio::test]
async fn its_events_follow_and_a_cancelled_one_shows_so() {
    let scene = Scene::start().await;
    let (kept, ended_one) = (scene.render("B1").await, scene.render("B2").await);
    assert_eq!(scene.sync().await.ok(200)["notas_novas"], 2);
    let cancellation =
        json!({ "cpf_cnpj": NUMERIC, "job_id": ended_one["job_id"], "justificativa": "Serviço que não foi prestado" });
    let accepted = scene.prestador.test.post("/v1/nfse/cancelar", &cancellation).await.ok(202);
    assert_eq!(ended(&scene.prestador.test, &accepted).await["status"], "completed");
    scene.app.forward(3_700).await;
    let synced = scene.sync().await.ok(200);
    assert_eq!((&synced["documentos_novos"], &synced["notas_novas"]), (&1.into(), &0.into()), "{synced}");
    let client = &scene.tomador.test;
    assert_eq!(list(client, "situacao=cancelada").await, [chave(&ended_one["nota"])]);
    assert_eq!(list(client, "situacao=autorizada").await, [chave(&kept["nota"])]);
    let shown = client.get(&format!("{LIST}/{}", chave(&ended_one["nota"]))).await.ok(200);
    let event = &shown["eventos"][0];
    assert_eq!((&event["tipo_evento"], &event["autor"]), (&"101101".into(), &NUMERIC.into()), "{shown}");
    assert_eq!((&event["descricao"], &event["tipo"]), (&"Cancelamento de NFS-e".into(), &"completo".into()), "{shown}");
    assert_eq!(event["motivo"], "Serviço que não foi prestado");
    scene.app.finish().await;
}

#[tokio::test]
async fn before_its_time_nothing_is_asked_and_a_lost_answer_costs_an_hour() {
    let scene = Scene::start().await;
    assert_eq!(scene.sync().await.ok(200)["codigo_status"], "E2215");
    scene.render("C1").await;
    let refused = scene.sync().await;
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    assert!((3_500..=3_660).contains(&wait), "{wait}");
    let refused = refused.refused(429, "muitas_requisicoes");
    assert!(refused["proxima_em"].is_string() && refused["detail"].as_str().unwrap().contains("ADN"), "{refused}");
    assert_eq!(scene.asked().await, 1, "what may not be asked is not asked");
    // the distribution of NF-e has its own interval
    let notes = scene.tomador.test.post("/v1/nfe/recebidas/sincronizar", &json!({ "cpf_cnpj": ALPHANUMERIC })).await;
    assert_eq!(notes.ok(200)["codigo_status"], 137);
    scene.app.forward(wait + 1).await;
    let fault = json!({ "servico": SERVICE, "tipo": "reset_after", "vezes": 1 });
    scene.app.control.post("/_sim/falhas", &fault).await.ok(201);
    let down = scene.sync().await;
    let wait: i64 = down.header("retry-after").parse().unwrap();
    assert!(wait > 3_500, "{wait}");
    down.refused(503, "indisponivel");
    scene.sync().await.refused(429, "muitas_requisicoes");
    scene.app.forward(wait + 1).await;
    // a gateway's page is no answer, and too many queries cause a wait
    let fault = json!({ "servico": SERVICE, "tipo": "http_status", "status": 429, "vezes": 1 });
    scene.app.control.post("/_sim/falhas", &fault).await.ok(201);
    let undue = scene.sync().await;
    let wait: i64 = undue.header("retry-after").parse().unwrap();
    assert!((100..=121).contains(&wait), "as long as the ADN asks for: {wait}");
    assert_eq!(undue.refused(429, "muitas_requisicoes")["codigo_status"], "429");
    scene.app.forward(wait + 1).await;
    let synced = scene.sync().await.ok(200);
    assert_eq!((&synced["notas_novas"], &synced["ult_nsu"]), (&1.into(), &1.into()), "{synced}");
    scene.app.finish().await;
}

#[tokio::test]
async fn one_document_is_asked_for_by_its_number_and_never_by_its_key() {
    let scene = Scene::start().await;
    let job = scene.render("D1").await;
    let client = &scene.tomador.test;
    let ask = async |nsu: u64| client.post(SYNC, &json!({ "cpf_cnpj": ALPHANUMERIC, "nsu": nsu })).await;
    let by_key = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": chave(&job["nota"]) });
    let refused = client.post(SYNC, &by_key).await.refused(422, "validacao");
    let why = refused["detail"].as_str().unwrap();
    assert!(why.contains("NFS-e não se pede pela chave") && why.contains("nsu"), "{refused}");
    assert_eq!(scene.asked().await, 0);
    let found = ask(1).await.ok(200);
    assert_eq!((&found["codigo_status"], &found["notas_novas"]), (&"200".into(), &1.into()), "{found}");
    let none = ask(7).await.ok(200);
    assert_eq!((&none["codigo_status"], &none["documentos_novos"]), (&"E2230".into(), &0.into()), "{none}");
    for _ in 2..20 {
        ask(1).await.ok(200);
    }
    assert!(ask(1).await.header("retry-after").parse::<i64>().unwrap() > 3_000);
    assert_eq!(scene.asked().await, 20);
    assert_eq!(list(client, "").await, [chave(&job["nota"])]);
    scene.app.finish().await;
}

/// Waits until the tomador has so many.
async fn until(scene: &Scene, notes: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while list(&scene.tomador.test, "").await.len() < notes {
        assert!(Instant::now() < deadline, "the notes do not come");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn switched_on_for_its_type_it_is_fetched_in_the_background() {
    let scene = Scene::start().await;
    let client = &scene.tomador.test;
    let path = format!("/v1/empresas/{ALPHANUMERIC}/distribuicao");
    let off = client.get(&format!("{path}?tipo=nfse")).await.ok(200);
    assert_eq!((&off["ativa"], &off["tipo"], &off["ult_nsu"]), (&false.into(), &"nfse".into(), &0.into()), "{off}");
    scene.render("E1").await;
    let on = client.put(&path, &json!({ "ativa": true, "tipo": "nfse" })).await.ok(200);
    assert_eq!((&on["ativa"], &on["tipo"], &on["ambiente"]), (&true.into(), &"nfse".into(), &"homologacao".into()));
    until(&scene, 1).await;
    let notes = client.get(&path).await.ok(200);
    assert_eq!((&notes["ativa"], &notes["tipo"]), (&false.into(), &"nfe".into()), "{notes}");
    // the note is there before the last query is answered
    let deadline = Instant::now() + Duration::from_secs(60);
    let after = loop {
        let after = client.get(&format!("{path}?tipo=nfse")).await.ok(200);
        if after["codigo_status"] != "200" {
            break after;
        }
        assert!(Instant::now() < deadline, "{after}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!((&after["ult_nsu"], &after["codigo_status"]), (&1.into(), &"E2215".into()), "{after}");
    scene.render("E2").await;
    scene.app.forward(3_700).await;
    until(&scene, 2).await;
    assert_eq!(client.put(&path, &json!({ "ativa": false, "tipo": "nfse" })).await.ok(200)["ativa"], false);
    scene.app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_at_once_one_asks() {
    let scene = Scene::start().await;
    scene.render("F1").await;
    let (mut asking, mut answers) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        let client = scene.tomador.test.clone();
        asking.push(tokio::spawn(async move {
            client.post(SYNC, &json!({ "cpf_cnpj": ALPHANUMERIC })).await.status.as_u16()
        }));
    }
    for one in asking {
        answers.push(one.await.unwrap());
    }
    answers.sort_unstable();
    assert_eq!((answers[0], &answers[1..]), (200, &[429; 9][..]));
    assert_eq!(scene.asked().await, 2);
    scene.app.finish().await;
}

#[tokio::test]
async fn the_requests_are_checked_whole() {
    let scene = Scene::start().await;
    let client = &scene.tomador.test;
    client.post(SYNC, &json!({})).await.refused(400, "campo_obrigatorio");
    let both = json!({ "cpf_cnpj": ALPHANUMERIC, "nsu": 0, "chave": "1".repeat(49) });
    assert_eq!(client.post(SYNC, &both).await.refused(422, "validacao")["erros"].as_array().unwrap().len(), 2);
    client.post(SYNC, &json!({ "cpf_cnpj": NUMERIC })).await.refused(404, "nao_encontrado");
    client.get(&format!("{LIST}/123")).await.refused(404, "nao_encontrado");
    client.post("/v1/empresas", &body::company("98765432000198")).await.ok(201);
    let bare = json!({ "cpf_cnpj": "98765432000198" });
    let unconfigured = client.post(SYNC, &bare).await.refused(422, "empresa_sem_configuracao");
    assert!(unconfigured["detail"].as_str().unwrap().contains("/nfse"), "{unconfigured}");
    assert_eq!(scene.asked().await, 0);
    scene.app.finish().await;
}

#[tokio::test]
async fn many_come_in_lots_and_none_twice() {
    let scene = Scene::start().await;
    let mut accepted = Vec::new();
    for number in 0..53 {
        let body = rendered(NUMERIC, ALPHANUMERIC, &format!("LOTE{number}"));
        accepted.push(scene.prestador.test.post("/v1/nfse/emitir", &body).await.ok(202));
    }
    let mut keys = Vec::new();
    for one in &accepted {
        keys.push(chave(&ended(&scene.prestador.test, one).await["nota"]));
    }
    let synced = scene.sync().await.ok(200);
    assert_eq!((&synced["notas_novas"], &synced["ult_nsu"]), (&53.into(), &53.into()), "{synced}");
    assert_eq!(scene.asked().await, 3, "fifty, three, and nothing more");
    let page = scene.tomador.test.get(&format!("{LIST}?limite=100")).await.ok(200);
    let mut received: Vec<String> = page["notas"].as_array().unwrap().iter().map(chave).collect();
    received.sort();
    keys.sort();
    assert_eq!(received, keys);
    scene.app.finish().await;
}
