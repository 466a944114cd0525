//! Imports between the folders of the engine: arrows run down here too.

use super::sources::{Source, Sources};
use anyhow::Result;

/// The one table, from the bottom up.
const FOLDERS: &[(&str, &[&str])] = &[
    ("process", &[]),
    ("order", &["process"]),
    ("family", &["order"]),
    ("acceptance", &["family", "order", "process"]),
    ("authorities", &["family", "process"]),
    ("contingency", &["authorities", "family", "process"]),
    ("steps", &["contingency", "authorities", "acceptance", "family", "order", "process"]),
    ("restored", &["process"]),
    ("received", &["authorities", "acceptance", "family", "order", "process"]),
    ("jobs", &["steps", "authorities", "acceptance", "family", "order", "process"]),
    ("alerts", &["process"]),
    ("export", &["jobs", "process"]),
    ("mail", &["jobs", "process"]),
    ("queries", &["contingency", "authorities", "family"]),
    ("company", &["process"]),
    ("webhooks", &["process"]),
    ("worker", &["steps", "authorities", "acceptance", "alerts", "webhooks", "process"]),
];

const ENGINE: &str = "crates/engine/src/";

/// Refuses every arrow that the table does not have, and folders it does not know.
pub(crate) fn check(sources: &Sources) -> Result<Vec<String>> {
    Ok(sources.files.iter().flat_map(wrong_arrows).collect())
}

fn wrong_arrows(file: &Source) -> Vec<String> {
    let Some((folder, _)) = file.path.strip_prefix(ENGINE).and_then(|path| path.split_once('/')) else {
        return Vec::new();
    };
    let Some((_, allowed)) = FOLDERS.iter().find(|(name, _)| *name == folder) else {
        return vec![format!("{}: not in the table of folders (xtask/src/tidy/folders.rs)", file.path)];
    };
    named(&file.code)
        .filter(|name| *name != folder && !allowed.contains(name))
        .map(|name| format!("{}: {folder} → {name}: no such arrow", file.path))
        .collect()
}

/// The modules that stand directly behind `crate::`, alone or in braces.
fn named(code: &str) -> impl Iterator<Item = &str> {
    let behind = code.split("crate::").skip(1);
    behind
        .flat_map(|rest| rest.strip_prefix('{').map_or_else(|| vec![word(rest)], in_braces))
        .filter(|name| name.starts_with(|first: char| first.is_ascii_lowercase()))
}

/// The first word of each member, whatever braces it has itself.
fn in_braces(list: &str) -> Vec<&str> {
    let (mut depth, mut begins, mut words) = (0_u8, true, Vec::new());
    for (at, letter) in list.char_indices() {
        match letter {
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            _ if begins && !letter.is_whitespace() => {
                words.push(word(&list[at..]));
                begins = false;
            }
            _ => {}
        }
    }
    words
}

fn word(text: &str) -> &str {
    let end = text.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, code: &str) -> Vec<String> {
        wrong_arrows(&Source::new(format!("{ENGINE}{path}"), code.to_owned()))
    }

    #[test]
    fn refuses_an_arrow_that_runs_up() {
        let found = found("contingency/course.rs", "use crate::steps::{Halt, Step};\nuse crate::family::NFE;\n");
        assert_eq!(found, ["crates/engine/src/contingency/course.rs: contingency → steps: no such arrow"]);
    }

    #[test]
    fn looks_into_braces_and_at_paths_in_code() {
        let code = "use crate::{Engine, family::{self, NFE}, jobs};\nfn f() { crate::worker::run() }\n";
        assert_eq!(found("process/clock.rs", code).len(), 3);
    }

    #[test]
    fn a_module_of_another_folder_is_named_by_its_folder() {
        assert_eq!(found("steps/send.rs", "use crate::issue::IssueError;\n").len(), 1);
        assert!(found("steps/send.rs", "use crate::acceptance::issue::IssueError;\n").is_empty());
    }

    #[test]
    fn comments_and_types_are_none() {
        assert!(found("process/clock.rs", "// crate::steps\nuse crate::{Engine, EngineParts};\n").is_empty());
        assert!(found("lib.rs", "use crate::worker;\n").is_empty());
    }

    #[test]
    fn refuses_a_folder_that_is_not_in_the_table() {
        assert_eq!(found("common/mod.rs", "").len(), 1);
    }

    #[test]
    fn the_table_never_runs_up() {
        let floor = |name: &str| FOLDERS.iter().position(|(folder, _)| *folder == name).unwrap();
        let up: Vec<_> = FOLDERS
            .iter()
            .flat_map(|(folder, allowed)| allowed.iter().map(move |target| (*folder, *target)))
            .filter(|(folder, target)| floor(target) >= floor(folder))
            .collect();
        assert!(up.is_empty(), "{up:?}");
    }
}
