//! Outside sources: the known ones, the operator's list of them, and one call of one of them.
//!
//! A source answers, reports that there is none, or fails. A source that fails often is paused (`breaker`).

mod breaker;
mod cep;
mod cnpj;

use crate::{Endereco, SourceClient};
use breaker::Breaker;
use http::StatusCode;
use outbound::{HttpRequest, TargetUrl};
use serde_json::Value;
use std::time::{Duration, Instant};
use store::lookups::PublicRegister;

/// Shape of a source's answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerShape {
    ViaCep,
    BrasilApiCep,
    OpenCep,
    /// Also the shape of Minha Receita, from which BrasilAPI takes its data.
    BrasilApiCnpj,
    ReceitaWs,
}

/// A source as configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSpec {
    /// Name shown to people.
    pub name: String,
    shape: AnswerShape,
    /// Address with `{chave}` in place of the number.
    url: String,
}

#[rustfmt::skip]
const KNOWN: &[(PublicRegister, &str, AnswerShape, &str)] = &[
    (PublicRegister::Cep, "viacep", AnswerShape::ViaCep, "https://viacep.com.br/ws/{chave}/json/"),
    (PublicRegister::Cep, "brasilapi", AnswerShape::BrasilApiCep, "https://brasilapi.com.br/api/cep/v2/{chave}"),
    (PublicRegister::Cep, "opencep", AnswerShape::OpenCep, "https://opencep.com/v1/{chave}"),
    (PublicRegister::Cnpj, "brasilapi", AnswerShape::BrasilApiCnpj, "https://brasilapi.com.br/api/cnpj/v1/{chave}"),
    (PublicRegister::Cnpj, "minhareceita", AnswerShape::BrasilApiCnpj, "https://minhareceita.org/{chave}"),
    (PublicRegister::Cnpj, "receitaws", AnswerShape::ReceitaWs, "https://receitaws.com.br/v1/cnpj/{chave}"),
];

/// Reads `viacep, opencep, brasilapi=https://outro.exemplo/{chave}`: names in their order, each with an optional
/// address.
pub fn read_list(register: PublicRegister, text: &str) -> Result<Vec<SourceSpec>, String> {
    text.split(',').map(str::trim).filter(|entry| !entry.is_empty()).map(|entry| read_one(register, entry)).collect()
}

fn read_one(register: PublicRegister, entry: &str) -> Result<SourceSpec, String> {
    let (name, url) = entry.split_once('=').map_or((entry, None), |(name, url)| (name.trim(), Some(url.trim())));
    let known = || KNOWN.iter().filter(move |(of, ..)| *of == register);
    let Some((_, name, shape, usual)) = known().find(|(_, known, ..)| *known == name) else {
        let names: Vec<&str> = known().map(|(_, name, ..)| *name).collect();
        return Err(format!("fonte \"{name}\" desconhecida (conhecidas: {})", names.join(", ")));
    };
    let url = url.unwrap_or(usual);
    if !url.contains(PLACE) {
        return Err(format!("o endereço da fonte {name} deve conter {PLACE} no lugar do número"));
    }
    TargetUrl::parse(&url.replace(PLACE, "0"), &outbound::AddressPolicy::anywhere())
        .map_err(|wrong| format!("o endereço da fonte {name} {wrong}"))?;
    Ok(SourceSpec { name: (*name).to_owned(), shape: *shape, url: url.to_owned() })
}

const PLACE: &str = "{chave}";

/// A source and its circuit breaker.
pub(crate) struct LookupSource {
    pub(crate) spec: SourceSpec,
    breaker: Breaker,
}

/// Answer of a source.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SourceReply {
    /// The data, in our own shape.
    Known(Value),
    Unknown,
}

/// Failure of a source: the reason, and the pause before a retry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceFailure {
    pub(crate) why: String,
    pub(crate) retry_after: Duration,
}

impl LookupSource {
    pub(crate) fn new(spec: SourceSpec) -> LookupSource {
        LookupSource { spec, breaker: Breaker::default() }
    }

    /// Asks about a CEP or CNPJ.
    pub(crate) async fn ask(&self, outside: &SourceClient, key: &str) -> Result<SourceReply, SourceFailure> {
        let url = self.spec.url.replace(PLACE, key);
        self.call(outside, &url, |status, body| self.read(status, body, key)).await
    }

    /// Asks for the addresses of a street; only for sources that can search.
    pub(crate) async fn search(
        &self,
        outside: &SourceClient,
        [uf, cidade, logradouro]: [&str; 3],
    ) -> Result<Vec<Endereco>, SourceFailure> {
        let path = [uf, cidade, logradouro].map(percent).join("/");
        let url = self.spec.url.replace(PLACE, &path);
        self.call(outside, &url, cep::via_cep_list).await
    }

    /// `true` when the source finds streets by name.
    pub(crate) fn can_search(&self) -> bool {
        self.spec.shape == AnswerShape::ViaCep
    }

    async fn call<T>(
        &self,
        outside: &SourceClient,
        url: &str,
        read: impl FnOnce(StatusCode, &Value) -> Option<T>,
    ) -> Result<T, SourceFailure> {
        let name = &self.spec.name;
        if let Some(left) = self.breaker.remaining_pause(Instant::now()) {
            let why = format!("{name}: fora de uso por {} s, depois de falhas seguidas", left.as_secs().max(1));
            return Err(SourceFailure { why, retry_after: left });
        }
        let outcome = exchange(outside, url).await.and_then(|(status, body)| {
            read(status, &body)
                .ok_or_else(|| SourceFailure::of(format!("respondeu algo inesperado (HTTP {})", status.as_u16())))
        });
        match outcome {
            Ok(read) => {
                self.breaker.record_success();
                Ok(read)
            }
            Err(silence) => {
                self.breaker.record_failure(Instant::now(), silence.retry_after);
                tracing::warn!(source = %name, cause = %silence.why, "a source of lookups failed");
                Err(SourceFailure { why: format!("{name}: {}", silence.why), ..silence })
            }
        }
    }

    /// `None` when the answer is neither data nor "there is none".
    fn read(&self, status: StatusCode, body: &Value, key: &str) -> Option<SourceReply> {
        let known = |value: Option<Value>| value.map(SourceReply::Known);
        match self.spec.shape {
            AnswerShape::ViaCep if status.is_success() => match &body["erro"] {
                Value::Null => known(cep::via_cep(body, key)),
                _ => Some(SourceReply::Unknown),
            },
            AnswerShape::BrasilApiCep if status.is_success() => known(cep::brasil_api(body, key)),
            AnswerShape::OpenCep if status.is_success() => known(cep::open_cep(body, key)),
            AnswerShape::BrasilApiCnpj if status.is_success() => known(cnpj::brasil_api(body, key)),
            AnswerShape::ReceitaWs if status.is_success() => match body["status"].as_str() {
                Some("OK") => known(cnpj::receita_ws(body, key)),
                Some("ERROR") => Some(SourceReply::Unknown),
                _ => None,
            },
            _ if status == StatusCode::NOT_FOUND => Some(SourceReply::Unknown),
            // A source that does not know alphanumeric CNPJs yet calls the number invalid, which only means that it has
            // no such company.
            AnswerShape::BrasilApiCnpj | AnswerShape::ReceitaWs
                if status == StatusCode::BAD_REQUEST && !key.bytes().all(|digit| digit.is_ascii_digit()) =>
            {
                Some(SourceReply::Unknown)
            }
            _ => None,
        }
    }
}

impl SourceFailure {
    fn of(why: String) -> SourceFailure {
        SourceFailure { why, retry_after: RETRY_AFTER }
    }
}

/// Default pause before a retry.
pub(crate) const RETRY_AFTER: Duration = Duration::from_secs(30);
/// Longest pause that a source may ask for.
const MOST_RETRY_AFTER: Duration = Duration::from_secs(3600);

async fn exchange(outside: &SourceClient, url: &str) -> Result<(StatusCode, Value), SourceFailure> {
    let target =
        TargetUrl::parse(url, &outside.reach).map_err(|wrong| SourceFailure::of(format!("o endereço {wrong}")))?;
    let mut request = HttpRequest { within: outside.within, ..HttpRequest::get() };
    request.headers.insert(http::header::ACCEPT, http::HeaderValue::from_static("application/json"));
    let agent = http::HeaderValue::from_static(concat!("carimbo/", env!("CARGO_PKG_VERSION")));
    request.headers.insert(http::header::USER_AGENT, agent);
    let answer =
        outside.client.send(&target, &outside.reach, request).await.map_err(|no| SourceFailure::of(no.cause))?;
    let status = answer.status;
    if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
        let asked = answer.headers.get(http::header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let retry_after = asked.map_or(RETRY_AFTER, Duration::from_secs).min(MOST_RETRY_AFTER);
        return Err(SourceFailure { why: format!("respondeu HTTP {}", status.as_u16()), retry_after });
    }
    // A status of failure needs no JSON to be understood.
    let body = serde_json::from_slice(&answer.body);
    let body = if status.is_success() {
        body.map_err(|_| SourceFailure::of("não respondeu JSON".to_owned()))?
    } else {
        body.unwrap_or_default()
    };
    Ok((status, body))
}

/// Escapes a segment of a path.
fn percent(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => encoded.push(char::from(byte)),
            other => encoded += &format!("%{other:02X}"),
        }
    }
    encoded
}

/// Text of a member that may be a number; `None` when empty.
fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_read_in_their_order_and_a_wrong_one_is_named() {
        let specs = read_list(PublicRegister::Cep, "opencep, viacep=http://127.0.0.1:9/ws/{chave}/json/,").unwrap();
        assert_eq!(specs.iter().map(|spec| spec.name.as_str()).collect::<Vec<_>>(), ["opencep", "viacep"]);
        assert_eq!(specs[1].url, "http://127.0.0.1:9/ws/{chave}/json/");
        assert!(read_list(PublicRegister::Cep, "").unwrap().is_empty());
        assert!(
            read_list(PublicRegister::Cep, "receitaws").unwrap_err().contains("conhecidas: viacep, brasilapi, opencep")
        );
        assert!(read_list(PublicRegister::Cnpj, "receitaws=https://x.com/").unwrap_err().contains("{chave}"));
        assert!(read_list(PublicRegister::Cnpj, "receitaws=ftp://x.com/{chave}").unwrap_err().contains("receitaws"));
    }

    #[test]
    fn a_segment_holds_no_slash() {
        assert_eq!(percent("São/Luís ?"), "S%C3%A3o%2FLu%C3%ADs%20%3F");
    }
}
