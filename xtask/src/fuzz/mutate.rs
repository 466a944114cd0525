//! Faults of a value: its type, its size, its letters, its position.

use crate::lab::random::Random;
use serde_json::{Map, Number, Value};

/// Puts a fault into one part of a value. A value that earlier faults made large is left as it is.
pub(super) fn value(value: &mut Value, random: &mut Random) {
    if weight(value) > MAX_WEIGHT {
        return;
    }
    let place = descend(value, random);
    match random.below(8) {
        0 => *place = Value::Null,
        1 => *place = Value::String(text(random)),
        2 => *place = number(random),
        3 => *place = Value::Array(vec![place.clone(); random.below(12)]),
        4 => *place = Value::Object(Map::from_iter([(text(random), place.clone())])),
        5 => rename(place, random),
        6 => remove(place, random),
        _ => stretch(place, random),
    }
}

/// Returns the number of letters and elements of a value.
fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).sum::<usize>() + items.len(),
        Value::Object(members) => members.iter().map(|(name, member)| name.len() + weight(member)).sum(),
        _ => 1,
    }
}

/// Weight from which a value gets no more faults: a fault multiplies by some hundreds, so the result would be
/// megabytes.
const MAX_WEIGHT: usize = 64 << 10;

/// Returns a random inner value; each level is equally likely to be the last.
fn descend<'a>(value: &'a mut Value, random: &mut Random) -> &'a mut Value {
    let inside = match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    if inside == 0 || random.once_in(6) {
        return value;
    }
    let at = random.below(inside);
    match value {
        Value::Array(items) => descend(&mut items[at], random),
        Value::Object(members) => match members.iter_mut().nth(at) {
            Some((_, member)) => descend(member, random),
            None => unreachable!("an index below the length"),
        },
        other => other,
    }
}

fn rename(place: &mut Value, random: &mut Random) {
    if let Value::Object(members) = place
        && let Some(name) = members.keys().nth(random.below(members.len())).cloned()
        && let Some(member) = members.remove(&name)
    {
        let wrong = if random.once_in(2) { text(random) } else { format!("{name}x") };
        members.insert(wrong, member);
    }
}

fn remove(place: &mut Value, random: &mut Random) {
    if let Value::Object(members) = place
        && let Some(name) = members.keys().nth(random.below(members.len())).cloned()
    {
        members.remove(&name);
    }
}

fn stretch(place: &mut Value, random: &mut Random) {
    match place {
        Value::String(text) => *text = text.repeat(1 + random.below(300)),
        Value::Array(items) if !items.is_empty() => {
            let item = items[0].clone();
            items.extend(std::iter::repeat_n(item, random.below(60)));
        }
        Value::Object(members) => {
            for turn in 0..random.below(40) {
                members.insert(format!("{}{turn}", word(random, &NAMES)), Value::from(turn));
            }
        }
        other => *other = number(random),
    }
}

/// Returns a number that a caller might send.
fn number(random: &mut Random) -> Value {
    word(random, &NUMBERS).parse::<Number>().map_or(Value::Null, Value::Number)
}

/// Returns a text that a caller might send.
pub(super) fn text(random: &mut Random) -> String {
    match random.below(4) {
        0 => word(random, &TEXTS),
        1 => (0..random.below(40))
            .filter_map(|_| char::from_u32(u32::try_from(random.below(0x0011_0000)).ok()?))
            .collect(),
        2 => word(random, &TEXTS).repeat(random.below(200)),
        _ => (0..random.below(60)).map(|_| char::from(b' ' + u8::try_from(random.below(95)).unwrap_or(0))).collect(),
    }
}

/// Returns a text that fits into a header line.
pub(super) fn header_value(random: &mut Random) -> String {
    text(random).chars().filter(|letter| !letter.is_control() && letter.is_ascii()).take(2_000).collect()
}

/// Returns a random one of these words.
pub(super) fn word(random: &mut Random, words: &[&str]) -> String {
    random.one_of(words).map(|word| (*word).to_owned()).unwrap_or_default()
}

/// Percent-encodes at most 4,000 letters for a target.
pub(super) fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes().take(1_300) {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    if encoded.is_empty() { "%20".to_owned() } else { encoded }
}

/// Flips, cuts or doubles bytes.
pub(super) fn bytes(mut bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    if bytes.is_empty() {
        return bytes;
    }
    let at = random.below(bytes.len());
    match random.below(3) {
        0 => bytes[at] ^= u8::try_from(random.below(255)).unwrap_or(0) + 1,
        1 => bytes.truncate(at),
        _ => bytes.extend_from_within(at..),
    }
    bytes
}

const NUMBERS: [&str; 16] = [
    "0",
    "-1",
    "1",
    "0.1",
    "0.005",
    "1.005",
    "999999999",
    "4294967296",
    "18446744073709551616",
    "1e400",
    "-1e-400",
    "9999999999999.99",
    "79228162514264337593543950335",
    "79228162514264337593543950336",
    "0.00000000000000000000000000001",
    "1E+2",
];
const NAMES: [&str; 6] = ["vProd", "vlProd", "CFOP", "campo", "é", "__proto__"];
const TEXTS: [&str; 18] = [
    "",
    " ",
    "0",
    "-1",
    "SEM GTIN",
    "2026-11-22T10:00:00-03:00",
    "9999-99-99",
    "11222333000181",
    "12.ABC.345/01DE-35",
    "<x>&amp;\"'</x>",
    "\u{0}",
    "a\u{301}\u{200b}",
    "😀",
    "' OR 1=1 --",
    "../../etc/passwd",
    "%00",
    "{\"a\":1}",
    "true",
];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn breaks_something_in_most_turns_and_never_itself() {
        let whole = json!({ "a": [1, { "b": "c" }], "d": { "e": null, "f": "0.10" } });
        let mut random = Random::new(1);
        let broken = (0..2_000)
            .filter(|_| {
                let mut value = whole.clone();
                super::value(&mut value, &mut random);
                value != whole
            })
            .count();
        assert!(broken > 1_500, "{broken}");
    }

    #[test]
    fn what_is_encoded_is_one_segment() {
        assert_eq!(encoded("a/b?é"), "a%2Fb%3F%C3%A9");
        assert_eq!(encoded(""), "%20");
    }
}
