//! `bench mcp`: cost of the MCP protocol on top of a route. Compares a lookup by REST with its MCP tool, on one
//! process, under load.
//!
//! The variants alternate in blocks, so that other load on the machine disturbs all of them alike. Within a block every
//! connection uses the same variant, so that no cheap call waits for an expensive one.

use crate::client::Client;
use crate::measure::{Samples, ms, per_second, ratio};
use crate::place::{self, Place};
use crate::processes::{self, Process};
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
struct Way {
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
    let binary = processes::carimbo()?;
    let folder = std::env::temp_dir().join(format!("carimbo-bench-mcp-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let url = format!("sqlite:{}", folder.join("bench.db").display());
    let measured = measure(&Place { binary: &binary, folder: folder.clone(), url }, calls);
    std::fs::remove_dir_all(&folder)?;
    measured
}

fn measure(place: &Place<'_>, calls: usize) -> Result<()> {
    let key = place::account(place, "Agentes")?;
    let mut command = place.command(&["serve", "--papel", "api"]);
    // no request limit: a call is measured, not its admission
    let mut process = Process::start(command.env("CARIMBO_LIMITES_REQUISICOES", "0"))?;
    let base = process.says("escutando em")?;
    let mut ways = [route(), tool("2026-07-28"), tool("2025-11-25")];
    for way in &ways {
        the_same(&base, &key, way)?;
    }
    // block 0 is a warm-up
    for block in 0..=BLOCKS {
        for way in &mut ways {
            let (times, took) = block_of(&base, &key, way, calls.div_ceil(BLOCKS * CONNECTIONS))?;
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

fn route() -> Way {
    let path = format!("/v1/ncm/{CODE}/validar");
    way("GET /v1/ncm/…/validar", "GET", path, String::new(), String::new())
}

fn tool(revision: &'static str) -> Way {
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
    way(name, "POST", "/mcp".to_owned(), head, body)
}

fn way(name: &'static str, method: &'static str, path: String, head: String, body: String) -> Way {
    Way { name, method, path, head, body, times: Samples::default(), took: Duration::ZERO }
}

/// Checks that the variant returns the expected answer.
fn the_same(base: &str, key: &str, way: &Way) -> Result<()> {
    let answer = Client::connect(base, key)?.send_with(way.method, &way.path, &way.head, &way.body)?.json(200)?;
    let told = if way.method == "GET" { &answer } else { &answer["result"]["structuredContent"] };
    ensure!(told["valido"] == Value::Bool(true), "{}: {answer}", way.name);
    Ok(())
}

/// Makes this many calls on each connection concurrently; returns their times and the time of the block.
fn block_of(base: &str, key: &str, way: &Way, calls: usize) -> Result<(Vec<Duration>, Duration)> {
    let began = Instant::now();
    let times: Result<Vec<Vec<Duration>>> = std::thread::scope(|scope| {
        let callers: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(|| called(base, key, way, calls))).collect();
        callers.into_iter().map(|caller| caller.join().ok().context("a caller panicked")?).collect()
    });
    Ok((times?.concat(), began.elapsed()))
}

fn called(base: &str, key: &str, way: &Way, calls: usize) -> Result<Vec<Duration>> {
    let mut client = Client::connect(base, key)?;
    let mut times = Vec::with_capacity(calls);
    for _ in 0..calls {
        let began = Instant::now();
        let answer = client.send_with(way.method, &way.path, &way.head, &way.body)?;
        times.push(began.elapsed());
        ensure!(answer.status == 200, "{}: HTTP {}", way.name, answer.status);
    }
    Ok(times)
}
