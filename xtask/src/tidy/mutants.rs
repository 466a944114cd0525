//! Mutants apply to the tree, the test that detects one exists, and the document has a row for each mutant and for each
//! numbered fault.

use super::sources::Sources;
use crate::mutants::{self, Detector, FOLDER, TestAddress};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;

/// Document with a row for each mutant.
const DOCUMENT: &str = "docs/concepts/exploration.md";

/// Finds patches that do not apply, tests that do not exist, and rows, patches and numbered faults without each other.
pub(crate) fn check(sources: &Sources) -> Result<Vec<String>> {
    let all = mutants::all(&sources.root)?;
    let mut found = Vec::new();
    for mutant in &all {
        let misfit = mutant.apply_error(&sources.root)?;
        found.extend(misfit.map(|why| format!("{FOLDER}/{}.patch: {why}", mutant.name)));
        if let Detector::Test(test) = &mutant.detector
            && !is_there(sources, test)
        {
            found.push(format!("{FOLDER}/{}.patch: there is no test `{}`", mutant.name, test.function()));
        }
    }
    let text = fs::read_to_string(sources.root.join(DOCUMENT)).with_context(|| DOCUMENT.to_owned())?;
    let rows = rows(&text);
    let is_mutant = |name: &str| all.iter().any(|mutant| mutant.name == name);
    let (strange, missing) = (rows.keys().filter(|name| !is_mutant(name)), all.iter().map(|mutant| &mutant.name));
    found.extend(strange.map(|name| format!("{DOCUMENT}: there is no mutant `{name}`")));
    found.extend(
        missing
            .filter(|name| !rows.contains_key(*name))
            .map(|name| format!("{DOCUMENT}: no row for the mutant `{name}`")),
    );
    let unshown = faults(&text).filter(|number| !rows.values().any(|of| of == number));
    found.extend(unshown.map(|number| format!("{DOCUMENT}: no mutant is of the fault {number}")));
    Ok(found)
}

/// True where a file of the package's tests has the test's name: macros make some of them.
fn is_there(sources: &Sources, test: &TestAddress) -> bool {
    let folder = format!("crates/{}/tests/", test.package);
    let mut files = sources.files.iter().filter(|file| file.path.starts_with(&folder));
    files.any(|file| file.text.contains(test.function()))
}

/// Number of the fault by name of the mutant, from the table of mutants.
fn rows(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().skip_while(|line| !line.starts_with("| mutant |"));
    let rows = lines.take_while(|line| line.starts_with('|')).skip(2);
    let read = |line: &str| {
        let mut cells = line.split('|').skip(1).map(str::trim);
        Some((cells.next()?.trim_matches('`').to_owned(), cells.next()?.to_owned()))
    };
    rows.filter_map(read).collect()
}

/// Numbers of the list of faults, which ends at the table of mutants.
fn faults(text: &str) -> impl Iterator<Item = String> {
    let lines = text.lines().skip_while(|line| !line.starts_with("## What it found once"));
    let numbered = lines.take_while(|line| !line.starts_with("| mutant |"));
    numbered.filter_map(|line| Some(line.split_once(". ")?.0)).filter(is_number).map(str::to_owned)
}

fn is_number(text: &&str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "1. no fault\n## What it found once\n\n1. One. Again.\n12. Twelve.\n\n| mutant | of | fault |\n|---|---|---|\n\
        | `one` | 1 | `x` |\n| `two` | – | y |\n\n| `three` | 3 |\n13. none\n";

    #[test]
    fn reads_the_table_of_mutants_alone() {
        let row = |name: &str, of: &str| (name.to_owned(), of.to_owned());
        assert_eq!(rows(TEXT), BTreeMap::from([row("one", "1"), row("two", "–")]));
    }

    #[test]
    fn reads_the_list_of_faults_alone() {
        assert_eq!(faults(TEXT).collect::<Vec<_>>(), ["1", "12"]);
    }
}
