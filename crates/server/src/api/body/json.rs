//! The JSON text that is accepted, and a bound of the memory that it takes.

use engine::process::json::ReadError;
use fiscal::finding::excerpt;
use serde_json::{Map, Value};

use crate::api::error::ApiError;
use crate::api::error_code;

/// The UTF-8 text of a body.
pub(super) fn text(bytes: &[u8]) -> Result<&str, ApiError> {
    std::str::from_utf8(bytes)
        .map_err(|error| invalid_json(format!("o texto não é UTF-8 a partir do byte {}", error.valid_up_to())))
}

/// Parses a JSON object.
pub(super) fn object(text: &str) -> Result<Map<String, Value>, ApiError> {
    match engine::process::json::read(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(invalid_json("o corpo deve ser um objeto: { … }".to_owned())),
        Err(ReadError::Syntax(error)) => Err(invalid_json(describe(&error))),
        Err(ReadError::Repeated(path)) => Err(repeated_member(&path)),
    }
}

/// Refusal of a repeated member: JSON does not define which of the two values counts.
fn repeated_member(path: &str) -> ApiError {
    let path = excerpt(path);
    let detail =
        format!("O corpo tem o membro {path} duas vezes: nenhum dos dois seria lido com certeza. Deixe um só.");
    ApiError::new(&error_code::JSON_INVALIDO, detail).at(&path)
}

/// Position and kind of a syntax error: serde's own text may quote the body.
fn describe(error: &serde_json::Error) -> String {
    let kind = match error.classify() {
        serde_json::error::Category::Eof => "o texto termina antes do fim do objeto",
        _ => "há um erro de sintaxe",
    };
    format!("{kind} (linha {}, coluna {})", error.line(), error.column())
}

fn invalid_json(what: String) -> ApiError {
    ApiError::new(&error_code::JSON_INVALIDO, format!("O corpo não é um JSON válido: {what}."))
}

/// Upper bound of the memory of a text's tree, in bytes, together with the text itself; refuses one that is nested too
/// deeply.
///
/// An object in the tree reserves four members and a table of their names with its first member; a value takes room in
/// its list, which doubles as it grows, and a number is stored as its digits.
pub(super) fn memory_bound(text: &str) -> Result<usize, ApiError> {
    let (mut depth, mut weight) = (0_usize, 0_usize);
    // an opened object or list takes memory of its own only when it has an entry
    let mut opened = 0_usize;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                weight += std::mem::take(&mut opened);
                skip_text(&mut bytes);
            }
            b'{' | b'[' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(invalid_json(format!("há mais de {MAX_DEPTH} níveis de aninhamento")));
                }
                weight += std::mem::replace(&mut opened, if byte == b'{' { OBJECT } else { LIST });
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                opened = 0;
            }
            b',' => weight += VALUE,
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ => weight += std::mem::take(&mut opened),
        }
    }
    Ok(weight.saturating_add(text.len()))
}

/// Skips the rest of a string, including its closing quote.
fn skip_text(bytes: &mut std::str::Bytes<'_>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
}

/// Deepest nesting accepted. The deepest official layout needs 14 levels.
const MAX_DEPTH: usize = 64;
/// Bytes of an object with its first four members.
const OBJECT: usize = 576;
/// Bytes of a list with its first four values.
const LIST: usize = 352;
/// Bytes of a further value, with its name.
const VALUE: usize = 160;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_every_digit() {
        let object = object(r#"{"vProd":123456789012345.10,"qCom":10.50000000001234567}"#).unwrap();
        assert_eq!(object["vProd"].to_string(), "123456789012345.10");
        assert_eq!(object["qCom"].to_string(), "10.50000000001234567");
    }

    #[test]
    fn brackets_inside_of_texts_do_not_nest() {
        let text = format!(r#"{{"a":"{}\""}}"#, "[".repeat(100));
        assert!(memory_bound(&text).is_ok() && object(&text).is_ok());
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100), "]".repeat(100));
        assert!(memory_bound(&deep).is_err());
    }

    #[test]
    fn a_syntax_error_never_quotes_the_body() {
        let error = object(r#"{"senha":"s3gredo" x}"#).unwrap_err();
        assert!(!error.body("/", "id").to_string().contains("s3gredo"));
    }

    #[test]
    fn a_tree_is_weighed_before_it_grows() {
        assert!(memory_bound(&format!("[{}0]", "0,".repeat(999))).unwrap() >= 1000 * size_of::<Value>() * 2);
        assert!(memory_bound(&format!("[{}{{}}]", "{\"\":0},".repeat(999))).unwrap() >= 1000 * OBJECT);
        assert!(memory_bound(&format!("[{}[ ]]", "{},[],".repeat(999))).unwrap() < 2000 * VALUE + 2 * LIST + 6000);
        // brackets and commas in a string do not count
        assert!(memory_bound(&format!("[\"{}\"]", "{,".repeat(999))).unwrap() < 3000);
    }
}
