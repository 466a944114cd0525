//! Reading the JSON leniently: names differ in case from one version of the Sefin to the next, and a list of errors
//! comes as a list, as one object or bare.

use super::reply::Said;
use crate::call::Reply;
use crate::sefaz::{Unreadable, explain_error_page};
use fiscal::value::Codigo;
use serde_json::{Map, Value};

/// Most errors kept of one answer.
const MOST: usize = 100;
/// Longest text kept, in characters.
const LONGEST: usize = 2_000;
/// Where errors stand.
const ERRORS: [&str; 2] = ["erros", "erro"];

/// The value of a reply that is JSON, whatever its Content-Type says.
pub(super) fn value(reply: &Reply) -> Result<Value, Unreadable> {
    serde_json::from_slice(&reply.body).map_err(|_| status(reply))
}

/// A reply that says nothing of the document.
pub(super) fn status(reply: &Reply) -> Unreadable {
    let said = match serde_json::from_slice::<Value>(&reply.body) {
        Ok(value) => errors(&value).first().map_or_else(|| "sem erros".to_owned(), |said| said.text()),
        Err(_) => explain_error_page(&reply.body),
    };
    Unreadable::Status { status: reply.status, said }
}

/// A member whatever the case of its name.
pub(super) fn member<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    find(value.as_object()?, name)
}

/// Its text, when it has one.
pub(super) fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    member(value, name)?.as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// Its members, when it is a list.
pub(super) fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    member(value, name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Whether this is an answer of the Sefin and not of a gateway: it says its environment, or errors of its own.
pub(super) fn is_of_the_sefin(value: &Value) -> bool {
    member(value, "tipoAmbiente").is_some() || !errors(value).is_empty()
}

/// The errors of an answer, in any of their shapes.
pub(super) fn errors(value: &Value) -> Vec<Said> {
    let inside = ERRORS.iter().find_map(|name| member(value, name).filter(|found| !found.is_null()));
    match inside.unwrap_or(value) {
        Value::Array(list) => list.iter().take(MOST).filter_map(said).collect(),
        one => said(one).into_iter().collect(),
    }
}

/// The remarks of an answer that accepts.
pub(super) fn alerts(value: &Value) -> Vec<Said> {
    let list = member(value, "alertas").and_then(Value::as_array);
    list.into_iter().flatten().take(MOST).filter_map(said).collect()
}

fn said(value: &Value) -> Option<Said> {
    // JSON can say a NUL, which PostgreSQL keeps in no text
    let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
    let words = |name: &str| text(value, name).map(|text| text.chars().take(LONGEST).map(plain).collect::<String>());
    let codigo = Codigo::parse(text(value, "codigo")?).ok()?;
    let descricao = words("descricao").or_else(|| words("mensagem")).unwrap_or_default();
    Some(Said { codigo, descricao, complemento: words("complemento") })
}

fn find<'v>(members: &'v Map<String, Value>, name: &str) -> Option<&'v Value> {
    members.get(name).or_else(|| members.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value))
}
