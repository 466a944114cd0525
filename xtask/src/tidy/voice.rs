//! The voice of comments: plain statements about the code, within its columns.

use super::budget::{self, Measure};
use super::comments::{self, Comment};
use super::sources::{Source, Sources};
use anyhow::Result;

/// Words for people where a task, caller, process or authority is meant.
const PEOPLE: &[&str] =
    &["whoever", "whomever", "nobody", "somebody", "someone", "anybody", "anyone", "everybody", "everyone", "no one"];
/// Words of speech where an answer, a log line, a recorded state or a returned value is meant.
const SPEECH: &[&str] = &[
    "tell",
    "tells",
    "told",
    "telling",
    "untold",
    "foretell",
    "foretells",
    "foretold",
    "hear",
    "hears",
    "heard",
    "say",
    "says",
    "said",
    "saying",
    "speak",
    "speaks",
    "spoke",
    "spoken",
];
/// First words of a doc comment that is a question, not a statement.
const QUESTION: &[&str] = &["what", "who", "whose", "whom", "whether", "how", "which", "why", "where", "when"];
/// First words of a doc comment whose subject stands elsewhere.
const POINTER: &[&str] = &["same", "it", "that", "one", "of", "these", "those", "they", "so"];
const COLUMNS: usize = 120;

/// Counts people and speech words by doc line, first words by doc comment, and comments wider than the code.
pub(crate) fn check(sources: &Sources) -> Result<Vec<String>> {
    budget::compare(sources, "voice", &measures(&sources.files))
}

#[derive(Default)]
struct Faults {
    doc_lines: usize,
    doc_blocks: usize,
    people: Vec<String>,
    speech: Vec<String>,
    question: Vec<String>,
    pointer: Vec<String>,
    width: Vec<String>,
}

fn measures(files: &[Source]) -> Vec<Measure> {
    let mut faults = Faults::default();
    for file in files.iter().filter(|file| !file.is_generated()) {
        comments::blocks(file).iter().for_each(|comment| faults.count(&file.path, comment));
    }
    vec![
        Measure::of_places("people", faults.people, faults.doc_lines),
        Measure::of_places("speech", faults.speech, faults.doc_lines),
        Measure::of_places("first_word_asks", faults.question, faults.doc_blocks),
        Measure::of_places("first_word_points", faults.pointer, faults.doc_blocks),
        Measure::of_places("wider_than_code", faults.width, 0),
    ]
}

impl Faults {
    fn count(&mut self, path: &str, comment: &Comment<'_>) {
        let place = |offset: usize| format!("{path}:{}", comment.line + offset);
        if comment.width > COLUMNS && !comment.lines.iter().any(|line| line.contains("://") || line.starts_with('|')) {
            self.width.push(place(0));
        }
        if !comment.is_doc {
            return;
        }
        self.doc_lines += comment.lines.len();
        self.doc_blocks += 1;
        for (offset, line) in comment.lines.iter().enumerate() {
            let line = line.to_lowercase();
            let has = |words: &[&str]| words.iter().any(|word| super::words::contains_word(&line, word));
            if has(PEOPLE) {
                self.people.push(place(offset));
            }
            if has(SPEECH) {
                self.speech.push(place(offset));
            }
        }
        match first_word(comment) {
            word if QUESTION.contains(&word.as_str()) => self.question.push(place(0)),
            word if POINTER.contains(&word.as_str()) => self.pointer.push(place(0)),
            _ => {}
        }
    }
}

/// Lower case, behind an article: "The same" is a pointer too.
fn first_word(comment: &Comment<'_>) -> String {
    let text = comment.lines.join(" ").to_lowercase();
    let mut words = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned());
    let first = words.next().unwrap_or_default();
    match first.as_str() {
        "the" => words.next().filter(|second| second == "same").unwrap_or(first),
        _ => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, counts: [usize; 5]) {
        let file = Source::new("crates/a/src/b.rs".into(), text.into());
        let found: Vec<usize> = measures(&[file]).iter().map(|measure| measure.count).collect();
        assert_eq!(found, counts, "{text}");
    }

    #[test]
    fn counts_each_fault_of_a_doc_comment() {
        check("/// Whoever asks is told.\nfn a() {}", [1, 1, 0, 0, 0]);
        check("/// What is sent.\nfn a() {}\n/// Whether it is.\nfn b() {}", [0, 0, 2, 0, 0]);
        check("/// The same of a note.\nfn a() {}\n/// It is.\nfn b() {}", [0, 0, 0, 2, 0]);
        check(&format!("// {}\nfn a() {{}}", "wide ".repeat(30)), [0, 0, 0, 0, 1]);
    }

    #[test]
    fn leaves_plain_comments_code_and_addresses_alone() {
        check(
            "/// Registers a waiter. Unregisters on drop.\nfn told() {}\n// nobody waits here\nfn whoever() {}",
            [0; 5],
        );
        check(&format!("/// <https://example.com/{}>\nfn a() {{}}", "x".repeat(120)), [0; 5]);
    }
}
