//! `cargo xtask attack [NAME…]`: hostile callers against a service on loopback, bounded in count and time. `/health`
//! must answer, memory must stay bounded, nothing may panic.
//!
//! An attack is a function and a row of the list. It reports faults of the answers; this module checks the rest. The
//! release binary is attacked, with the 1,024 open files of a usual system.

mod authentication;
mod bodies;
mod connections;
mod files;
mod health_monitor;
mod labels;
mod login;

use crate::lab::{self, Lab, LabOptions};
use anyhow::{Result, bail};
use health_monitor::{HealthMonitor, HealthSamples};
use std::time::{Duration, Instant};

/// An attack.
struct AttackCase {
    name: &'static str,
    does: &'static str,
    /// Returns the faults of the answers.
    run: fn(&Lab) -> Result<Vec<String>>,
}

const ATTACKS: &[AttackCase] = &[
    AttackCase { name: "pfx", does: "certificate files that ask for 2^31 iterations", run: files::certificates },
    AttackCase { name: "logo", does: "pictures of gigabytes in a few bytes", run: files::logos },
    AttackCase { name: "nomes", does: "8 MB of made-up field names", run: bodies::names },
    AttackCase { name: "itens", does: "300 KB of empty items, and items without end", run: bodies::items },
    AttackCase { name: "numeros", does: "values at the limits of decimals and beyond", run: bodies::numbers },
    AttackCase { name: "json", does: "depth, members, long texts, cut bodies", run: bodies::shapes },
    AttackCase { name: "login-corpo", does: "8 MB of JSON at login", run: login::bodies },
    AttackCase { name: "login-rajada", does: "12 and 40 guesses at once, one of them right", run: login::bursts },
    AttackCase { name: "login-fila", does: "strangers log in while a user does", run: login::queue },
    AttackCase {
        name: "login-espalhado",
        does: "600 guesses over e-mails and addresses",
        run: authentication::spread_guesses,
    },
    AttackCase { name: "preparacoes", does: "200 preparations by one key", run: authentication::preparations },
    AttackCase { name: "chaves", does: "keys made and revoked in a loop", run: authentication::keys },
    AttackCase { name: "mcp-nomes", does: "names that are not the server's at /mcp", run: authentication::names },
    AttackCase { name: "metodos", does: "thousands of made-up methods and paths", run: labels::methods },
    AttackCase { name: "incompletos", does: "150 bodies that never end", run: connections::never_finish },
    AttackCase { name: "surdos", does: "1,020 clients that never read", run: connections::never_read },
    AttackCase {
        name: "mudos",
        does: "clients that never say anything, or a byte a second",
        run: connections::never_send_requests,
    },
    AttackCase { name: "muitos", does: "the same from 250 addresses", run: connections::many_addresses },
];

/// Returns the names of all attacks, for the help.
pub(crate) fn names() -> Vec<&'static str> {
    ATTACKS.iter().map(|attack| attack.name).collect()
}

/// Runs these attacks, or all, each on a service of its own.
pub(crate) fn run(args: &[String]) -> Result<()> {
    if let Some(unknown) = args.iter().find(|arg| !names().contains(&arg.as_str())) {
        bail!("no attack `{unknown}`; there are {}", names().join(", "));
    }
    let binary = lab::release()?;
    println!(
        "{:<14} {:>8} {:>12} {:>12} {:>10} {:>8}",
        "attack", "took s", "/health max", "/health 99%", "peak MB", ""
    );
    let mut failed = 0;
    for attack in ATTACKS.iter().filter(|attack| args.is_empty() || args.iter().any(|arg| arg == attack.name)) {
        let mut lab = Lab::start(
            &format!("attack-{}", attack.name),
            &binary,
            &LabOptions { open_files: Some(OPEN_FILES), ..LabOptions::default() },
        )?;
        let complaints = run_attack(attack, &mut lab)?;
        failed += usize::from(!complaints.is_empty());
        complaints.iter().for_each(|complaint| println!("    {complaint}"));
    }
    if failed > 0 {
        bail!("{failed} attacks did harm");
    }
    Ok(())
}

/// Runs the attack, prints its row, and returns all complaints.
fn run_attack(attack: &AttackCase, lab: &mut Lab) -> Result<Vec<String>> {
    lab.service.reset_peak()?;
    let watch = HealthMonitor::start(&lab.api);
    let began = Instant::now();
    let mut complaints = (attack.run)(lab).unwrap_or_else(|error| vec![format!("{error:#}")]);
    let took = began.elapsed();
    let health = watch.stop();
    complaints.extend(process_harm(&health, lab)?);
    let (most, percentile) = (millis(health.longest()), millis(health.percentile(99)));
    let verdict = if complaints.is_empty() { "ok" } else { "HARM" };
    let peak = lab.service.peak_mb().map_or_else(|_| "-".to_owned(), |peak| peak.to_string());
    println!(
        "{:<14} {:>8.1} {most:>12} {percentile:>12} {peak:>10} {verdict:>8}  {}",
        attack.name,
        took.as_secs_f32(),
        attack.does
    );
    Ok(complaints)
}

/// Returns the harm to the process: missing or slow health answers, memory, panics.
fn process_harm(health: &HealthSamples, lab: &mut Lab) -> Result<Vec<String>> {
    if !lab.service.runs()? {
        return Ok(vec!["the service ended".to_owned()]);
    }
    let mut found = Vec::new();
    if health.failed > 0 {
        found.push(format!("/health did not answer {} of {} times", health.failed, health.answered() + health.failed));
    }
    if health.longest() > HEALTH {
        found.push(format!("/health took {}", millis(health.longest())));
    }
    let peak = lab.service.peak_mb()?;
    if peak > MEMORY_MB {
        found.push(format!("{peak} MB of memory, the bound is {MEMORY_MB}"));
    }
    let log = lab.log()?;
    let panics = log.lines().filter(|line| line.contains("panicked")).count();
    if panics > 0 {
        found.push(format!("{panics} lines of panic in {}/servico.log", lab.folder.display()));
    }
    Ok(found)
}

fn millis(time: Duration) -> String {
    format!("{}.{} ms", time.as_millis(), time.subsec_micros() / 100 % 10)
}

const HEALTH: Duration = Duration::from_millis(200);
const MEMORY_MB: u64 = 300;
const OPEN_FILES: u32 = 1024;
