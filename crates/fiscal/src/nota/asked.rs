//! Series and number that a caller asks for: digits alone, in the width of the document. What cannot be read is refused, not
//! passed over: the note would go under another number without a word.
//!
//! Law: `spec/not-shown.md` §4 (`nNF` and `serie` of the payload win). Must not know a model.

use crate::finding::{Violation, repeated};
use crate::map::Scope;
use crate::value::Serie;
use serde_json::Value;

/// What a document lets its number be.
pub(crate) struct Width {
    /// Greatest number.
    pub(crate) most: u64,
    /// Greatest series where it is a number; `None` where it may have letters.
    pub(crate) most_series: Option<u32>,
}

/// Of an access key: nine digits and three.
pub(crate) const OF_KEY: Width = Width { most: 999_999_999, most_series: Some(999) };

/// The number under one of these names; `None` when nobody asks for one.
pub(crate) fn number(scope: &Scope<'_>, names: &[&'static str], width: &Width) -> Result<Option<u64>, Violation> {
    let Some((campo, value)) = names.iter().find_map(|name| scope.given(name)) else { return Ok(None) };
    let digits = digits(value);
    let number = digits.and_then(|digits| digits.parse().ok()).filter(|number| (1..=width.most).contains(number));
    let mensagem = || {
        format!(
            "{} não é um número de documento: informe um inteiro de 1 a {}, só com dígitos.",
            shown(value),
            width.most
        )
    };
    number.map(Some).ok_or_else(|| unreadable(&campo, value, &mensagem()))
}

/// The series, likewise.
pub(crate) fn series(scope: &Scope<'_>, names: &[&'static str], width: &Width) -> Result<Option<Serie>, Violation> {
    let Some((campo, value)) = names.iter().find_map(|name| scope.given(name)) else { return Ok(None) };
    let most = width.most_series;
    let text = match most {
        Some(_) => digits(value),
        None => plain(value),
    };
    let fits = |serie: &Serie| most.is_none_or(|most| serie.number().is_some_and(|number| number <= most));
    let serie = text.and_then(|text| Serie::parse(text).ok()).filter(fits);
    let mensagem = || match most {
        Some(most) => format!("{} não é uma série: informe um inteiro de 0 a {most}, só com dígitos.", shown(value)),
        None => format!("{} não é uma série: informe de 1 a 5 letras ou dígitos.", shown(value)),
    };
    serie.map(Some).ok_or_else(|| unreadable(&campo, value, &mensagem()))
}

fn plain(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text.trim()),
        Value::Number(number) => Some(number.as_str()),
        _ => None,
    }
}

fn digits(value: &Value) -> Option<&str> {
    plain(value).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The value as a message repeats it.
fn shown(value: &Value) -> String {
    plain(value).map_or_else(|| "Isto".to_owned(), |text| format!("\"{}\"", repeated(text)))
}

fn unreadable(campo: &str, value: &Value, mensagem: &str) -> Violation {
    let codigo = if plain(value).is_some() { "valor_invalido" } else { "tipo_invalido" };
    Violation::of(campo, codigo, mensagem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Origin;
    use serde_json::{Map, json};

    fn scope(ide: &Map<String, Value>) -> Scope<'_> {
        Scope::at("nota.ide").with(ide, "nota.ide", Origin::Caller)
    }

    #[test]
    fn what_is_no_number_is_refused_where_it_stands() {
        for value in [
            json!("5.234"),
            json!("abc"),
            json!(0),
            json!("0"),
            json!(true),
            json!([1]),
            json!({ "a": 1 }),
            json!(-1),
            json!("1.0"),
            json!(1_000_000_000),
        ] {
            let ide = Map::from_iter([("nNF".to_owned(), value.clone())]);
            let refused = number(&scope(&ide), &["nNF"], &OF_KEY).unwrap_err();
            assert_eq!(refused.campo, "nota.ide.nNF", "{value}");
        }
        for value in [json!(null), json!(""), json!({}), json!([])] {
            let ide = Map::from_iter([("nNF".to_owned(), value.clone())]);
            assert!(number(&scope(&ide), &["nNF"], &OF_KEY).unwrap().is_none(), "{value}");
        }
        for (value, read) in [(json!("000000123"), 123), (json!(123), 123), (json!(" 7 "), 7)] {
            let ide = Map::from_iter([("nNF".to_owned(), value)]);
            assert_eq!(number(&scope(&ide), &["nNF"], &OF_KEY).unwrap(), Some(read));
        }
    }

    #[test]
    fn a_series_has_digits_where_it_stands_in_a_key() {
        let letters = Width { most: 9, most_series: None };
        for (value, in_key, of_letters) in [
            (json!("001"), Some("1"), Some("1")),
            (json!(0), Some("0"), Some("0")),
            (json!("1.0"), None, None),
            (json!("AB"), None, Some("AB")),
            (json!(1000), None, Some("1000")),
            (json!(false), None, None),
        ] {
            let ide = Map::from_iter([("serie".to_owned(), value.clone())]);
            let read =
                |width: &Width| series(&scope(&ide), &["serie"], width).ok().flatten().map(|serie| serie.to_string());
            assert_eq!((read(&OF_KEY).as_deref(), read(&letters).as_deref()), (in_key, of_letters), "{value}");
        }
    }
}
