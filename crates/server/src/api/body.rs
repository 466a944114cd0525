//! Reading a request body: media type, size, depth, JSON with exact numbers; and the fields of a wrapper, all problems at once.

use std::time::Duration;

use axum::extract::{FromRequest, Request};
use fiscal::value::TpAmb;
use http::header;
use http_body_util::BodyExt;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout_at};
use zeroize::Zeroizing;

use super::code;
use super::error::{ApiError, Problem};
use crate::app::{App, Limits};

/// Deepest nesting taken. The deepest official layout needs 14 levels.
const MAX_DEPTH: usize = 64;

/// A JSON object.
pub(crate) struct JsonObject(pub(crate) Map<String, Value>);

impl FromRequest<App> for JsonObject {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<JsonObject, ApiError> {
        require_media_type(&request, &["application/json"])?;
        let bytes = read_limited(request, app.limits()).await?;
        parse_object(&bytes).map(JsonObject)
    }
}

/// A JSON object, or no body at all where nothing has to be said.
pub(crate) struct PerhapsJsonObject(pub(crate) Map<String, Value>);

impl FromRequest<App> for PerhapsJsonObject {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<PerhapsJsonObject, ApiError> {
        let media = require_media_type(&request, &["application/json"]);
        let bytes = read_limited(request, app.limits()).await?;
        if bytes.is_empty() {
            return Ok(PerhapsJsonObject(Map::new()));
        }
        media?;
        parse_object(&bytes).map(PerhapsJsonObject)
    }
}

/// Refuses another media type. A request that names none is taken at its word.
pub(crate) fn require_media_type(request: &Request, accepted: &[&str]) -> Result<(), ApiError> {
    let encoding = request.headers().get(header::CONTENT_ENCODING).and_then(|value| value.to_str().ok());
    if encoding.is_some_and(|encoding| !encoding.eq_ignore_ascii_case("identity")) {
        return Err(ApiError::new(&code::MIDIA_INVALIDA, "Envie o corpo sem compressão (sem Content-Encoding)."));
    }
    let Some(media) = media_type(request) else { return Ok(()) };
    if accepted.contains(&media.as_str()) {
        return Ok(());
    }
    let detail = format!("Envie o corpo com Content-Type {}; veio {media}.", accepted.join(" ou "));
    Err(ApiError::new(&code::MIDIA_INVALIDA, detail))
}

/// The media type without parameters, lower case.
pub(crate) fn media_type(request: &Request) -> Option<String> {
    let value = request.headers().get(header::CONTENT_TYPE)?;
    let text = String::from_utf8_lossy(value.as_bytes());
    Some(text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
}

/// The whole body, wiped on drop since it may hold a certificate.
pub(crate) async fn read_limited(request: Request, limits: Limits) -> Result<Zeroizing<Vec<u8>>, ApiError> {
    let (limit, limit_s) = (limits.body_bytes, limits.body_s);
    let announced =
        request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large(limit));
    }
    let mut bytes = Zeroizing::new(Vec::with_capacity(announced.unwrap_or(4096).min(limit)));
    let mut body = request.into_body();
    let deadline = Instant::now() + Duration::from_secs(limit_s);
    while let Some(frame) = timeout_at(deadline, body.frame()).await.map_err(|_| too_slow(limit_s))? {
        let frame =
            frame.map_err(|_| ApiError::new(&code::REQUISICAO_INVALIDA, "O corpo chegou incompleto; reenvie."))?;
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > limit {
            return Err(too_large(limit));
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

fn too_slow(limit_s: u64) -> ApiError {
    let detail = format!("O corpo não chegou inteiro em {limit_s} segundos. Reenvie a requisição.");
    ApiError::new(&code::TEMPO_ESGOTADO, detail).with_header(header::CONNECTION, "close")
}

fn too_large(limit: usize) -> ApiError {
    let detail = format!("O corpo passa do limite de {limit} bytes. Divida a operação ou reduza o conteúdo.");
    // the unread rest makes the connection useless
    ApiError::new(&code::CORPO_GRANDE, detail).with_header(header::CONNECTION, "close")
}

/// Reads JSON that must be an object.
pub(crate) fn parse_object(bytes: &[u8]) -> Result<Map<String, Value>, ApiError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| invalid_json(format!("o texto não é UTF-8 a partir do byte {}", error.valid_up_to())))?;
    if deeper_than(text, MAX_DEPTH) {
        return Err(invalid_json(format!("há mais de {MAX_DEPTH} níveis de aninhamento")));
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(invalid_json("o corpo deve ser um objeto: { … }".to_owned())),
        Err(error) => Err(invalid_json(describe(&error))),
    }
}

/// Position and kind only: serde's own text may quote the body.
fn describe(error: &serde_json::Error) -> String {
    let kind = match error.classify() {
        serde_json::error::Category::Eof => "o texto termina antes do fim do objeto",
        _ => "há um erro de sintaxe",
    };
    format!("{kind} (linha {}, coluna {})", error.line(), error.column())
}

fn invalid_json(what: String) -> ApiError {
    ApiError::new(&code::JSON_INVALIDO, format!("O corpo não é um JSON válido: {what}."))
}

/// Whether brackets outside of texts nest deeper than `limit`.
fn deeper_than(text: &str, limit: usize) -> bool {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => depth += 1,
            b'}' | b']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limit {
            return true;
        }
    }
    false
}

/// Takes the fields of a wrapper one by one and keeps every problem.
pub(crate) struct Fields<'a> {
    object: &'a Map<String, Value>,
    problems: Vec<Problem>,
}

impl<'a> Fields<'a> {
    /// Starts.
    pub(crate) fn of(object: &'a Map<String, Value>) -> Fields<'a> {
        Fields { object, problems: Vec::new() }
    }

    /// The first of these names that is present and not null.
    pub(crate) fn value(&self, names: &[&'static str]) -> Option<(&'static str, &'a Value)> {
        names
            .iter()
            .find_map(|name| self.object.get(*name).filter(|value| !value.is_null()).map(|value| (*name, value)))
    }

    /// A text; a value of another type is a problem, an empty text counts as absent.
    pub(crate) fn text(&mut self, names: &[&'static str]) -> Option<&'a str> {
        let (name, value) = self.value(names)?;
        match value {
            Value::String(text) if text.trim().is_empty() => None,
            Value::String(text) => Some(text.trim()),
            _ => {
                self.refuse(&code::REQUISICAO_INVALIDA, name, format!("{name} deve ser um texto."));
                None
            }
        }
    }

    /// A text that must be there.
    pub(crate) fn required_text(&mut self, names: &[&'static str], mensagem: &str) -> Option<&'a str> {
        let before = self.problems.len();
        let text = self.text(names);
        if text.is_none() && self.problems.len() == before {
            self.refuse(&code::CAMPO_OBRIGATORIO, names[0], mensagem);
        }
        text
    }

    /// A password that must be there, letter for letter: blanks at its ends are part of it.
    pub(crate) fn password(&mut self, name: &'static str, mensagem: &str) -> Option<Zeroizing<String>> {
        match self.value(&[name]) {
            Some((_, Value::String(text))) if !text.is_empty() => return Some(Zeroizing::new(text.clone())),
            Some((_, Value::String(_))) | None => self.refuse(&code::CAMPO_OBRIGATORIO, name, mensagem),
            Some(_) => self.refuse(&code::REQUISICAO_INVALIDA, name, format!("{name} deve ser um texto.")),
        }
        None
    }

    /// An environment by its word.
    pub(crate) fn ambiente(&mut self, name: &'static str) -> Option<TpAmb> {
        let read = self.text(&[name]).map(TpAmb::from_word)?;
        if read.is_none() {
            let mensagem = format!("{name} deve ser producao ou homologacao.");
            self.refuse(&code::REQUISICAO_INVALIDA, name, mensagem);
        }
        read
    }

    /// An object that must be there.
    pub(crate) fn required_object(&mut self, name: &'static str, mensagem: &str) -> Option<&'a Map<String, Value>> {
        match self.value(&[name]) {
            Some((_, Value::Object(object))) => return Some(object),
            Some(_) => self.refuse(&code::REQUISICAO_INVALIDA, name, format!("{name} deve ser um objeto: {{ … }}.")),
            None => self.refuse(&code::CAMPO_OBRIGATORIO, name, mensagem),
        }
        None
    }

    /// A whole number, also when it comes as a text of digits.
    pub(crate) fn integer(&mut self, name: &'static str) -> Option<u64> {
        let (_, value) = self.value(&[name])?;
        let read = match value {
            Value::Number(number) => whole(number.as_str()),
            Value::String(text) => whole(text.trim()),
            _ => None,
        };
        if read.is_none() {
            self.refuse(&code::REQUISICAO_INVALIDA, name, format!("{name} deve ser um número inteiro."));
        }
        read
    }

    /// Notes a problem.
    pub(crate) fn refuse(&mut self, code: &'static code::Code, campo: &str, mensagem: impl Into<String>) {
        self.problems.push(Problem::new(code, campo, mensagem));
    }

    /// Notes a problem made elsewhere.
    pub(crate) fn push(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// The refusal, when anything was wrong.
    pub(crate) fn finish(self) -> Result<(), ApiError> {
        if self.problems.is_empty() { Ok(()) } else { Err(ApiError::from_problems(self.problems)) }
    }
}

/// A whole number, also as `2.0`, which JSON means as the same.
pub(crate) fn whole(text: &str) -> Option<u64> {
    let (digits, zeros) = text.split_once('.').unwrap_or((text, "0"));
    digits.parse().ok().filter(|_| !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_every_digit() {
        let object = parse_object(br#"{"vProd":123456789012345.10,"qCom":10.50000000001234567}"#).unwrap();
        assert_eq!(object["vProd"].to_string(), "123456789012345.10");
        assert_eq!(object["qCom"].to_string(), "10.50000000001234567");
    }

    #[test]
    fn a_whole_number_may_have_decimals_that_are_zero() {
        assert_eq!((whole("2"), whole("2.0"), whole("2.00")), (Some(2), Some(2), Some(2)));
        assert_eq!((whole("2.5"), whole("2."), whole("-2"), whole("")), (None, None, None, None));
    }

    #[test]
    fn brackets_inside_of_texts_do_not_nest() {
        let text = format!(r#"{{"a":"{}\""}}"#, "[".repeat(100));
        assert!(parse_object(text.as_bytes()).is_ok());
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100), "]".repeat(100));
        assert!(parse_object(deep.as_bytes()).is_err());
    }

    #[test]
    fn a_syntax_error_never_quotes_the_body() {
        let error = parse_object(br#"{"senha":"s3gredo" x}"#).unwrap_err();
        assert!(!error.body("/", "id").to_string().contains("s3gredo"));
    }
}
