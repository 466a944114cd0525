//! `cargo xtask fuzz [N] [SEED]`: N random requests from the service's own description, valid and faulty. None may be
//! answered by a 5xx, end the service or make it grow.
//!
//! A run can be interrupted: `target/fuzz/SEED` holds the next number, and the same command continues there (with a new
//! service). Request number n of a seed is always drawn alike, except for ids and keys that the service returned.

mod description;
mod mutate;
mod random_request;

use crate::lab::client::{CLOSED, LabAnswer, LabClient};
use crate::lab::{self, Lab, LabOptions};
use crate::shell;
use crate::thread_output::say;
use anyhow::{Context, Result, bail, ensure};
use random_request::{FuzzRequest, KnownValues};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Runs the release binary; [`quick`] is a step of the tests.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let number = |at: usize, otherwise: u64| {
        args.get(at).map_or(Ok(otherwise), |text| text.parse().with_context(|| text.clone()))
    };
    let (requests, seed) = (number(0, 1_000_000)?, number(1, 1)?);
    let folder = shell::root().join("target/fuzz");
    fs::create_dir_all(&folder)?;
    let progress = folder.join(seed.to_string());
    let first = fs::read_to_string(&progress).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    let outcome = session(&lab::release()?, seed, first..requests, Some(&progress))?;
    outcome.print();
    ensure!(outcome.complaints.is_empty(), "{} complaints", outcome.complaints.len());
    Ok(())
}

/// Runs from the beginning with this binary; returns a summary.
pub(crate) fn quick(binary: &Path, requests: u64) -> Result<String> {
    let outcome = session(binary, 1, 0..requests, None)?;
    outcome.print();
    if let Some(complaint) = outcome.complaints.first() {
        bail!("{complaint}");
    }
    Ok(format!("{requests} requests, at most {} MB", outcome.peak_mb))
}

/// The result of a run.
#[derive(Default)]
struct FuzzOutcome {
    answers: BTreeMap<u16, u64>,
    complaints: Vec<String>,
    peak_mb: u64,
    took: Duration,
}

impl FuzzOutcome {
    fn print(&self) {
        let answers: Vec<String> = self.answers.iter().map(|(status, count)| format!("{status}: {count}")).collect();
        say!("    answers {}; at most {} MB; {:.0} s", answers.join(", "), self.peak_mb, self.took.as_secs_f32());
        self.complaints.iter().for_each(|complaint| say!("    {complaint}"));
    }
}

fn session(binary: &Path, seed: u64, numbers: std::ops::Range<u64>, progress: Option<&PathBuf>) -> Result<FuzzOutcome> {
    // no request limit: it is not what is tested
    let variables = [("CARIMBO_LIMITES_REQUISICOES", "0")];
    let mut lab = Lab::start("fuzz", binary, &LabOptions { variables: &variables, ..LabOptions::default() })?;
    let operations = description::read(&mut lab.client()?)?;
    let (mut pool, mut outcome, mut client) = (KnownValues::new(&lab)?, FuzzOutcome::default(), None);
    let began = Instant::now();
    for number in numbers {
        let request = random_request::request(seed, number, &operations, &mut pool);
        match send(&lab, &mut client, &request) {
            Ok(answer) => check_answer(&lab, number, &request, &answer, &mut pool, &mut outcome)?,
            Err(error) => {
                client = None;
                if !lab.service.runs()? {
                    save_finding(&lab, number, &request, "the service ended")?;
                    bail!("request {number} ended the service ({error:#})");
                }
                if !error.is::<std::io::Error>() && format!("{error}") != CLOSED {
                    save_finding(&lab, number, &request, &format!("{error:#}"))?;
                    outcome.complaints.push(format!("request {number}: {error:#}"));
                }
            }
        }
        if number % EVERY == EVERY - 1 {
            outcome.peak_mb = outcome.peak_mb.max(lab.service.peak_mb()?);
            if let Some(progress) = progress {
                fs::write(progress, (number + 1).to_string())?;
                println!(
                    "    {:>9} requests, {} MB, {:.0} s",
                    number + 1,
                    lab.service.peak_mb()?,
                    began.elapsed().as_secs_f32()
                );
            }
        }
        if outcome.complaints.len() >= MOST_COMPLAINTS {
            break;
        }
    }
    outcome.peak_mb = outcome.peak_mb.max(lab.service.peak_mb()?);
    outcome.took = began.elapsed();
    conclude(&lab, &mut outcome)?;
    Ok(outcome)
}

/// Adds the complaints that need the whole run: memory, panics, too few good answers.
fn conclude(lab: &Lab, outcome: &mut FuzzOutcome) -> Result<()> {
    if outcome.peak_mb > MEMORY_MB {
        outcome.complaints.push(format!("{} MB of memory, the bound is {MEMORY_MB}", outcome.peak_mb));
    }
    let panics = lab.log()?.lines().filter(|line| line.contains("panicked")).count();
    if panics > 0 {
        outcome.complaints.push(format!("{panics} lines of panic in {}/servico.log", lab.folder.display()));
    }
    let answers: u64 = outcome.answers.values().sum();
    let good: u64 = outcome.answers.range(200..300).map(|(_, count)| count).sum();
    // requests that are all refused early test nothing
    if good * 20 < answers {
        outcome.complaints.push(format!("only {good} of {answers} requests were good ones"));
    }
    Ok(())
}

/// Sends on the persistent connection, which is reopened after the service closed it.
fn send(lab: &Lab, client: &mut Option<LabClient>, request: &FuzzRequest) -> Result<LabAnswer> {
    let mut kept = match client.take() {
        Some(kept) => kept,
        None => lab.client()?,
    };
    let answer = kept.raw(request.head(&lab.api).as_bytes(), &request.body)?;
    if answer.header("connection") != Some("close") {
        *client = Some(kept);
    }
    Ok(answer)
}

fn check_answer(
    lab: &Lab,
    number: u64,
    request: &FuzzRequest,
    answer: &LabAnswer,
    pool: &mut KnownValues,
    outcome: &mut FuzzOutcome,
) -> Result<()> {
    *outcome.answers.entry(answer.status).or_default() += 1;
    pool.add_from_answer(answer);
    // a lookup whose external source is unreachable answers 503 with Retry-After
    let may_wait = answer.status == 503 && answer.header("retry-after").is_some();
    // an answer to HEAD has no body with the code
    let tells_so = request.method == "HEAD" || answer.body.windows(UNCONFIGURED.len()).any(|it| it == UNCONFIGURED);
    let is_unconfigured = answer.status == 501 && tells_so;
    let is_failure = answer.status >= 500 && !may_wait && !is_unconfigured;
    if is_failure || answer.body.len() > MOST_BYTES {
        let told = format!(
            "request {number}: {} {} answered {} with {} bytes",
            request.method,
            request.target,
            answer.status,
            answer.body.len()
        );
        save_finding(lab, number, request, &answer.text())?;
        outcome.complaints.push(told);
    }
    Ok(())
}

/// Writes the request and its answer to a file.
fn save_finding(lab: &Lab, number: u64, request: &FuzzRequest, answer: &str) -> Result<()> {
    let folder = lab.folder.join("achados");
    fs::create_dir_all(&folder)?;
    let text = [request.head(&lab.api).as_bytes(), &request.body, b"\n\n---\n", answer.as_bytes()].concat();
    fs::write(folder.join(format!("{number}.http")), text).map_err(Into::into)
}

const EVERY: u64 = 1_000;
const MEMORY_MB: u64 = 300;
const MOST_COMPLAINTS: usize = 20;
/// Largest allowed answer.
const MOST_BYTES: usize = 4 << 20;
/// Code of a lookup for which an installation has no source.
const UNCONFIGURED: &[u8] = b"consulta_nao_configurada";
