//! JSON in one form (members sorted, no spaces), so that equal payloads have equal hashes whatever the order of their members.

use serde::Serialize;
use serde_json::Value;

/// SHA-256 of the canonical form.
pub(crate) fn sha256(value: &Value) -> [u8; 32] {
    let mut text = Vec::new();
    write(value, &mut text);
    openssl::sha::sha256(&text)
}

/// The same of an object that is none yet: its members, sorted. In another form it has `length` bytes, and in this one about as many.
pub(crate) fn sha256_of<const MEMBERS: usize>(members: [(&str, &Value); MEMBERS], length: usize) -> [u8; 32] {
    debug_assert!(members.is_sorted_by_key(|(name, _)| *name));
    let mut text = Vec::with_capacity(length);
    list(&mut text, *b"{}", members, member);
    openssl::sha::sha256(&text)
}

fn write(value: &Value, text: &mut Vec<u8>) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(&str, &Value)> = members.iter().map(|(name, value)| (name.as_str(), value)).collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            list(text, *b"{}", members, member);
        }
        Value::Array(items) => list(text, *b"[]", items, write),
        Value::Number(number) => text.extend_from_slice(number.as_str().as_bytes()),
        leaf => json(leaf, text),
    }
}

fn member((name, value): (&str, &Value), text: &mut Vec<u8>) {
    json(name, text);
    text.push(b':');
    write(value, text);
}

fn json<T: Serialize + ?Sized>(leaf: &T, text: &mut Vec<u8>) {
    // text, a number, true: nothing of them can fail to be written into memory
    let _ = serde_json::to_writer(text, leaf);
}

fn list<I: IntoIterator>(text: &mut Vec<u8>, [open, close]: [u8; 2], items: I, each: impl Fn(I::Item, &mut Vec<u8>)) {
    text.push(open);
    for (position, item) in items.into_iter().enumerate() {
        if position > 0 {
            text.push(b',');
        }
        each(item, text);
    }
    text.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_order_of_members_does_not_matter_and_that_of_items_does() {
        let one: Value = serde_json::from_str(r#"{"b":[1,{"d":"x\"","c":null}],"a":1.50}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"a":1.50,"b":[1,{"c":null,"d":"x\""}]}"#).unwrap();
        let mut text = Vec::new();
        write(&one, &mut text);
        assert_eq!(str::from_utf8(&text).unwrap(), r#"{"a":1.50,"b":[1,{"c":null,"d":"x\""}]}"#);
        assert_eq!(sha256(&one), sha256(&other));
        let Value::Object(members) = &other else { panic!("an object") };
        assert_eq!(sha256_of([("a", &members["a"]), ("b", &members["b"])], 0), sha256(&one));
        assert_ne!(sha256(&one), sha256(&json!({"b": [{"d": "x\"", "c": null}, 1], "a": 1.50})));
    }
}
