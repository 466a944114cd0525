//! Pages that comments and other pages name: each exists in the repository.

use super::budget::{self, Measure};
use super::comments;
use super::sources::Sources;
use crate::shell;
use anyhow::Result;
use std::fs;
use std::process::Command;

/// Counts names of Markdown files that lead nowhere.
pub(crate) fn check(sources: &Sources) -> Result<Vec<String>> {
    let listed =
        shell::capture_success(Command::new("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]))?;
    let pages: Vec<&str> = listed.lines().filter(|path| path.ends_with(".md")).collect();
    let mut dead = Vec::new();
    for file in &sources.files {
        for comment in comments::blocks(file) {
            let place = format!("{}:{}", file.path, comment.line);
            dead.extend(absent(&comment.lines.join(" "), &pages).map(|name| format!("{place}: {name}")));
        }
    }
    for path in &pages {
        let text = fs::read_to_string(sources.root.join(path)).unwrap_or_default();
        dead.extend(absent(&text, &pages).map(|name| format!("{path}: {name}")));
    }
    budget::compare(sources, "citations", &[Measure::of_places("dead", dead, 0)])
}

/// A name is alive when a page's path ends with it, whatever folders stand before.
fn absent<'t>(text: &'t str, pages: &[&str]) -> impl Iterator<Item = &'t str> {
    named(text).filter(move |name| {
        let name = name.trim_start_matches("./").trim_start_matches("../");
        !pages.iter().any(|page| page.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/')))
    })
}

/// Words that end in `.md`, addresses of other hosts left out.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let is_part =
        |c: char| c.is_alphanumeric() || matches!(c, '.' | '/' | '-' | '_' | ':' | '<' | '>' | '*' | '{' | '}');
    let words = text.split(move |c: char| !is_part(c)).map(|word| word.trim_end_matches(['.', ':']));
    words.filter(|word| word.ends_with(".md") && !word.contains([':', '<', '*', '{']) && word.len() > ".md".len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_named_by_any_end_of_its_path() {
        let pages = ["docs/concepts/families.md", "README.md"];
        let text = "See `families.md`, (docs/concepts/families.md). `concepts/other.md`, lies.md; not <codigo>.md";
        assert_eq!(absent(text, &pages).collect::<Vec<_>>(), ["concepts/other.md", "lies.md"]);
        assert_eq!(absent("https://x.org/a.md ../README.md", &pages).count(), 0);
    }
}
