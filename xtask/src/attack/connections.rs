//! Connections that are held open: clients that never read, never finish, never begin.

use crate::lab::client::{LabClient, socket};
use crate::lab::{Lab, sale};
use anyhow::{Context, Result};
use std::io::Write as _;
use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};

/// Runs `job` on `count` threads at once; returns all complaints.
pub(super) fn in_parallel(count: usize, job: impl Fn(usize) -> Result<Vec<String>> + Sync) -> Result<Vec<String>> {
    let job = &job;
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..count).map(|turn| scope.spawn(move || job(turn))).collect();
        let mut found = Vec::new();
        for thread in running {
            found.extend(thread.join().map_err(|_| anyhow::anyhow!("an attacker died"))??);
        }
        Ok(found)
    })
}

/// Clients that request large pages repeatedly and never read.
pub(super) fn never_read(lab: &Lab) -> Result<Vec<String>> {
    let request = large_pages(lab);
    let held = open_connections(lab, 1_020, |_| Ipv4Addr::LOCALHOST, request.as_bytes());
    check_honest_caller(lab, HOLD)?;
    drop(held);
    check_honest_caller(lab, Duration::from_millis(500)).map(|()| Vec::new())
}

/// Clients that announce 8 MB, send nearly all of it, and stop; with a key and without.
pub(super) fn never_finish(lab: &Lab) -> Result<Vec<String>> {
    let head = |key: &str| {
        format!(
            "POST /v1/nfe/emitir HTTP/1.1\r\nHost: {}\r\n{key}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            lab.api,
            8 << 20
        )
    };
    let sale = sale()?.to_string();
    let body = sale.repeat((8 << 20) / sale.len());
    let key = format!("X-API-Key: {}\r\n", lab.test_key);
    let mut held = Vec::new();
    for turn in 0_u8..150 {
        let from = Ipv4Addr::new(127, 30, 0, turn + 1);
        let head = head(if turn % 2 == 0 { &key } else { "" });
        let Ok(mut stream) = socket(&lab.api, from) else { continue };
        stream.set_write_timeout(Some(Duration::from_millis(300)))?;
        // the service may close a refused connection while the body is still being sent
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
        held.push(stream);
    }
    check_honest_caller(lab, HOLD)?;
    drop(held);
    Ok(Vec::new())
}

/// Clients that send nothing, half a request line, or a letter of a header now and then.
pub(super) fn never_send_requests(lab: &Lab) -> Result<Vec<String>> {
    let mut held = open_connections(lab, 400, |_| Ipv4Addr::LOCALHOST, b"");
    held.extend(open_connections(lab, 300, |_| Ipv4Addr::LOCALHOST, b"GET /docs HT"));
    held.extend(open_connections(lab, 300, |_| Ipv4Addr::LOCALHOST, b"GET /docs HTTP/1.1\r\nHost: a\r\nX-Lento: "));
    let until = Instant::now() + HOLD;
    while Instant::now() < until {
        for stream in &mut held {
            let _ = stream.write(b"a");
        }
        check_honest_caller(lab, Duration::from_millis(500))?;
    }
    Ok(Vec::new())
}

/// Few connections from each of many addresses: no limit per address applies.
pub(super) fn many_addresses(lab: &Lab) -> Result<Vec<String>> {
    let address = |turn: usize| {
        let turn = u8::try_from(turn % 250).unwrap_or(0);
        Ipv4Addr::new(127, 60, 0, turn + 1)
    };
    let request = large_pages(lab);
    let held = open_connections(lab, 1_250, address, request.as_bytes());
    check_honest_caller(lab, HOLD)?;
    drop(held);
    Ok(Vec::new())
}

/// Returns repeated requests of one large page, compressed and plain.
fn large_pages(lab: &Lab) -> String {
    let request = |header: &str| format!("GET /docs/json HTTP/1.1\r\nHost: {}\r\n{header}\r\n", lab.api);
    (request("Accept-Encoding: gzip\r\n") + &request("")).repeat(32)
}

/// Opens `count` connections and writes as much of the bytes to each as it accepts.
fn open_connections(lab: &Lab, count: usize, from: impl Fn(usize) -> Ipv4Addr, bytes: &[u8]) -> Vec<TcpStream> {
    let mut held = Vec::new();
    for turn in 0..count {
        if let Ok(mut stream) = socket(&lab.api, from(turn)) {
            let _ = stream.set_nonblocking(true);
            let _ = stream.write(bytes);
            held.push(stream);
        }
    }
    held
}

/// Checks for a time that an honest caller, from its own address, is served.
fn check_honest_caller(lab: &Lab, time: Duration) -> Result<()> {
    let until = Instant::now() + time;
    while Instant::now() < until {
        let mut client =
            LabClient::from(&lab.api, &lab.test_key, HONEST).context("an honest caller could not connect")?;
        let answer = client.send("GET", "/v1/empresas", b"").context("an honest caller was not answered")?;
        anyhow::ensure!(answer.status == 200, "an honest caller: answered {} {}", answer.status, answer.text());
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

const HONEST: Ipv4Addr = Ipv4Addr::new(127, 88, 0, 1);
const HOLD: Duration = Duration::from_secs(15);
