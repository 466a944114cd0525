//! Attacks on authentication: guesses spread over e-mails and addresses, endless preparations and keys, foreign host
//! names.

use super::connections::in_parallel;
use crate::lab::client::LabClient;
use crate::lab::{EMAIL, Lab, sale};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Makes six hundred guesses, each for another e-mail, from sixty addresses. A user who logged in before keeps access.
pub(super) fn spread_guesses(lab: &Lab) -> Result<Vec<String>> {
    let home = Ipv4Addr::new(127, 60, 0, 1);
    let login = |from: Ipv4Addr, email: &str, senha: &str| {
        let body = json!({ "email": email, "senha": senha }).to_string();
        LabClient::from(&lab.api, "", from)?.send("POST", "/v1/auth/login", body.as_bytes())
    };
    let mut found = Vec::new();
    let first = login(home, EMAIL, &lab.senha)?;
    if first.status != 200 {
        found.push(format!("the user's first login: answered {}", first.status));
    }
    let looked_at = AtomicUsize::new(0);
    found.extend(in_parallel(60, |turn| {
        let from = Ipv4Addr::new(127, 61, 0, u8::try_from(turn + 1).context("an address")?);
        for guess in 0..10 {
            let answer = login(from, &format!("{turn}.{guess}@espalhado.com.br"), "adivinhacao-longa")?;
            match answer.status {
                401 => drop(looked_at.fetch_add(1, Ordering::Relaxed)),
                429 | 503 => {}
                other => return Ok(vec![format!("a guess: answered {other}")]),
            }
        }
        Ok(Vec::new())
    })?);
    let looked_at = looked_at.into_inner();
    if looked_at > MOST_GUESSES {
        found.push(format!("{looked_at} of 600 guesses were looked at, the limit is {MOST_GUESSES}"));
    }
    let again = login(home, EMAIL, &lab.senha)?;
    if again.status != 200 {
        found.push(format!("the user at a known place: answered {} {}", again.status, again.text()));
    }
    let log = lab.log()?;
    if log.matches("login failed").count() < looked_at {
        found.push("a failed login has no line in the log".to_owned());
    }
    if log.contains("espalhado.com.br") {
        found.push("an e-mail stands in the log".to_owned());
    }
    Ok(found)
}

/// Makes two hundred preparations with one key.
pub(super) fn preparations(lab: &Lab) -> Result<Vec<String>> {
    let body = sale()?.to_string();
    let kept = AtomicUsize::new(0);
    let mut found = in_parallel(8, |_| {
        let mut client = lab.client()?;
        for _ in 0..25 {
            match client.send("POST", "/v1/nfe/preparar", body.as_bytes())?.status {
                200 => drop(kept.fetch_add(1, Ordering::Relaxed)),
                429 => {}
                other => return Ok(vec![format!("a preparation: answered {other}")]),
            }
        }
        Ok(Vec::new())
    })?;
    let kept = kept.into_inner();
    if kept != MOST_OPEN {
        found.push(format!("{kept} preparations of 200 were kept, the bound is {MOST_OPEN}"));
    }
    Ok(found)
}

/// Creates and revokes keys in a loop.
pub(super) fn keys(lab: &Lab) -> Result<Vec<String>> {
    let mut client = lab.client()?;
    let mut made = 0;
    for _ in 0..250 {
        let answer = client.send("POST", "/v1/auth/api-keys", b"{}")?;
        match answer.status {
            201 => made += 1,
            422 => continue,
            other => return Ok(vec![format!("a key: answered {other}")]),
        }
        let id = answer.json()?.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        client.send("DELETE", &format!("/v1/auth/api-keys/{id}"), b"")?;
    }
    let found =
        if made > MOST_KEYS { vec![format!("{made} keys were made, the bound is {MOST_KEYS}")] } else { vec![] };
    Ok(found)
}

/// Calls the MCP server by host names that a foreign page or a neighbour would use.
pub(super) fn names(lab: &Lab) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for host in ["rebind.exemplo.com", "127.0.0.1.rebind.exemplo.com", "10.0.0.5", "192.168.0.7:8080", "[2001:db8::7]"]
    {
        let head = format!("GET /mcp HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let status = LabClient::connect(&lab.api, "")?.raw(head.as_bytes(), b"")?.status;
        if status != 403 {
            found.push(format!("Host: {host}: answered {status}"));
        }
    }
    Ok(found)
}

const MOST_GUESSES: usize = 300;
const MOST_OPEN: usize = 50;
const MOST_KEYS: usize = 100;
