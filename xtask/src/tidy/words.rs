//! Words that do not belong in committed code.

use super::sources::{Source, Sources};
use anyhow::Result;

/// One forbidden word, where it is forbidden, and what to do instead.
struct Word {
    word: &'static str,
    /// Test code is judged too.
    in_tests: bool,
    /// Generated files are judged too.
    in_generated: bool,
    /// Only files whose path starts with this.
    under: &'static str,
    instead: &'static str,
}

const EXPECT: &str = "use #[expect(…, reason = \"…\")], which complains when it is no longer needed";
const FINISH: &str = "finish it, or leave it out";
const DECIMAL: &str = "binary floating point loses cents; use rust_decimal";

const WORDS: &[Word] = &[
    Word { word: "#[allow(", in_tests: true, in_generated: false, under: "", instead: EXPECT },
    Word { word: "#![allow(", in_tests: true, in_generated: false, under: "", instead: EXPECT },
    Word { word: "todo!", in_tests: true, in_generated: true, under: "", instead: FINISH },
    Word { word: "unimplemented!", in_tests: true, in_generated: true, under: "", instead: FINISH },
    Word { word: "dbg!", in_tests: true, in_generated: true, under: "", instead: "remove it" },
    Word { word: "#[ignore", in_tests: true, in_generated: true, under: "", instead: "a test runs or does not exist" },
    Word { word: "f32", in_tests: false, in_generated: true, under: "crates/", instead: DECIMAL },
    Word { word: "f64", in_tests: false, in_generated: true, under: "crates/", instead: DECIMAL },
];

/// Where a float is right: it measures time or counts for a metric, never money. Each with its reason.
const FLOATS: &[(&str, &str)] = &[
    ("crates/render/src/pdf/", "sizes on paper go to pdf-writer as floats; no money comes here"),
    ("crates/render/src/paper/face.rs", "a font's measures are floats in skrifa"),
    ("crates/server/src/telemetry", "Prometheus histograms and gauges are floats"),
    (
        "crates/server/src/service.rs",
        "the gauges of /metrics are floats; counts of a queue are far below where they round",
    ),
];

/// Names of types that stood for forty things: each has one meaning, and what a second one is has a noun of its own
/// (docs/decisions.md, "One word, one meaning").
const ONCE: &[&str] = &["Kind", "Place", "Asked", "Paper", "Said"];

/// Finds every forbidden word, with its line, and every second type of a name that may be declared once.
pub(crate) fn check(sources: &Sources) -> Result<Vec<String>> {
    let forbidden = sources.files.iter().flat_map(|file| WORDS.iter().flat_map(move |word| find(file, word)));
    Ok(forbidden.chain(ONCE.iter().flat_map(|name| twice(&sources.files, name))).collect())
}

fn twice(files: &[Source], name: &str) -> Vec<String> {
    let declared = ["struct", "enum", "trait", "type"].map(|keyword| format!("{keyword} {name}"));
    let product = files.iter().filter(|file| file.path.starts_with("crates/") && !file.is_test());
    let lines = product.flat_map(|file| {
        let code = file.code.lines().take(file.lines_without_tests()).enumerate();
        code.map(move |(index, line)| (format!("{}:{}", file.path, index + 1), line))
    });
    let is = |line: &str| declared.iter().any(|declared| contains_word(line, declared));
    let places: Vec<String> = lines.filter(|(_, line)| is(line)).map(|(place, _)| place).collect();
    let told = |place: &String| format!("{place}: `{name}` is a type elsewhere too: name this one by its noun");
    places.iter().skip(1).map(told).collect()
}

fn find(file: &Source, word: &Word) -> Vec<String> {
    let float = word.instead == DECIMAL;
    let exempt = (file.is_generated() && !word.in_generated)
        || (file.is_test() && !word.in_tests)
        || (float && FLOATS.iter().any(|(path, _)| file.path.starts_with(path)))
        || !file.path.starts_with(word.under);
    if exempt {
        return Vec::new();
    }
    let lines = if word.in_tests { usize::MAX } else { file.lines_without_tests() };
    file.code
        .lines()
        .take(lines)
        .enumerate()
        .filter(|(_, line)| contains_word(line, word.word))
        .map(|(index, _)| format!("{}:{}: `{}`: {}", file.path, index + 1, word.word, word.instead))
        .collect()
}

/// Whether `line` holds `word` and not a longer one.
pub(crate) fn contains_word(line: &str, word: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let ends_as_word = word.chars().next_back().is_some_and(char::is_alphanumeric);
    line.match_indices(word).any(|(at, _)| {
        let longer_left = part(line[..at].chars().next_back());
        let longer_right = ends_as_word && part(line[at + word.len()..].chars().next());
        !(longer_left || longer_right)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        let file = Source::new(path.into(), text.into());
        WORDS.iter().map(|word| find(&file, word).len()).sum()
    }

    #[test]
    fn finds_each_word_in_code() {
        let text = "#![allow(x)]\n#[allow(y)]\ntodo!()\nunimplemented!()\ndbg!(z)\n#[ignore]\nlet a: f64 = b as f32;";
        assert_eq!(found("crates/a/src/b.rs", text), 8);
    }

    #[test]
    fn finds_the_second_type_of_a_name() {
        let file = |path: &str, text: &str| Source::new(path.into(), text.into());
        let files = [
            file("crates/a/src/b.rs", "struct Kinds;\nenum Kind { A }\n// struct Kind\nfn f(kind: Kind) {}"),
            file("crates/a/tests/b.rs", "struct Kind;"),
            file(
                "crates/c/src/d.rs",
                "pub(crate) struct Kind<'a>(&'a str);\n#[cfg(test)]\nmod tests {\n struct Kind;\n}",
            ),
        ];
        let found = twice(&files, "Kind");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("crates/c/src/d.rs:1:"), "{found:?}");
        assert_eq!(twice(&files[..2], "Kind"), [] as [String; 0]);
    }

    #[test]
    fn leaves_comments_strings_and_longer_words_alone() {
        assert_eq!(
            found("crates/a/src/b.rs", "// todo!()\nlet a = \"dbg!\"; my_todo!(); let f64x = 1; #[expect(x)]"),
            0
        );
    }

    #[test]
    fn lets_generated_files_allow_and_tests_and_metrics_use_floats() {
        assert_eq!(found("crates/a/src/b.rs", "//! Generated by `cargo xtask layouts`.\n#![allow(x)]"), 0);
        assert_eq!(found("crates/a/tests/b.rs", "let a: f64 = b;"), 0);
        assert_eq!(found("crates/server/src/telemetry.rs", "let a: f64 = b;"), 0);
        assert_eq!(found("crates/a/src/b.rs", "a();\n#[cfg(test)]\nmod tests {\n let a: f64 = b;\n}"), 0);
    }
}
