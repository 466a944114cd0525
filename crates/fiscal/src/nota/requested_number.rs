//! Series and number requested by a caller: digits only, in the width of the document. An unreadable value is refused,
//! because ignoring it would silently issue the document under another number.
//!
//! Law: `docs/contract.md`, "Emission" (number and series of the payload win). Must not know a model: each brings its
//! names.

use crate::document::RequestedNumber;
use crate::finding::{Violation, excerpt};
use crate::map::GroupScope;
use crate::value::Serie;
use serde_json::Value;

/// Names and width of the number and the series of a document.
pub(crate) struct NumberFields {
    /// Names of the number, the strongest first.
    pub(crate) numero: &'static [&'static str],
    /// Names of the series.
    pub(crate) serie: &'static [&'static str],
    /// Greatest number.
    pub(crate) most: u64,
    /// Greatest series.
    pub(crate) most_series: u32,
}

/// Greatest number and series of an access key: nine digits and three.
pub(crate) const MOST_OF_KEY: u64 = 999_999_999;
pub(crate) const MOST_SERIES_OF_KEY: u32 = 999;

impl NumberFields {
    /// Returns the fields of a document with an access key.
    pub(crate) const fn of_key(numero: &'static [&'static str]) -> NumberFields {
        NumberFields { numero, serie: &["serie"], most: MOST_OF_KEY, most_series: MOST_SERIES_OF_KEY }
    }

    /// Returns the requested series and number, as far as they can be read.
    pub(crate) fn numbering(&self, scope: &GroupScope<'_>) -> RequestedNumber {
        RequestedNumber { serie: self.series(scope).ok().flatten(), numero: self.number(scope).ok().flatten() }
    }

    /// Returns a violation for each requested value that cannot be read.
    pub(crate) fn refusals(&self, scope: &GroupScope<'_>) -> impl Iterator<Item = Violation> {
        self.number(scope).err().into_iter().chain(self.series(scope).err())
    }

    fn number(&self, scope: &GroupScope<'_>) -> Result<Option<u64>, Violation> {
        let Some((campo, value)) = self.numero.iter().find_map(|name| scope.given(name)) else { return Ok(None) };
        let number = digits(value).and_then(|digits| digits.parse().ok());
        let number = number.filter(|number| (1..=self.most).contains(number));
        let wanted = || format!("um número de documento: informe um inteiro de 1 a {}", self.most);
        number.map(Some).ok_or_else(|| unreadable(&campo, value, &wanted()))
    }

    fn series(&self, scope: &GroupScope<'_>) -> Result<Option<Serie>, Violation> {
        let Some((campo, value)) = self.serie.iter().find_map(|name| scope.given(name)) else { return Ok(None) };
        let serie = digits(value).and_then(|text| Serie::parse(text).ok());
        let serie = serie.filter(|serie| serie.number().is_some_and(|number| number <= self.most_series));
        let wanted = || format!("uma série: informe um inteiro de 0 a {}", self.most_series);
        serie.map(Some).ok_or_else(|| unreadable(&campo, value, &wanted()))
    }
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

fn unreadable(campo: &str, value: &Value, wanted: &str) -> Violation {
    let (codigo, shown) = match plain(value) {
        Some(text) => ("valor_invalido", format!("\"{}\"", excerpt(text))),
        None => ("tipo_invalido", "Isto".to_owned()),
    };
    Violation::of(campo, codigo, &format!("{shown} não é {wanted}, só com dígitos."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::LayerOrigin;
    use serde_json::{Map, json};

    const FIELDS: NumberFields = NumberFields::of_key(&["nNF"]);

    fn scope(ide: &Map<String, Value>) -> GroupScope<'_> {
        GroupScope::at("nota.ide").with(ide, "nota.ide", LayerOrigin::Caller)
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
            let refused = FIELDS.number(&scope(&ide)).unwrap_err();
            assert_eq!(refused.campo, "nota.ide.nNF", "{value}");
        }
        for value in [json!(null), json!(""), json!({}), json!([])] {
            let ide = Map::from_iter([("nNF".to_owned(), value.clone())]);
            assert!(FIELDS.number(&scope(&ide)).unwrap().is_none(), "{value}");
        }
        for (value, read) in [(json!("000000123"), 123), (json!(123), 123), (json!(" 7 "), 7)] {
            let ide = Map::from_iter([("nNF".to_owned(), value)]);
            assert_eq!(FIELDS.number(&scope(&ide)).unwrap(), Some(read));
        }
    }

    #[test]
    fn a_series_has_digits_where_it_stands_in_a_key() {
        for (value, expected) in [
            (json!("001"), Some("1")),
            (json!(0), Some("0")),
            (json!("1.0"), None),
            (json!("AB"), None),
            (json!(1000), None),
            (json!(false), None),
        ] {
            let ide = Map::from_iter([("serie".to_owned(), value.clone())]);
            let read = FIELDS.series(&scope(&ide)).ok().flatten().map(|serie| serie.to_string());
            assert_eq!(read.as_deref(), expected, "{value}");
        }
    }
}
