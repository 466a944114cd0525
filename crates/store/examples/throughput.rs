//! Throughput of the store in jobs per second, each step durable: `cargo run --release -p store --example throughput --
//! URL [clients] [jobs] [nenhuma|livre|limitada]`.
//!
//! Two figures: the queue alone (register, claim, end) and the whole life of a document (register, claim, reserve,
//! begin to send, settle). URL is `sqlite:file.db` or `postgres://…`; without arguments a temporary SQLite file is
//! used.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a tool for the developer's terminal")]

use fiscal::lifecycle::DocumentState;
use fiscal::value::{ChaveAcesso, ChaveParts, CnpjCpf, Codigo, Serie, TpAmb, Uf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use store::audit::Actor;
use store::installation::KeyCode;
use store::jobs::{
    ArchivedDocument, ClaimRequest, ClaimedJob, DocumentOutcome, Job, JobFailure, NewJob, NumberRequest, Operacao,
    SignedDocument,
};
use store::numbers::{NumberedKind, Series};
use store::quotas::Familia;
use store::vault::MasterKey;
use store::{Location, Store};
use uuid::Uuid;

const NOW: i64 = 1_795_000_000;
const CLAIM: u32 = 64;
const COMPANIES: [&str; 3] = ["11222333000181", "12ABC34501DE35", "00000000000191"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cycle {
    Queue,
    Document,
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, default: usize| arguments.get(place).map_or(default, |text| text.parse().unwrap());
    let temporary = std::env::temp_dir().join(format!("throughput-{}.db", Uuid::now_v7()));
    let url = arguments.first().cloned().unwrap_or_else(|| format!("sqlite:{}", temporary.display()));
    let (clients, jobs) = (number(1, 64), number(2, 20_000));
    let quota = arguments.get(3).map_or("livre", String::as_str);
    for cycle in [Cycle::Queue, Cycle::Document] {
        let store = Store::open(&Location::parse(&url).unwrap(), MasterKey::new([1; 32])).await.unwrap();
        measure(&store, cycle, quota, clients, jobs).await;
        store.close().await;
    }
    for end in ["", "-wal", "-shm"] {
        drop(std::fs::remove_file(format!("{}{end}", temporary.display())));
    }
}

async fn measure(store: &Store, cycle: Cycle, quota: &str, clients: usize, jobs: usize) {
    let tenant = Uuid::now_v7();
    let cota = (quota != "nenhuma").then_some(Familia::Nfe);
    if quota == "limitada" {
        let (ambiente, by) = (TpAmb::Homologacao, Actor::operator());
        store.set_quota(tenant, ambiente, Familia::Nfe, Some(u32::MAX), &by, NOW).await.unwrap();
    }
    let done = Arc::new(AtomicUsize::new(0));
    let begun = Instant::now();
    let workers = tokio::spawn(work(store.clone(), cycle, jobs, Arc::clone(&done)));
    let registering: Vec<_> = (0..clients)
        .map(|client| {
            tokio::spawn(register(
                store.clone(),
                tenant,
                cota,
                client,
                jobs / clients + usize::from(client < jobs % clients),
            ))
        })
        .collect();
    let mut waits = Vec::new();
    for client in registering {
        waits.extend(client.await.unwrap());
    }
    let registered = begun.elapsed();
    workers.await.unwrap();
    report(store.kind(), cycle, clients, jobs, registered, begun.elapsed(), waits);
}

fn report(
    kind: &str,
    cycle: Cycle,
    clients: usize,
    jobs: usize,
    registered: Duration,
    all: Duration,
    mut waits: Vec<Duration>,
) {
    waits.sort_unstable();
    let per_second = |time: Duration| jobs as u128 * 1_000_000 / time.as_micros().max(1);
    let name = if cycle == Cycle::Queue { "queue cycle (3 steps)" } else { "document life (5 steps)" };
    println!(
        "{kind:<8} {name:<24} {clients:>4} clients {jobs:>7} jobs: {:>6} cycles/s, {:>6} accepted/s, wait p50 {:?} p99 {:?}",
        per_second(all),
        per_second(registered),
        waits[waits.len() / 2],
        waits[waits.len() * 99 / 100],
    );
}

async fn register(store: Store, tenant: Uuid, cota: Option<Familia>, client: usize, jobs: usize) -> Vec<Duration> {
    let payload = "x".repeat(4096);
    let mut waits = Vec::with_capacity(jobs);
    for number in 0..jobs {
        let job = NewJob {
            id: Uuid::now_v7(),
            tenant_id: tenant,
            tipo: fiscal::tipo::Tipo::Nfe,
            operacao: Operacao::Emissao,
            cpf_cnpj: CnpjCpf::parse(COMPANIES[number % COMPANIES.len()]).unwrap(),
            ambiente: TpAmb::Homologacao,
            referencia: Some(format!("{client}x{number}")),
            payload: payload.as_str().into(),
            webhook_url: None,
            notices: Vec::new(),
            alvo: None,
            act: None,
            authority: "SP".to_owned(),
            cota,
            destinatario: None,
            addressee: None,
            valor: None,
            request_id: None,
            author: None,
            by_hand: None,
        };
        let begun = Instant::now();
        store.register(job, NOW).await.unwrap();
        waits.push(begun.elapsed());
    }
    waits
}

/// Failure of a job whose row cannot be read.
fn unreadable() -> JobFailure {
    JobFailure {
        codigo: "erro_interno".to_owned(),
        etapa: "validacao".to_owned(),
        mensagem: "O registro do job é ilegível.".to_owned(),
        repetivel: false,
        proxima_tentativa_em: None,
    }
}

async fn work(store: Store, cycle: Cycle, jobs: usize, done: Arc<AtomicUsize>) {
    let places = Arc::new(tokio::sync::Semaphore::new(256));
    while done.load(Ordering::Relaxed) < jobs {
        let request = ClaimRequest {
            now: NOW,
            leases_now: NOW,
            lease_until: NOW + 60,
            limit: CLAIM,
            except_authorities: Vec::new(),
            if_unreadable: unreadable(),
        };
        let claimed = store.claim(request).await.unwrap();
        if claimed.is_empty() {
            store.wait_for_work(Duration::from_millis(5)).await;
        }
        for claim in claimed {
            let (store, done) = (store.clone(), Arc::clone(&done));
            let place = Arc::clone(&places).acquire_owned().await.unwrap();
            tokio::spawn(async move {
                finish(&store, cycle, claim).await;
                done.fetch_add(1, Ordering::Relaxed);
                drop(place);
            });
        }
    }
}

async fn finish(store: &Store, cycle: Cycle, claim: ClaimedJob) {
    if cycle == Cycle::Queue {
        let failure = JobFailure {
            codigo: "x".to_owned(),
            etapa: "validacao".to_owned(),
            mensagem: "x".to_owned(),
            repetivel: false,
            proxima_tentativa_em: None,
        };
        return store.fail_job(claim.lease, failure, None, NOW, Vec::new()).await.unwrap();
    }
    let dhEmi = "2026-11-20T10:00:00-03:00".to_owned();
    let series = Series {
        cpf_cnpj: claim.job.cpf_cnpj,
        counted: NumberedKind::Nfe,
        serie: Serie::from(1),
        ambiente: TpAmb::Homologacao,
    };
    let reserve = NumberRequest {
        series,
        asked_numero: None,
        codigo_aleatorio: KeyCode::Fixed(1),
        tipo_emissao: 1,
        dhEmi: dhEmi.clone(),
        contingencia: None,
        fresh: false,
    };
    let numero = store.reserve(claim.lease, reserve, NOW).await.unwrap().numero;
    let xml = "y".repeat(5000);
    let prepared = SignedDocument {
        state: DocumentState::Sending,
        numero,
        asked_by: chave(&claim.job).to_string(),
        chave: Some(chave(&claim.job).into()),
        xml: xml.as_str().into(),
        digest: "d".to_owned(),
        valor: "1.00".to_owned(),
        dhEmi,
        destinatario: None,
        qrCode: None,
    };
    store.begin_sending(claim.lease, prepared, NOW, Vec::new()).await.unwrap();
    let outcome = DocumentOutcome {
        state: DocumentState::Authorized,
        nProt: Some("135260000000001".to_owned()),
        dhRecbto: None,
        codigo: Codigo::from(100),
        xMotivo: "Autorizado o uso da NF-e".to_owned(),
        campo: None,
        rejeicoes: Vec::new(),
        written: None,
        xml: Some(ArchivedDocument::of(format!("<nfeProc>{xml}</nfeProc>"), &xml)),
        number_is_gone: false,
        number_is_kept: false,
    };
    store.settle(claim.lease, outcome, NOW, Vec::new()).await.unwrap();
}

/// A key, different for every job.
fn chave(job: &Job) -> ChaveAcesso {
    let chance = |most: u128, shift: u32| u32::try_from((job.id.as_u128() >> shift) % most).unwrap();
    let (nNF, cNF) = (chance(1_000_000_000, 0), chance(100_000_000, 32));
    let (uf, emitente) = (Uf::SP, job.cpf_cnpj);
    ChaveAcesso::compose(&ChaveParts { uf, aamm: 2611, emitente, modelo: 55, serie: 1, nNF, tpEmis: 1, cNF })
}
