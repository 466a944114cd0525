//! Attacks on the login: unauthenticated bodies, concurrent guesses, strangers queued before users.

use super::connections::in_parallel;
use crate::lab::client::LabClient;
use crate::lab::{EMAIL, Lab};
use anyhow::{Context, Result};
use serde_json::json;
use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Sends 8 MB of small members, 16 times at once.
pub(super) fn bodies(lab: &Lab) -> Result<Vec<String>> {
    let body = format!("{{{}\"email\":\"a@b.c\",\"senha\":\"x\"}}", "\"a\":0,".repeat((8 << 20) / 6 - 10));
    in_parallel(16, |_| {
        let answer = LabClient::connect(&lab.api, "")?.send("POST", "/v1/auth/login", body.as_bytes());
        // a connection closed before all was read counts as a refusal
        let status = answer.map_or(413, |answer| answer.status);
        Ok(if matches!(status, 413 | 429 | 503) {
            Vec::new()
        } else {
            vec![format!("8 MB at login: answered {status}")]
        })
    })
}

/// Makes concurrent guesses: the right one must succeed, or be refused like the wrong ones.
pub(super) fn bursts(lab: &Lab) -> Result<Vec<String>> {
    let mut found = burst(lab, 12, Ipv4Addr::new(127, 12, 0, 1))?;
    found.extend(burst(lab, 40, Ipv4Addr::new(127, 40, 0, 1))?);
    Ok(found)
}

fn burst(lab: &Lab, guesses: usize, from: Ipv4Addr) -> Result<Vec<String>> {
    let (right, wrong) = (Mutex::new(BTreeSet::new()), Mutex::new(BTreeSet::new()));
    let failures = in_parallel(guesses, |turn| {
        let is_right = turn == guesses - 1;
        let senha = if is_right { lab.senha.clone() } else { format!("errada-{turn:04}-errada") };
        let body = json!({ "email": EMAIL, "senha": senha }).to_string();
        let answer = LabClient::from(&lab.api, "", from)?.send("POST", "/v1/auth/login", body.as_bytes())?;
        let heard = if is_right { &right } else { &wrong };
        heard.lock().map_err(|_| anyhow::anyhow!("a guess died"))?.insert(answer.status);
        Ok(Vec::new())
    })?;
    let (right, wrong) = (right.into_inner()?, wrong.into_inner()?);
    let told = !right.is_subset(&wrong) && !right.contains(&200);
    let mut found = failures;
    if told {
        found.push(format!("{guesses} guesses: the right one heard {right:?}, the wrong ones {wrong:?}"));
    }
    Ok(found)
}

/// Strangers at 40 addresses try e-mails without an account while a user logs in.
pub(super) fn queue(lab: &Lab) -> Result<Vec<String>> {
    let slowest = Mutex::new(Duration::ZERO);
    // the user has logged in from this address; a new one would be subject to the limit of all guesses
    let body = json!({ "email": EMAIL, "senha": lab.senha }).to_string();
    LabClient::from(&lab.api, "", Ipv4Addr::new(127, 51, 0, 1))?.send("POST", "/v1/auth/login", body.as_bytes())?;
    let mut found = in_parallel(41, |turn| {
        let octet = u8::try_from(turn + 1).context("an address")?;
        if turn < 40 {
            for guess in 0..25 {
                let body =
                    json!({ "email": format!("{guess}@estranho{turn}.com"), "senha": "adivinhacao-longa" }).to_string();
                LabClient::from(&lab.api, "", Ipv4Addr::new(127, 50, 0, octet))?.send(
                    "POST",
                    "/v1/auth/login",
                    body.as_bytes(),
                )?;
            }
            return Ok(Vec::new());
        }
        for _ in 0..5 {
            let began = Instant::now();
            let body = json!({ "email": EMAIL, "senha": lab.senha }).to_string();
            let answer = LabClient::from(&lab.api, "", Ipv4Addr::new(127, 51, 0, 1))?.send(
                "POST",
                "/v1/auth/login",
                body.as_bytes(),
            )?;
            if answer.status != 200 {
                return Ok(vec![format!("the user's own login: answered {} {}", answer.status, answer.text())]);
            }
            let mut slowest = slowest.lock().map_err(|_| anyhow::anyhow!("a login died"))?;
            *slowest = (*slowest).max(began.elapsed());
        }
        Ok(Vec::new())
    })?;
    let slowest = slowest.into_inner()?;
    if slowest > PATIENCE {
        found.push(format!("the user's own login took {:.1} s", slowest.as_secs_f32()));
    }
    Ok(found)
}

/// Longest acceptable login of the user.
const PATIENCE: Duration = Duration::from_secs(2);
