//! Callers' texts that become labels: a series of metrics lives as long as the process.

use crate::lab::Lab;
use crate::lab::client::LabClient;
use anyhow::Result;

/// Sends unknown methods and paths; compares the page of metrics before and after.
pub(super) fn methods(lab: &Lab) -> Result<Vec<String>> {
    let page =
        || Ok::<usize, anyhow::Error>(LabClient::connect(&lab.metrics, "")?.send("GET", "/metrics", b"")?.body.len());
    let before = page()?;
    let mut client = lab.client()?;
    for number in 0..MANY {
        let path = if number % 2 == 0 { "/v1/notas".to_owned() } else { format!("/nada/{number}") };
        let answer = client.send(&format!("METODO{number}"), &path, b"")?;
        if answer.status >= 500 {
            return Ok(vec![format!("METODO{number} {path}: answered {}", answer.status)]);
        }
        if answer.header("connection") == Some("close") {
            client = lab.client()?;
        }
    }
    let grown = page()?.saturating_sub(before);
    Ok(if grown > MOST_BYTES { vec![format!("the page of metrics grew by {grown} bytes")] } else { Vec::new() })
}

const MANY: usize = 5_000;
/// Largest allowed growth of the page: a few new series, not one for each method.
const MOST_BYTES: usize = 20_000;
