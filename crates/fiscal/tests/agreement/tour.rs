//! Visits every position of every drawn payload with values that do not belong there and with empty values. A wrong
//! value must be written as it is, refused or reported. An empty value must act as an absent member, or be refused.

use std::collections::BTreeSet;

use fiscal::document::BuiltDocument;
use fiscal::finding::{Notice, Violation};
use serde_json::{Value, json};

/// Result of building a payload.
pub(crate) type Outcome = Result<BuiltDocument, Vec<Violation>>;

/// Visited positions and the silently ignored values.
#[derive(Default)]
pub(crate) struct Tour {
    /// Paths without indexes.
    places: BTreeSet<String>,
    values: usize,
    silent: Vec<String>,
}

impl Tour {
    /// Visits the positions of a payload that were not visited before.
    pub(crate) fn visit(&mut self, nota: &Value, build: impl Fn(&Value) -> Outcome) {
        let mut places = Vec::new();
        collect(nota, "", "nota", "", &mut places);
        places.retain(|place| self.places.insert(place.name.clone()));
        if places.is_empty() {
            return;
        }
        let before = build(nota);
        for place in &places {
            for value in wrong() {
                self.values += 1;
                let built = build(&with(nota, place, value.clone()));
                if is_silent(&built, &before, place, &value) {
                    self.silent.push(format!("{} = {value}", place.campo));
                }
            }
            let without = build(&without(nota, place));
            // for this element an empty text means that there is none
            let nothing =
                nothing().into_iter().filter(|value| !(place.name.ends_with("idEstrangeiro") && value.is_string()));
            for value in nothing {
                self.values += 1;
                let built = build(&with(nota, place, value.clone()));
                if built.is_ok() && !is_same(&built, &without) {
                    self.silent.push(format!("{} = {value} is not as if it were absent", place.campo));
                }
            }
        }
    }

    /// Fails when a value was silently ignored; prints the counts.
    pub(crate) fn end(self, what: &str) {
        println!("{what}: {} places, {} values, {} silent", self.places.len(), self.values, self.silent.len());
        let told = self.silent.iter().take(60).cloned().collect::<Vec<_>>().join("\n");
        assert!(self.silent.is_empty(), "{what}: {} passed over:\n{told}", self.silent.len());
    }
}

/// A member of an object, or the first element of a list.
struct Place {
    /// JSON pointer.
    pointer: String,
    /// Path in messages.
    campo: String,
    /// Path without indexes.
    name: String,
}

fn collect(value: &Value, pointer: &str, campo: &str, name: &str, places: &mut Vec<Place>) {
    let mut into = |value: &Value, pointer: String, campo: String, name: String| {
        collect(value, &pointer, &campo, &name, places);
        places.push(Place { pointer, campo, name });
    };
    match value {
        Value::Object(members) => {
            for (tag, member) in members {
                into(member, format!("{pointer}/{tag}"), format!("{campo}.{tag}"), format!("{name}.{tag}"));
            }
        }
        Value::Array(elements) => {
            if let Some(first) = elements.first() {
                into(first, format!("{pointer}/0"), format!("{campo}[0]"), format!("{name}[]"));
            }
        }
        _ => {}
    }
}

const WORD: &str = "zzqq";

/// Values that belong nowhere.
fn wrong() -> [Value; 5] {
    [json!(true), json!(WORD), json!({ WORD: WORD }), json!([WORD]), json!(-31_415)]
}

/// Values that count as absent.
fn nothing() -> [Value; 5] {
    [json!(null), json!("  "), json!({}), json!([]), json!({ "a": { "b": null, "c": "" } })]
}

fn with(nota: &Value, place: &Place, value: Value) -> Value {
    let mut nota = nota.clone();
    *nota.pointer_mut(&place.pointer).unwrap() = value;
    nota
}

fn without(nota: &Value, place: &Place) -> Value {
    let mut nota = nota.clone();
    let (around, own) = place.pointer.rsplit_once('/').unwrap();
    match nota.pointer_mut(around).unwrap() {
        Value::Object(members) => drop(members.shift_remove(own)),
        Value::Array(elements) => drop(elements.remove(0)),
        _ => unreachable!("places stand in objects and lists"),
    }
    nota
}

/// True when a value left no trace in document or notices.
fn is_silent(built: &Outcome, before: &Outcome, place: &Place, value: &Value) -> bool {
    let Ok(built) = built else { return false };
    // a mask between digits is removed
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned).replace('-', "");
    let known = before.as_ref().map_or(&[][..], |before| &before.notices);
    let is_about = |notice: &Notice| notice.campo == place.campo || !known.contains(notice);
    !built.xml.contains(&text) && !built.xml.contains(WORD) && !built.notices.iter().any(is_about)
}

/// True when two payloads gave equal documents, or violations of the same members.
fn is_same(one: &Outcome, other: &Outcome) -> bool {
    let members = |violations: &[Violation]| violations.iter().map(|it| it.campo.clone()).collect::<BTreeSet<_>>();
    match (one, other) {
        (Ok(one), Ok(other)) => one.xml == other.xml,
        (Err(one), Err(other)) => members(one) == members(other),
        _ => false,
    }
}
