//! JSON in one form (members sorted, no spaces), so that equal payloads have equal hashes whatever the order of their members.

use serde_json::Value;

/// SHA-256 of the canonical form.
pub(crate) fn sha256(value: &Value) -> [u8; 32] {
    let mut text = String::new();
    write(value, &mut text);
    openssl::sha::sha256(text.as_bytes())
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            names.sort_unstable();
            list(text, ('{', '}'), names, |name, text| {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write(&members[name], text);
            });
        }
        Value::Array(items) => list(text, ('[', ']'), items, write),
        leaf => text.push_str(&leaf.to_string()),
    }
}

fn list<I: IntoIterator>(
    text: &mut String,
    (open, close): (char, char),
    items: I,
    each: impl Fn(I::Item, &mut String),
) {
    text.push(open);
    for (position, item) in items.into_iter().enumerate() {
        if position > 0 {
            text.push(',');
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
        let mut text = String::new();
        write(&one, &mut text);
        assert_eq!(text, r#"{"a":1.50,"b":[1,{"c":null,"d":"x\""}]}"#);
        assert_eq!(sha256(&one), sha256(&other));
        assert_ne!(sha256(&one), sha256(&json!({"b": [{"d": "x\"", "c": null}, 1], "a": 1.50})));
    }
}
