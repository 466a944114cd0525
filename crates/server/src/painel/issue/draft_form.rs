//! A payload as the fields of a form, for every family: groups as fieldsets, lists with their entries, values as inputs
//! by the words of the layout.
//!
//! What the layout does not have is shown under its own name; what no field can hold stays in the draft and is named.
//! Must not know any field.

use std::collections::BTreeSet;

use fiscal::map::{GroupMember, MemberBody, MemberRequirement};
use maud::{Markup, PreEscaped, html};
use serde_json::{Map, Value};

use super::ADDRESS;
use super::field_control::FieldDrawing;
use super::field_path::{self, entry, id, member as below};
use super::field_words;
use super::finding_list::FindingList;
use super::nota_draft::{NotaDraft, OPEN, ROOT, is_blank, opened, shown};
use super::placed_members::{GroupRole, PlacedMember, absent, inside_of, placed};

/// A drawn form.
pub(super) struct DrawnForm {
    pub(super) markup: Markup,
    /// Paths that have a place on the page.
    pub(super) places: BTreeSet<String>,
    /// Paths that no field can hold.
    pub(super) untouched: Vec<String>,
    /// Number of its fields.
    pub(super) fields: usize,
}

/// Draws a draft.
pub(super) fn draw(draft: &NotaDraft, members: &'static [GroupMember], findings: &FindingList) -> DrawnForm {
    let mut writer = DraftForm { fields: FieldDrawing::new(findings), untouched: Vec::new(), blanks: MOST_BLANKS };
    let markup = writer.group_body(members, draft.members(), ROOT, GroupRole::OfLayout);
    let lists = writer.fields.code_lists();
    let FieldDrawing { places, count, .. } = writer.fields;
    DrawnForm { markup: html! { (markup) (lists) }, places, untouched: writer.untouched, fields: count }
}

struct DraftForm<'a> {
    fields: FieldDrawing<'a>,
    untouched: Vec<String>,
    /// Empty fields that may still be drawn.
    blanks: usize,
}

impl DraftForm<'_> {
    /// The fields and groups of an object.
    fn group_body(
        &mut self,
        members: &'static [GroupMember],
        object: &Map<String, Value>,
        path: &str,
        role: GroupRole,
    ) -> Markup {
        let placed = placed(members, object);
        let absent = absent(members, object);
        let (wanted, spare): (Vec<&GroupMember>, Vec<&GroupMember>) = absent.into_iter().partition(|member| {
            let is_required = role == GroupRole::OfLayout && member.need == MemberRequirement::Required;
            is_required || self.fields.findings.lies_within(&below(path, member.name))
        });
        let mut values = String::new();
        let mut groups = String::new();
        for one in &placed {
            match self.present(members, one, path) {
                DrawnPart::Value(markup) => values.push_str(&markup.0),
                DrawnPart::Group(markup) => groups.push_str(&markup.0),
                DrawnPart::Nothing => {}
            }
        }
        for member in wanted {
            match &member.body {
                MemberBody::Value(_) if member.max == 1 => values.push_str(&self.blank(member, path).0),
                _ => groups.push_str(&self.missing_group(member, path).0),
            }
        }
        let spare = if role == GroupRole::OfLayout { self.spare(&spare, object, path) } else { Markup::default() };
        html! {
            @if !values.is_empty() { div class="campos-lado" { (PreEscaped(values)) } }
            (PreEscaped(groups)) (spare)
        }
    }

    fn present(&mut self, around: &'static [GroupMember], one: &PlacedMember<'_>, outer: &str) -> DrawnPart {
        let PlacedMember { member, name, value } = *one;
        let path = below(outer, name);
        if !field_path::is_plain(name) {
            self.untouched.push(format!("{outer} → {name}"));
            return DrawnPart::Nothing;
        }
        let (inside, role) = inside_of(member, around);
        match value {
            Value::Array(entries) => DrawnPart::Group(self.list(member, inside, name, entries, &path)),
            Value::Object(object) => DrawnPart::Group(self.group(&title(member, name), inside, object, &path, role)),
            value => self.value(member, name, value, &path).map_or(DrawnPart::Nothing, DrawnPart::Value),
        }
    }

    fn value(&mut self, member: Option<&GroupMember>, name: &str, value: &Value, path: &str) -> Option<Markup> {
        let text = shown(value).filter(|text| !text.contains(|letter: char| is_unwritable(letter)));
        if text.is_none() {
            self.untouched.push(path.to_owned());
        }
        text.map(|text| self.fields.field(member, name, path, &text))
    }

    fn blank(&mut self, member: &GroupMember, outer: &str) -> Markup {
        self.fields.field(Some(member), member.name, &below(outer, member.name), "")
    }

    fn group(
        &mut self,
        title: &str,
        inside: &'static [GroupMember],
        object: &Map<String, Value>,
        path: &str,
        role: GroupRole,
    ) -> Markup {
        self.fields.places.insert(path.to_owned());
        let body = self.group_body(inside, object, path, role);
        html! {
            fieldset id=(id(path)) {
                legend { (title) " " (own_name(path)) }
                (self.fields.remarks(path)) (body)
                (removal(path, title))
            }
        }
    }

    /// A list: its entries, each with a button that removes it, and a button that adds one.
    fn list(
        &mut self,
        member: Option<&'static GroupMember>,
        inside: &'static [GroupMember],
        name: &str,
        entries: &[Value],
        path: &str,
    ) -> Markup {
        self.fields.places.insert(path.to_owned());
        let title = title(member, name);
        let is_folded = entries.len() > MOST_UNFOLDED;
        let drawn: Vec<Markup> = entries
            .iter()
            .enumerate()
            .map(|(index, value)| {
                let (path, title) = (entry(path, index), format!("{title} {}", index + 1));
                let is_last = index + 1 == entries.len();
                self.list_entry(member, inside, value, &path, &title, is_folded.then_some(is_last))
            })
            .collect();
        html! {
            fieldset id=(id(path)) {
                legend { (title) " (" (entries.len()) ") " (own_name(path)) }
                (self.fields.remarks(path))
                @for one in &drawn { (one) }
                p {
                    button name="acao" value={ "mais:" (path) } formaction=(address(&entry(path, entries.len()))) {
                        "Acrescentar item" span class="so-ouvido" { " em " (title) }
                    }
                }
            }
        }
    }

    fn list_entry(
        &mut self,
        member: Option<&'static GroupMember>,
        inside: &'static [GroupMember],
        value: &Value,
        path: &str,
        title: &str,
        folded: Option<bool>,
    ) -> Markup {
        let of_values = member.is_none_or(|member| matches!(member.body, MemberBody::Value(_)));
        let group = value.as_object().filter(|_| !(of_values && is_blank(value)));
        let Some(object) = group else {
            let field = self.value(member, title, value, path);
            return html! { @if let Some(field) = field { (field) (removal(path, title)) } };
        };
        self.fields.places.insert(path.to_owned());
        let is_open = folded.is_none_or(|is_last| is_last || self.fields.findings.lies_within(path));
        let body = self.group_body(inside, object, path, GroupRole::OfLayout);
        let body = html! { (self.fields.remarks(path)) (body) (removal(path, title)) };
        html! {
            @if folded.is_some() {
                details id=(id(path)) class="cartao" open[is_open] {
                    summary { strong { (title) } @if let Some(text) = first_text(object) { " · " (text) } }
                    (body)
                }
            } @else {
                fieldset id=(id(path)) { legend { (title) } (body) }
            }
        }
    }

    /// A group or list that is absent and must be there: its fields, empty.
    fn missing_group(&mut self, member: &'static GroupMember, outer: &str) -> Markup {
        let path = below(outer, member.name);
        let (inside, role) = inside_of(Some(member), &[]);
        match (member.max > 1, &member.body) {
            (true, _) => self.list(Some(member), inside, member.name, &[opened()], &path),
            (false, _) => self.group(&title(Some(member), member.name), inside, &Map::new(), &path, role),
        }
    }

    /// Fields and groups that may be added to an object, folded.
    fn spare(&mut self, spare: &[&'static GroupMember], object: &Map<String, Value>, path: &str) -> Markup {
        let is_value = |member: &&&'static GroupMember| matches!(member.body, MemberBody::Value(_)) && member.max == 1;
        let (values, groups): (Vec<_>, Vec<_>) = spare.iter().copied().partition(|member| is_value(&member));
        if spare.is_empty() {
            return Markup::default();
        }
        let is_opened = object.contains_key(OPEN);
        let are_drawn = is_opened || values.len() <= self.blanks;
        if are_drawn {
            self.blanks = self.blanks.saturating_sub(values.len());
        }
        let fields: Vec<Markup> =
            if are_drawn { values.iter().map(|member| self.blank(member, path)).collect() } else { Vec::new() };
        html! {
            details class="mais" open[is_opened] {
                summary { "Mais campos" @if !groups.is_empty() { " e grupos" } }
                @if are_drawn {
                    @if !fields.is_empty() { div class="campos-lado" { @for field in &fields { (field) } } }
                } @else {
                    p { button name="acao" value={ "abrir:" (path) } formaction=(address(path)) { "Mostrar os outros " (values.len()) " campos" } }
                }
                @if !groups.is_empty() {
                    p class="botoes" {
                        @for member in &groups {
                            @let inner = below(path, member.name);
                            @let act = if member.max > 1 { "mais:" } else { "abrir:" };
                            button name="acao" value={ (act) (inner) } formaction=(address(&inner)) { "+ " (field_words::label(member)) }
                        }
                    }
                }
            }
        }
    }
}

/// A drawn member of an object.
enum DrawnPart {
    Value(Markup),
    Group(Markup),
    Nothing,
}

fn title(member: Option<&GroupMember>, name: &str) -> String {
    member.map_or_else(|| name.to_owned(), field_words::label)
}

/// Name of a group in the payload.
fn own_name(path: &str) -> Markup {
    html! { code { (path.rsplit('.').next().unwrap_or(path)) } }
}

/// Beginning of an entry's first text of several words, or of its first value.
fn first_text(object: &Map<String, Value>) -> Option<String> {
    let mut texts = object.iter().filter(|(name, _)| *name != OPEN).filter_map(|(_, value)| shown(value));
    let first = texts.next()?;
    let several = std::iter::once(first.clone()).chain(texts).find(|text| text.trim().contains(' '));
    Some(several.unwrap_or(first).chars().take(60).collect())
}

/// Letters that no field of a browser gives back as they are.
fn is_unwritable(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\n' | '\r' | '\t')
}

fn removal(path: &str, title: &str) -> Markup {
    let back = field_path::outer(path).unwrap_or(path);
    html! {
        p {
            button class="retirar" name="acao" value={ "menos:" (path) } formaction=(address(back)) {
                "Retirar" span class="so-ouvido" { " " (title) }
            }
        }
    }
}

/// Address of a submission whose page shows this place.
fn address(path: &str) -> String {
    format!("{ADDRESS}#{}", id(path))
}

/// Empty fields of a page; further ones are shown on demand.
const MOST_BLANKS: usize = 600;
/// Longest list whose entries are not folded.
const MOST_UNFOLDED: usize = 3;
