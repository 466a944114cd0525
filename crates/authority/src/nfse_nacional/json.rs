//! Lenient reading of JSON: names differ in case between versions of the Sefin, and errors come as a list, as an object
//! or bare.

use super::sefin_message::SefinMessage;
use crate::call::AuthorityReply;
use crate::sefaz::{UnreadableReply, explain_error_page};
use fiscal::value::Codigo;
use serde_json::{Map, Value};

/// Most errors kept of an answer.
const MOST: usize = 100;
/// Longest text kept, in characters.
const LONGEST: usize = 2_000;
/// Members that hold errors.
const ERRORS: [&str; 2] = ["erros", "erro"];

/// JSON value of a reply, whatever its Content-Type.
pub(super) fn value(reply: &AuthorityReply) -> Result<Value, UnreadableReply> {
    serde_json::from_slice(&reply.body).map_err(|_| status(reply))
}

/// Error for a reply that states nothing about the document.
pub(super) fn status(reply: &AuthorityReply) -> UnreadableReply {
    let said = match serde_json::from_slice::<Value>(&reply.body) {
        Ok(value) => errors(&value).first().map_or_else(|| "sem erros".to_owned(), |said| said.text()),
        Err(_) => explain_error_page(&reply.body),
    };
    UnreadableReply::Status { status: reply.status, explanation: said }
}

/// Member by name, ignoring case.
pub(super) fn member<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    find(value.as_object()?, name)
}

/// Text of a member, unless empty.
pub(super) fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    member(value, name)?.as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// Elements of a member that is a list.
pub(super) fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    member(value, name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// True for an answer of the Sefin itself, not of a gateway: it names its environment, or errors.
pub(super) fn is_of_the_sefin(value: &Value) -> bool {
    member(value, "tipoAmbiente").is_some() || !errors(value).is_empty()
}

/// Errors of an answer, in any of their shapes.
pub(super) fn errors(value: &Value) -> Vec<SefinMessage> {
    let inside = ERRORS.iter().find_map(|name| member(value, name).filter(|found| !found.is_null()));
    match inside.unwrap_or(value) {
        Value::Array(list) => list.iter().take(MOST).filter_map(read_message).collect(),
        one => read_message(one).into_iter().collect(),
    }
}

/// Remarks of an answer that accepts.
pub(super) fn alerts(value: &Value) -> Vec<SefinMessage> {
    let list = member(value, "alertas").and_then(Value::as_array);
    list.into_iter().flatten().take(MOST).filter_map(read_message).collect()
}

fn read_message(value: &Value) -> Option<SefinMessage> {
    // JSON text may contain NUL, which PostgreSQL rejects
    let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
    let words = |name: &str| text(value, name).map(|text| text.chars().take(LONGEST).map(plain).collect::<String>());
    let codigo = Codigo::parse(text(value, "codigo")?).ok()?;
    let descricao = words("descricao").or_else(|| words("mensagem")).unwrap_or_default();
    Some(SefinMessage { codigo, descricao, complemento: words("complemento") })
}

fn find<'v>(members: &'v Map<String, Value>, name: &str) -> Option<&'v Value> {
    members.get(name).or_else(|| members.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value))
}
