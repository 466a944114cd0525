//! Deviations of libxml2 from XML Schema 1.0, where our checker follows the recommendation.

use std::collections::BTreeSet;

use fiscal::layout::{Base, ContentModel, Element, Pattern};

use crate::draw::declarations;

/// Returns the quirk that explains a difference: libxml2 accepts the document, and the quirk covers all our faults.
pub(crate) fn of_libxml2(verdict: bool, ours: &[String]) -> Option<&'static str> {
    if !verdict || ours.is_empty() {
        return None;
    }
    QUIRKS.iter().find(|(_, covers)| ours.iter().all(|fault| covers(fault))).map(|(quirk, _)| *quirk)
}

/// The opposite case: `xs:int` and `xs:byte` are collapsed (part 2, 4.3.6), but libxml2, which collapses every other
/// number, refuses a blank around one. Returns the document without such blanks, if there are any; libxml2 must accept
/// that one.
pub(crate) fn without_blanks_around_numbers(root: &'static Element, text: &str) -> Option<String> {
    let numbers = |element: &&'static Element| matches!(element.kind, ContentModel::Leaf(simple) if matches!(simple.base, Base::Int | Base::Byte));
    let names: BTreeSet<&str> = declarations(root).into_iter().filter(numbers).map(|element| element.name).collect();
    let mut plain = text.to_owned();
    for name in names {
        let mut done = 0;
        while let Some(at) = plain[done..].find(&format!("<{name}")).map(|at| done + at) {
            let Some(begin) = plain[at..].find('>').map(|end| at + end + 1) else { break };
            let end = plain[begin..].find('<').map_or(plain.len(), |end| begin + end);
            let bare = trimmed(&plain[begin..end]).to_owned();
            plain.replace_range(begin..end, &bare);
            done = begin + bare.len();
        }
    }
    (plain != text).then_some(plain)
}

/// Removes blanks in any notation from both ends.
fn trimmed(mut text: &str) -> &str {
    const BLANKS: [&str; 12] =
        [" ", "\t", "\n", "\r", "&#32;", "&#9;", "&#10;", "&#13;", "&#x20;", "&#x9;", "&#xA;", "&#xD;"];
    while let Some(rest) = BLANKS.iter().find_map(|blank| text.strip_prefix(blank).or_else(|| text.strip_suffix(blank)))
    {
        text = rest;
    }
    text
}

/// Name of that quirk.
pub(crate) const BLANKS_AROUND_NUMBERS: &str =
    "libxml2 does not collapse the blanks around xs:int and xs:byte (part 2, 4.3.6)";

type Quirk = (&'static str, fn(&str) -> bool);

const QUIRKS: &[Quirk] = &[
    ("libxml2 skips characters that are not base64 (part 2, 3.2.16 has no such leave)", |fault| {
        fault.contains("esperado base64")
    }),
    ("libxml2 takes a blank after the time zone of a date and time, but not one before it or after a date", |fault| {
        fault
            .split_once("\" não aceito: esperado data e hora")
            .is_some_and(|(value, _)| value.ends_with(char::is_whitespace))
    }),
    ("libxml2 mixes up the counts of alternatives that begin alike (part 2, appendix F)", |fault| {
        COUNTED.iter().any(|source| fault.ends_with(&format!("esperado: {}.", Pattern::new(source).in_words())))
    }),
];

/// Official patterns with counted alternatives of equal characters: for `[0-9]{2}|[0-9]{8}` libxml2 also accepts nine
/// digits, and for `[0-9]{0}|…` sometimes twenty.
const COUNTED: &[&str] = &[
    "[0-9]{2}|[0-9]{8}",
    "[0-9]{15}|[0-9]{17}",
    "[0-9]{11}|[0-9]{13}|ISENTO",
    "[!-ÿ]{8}|[!-ÿ]{10}",
    "([!-ÿ]{8}|[!-ÿ]{10}|SEM CBENEF)?",
    "([!-ÿ]{0}|[!-ÿ]{5,20})?",
    "SEM GTIN|[0-9]{0}|[0-9]{8}|[0-9]{12,14}",
    "[0-9]{0}|[0-9A-Z]{12}[0-9]{2}",
];
