//! A payload while a person writes it: the old payload, changed by the fields of a form.
//!
//! A field with the same text as before leaves its value untouched, with its JSON type; a changed one becomes a text,
//! letter for letter. Members without a field stay as they are.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::field_path::{self, FieldStep};

/// A payload's `nota` under edit. Groups that the person opened and has not filled carry [`OPEN`] as a member.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NotaDraft {
    nota: Value,
}

/// Member that marks an opened group or entry. No payload reaches an authority with it.
pub(super) const OPEN: &str = "\u{0}";

impl NotaDraft {
    /// A draft of a payload's `nota`.
    pub(super) fn of(nota: Map<String, Value>) -> NotaDraft {
        NotaDraft { nota: Value::Object(nota) }
    }

    /// The members so far, marks included.
    pub(super) fn members(&self) -> &Map<String, Value> {
        static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
        self.nota.as_object().unwrap_or(&NONE)
    }

    /// The draft as the text that its form carries.
    pub(super) fn text(&self) -> String {
        self.nota.to_string()
    }

    /// `nota` as it is issued: without marks, and without opened groups that stayed empty.
    pub(super) fn pruned(&self) -> Map<String, Value> {
        let mut nota = self.members().clone();
        prune_members(&mut nota);
        nota
    }

    /// Removes entries of lists that stayed empty, so that positions are those of the payload that is checked.
    pub(super) fn settle(&mut self) {
        drop_blank_entries(&mut self.nota);
    }

    /// Takes over a field's text; false when the draft has no such place.
    pub(super) fn set(&mut self, path: &str, text: &str) -> bool {
        let Some(steps) = field_path::steps(path) else { return false };
        match steps.split_first() {
            Some((FieldStep::Member(root), rest)) if root == ROOT && !rest.is_empty() => {
                set(&mut self.nota, rest, text)
            }
            _ => false,
        }
    }

    /// Adds an entry to a list: a copy of its last one, or an empty one.
    pub(super) fn append(&mut self, path: &str) -> bool {
        let Some(place) = self.place(path) else { return false };
        match place {
            Value::Array(entries) => entries.push(entries.last().cloned().unwrap_or_else(opened)),
            Value::Null => *place = Value::Array(vec![opened()]),
            // a single value where a list may stand is its first entry
            single => *single = Value::Array(vec![single.clone(), single.clone()]),
        }
        true
    }

    /// Opens a group, so that all of its fields are shown.
    pub(super) fn open(&mut self, path: &str) -> bool {
        let Some(place) = self.place(path) else { return false };
        match place {
            Value::Object(members) => _ = members.insert(OPEN.to_owned(), Value::Bool(true)),
            Value::Null => *place = opened(),
            _ => return false,
        }
        true
    }

    /// Removes an entry of a list, or a group.
    pub(super) fn remove(&mut self, path: &str) -> bool {
        let (Some(outer), Some(steps)) = (field_path::outer(path), field_path::steps(path)) else { return false };
        let is_last = match (self.existing(outer), steps.last()) {
            (Some(Value::Array(entries)), Some(FieldStep::Index(index))) if *index < entries.len() => {
                entries.remove(*index);
                entries.is_empty()
            }
            (Some(Value::Object(members)), Some(FieldStep::Member(name))) => {
                return members.shift_remove(name).is_some();
            }
            _ => return false,
        };
        !is_last || self.remove(outer)
    }

    /// A value that is there.
    fn existing(&mut self, path: &str) -> Option<&mut Value> {
        let steps = field_path::steps(path)?;
        let (FieldStep::Member(root), rest) = steps.split_first()? else { return None };
        if root != ROOT {
            return None;
        }
        rest.iter().try_fold(&mut self.nota, |value, step| match step {
            FieldStep::Member(name) => value.get_mut(name),
            FieldStep::Index(index) => value.get_mut(*index),
        })
    }

    /// A value, made as null with the objects around it when it is absent.
    fn place(&mut self, path: &str) -> Option<&mut Value> {
        let steps = field_path::steps(path)?;
        let (FieldStep::Member(root), rest) = steps.split_first()? else { return None };
        if root != ROOT || rest.is_empty() {
            return (root == ROOT).then_some(&mut self.nota);
        }
        rest.iter().try_fold(&mut self.nota, |value, step| match step {
            FieldStep::Member(name) => {
                if value.is_null() {
                    *value = opened();
                }
                Some(value.as_object_mut()?.entry(name.clone()).or_insert(Value::Null))
            }
            FieldStep::Index(index) => value.get_mut(*index),
        })
    }
}

/// An opened group or entry.
/// A group or entry that the person opened.
pub(super) fn opened() -> Value {
    Value::Object(Map::from_iter([(OPEN.to_owned(), Value::Bool(true))]))
}

/// True for an opened group or entry that nothing was written into.
pub(super) fn is_blank(value: &Value) -> bool {
    value.as_object().is_some_and(|members| members.len() == 1 && members.contains_key(OPEN))
}

/// A value as a field shows it; `None` for a group or a list.
pub(super) fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::Bool(is) => Some(is.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        Value::Object(_) if is_blank(value) => Some(String::new()),
        Value::Object(_) | Value::Array(_) => None,
    }
}

/// The civil part of an official instant, which a browser's field for date and time shows.
pub(super) fn civil_part(text: &str) -> Option<&str> {
    let is_official = text.len() == 25 && text.is_ascii() && text.ends_with(":00") && text.as_bytes()[10] == b'T';
    text.get(..19).filter(|civil| is_official && civil.parse::<jiff::civil::DateTime>().is_ok())
}

/// True when a field's text is the value before it: browsers turn line breaks into CR LF, and leave zero
/// seconds out.
fn says_the_same(before: &str, text: &str) -> bool {
    let lines = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    let civil = civil_part(before);
    before == text
        || civil.is_some_and(|civil| text == civil || civil.strip_suffix(":00") == Some(text))
        || (text.contains('\n') && lines(before) == lines(text))
}

fn set(value: &mut Value, steps: &[FieldStep], text: &str) -> bool {
    let Some((step, rest)) = steps.split_first() else { return set_leaf(value, text) };
    if value.is_null() && !text.is_empty() {
        *value = match step {
            FieldStep::Member(_) => Value::Object(Map::new()),
            FieldStep::Index(_) => Value::Array(Vec::new()),
        };
    }
    match (step, value) {
        (_, Value::Null) => true,
        (FieldStep::Member(name), Value::Object(members)) => set_member(members, name, rest, text),
        (FieldStep::Index(index), Value::Array(entries)) if *index < entries.len() => {
            let entry = &mut entries[*index];
            match shown(entry).filter(|_| rest.is_empty()) {
                Some(before) if says_the_same(&before, text) => true,
                // positions stay until the draft is pruned
                Some(_) if text.is_empty() => {
                    *entry = opened();
                    true
                }
                _ => set(entry, rest, text),
            }
        }
        (FieldStep::Index(index), Value::Array(entries)) if *index == entries.len() => {
            if text.trim().is_empty() {
                return true;
            }
            let mut made = Value::Null;
            let kept = set(&mut made, rest, text);
            entries.push(made);
            kept
        }
        _ => false,
    }
}

fn set_member(members: &mut Map<String, Value>, name: &str, rest: &[FieldStep], text: &str) -> bool {
    let Some(inner) = members.get_mut(name) else {
        if text.trim().is_empty() {
            return true;
        }
        let mut made = Value::Null;
        let kept = set(&mut made, rest, text);
        members.insert(name.to_owned(), made);
        return kept;
    };
    if !rest.is_empty() {
        return set(inner, rest, text);
    }
    match shown(inner) {
        Some(before) if says_the_same(&before, text) => true,
        Some(_) if text.is_empty() => members.shift_remove(name).is_some(),
        Some(_) => set_leaf(inner, text),
        None => false,
    }
}

fn set_leaf(value: &mut Value, text: &str) -> bool {
    match shown(value) {
        Some(before) if value.is_null() || !says_the_same(&before, text) => {
            if !(value.is_null() && text.is_empty()) {
                *value = Value::String(text.to_owned());
            }
            true
        }
        before => before.is_some(),
    }
}

/// Removes marks; false for an opened value that stayed empty.
fn prune(value: &mut Value) -> bool {
    match value {
        Value::Object(members) => {
            let was_opened = members.contains_key(OPEN);
            prune_members(members);
            !(was_opened && members.is_empty())
        }
        Value::Array(entries) => {
            let before = entries.len();
            entries.retain_mut(prune);
            before == entries.len() || !entries.is_empty()
        }
        _ => true,
    }
}

/// Removes blank entries of lists; false for a list that held nothing else.
fn drop_blank_entries(value: &mut Value) -> bool {
    match value {
        Value::Object(members) => {
            members.retain(|_, inner| drop_blank_entries(inner));
            true
        }
        Value::Array(entries) => {
            let before = entries.len();
            entries.retain_mut(|entry| drop_blank_entries(entry) && holds_something(entry));
            before == entries.len() || !entries.is_empty()
        }
        _ => true,
    }
}

/// False for an opened value in which nothing was written.
fn holds_something(value: &Value) -> bool {
    value
        .as_object()
        .filter(|members| members.contains_key(OPEN))
        .is_none_or(|members| members.iter().any(|(name, inner)| name != OPEN && holds_something(inner)))
}

fn prune_members(members: &mut Map<String, Value>) {
    members.shift_remove(OPEN);
    members.retain(|_, value| prune(value));
}

/// First step of every path.
pub(super) const ROOT: &str = "nota";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn draft(nota: &str) -> NotaDraft {
        NotaDraft::of(serde_json::from_str(nota).unwrap())
    }

    fn text(draft: &NotaDraft) -> String {
        Value::Object(draft.pruned()).to_string()
    }

    #[test]
    fn an_untouched_value_keeps_its_type_and_a_touched_one_is_what_was_typed() {
        let mut one = draft(r#"{"q":10.50,"t":true,"n":null,"s":"a","d":"2026-11-23T10:00:00-03:00","l":"a\nb"}"#);
        for (path, typed) in [
            ("nota.q", "10.50"),
            ("nota.t", "true"),
            ("nota.n", ""),
            ("nota.s", "a"),
            ("nota.d", "2026-11-23T10:00"),
            ("nota.l", "a\r\nb"),
            ("nota.fora", ""),
            ("nota.grupo.fora", " "),
        ] {
            assert!(one.set(path, typed), "{path}");
        }
        assert_eq!(one, draft(r#"{"q":10.50,"t":true,"n":null,"s":"a","d":"2026-11-23T10:00:00-03:00","l":"a\nb"}"#));
        assert!(one.set("nota.q", "10.5") && one.set("nota.novo.b", "  <x> ") && one.set("nota.s", ""));
        assert_eq!(
            text(&one),
            r#"{"q":"10.5","t":true,"n":null,"d":"2026-11-23T10:00:00-03:00","l":"a\nb","novo":{"b":"  <x> "}}"#
        );
    }

    #[test]
    fn a_field_of_no_place_is_refused() {
        let mut one = draft(r#"{"a":{"b":1},"l":[1]}"#);
        for path in ["nota", "outra.a", "nota.a", "nota.a[0]", "nota.l[2]", "nota.l.x", "nota.l[0].x", "nota.a.b.c"] {
            assert!(!one.set(path, "x"), "{path}");
        }
        assert_eq!(text(&one), r#"{"a":{"b":1},"l":[1]}"#);
    }

    #[test]
    fn entries_are_copied_removed_and_emptied() {
        let mut one = draft(r#"{"p":[{"x":1.10},{"x":2}],"k":["a","b","c"],"s":{"v":1}}"#);
        assert!(one.append("nota.p") && one.remove("nota.p[0]") && one.append("nota.s"));
        assert!(one.set("nota.k[1]", "") && one.set("nota.k[2]", "d") && one.set("nota.k[3]", "e"));
        assert_eq!(text(&one), r#"{"p":[{"x":2},{"x":2}],"k":["a","d","e"],"s":[{"v":1},{"v":1}]}"#);
        assert!(one.remove("nota.p[1]") && one.remove("nota.p[0]") && !one.remove("nota.p[0]"));
        assert_eq!(text(&one), r#"{"k":["a","d","e"],"s":[{"v":1},{"v":1}]}"#);
    }

    #[test]
    fn opened_groups_that_stay_empty_leave_no_trace_and_own_empty_ones_stay() {
        let mut one = draft(r#"{"vazio":{},"lista":[]}"#);
        assert!(one.open("nota.transportador.veiculo") && one.append("nota.dup") && one.open("nota.outro"));
        assert_eq!(one.members()["dup"], json!([{ OPEN: true }]));
        assert_eq!(text(&one), r#"{"vazio":{},"lista":[]}"#);
        let mut settled = one.clone();
        settled.settle();
        assert!(!settled.members().contains_key("dup") && settled.members().contains_key("outro"));
        assert_eq!(text(&settled), text(&one));
        assert!(one.set("nota.dup[0].nDup", "001") && one.set("nota.outro.x", "1"));
        assert_eq!(text(&one), r#"{"vazio":{},"lista":[],"dup":[{"nDup":"001"}],"outro":{"x":"1"}}"#);
    }
}
