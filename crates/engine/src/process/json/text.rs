//! Text of a tree, equal to `serde_json`'s, written without a serializer call for each leaf: an order of 750 items has
//! 12,000 of them.

use serde_json::Value;

/// Text of an object made of these members.
pub(crate) fn text_of<const MEMBERS: usize>(members: [(&str, &Value); MEMBERS]) -> String {
    let mut text = String::new();
    write_object(members, &mut text);
    text
}

fn write_object<'v>(members: impl IntoIterator<Item = (&'v str, &'v Value)>, text: &mut String) {
    text.push('{');
    for (position, (name, value)) in members.into_iter().enumerate() {
        if position > 0 {
            text.push(',');
        }
        write_quoted(name, text);
        text.push(':');
        write_value(value, text);
    }
    text.push('}');
}

fn write_value(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => write_object(members.iter().map(|(name, value)| (name.as_str(), value)), text),
        Value::Array(items) => write_array(items, text),
        Value::Number(number) => text.push_str(number.as_str()),
        Value::String(string) => write_quoted(string, text),
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
    }
}

fn write_array(items: &[Value], text: &mut String) {
    text.push('[');
    for (position, item) in items.iter().enumerate() {
        if position > 0 {
            text.push(',');
        }
        write_value(item, text);
    }
    text.push(']');
}

/// Quoted text; nearly none has anything to escape.
fn write_quoted(string: &str, text: &mut String) {
    if string.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        text.push_str(&Value::from(string).to_string());
    } else {
        text.push('"');
        text.push_str(string);
        text.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Map;

    /// Every kind of leaf under every kind of name.
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
            "[1,[{\"a\":\"b\"}],null]",
        ];
        let leaves = leaves.map(|leaf| serde_json::from_str::<Value>(leaf).unwrap());
        let member = |at: usize| (names[at % names.len()].to_owned(), leaves[at % leaves.len()].clone());
        let all: Map<String, Value> = (0..names.len())
            .map(|first| {
                let inside: Map<String, Value> = (0..first).map(|at| member(first + 5 * at)).collect();
                (names[first].to_owned(), Value::Array(vec![Value::Object(inside), names[first].into()]))
            })
            .collect();
        let all = Value::Object(all);
        assert_eq!(text_of([("b", &all), ("a", &all)]), format!("{{\"b\":{all},\"a\":{all}}}"));
        assert_eq!(text_of([]), "{}");
    }
}
