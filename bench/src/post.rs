//! Orders over persistent connections. The client is cheap: it writes the note once.

use crate::client::BenchClient;
use crate::measure::Samples;
use crate::service::CNPJ;
use anyhow::Result;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Number of connections.
pub(crate) const CLIENTS: usize = 32;

/// Number of connections with heavy orders. The service refuses more of them at once and asks for a retry.
const HEAVY_CLIENTS: usize = 2;
/// Bytes of a note from which an order is heavy for the service.
const HEAVY: usize = 48 * 1024;

/// Posts this many orders of one note, each under its own reference. Returns the total time and the time of each
/// request.
pub(crate) fn post(base: &str, key: &str, prefix: &str, documents: usize, nota: &str) -> Result<(Duration, Samples)> {
    let next = AtomicUsize::new(0);
    let latency = Mutex::new(Samples::default());
    let began = Instant::now();
    std::thread::scope(|scope| {
        let at_once = if nota.len() < HEAVY { CLIENTS } else { HEAVY_CLIENTS };
        let clients: Vec<_> = (0..at_once.min(documents))
            .map(|_| {
                scope.spawn(|| -> Result<()> {
                    let mut client = BenchClient::connect(base, key)?;
                    let mut mine = Vec::new();
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= documents {
                            break;
                        }
                        let body = order(&format!("{prefix}{number}"), nota);
                        let sent = Instant::now();
                        client.send("POST", "/v1/nfe/emitir", &body)?.json(202)?;
                        mine.push(sent.elapsed());
                    }
                    let mut all = latency.lock().map_err(|_| anyhow::anyhow!("a client died"))?;
                    mine.into_iter().for_each(|time| all.push(time));
                    Ok(())
                })
            })
            .collect();
        clients.into_iter().try_for_each(|client| client.join().unwrap_or_else(|_| anyhow::bail!("a client died")))
    })?;
    let took = began.elapsed();
    Ok((took, latency.into_inner()?))
}

fn order(reference: &str, nota: &str) -> String {
    format!(r#"{{"cpf_cnpj":"{CNPJ}","referencia_externa":"{reference}","nota":{nota}}}"#)
}
