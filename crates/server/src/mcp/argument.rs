//! Arguments of a tool call, as texts and as the query of a route.

use axum::extract::RawQuery;
use rmcp::model::JsonObject;
use serde_json::Value;

use crate::api::error::ApiError;
use crate::api::error_code;

/// A text argument; a number is read as its digits.
pub(super) fn text(arguments: &JsonObject, name: &'static str) -> Result<Option<String>, ApiError> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(_) => Err(ApiError::new(&error_code::REQUISICAO_INVALIDA, format!("{name} deve ser um texto.")).at(name)),
    }
}

/// Arguments as the query of the corresponding route; a list is short by default.
pub(super) fn query(mut arguments: JsonObject, paged: bool) -> Result<RawQuery, ApiError> {
    if paged && arguments.get("limite").is_none_or(Value::is_null) {
        arguments.insert("limite".to_owned(), Value::from(SHORT));
    }
    let mut made = form_urlencoded::Serializer::new(String::new());
    for (name, value) in &arguments {
        match value {
            Value::Null => {}
            Value::String(text) => _ = made.append_pair(name, text),
            Value::Number(number) => _ = made.append_pair(name, &number.to_string()),
            Value::Bool(flag) => _ = made.append_pair(name, if *flag { "true" } else { "false" }),
            _ => {
                let detail = format!("{} deve ser um texto ou um número.", fiscal::finding::excerpt(name));
                return Err(ApiError::new(&error_code::REQUISICAO_INVALIDA, detail).at(name));
            }
        }
    }
    Ok(RawQuery(Some(made.finish())))
}

/// Default entries per page.
const SHORT: usize = 10;
