//! JSON in one form (members sorted, no spaces), so that equal payloads have equal hashes whatever the order of their members; and as it came, which is
//! what is kept. The bytes are those of `serde_json`, found without asking each leaf how it is to be written: an order of 750 items has 12,000 of them.

use serde::Serialize;
use serde_json::{Map, Value};
use std::ops::Range;

/// SHA-256 of the canonical form.
pub(crate) fn sha256(value: &Value) -> [u8; 32] {
    let mut forms = Forms::default();
    let text = forms.value(value);
    openssl::sha::sha256(forms.sorted_form(text))
}

/// The text of an object that is none yet, in the order of its members; and the hash of its canonical form, for which these members stand sorted.
pub(crate) fn text_and_sha256_of<const MEMBERS: usize>(members: [(&str, &Value); MEMBERS]) -> (String, [u8; 32]) {
    debug_assert!(members.is_sorted_by_key(|(name, _)| *name));
    let mut forms = Forms::default();
    forms.came.push(b'{');
    for (position, (name, value)) in members.into_iter().enumerate() {
        forms.member(position, name, value);
    }
    forms.came.push(b'}');
    forms.put_together(0, None);
    let hash = openssl::sha::sha256(&forms.together);
    // every piece of it is a whole text
    (String::from_utf8(forms.came).unwrap_or_default(), hash)
}

/// Both texts of a value, written in one walk: of a large order the walk takes longer than the writing. What is the same in both is written once.
#[derive(Default)]
struct Forms<'v> {
    came: Vec<u8>,
    /// Sorted forms that differ from what came, until they stand in those around them.
    sorted: Vec<u8>,
    orders: Vec<Order<'v>>,
    /// The members of the objects under way.
    members: Vec<Member>,
    /// The sorted form of one object.
    together: Vec<u8>,
}

/// Where the sorted form of a value stands.
enum Text {
    Came(Range<usize>),
    Sorted(Range<usize>),
}

/// A member of an object: what of it is as it came (its name, mostly all), and the sorted form of its value where that is another one.
struct Member {
    came: Range<usize>,
    sorted: Range<usize>,
}

/// Names as they came, and in which order they stand when they are sorted: the items of a note have the same names, one like the other.
struct Order<'v> {
    names: Vec<&'v str>,
    sorted: Vec<usize>,
}

impl<'v> Forms<'v> {
    fn value(&mut self, value: &'v Value) -> Text {
        let begin = self.came.len();
        match value {
            Value::Object(members) => return self.object(members),
            Value::Array(items) => return self.array(items),
            Value::Number(number) => self.came.extend_from_slice(number.as_str().as_bytes()),
            Value::String(string) => self.quoted(string),
            Value::Null => self.came.extend_from_slice(b"null"),
            Value::Bool(true) => self.came.extend_from_slice(b"true"),
            Value::Bool(false) => self.came.extend_from_slice(b"false"),
        }
        Text::Came(begin..self.came.len())
    }

    fn array(&mut self, items: &'v [Value]) -> Text {
        let (begin, from) = (self.came.len(), self.sorted.len());
        let mut as_came = true;
        self.came.push(b'[');
        self.sorted.push(b'[');
        for (position, item) in items.iter().enumerate() {
            if position > 0 {
                self.came.push(b',');
                self.sorted.push(b',');
            }
            match self.value(item) {
                Text::Came(text) => self.sorted.extend_from_slice(part(&self.came, &text)),
                // it was put where it belongs, behind the one before it
                Text::Sorted(_) => as_came = false,
            }
        }
        self.came.push(b']');
        if as_came {
            self.sorted.truncate(from);
            return Text::Came(begin..self.came.len());
        }
        self.sorted.push(b']');
        Text::Sorted(from..self.sorted.len())
    }

    fn object(&mut self, members: &'v Map<String, Value>) -> Text {
        let (begin, from, before) = (self.came.len(), self.sorted.len(), self.members.len());
        self.came.push(b'{');
        for (position, (name, value)) in members.iter().enumerate() {
            self.member(position, name, value);
        }
        self.came.push(b'}');
        let order = if members.keys().is_sorted() { None } else { Some(self.order_of(members)) };
        let as_came = |member: &Member| member.sorted.is_empty();
        if order.is_none() && self.members.iter().skip(before).all(as_came) {
            self.members.truncate(before);
            return Text::Came(begin..self.came.len());
        }
        self.put_together(before, order);
        self.members.truncate(before);
        self.sorted.truncate(from);
        self.sorted.extend_from_slice(&self.together);
        Text::Sorted(from..self.sorted.len())
    }

    /// The sorted form of an object, whose members are those from `before` on; without an order they are sorted as they stand.
    fn put_together(&mut self, before: usize, order: Option<usize>) {
        let Forms { came, sorted, orders, members, together } = self;
        let members = members.get(before..).unwrap_or_default();
        let order = order.and_then(|order| orders.get(order)).map(|order| order.sorted.as_slice());
        together.clear();
        together.push(b'{');
        for position in 0..members.len() {
            if position > 0 {
                together.push(b',');
            }
            let at = order.and_then(|order| order.get(position)).copied().unwrap_or(position);
            if let Some(member) = members.get(at) {
                together.extend_from_slice(part(came, &member.came));
                together.extend_from_slice(part(sorted, &member.sorted));
            }
        }
        together.push(b'}');
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
        if position > 0 {
            self.came.push(b',');
        }
        let begin = self.came.len();
        self.quoted(name);
        self.came.push(b':');
        let named = self.came.len();
        let member = match self.value(value) {
            Text::Came(text) => Member { came: begin..text.end, sorted: 0..0 },
            Text::Sorted(text) => Member { came: begin..named, sorted: text },
        };
        self.members.push(member);
    }

    /// A text with its quotes; nearly none has anything to escape.
    fn quoted(&mut self, string: &str) {
        if string.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            json(string, &mut self.came);
        } else {
            self.came.reserve(string.len() + 2);
            self.came.push(b'"');
            self.came.extend_from_slice(string.as_bytes());
            self.came.push(b'"');
        }
    }

    fn sorted_form(&self, text: Text) -> &[u8] {
        match text {
            Text::Came(text) => part(&self.came, &text),
            Text::Sorted(text) => part(&self.sorted, &text),
        }
    }
}

/// Of what was written, these bytes.
fn part<'a>(text: &'a [u8], at: &Range<usize>) -> &'a [u8] {
    text.get(at.clone()).unwrap_or_default()
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
        let text = forms.value(&one);
        assert_eq!(str::from_utf8(forms.sorted_form(text)).unwrap(), r#"{"a":1.50,"b":[1,{"c":null,"d":"x\""}]}"#);
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
        let text = forms.value(&all);
        let mut sorted = all.clone();
        sorted.sort_all_objects();
        assert_eq!(str::from_utf8(forms.sorted_form(text)).unwrap(), sorted.to_string());
        assert_eq!(String::from_utf8(forms.came).unwrap(), all.to_string());
    }
}
