//! The tree of a JSON text, read in one pass with the room that the object before it needed: the items of a note are one like the other. What is not read
//! here (a mistake, a name that `serde_json` gives a meaning) is left to `serde_json`, which says what is wrong; what is read is what it would read.

use serde_json::{Map, Number, Value};

/// The object that a text is; `None`: ask `serde_json`.
pub(super) fn object(text: &str) -> Option<Map<String, Value>> {
    let mut reader = Reader { text, at: 0, sizes: [0; DEPTH] };
    reader.blanks();
    let Value::Object(object) = reader.value(0)? else { return None };
    reader.blanks();
    (reader.at == text.len()).then_some(object)
}

/// Deepest nesting that is read here; nothing that deep comes this far.
const DEPTH: usize = 65;
/// Room for more members is not made before they are there.
const MOST_ROOM: usize = 32;
/// The names that mean something to `serde_json` begin like this.
const PRIVATE: &str = "$serde_json::";
/// A whole number of so many digits is one of 64 bits.
const DIGITS: usize = 18;

/// A text, and how far it was read.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Members of the last object at each depth.
    sizes: [usize; DEPTH],
}

impl Reader<'_> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// The next byte that is no blank, if it is this one.
    fn take(&mut self, byte: u8) -> Option<()> {
        self.blanks();
        (self.byte() == Some(byte)).then(|| self.at += 1)
    }

    /// At its first byte.
    fn value(&mut self, depth: usize) -> Option<Value> {
        match self.byte()? {
            b'"' => self.string().map(Value::String),
            b'{' => self.members(depth).map(Value::Object),
            b'[' => self.items(depth).map(Value::Array),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'n' => self.word("null", Value::Null),
            _ => self.number().map(Value::Number),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Option<Value> {
        let rest = self.text.get(self.at..)?;
        rest.starts_with(word).then(|| self.at += word.len())?;
        Some(value)
    }

    fn members(&mut self, depth: usize) -> Option<Map<String, Value>> {
        let room = *self.sizes.get(depth)?;
        self.at += 1;
        if self.take(b'}').is_some() {
            return Some(Map::new());
        }
        let mut members = Map::with_capacity(room.min(MOST_ROOM));
        loop {
            self.blanks();
            let name = self.string()?;
            if members.is_empty() && name.starts_with(PRIVATE) {
                return None;
            }
            self.take(b':')?;
            self.blanks();
            let value = self.value(depth + 1)?;
            members.insert(name, value);
            if self.take(b',').is_none() {
                break;
            }
        }
        self.take(b'}')?;
        *self.sizes.get_mut(depth)? = members.len();
        Some(members)
    }

    fn items(&mut self, depth: usize) -> Option<Vec<Value>> {
        self.at += 1;
        let mut items = Vec::new();
        if self.take(b']').is_some() {
            return Some(items);
        }
        loop {
            self.blanks();
            items.push(self.value(depth + 1)?);
            if self.take(b',').is_none() {
                break;
            }
        }
        self.take(b']')?;
        Some(items)
    }

    /// With its quotes. Nearly none has an escape.
    fn string(&mut self) -> Option<String> {
        let rest = self.text.get(self.at..)?.strip_prefix('"')?;
        let end = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f))?;
        if rest.as_bytes().get(end) == Some(&b'"') {
            self.at += end + 2;
            return rest.get(..end).map(str::to_owned);
        }
        self.escaped(rest)
    }

    #[cold]
    fn escaped(&mut self, rest: &str) -> Option<String> {
        let mut escaped = false;
        let end = rest.bytes().position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        })?;
        let quoted = self.text.get(self.at..self.at + end + 2)?;
        self.at += quoted.len();
        serde_json::from_str(quoted).ok()
    }

    fn number(&mut self) -> Option<Number> {
        let rest = self.text.get(self.at..)?;
        let part_of = |byte: u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let length = rest.bytes().position(|byte| !part_of(byte)).unwrap_or(rest.len());
        let number = rest.get(..length)?;
        self.at += length;
        let is_whole = (1..=DIGITS).contains(&length) && number.bytes().all(|byte| byte.is_ascii_digit());
        if is_whole && (length == 1 || !number.starts_with('0')) {
            return number.parse::<u64>().ok().map(Number::from);
        }
        number.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Read here, or left to `serde_json`: the same tree.
    fn check(text: &str) {
        let theirs: Option<Map<String, Value>> = serde_json::from_str(text).ok();
        let ours = object(text);
        assert!(ours.is_none() || ours == theirs, "{text}: {ours:?} {theirs:?}");
        if let (Some(ours), Some(theirs)) = (&ours, &theirs) {
            let texts = |tree: &Map<String, Value>| serde_json::to_string(tree).unwrap();
            assert_eq!(texts(ours), texts(theirs), "{text}");
        }
    }

    const ORDINARY: &str = "{\"cpf_cnpj\": \"11222333000181\",\r\n\t\"nota\": {\"a\": [{\"b\": 1.50, \"c\": \"P\u{e3}o\", \"d\": null}, {}, [], true, \
                            false, {\"b\": 20, \"c\": \"x\\\"\\u00e7\\n\", \"b\": -3e5}], \"n\": 123456789012345678901234567890}, \"f\": 0.10 } ";

    #[test]
    fn an_ordinary_order_is_read_here() {
        assert!(object(ORDINARY).is_some());
        check(ORDINARY);
        assert!(object("{}").is_some() && object(" { \"a\" : [ ] } ").is_some());
    }

    #[test]
    fn what_serde_json_refuses_is_not_read() {
        for text in [
            "",
            "{",
            "{}x",
            "[]",
            "1",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{,}",
            "{\"a\":[1,]}",
            "{\"a\":01}",
            "{\"a\":1.}",
            "{\"a\":.5}",
            "{\"a\":-}",
            "{\"a\":+1}",
            "{\"a\":1e}",
            "{\"a\":\"\\x\"}",
            "{\"a\":\"\\ud800\"}",
            "{\"a\":\"\n\"}",
            "{\"a\":\"b}",
            "{\"a\":tru}",
            "{\"a\":truex}",
            "{a:1}",
            "{\"a\":1 \"b\":2}",
            "{\"a\":1}}",
            "{\"a\":\"\\\"}",
            "\u{feff}{}",
            "{\"a\":00}",
            "{\"a\":-01}",
        ] {
            assert!(serde_json::from_str::<Map<String, Value>>(text).is_err() && object(text).is_none(), "{text}");
        }
    }

    #[test]
    fn what_serde_json_reads_otherwise_is_left_to_it() {
        for text in [
            r#"{"$serde_json::private::Number":"1"}"#,
            r#"{"a":{"$serde_json::private::Number":"1.50"}}"#,
            r#"{"a":{"$serde_json::private::RawValue":"[1]"}}"#,
        ] {
            assert!(object(text).is_none());
        }
        for text in [
            r#"{"a":-0,"b":1E5,"c":1e-5,"d":1e+5,"e":0,"f":0.0,"g":-1,"h":18446744073709551616}"#,
            r#"{"a":1,"b":2,"a":3}"#,
        ] {
            assert!(object(text).is_some());
            check(text);
        }
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100), "]".repeat(100));
        check(&deep);
    }

    /// Every byte of an order in turn left out, doubled, or another.
    #[test]
    fn a_damaged_order_is_read_as_serde_json_reads_it() {
        let marks = ['"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', '.', 'e', 'n', ' ', '\n', '\u{1}', 'ç'];
        for (at, character) in ORDINARY.char_indices() {
            let (before, after) = (&ORDINARY[..at], &ORDINARY[at + character.len_utf8()..]);
            check(&format!("{before}{after}"));
            check(&format!("{before}{character}{character}{after}"));
            check(before);
            for mark in marks {
                check(&format!("{before}{mark}{after}"));
            }
        }
    }
}
