//! Coverage of the contract by the HTTP suite: the rows of the interface's endpoint tables compared with the calls that
//! the suite recorded.
//!
//! A row is covered when a test called it and the running service answered with success. Must not know: the purpose of
//! a route.

use super::count::TestCounts;
use super::records;
use crate::shell;
use crate::thread_output::say;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::fs;

const TABLE: &str = "crates/carimbo/tests/it/support/contract.txt";
/// Issue whose rows must all be covered.
const DUE: &str = "3";

/// A row of the table.
#[derive(Debug, PartialEq)]
struct ContractRow {
    method: String,
    path: String,
    issue: String,
}

/// Prints `rows covered / rows in the contract`; a due row that is not covered is a failure.
pub(super) fn step() -> Result<TestCounts> {
    let rows = rows(&fs::read_to_string(shell::root().join(TABLE)).context(TABLE)?)?;
    let calls = calls()?;
    ensure!(!calls.is_empty(), "nothing was recorded: run the steps `tests` or `http-postgres` first");
    let covered = |row: &&ContractRow| {
        calls.iter().any(|(method, path)| *method == row.method && matches(&row.path, path, &rows))
    };
    let (done, open): (Vec<&ContractRow>, Vec<&ContractRow>) = rows.iter().partition(covered);
    let mut waiting: BTreeMap<&str, Vec<&ContractRow>> = BTreeMap::new();
    open.iter().for_each(|row| waiting.entry(&row.issue).or_default().push(row));
    say!("    contract: {} rows covered / {} rows in the contract", done.len(), rows.len());
    for (issue, rows) in &waiting {
        let state = if *issue == DUE { "NOT COVERED" } else { "open" };
        say!("    {state}, {issue}: {} rows", rows.len());
    }
    let missing = waiting.remove(DUE).unwrap_or_default();
    missing.iter().for_each(|row| say!("    not covered: {} {}", row.method, row.path));
    let (passed, failed) = (u32::try_from(done.len())?, u32::try_from(missing.len())?);
    Ok(TestCounts { passed, failed })
}

fn rows(table: &str) -> Result<Vec<ContractRow>> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.split_whitespace().map(str::to_owned);
            let (Some(method), Some(path), Some(issue)) = (words.next(), words.next(), words.next()) else {
                anyhow::bail!("{TABLE}: {line}")
            };
            Ok(ContractRow { method, path, issue })
        })
        .collect()
}

/// Returns methods and paths that were answered with success.
fn calls() -> Result<Vec<(String, String)>> {
    let mut calls = Vec::new();
    for entry in fs::read_dir(records::contract_folder()).context("no recorded calls")? {
        for line in fs::read_to_string(entry?.path())?.lines() {
            let call: serde_json::Value = serde_json::from_str(line)?;
            let (method, path) = (call[0].as_str().unwrap_or_default(), call[1].as_str().unwrap_or_default());
            if call[2].as_u64().is_some_and(|status| (200..300).contains(&status)) {
                calls.push((method.to_owned(), path.to_owned()));
            }
        }
    }
    calls.sort();
    calls.dedup();
    Ok(calls)
}

/// `true` if a path is an instance of a pattern, and no row is that literal path: `/v1/empresas/certificados` is not a
/// company.
fn matches(pattern: &str, path: &str, rows: &[ContractRow]) -> bool {
    instance(pattern, path) && !rows.iter().any(|row| row.path == path && row.path != pattern)
}

fn instance(pattern: &str, path: &str) -> bool {
    let (mut parts, mut given) = (pattern.split('/'), path.split('/'));
    loop {
        match (parts.next(), given.next()) {
            (None, None) => return true,
            (Some(part), Some(value)) if part == value || (part.starts_with('{') && !value.is_empty()) => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_covers_the_most_literal_row() {
        let rows = rows("# x\n\nGET /v1/empresas/{cpf_cnpj} 3\nGET /v1/empresas/certificados 3\n").unwrap();
        assert!(matches("/v1/empresas/{cpf_cnpj}", "/v1/empresas/112", &rows));
        assert!(!matches("/v1/empresas/{cpf_cnpj}", "/v1/empresas/certificados", &rows));
        assert!(matches("/v1/empresas/certificados", "/v1/empresas/certificados", &rows));
        assert!(!instance("/v1/nfe/{id}/file/{tipo}", "/v1/nfe/1/file"));
        assert!(super::rows("GET /x").is_err());
    }
}
