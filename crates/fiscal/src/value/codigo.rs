//! Code in an authority's answer: a number (`cStat`), or letters and digits (`E0014` of the national NFS-e, `L002` of
//! ABRASF).

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A code in its authority's spelling. A number is serialised as a number.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Codigo(String);

/// The text is no code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("um código tem de 1 a 20 letras, algarismos ou hífens")]
pub struct InvalidCodigo;

/// Most characters of a code; the longest known one has seven.
const MOST: usize = 20;

impl Codigo {
    /// Reads a code, without spaces around it.
    pub fn parse(text: &str) -> Result<Codigo, InvalidCodigo> {
        let text = text.trim();
        let shaped = text.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'-');
        if shaped && (1..=MOST).contains(&text.len()) { Ok(Codigo(text.to_owned())) } else { Err(InvalidCodigo) }
    }
    pub fn as_str(&self) -> &str {
        &self.0
    }
    /// The number, unless it has leading zeros or other characters.
    pub fn number(&self) -> Option<u16> {
        let number: u16 = self.0.parse().ok()?;
        (number.to_string() == self.0).then_some(number)
    }
}

impl From<u16> for Codigo {
    fn from(number: u16) -> Codigo {
        Codigo(number.to_string())
    }
}

impl Serialize for Codigo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.number() {
            Some(number) => serializer.serialize_u16(number),
            None => serializer.serialize_str(&self.0),
        }
    }
}

/// Read from a number or a text.
impl<'de> Deserialize<'de> for Codigo {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Codigo, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum NumberOrText {
            Number(u16),
            Text(String),
        }
        match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Number(number) => Ok(Codigo::from(number)),
            NumberOrText::Text(text) => Codigo::parse(&text).map_err(D::Error::custom),
        }
    }
}

impl PartialEq<u16> for Codigo {
    fn eq(&self, number: &u16) -> bool {
        self.number() == Some(*number)
    }
}

impl fmt::Display for Codigo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Codigo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Codigo({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_that_is_a_number_is_shown_as_one() {
        for (text, number, shown) in [
            ("100", Some(100), "100"),
            (" 1101 ", Some(1_101), "1101"),
            ("E0014", None, "\"E0014\""),
            ("L002", None, "\"L002\""),
            ("0014", None, "\"0014\""),
            ("70000", None, "\"70000\""),
        ] {
            let codigo = Codigo::parse(text).unwrap();
            assert_eq!((codigo.as_str(), codigo.number()), (text.trim(), number));
            assert_eq!(serde_json::to_string(&codigo).unwrap(), shown);
            assert_eq!(serde_json::from_str::<Codigo>(shown).unwrap(), codigo);
            assert_eq!(number.map(|number| codigo == number), number.map(|_| true));
        }
        assert_eq!(Codigo::parse("135"), Ok(Codigo::from(135)));
        for text in ["", " ", "E 14", "é", "123456789012345678901"] {
            assert_eq!(Codigo::parse(text), Err(InvalidCodigo), "{text}");
        }
    }
}
