//! Checks at the end: every accepted job ended, every reference is at the authority exactly once, every number is
//! accounted for.

use crate::book::{Book, JobKind};
use crate::caller::Caller;
use crate::ear::Ear;
use crate::world::{ANNOUNCER, CNPJ, SERIES, VOIDERS, World, series_of};
use fiscal::value::TpAmb;
use serde_json::Value;
use simulator::LedgerStatus;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::{Duration, Instant};
use store::numbers::{NumberState, NumberedKind, Series};

/// Long enough for every lease, back-off and lost reply of the last round.
const PATIENCE: Duration = Duration::from_secs(120);

/// Numbers of notes by outcome.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    notes: usize,
    authorised: usize,
    services: usize,
    rejected: usize,
    failed: usize,
    cancelled: usize,
    corrected: usize,
    voided: usize,
    twins: usize,
    queries: u64,
    most_queries: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts {
            notes,
            authorised,
            services,
            rejected,
            failed,
            cancelled,
            corrected,
            voided,
            twins,
            queries,
            most_queries,
        } = self;
        write!(
            f,
            "{notes} referências = {authorised} autorizadas + {services} de serviços + {rejected} rejeitadas + {failed} falhas; \
             {cancelled} canceladas, {corrected} corrigidas; {voided} faixas inutilizadas; {twins} primeiras notas de vendas emitidas de \
             novo, canceladas; {queries} consultas pela chave, no máximo {most_queries} da mesma; \
             nenhuma a mais, nenhuma a menos"
        )
    }
}

/// Waits until the queue is empty (it may hold cancellations whose 202 was lost), then reads every job that was
/// accepted.
pub(crate) async fn all_ended(caller: &Caller, base_url: &str, book: &Book) -> BTreeMap<String, Value> {
    let started = Instant::now();
    while !nothing_is_left(caller, base_url).await {
        assert!(started.elapsed() < PATIENCE, "jobs never ended: {:?}", not_ended(caller, base_url, book).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let mut ended = BTreeMap::new();
    for (id, tipo) in accepted(book) {
        let (_, job) = caller.get(base_url, &format!("/v1/{tipo}/consultar/{id}")).await.expect("an answer");
        assert!(matches!(job["status"].as_str(), Some("completed" | "failed")), "{job:#}");
        ended.insert(id, job);
    }
    ended
}

/// Waits until all events are delivered, then compares them with the outcomes of the notes: each outcome was delivered
/// under one id, and nothing that did not happen.
pub(crate) async fn all_told(caller: &Caller, base_url: &str, ear: &Ear, ended: &BTreeMap<String, Value>) {
    let started = Instant::now();
    loop {
        let (_, status) = caller.get(base_url, "/status").await.expect("an answer");
        let webhooks = &status["componentes"]["webhooks"];
        if webhooks["pendentes"] == 0 {
            break;
        }
        assert!(started.elapsed() < PATIENCE, "events never told: {webhooks}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let (heard, deliveries) = ear.heard();
    let notes = ended.iter().filter(|(_, job)| job["operacao"] == "emissao");
    for (id, job) in notes.clone() {
        let happened: &[&str] = match (job["status"].as_str(), job["nota"]["status"].as_str()) {
            (Some("failed"), _) => &["falhou"],
            (_, Some("autorizada")) => &["autorizada"],
            (_, Some("cancelada")) => &["autorizada", "cancelada"],
            (_, Some("rejeitada")) => &["rejeitada"],
            _ => panic!("{job:#}"),
        };
        let told = heard.get(id).unwrap_or_else(|| panic!("nobody was told of {job:#}"));
        // an outage may change a note's emission mode, an event besides its outcome
        let facts = told.keys().filter_map(|event| event.strip_prefix(&format!("{}.", job["tipo"].as_str()?)));
        let ends: Vec<&str> = facts.filter(|event| *event != "contingencia").collect();
        assert_eq!(ends, happened, "{job:#}");
        assert!(told.values().all(|ids| ids.len() == 1), "one event under two ids: {told:?}");
    }
    println!("queda: webhooks de {} notas em {deliveries} entregas", notes.count());
}

/// Returns every job that was answered with a 202, and the type of its document.
fn accepted(book: &Book) -> Vec<(String, &'static str)> {
    let pages = book.pages();
    let emissions = pages.notes.values().filter_map(|note| Some((note.job_id.clone()?, note.kind.tipo())));
    let tipo = |path: &str| if path.starts_with("/v1/cte/") { "cte" } else { "nfe" };
    let wishes = pages.wishes.values().filter_map(|wish| Some((wish.job_id.clone()?, tipo(wish.path))));
    emissions.chain(pages.cancellations.iter().cloned()).chain(wishes).collect()
}

/// `true` if the queue is empty.
pub(crate) async fn nothing_is_left(caller: &Caller, base_url: &str) -> bool {
    let Some((_, status)) = caller.get(base_url, "/status").await else { return false };
    let queue = &status["componentes"]["fila"];
    queue["pendentes"] == 0 && queue["em_processamento"] == 0
}

async fn not_ended(caller: &Caller, base_url: &str, book: &Book) -> Vec<String> {
    let mut found = Vec::new();
    for (id, tipo) in accepted(book) {
        let (_, job) = caller.get(base_url, &format!("/v1/{tipo}/consultar/{id}")).await.expect("an answer");
        if job["concluido_em"].is_null() {
            found.push(format!("{id}: {}", job["erro_detalhe"]));
        }
    }
    found
}

/// Compares our answers with the authority's documents and with the ledger of numbers.
pub(crate) async fn both_sides_agree(world: &World, book: &Book, ended: &BTreeMap<String, Value>) -> Counts {
    let mut counts = Counts { notes: book.pages().notes.len(), ..Counts::default() };
    let mut keys = BTreeSet::new();
    let notes = book.pages().notes.clone();
    for (referencia, note) in &notes {
        let job = &ended[note.job_id.as_ref().unwrap()];
        let end = (note.kind, job["status"].as_str().unwrap_or(""), job["nota"]["status"].as_str().unwrap_or(""));
        match end {
            (
                JobKind::Good
                | JobKind::TakenNumber
                | JobKind::Announced
                | JobKind::Sale
                | JobKind::Offline
                | JobKind::Cargo
                | JobKind::Passengers
                | JobKind::Travelling,
                "completed",
                "autorizada" | "cancelada",
            ) => {
                counts.authorised += 1;
                let corrected = note.correction.as_ref().map(|correction| wished(book, correction, ended));
                let queries = agreed(world, job, note.cancellation_asked, corrected, &mut counts);
                counts.queries += queries;
                counts.most_queries = counts.most_queries.max(queries);
                let chave = job["nota"]["chave"].as_str().unwrap().to_owned();
                assert!(keys.insert(chave), "{referencia}: a key twice");
            }
            (JobKind::Service | JobKind::Municipal, "completed", "autorizada") => {
                counts.services += 1;
                assert!(keys.insert(service_key(world, job)), "{referencia}: a note twice");
            }
            (JobKind::Rejected, "completed", "rejeitada") => {
                counts.rejected += 1;
                assert_eq!(job["nota"]["codigo_status"], 778, "{referencia}: {job:#}");
            }
            (JobKind::TakenNumber, "failed", _) => {
                counts.failed += 1;
                assert_eq!(job["erro_detalhe"]["codigo"], "numero_em_uso", "{referencia}: {job:#}");
            }
            _ => panic!("{referencia} ({:?}) ended otherwise: {job:#}", note.kind),
        }
    }
    counts.twins = assert_twins(world, &keys);
    let there = world.simulator.documents(None).len();
    assert_eq!(there, counts.authorised + counts.twins, "documents at the authority");
    let notes = world.simulator.nfse_notes().len() + world.simulator.municipal_notes().len();
    assert_eq!(notes, counts.services, "notes of services at the authorities");
    assert_no_undue_use(world);
    assert_numbers(world).await;
    assert_service_numbers(world).await;
    counts.voided = assert_voided(world, book, ended).await;
    counts
}

/// Every other document at the authority is the superseded first document of a sale that was issued again, and is
/// cancelled.
fn assert_twins(world: &World, keys: &BTreeSet<String>) -> usize {
    let others = world.simulator.documents(None).into_iter().filter(|one| !keys.contains(&one.chave));
    let twins: Vec<_> = others.collect();
    for twin in &twins {
        assert_eq!(twin.situacao, LedgerStatus::Cancelada, "a document too many: {}", twin.chave);
    }
    twins.len()
}

/// Returns the ended job of a wish.
fn wished<'e>(book: &Book, referencia: &str, ended: &'e BTreeMap<String, Value>) -> &'e Value {
    let id = book.pages().wishes[referencia].job_id.clone();
    &ended[id.as_ref().unwrap()]
}

/// Every range was voided once, under the protocol that we have, and no document uses its numbers.
async fn assert_voided(world: &World, book: &Book, ended: &BTreeMap<String, Value>) -> usize {
    let there = world.simulator.voided();
    let wishes = book.pages().wishes.clone();
    let mut ranges: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut voided = 0;
    for (referencia, wish) in wishes.iter().filter(|(_, wish)| wish.path == "/v1/nfe/inutilizar") {
        let nota = &wished(book, referencia, ended)["nota"];
        assert_eq!(nota["status"], "inutilizada", "{nota:#}");
        let held = there.iter().filter(|range| nota["protocolo"] == range.nProt.as_str()).count();
        assert_eq!(held, 1, "{nota:#}");
        let from = nota["numero_inicial"].as_u64().unwrap();
        ranges.entry(wish.body["cpf_cnpj"].as_str().unwrap().to_owned()).or_default().extend(from..from + 3);
        voided += 1;
    }
    assert_eq!(there.len(), voided, "ranges at the authority");
    let store = world.store().await;
    for company in VOIDERS {
        let ledger = store.ledger(world.tenant, series_of(company, 55)).await.unwrap();
        assert!(ledger.iter().all(|row| row.state == NumberState::Voided), "{ledger:?}");
        let mut expected = ranges.remove(company).unwrap_or_default();
        expected.sort_unstable();
        assert_eq!(ledger.iter().map(|row| row.numero).collect::<Vec<_>>(), expected, "{company}");
    }
    store.close().await;
    voided
}

/// Checks that the authority has an authorised note once, with equal key, protocol and state. Returns the number of
/// queries of its key.
fn agreed(
    world: &World,
    job: &Value,
    cancellation_asked: bool,
    correction: Option<&Value>,
    counts: &mut Counts,
) -> u64 {
    let nota = &job["nota"];
    let chave = nota["chave"].as_str().unwrap();
    let there = world.simulator.document(TpAmb::Homologacao, chave).expect("the authority has it");
    assert_eq!(nota["protocolo"], there.nProt.as_str(), "{job:#}");
    let counted = world.simulator.counts(chave);
    assert_eq!(counted.gravada, 1, "recorded once: {job:#}");
    let cancelled_there = there.situacao == LedgerStatus::Cancelada;
    assert_eq!(nota["status"] == "cancelada", cancelled_there, "{job:#}");
    let registered = |kind: &str| there.eventos.iter().filter(|event| event.tpEvento == kind).count();
    assert_eq!(registered("110111"), usize::from(cancelled_there), "one cancellation at most");
    let corrected =
        correction.is_some_and(|job| matches!(job["evento_fiscal"]["codigo_status"].as_u64(), Some(135 | 573 | 631)));
    assert_eq!((registered("110110"), corrected), (usize::from(correction.is_some()), correction.is_some()), "{job:#}");
    assert!(cancellation_asked || !cancelled_there, "cancelled though nobody asked: {job:#}");
    counts.cancelled += usize::from(cancelled_there);
    counts.corrected += usize::from(corrected);
    counted.consultada
}

/// Returns the key of a note of services, or its number at a city hall; it must be recorded once.
fn service_key(world: &World, job: &Value) -> String {
    let nota = &job["nota"];
    let chave = nota["chave"].as_str().unwrap_or_default();
    if let Some(note) = world.simulator.nfse_notes().iter().find(|note| note.chave == chave) {
        assert_eq!(world.simulator.nfse_counts(&note.id_dps).gravada, 1, "recorded once: {job:#}");
        return chave.to_owned();
    }
    let numero = nota["numero"].as_u64();
    let notes = world.simulator.municipal_notes();
    let of_number = notes.iter().filter(|note| Some(note.numero) == numero).count();
    assert_eq!(of_number, 1, "the city hall has it: {job:#}");
    format!("municipal {}", numero.unwrap_or_default())
}

/// Every number of a DPS or an RPS up to the highest is there and used once.
async fn assert_service_numbers(world: &World) {
    let store = world.store().await;
    for (company, counted) in [(CNPJ, NumberedKind::Dps), (ANNOUNCER, NumberedKind::Rps)] {
        let series = Series { counted, ..series_of(company, 55) };
        let ledger = store.ledger(world.tenant, series).await.unwrap();
        let numbers: Vec<u64> = ledger.iter().map(|row| row.numero).collect();
        assert_eq!(numbers, (1..=numbers.last().copied().unwrap_or(0)).collect::<Vec<u64>>(), "a gap");
        let there = match counted {
            NumberedKind::Dps => world.simulator.nfse_notes().len(),
            _ => world.simulator.municipal_notes().len(),
        };
        let of = |state| ledger.iter().filter(|row| row.state == state).count();
        let (used, free) = (of(NumberState::Used), of(NumberState::Released));
        assert_eq!((used, used + free), (there, ledger.len()), "{ledger:?}");
    }
    store.close().await;
}

/// No query was undue.
fn assert_no_undue_use(world: &World) {
    let undue: Vec<_> = world.simulator.requests().into_iter().filter(|request| request.cStat == Some(656)).collect();
    assert!(undue.is_empty(), "{undue:?}");
}

/// Every number up to the highest is in the ledger; the used ones are as many as the authority's documents, and none is
/// still reserved.
async fn assert_numbers(world: &World) {
    let store = world.store().await;
    for (company, modelo) in SERIES {
        let series = series_of(company, modelo);
        let ledger = store.ledger(world.tenant, series).await.unwrap();
        let numbers: Vec<u64> = ledger.iter().map(|row| row.numero).collect();
        let highest = numbers.last().copied().unwrap_or(0);
        assert_eq!(numbers, (1..=highest).collect::<Vec<u64>>(), "a gap");
        let there = world.simulator.documents(Some(series.cpf_cnpj.as_str()));
        let there = there.iter().filter(|one| one.modelo == modelo).count();
        let used = ledger.iter().filter(|row| row.state == NumberState::Used).count();
        let free = ledger.iter().filter(|row| row.state == NumberState::Released).count();
        assert_eq!(used, there, "used numbers: {ledger:?}");
        assert_eq!(used + free, ledger.len(), "still held: {ledger:?}");
    }
    store.close().await;
}
