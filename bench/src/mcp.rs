//! `bench mcp`: cost of the MCP protocol on top of a route. Compares a lookup by REST with its MCP tool, on one
//! process, under load.
//!
//! The variants alternate in blocks, so that other load on the machine disturbs all of them alike. Within a block every
//! connection uses the same variant, so that no cheap call waits for an expensive one.

use crate::client::BenchClient;
use crate::measure::{Samples, ms, per_second, ratio};
use crate::deployment::{self, Deployment};
use crate::processes::{self, BenchProcess};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Calls of each variant.
const CALLS: usize = 20_000;
const BLOCKS: usize = 20;
const CONNECTIONS: usize = 8;
/// A code of the built-in NCM table.
const CODE: &str = "48202000";

/// A variant of the call, with its times.
struct CallVariant {
    name: &'static str,
    method: &'static str,
    path: String,
    head: String,
    body: String,
    times: Samples,
    took: Duration,
}

/// Measures `mcp [CALLS]`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let calls = args.first().map_or(Ok(CALLS), |text| text.parse())?;
    let binary = processes::release_binary()?;
    let folder = std::env::temp_dir().join(format!("carimbo-bench-mcp-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let url = format!("sqlite:{}", folder.join("bench.db").display());
    let measured = measure(&Deployment { binary: &binary, folder: folder.clone(), url }, calls);
    std::fs::remove_dir_all(&folder)?;
    measured
}

fn measure(place: &Deployment<'_>, calls: usize) -> Result<()> {
    let key = deployment::create_account_key(place, "Agentes")?;
    let mut command = place.command(&["serve", "--papel", "api"]);
    // no request limit: a call is measured, not its admission
    let mut process = BenchProcess::start(command.env("CARIMBO_LIMITES_REQUISICOES", "0"))?;
    let base = process.wait_for_line("escutando em")?;
    let mut ways = [route(), tool("2026-07-28"), tool("2025-11-25")];
    for way in &ways {
        check_variant(&base, &key, way)?;
    }
    // block 0 is a warm-up
    for block in 0..=BLOCKS {
        for way in &mut ways {
            let (times, took) = measure_block(&base, &key, way, calls.div_ceil(BLOCKS * CONNECTIONS))?;
            if block > 0 {
                times.into_iter().for_each(|time| way.times.push(time));
                way.took += took;
            }
        }
    }
    println!("{calls} calls of each way, {CONNECTIONS} connections\n");
    let yardstick = ways[0].times.median();
    for way in &ways {
        let (median, late) = (way.times.median(), way.times.percentile(99));
        println!(
            "{:<24} p50 {:>8}  p99 {:>8}  {:>7.0}/s  {:.2} of the route",
            way.name,
            ms(median),
            ms(late),
            per_second(calls, way.took),
            ratio(median, yardstick)
        );
    }
    Ok(())
}

fn route() -> CallVariant {
    let path = format!("/v1/ncm/{CODE}/validar");
    call_variant("GET /v1/ncm/…/validar", "GET", path, String::new(), String::new())
}

fn tool(revision: &'static str) -> CallVariant {
    let mut params = json!({ "name": "validar_ncm", "arguments": { "codigo": CODE } });
    let mut head = format!("Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {revision}\r\n");
    let mut name = "MCP 2025-11-25";
    if revision == "2026-07-28" {
        name = "MCP 2026-07-28";
        head.push_str("Mcp-Method: tools/call\r\nMcp-Name: validar_ncm\r\n");
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": revision,
            "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    call_variant(name, "POST", "/mcp".to_owned(), head, body)
}

fn call_variant(name: &'static str, method: &'static str, path: String, head: String, body: String) -> CallVariant {
    CallVariant { name, method, path, head, body, times: Samples::default(), took: Duration::ZERO }
}

/// Checks that the variant returns the expected answer.
fn check_variant(base: &str, key: &str, way: &CallVariant) -> Result<()> {
    let answer = BenchClient::connect(base, key)?.send_with(way.method, &way.path, &way.head, &way.body)?.json(200)?;
    let told = if way.method == "GET" { &answer } else { &answer["result"]["structuredContent"] };
    ensure!(told["valido"] == Value::Bool(true), "{}: {answer}", way.name);
    Ok(())
}

/// Makes this many calls on each connection concurrently; returns their times and the time of the block.
fn measure_block(base: &str, key: &str, way: &CallVariant, calls: usize) -> Result<(Vec<Duration>, Duration)> {
    let began = Instant::now();
    let times: Result<Vec<Vec<Duration>>> = std::thread::scope(|scope| {
        let callers: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(|| time_calls(base, key, way, calls))).collect();
        callers.into_iter().map(|caller| caller.join().ok().context("a caller panicked")?).collect()
    });
    Ok((times?.concat(), began.elapsed()))
}

fn time_calls(base: &str, key: &str, way: &CallVariant, calls: usize) -> Result<Vec<Duration>> {
    let mut client = BenchClient::connect(base, key)?;
    let mut times = Vec::with_capacity(calls);
    for _ in 0..calls {
        let began = Instant::now();
        let answer = client.send_with(way.method, &way.path, &way.head, &way.body)?;
        times.push(began.elapsed());
        ensure!(answer.status == 200, "{}: HTTP {}", way.name, answer.status);
    }
    Ok(times)
}
