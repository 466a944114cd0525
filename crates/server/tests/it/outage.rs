//! An outage played out under load: the authority of São Paulo falls silent while notes arrive. All end authorised, by the SVC where
//! need be, none twice, the ledger without a gap; the timeline is printed.
//!
//! `OUTAGE_NOTES` (default 60) is how many notes arrive, `OUTAGE_SECONDS` (default 15) how long the silence lasts.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use store::numbers::{NumberState, Series};
use tokio::task::JoinSet;

use crate::app::{Tenant, TestApp};
use crate::body::{self, NUMERIC};

/// Far beyond what any run needs: only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(1_200);
/// Callers at once.
const CALLERS: u64 = 8;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} must be a number")))
}

/// Posts notes from several callers, evenly over a time.
async fn arrive(tenant: &Tenant, notes: u64, within: Duration) -> Vec<Value> {
    let pause = within * u32::try_from(CALLERS).unwrap() / u32::try_from(notes).unwrap();
    let mut callers = JoinSet::new();
    for caller in 0..CALLERS {
        let client = tenant.test.clone();
        let share = notes / CALLERS + u64::from(caller < notes % CALLERS);
        callers.spawn(async move {
            let mut accepted = Vec::new();
            for _ in 0..share {
                accepted.push(client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202));
                tokio::time::sleep(pause).await;
            }
            accepted
        });
    }
    callers.join_all().await.into_iter().flatten().collect()
}

async fn end(tenant: &Tenant, accepted: &[Value]) -> Vec<Value> {
    let deadline = Instant::now() + PATIENCE;
    let mut ended = Vec::new();
    for job in accepted {
        loop {
            let job = tenant.test.get(job["consulta"].as_str().unwrap()).await.ok(200);
            if !matches!(job["status"].as_str(), Some("pending" | "processing")) {
                ended.push(job);
                break;
            }
            assert!(Instant::now() < deadline, "the job does not end: {job}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    ended
}

fn second(instant: &Value) -> i64 {
    instant.as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_second()
}

/// Per five seconds: how many arrived, how many ended and by which way, how many were still waiting.
fn print_timeline(jobs: &[Value]) {
    let start = jobs.iter().map(|job| second(&job["criado_em"])).min().unwrap_or_default();
    let mut rows: BTreeMap<i64, [u64; 3]> = BTreeMap::new();
    for job in jobs {
        let way = if job["nota"]["tipo_emissao"] == 1 { 1 } else { 2 };
        rows.entry((second(&job["criado_em"]) - start) / 5).or_default()[0] += 1;
        rows.entry((second(&job["concluido_em"]) - start) / 5).or_default()[way] += 1;
    }
    println!("    s  chegaram   normal      SVC  esperando");
    let mut waiting = 0;
    for (row, [arrived, normal, svc]) in rows {
        waiting += arrived;
        waiting -= normal + svc;
        println!("{:>5}  {arrived:>8}  {normal:>7}  {svc:>7}  {waiting:>9}", row * 5);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_note_of_an_outage_ends_authorised_once() {
    let (notes, seconds) = (setting("OUTAGE_NOTES", 60), setting("OUTAGE_SECONDS", 15));
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let silence = json!([{ "de": "2020-01-01T00:00:00Z", "ate": "2100-01-01T00:00:00Z", "autoridade": "sp",
        "falha": { "tipo": "reset_before" } }]);
    app.control.put("/_sim/quedas", &silence).await.ok(200);
    let arriving = arrive(&tenant, notes, Duration::from_secs(seconds));
    let lasting = tokio::time::sleep(Duration::from_secs(seconds));
    let (accepted, ()) = tokio::join!(arriving, lasting);
    app.control.put("/_sim/quedas", &json!([])).await.ok(200);
    let jobs = end(&tenant, &accepted).await;
    print_timeline(&jobs);
    for job in &jobs {
        assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    }
    let by_svc = jobs.iter().filter(|job| job["nota"]["tipo_emissao"] == 6).count();
    assert!(by_svc > jobs.len() / 2, "the SVC took only {by_svc} of {}", jobs.len());
    let there = app.control.get("/_sim/documentos").await.ok(200);
    assert_eq!(there["total"], notes, "as many documents there as notes here");
    let totals = app.control.get("/_sim/contadores").await.ok(200);
    assert_eq!(totals["gravadas_mais_de_uma_vez"], 0);
    let refused = app.control.get("/_sim/requisicoes").await.ok(200);
    let undue = |one: &Value| one["cStat"] == 656;
    assert!(!refused["requisicoes"].as_array().unwrap().iter().any(undue), "656");
    let series = Series {
        cpf_cnpj: fiscal::value::CnpjCpf::parse(NUMERIC).unwrap(),
        modelo: 55,
        serie: 1,
        ambiente: fiscal::value::TpAmb::Homologacao,
    };
    let ledger = app.store.ledger(tenant.id, series).await.unwrap();
    let numbers: Vec<u64> = ledger.iter().map(|row| u64::from(row.nNF)).collect();
    assert_eq!(numbers, (1..=notes).collect::<Vec<u64>>());
    assert!(ledger.iter().all(|row| row.state == NumberState::Used), "{ledger:?}");
    app.finish().await;
}
