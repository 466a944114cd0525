//! `/v1/nfe/recebidas…` and `/v1/empresas/{cpf_cnpj}/distribuicao`: documents that others issue to a company.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp, ended, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::client::{Answer, Client};
use crate::support::judge;
use crate::support::received::{asked, chave, keys};

const LIST: &str = "/v1/nfe/recebidas";
pub(super) const SYNC: &str = "/v1/nfe/recebidas/sincronizar";

/// An issuer, and a recipient in another account.
pub(super) struct Scene {
    pub(super) app: TestApp,
    pub(super) issuer: Tenant,
    pub(super) receiver: Tenant,
}

impl Scene {
    pub(super) async fn start() -> Scene {
        let app = TestApp::start().await;
        let (issuer, receiver) = (app.issuer(NUMERIC).await, app.issuer(ALPHANUMERIC).await);
        Scene { app, issuer, receiver }
    }
    /// Issues a note of the issuer's to the recipient; returns its job.
    pub(super) async fn issue(&self) -> Value {
        let job = issued(&self.issuer.test, &to_receiver()).await;
        assert_eq!(job["nota"]["status"], "autorizada", "{job}");
        job
    }
    pub(super) async fn sync(&self) -> Answer {
        self.receiver.test.post(SYNC, &json!({ "cpf_cnpj": ALPHANUMERIC })).await
    }
    /// Forwards both clocks, ours and the authorities'.
    pub(super) async fn forward(&self, seconds: i64, all: &mut i64) {
        *all += seconds;
        self.app.clock.forward(seconds);
        let clock = json!({ "modo": "deslocado", "segundos": *all });
        self.app.control.put("/_sim/relogio", &clock).await.ok(200);
    }
    /// Returns the number of queries to the distribution.
    async fn asked(&self) -> u64 {
        asked(&self.app, "NFeDistribuicaoDFe").await
    }
}

fn to_receiver() -> Value {
    let mut body = body::emission(NUMERIC);
    body["nota"]["destinatario"]["CNPJCPF"] = json!(ALPHANUMERIC);
    body
}

async fn list(client: &Client, query: &str) -> Vec<String> {
    keys(client, LIST, query).await
}

#[tokio::test]
async fn what_others_issue_is_fetched_listed_and_downloaded() {
    let scene = Scene::start().await;
    let job = scene.issue().await;
    let client = &scene.receiver.test;
    let synced = scene.sync().await.ok(200);
    assert_eq!(
        (&synced["codigo_status"], &synced["documentos_novos"], &synced["notas_novas"]),
        (&138.into(), &1.into(), &1.into())
    );
    assert_eq!((&synced["ult_nsu"], &synced["completo"]), (&1.into(), &true.into()), "{synced}");
    let key = chave(&job["nota"]);
    assert_eq!(list(client, "").await, std::slice::from_ref(&key));
    for (query, there) in [
        (
            format!("emitente={NUMERIC}&cpf_cnpj={ALPHANUMERIC}&tipo=resumo&situacao=autorizada&manifestacao=pendente"),
            true,
        ),
        (format!("chave={key}&ambiente=homologacao"), true),
        ("de=2020-01-01".to_owned(), true),
        ("ate=2020-01-01".to_owned(), false),
        ("tipo=completa".to_owned(), false),
        ("situacao=cancelada".to_owned(), false),
        ("manifestacao=ciencia".to_owned(), false),
        ("ambiente=producao".to_owned(), false),
        (format!("emitente={ALPHANUMERIC}"), false),
    ] {
        assert_eq!(list(client, &query).await.len(), usize::from(there), "{query}");
    }
    let bad = client.get("/v1/nfe/recebidas?tipo=x&situacao=x&manifestacao=x&limite=101&chave=1&de=x").await;
    assert_eq!(bad.refused(400, "requisicao_invalida")["erros"].as_array().unwrap().len(), 6);
    let nota = client.get(&format!("/v1/nfe/recebidas/{key}")).await.ok(200);
    assert_eq!((&nota["emitente"]["cpf_cnpj"], &nota["numero"]), (&NUMERIC.into(), &job["nota"]["numero"]), "{nota}");
    assert_eq!((&nota["valor_total"], &nota["protocolo"]), (&body::number("100.00"), &job["nota"]["protocolo"]));
    assert_eq!((&nota["tipo"], &nota["eventos"], &nota["manifestacao"]), (&"resumo".into(), &json!([]), &Value::Null));
    let xml = client.get(nota["arquivos"]["xml"].as_str().unwrap()).await;
    assert!(xml.header("content-disposition").contains(&format!("{key}-resNFe.xml")));
    judge::accepts_res_nfe(&xml.text());
    // no other tenant sees it, the issuer included
    for stranger in [&scene.issuer.test, &scene.app.tenant().await.test] {
        assert!(list(stranger, "").await.is_empty());
        stranger.get(&format!("/v1/nfe/recebidas/{key}")).await.refused(404, "nao_encontrado");
        stranger.get(&format!("/v1/nfe/recebidas/{key}/xml")).await.refused(404, "nao_encontrado");
    }
    client.get("/v1/nfe/recebidas/123").await.refused(404, "nao_encontrado");
    scene.app.finish().await;
}

#[tokio::test]
async fn before_its_time_nothing_is_asked_and_the_answer_says_when() {
    let scene = Scene::start().await;
    let mut moved = 0;
    assert_eq!(scene.sync().await.ok(200)["codigo_status"], 137);
    scene.issue().await;
    let refused = scene.sync().await;
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    assert!((3_500..=3_660).contains(&wait), "{wait}");
    let refused = refused.refused(429, "muitas_requisicoes");
    assert!(refused["proxima_em"].is_string(), "{refused}");
    assert_eq!(scene.asked().await, 1, "what may not be asked is not asked");
    scene.forward(wait + 1, &mut moved).await;
    assert_eq!(scene.sync().await.ok(200)["notas_novas"], 1);
    assert_eq!(scene.asked().await, 2);
    let requests = scene.app.control.get("/_sim/requisicoes").await.ok(200);
    assert_lawful(&requests);
    scene.app.finish().await;
}

#[tokio::test]
async fn a_reply_that_is_lost_loses_nothing_and_earns_no_656() {
    let scene = Scene::start().await;
    let mut moved = 0;
    scene.issue().await;
    let fault = json!({ "servico": "NFeDistribuicaoDFe", "tipo": "reset_after", "vezes": 1 });
    scene.app.control.post("/_sim/falhas", &fault).await.ok(201);
    let down = scene.sync().await;
    let wait: i64 = down.header("retry-after").parse().unwrap();
    assert!(wait > 3_500, "the authority may have said all it had: {wait}");
    down.refused(503, "indisponivel");
    scene.sync().await.refused(429, "muitas_requisicoes");
    scene.forward(wait + 1, &mut moved).await;
    let synced = scene.sync().await.ok(200);
    assert_eq!((&synced["notas_novas"], &synced["ult_nsu"]), (&1.into(), &1.into()), "{synced}");
    // one that never left us costs minutes, not an hour
    scene.forward(3_700, &mut moved).await;
    scene.app.control.post("/_sim/falhas", &json!({ "tipo": "refuse", "vezes": 1 })).await.ok(201);
    let down = scene.sync().await;
    let wait: i64 = down.header("retry-after").parse().unwrap();
    assert!(wait <= 300, "{wait}");
    down.refused(503, "indisponivel");
    scene.forward(wait + 1, &mut moved).await;
    assert_eq!(scene.sync().await.ok(200)["codigo_status"], 137);
    scene.app.finish().await;
}

#[tokio::test]
async fn one_document_is_asked_for_at_most_twenty_times_an_hour() {
    let scene = Scene::start().await;
    let mut moved = 0;
    let client = &scene.receiver.test;
    let key = chave(&scene.issue().await["nota"]);
    let ask = async |point: Value| {
        let mut request = json!({ "cpf_cnpj": ALPHANUMERIC });
        request.as_object_mut().unwrap().extend(point.as_object().unwrap().clone());
        client.post(SYNC, &request).await
    };
    let by_key = ask(json!({ "chave": key })).await.ok(200);
    assert_eq!((&by_key["codigo_status"], &by_key["notas_novas"]), (&138.into(), &1.into()), "{by_key}");
    let by_number = ask(json!({ "nsu": 1 })).await.ok(200);
    assert_eq!((&by_number["documentos_novos"], &by_number["notas_novas"]), (&1.into(), &0.into()), "{by_number}");
    let unknown = ask(json!({ "chave": "35261199999999000191550010000000011847362510" })).await;
    assert_eq!(unknown.refused(404, "nao_encontrado")["codigo_status"], 217);
    let beyond = ask(json!({ "nsu": 7 })).await.refused(422, "validacao");
    assert_eq!(beyond["codigo_status"], 589, "{beyond}");
    for _ in 4..20 {
        ask(json!({ "nsu": 1 })).await.ok(200);
    }
    let refused = ask(json!({ "nsu": 1 })).await;
    assert!(refused.header("retry-after").parse::<i64>().unwrap() > 3_000);
    refused.refused(429, "muitas_requisicoes");
    assert_eq!(scene.asked().await, 20);
    scene.forward(3_700, &mut moved).await;
    assert_eq!(ask(json!({ "nsu": 1 })).await.ok(200)["codigo_status"], 138);
    assert_eq!(list(client, "").await.len(), 1);
    scene.app.finish().await;
}

#[tokio::test]
async fn a_number_that_the_authority_made_up_is_left_and_told_and_notes_come_again() {
    let scene = Scene::start().await;
    let mut moved = 0;
    scene.issue().await;
    let lie = json!({ "servico": "NFeDistribuicaoDFe", "tipo": "high_nsu", "nsu": 1_000_000, "vezes": 1 });
    scene.app.control.post("/_sim/falhas", &lie).await.ok(201);
    assert_eq!(scene.sync().await.ok(200)["ult_nsu"], 1_000_000);
    scene.issue().await;
    scene.forward(3_700, &mut moved).await;
    assert_eq!(scene.sync().await.refused(422, "validacao")["codigo_status"], 589);
    let client = &scene.receiver.test;
    let cursor = client.get(&format!("/v1/empresas/{ALPHANUMERIC}/distribuicao")).await.ok(200);
    assert!(cursor.to_string().contains("\"recuo\":{\"de\":1000000"), "{cursor:#}");
    let shown = client.get("/v1/diagnostico").await.ok(200);
    assert!(shown.to_string().contains("\"buscas_que_voltaram\":[{"), "{shown:#}");
    scene.forward(3_700, &mut moved).await;
    let synced = scene.sync().await.ok(200);
    assert_eq!((&synced["notas_novas"], &synced["ult_nsu"]), (&1.into(), &2.into()), "{synced}");
    assert_eq!(list(client, "").await.len(), 2);
    scene.app.finish().await;
}

#[tokio::test]
async fn a_cancellation_reaches_the_receiver() {
    let scene = Scene::start().await;
    let mut moved = 0;
    let job = scene.issue().await;
    scene.sync().await.ok(200);
    let why = json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Venda desfeita pelo cliente" });
    let cancelled = scene.issuer.test.post("/v1/nfe/cancelar", &why).await.ok(202);
    assert_eq!(ended(&scene.issuer.test, &cancelled).await["nota"]["status"], "cancelada");
    scene.forward(3_700, &mut moved).await;
    let synced = scene.sync().await.ok(200);
    assert_eq!((&synced["documentos_novos"], &synced["notas_novas"]), (&1.into(), &0.into()), "{synced}");
    let client = &scene.receiver.test;
    let key = chave(&job["nota"]);
    assert_eq!(list(client, "situacao=cancelada").await, std::slice::from_ref(&key));
    let nota = client.get(&format!("/v1/nfe/recebidas/{key}?cpf_cnpj={ALPHANUMERIC}")).await.ok(200);
    assert_eq!(
        (&nota["situacao"], &nota["eventos"][0]["tipo_evento"]),
        (&"cancelada".into(), &"110111".into()),
        "{nota}"
    );
    scene.app.finish().await;
}

/// 412140 (NT 2026.005): we cannot request it, and it arrives like any other.
#[tokio::test]
async fn what_an_authority_registers_of_its_own_accord_is_kept_listed_and_read() {
    let scene = Scene::start().await;
    let mut moved = 0;
    let key = chave(&scene.issue().await["nota"]);
    scene.sync().await.ok(200);
    let registration = json!({ "tpEvento": "412140" });
    let registered = scene.app.control.post(&format!("/_sim/documentos/{key}/registros"), &registration).await;
    assert_eq!(registered.status.as_u16(), 201, "{}", registered.text());
    scene.forward(3_700, &mut moved).await;
    let synced = scene.sync().await.ok(200);
    assert_eq!((&synced["documentos_novos"], &synced["notas_novas"]), (&1.into(), &0.into()), "{synced}");
    let client = &scene.receiver.test;
    let nota = client.get(&format!("/v1/nfe/recebidas/{key}")).await.ok(200);
    let event = &nota["eventos"][0];
    assert_eq!(
        (&nota["situacao"], &nota["chave"], &event["tipo_evento"], &event["descricao"]),
        (&"autorizada".into(), &json!(key), &"412140".into(), &"Tributação do Simples Nacional".into()),
        "{nota}"
    );
    assert_eq!((&event["tipo"], &event["sequencia"]), (&"completo".into(), &1.into()), "{nota}");
    assert!(
        event["autor"].is_string() && event["protocolo"].is_string() && event["data_registro"].is_string(),
        "{nota}"
    );
    scene.app.finish().await;
}

#[tokio::test]
async fn a_cancelled_note_is_not_handed_out_by_its_key_and_shows_so() {
    let scene = Scene::start().await;
    let job = scene.issue().await;
    scene.sync().await.ok(200);
    let why = json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Venda desfeita pelo cliente" });
    let cancelled = scene.issuer.test.post("/v1/nfe/cancelar", &why).await.ok(202);
    assert_eq!(ended(&scene.issuer.test, &cancelled).await["nota"]["status"], "cancelada");
    let (client, key) = (&scene.receiver.test, chave(&job["nota"]));
    assert!(list(client, "situacao=cancelada").await.is_empty(), "the cancellation has not been handed out");
    let refused =
        client.post(SYNC, &json!({ "cpf_cnpj": ALPHANUMERIC, "chave": key })).await.refused(409, "estado_invalido");
    assert_eq!(refused["codigo_status"], 653, "{refused}");
    assert_eq!(list(client, "situacao=cancelada").await, [key]);
    scene.app.finish().await;
}

/// Checks that no query was refused as undue use. Compares the code, not the text: a key may contain its digits.
fn assert_lawful(requests: &Value) {
    let answered = requests["requisicoes"].as_array().unwrap();
    assert!(!answered.is_empty() && answered.iter().all(|one| one["cStat"] != 656), "{requests}");
}

/// Waits until the receiver has so many notes.
async fn until(scene: &Scene, notes: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while list(&scene.receiver.test, "").await.len() < notes {
        assert!(Instant::now() < deadline, "the notes do not come");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn switched_on_it_is_fetched_in_the_background() {
    let scene = Scene::start().await;
    let mut moved = 0;
    let client = &scene.receiver.test;
    let path = format!("/v1/empresas/{ALPHANUMERIC}/distribuicao");
    let off = client.get(&path).await.ok(200);
    assert_eq!((&off["ativa"], &off["ult_nsu"], &off["proxima_em"]), (&false.into(), &0.into(), &Value::Null), "{off}");
    scene.issue().await;
    let on = client.put(&path, &json!({ "ativa": true })).await.ok(200);
    assert_eq!((&on["ativa"], &on["ambiente"]), (&true.into(), &"homologacao".into()));
    until(&scene, 1).await;
    let after = client.get(&path).await.ok(200);
    assert_eq!(
        (&after["ult_nsu"], &after["codigo_status"], &after["bloqueada_ate"]),
        (&1.into(), &138.into(), &Value::Null),
        "{after}"
    );
    assert!(after["proxima_em"].is_string() && after["ultima_consulta_em"].is_string());
    scene.issue().await;
    scene.forward(3_700, &mut moved).await;
    until(&scene, 2).await;
    assert_eq!(client.put(&path, &json!({ "ativa": false })).await.ok(200)["ativa"], false);
    let requests = scene.app.control.get("/_sim/requisicoes").await.ok(200);
    assert_lawful(&requests);
    scene.app.finish().await;
}

#[tokio::test]
async fn the_requests_are_checked_whole() {
    let scene = Scene::start().await;
    let client = &scene.receiver.test;
    client.post(SYNC, &json!({})).await.refused(400, "campo_obrigatorio");
    let both = json!({ "cpf_cnpj": ALPHANUMERIC, "nsu": 0, "chave": "1".repeat(44) });
    assert_eq!(client.post(SYNC, &both).await.refused(422, "validacao")["erros"].as_array().unwrap().len(), 2);
    let text = json!({ "cpf_cnpj": ALPHANUMERIC, "nsu": "sete" });
    client.post(SYNC, &text).await.refused(400, "requisicao_invalida");
    // another tenant's company does not exist
    client.post(SYNC, &json!({ "cpf_cnpj": NUMERIC })).await.refused(404, "nao_encontrado");
    let path = |cpf_cnpj: &str| format!("/v1/empresas/{cpf_cnpj}/distribuicao");
    client.get(&path(NUMERIC)).await.refused(404, "nao_encontrado");
    client.put(&path(NUMERIC), &json!({ "ativa": true })).await.refused(404, "nao_encontrado");
    client.put(&path(ALPHANUMERIC), &json!({})).await.refused(400, "campo_obrigatorio");
    client.put(&path(ALPHANUMERIC), &json!({ "ativa": "sim" })).await.refused(400, "requisicao_invalida");
    client.get(&path("1")).await.refused(422, "validacao");
    client.post("/v1/empresas", &body::company("98765432000198")).await.ok(201);
    let bare = json!({ "cpf_cnpj": "98765432000198" });
    client.post(SYNC, &bare).await.refused(422, "empresa_sem_configuracao");
    client.put("/v1/empresas/98765432000198/nfe", &json!({ "ambiente": 2, "serie": "1" })).await.ok(200);
    client.post(SYNC, &bare).await.refused(422, "certificado_invalido");
    assert_eq!(scene.asked().await, 0);
    scene.app.finish().await;
}

#[tokio::test]
async fn many_notes_come_in_lots_and_none_twice() {
    let scene = Scene::start().await;
    let mut accepted = Vec::new();
    for _ in 0..53 {
        accepted.push(scene.issuer.test.post("/v1/nfe/emitir", &to_receiver()).await.ok(202));
    }
    let mut keys = Vec::new();
    for one in &accepted {
        keys.push(chave(&ended(&scene.issuer.test, one).await["nota"]));
    }
    let synced = scene.sync().await.ok(200);
    assert_eq!(
        (&synced["notas_novas"], &synced["ult_nsu"], &synced["max_nsu"]),
        (&53.into(), &53.into(), &53.into()),
        "{synced}"
    );
    assert_eq!(scene.asked().await, 2, "a lot holds fifty");
    let page = scene.receiver.test.get("/v1/nfe/recebidas?limite=100").await.ok(200);
    let mut received: Vec<String> = page["notas"].as_array().unwrap().iter().map(chave).collect();
    received.sort();
    keys.sort();
    assert_eq!(received, keys);
    scene.app.finish().await;
}
