//! Documents that must follow the code: the page of every error code, the commands of the READMEs, links that lead
//! somewhere.

use super::sources::Sources;
use crate::shell;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Folder of the pages of error codes, and the table of the server that serves them.
const PAGES: &str = "docs/erros";
const TABLE: &str = "crates/server/src/api/error_code.rs";
/// Lists every page of `docs`.
const INDEX: &str = "docs/README.md";
const READMES: &[&str] = &["README.md", "README.pt-BR.md", "CONTRIBUTING.md"];

/// A page for every code that a source gives, a row of the server's table for every page, and each page about its own
/// code.
pub(crate) fn error_pages(sources: &Sources) -> Result<Vec<String>> {
    let pages: BTreeSet<String> = fs::read_dir(sources.root.join(PAGES))
        .with_context(|| format!("{PAGES} is missing"))?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".md").map(str::to_owned))
        .filter(|page| page != "README")
        .collect();
    let table = sources.files.iter().find(|file| file.path == TABLE).with_context(|| format!("{TABLE} is missing"))?;
    let mut found = Vec::new();
    for file in sources.files.iter().filter(|file| file.path.contains("/src/") && !file.is_test()) {
        let lines = file.lines_without_tests();
        let without = given_codes(&file.text, lines).into_iter().filter(|code| !pages.contains(code));
        found.extend(without.map(|code| format!("{}: `{code}` has no page {PAGES}/{code}.md", file.path)));
    }
    for page in &pages {
        let text = fs::read_to_string(sources.root.join(PAGES).join(format!("{page}.md")))?;
        if !text.contains(page.as_str()) {
            found.push(format!("{PAGES}/{page}.md does not name its own code"));
        }
        if !table.text.contains(&format!("\"{page}\"")) {
            found.push(format!("{PAGES}/{page}.md: the table of {TABLE} does not serve it"));
        }
    }
    Ok(found)
}

/// The codes that a source gives to a member or a variable called `codigo`.
fn given_codes(text: &str, lines: usize) -> BTreeSet<String> {
    let given = |line: &str| {
        let (_, after) = line.split_once("codigo: \"").or_else(|| line.split_once("codigo = \""))?;
        let (code, _) = after.split_once('"')?;
        let is_code = !code.is_empty() && code.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        is_code.then(|| code.to_owned())
    };
    text.lines().take(lines).filter_map(given).collect()
}

/// Every `cargo xtask X` of the documents exists in the help; every `carimbo X` exists in the source of the command
/// line.
pub(crate) fn readme_commands(sources: &Sources) -> Result<Vec<String>> {
    let cli: String = sources
        .files
        .iter()
        .filter(|file| file.path.starts_with("crates/carimbo/src/"))
        .map(|file| file.text.as_str())
        .collect();
    let mut found = Vec::new();
    for readme in READMES {
        let text = fs::read_to_string(sources.root.join(readme)).with_context(|| (*readme).to_owned())?;
        let xtask = mentioned(&text, "cargo xtask ").into_iter().filter(|name| !crate::has_command(name));
        let carimbo = mentioned(&text, "carimbo ").into_iter().chain(mentioned(&text, "--release -- "));
        let unknown = carimbo.filter(|name| !command_line_has(&cli, name));
        found.extend(xtask.chain(unknown).map(|name| format!("{readme}: there is no command `{name}`")));
    }
    Ok(found)
}

/// Finds a difference between the missing features of the README and those of the changelog.
pub(crate) fn not_yet(sources: &Sources) -> Result<Vec<String>> {
    let read = |name: &str| fs::read_to_string(sources.root.join(name)).with_context(|| name.to_owned());
    Ok(differing_absences(&read("README.md")?, &read("CHANGELOG.md")?))
}

fn differing_absences(readme: &str, changelog: &str) -> Vec<String> {
    let first_sentence = |text: &str| text.trim_start().split_once('.').map(|(sentence, _)| sentence.to_owned());
    let told = readme.split_once("Not yet: ").and_then(|(_, rest)| first_sentence(rest));
    let kept = changelog.split_once("### Not yet").and_then(|(_, rest)| first_sentence(rest));
    let same = told.is_some() && told.as_deref().map(str::to_lowercase) == kept.as_deref().map(str::to_lowercase);
    if same { Vec::new() } else { vec![format!("\"Not yet\" is {told:?} in README.md and {kept:?} in CHANGELOG.md")] }
}

/// The words that follow `prefix` inside code spans and blocks.
fn mentioned(text: &str, prefix: &str) -> BTreeSet<String> {
    let mut inside = false;
    let mut names = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
        }
        let code =
            if inside { line.to_owned() } else { line.split('`').skip(1).step_by(2).collect::<Vec<_>>().join("\n") };
        for (at, _) in code.match_indices(prefix) {
            let begins = code[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '/');
            let name: String =
                code[at + prefix.len()..].chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
            if begins && !name.is_empty() && !name.starts_with('-') {
                names.insert(name);
            }
        }
    }
    names
}

/// clap names a subcommand after its variant: `Demo` is `demo`.
fn command_line_has(cli: &str, name: &str) -> bool {
    let mut letters = name.chars();
    let variant: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    super::words::contains_word(cli, &variant)
}

/// Relative links of our Markdown that lead to no file.
pub(crate) fn links(sources: &Sources) -> Result<Vec<String>> {
    let listed = shell::capture_success(std::process::Command::new("git").args(["ls-files", "*.md"]));
    let Ok(listed) = listed else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for file in listed.lines() {
        let path = sources.root.join(file);
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let folder = path.parent().unwrap_or(Path::new("."));
        found.extend(
            dead(&text, |target| folder.join(target).exists())
                .into_iter()
                .map(|link| format!("{file}: {link} leads nowhere")),
        );
    }
    Ok(found)
}

/// Pages of `docs` that its index does not link to. Error pages and whole payloads are listed by their folder.
pub(crate) fn index(sources: &Sources) -> Result<Vec<String>> {
    let listed = shell::capture_success(std::process::Command::new("git").args(["ls-files", "docs/*.md"]))?;
    let index = fs::read_to_string(sources.root.join(INDEX)).context(INDEX)?;
    Ok(unlisted(&index, listed.lines()).map(|page| format!("{INDEX}: {page} is not listed")).collect())
}

fn unlisted<'p>(index: &str, pages: impl Iterator<Item = &'p str>) -> impl Iterator<Item = &'p str> {
    let in_docs =
        pages.filter(|page| *page != INDEX && !page.starts_with(PAGES) && !page.starts_with("docs/guides/receitas/"));
    in_docs.filter(move |page| !index.contains(&format!("]({})", page.trim_start_matches("docs/"))))
}

fn dead(text: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    text.match_indices("](")
        .filter_map(|(at, _)| text[at + 2..].split(')').next())
        .map(|link| link.split('#').next().unwrap_or_default())
        .filter(|link| {
            !link.is_empty() && !link.contains("://") && !link.starts_with("mailto:") && !link.starts_with('/')
        })
        .filter(|link| !exists(link))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_absent_is_said_in_the_same_words() {
        let changelog = "### Added\n\n- A.\n\n### Not yet\n\nReceived X, Y. No Z.\n";
        assert_eq!(differing_absences("Begun: W. Not yet: received X, Y. **Z**", changelog), [] as [String; 0]);
        assert_eq!(differing_absences("Begun: W. Not yet: Y. **Z**", changelog).len(), 1);
        assert_eq!(differing_absences("All is there.", "All.").len(), 1);
    }

    #[test]
    fn finds_the_codes_that_a_source_gives() {
        let text = "Problem { codigo: \"valor_invalido\".to_owned() }\nlet codigo = \"outro\";\n\"codigo_pais\" => json!(1)\n\
            #[cfg(test)]\nmod tests { codigo: \"so_no_teste\" }";
        assert_eq!(given_codes(text, 3).into_iter().collect::<Vec<_>>(), ["outro", "valor_invalido"]);
    }

    #[test]
    fn finds_the_commands_of_a_document() {
        let text = "Run `cargo xtask test`, not cargo xtask nothing.\n```sh\ncargo xtask tidy arrows\ncarimbo demo --once\n\
            ./target/release/carimbo serve\nmeucarimbo outro\n```\n";
        assert_eq!(mentioned(text, "cargo xtask ").into_iter().collect::<Vec<_>>(), ["test", "tidy"]);
        assert_eq!(mentioned(text, "carimbo ").into_iter().collect::<Vec<_>>(), ["demo", "serve"]);
    }

    #[test]
    fn knows_a_command_by_its_variant() {
        assert!(command_line_has("enum Command { Demo(DemoArgs) }", "demo"));
        assert!(!command_line_has("enum Command { Demo(DemoArgs) }", "voar"));
    }

    #[test]
    fn finds_pages_that_the_index_does_not_list() {
        let pages = ["docs/README.md", "docs/a.md", "docs/guides/b.md", "docs/erros/c.md"];
        assert_eq!(unlisted("[a](a.md)", pages.into_iter()).collect::<Vec<_>>(), ["docs/guides/b.md"]);
    }

    #[test]
    fn finds_links_that_lead_nowhere() {
        let text = "[a](docs/a.md) [b](b.md#part) [c](https://x/y) [d](#here) [e](gone.md)";
        assert_eq!(dead(text, |target| target != "gone.md"), ["gone.md"]);
    }
}
