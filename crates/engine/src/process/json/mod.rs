//! Trees of JSON, written (`text`) and read into `serde_json`'s values.
//!
//! Values, refusals and positions are `serde_json`'s; the tests compare both. One refusal is added for callers: a name
//! that an object has twice, of which one value would disappear silently.

mod text;

pub(crate) use text::text_of;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};
use std::fmt;

/// Reason why a text was not read.
#[derive(Debug)]
pub enum ReadError {
    /// The text is no JSON.
    Syntax(serde_json::Error),
    /// A member occurs twice in its object; its path, e.g. `nota.produtos[0].CFOP`.
    Repeated(String),
}

/// Reads a caller's text that holds exactly one value.
pub fn read(text: &str) -> Result<Value, ReadError> {
    let mut repeated = None;
    read_by(text, &mut repeated).map_err(|error| match repeated {
        Some(path) => ReadError::Repeated(path),
        None => ReadError::Syntax(error),
    })
}

fn read_by(text: &str, repeated: &mut Option<String>) -> serde_json::Result<Value> {
    let mut from = serde_json::Deserializer::from_str(text);
    let value = TreeReader { repeated }.deserialize(&mut from)?;
    from.end()?;
    Ok(value)
}

/// Reads one value of a text.
struct TreeReader<'r> {
    /// Path of the repeated member, put together while the error travels up.
    repeated: &'r mut Option<String>,
}

impl TreeReader<'_> {
    fn within(&mut self) -> TreeReader<'_> {
        TreeReader { repeated: self.repeated }
    }

    /// Prepends a step to the path of the repeated member, if there is one.
    fn prepend_path(&mut self, step: impl FnOnce() -> String) {
        if let Some(path) = self.repeated {
            let point = if path.starts_with('[') { "" } else { "." };
            *path = format!("{}{point}{path}", step());
        }
    }

    fn object<'de, A: MapAccess<'de>>(mut self, first: String, members: &mut A) -> Result<Value, A::Error> {
        let (mut object, mut next) = (Map::new(), Some(first));
        while let Some(name) = next {
            let value = match members.next_value_seed(self.within()) {
                Ok(value) => value,
                Err(error) => {
                    self.prepend_path(|| name);
                    return Err(error);
                }
            };
            match object.entry(name) {
                Entry::Vacant(member) => drop(member.insert(value)),
                Entry::Occupied(member) => {
                    *self.repeated = Some(member.key().clone());
                    return Err(A::Error::custom("a member stands twice"));
                }
            }
            next = members.next_key()?;
        }
        Ok(Value::Object(object))
    }
}

impl<'de> DeserializeSeed<'de> for TreeReader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TreeReader<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any valid JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            match items.next_element_seed(self.within()) {
                Ok(Some(item)) => list.push(item),
                Ok(None) => return Ok(Value::Array(list)),
                Err(error) => {
                    self.prepend_path(|| format!("[{}]", list.len()));
                    return Err(error);
                }
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        match members.next_key()? {
            None => Ok(Value::Object(Map::new())),
            Some(FirstKey::Name(name)) => self.object(name, &mut members),
            Some(FirstKey::Number) => {
                let digits: String = members.next_value()?;
                digits.parse::<Number>().map(Value::Number).map_err(A::Error::custom)
            }
            Some(FirstKey::Raw) => {
                let text: String = members.next_value()?;
                read_by(&text, self.repeated).map_err(A::Error::custom)
            }
        }
    }
}

/// First name of an object. `serde_json` passes a number as an object of one member, to keep its digits, and a raw text
/// under another private name.
enum FirstKey {
    Name(String),
    Number,
    Raw,
}

impl<'de> Deserialize<'de> for FirstKey {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<FirstKey, D::Error> {
        from.deserialize_str(FirstName)
    }
}

struct FirstName;

impl Visitor<'_> for FirstName {
    type Value = FirstKey;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string key")
    }

    fn visit_str<E>(self, name: &str) -> Result<FirstKey, E> {
        Ok(match name {
            "$serde_json::private::Number" => FirstKey::Number,
            "$serde_json::private::RawValue" => FirstKey::Raw,
            name => FirstKey::Name(name.to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &str = r#" {"nota":{"ide":{"natOp":"Venda \"A\" \u00e7","tpNF":1},"produtos":[
        {"cProd":"1","vProd":100.00,"qCom":1e-3,"icms":{"orig":0,"CSOSN":"102"},"pis":{},"x":[null,true,[],[{}],-0.10]},
        {"cProd":"2","vProd":12345678901234567890.10,"icms":{"orig":0},"ipi":{"a":1,"b":2,"c":3,"d":4,"g":5,"f":6},"x":[false]}
    ]},"n":-0,"m":1E+5} "#;

    fn same(text: &str) {
        match (read(text), serde_json::from_str::<Value>(text)) {
            (Ok(ours), Ok(theirs)) => {
                assert_eq!(ours, theirs, "{text}");
                // the order of members too
                assert_eq!(ours.to_string(), theirs.to_string(), "{text}");
            }
            (Err(ReadError::Syntax(ours)), Err(theirs)) => {
                let told = |error: &serde_json::Error| (error.classify(), error.line(), error.column());
                assert_eq!(told(&ours), told(&theirs), "{text}: {ours}; {theirs}");
            }
            (ours, theirs) => panic!("{text}: {ours:?}; {theirs:?}"),
        }
    }

    #[test]
    fn every_damage_to_every_byte_is_read_as_serde_json_reads_it() {
        same(NOTE);
        for at in 0..NOTE.len() {
            if let Some(cut) = NOTE.get(..at) {
                same(cut);
            }
            for put in ["", "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", " ", "\u{1}", "ç"] {
                if let (Some(before), Some(after)) = (NOTE.get(..at), NOTE.get(at + 1..)) {
                    same(&format!("{before}{put}{after}"));
                }
            }
        }
    }

    #[test]
    fn names_that_serde_json_keeps_for_itself_are_read_as_it_reads_them() {
        for name in
            ["$serde_json::private::Number", "$serde_json::private::RawValue", "\\u0024serde_json::private::Number"]
        {
            for value in ["\"1.50\"", "\"-\"", "\"1 \"", "\"[1,{\\\"a\\\":2}]\"", "\"{\"", "1", "null", "{}"] {
                same(&format!("{{\"{name}\":{value}}}"));
                same(&format!("[{{\"{name}\":{value},\"a\":1}}]"));
                same(&format!("{{\"a\":1,\"{name}\":{value}}}"));
            }
        }
    }

    #[test]
    fn a_name_that_comes_twice_is_told_by_its_path() {
        for (text, path) in [
            (r#"{"a":1,"a":1}"#, "a"),
            (r#"{"nota":{"produtos":[{"vProd":1},{"CFOP":"5102","CFOP":"5405"}]}}"#, "nota.produtos[1].CFOP"),
            (r#"{"a":{"b":[[{"c":{"d":{},"d":null}}]]}}"#, "a.b[0][0].c.d"),
            (r#"[{"\u0061":1,"a":2}]"#, "[0].a"),
        ] {
            match read(text) {
                Err(ReadError::Repeated(found)) => assert_eq!(found, path),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(read(r#"{"a":{"a":1},"b":[{"a":1},{"a":1}]}"#).is_ok());
        assert!(matches!(read(r#"{"a":1,"a":}"#), Err(ReadError::Syntax(_))), "what is no JSON is told first");
    }

    #[test]
    fn depth_has_the_same_end() {
        for depth in [126, 127, 128, 129] {
            same(&format!("{}0{}", "[".repeat(depth), "]".repeat(depth)));
            same(&format!("{}0{}", "{\"a\":".repeat(depth), "}".repeat(depth)));
        }
    }

    #[test]
    fn objects_of_every_size_follow_one_another() {
        let object = |members: usize| -> String {
            let members: Vec<String> = (0..members).map(|name| format!("\"{name}\":{{\"a\":[{name}]}}")).collect();
            format!("{{{}}}", members.join(","))
        };
        let sizes = [0, 1, 70, 1, 0, 3, 300, 2, 64, 65, 5, 5, 12];
        let all: Vec<String> = sizes.into_iter().map(object).collect();
        same(&format!("[{}]", all.join(",")));
    }
}
