//! `bench reports`: every list, search and report over HTTP on five million jobs of 200 accounts, SQLite and
//! PostgreSQL.
//!
//! Measures the largest account (a million jobs) and a typical one. At the end prints the databases' own plans of the
//! statements.

pub(crate) mod data;
pub(crate) mod postgres;
pub(crate) mod sqlite;

pub(crate) use sqlite::tenant;

use crate::client::BenchClient;
use crate::measure::{Samples, ms};
use crate::deployment::{Deployment, create_account_key};
use crate::processes::{BenchProcess, release_binary};
use anyhow::{Context, Result};
use data::{BenchOutcome, JobGenerator, BenchJob, TENANTS, TYPICAL};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use uuid::Uuid;

const COMPANY: &str = r#"{"nome_razao_social":"Papelaria Exemplo Ltda","endereco":{"uf":"SP"}}"#;
const WHEN: &str = "2026-11-20T10:00:00-03:00";
const DIGEST: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/// Measures `reports [JOBS] [CALLS]`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let jobs: u64 = args.first().map_or(Ok(5_000_000), |count| count.parse())?;
    let calls: usize = args.get(1).map_or(Ok(200), |count| count.parse())?;
    let binary = release_binary()?;
    let folder = std::env::temp_dir().join(format!("carimbo-reports-{}", std::process::id()));
    let only = std::env::var("BENCH_ONLY").unwrap_or_default();
    let mut outcome = Ok(());
    if only != "postgres" {
        let place = Deployment {
            binary: &binary,
            folder: folder.join("sqlite"),
            url: format!("sqlite:{}", folder.join("sqlite/bench.db").display()),
        };
        outcome = database(&place, jobs, calls);
        // gigabytes: freed before the other database takes as many
        std::fs::remove_dir_all(&folder)?;
    }
    match std::env::var("BENCH_DATABASE_URL") {
        Ok(url) if only != "sqlite" => {
            let place = Deployment { binary: &binary, folder: folder.join("postgres"), url };
            outcome = outcome.and(database(&place, jobs, calls));
            std::fs::remove_dir_all(&folder)?;
        }
        _ => println!("BENCH_DATABASE_URL is not set: PostgreSQL is left out"),
    }
    outcome
}

/// Accounts by their rank, and their companies.
pub(crate) struct AccountIds {
    tenants: Vec<Uuid>,
    companies: Vec<(Uuid, String)>,
}

impl AccountIds {
    /// Ids by rank, with the companies of a generator.
    pub(crate) fn new(tenants: Vec<Uuid>, generator: &JobGenerator) -> AccountIds {
        let ranks = 0..tenants.len();
        let companies =
            ranks.flat_map(|rank| generator.companies(rank).iter().map(move |company| (rank, company.clone())));
        let companies = companies.map(|(rank, company)| (tenants[rank], company)).collect();
        AccountIds { tenants, companies }
    }

    fn of(&self, rank: usize) -> Uuid {
        self.tenants[rank]
    }
    fn companies(&self) -> &[(Uuid, String)] {
        &self.companies
    }
}

/// Key of a document count: account, company, type, state, shard.
type NoteCountKey = (usize, String, &'static str, &'static str, u8);

/// Key of a daily document count: account, day, company, type, state. It has no shard: no key occurs 200 times on one
/// day.
type DailyCountKey = (usize, u64, String, &'static str, &'static str);

/// The counts that the service would have kept, and a sample of jobs to query.
#[derive(Default)]
pub(crate) struct ExpectedCounts {
    notes: HashMap<NoteCountKey, u64>,
    days: HashMap<DailyCountKey, u64>,
    known: HashMap<usize, Vec<SampledJob>>,
    seen: u64,
}

/// A job to query.
pub(crate) struct SampledJob {
    pub(crate) id: Uuid,
    pub(crate) cpf_cnpj: String,
    pub(crate) referencia: String,
    pub(crate) chave: Option<String>,
    pub(crate) destinatario: String,
    pub(crate) vNF: String,
    pub(crate) nNF: Option<u32>,
}

impl ExpectedCounts {
    pub(crate) fn add(&mut self, job: &BenchJob) {
        self.seen += 1;
        let document = match &job.end {
            BenchOutcome::Decided(document) => Some(document),
            BenchOutcome::Failed { .. } => None,
        };
        if let Some(document) = document {
            let kind = (job.tenant, job.cpf_cnpj.clone(), job.tipo, document.state, job.id.as_bytes()[15] % 8);
            *self.notes.entry(kind).or_insert(0) += 1;
            // the day in Brasília
            let day = (job.id.as_u128() >> 80) as u64 / 1_000 - 3 * 3_600;
            let of_day = (job.tenant, day / 86_400, job.cpf_cnpj.clone(), job.tipo, document.state);
            *self.days.entry(of_day).or_insert(0) += 1;
        }
        let every = if job.tenant == 0 { 1_000 } else { 7 };
        if (job.tenant == 0 || job.tenant == TYPICAL) && self.seen % every == 0 {
            let (chave, nNF) = (document.map(|document| document.chave.clone()), document.map(|document| document.nNF));
            let (referencia, destinatario, vNF) = (job.referencia.clone(), job.destinatario.clone(), job.vNF.clone());
            self.known.entry(job.tenant).or_default().push(SampledJob {
                id: job.id,
                cpf_cnpj: job.cpf_cnpj.clone(),
                referencia,
                chave,
                destinatario,
                vNF,
                nNF,
            });
        }
    }

    /// Sampled jobs of an account, oldest first.
    pub(crate) fn known(&self, rank: usize) -> Option<&[SampledJob]> {
        self.known.get(&rank).map(Vec::as_slice)
    }

    fn rows(&self) -> impl Iterator<Item = (&NoteCountKey, u64)> {
        self.notes.iter().map(|(kind, n)| (kind, *n))
    }

    /// Returns the daily counts in order of time, as the service would have written them.
    fn days(&self) -> Vec<(&DailyCountKey, u64)> {
        let mut days: Vec<_> = self.days.iter().map(|(kind, n)| (kind, *n)).collect();
        days.sort_by_key(|(kind, _)| kind.1);
        days
    }
}

fn failure(codigo: &str) -> String {
    json!({ "codigo": codigo, "etapa": "validacao", "mensagem": "Falha da base de medicao.", "repetivel": true, "proxima_tentativa_em": null })
        .to_string()
}

fn payload(job: &BenchJob) -> String {
    format!(
        r#"{{"modelo":55,"nota":{{"produtos":[{{"cProd":"1","xProd":"Caderno","NCM":"48202000","CFOP":5102,"vProd":{},"icms":{{"orig":0,"CSOSN":"102"}}}}]}}}}"#,
        job.vNF
    )
}

fn database(place: &Deployment<'_>, jobs: u64, calls: usize) -> Result<()> {
    std::fs::create_dir_all(&place.folder)?;
    let file = place.url.strip_prefix("sqlite:").map(PathBuf::from);
    let name = if file.is_some() { "SQLite" } else { "PostgreSQL" };
    let keys = [create_account_key(place, "Grande")?, create_account_key(place, "Comum")?];
    let tenant = |nome: &str| match &file {
        Some(path) => sqlite::tenant(path, nome),
        None => postgres::tenant(&place.url, nome),
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let generator = JobGenerator::new(jobs, now);
    let mut tenants: Vec<Uuid> = (0..TENANTS).map(|_| Uuid::now_v7()).collect();
    (tenants[0], tenants[TYPICAL]) = (tenant("Grande")?, tenant("Comum")?);
    let ids = AccountIds::new(tenants, &generator);
    let branches = [generator.companies(0)[3].clone(), generator.companies(TYPICAL)[0].clone()];
    let (all, mut counts, began) = (generator.all(), ExpectedCounts::default(), Instant::now());
    match &file {
        Some(path) => sqlite::insert_rows(path, generator, &ids, &mut counts)?,
        None => postgres::copy_rows(&place.url, generator, &ids, &mut counts)?,
    }
    println!("{name}: {all} jobs of {TENANTS} accounts in {:.0} s\n", began.elapsed().as_secs_f64());
    let accounts = [("1,000,000 jobs", 0), ("typical", TYPICAL)];
    for ((what, rank), (key, branch)) in accounts.into_iter().zip(keys.iter().zip(&branches)) {
        let known = counts.known.get(&rank).context("no jobs of this account")?;
        measure(place, name, what, key, &routes(known, branch, now), calls)?;
    }
    let known = counts.known.get(&0).context("no jobs")?;
    plans(place, file.as_deref(), &keys[0], &routes(known, &branches[0], now))
}

/// A route with its requests; calls cycle through them.
struct MeasuredRoute {
    name: &'static str,
    asked: Vec<(&'static str, String, String)>,
}

fn get_route(name: &'static str, paths: impl IntoIterator<Item = String>) -> MeasuredRoute {
    MeasuredRoute { name, asked: paths.into_iter().map(|path| ("GET", path, String::new())).collect() }
}

fn routes(known: &[SampledJob], branch: &str, now: u64) -> Vec<MeasuredRoute> {
    let fixed = |name: &'static str, path: String| get_route(name, [path]);
    let each = |name: &'static str, path: &dyn Fn(&SampledJob) -> Option<String>| get_route(name, known.iter().filter_map(path));
    let day = |days_ago: u64| date(now - days_ago * 86_400);
    let (month, week, quarter, today) = (day(30), day(7), day(90), day(0));
    let batch = known.chunks(200).map(|part| {
        let ids: Vec<String> = part.iter().map(|job| job.id.to_string()).collect();
        ("POST", "/v1/jobs/consultar-lote".to_owned(), json!({ "job_ids": ids }).to_string())
    });
    vec![
        fixed("notas", "/v1/notas".to_owned()),
        fixed("notas, página de 100", "/v1/notas?limite=100".to_owned()),
        fixed("notas, página 500", "/v1/notas?pagina=500".to_owned()),
        fixed("notas?tipo", "/v1/notas?tipo=nfce".to_owned()),
        fixed("notas?tipo (nenhuma)", "/v1/notas?tipo=mdfe".to_owned()),
        fixed("notas?status=autorizada", "/v1/notas?status=autorizada".to_owned()),
        fixed("notas?status=rejeitada", "/v1/notas?status=rejeitada".to_owned()),
        fixed("notas?emitente", format!("/v1/notas?emitente={branch}")),
        fixed("notas?emitente&tipo&status", format!("/v1/notas?emitente={branch}&tipo=nfe&status=cancelada")),
        fixed("notas?emitente&status=denegada", format!("/v1/notas?emitente={branch}&status=denegada")),
        fixed("notas?serie&ambiente", "/v1/notas?serie=1&ambiente=homologacao".to_owned()),
        each("notas?destinatario", &|job| Some(format!("/v1/notas?destinatario={}", job.destinatario))),
        each("notas?numero", &|job| Some(format!("/v1/notas?numero={}", job.nNF?))),
        each("notas?chave", &|job| Some(format!("/v1/notas?chave={}", job.chave.as_ref()?))),
        fixed("notas?de&ate, 7 dias", format!("/v1/notas?de={week}&ate={today}")),
        fixed("notas?de&ate, 30 dias", format!("/v1/notas?de={month}&ate={today}")),
        fixed("notas?de&ate, 90 dias", format!("/v1/notas?de={quarter}&ate={today}")),
        each("notas/{chave}", &|job| Some(format!("/v1/notas/{}", job.chave.as_ref()?))),
        each("localizar?ref", &|job| Some(format!("/v1/jobs/localizar?ref={}", job.referencia))),
        each("localizar?destinatario, 90 dias", &|job| {
            Some(format!("/v1/jobs/localizar?destinatario={}&de={quarter}&ate={today}", job.destinatario))
        }),
        each("localizar?valor&emitente, 90 dias", &|job| {
            Some(format!("/v1/jobs/localizar?valor={}&emitente={branch}&de={quarter}&ate={today}", job.vNF))
        }),
        fixed("localizar?emitente", format!("/v1/jobs/localizar?emitente={branch}")),
        MeasuredRoute { name: "consultar-lote, 200", asked: batch.collect() },
        fixed("erros, 7 dias", "/v1/jobs/erros".to_owned()),
        fixed("erros, 90 dias", format!("/v1/jobs/erros?de={quarter}&ate={today}")),
        fixed("erros, resumo de 90 dias", format!("/v1/jobs/erros?formato=resumo&de={quarter}&ate={today}")),
        fixed("rejeitadas, 7 dias", "/v1/jobs/rejeitadas".to_owned()),
        fixed(
            "rejeitadas, 90 dias, 200 por página",
            format!("/v1/jobs/rejeitadas?de={quarter}&ate={today}&por_pagina=200"),
        ),
        fixed("rejeitadas, resumo de 90 dias", format!("/v1/jobs/rejeitadas?formato=resumo&de={quarter}&ate={today}")),
        each("itens", &|job| Some(format!("/v1/jobs/{}/itens", job.id))),
    ]
}

/// Formats the day of an instant in Brasília as `AAAA-MM-DD`.
pub(crate) fn date(second: u64) -> String {
    let days = (second - 3 * 3600) / 86_400;
    // civil from days, H. Hinnant
    let z = days + 719_468;
    let (era, doe) = (z / 146_097, z % 146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let (day, month) = (doy - (153 * mp + 2) / 5 + 1, if mp < 10 { mp + 3 } else { mp - 9 });
    format!("{:04}-{month:02}-{day:02}", yoe + era * 400 + u64::from(month <= 2))
}

pub(crate) fn serve(place: &Deployment<'_>, level: &str, log: Option<&Path>) -> Result<(BenchProcess, String)> {
    let mut command = place.command(&["serve", "--papel", "api"]);
    command.env("CARIMBO_LIMITES_REQUISICOES", "0").env("CARIMBO_LOG_NIVEL", level).env("CARIMBO_LOG_FORMATO", "json");
    if let Some(log) = log {
        command.stderr(std::fs::File::create(log)?);
    }
    let mut process = BenchProcess::start(&mut command)?;
    let base = process.wait_for_line("escutando em")?;
    Ok((process, base))
}

fn measure(place: &Deployment<'_>, name: &str, what: &str, key: &str, routes: &[MeasuredRoute], calls: usize) -> Result<()> {
    let (_service, base) = serve(place, "warn", None)?;
    let mut client = BenchClient::connect(&base, key)?;
    println!("| {name}, account of {what} | median | 99 % | entries |\n|---|---|---|---|");
    for route in routes {
        let (mut samples, mut entries) = (Samples::default(), 0);
        for (method, path, body) in route.asked.iter().cycle().take(calls) {
            let answer = samples.clock(|| client.send(method, path, body))?;
            anyhow::ensure!(
                answer.status == 200 || answer.status == 404,
                "{path}: {}",
                String::from_utf8_lossy(&answer.body)
            );
            entries = entries.max(count(&serde_json::from_slice(&answer.body)?));
        }
        println!("| {} | {} | {} | {entries} |", route.name, ms(samples.median()), ms(samples.percentile(99)));
    }
    println!();
    Ok(())
}

/// Returns the number of entries of an answer.
fn count(answer: &Value) -> u64 {
    let listed = |name: &str| answer[name].as_array().map(|list| list.len() as u64);
    answer["total"]
        .as_u64()
        .or_else(|| listed("jobs"))
        .or_else(|| listed("itens"))
        .unwrap_or(u64::from(answer["chave"].is_string()))
}

/// Calls each route once with its statements logged, and prints the database's plans of them.
fn plans(place: &Deployment<'_>, file: Option<&Path>, key: &str, routes: &[MeasuredRoute]) -> Result<()> {
    if file.is_none() {
        postgres::explain(&place.url, true)?;
    }
    let log = place.folder.join("service.log");
    let (_service, base) = serve(place, "trace", Some(&log))?;
    let mut client = BenchClient::connect(&base, key)?;
    let mut told = 0;
    for route in routes {
        let Some((method, path, body)) = route.asked.first() else { continue };
        let before = if file.is_none() { postgres::log(&place.url)?.len() } else { 0 };
        client.send(method, path, body)?;
        println!("#### {}\n\n```text", route.name);
        match file {
            Some(database) => {
                let text = std::fs::read_to_string(&log)?;
                for line in text.lines().skip(told) {
                    let Some(sql) = serde_json::from_str::<Value>(line)
                        .ok()
                        .and_then(|line| Some(line["sql"].as_str()?.to_owned()))
                    else {
                        continue;
                    };
                    if is_about_the_route(&sql) {
                        println!("{}\n", sqlite::plan(database, &sql)?);
                    }
                }
                told = text.lines().count();
            }
            None => print!("{}", plans_of(&postgres::log(&place.url)?[before..])),
        }
        println!("```\n");
    }
    if file.is_none() { postgres::explain(&place.url, false) } else { Ok(()) }
}

/// `true` unless the statement only looks up the caller's key or company.
fn is_about_the_route(sql: &str) -> bool {
    ["FROM documents", "FROM jobs", "JOIN jobs", "FROM note_counts", "FROM note_days"]
        .iter()
        .any(|table| sql.contains(table))
}

/// Returns the plans in a part of the server's log, without the text of the statements.
fn plans_of(log: &str) -> String {
    let mut plans = String::new();
    for entry in log.split("LOG:  duration: ").skip(1).filter(|entry| is_about_the_route(entry)) {
        let plan = entry.lines().skip_while(|line| !line.contains("(cost=")).take_while(|line| line.starts_with('\t'));
        plan.for_each(|line| plans.push_str(&format!("{}\n", line.trim_start_matches('\t'))));
        plans.push('\n');
    }
    plans
}
