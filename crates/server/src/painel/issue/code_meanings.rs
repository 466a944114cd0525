//! Codes of a field with their meanings, found in the documentation of the layout: `0 - entrada; 1 - saída`.

use fiscal::layout::Simple;
use fiscal::map::{GroupMember, MemberBody, ValueKind, value_kind};

/// A code and its meaning, empty when the layout gives none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FieldOption {
    pub(super) code: &'static str,
    pub(super) meaning: String,
}

/// Codes of a list with their meanings, as the documentation gives them.
pub(super) fn options(doc: &str, codes: &[&'static str]) -> Vec<FieldOption> {
    let found: Vec<(usize, usize, &str)> = codes.iter().filter_map(|code| find_code(doc, code, codes.len())).collect();
    let options = codes.iter().map(|code| {
        let own = found.iter().find(|(_, _, of)| of == code);
        let meaning = own.map_or(String::new(), |(_, end, _)| {
            let next = found.iter().map(|(start, ..)| *start).filter(|start| start >= end).min();
            let text = doc.get(*end..next.unwrap_or(doc.len())).unwrap_or_default();
            let text = text.split(';').next().unwrap_or(text).trim();
            shortened(text.trim_matches([',', '.', ';', '-', '–', '`', ' ', '\n']), LONGEST_MEANING)
        });
        FieldOption { code, meaning: balanced(meaning) }
    });
    options.collect()
}

/// A meaning without the bracket that closed the list.
fn balanced(mut meaning: String) -> String {
    if meaning.matches(')').count() > meaning.matches('(').count() && meaning.ends_with(')') {
        meaning.pop();
    }
    meaning
}

/// Place of a code in a documentation: where it stands, and where its meaning begins.
fn find_code<'c>(doc: &str, code: &'c str, of: usize) -> Option<(usize, usize, &'c str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | ',');
    doc.match_indices(code).find_map(|(start, _)| {
        let (before, after) = (doc.get(..start)?, doc.get(start + code.len()..)?);
        let is_quoted = before.ends_with('`') && after.starts_with('`');
        if before.chars().next_back().is_some_and(is_part) && !before.ends_with(['.', ',']) {
            return None;
        }
        let rest = after.trim_start_matches('`').trim_start();
        let signed = rest.strip_prefix(['-', '–', '=', ':']).map(str::trim_start);
        let meaning = signed.or(is_quoted.then_some(rest))?;
        // in the documentation of a single code, as in a single sentence, a number is a number
        (of > 1).then(|| (start - usize::from(is_quoted), doc.len() - meaning.len(), code))
    })
}

/// Place of the first code of a list in a documentation.
pub(super) fn first_code(doc: &str, codes: &[&'static str]) -> Option<usize> {
    codes.iter().filter_map(|code| find_code(doc, code, codes.len())).map(|(start, ..)| start).min()
}

/// Codes that a member accepts.
pub(super) fn codes_of(member: &GroupMember) -> Vec<&'static str> {
    let MemberBody::Value(types) = &member.body else { return Vec::new() };
    let is_code = |simple: &&&'static Simple| value_kind(last_tag(member), simple) == ValueKind::Code;
    let mut codes: Vec<&'static str> = Vec::new();
    for code in types.iter().filter(is_code).flat_map(|simple| simple.values) {
        if !codes.contains(code) {
            codes.push(code);
        }
    }
    codes
}

/// Tag of a member's element.
pub(super) fn last_tag(member: &GroupMember) -> &str {
    member.tag.rsplit('/').next().unwrap_or_default()
}

/// A text of at most so many characters, cut between words.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else { return text.to_owned() };
    let cut = text.get(..end).unwrap_or(text);
    let whole = cut.rfind(' ').filter(|end| *end > 0).and_then(|end| cut.get(..end)).unwrap_or(cut);
    format!("{}…", whole.trim_end_matches([',', ';', ' ']))
}

/// Longest meaning, characters.
const LONGEST_MEANING: usize = 90;
