//! Dependencies: each is used, and each has a licence we can ship.
//!
//! Known advisories are not looked up here: cargo-deny's database is a git repository that a build machine may not
//! reach. `deny.toml` stands ready for machines that can run `cargo deny check`.

use super::sources::{Package, Sources};
use super::words::contains_word;
use crate::shell;
use anyhow::{Context, Result};
use serde_json::Value;
use std::process::Command;

/// Licences that a dependency may have; an expression needs one way through.
const LICENCES: &[&str] = &[
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-1-Clause",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "0BSD",
    "CC0-1.0",
    "ISC",
    "OpenSSL",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
    "BSL-1.0",
    "MPL-2.0",
];

/// Declared dependencies that no source names, each with its reason.
const UNNAMED: &[(&str, &str, &str)] = &[];

/// The dependency tables of a manifest, target-specific ones included.
pub(crate) fn sections(manifest: &toml::Table) -> Vec<(String, &toml::Table)> {
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let mut found: Vec<(String, &toml::Table)> =
        kinds.iter().filter_map(|kind| Some(((*kind).to_owned(), manifest.get(*kind)?.as_table()?))).collect();
    let targets = manifest.get("target").and_then(|targets| targets.as_table());
    for (target, table) in targets.into_iter().flatten() {
        for kind in kinds {
            if let Some(dependencies) = table.get(kind).and_then(|dependencies| dependencies.as_table()) {
                found.push((format!("target.{target}.{kind}"), dependencies));
            }
        }
    }
    found
}

/// The names of all declared dependencies.
pub(crate) fn declared(manifest: &toml::Table) -> impl Iterator<Item = String> {
    sections(manifest).into_iter().flat_map(|(_, dependencies)| dependencies.keys().cloned())
}

/// Declared dependencies that no source of the package names.
pub(crate) fn unused(sources: &Sources) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for package in &sources.packages {
        let prefix = format!("{}/", package.folder);
        let code: Vec<&str> =
            sources.files.iter().filter(|file| file.path.starts_with(&prefix)).map(|file| file.code.as_str()).collect();
        found.extend(unnamed(package, &code));
    }
    Ok(found)
}

fn unnamed(package: &Package, code: &[&str]) -> Vec<String> {
    declared(&package.manifest)
        .filter(|name| !UNNAMED.iter().any(|(owner, unnamed, _)| *owner == package.name && unnamed == name))
        .filter(|name| !code.iter().any(|code| contains_word(code, &name.replace('-', "_"))))
        .map(|name| format!("{}/Cargo.toml: `{name}` is declared and never named in the sources", package.folder))
        .collect()
}

/// Packages of the whole tree whose licence is not on the list.
pub(crate) fn licences(_: &Sources) -> Result<Vec<String>> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["metadata", "--format-version", "1", "--quiet"]);
    let text = shell::capture_success(&mut command)?;
    let metadata: Value = serde_json::from_str(text.lines().next().unwrap_or_default())?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    Ok(packages.iter().filter_map(unlicensed).collect())
}

fn unlicensed(package: &Value) -> Option<String> {
    let licence = package["license"].as_str().unwrap_or_default();
    let name = package["name"].as_str().unwrap_or_default();
    (!allowed(licence))
        .then(|| format!("{name}: licence `{licence}` is not on the list (xtask/src/tidy/dependencies.rs)"))
}

/// Reads an SPDX expression: `OR` needs one side, `AND` needs both.
fn allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    let tokens: Vec<String> =
        expression.replace('(', " ( ").replace(')', " ) ").split_whitespace().map(str::to_owned).collect();
    let mut at = 0;
    let verdict = either(&tokens, &mut at);
    verdict && at == tokens.len()
}

fn either(tokens: &[String], at: &mut usize) -> bool {
    let mut verdict = both(tokens, at);
    while tokens.get(*at).is_some_and(|token| token == "OR") {
        *at += 1;
        verdict |= both(tokens, at);
    }
    verdict
}

fn both(tokens: &[String], at: &mut usize) -> bool {
    let mut verdict = one(tokens, at);
    while tokens.get(*at).is_some_and(|token| token == "AND") {
        *at += 1;
        verdict &= one(tokens, at);
    }
    verdict
}

fn one(tokens: &[String], at: &mut usize) -> bool {
    let Some(token) = tokens.get(*at) else { return false };
    *at += 1;
    if token == "(" {
        let verdict = either(tokens, at);
        let closed = tokens.get(*at).is_some_and(|token| token == ")");
        *at += 1;
        return verdict && closed;
    }
    if tokens.get(*at).is_some_and(|token| token == "WITH") {
        let exception = tokens.get(*at + 1).cloned().unwrap_or_default();
        *at += 2;
        return LICENCES.contains(&token.as_str()) || LICENCES.contains(&format!("{token} WITH {exception}").as_str());
    }
    LICENCES.contains(&token.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_licence_expressions() {
        for fine in
            ["MIT", "GPL-3.0 OR MIT", "MIT/GPL-2.0", "(MIT OR GPL-3.0) AND ISC", "Apache-2.0 WITH LLVM-exception OR X"]
        {
            assert!(allowed(fine), "{fine}");
        }
        for refused in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT", "AGPL-3.0 OR GPL-3.0", "(MIT OR ISC) AND GPL-3.0"] {
            assert!(!allowed(refused), "{refused}");
        }
    }

    #[test]
    fn names_a_dependency_that_no_source_uses() {
        let manifest = "[dependencies]\nserde_json = '1'\nquick-xml = '1'\nhyper = '1'".parse().unwrap();
        let package = Package { name: "a".into(), folder: "crates/a".into(), manifest };
        let code = ["use quick_xml::Reader; use hyper_util::x; fn f() { serde_json::json!(1) }"];
        let found = unnamed(&package, &code);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("`hyper`"));
    }
}
