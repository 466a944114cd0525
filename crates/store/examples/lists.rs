//! Time of the panel's lists on N documents: `cargo run --release -p store --example lists -- URL [N [CALLS]]`.
//!
//! Each figure is a median, with its ratio to one bare look-up of a job by its key in the same run. URL is
//! `sqlite:file.db` or `postgres://…`, empty; without arguments a temporary SQLite file and 50,000 documents.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::too_many_lines,
    reason = "a tool for the developer's terminal"
)]

use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, Serie, TpAmb};
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use store::emissions::{EmissionFilter, EmissionState, PageCursor};
use store::notes::Period;
use store::vault::MasterKey;
use store::{Location, Store, Visibility};
use uuid::Uuid;

const NOW_MS: u64 = 1_795_000_000_000;
const STEP_MS: u64 = 20_000;
const COMPANIES: [&str; 3] = ["11222333000181", "12ABC34501DE35", "00000000000191"];
const FIRST: [&str; 8] = ["maria", "joao", "ana", "papelaria", "mercado", "oficina", "padaria", "clinica"];
const LAST: [&str; 10] =
    ["silva", "souza", "central", "ltda", "pereira", "aurora", "ribeiro", "horizonte", "nunes", "ipiranga"];

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, default: u64| arguments.get(place).map_or(default, |text| text.parse().unwrap());
    let temporary = std::env::temp_dir().join(format!("lists-{}.db", Uuid::now_v7()));
    let url = arguments.first().cloned().unwrap_or_else(|| format!("sqlite:{}", temporary.display()));
    let (documents, calls) = (number(1, 50_000), number(2, 50));
    let location = Location::parse(&url).unwrap();
    Store::open(&location, MasterKey::new([1; 32])).await.unwrap().close().await;
    let tenant = Uuid::now_v7();
    fill(&location, tenant, documents).await;
    let store = Store::open(&location, MasterKey::new([1; 32])).await.unwrap();
    measure(&store, tenant, documents, calls).await;
    store.close().await;
    for end in ["", "-wal", "-shm"] {
        drop(std::fs::remove_file(format!("{}{end}", temporary.display())));
    }
}

/// Id of a document, in order of time.
fn id(number: u64, documents: u64) -> Uuid {
    let ms = NOW_MS - (documents - number) * STEP_MS;
    Uuid::from_u128((u128::from(ms) << 80) | (7 << 76) | (2 << 62) | u128::from(number))
}

fn addressee(number: u64, documents: u64) -> String {
    format!("{:011}", number * 7_919 % (documents / 8).max(1))
}

/// State of a document; `None` for one that waits without a number.
fn state(number: u64) -> Option<&'static str> {
    Some(match number % 100 {
        0..=1 => return None,
        2..=4 => "failed",
        5..=9 => "rejected",
        10..=13 => "cancelled",
        14 if number % 1_000 == 14 => "in_doubt",
        _ => "authorized",
    })
}

/// Rows as the service would have written them, without files and with empty payloads, which no list reads.
async fn fill(location: &Location, tenant: Uuid, documents: u64) {
    let began = Instant::now();
    let is_sqlite = matches!(location, Location::Sqlite(_));
    let uuid = |id: Uuid| if is_sqlite { format!("x'{}'", id.simple()) } else { format!("'{id}'") };
    let tenant_id = uuid(tenant);
    let runner = SqlRunner::of(location).await;
    for part in 0..documents.div_ceil(500) {
        let (mut jobs, mut payloads, mut rows, mut queue) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for number in part * 500..((part + 1) * 500).min(documents) {
            let (job, tipo) =
                (uuid(id(number, documents)), [Tipo::Nfe, Tipo::Nfce, Tipo::Cte][number as usize % 17 / 7]);
            let (company, to) = (COMPANIES[number as usize % 3], addressee(number, documents));
            let found = state(number);
            let is_open = matches!(found, None | Some("in_doubt"));
            let status = match found {
                Some("failed") => "failed",
                _ if is_open => "pending",
                _ => "completed",
            };
            let erro = if status == "failed" { "'certificado_expirado'" } else { "NULL" };
            let criado_em = (NOW_MS - (documents - number) * STEP_MS) / 1_000;
            jobs.push(format!(
                "({tenant_id},{job},'{tipo}','emissao','{company}',2,'R{number}','{status}',1,'[]','SP',{criado_em},{criado_em},'{to}','{}.00',{erro})",
                number % 500
            ));
            payloads.push(format!("({tenant_id},{job},'{{}}')"));
            if is_open {
                queue.push(format!("({tenant_id},{job},'{company}','SP',{criado_em},0)"));
            }
            if let Some(state) = found {
                rows.push(format!(
                    "({tenant_id},{job},'{company}',2,'{state}','55','1',{number},1,1,'2026-11-20T10:00:00-03:00','{}.00','{to}','{tipo}')",
                    number % 500
                ));
            }
        }
        let mut text = "BEGIN;".to_owned();
        for (table, rows) in [
            (
                "jobs (tenant_id,id,tipo,operacao,cpf_cnpj,ambiente,referencia,status,tentativas,notices,authority,criado_em,atualizado_em,destinatario,valor,erro_codigo)",
                jobs,
            ),
            ("payloads (tenant_id,job_id,payload)", payloads),
            (
                "documents (tenant_id,job_id,cpf_cnpj,ambiente,state,counted,serie,numero,codigo_aleatorio,tipo_emissao,dhEmi,valor,destinatario,tipo)",
                rows,
            ),
            ("queue (tenant_id,job_id,cpf_cnpj,authority,ready_at,tentativas)", queue),
        ] {
            if !rows.is_empty() {
                write!(text, "INSERT INTO {table} VALUES {};", rows.join(",")).unwrap();
            }
        }
        runner.run(&format!("{text}COMMIT;")).await;
    }
    let mut words = Vec::new();
    for addressee in 0..(documents / 8).max(1) {
        for word in [FIRST[addressee as usize % 8], LAST[addressee as usize / 8 % 10], &format!("filial{addressee}")] {
            words.push(format!("({tenant_id},2,'{word}','{addressee:011}')"));
        }
    }
    for words in words.chunks(1_000) {
        runner
            .run(&format!(
                "INSERT INTO addressee_words (tenant_id,ambiente,word,destinatario) VALUES {};",
                words.join(",")
            ))
            .await;
    }
    let decided = "state IN ('authorized','cancelled','denied','rejected')";
    runner
        .run(&format!(
            "INSERT INTO note_counts (tenant_id,cpf_cnpj,tipo,serie,ambiente,state,shard,n)
             SELECT tenant_id,cpf_cnpj,tipo,serie,ambiente,state,0,COUNT(*) FROM documents WHERE {decided}
             GROUP BY tenant_id,cpf_cnpj,tipo,serie,ambiente,state;"
        ))
        .await;
    println!("{documents} documents in {} s", began.elapsed().as_secs());
}

/// Runs SQL from outside the store.
enum SqlRunner {
    Sqlite(std::path::PathBuf),
    Postgres(tokio_postgres::Client),
}

impl SqlRunner {
    async fn of(location: &Location) -> SqlRunner {
        match location {
            Location::Sqlite(path) => SqlRunner::Sqlite(path.clone()),
            Location::Postgres(url) => {
                let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
                tokio::spawn(connection);
                SqlRunner::Postgres(client)
            }
        }
    }

    async fn run(&self, sql: &str) {
        match self {
            SqlRunner::Sqlite(path) => {
                rusqlite::Connection::open(path)
                    .unwrap()
                    .execute_batch(&format!("PRAGMA synchronous=OFF; {sql}"))
                    .unwrap();
            }
            SqlRunner::Postgres(client) => client.batch_execute(sql).await.unwrap(),
        }
    }
}

async fn measure(store: &Store, tenant: Uuid, documents: u64, calls: u64) {
    let sight = Visibility::whole(tenant);
    let all = || EmissionFilter::of(TpAmb::Homologacao);
    let of_state = |state| EmissionFilter { state: Some(state), ..all() };
    let middle = PageCursor::OlderThan(id(documents / 2, documents));
    let last = PageCursor::OlderThan(id(60.min(documents), documents));
    let company = CnpjCpf::parse(COMPANIES[0]).ok();
    let named = |nome: &str| EmissionFilter { nome: Some(nome.to_owned()), ..all() };
    let month = Period { from: Some(i64::try_from(NOW_MS / 1_000).unwrap() - 30 * 86_400), until: None };
    let mut bare = Vec::new();
    for call in 0..calls {
        let began = Instant::now();
        store.job_by_reference(sight, &format!("R{}", call * 37 % documents)).await.unwrap();
        bare.push(began.elapsed());
    }
    let bare = median(bare);
    println!("{}: bare look-up by reference {bare:?}", store.kind());
    println!("| list | median | ratio | entries | count | median | ratio |\n|---|---|---|---|---|---|---|");
    for (what, filter, cursor) in [
        ("all", all(), PageCursor::Newest),
        ("all, from the middle", all(), middle),
        ("all, last page", all(), last),
        ("all, newer than the middle", all(), PageCursor::NewerThan(id(documents / 2, documents))),
        ("a type", EmissionFilter { tipo: Some(Tipo::Cte), ..all() }, PageCursor::Newest),
        ("a type without documents", EmissionFilter { tipo: Some(Tipo::Nfse), ..all() }, PageCursor::Newest),
        ("a company and a type", EmissionFilter { emitente: company, tipo: Some(Tipo::Nfe), ..all() }, middle),
        ("authorised", of_state(EmissionState::Authorized), middle),
        ("rejected", of_state(EmissionState::Rejected), middle),
        (
            "rejected, not issued again, 30 days",
            EmissionFilter { not_reissued: true, periodo: month, ..all() },
            PageCursor::Newest,
        ),
        ("denied (none)", of_state(EmissionState::Denied), PageCursor::Newest),
        ("failed", of_state(EmissionState::Failed), middle),
        ("pending", of_state(EmissionState::Pending), middle),
        ("in doubt", of_state(EmissionState::InDoubt), PageCursor::Newest),
        ("a number", EmissionFilter { numero: Some(documents / 3), ..all() }, PageCursor::Newest),
        (
            "a series without documents: tries its fill",
            EmissionFilter { serie: Serie::parse("9").ok(), ..all() },
            PageCursor::Newest,
        ),
        ("a name of one", named("filial77"), PageCursor::Newest),
        ("two words", named("maria silv"), PageCursor::Newest),
        ("a name of an eighth", named("mar"), middle),
    ] {
        let (mut listed, mut counted, mut entries, mut count) = (Vec::new(), Vec::new(), 0, String::new());
        for _ in 0..calls {
            let began = Instant::now();
            entries = store.emissions(sight, filter.clone(), cursor, 50).await.unwrap().jobs.len();
            listed.push(began.elapsed());
            let began = Instant::now();
            let found = store.count_emissions(sight, filter.clone()).await.unwrap();
            counted.push(began.elapsed());
            count = format!("{}{}", found.n, if found.or_more { "+" } else { "" });
        }
        let (listed, counted) = (median(listed), median(counted));
        println!(
            "| {what} | {listed:?} | {} | {entries} | {count} | {counted:?} | {} |",
            ratio(listed, bare),
            ratio(counted, bare)
        );
    }
    home(store, sight, month, bare, calls).await;
}

/// The counts of the overview.
async fn home(store: &Store, sight: Visibility, month: Period, bare: Duration, calls: u64) {
    let all = || EmissionFilter::of(TpAmb::Homologacao);
    let of_state = |state| EmissionFilter { state: Some(state), ..all() };
    let filters = [
        of_state(EmissionState::Pending),
        of_state(EmissionState::Authorized),
        of_state(EmissionState::Rejected),
        of_state(EmissionState::Denied),
        of_state(EmissionState::Cancelled),
        of_state(EmissionState::InDoubt),
        of_state(EmissionState::Contingency),
        EmissionFilter { not_reissued: true, periodo: month, ..all() },
        EmissionFilter { periodo: month, ..of_state(EmissionState::Failed) },
    ];
    let mut samples = Vec::new();
    for _ in 0..calls {
        let began = Instant::now();
        for filter in &filters {
            store.count_emissions(sight, filter.clone()).await.unwrap();
        }
        samples.push(began.elapsed());
    }
    let all = median(samples);
    println!("overview, its {} counts: {all:?}, ratio {}", filters.len(), ratio(all, bare));
}

fn median(mut samples: Vec<Duration>) -> Duration {
    samples.sort_unstable();
    samples[samples.len() / 2]
}

fn ratio(one: Duration, bare: Duration) -> u128 {
    one.as_nanos() / bare.as_nanos().max(1)
}
