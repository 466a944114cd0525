//! A field of the form: label, control, bounds, and the findings about it.

use std::collections::BTreeSet;

use fiscal::map::GroupMember;
use maud::{Markup, html};

use super::field_path::id;
use super::field_words::{self, FieldControl};
use super::finding_list::{FindingList, FormFinding};
use super::nota_draft::civil_part;

/// Draws fields, and remembers where they are.
pub(super) struct FieldDrawing<'a> {
    pub(super) findings: &'a FindingList,
    /// Paths drawn so far.
    pub(super) places: BTreeSet<String>,
    /// Fields drawn so far.
    pub(super) count: usize,
    lists: Vec<Vec<&'static str>>,
}

impl<'a> FieldDrawing<'a> {
    pub(super) fn new(findings: &'a FindingList) -> FieldDrawing<'a> {
        FieldDrawing { findings, places: BTreeSet::new(), count: 0, lists: Vec::new() }
    }

    /// A field; without a member, one that the layout does not have.
    pub(super) fn field(&mut self, member: Option<&GroupMember>, name: &str, path: &str, text: &str) -> Markup {
        self.count += 1;
        self.places.insert(path.to_owned());
        let label = member.map_or_else(|| name.to_owned(), field_words::label);
        let found: Vec<&FormFinding> = self.findings.at(path).collect();
        let is_wrong = found.iter().any(|finding| finding.weight.is_wrong());
        let control = member.map_or(FieldControl::Line, field_words::control);
        let control = self.control(&control, path, text, is_wrong, !found.is_empty());
        let bounds = member.map_or_else(|| "fora do leiaute".to_owned(), field_words::bounds);
        let is_asked = text.is_empty() || is_wrong || member.is_some_and(field_words::names_codes);
        let hint = member.and_then(field_words::hint).filter(|_| is_asked);
        html! {
            label {
                (label)
                (control)
                small { code { (name) } @if !bounds.is_empty() { " · " (bounds) } @if let Some(hint) = hint { " · " (hint) } }
                @if !found.is_empty() { (remark_lines(path, &found)) }
            }
        }
    }

    /// Findings about a group or a list itself.
    pub(super) fn remarks(&self, path: &str) -> Markup {
        let found: Vec<&FormFinding> = self.findings.at(path).collect();
        html! { @if !found.is_empty() { p { (remark_lines(path, &found)) } } }
    }

    /// The lists that fields of codes offer.
    pub(super) fn code_lists(&self) -> Markup {
        html! {
            @for (index, codes) in self.lists.iter().enumerate() {
                datalist id=(list_id(index)) { @for code in codes { option value=(code) {} } }
            }
        }
    }

    fn control(&mut self, control: &FieldControl, path: &str, text: &str, is_wrong: bool, is_told: bool) -> Markup {
        let (id, invalid) = (id(path), is_wrong.then_some("true"));
        let told = is_told.then(|| told_id(path));
        let line = |kind: &str, mode: Option<&str>, list: Option<String>, text: &str, step: Option<&str>| {
            html! {
                input id=(id) name=(path) type=(kind) inputmode=[mode] list=[list] step=[step] value=(text)
                    aria-invalid=[invalid] aria-describedby=[told.as_deref()];
            }
        };
        if text.contains(['\n', '\r']) || text.chars().count() > LONGEST_LINE {
            return lines(&id, path, text, invalid, told.as_deref());
        }
        match control {
            FieldControl::Choice(options) => {
                let is_listed = text.is_empty() || options.iter().any(|option| option.code == text);
                html! {
                    select id=(id) name=(path) aria-invalid=[invalid] aria-describedby=[told.as_deref()] {
                        option value="" selected[text.is_empty()] { "—" }
                        @if !is_listed { option value=(text) selected { (text) " (como está)" } }
                        @for option in options {
                            option value=(option.code) selected[option.code == text] {
                                (option.code) @if !option.meaning.is_empty() { " – " (option.meaning) }
                            }
                        }
                    }
                }
            }
            FieldControl::Codes(codes) => line("text", None, Some(self.list(codes)), text, None),
            FieldControl::Date if text.is_empty() || is_day(text) => line("date", None, None, text, None),
            FieldControl::Moment if text.is_empty() => line("datetime-local", None, None, "", Some("1")),
            FieldControl::Moment if civil_part(text).is_some() => {
                line("datetime-local", None, None, civil_part(text).unwrap_or_default(), Some("1"))
            }
            FieldControl::Number(mode) => line("text", Some(mode), None, text, None),
            FieldControl::Lines => lines(&id, path, text, invalid, told.as_deref()),
            FieldControl::Date | FieldControl::Moment | FieldControl::Line => line("text", None, None, text, None),
        }
    }

    fn list(&mut self, codes: &[&'static str]) -> String {
        let known = self.lists.iter().position(|list| list == codes);
        list_id(known.unwrap_or_else(|| {
            self.lists.push(codes.to_vec());
            self.lists.len() - 1
        }))
    }
}

/// A field of several lines. A browser drops the first line break of its content.
fn lines(id: &str, path: &str, text: &str, invalid: Option<&str>, told: Option<&str>) -> Markup {
    html! {
        textarea id=(id) name=(path) rows="3" aria-invalid=[invalid] aria-describedby=[told] { "\n" (text) }
    }
}

/// Lines about a field, below it.
pub(super) fn remark_lines(path: &str, found: &[&FormFinding]) -> Markup {
    html! {
        span id=(told_id(path)) {
            @for finding in found {
                span class=(if finding.weight.is_wrong() { "falha" } else { "nota" }) {
                    (finding.text)
                    @if let Some(right) = &finding.suggestion { " Sugestão: " strong { (right) } "." }
                }
            }
        }
    }
}

/// Id of the lines about a field.
pub(super) fn told_id(path: &str) -> String {
    format!("{}-sobre", id(path))
}

fn list_id(index: usize) -> String {
    format!("codigos-{index}")
}

/// True for a day that a browser's date field can show.
fn is_day(text: &str) -> bool {
    text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok()
}

/// Longest text of a field of one line, characters.
const LONGEST_LINE: usize = 120;
