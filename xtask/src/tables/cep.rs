//! The município of each five-digit CEP prefix: one line per run of adjacent prefixes of one município.

use super::{PACKAGE, VERSION, member, number, packed};
use crate::shell;
use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;

const TARGET: &str = "crates/fiscal/src/cep/prefixes.bin";
/// Fewest rows of a complete bundle.
const LEAST: usize = 24_000;

/// Writes or compares the table.
pub(super) fn write(bundle: &[Vec<(String, String)>], check: bool) -> Result<()> {
    let mut rows = Vec::with_capacity(bundle.len());
    for row in bundle {
        let prefix: u32 = member(row, "prefixo")?.parse().context("prefixo")?;
        rows.push((prefix, number(member(row, "codigoIbge")?)?));
    }
    rows.sort_unstable();
    ensure!(rows.len() >= LEAST, "only {} prefixes of CEP", rows.len());
    let text = format!("npm {PACKAGE} {VERSION} (IBGE CNEFE 2022)\n{}", runs(&rows));
    packed::write_or_check_packed(&shell::root().join(TARGET), &text, check)
}

/// Returns `first length município` per line.
fn runs(rows: &[(u32, u32)]) -> String {
    let mut runs: Vec<(u32, u32, u32)> = Vec::new();
    for (prefix, municipio) in rows {
        match runs.last_mut() {
            Some((first, length, same)) if same == municipio && *first + *length == *prefix => *length += 1,
            _ => runs.push((*prefix, 1, *municipio)),
        }
    }
    runs.iter().fold(String::new(), |mut text, (first, length, municipio)| {
        let _ = writeln!(text, "{first} {length} {municipio}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn joins_neighbours_of_one_municipio() {
        assert_eq!(runs(&[(1, 7), (2, 7), (3, 8), (5, 8)]), "1 2 7\n3 1 8\n5 1 8\n");
    }
}
