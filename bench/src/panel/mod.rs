//! `bench panel`: pages of the panel over HTTP, in a session, on an account with nearly all of a million documents,
//! SQLite and PostgreSQL.

mod pages;
mod rows;

use crate::client::BenchClient;
use crate::deployment::{BenchAccount, Deployment, create_account};
use crate::measure::{Samples, ms};
use crate::processes::release_binary;
use crate::reports::data::{JobGenerator, TENANTS};
use crate::reports::{self, AccountIds, ExpectedCounts, serve};
use anyhow::{Context, Result, ensure};
use pages::{LIST_BOUND_MS, MeasuredPage, pages};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// Measures `panel [DOCUMENTS [CALLS]]`. `BENCH_FOLDER` names a folder whose SQLite file is kept, and measured again.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let documents: u64 = args.first().map_or(Ok(1_000_000), |count| count.parse())?;
    let calls: usize = args.get(1).map_or(Ok(40), |count| count.parse())?;
    let binary = release_binary()?;
    let kept = std::env::var_os("BENCH_FOLDER").map(PathBuf::from);
    let folder = kept
        .clone()
        .unwrap_or_else(|| std::env::temp_dir().join(format!("carimbo-panel-{}", std::process::id())));
    for (name, url) in crate::service::databases(&folder) {
        let place = Deployment { binary: &binary, folder: folder.join(name), url };
        database(&place, name, documents, calls)?;
        if kept.is_none() {
            std::fs::remove_dir_all(&folder)?;
        }
    }
    Ok(())
}

fn database(place: &Deployment<'_>, name: &str, documents: u64, calls: usize) -> Result<()> {
    std::fs::create_dir_all(&place.folder)?;
    let file = place.url.strip_prefix("sqlite:").map(PathBuf::from);
    let (mut now, began) = (SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs(), Instant::now());
    let mut counts = ExpectedCounts::default();
    let account = match read_account(place) {
        Some((account, filled_at)) => {
            // a generator of the same instant has the same jobs
            now = filled_at;
            JobGenerator::of_one_account(documents, now).for_each(|job| counts.add(&job));
            account
        }
        None => {
            let account = fill(place, file.as_deref(), JobGenerator::of_one_account(documents, now), &mut counts)?;
            let BenchAccount { key, email, password } = &account;
            std::fs::write(place.folder.join(ACCOUNT), format!("{key}\n{email}\n{password}\n{now}\n"))?;
            account
        }
    };
    println!("{name}: {documents} documents, in {:.0} s\n", began.elapsed().as_secs_f64());
    let (_service, base) = serve(place, "warn", None)?;
    let (mut client, cookie) = log_in(&base, &account)?;
    println!("| {name} | median | 99 % | of the bound | bytes |\n|---|---|---|---|---|");
    for page in pages(&counts, now)? {
        measure(&mut client, &cookie, &page, calls)?;
    }
    println!();
    Ok(())
}

/// Creates the account and writes all rows.
fn fill(
    place: &Deployment<'_>,
    file: Option<&Path>,
    generator: JobGenerator,
    counts: &mut ExpectedCounts,
) -> Result<BenchAccount> {
    let account = create_account(place, "Grande")?;
    let mut tenants: Vec<Uuid> = (0..TENANTS).map(|_| Uuid::now_v7()).collect();
    tenants[0] = match file {
        Some(path) => reports::tenant(path, "Grande")?,
        None => reports::postgres::tenant(&place.url, "Grande")?,
    };
    let ids = AccountIds::new(tenants, &generator);
    match file {
        Some(path) => reports::sqlite::insert_rows(path, generator, &ids, counts)?,
        None => reports::postgres::copy_rows(&place.url, generator, &ids, counts)?,
    }
    rows::add(file, &place.url)?;
    Ok(account)
}

/// File beside a kept database.
const ACCOUNT: &str = "account.txt";

/// Account of a kept database, and the instant at which it was filled.
fn read_account(place: &Deployment<'_>) -> Option<(BenchAccount, u64)> {
    let text = std::fs::read_to_string(place.folder.join(ACCOUNT)).ok()?;
    let mut lines = text.lines().map(str::to_owned);
    let account = BenchAccount { key: lines.next()?, email: lines.next()?, password: lines.next()? };
    Some((account, lines.next()?.parse().ok()?))
}

/// Opens a session; returns a client and its cookie.
fn log_in(base: &str, account: &BenchAccount) -> Result<(BenchClient, String)> {
    let mut client = BenchClient::connect(base, "")?;
    let shown = client.send("GET", "/painel/entrar", "")?;
    let page = String::from_utf8_lossy(&shown.body).into_owned();
    let (_, rest) = page.split_once("type=\"hidden\" name=\"").context("no proof in the form")?;
    let (name, rest) = rest.split_once("\" value=\"").context("no proof in the form")?;
    let (proof, _) = rest.split_once('"').context("no proof in the form")?;
    let fields = format!(
        "{name}={proof}&email={}&senha={}&ambiente=homologacao",
        account.email.replace('@', "%40"),
        account.password
    );
    let entered = client.send_form("/painel/entrar", &shown.cookies.join("; "), &fields)?;
    ensure!(entered.status == 303, "the login: {}", String::from_utf8_lossy(&entered.body));
    let cookie = entered.cookies.first().context("no session")?.clone();
    Ok((client, cookie))
}

fn measure(client: &mut BenchClient, cookie: &str, page: &MeasuredPage, calls: usize) -> Result<()> {
    let (mut samples, mut bytes) = (Samples::default(), 0);
    let head = format!("Cookie: {cookie}\r\n");
    for path in page.paths.iter().cycle().take(calls) {
        let answer = samples.clock(|| client.send_with("GET", path, &head, ""))?;
        let is_page = matches!(answer.status, 200 | 303) && !answer.cookies.iter().any(|one| one.contains("entrada"));
        ensure!(is_page, "{path}: {} {}", answer.status, String::from_utf8_lossy(&answer.body));
        bytes = bytes.max(answer.body.len());
    }
    let bound = page.bound_ms.unwrap_or(LIST_BOUND_MS);
    println!(
        "| {} | {} | {} | {:.3} | {bytes} |",
        page.name,
        ms(samples.median()),
        ms(samples.percentile(99)),
        samples.median().as_secs_f64() * 1e3 / f64::from(bound)
    );
    Ok(())
}
