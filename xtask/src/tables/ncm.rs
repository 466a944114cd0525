//! The NCM: the leaves from the npm package; the levels above them, dates and acts from the official JSON of Siscomex.
//!
//! No registry package has the levels, the dates or the acts (searched on npm and PyPI, 2026-11-21). So the table is
//! written from the official file, given by `--ncm` (its address: portalunico.siscomex.gov.br/classif,
//! "nomenclatura/download/json"). Every run, `--check` too, compares its leaves with the package's, code by code and
//! text by text.

use super::{PACKAGE, VERSION, member, packed};
use crate::shell;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const TARGET: &str = "crates/fiscal/src/ncm/table.bin";
/// The members of a row, in the order of the table's columns after the code.
const MEMBERS: [&str; 6] = ["Data_Inicio", "Data_Fim", "Tipo_Ato_Ini", "Numero_Ato_Ini", "Ano_Ato_Ini", "Descricao"];

/// Writes the table when there is an official file, and compares its leaves with the package's in any case.
pub(super) fn write(bundle: &[Vec<(String, String)>], official: Option<&Path>, check: bool) -> Result<()> {
    let target = shell::root().join(TARGET);
    if let Some(path) = official {
        let json = fs::read(path).with_context(|| path.display().to_string())?;
        packed::write_or_check_packed(&target, &table(&serde_json::from_slice(&json)?)?, check)?;
    }
    let text = packed::read_packed(&target)?;
    let ours = leaves(&text);
    let mut theirs = BTreeMap::new();
    for row in bundle {
        theirs.insert(member(row, "codigo")?, member(row, "descricao")?.trim());
    }
    let differing = theirs.iter().filter(|(code, text)| ours.get(*code) != Some(text)).count();
    ensure!(
        differing == 0 && ours.len() == theirs.len(),
        "{TARGET} and {PACKAGE} {VERSION} differ in {differing} leaves ({} and {}): give the newer official file by --ncm",
        ours.len(),
        theirs.len()
    );
    Ok(())
}

/// Returns the table in the format of `fiscal::ncm::Table::read`.
fn table(json: &Value) -> Result<String> {
    let text = |value: &Value, name: &str| -> Result<String> {
        let text = value[name].as_str().with_context(|| format!("no {name} in {value}"))?;
        Ok(text.replace(['\t', '\n', '\r'], " ").trim().to_owned())
    };
    let mut lines = format!("{}\t{}\n", text(json, "Data_Ultima_Atualizacao_NCM")?, text(json, "Ato")?);
    for row in json["Nomenclaturas"].as_array().context("no Nomenclaturas")? {
        let _ = write!(lines, "{}", text(row, "Codigo")?.replace('.', ""));
        for name in MEMBERS {
            let _ = write!(lines, "\t{}", text(row, name)?);
        }
        lines.push('\n');
    }
    Ok(lines)
}

/// Returns the codes of eight digits with their texts.
fn leaves(table: &str) -> BTreeMap<&str, &str> {
    let rows = table.lines().skip(1).filter_map(|line| Some((line.split('\t').next()?, line.rsplit('\t').next()?)));
    rows.filter(|(code, _)| code.len() == 8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_the_official_file_is_a_line_and_only_eight_digits_are_a_leaf() {
        let row = |code: &str| {
            serde_json::json!({ "Codigo": code, "Descricao": " - Cavalos:\n", "Data_Inicio": "01/04/2022", "Data_Fim": "31/12/9999",
                "Tipo_Ato_Ini": "Res Camex", "Numero_Ato_Ini": "272", "Ano_Ato_Ini": "2021" })
        };
        let json = serde_json::json!({ "Data_Ultima_Atualizacao_NCM": "Vigente em 13/08/2026", "Ato": "Res",
            "Nomenclaturas": [row("0101.2"), row("0101.21.00")] });
        let text = table(&json).unwrap();
        let line = "01012\t01/04/2022\t31/12/9999\tRes Camex\t272\t2021\t- Cavalos:";
        assert_eq!(text.lines().nth(1), Some(line));
        assert_eq!(leaves(&text).into_iter().collect::<Vec<_>>(), [("01012100", "- Cavalos:")]);
    }
}
