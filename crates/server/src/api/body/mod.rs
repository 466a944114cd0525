//! Parsing of a request body: media type, JSON with exact numbers; and the fields of a wrapper, with all their problems
//! collected. `body_reception` receives the bytes, `json` decides which JSON text is accepted.

mod body_reception;
mod json;
mod zeroized;

use axum::extract::{FromRequest, Request};
use fiscal::finding::excerpt;
use fiscal::value::TpAmb;
use http::header;
use serde_json::{Map, Value};
use uuid::Uuid;
use zeroize::Zeroizing;

use body_reception::ReceivedBody;
pub(crate) use body_reception::read_limited;

use super::error::{ApiError, FieldProblem};
use super::error_code;
use crate::app::{App, ServiceLimits};
use crate::password;

/// Largest body that is parsed in less than a millisecond.
const SMALL: usize = 64 * 1024;

/// A JSON object.
pub(crate) struct JsonObject(pub(crate) Map<String, Value>);

impl FromRequest<App> for JsonObject {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<JsonObject, ApiError> {
        require_media_type(&request, &["application/json"])?;
        let line = credential_queue(&request);
        let body = read_limited(request, app).await?;
        parse_in_queue(app, line, body).await.map(JsonObject)
    }
}

/// A received JSON object that is not parsed yet. The handler parses a large one on the thread that uses it, which also
/// frees it.
pub(crate) struct UnparsedJson(ReceivedBody);

impl FromRequest<App> for UnparsedJson {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<UnparsedJson, ApiError> {
        require_media_type(&request, &["application/json"])?;
        read_limited(request, app).await.map(UnparsedJson)
    }
}

impl UnparsedJson {
    /// True when the body is small enough to be parsed on the handler's task.
    pub(crate) fn is_small(&self) -> bool {
        self.0.bytes.len() <= SMALL
    }

    /// Parses the object.
    pub(crate) fn object(self) -> Result<Map<String, Value>, ApiError> {
        self.0.object()
    }
}

/// Parses a JSON object that came inside of another body, under the bounds of a body of its own.
pub(crate) fn inner_object(text: &str, limits: ServiceLimits) -> Result<Map<String, Value>, ApiError> {
    if json::memory_bound(text)? > limits.most_tree() {
        return Err(ApiError::new(&error_code::CORPO_GRANDE, "O documento tem valores demais para um formulário."));
    }
    json::object(text)
}

/// A JSON object, or an empty body where every member is optional.
pub(crate) struct OptionalJsonObject(pub(crate) Map<String, Value>);

impl FromRequest<App> for OptionalJsonObject {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<OptionalJsonObject, ApiError> {
        let media = require_media_type(&request, &["application/json"]);
        let body = read_limited(request, app).await?;
        if body.bytes.is_empty() {
            return Ok(OptionalJsonObject(Map::new()));
        }
        media?;
        body.object().map(OptionalJsonObject)
    }
}

/// Queue in which a large body waits to be parsed: a digest of its credential, valid or not.
fn credential_queue(request: &Request) -> Uuid {
    let shown = ["x-api-key", "authorization"].iter().find_map(|name| request.headers().get(*name));
    let digest = openssl::sha::sha256(shown.map_or(&[][..], |shown| shown.as_bytes()));
    Uuid::from_bytes(digest[..16].try_into().unwrap_or_default())
}

/// Parses a large body, which takes tens of milliseconds, off the threads that answer other requests.
async fn parse_in_queue(app: &App, line: Uuid, body: ReceivedBody) -> Result<Map<String, Value>, ApiError> {
    if body.bytes.len() <= SMALL {
        return body.object();
    }
    app.engine().heavy().run(line, move || body.object()).await?
}

/// Refuses another media type. A request without one is accepted.
pub(crate) fn require_media_type(request: &Request, accepted: &[&str]) -> Result<(), ApiError> {
    let encoding = request.headers().get(header::CONTENT_ENCODING).and_then(|value| value.to_str().ok());
    if encoding.is_some_and(|encoding| !encoding.eq_ignore_ascii_case("identity")) {
        return Err(ApiError::new(&error_code::MIDIA_INVALIDA, "Envie o corpo sem compressão (sem Content-Encoding)."));
    }
    let Some(media) = media_type(request) else { return Ok(()) };
    if accepted.contains(&media.as_str()) {
        return Ok(());
    }
    let detail = format!("Envie o corpo com Content-Type {}; veio {}.", accepted.join(" ou "), excerpt(&media));
    Err(ApiError::new(&error_code::MIDIA_INVALIDA, detail))
}

/// The media type without parameters, lower case.
pub(crate) fn media_type(request: &Request) -> Option<String> {
    let value = request.headers().get(header::CONTENT_TYPE)?;
    let text = String::from_utf8_lossy(value.as_bytes());
    Some(text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
}

/// Reads the fields of a wrapper and collects every problem.
pub(crate) struct BodyFields<'a> {
    object: &'a Map<String, Value>,
    problems: Vec<FieldProblem>,
}

impl<'a> BodyFields<'a> {
    pub(crate) fn of(object: &'a Map<String, Value>) -> BodyFields<'a> {
        BodyFields { object, problems: Vec::new() }
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
                self.refuse(&error_code::REQUISICAO_INVALIDA, name, format!("{name} deve ser um texto."));
                None
            }
        }
    }

    /// A required text.
    pub(crate) fn required_text(&mut self, names: &[&'static str], mensagem: &str) -> Option<&'a str> {
        let before = self.problems.len();
        let text = self.text(names);
        if text.is_none() && self.problems.len() == before {
            self.refuse(&error_code::CAMPO_OBRIGATORIO, names[0], mensagem);
        }
        text
    }

    /// A required password, letter for letter: blanks at its ends are part of it.
    pub(crate) fn password(&mut self, name: &'static str, mensagem: &str) -> Option<Zeroizing<String>> {
        match self.value(&[name]) {
            Some((_, Value::String(text))) if text.chars().count() > password::LONGEST => {
                let mensagem = format!("{name} tem no máximo {} caracteres.", password::LONGEST);
                self.refuse(&error_code::VALIDACAO, name, mensagem);
            }
            Some((_, Value::String(text))) if !text.is_empty() => return Some(Zeroizing::new(text.clone())),
            Some((_, Value::String(_))) | None => self.refuse(&error_code::CAMPO_OBRIGATORIO, name, mensagem),
            Some(_) => self.refuse(&error_code::REQUISICAO_INVALIDA, name, format!("{name} deve ser um texto.")),
        }
        None
    }

    /// An environment by its word.
    pub(crate) fn ambiente(&mut self, name: &'static str) -> Option<TpAmb> {
        let read = self.text(&[name]).map(TpAmb::from_word)?;
        if read.is_none() {
            let mensagem = format!("{name} deve ser producao ou homologacao.");
            self.refuse(&error_code::REQUISICAO_INVALIDA, name, mensagem);
        }
        read
    }

    /// A required object.
    pub(crate) fn required_object(&mut self, name: &'static str, mensagem: &str) -> Option<&'a Map<String, Value>> {
        match self.value(&[name]) {
            Some((_, Value::Object(object))) => return Some(object),
            Some(_) => {
                self.refuse(&error_code::REQUISICAO_INVALIDA, name, format!("{name} deve ser um objeto: {{ … }}."))
            }
            None => self.refuse(&error_code::CAMPO_OBRIGATORIO, name, mensagem),
        }
        None
    }

    /// A whole number, also as a text of digits.
    pub(crate) fn integer(&mut self, name: &'static str) -> Option<u64> {
        let (_, value) = self.value(&[name])?;
        let read = match value {
            Value::Number(number) => whole(number.as_str()),
            Value::String(text) => whole(text.trim()),
            _ => None,
        };
        if read.is_none() {
            self.refuse(&error_code::REQUISICAO_INVALIDA, name, format!("{name} deve ser um número inteiro."));
        }
        read
    }

    /// Adds a problem.
    pub(crate) fn refuse(&mut self, code: &'static error_code::ApiErrorCode, campo: &str, mensagem: impl Into<String>) {
        self.problems.push(FieldProblem::new(code, campo, mensagem));
    }

    /// Adds a problem found by other code.
    pub(crate) fn push(&mut self, problem: FieldProblem) {
        self.problems.push(problem);
    }

    /// Refuses the request when any problem was found.
    pub(crate) fn finish(self) -> Result<(), ApiError> {
        if self.problems.is_empty() { Ok(()) } else { Err(ApiError::from_problems(self.problems)) }
    }
}

/// A whole number, also as `2.0`, which is equal in JSON.
pub(crate) fn whole(text: &str) -> Option<u64> {
    let (digits, zeros) = text.split_once('.').unwrap_or((text, "0"));
    digits.parse().ok().filter(|_| !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0'))
}

/// Digits of a number in place of a text: `2.0` is 2 here too.
pub(crate) fn digits_of(number: &serde_json::Number) -> String {
    whole(number.as_str()).map_or_else(|| number.to_string(), |whole| whole.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_may_have_decimals_that_are_zero() {
        assert_eq!((whole("2"), whole("2.0"), whole("2.00")), (Some(2), Some(2), Some(2)));
        assert_eq!((whole("2.5"), whole("2."), whole("-2"), whole("")), (None, None, None, None));
    }

    #[test]
    fn a_number_is_as_good_as_its_digits() {
        let digits = |text: &str| digits_of(&serde_json::from_str(text).unwrap());
        assert_eq!(
            (digits("15174278.0"), digits("1.5"), digits("250")),
            ("15174278".into(), "1.5".into(), "250".into())
        );
    }
}
