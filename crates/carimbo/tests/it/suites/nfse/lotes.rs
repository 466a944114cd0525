//! Lots of several RPS: RPS of one company that are ready at the same time are sent in one message, and each has its
//! own outcome, whatever happens to the lot.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

use crate::support::app::{Tenant, TestApp};
use crate::support::body::NUMERIC;

const ROUTE: &str = "/v1/nfse/govdigital/emitir";
/// WebISS 2.02: lots, queried by their protocol.
const CACOAL: &str = "1100049";
const HANDED_IN: &str = "RecepcionarLoteRps";
const MOST: usize = 50;

/// Starts an application with enough concurrent jobs for a full lot, and with leases that outlast the forwarded clocks.
async fn start() -> TestApp {
    TestApp::start_with(|parts| {
        let worker = parts.worker.as_mut().unwrap();
        (worker.concurrency, worker.per_authority, worker.lease) = (60, 60, Duration::from_secs(3_600));
    })
    .await
}

/// A company of Cacoal.
async fn provider(app: &TestApp) -> Tenant {
    let tenant = app.issuer(NUMERIC).await;
    let settings = json!({ "ambiente": 2, "codigo_municipio": CACOAL, "inscricao_municipal": "12345", "serie": "1", "provedor": "WebISS",
        "aliquota": "percentual" });
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfse"), &settings).await.ok(200);
    tenant
}

fn service(reference: &str, text: &str) -> Value {
    let mut body: Value = serde_json::from_str(include_str!("../../../rps.json")).unwrap();
    (body["cpf_cnpj"], body["referencia_externa"]) = (NUMERIC.into(), reference.into());
    let told = &mut body["nota"]["servico"];
    (told["codigo_municipio"], told["municipio_incidencia"]) = (CACOAL.into(), CACOAL.into());
    told["discriminacao"] = format!("Suporte técnico {reference}{text}").into();
    body
}

async fn fault(app: &TestApp, fault: Value) {
    app.control.post("/_sim/falhas", &fault).await.ok(201);
}

/// Posts an RPS whose transmission takes a while, and meanwhile all others at once. Returns the jobs by reference.
async fn together(app: &TestApp, tenant: &Tenant, bodies: Vec<Value>) -> BTreeMap<String, String> {
    let first = bodies.first().unwrap();
    fault(app, json!({ "tipo": "latency", "servico": HANDED_IN, "ms": 300 + 40 * bodies.len(), "vezes": 1 })).await;
    let mut jobs = BTreeMap::new();
    let accepted = tenant.test.post(ROUTE, first).await.ok(202);
    jobs.insert(
        first["referencia_externa"].as_str().unwrap().to_owned(),
        accepted["job_id"].as_str().unwrap().to_owned(),
    );
    until(|| on_its_way(tenant, &accepted)).await;
    let mut posting = JoinSet::new();
    for body in bodies.into_iter().skip(1) {
        let client = tenant.test.clone();
        posting.spawn(async move {
            let accepted = client.post(ROUTE, &body).await.ok(202);
            (body["referencia_externa"].as_str().unwrap().to_owned(), accepted["job_id"].as_str().unwrap().to_owned())
        });
    }
    jobs.extend(posting.join_all().await);
    jobs
}

/// `true` if the RPS is signed, and so about to be sent alone: its request is logged only with the answer.
async fn on_its_way(tenant: &Tenant, accepted: &Value) -> bool {
    let log = tenant.test.get(&format!("/v1/nfse/{}/file/log", accepted["job_id"].as_str().unwrap())).await.text();
    log.contains("montado e assinado")
}

async fn until<F: Future<Output = bool>>(is: impl Fn() -> F) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !is().await {
        assert!(Instant::now() < deadline, "it never came to that");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Waits until every job has ended, by its reference. Both clocks go forward while no work is done.
async fn all_ended(app: &TestApp, tenant: &Tenant, jobs: &BTreeMap<String, String>) -> BTreeMap<String, Value> {
    let deadline = Instant::now() + Duration::from_secs(90);
    let ids: Vec<&String> = jobs.values().collect();
    let mut before = Value::Null;
    loop {
        let found = tenant.test.post("/v1/jobs/consultar-lote", &json!({ "job_ids": ids })).await.ok(200);
        let found = found["jobs"].as_array().unwrap_or_else(|| panic!("{found:#}")).clone();
        let waits = |job: &Value| matches!(job["status"].as_str(), Some("pending" | "processing"));
        if !found.iter().any(waits) {
            let named = |job: Value| (job["referencia_externa"].as_str().unwrap().to_owned(), job);
            return found.into_iter().map(named).collect();
        }
        assert!(Instant::now() < deadline, "{:#}", found.iter().find(|job| waits(job)).unwrap());
        let now = json!(found);
        if now == before {
            app.forward(20).await;
        }
        before = now;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Returns the number of RPS in each message that the city hall received.
async fn sent(app: &TestApp) -> Vec<usize> {
    requests(app, HANDED_IN).await.iter().map(|one| one["chaves"].as_array().unwrap().len()).collect()
}

async fn requests(app: &TestApp, servico: &str) -> Vec<Value> {
    let all = app.control.get("/_sim/requisicoes").await.ok(200);
    let all = all["requisicoes"].as_array().or(all.as_array()).unwrap_or_else(|| panic!("{all:#}")).clone();
    all.into_iter().filter(|one| one["servico"] == servico).collect()
}

/// Number of the RPS of each note at the city hall, and of the note.
async fn notes(app: &TestApp) -> BTreeMap<u64, u64> {
    let notes = app.control.get("/_sim/municipal/notas").await.ok(200);
    let notes = notes["notas"].as_array().or(notes.as_array()).unwrap().clone();
    let of =
        |note: &Value| (note["rps"]["numero"].as_str().unwrap().parse().unwrap(), note["numero"].as_u64().unwrap());
    let by_rps: BTreeMap<u64, u64> = notes.iter().map(of).collect();
    assert_eq!(by_rps.len(), notes.len(), "an RPS became two notes");
    by_rps
}

/// Every job has its own note, and the city hall has no other.
async fn settled(app: &TestApp, ended: &BTreeMap<String, Value>, refused: &[(&str, &str)]) {
    let there = notes(app).await;
    let mut ours = BTreeMap::new();
    for (reference, job) in ended {
        let nota = &job["nota"];
        if let Some((_, codigo)) = refused.iter().find(|(name, _)| name == reference) {
            assert_eq!((&nota["status"], &nota["codigo_status"]), (&json!("rejeitada"), &json!(codigo)), "{job:#}");
            continue;
        }
        assert_eq!(nota["status"], "autorizada", "{job:#}");
        ours.insert(nota["numero_dps"].as_u64().unwrap(), nota["numero"].as_u64().unwrap());
    }
    assert_eq!(ours, there);
    assert_eq!(ended.len(), ours.len() + refused.len());
}

#[tokio::test]
async fn fifty_rps_that_leave_together_are_one_message_and_one_question() {
    let app = start().await;
    let tenant = provider(&app).await;
    app.control
        .put(&format!("/_sim/municipal/cidades/{CACOAL}"), &json!({ "consultas_em_processamento": 1, "espera_s": 8 }))
        .await
        .ok(200);
    let jobs = together(&app, &tenant, (0..=MOST).map(|turn| service(&format!("L{turn}"), "")).collect()).await;
    let ended = all_ended(&app, &tenant, &jobs).await;
    settled(&app, &ended, &[]).await;
    let sent = sent(&app).await;
    let largest = *sent.iter().max().unwrap();
    assert!(largest > MOST / 2 && largest <= MOST && sent.len() <= 6, "{sent:?}");
    let asked = requests(&app, "ConsultarLoteRps").await.len();
    assert!(asked <= 4 * sent.len(), "{asked} questions about {} lots", sent.len());
    // members of a lot have one lot number and protocol, and their answers show both
    let mut lots: BTreeMap<(u64, String), usize> = BTreeMap::new();
    for job in ended.values() {
        let nota = &job["nota"];
        let lot = (nota["numero_lote"].as_u64().unwrap(), nota["protocolo"].as_str().unwrap().to_owned());
        *lots.entry(lot).or_default() += 1;
    }
    let mut sizes: Vec<usize> = lots.into_values().collect();
    let mut sent = sent;
    sizes.sort_unstable();
    sent.sort_unstable();
    assert_eq!(sizes, sent);
    app.finish().await;
}

#[tokio::test]
async fn one_bad_rps_stops_nobody_but_itself() {
    let app = start().await;
    let tenant = provider(&app).await;
    let text = |turn: usize| if turn == 20 { " [SIM:codigo=E33]" } else { "" };
    let jobs = together(&app, &tenant, (0..MOST).map(|turn| service(&format!("B{turn}"), text(turn))).collect()).await;
    let ended = all_ended(&app, &tenant, &jobs).await;
    settled(&app, &ended, &[("B20", "E33")]).await;
    let sent = sent(&app).await;
    assert!(sent.iter().any(|several| *several > MOST / 2), "{sent:?}");
    // each kept its number, and that of the refused one is free
    let next = tenant.test.get("/v1/empresas/numeracao?tipo=nfse").await.ok(200).to_string();
    let refused = ended["B20"]["nota"]["numero_dps"].as_u64().unwrap();
    assert_eq!(
        notes(&app).await.keys().copied().collect::<Vec<_>>(),
        (1..=50).filter(|it| *it != refused).collect::<Vec<_>>()
    );
    assert!(next.contains(&format!("\"proximo_numero\":{refused}")), "{next}");
    app.finish().await;
}

#[tokio::test]
async fn whatever_becomes_of_a_lot_each_of_it_ends_once() {
    tokio::join!(fate("reset_before"), fate("reset_after"), fate("page_after"), fate("lost_lot"));
}

async fn fate(tipo: &str) {
    let app = start().await;
    let tenant = provider(&app).await;
    fault(&app, json!({ "tipo": tipo, "servico": HANDED_IN, "vezes": 1, "apos": 1 })).await;
    let jobs = together(&app, &tenant, (0..8).map(|turn| service(&format!("F{turn}"), "")).collect()).await;
    let ended = all_ended(&app, &tenant, &jobs).await;
    let sent = sent(&app).await;
    assert!(tipo == "reset_before" || sent.iter().any(|several| *several > 1), "{tipo}: {sent:?}");
    settled(&app, &ended, &[]).await;
    app.finish().await;
}

#[tokio::test]
async fn rps_that_were_refused_together_go_alone_from_then_on() {
    let app = start().await;
    let tenant = provider(&app).await;
    // the lot with this RPS is lost, and its query is refused by a code that names no RPS (E86)
    let text = |turn: usize| if turn == 4 { " perdido" } else { "" };
    fault(&app, json!({ "tipo": "lost_lot", "servico": HANDED_IN, "vezes": 1, "contem": "perdido" })).await;
    let jobs = together(&app, &tenant, (0..8).map(|turn| service(&format!("R{turn}"), text(turn))).collect()).await;
    let ended = all_ended(&app, &tenant, &jobs).await;
    settled(&app, &ended, &[]).await;
    let messages: Vec<Vec<Value>> =
        requests(&app, HANDED_IN).await.iter().map(|one| one["chaves"].as_array().unwrap().clone()).collect();
    let mut refused = 0;
    for job in ended.values() {
        let log = tenant.test.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
        if !log.contains("não decide este documento: E86") {
            continue;
        }
        refused += 1;
        let numero = job["nota"]["numero_dps"].to_string();
        let is_of_it = |rps: &Value| rps.as_str().unwrap().rsplit(['/', '-']).next() == Some(numero.as_str());
        let with: Vec<usize> = messages.iter().filter(|all| all.iter().any(is_of_it)).map(|all| all.len()).collect();
        assert!(with[0] > 1 && with[1..] == [1], "refused with others, then alone: {with:?}\n{log}");
    }
    assert!(refused > 1, "{messages:?}");
    app.finish().await;
}

#[tokio::test]
async fn a_question_about_a_lot_that_is_lost_or_refused_is_asked_again() {
    let app = start().await;
    let tenant = provider(&app).await;
    for tipo in ["reset_before", "page_after"] {
        fault(&app, json!({ "tipo": tipo, "servico": "ConsultarLoteRps", "vezes": 1 })).await;
    }
    let jobs = together(&app, &tenant, (0..8).map(|turn| service(&format!("Q{turn}"), "")).collect()).await;
    let ended = all_ended(&app, &tenant, &jobs).await;
    settled(&app, &ended, &[]).await;
    app.finish().await;
}

#[tokio::test]
async fn numbers_of_notes_that_are_not_known_here_are_in_doubt_and_the_others_go_on() {
    let app = start().await;
    let other = provider(&app).await;
    let used = (0..3).map(|turn| service(&format!("O{turn}"), " de outro sistema")).collect();
    let jobs = together(&app, &other, used).await;
    all_ended(&app, &other, &jobs).await;
    let theirs = notes(&app).await;
    let tenant = provider(&app).await;
    let jobs = together(&app, &tenant, (0..9).map(|turn| service(&format!("N{turn}"), "")).collect()).await;
    let ended = all_ended(&app, &tenant, &jobs).await;
    let mut there = notes(&app).await;
    there.retain(|rps, _| !theirs.contains_key(rps));
    assert_eq!(there.len(), 6);
    for job in ended.values() {
        let nota = &job["nota"];
        match theirs.contains_key(&nota["numero_dps"].as_u64().unwrap()) {
            true => {
                let codigo = &job["erro_detalhe"]["codigo"];
                assert_eq!((&job["status"], codigo), (&json!("failed"), &json!("em_duvida")), "{job:#}");
            }
            false => assert_eq!(nota["status"], "autorizada", "{job:#}"),
        }
    }
    app.finish().await;
}
