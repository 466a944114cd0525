//! `cargo xtask tables`: published reference tables, compiled into the crates that read them.
//!
//! The IBGE table of municípios, the prefixes of CEP, the leaves of the NCM, CEST and countries come from the npm
//! package `@br-validators/core` (MIT), which captures the sites of IBGE and Siscomex. The version is pinned here and
//! written into the generated files, so that a new capture is one changed line. CST and cClassTrib come from PyPI
//! (`ibscbs`). For data that no package has, see `ncm`.

mod cep;
mod cest;
mod ibscbs;
mod ncm;
mod packed;
mod pais;

use anyhow::{Context, Result, bail, ensure};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

const PACKAGE: &str = "@br-validators/core";
const VERSION: &str = "1.10.0-data.45";
const ROWS: usize = 5571;
/// Beginning of the array in the bundle; a shorter list of another office has the name too.
const ARRAY: &str = "var municipios_default = [";

/// Downloads the package and rewrites every generated table; with `--check` only compares.
/// `--ncm ARQUIVO`: the official Siscomex JSON, for the levels, dates and acts of the NCM.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let check = args.iter().any(|arg| arg == "--check");
    let official = args.iter().position(|arg| arg == "--ncm").and_then(|at| args.get(at + 1)).map(Path::new);
    let folder = env::temp_dir().join(format!("carimbo-tables-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let outcome = download(&folder)
        .and_then(|()| write_all(&folder.join("package/dist"), official, check))
        .and_then(|()| ibscbs::write(&folder, check));
    fs::remove_dir_all(&folder)?;
    outcome
}

fn write_all(dist: &Path, official: Option<&Path>, check: bool) -> Result<()> {
    let rows = municipios(dist)?;
    let table = crate::shell::root().join("crates/fiscal/src/value/municipio/table.rs");
    packed::write_or_check(&table, module(&rows).as_bytes(), check)?;
    cep::write(&bundle_with(dist, "var faixas_default = [")?, check)?;
    ncm::write(&bundle_with(dist, "var ncm_default = [")?, official, check)?;
    cest::write(&bundle_with(dist, "var cest_default = [")?, check)?;
    pais::write(&bundle_with(dist, "var paises_default = [")?, check)?;
    println!("tables: {} municípios, CEP prefixes, NCM, CEST and countries agree with {PACKAGE} {VERSION}", rows.len());
    Ok(())
}

/// Returns the rows of an array of the bundles: each row its `name: value` lines, unescaped.
fn bundle_with(dist: &Path, opening: &str) -> Result<Vec<Vec<(String, String)>>> {
    for entry in fs::read_dir(dist)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "js")
            && let Some((_, array)) = fs::read_to_string(&path)?.split_once(opening)
        {
            return objects(array.split_once("\n];").map_or(array, |(rows, _)| rows));
        }
    }
    bail!("{PACKAGE} {VERSION} has no `{opening}`")
}

fn objects(array: &str) -> Result<Vec<Vec<(String, String)>>> {
    let mut objects = Vec::new();
    let mut members = Vec::new();
    for line in array.lines().map(|line| line.trim().trim_end_matches(',')) {
        if let Some((name, value)) = line.split_once(": ") {
            let quoted = |quote| value.strip_prefix(quote).and_then(|value: &str| value.strip_suffix(quote));
            let plain = quoted('"').or_else(|| quoted('\'')).unwrap_or(value);
            members.push((name.to_owned(), unescape(plain)?));
        } else if let Some((_, array)) = members.last_mut().filter(|_| line.starts_with('"')) {
            array.push_str(line);
        } else if line == "}" {
            objects.push(std::mem::take(&mut members));
        }
    }
    Ok(objects)
}

fn member<'r>(row: &'r [(String, String)], name: &str) -> Result<&'r str> {
    let found = row.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_str()).with_context(|| format!("a row without `{name}`"))
}

fn download(folder: &Path) -> Result<()> {
    let package = format!("{PACKAGE}@{VERSION}");
    shell(Command::new("npm").args(["pack", "--silent", &package]).current_dir(folder))?;
    let archive = fs::read_dir(folder)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "tgz"))
        .context("npm pack left no archive")?;
    shell(Command::new("tar").arg("xzf").arg(archive).current_dir(folder))
}

fn shell(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{command:?} could not start"))?;
    ensure!(status.success(), "{command:?} ended with {status}");
    Ok(())
}

/// Finds the bundle that holds the table and reads its rows, sorted by code.
fn municipios(dist: &Path) -> Result<Vec<(u32, String)>> {
    for entry in fs::read_dir(dist)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "js") {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let Some((_, array)) = text.split_once(ARRAY) else { continue };
        let mut rows = rows(array.split_once("];").map_or(array, |(rows, _)| rows))?;
        rows.sort();
        if rows.len() == ROWS {
            return Ok(rows);
        }
    }
    bail!("{PACKAGE} {VERSION} has no list of {ROWS} municípios where it used to be")
}

/// Reads `codigo: 1100015,` and `nome: "…",` lines of the bundled array.
fn rows(array: &str) -> Result<Vec<(u32, String)>> {
    let mut rows = Vec::with_capacity(ROWS);
    let mut code = None;
    for line in array.lines().map(|line| line.trim().trim_end_matches(',')) {
        if let Some(digits) = line.strip_prefix("codigo: ") {
            code = Some(number(digits)?);
        } else if let Some(name) = line.strip_prefix("nome: ") {
            let Some(code) = code.take() else { continue };
            rows.push((code, unescape(name.trim_matches('"'))?));
        }
    }
    Ok(rows)
}

/// Reads a number; the bundler shortens round ones (`17001e2`).
fn number(digits: &str) -> Result<u32> {
    let (digits, zeros) = digits.split_once('e').unwrap_or((digits, "0"));
    Ok(digits.parse::<u32>()? * 10_u32.pow(zeros.parse()?))
}

/// Resolves the `\xHH` and `\"` that the bundler writes.
fn unescape(text: &str) -> Result<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let digits = match after.chars().next() {
            Some('x') => 1..3,
            Some('u') => 1..5,
            _ => 0..0,
        };
        if digits.is_empty() {
            rest = after;
            continue;
        }
        let code = u32::from_str_radix(after.get(digits.clone()).context("an escape is cut")?, 16)?;
        plain.push(char::from_u32(code).context("an escape is no character")?);
        rest = &after[digits.end..];
    }
    plain.push_str(rest);
    Ok(plain)
}

fn module(rows: &[(u32, String)]) -> String {
    let mut text = format!(
        "//! The {} rows, sorted by code. Generated by `cargo xtask tables` from npm `{PACKAGE}` {VERSION} (IBGE API).\n\n\
         /// Code and official name.\n#[rustfmt::skip]\npub(super) static ROWS: [(u32, &str); {}] = [\n",
        rows.len(),
        rows.len()
    );
    for (code, name) in rows {
        let _ = writeln!(text, "    ({code}, {name:?}),");
    }
    text.push_str("];\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_rows_as_the_bundler_writes_them() {
        let array = "{\n codigo: 5222302,\n nome: \"Vila Prop\\xEDcio\",\n uf: \"GO\"\n },";
        assert_eq!(number("17001e2").unwrap(), 1_700_100);
        assert_eq!(rows(array).unwrap(), [(5_222_302, "Vila Propício".to_owned())]);
    }
}
