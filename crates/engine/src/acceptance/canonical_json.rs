//! JSON in one form (members sorted, no spaces), so that equal payloads have equal hashes whatever the order of their members; and as it came, which is
//! what is kept. The bytes are those of `serde_json`, found without asking each leaf how it is to be written: an order of 750 items has 12,000 of them.

use serde::Serialize;
use serde_json::{Map, Value};
use std::ops::Range;

/// SHA-256 of the canonical form.
pub(crate) fn sha256(value: &Value) -> [u8; 32] {
    let mut forms = Forms::default();
    forms.value(value);
    openssl::sha::sha256(&forms.sorted)
}

/// The text of an object that is none yet, in the order of its members; and the hash of its canonical form, for which these members stand sorted.
pub(crate) fn text_and_sha256_of<const MEMBERS: usize>(members: [(&str, &Value); MEMBERS]) -> (String, [u8; 32]) {
    debug_assert!(members.is_sorted_by_key(|(name, _)| *name));
    let mut forms = Forms::default();
    forms.both(b"{");
    for (position, (name, value)) in members.into_iter().enumerate() {
        forms.member(position, name, value);
    }
    forms.both(b"}");
    let hash = openssl::sha::sha256(&forms.sorted);
    // every piece of it is a whole text
    (String::from_utf8(forms.came).unwrap_or_default(), hash)
}

/// Both texts of a value, written in one walk: of a large order the walk takes longer than the writing.
#[derive(Default)]
struct Forms<'v> {
    came: Vec<u8>,
    sorted: Vec<u8>,
    orders: Vec<Order<'v>>,
    /// Where the members of the objects under way begin and end in `sorted`.
    members: Vec<Range<usize>>,
    /// The members of one object, on their way to their places.
    moving: Vec<u8>,
}

/// Names as they came, and in which order they stand when they are sorted: the items of a note have the same names, one like the other.
struct Order<'v> {
    names: Vec<&'v str>,
    sorted: Vec<usize>,
}

impl<'v> Forms<'v> {
    fn value(&mut self, value: &'v Value) {
        match value {
            Value::Object(members) => self.object(members),
            Value::Array(items) => {
                self.both(b"[");
                for (position, item) in items.iter().enumerate() {
                    self.comma(position);
                    self.value(item);
                }
                self.both(b"]");
            }
            Value::Number(number) => self.both(number.as_str().as_bytes()),
            Value::String(string) => self.quoted(string),
            Value::Null => self.both(b"null"),
            Value::Bool(true) => self.both(b"true"),
            Value::Bool(false) => self.both(b"false"),
        }
    }

    fn object(&mut self, members: &'v Map<String, Value>) {
        self.both(b"{");
        let (begin, before) = (self.sorted.len(), self.members.len());
        for (position, (name, value)) in members.iter().enumerate() {
            let from = self.sorted.len() + usize::from(position > 0);
            self.member(position, name, value);
            self.members.push(from..self.sorted.len());
        }
        self.sort(begin, before, members);
        self.members.truncate(before);
        self.both(b"}");
    }

    /// Puts the members of an object, written last and from `begin` on, into their order.
    fn sort(&mut self, begin: usize, before: usize, members: &'v Map<String, Value>) {
        if members.keys().is_sorted() {
            return;
        }
        let order = self.order_of(members);
        self.moving.clear();
        for (position, at) in self.orders[order].sorted.iter().enumerate() {
            if position > 0 {
                self.moving.push(b',');
            }
            let member = self.members.get(before + at).and_then(|member| self.sorted.get(member.clone()));
            self.moving.extend_from_slice(member.unwrap_or_default());
        }
        self.sorted.truncate(begin);
        self.sorted.extend_from_slice(&self.moving);
    }

    /// Which of the known orders is that of these members; a new one in place of an old one when there are many.
    fn order_of(&mut self, members: &'v Map<String, Value>) -> usize {
        let is = |order: &Order<'_>| order.names.len() == members.len() && order.names.iter().eq(members.keys());
        if let Some(known) = self.orders.iter().position(is) {
            return known;
        }
        let names: Vec<&str> = members.keys().map(String::as_str).collect();
        let mut sorted: Vec<usize> = (0..names.len()).collect();
        sorted.sort_unstable_by_key(|at| names[*at]);
        if self.orders.len() >= MOST_ORDERS {
            self.orders.remove(0);
        }
        self.orders.push(Order { names, sorted });
        self.orders.len() - 1
    }

    fn member(&mut self, position: usize, name: &str, value: &'v Value) {
        self.comma(position);
        self.quoted(name);
        self.both(b":");
        self.value(value);
    }

    fn comma(&mut self, position: usize) {
        if position > 0 {
            self.both(b",");
        }
    }

    /// A text with its quotes; nearly none has anything to escape.
    fn quoted(&mut self, string: &str) {
        let from = self.sorted.len();
        if string.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            json(string, &mut self.sorted);
        } else {
            self.sorted.reserve(string.len() + 2);
            self.sorted.push(b'"');
            self.sorted.extend_from_slice(string.as_bytes());
            self.sorted.push(b'"');
        }
        self.came.extend_from_slice(&self.sorted[from..]);
    }

    fn both(&mut self, text: &[u8]) {
        self.came.extend_from_slice(text);
        self.sorted.extend_from_slice(text);
    }
}

/// What a note has of shapes and more: an item with its taxes has a handful.
const MOST_ORDERS: usize = 16;

fn json<T: Serialize + ?Sized>(leaf: &T, text: &mut Vec<u8>) {
    // a text: nothing of it can fail to be written into memory
    let _ = serde_json::to_writer(text, leaf);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_order_of_members_does_not_matter_and_that_of_items_does() {
        let one: Value = serde_json::from_str(r#"{"b":[1,{"d":"x\"","c":null}],"a":1.50}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"a":1.50,"b":[1,{"c":null,"d":"x\""}]}"#).unwrap();
        let mut forms = Forms::default();
        forms.value(&one);
        assert_eq!(str::from_utf8(&forms.sorted).unwrap(), r#"{"a":1.50,"b":[1,{"c":null,"d":"x\""}]}"#);
        assert_eq!(sha256(&one), sha256(&other));
        let Value::Object(members) = &other else { panic!("an object") };
        let (kept, hash) = text_and_sha256_of([("a", &members["a"]), ("b", &members["b"])]);
        assert_eq!((kept, hash), (other.to_string(), sha256(&one)));
        assert_ne!(sha256(&one), sha256(&json!({"b": [{"d": "x\"", "c": null}, 1], "a": 1.50})));
    }

    /// Every kind of leaf and name, and more shapes than are remembered.
    #[test]
    fn the_text_is_that_of_serde_json() {
        let names = ["a", "z", "ç", "", "\"", "\\", "\n", "\u{7f}", "\u{1}", "aa", "a b", "\u{2028}"];
        let leaves = [
            "null",
            "true",
            "false",
            "-0",
            "1.50",
            "1e5",
            "123456789012345678901234567890",
            "[]",
            "{}",
            "\"\\u0000\\/\"",
        ];
        let leaf = |at: usize| -> Value { serde_json::from_str(leaves[at % leaves.len()]).unwrap() };
        let mut all = Vec::new();
        for first in 0..names.len() {
            for count in 0..names.len() {
                let named = (0..count).map(|at| names[(first + 5 * at) % names.len()].to_owned());
                let object: Map<String, Value> = named.enumerate().map(|(at, name)| (name, leaf(first + at))).collect();
                all.push(json!({ "of": object, "text": names[first] }));
            }
        }
        let all = Value::Array(all);
        let mut forms = Forms::default();
        forms.value(&all);
        assert_eq!(String::from_utf8(forms.came).unwrap(), all.to_string());
        let mut sorted = all.clone();
        sorted.sort_all_objects();
        assert_eq!(String::from_utf8(forms.sorted).unwrap(), sorted.to_string());
    }
}
