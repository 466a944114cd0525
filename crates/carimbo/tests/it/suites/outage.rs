//! An outage under load: the authority of São Paulo stops answering while NF-e and NFC-e arrive. All end authorised, by
//! the SVC or handed out offline where needed, none twice, the ledgers without an unexplained gap; the timeline is
//! printed.
//!
//! `OUTAGE_NOTES` (default 40) is the number of notes of each model, `OUTAGE_SECONDS` (default 15) the duration of the
//! outage. An authority's status may be queried again after three minutes, a note with unknown outcome after up to
//! twelve: the clocks are moved, unless `OUTAGE_CLOCK` is `real`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use fiscal::value::{CnpjCpf, Serie, TpAmb};
use serde_json::{Value, json};
use store::numbers::{LedgerRow, NumberState, NumberedKind, Series};
use tokio::task::JoinSet;

use crate::support::app::{Tenant, TestApp};
use crate::support::body::{self, NUMERIC};

/// Far beyond what any run needs: only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(1_200);
/// Time that the clock stands while the queue empties: longer than the quiet time of the tests.
const UNMOVED: Duration = Duration::from_secs(10);
/// Callers at once, of each model.
const CALLERS: u64 = 8;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} must be a number")))
}

/// Posts notes from several callers, evenly over a time.
async fn arrive(tenant: &Tenant, path: &'static str, body: Value, notes: u64, within: Duration) -> Vec<Value> {
    let pause = within * u32::try_from(CALLERS).unwrap() / u32::try_from(notes).unwrap();
    let mut callers = JoinSet::new();
    for caller in 0..CALLERS {
        let (client, body) = (tenant.test.clone(), body.clone());
        let share = notes / CALLERS + u64::from(caller < notes % CALLERS);
        callers.spawn(async move {
            let mut accepted = Vec::new();
            for _ in 0..share {
                accepted.push(client.post(path, &body).await.ok(202));
                tokio::time::sleep(pause).await;
            }
            accepted
        });
    }
    callers.join_all().await.into_iter().flatten().collect()
}

/// The jobs, each once this is true of it.
async fn all(tenant: &Tenant, accepted: &[Value], is: impl Fn(&Value) -> bool) -> Vec<Value> {
    let deadline = Instant::now() + PATIENCE;
    let mut found = Vec::new();
    for job in accepted {
        loop {
            let job = tenant.test.get(job["consulta"].as_str().unwrap()).await.ok(200);
            if is(&job) {
                found.push(job);
                break;
            }
            assert!(Instant::now() < deadline, "never so: {job}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    found
}

/// Waits until the jobs have ended. The authority answers again, but a note whose query failed six times is queried
/// after twelve minutes: unless the clock is real, they pass whenever a minute shows no progress.
async fn settled(app: &TestApp, tenant: &Tenant, accepted: &[Value], moved: bool) -> Vec<Value> {
    let ended = all(tenant, accepted, has_ended);
    tokio::pin!(ended);
    loop {
        tokio::select! {
            jobs = &mut ended => return jobs,
            () = tokio::time::sleep(Duration::from_secs(60)), if moved => app.forward(13 * 60).await,
        }
    }
}

fn has_ended(job: &Value) -> bool {
    !matches!(job["status"].as_str(), Some("pending" | "processing"))
}

/// `true` when the buyer has the document.
fn is_in_hand(job: &Value) -> bool {
    has_ended(job) || job["arquivos"]["pdf"].is_string()
}

/// Waits until no work is left, superseded documents and cancellations included. A first send with long unanswered
/// queries is queried again after twelve minutes: unless the clock is real, they pass whenever some seconds show no
/// progress, since the quiet time before an absence is proven runs on the process's own clock, which no test moves.
async fn quiet(app: &TestApp, moved: bool) {
    let deadline = Instant::now() + PATIENCE;
    let mut next_move = Instant::now() + UNMOVED;
    loop {
        if moved && Instant::now() > next_move {
            app.forward(13 * 60).await;
            next_move = Instant::now() + UNMOVED;
        }
        let now = jiff::Timestamp::now().as_second();
        let depth = app.store.queue_depth(now).await.unwrap();
        if (depth.pending, depth.processing) == (0, 0) {
            return;
        }
        assert!(Instant::now() < deadline, "the queue does not empty: {depth:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn second(instant: &Value) -> i64 {
    instant.as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_second()
}

/// Returns the column of the timeline for the emission mode of a note.
fn way(job: &Value) -> usize {
    match job["nota"]["tipo_emissao"].as_u64() {
        Some(1) => 2,
        Some(9) => 4,
        _ => 3,
    }
}

/// Prints per five seconds: notes that arrived, were handed out offline, ended by each emission mode, and still waited.
fn print_timeline(jobs: &[Value]) {
    let start = jobs.iter().map(|job| second(&job["criado_em"])).min().unwrap_or_default();
    let mut rows: BTreeMap<i64, [i64; 5]> = BTreeMap::new();
    let mut count = |at: &Value, column: usize| {
        rows.entry((second(at) - start) / 5).or_default()[column] += 1;
    };
    for job in jobs {
        count(&job["criado_em"], 0);
        if way(job) == 4 {
            count(&job["nota"]["data_emissao"], 1);
        }
        count(&job["concluido_em"], way(job));
    }
    println!("    s  chegaram  entregues off-line  | autorizadas: normal      SVC  off-line  sem autorização");
    let mut waiting = 0;
    for (row, [arrived, given, normal, svc, offline]) in rows {
        waiting += arrived - normal - svc - offline;
        println!(
            "{:>5}  {arrived:>8}  {given:>18}  |             {normal:>7}  {svc:>7}  {offline:>8}  {waiting:>15}",
            row * 5
        );
    }
}

async fn ledger(app: &TestApp, tenant: &Tenant, modelo: u8) -> Vec<LedgerRow> {
    let cpf_cnpj = CnpjCpf::parse(NUMERIC).unwrap();
    let counted = NumberedKind::of_modelo(modelo).unwrap();
    let series = Series { cpf_cnpj, counted, serie: Serie::from(1), ambiente: TpAmb::Homologacao };
    app.store.ledger(tenant.id, series).await.unwrap()
}

/// Every number up to the last is in the ledger, as many used as notes; the others were released, by notes that never
/// arrived.
fn assert_no_gap(ledger: &[LedgerRow], notes: u64) {
    let numbers: Vec<u64> = ledger.iter().map(|row| row.numero).collect();
    assert_eq!(numbers, (1..=ledger.len() as u64).collect::<Vec<u64>>());
    let of = |state: NumberState| ledger.iter().filter(|row| row.state == state).count() as u64;
    assert_eq!(of(NumberState::Used), notes, "{ledger:?}");
    assert_eq!(of(NumberState::Used) + of(NumberState::Released), ledger.len() as u64, "{ledger:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_note_of_an_outage_ends_authorised_once() {
    let (notes, seconds) = (setting("OUTAGE_NOTES", 40), setting("OUTAGE_SECONDS", 15));
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let retail = json!({ "ambiente": 2, "serie": "1", "qr_versao": 3 });
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfce"), &retail).await.ok(200);
    let silence = json!([{ "de": "2020-01-01T00:00:00Z", "ate": "2100-01-01T00:00:00Z", "autoridade": "sp",
        "falha": { "tipo": "reset_before" } }]);
    app.control.put("/_sim/quedas", &silence).await.ok(200);
    let within = Duration::from_secs(seconds);
    let invoices = arrive(&tenant, "/v1/nfe/emitir", body::emission(NUMERIC), notes, within);
    let sales = arrive(&tenant, "/v1/nfce/emitir", body::counter_sale(NUMERIC), notes, within);
    let (invoices, sales, ()) = tokio::join!(invoices, sales, tokio::time::sleep(within));
    // no sale waits at the counter, and the authority still does not answer
    all(&tenant, &sales, is_in_hand).await;
    app.control.put("/_sim/quedas", &json!([])).await.ok(200);
    let moved = std::env::var("OUTAGE_CLOCK").as_deref() != Ok("real");
    let mut jobs = settled(&app, &tenant, &invoices, moved).await;
    if moved {
        app.forward(181).await;
    }
    jobs.extend(all(&tenant, &sales, has_ended).await);
    quiet(&app, moved).await;
    print_timeline(&jobs);
    for job in &jobs {
        assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    }
    let went = |column: usize| jobs.iter().filter(|job| way(job) == column).count() as u64;
    println!("{} normais, {} pela SVC, {} off-line", went(2), went(3), went(4));
    assert!(went(3) > notes / 2, "the SVC took only {} of {notes}", went(3));
    assert!(went(4) > notes / 2, "only {} of {notes} were given out offline", went(4));
    let there = app.control.get("/_sim/documentos").await.ok(200);
    assert_eq!(there["total"], 2 * notes, "as many documents there as notes here");
    let totals = app.control.get("/_sim/contadores").await.ok(200);
    assert_eq!(totals["gravadas_mais_de_uma_vez"], 0);
    let refused = app.control.get("/_sim/requisicoes").await.ok(200);
    let undue = |one: &Value| one["cStat"] == 656;
    assert!(!refused["requisicoes"].as_array().unwrap().iter().any(undue), "656");
    assert_no_gap(&ledger(&app, &tenant, 55).await, notes);
    assert_no_gap(&ledger(&app, &tenant, 65).await, notes);
    app.finish().await;
}
