//! Mutants of the exploration still fit the tree, and the document has a row for each.

use super::sources::Sources;
use crate::mutants::{self, FOLDER};
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;

/// Where each mutant has a row.
const DOCUMENT: &str = "docs/concepts/exploration.md";

/// Patches that do not apply, and rows and patches without each other.
pub(crate) fn check(sources: &Sources) -> Result<Vec<String>> {
    let all = mutants::all(&sources.root)?;
    let mut found = Vec::new();
    for mutant in &all {
        let misfit = mutant.misfit(&sources.root)?;
        found.extend(misfit.map(|why| format!("{FOLDER}/{}.patch: {why}", mutant.name)));
    }
    let text = fs::read_to_string(sources.root.join(DOCUMENT)).with_context(|| DOCUMENT.to_owned())?;
    let (rows, names) = (rows(&text), all.iter().map(|mutant| mutant.name.clone()).collect());
    found.extend(rows.difference(&names).map(|name| format!("{DOCUMENT}: there is no mutant `{name}`")));
    found.extend(names.difference(&rows).map(|name| format!("{DOCUMENT}: no row for the mutant `{name}`")));
    Ok(found)
}

/// First cells of the table of mutants.
fn rows(text: &str) -> BTreeSet<String> {
    let lines = text.lines().skip_while(|line| !line.starts_with("| mutant |"));
    let rows = lines.take_while(|line| line.starts_with('|')).skip(2);
    rows.filter_map(|line| Some(line.split('`').nth(1)?.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_names_of_the_table_of_mutants_alone() {
        let text = "| trouble |\n|---|\n| `late` |\n\n| mutant | fault |\n|---|---|\n| `one` | `x` |\n| `two` | y |\n\n| `three` |\n";
        assert_eq!(rows(text), BTreeSet::from(["one".to_owned(), "two".to_owned()]));
    }
}
