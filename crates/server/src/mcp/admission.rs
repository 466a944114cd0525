//! Admission of MCP requests: the server's host names, origins of browser pages, the key; and the capabilities that a
//! client of an older revision declared, which its session id carries, since the server stores no session.

use std::net::IpAddr;

use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde::Deserialize;
use uuid::Uuid;

use crate::api::error::ApiError;
use crate::api::error_code;
use crate::app::App;
use crate::edge::ListenerAddress;
use crate::key;

/// Session id of the older revisions.
pub(super) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// Elicitation modes of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ElicitationModes {
    /// Opens a URL.
    pub(super) url: bool,
    /// Shows a form.
    pub(super) form: bool,
}

impl ElicitationModes {
    /// Modes that the client declared at `initialize`, read from the session id.
    pub(super) fn of_session(headers: &HeaderMap) -> ElicitationModes {
        let name = headers.get(&SESSION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let told = name.rsplit('.').next().unwrap_or_default();
        ElicitationModes { url: told.contains('u'), form: told.contains('f') }
    }

    fn word(self) -> &'static str {
        match (self.url, self.form) {
            (true, true) => "uf",
            (true, false) => "u",
            (false, true) => "f",
            (false, false) => "n",
        }
    }
}

/// Refuses a request to a host name that is not ours, or from a page of another origin.
pub(super) fn admit(app: &App, parts: &Parts) -> Result<(), ApiError> {
    let settings = app.mcp();
    if !settings.active {
        return Err(ApiError::not_found("O servidor MCP está desligado nesta instalação (mcp.ativo = false)."));
    }
    let text = |name: HeaderName| parts.headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let authority = parts.uri.authority().map(Authority::as_str);
    let host = authority.or_else(|| text(header::HOST)).unwrap_or_default();
    let urls = [settings.url.as_deref(), app.edge().public_url.as_deref()];
    let ours = urls.into_iter().flatten().map(host_of_url).chain(settings.hosts.iter().map(String::as_str));
    let told = ours.map(without_port).any(|name| name.eq_ignore_ascii_case(without_port(host)));
    let listener = parts.extensions.get::<ListenerAddress>();
    if !told && !listener.is_some_and(|ListenerAddress(address)| is_own(without_port(host), *address)) {
        let detail =
            "O servidor MCP não atende por este nome (cabeçalho Host). O operador diz os seus em mcp.url ou mcp.hosts.";
        return Err(ApiError::new(&error_code::ORIGEM_NAO_PERMITIDA, detail));
    }
    let Some(origin) = text(header::ORIGIN) else { return Ok(()) };
    let allowed = app.edge().cors_origins.iter().any(|one| one == "*" || one.eq_ignore_ascii_case(origin));
    if !allowed && !host_of_url(origin).eq_ignore_ascii_case(text(header::HOST).unwrap_or(host)) {
        let detail = "Páginas desta origem não podem chamar o servidor MCP. O operador as lista em http.cors_origens.";
        return Err(ApiError::new(&error_code::ORIGEM_NAO_PERMITIDA, detail));
    }
    Ok(())
}

/// Base URL that the caller used; a host that is not an IP address is assumed to be behind TLS.
pub(super) fn base(parts: &Parts) -> String {
    let host = parts.headers.get(header::HOST).and_then(|value| value.to_str().ok());
    let host = parts.uri.host().map(|_| parts.uri.authority().map_or("", |authority| authority.as_str())).or(host);
    let host = host.unwrap_or_default();
    format!("{}://{host}", if is_literal(without_port(host)) { "http" } else { "https" })
}

/// True when `host` names the address a listener is bound to: the address itself, and on loopback every name of
/// loopback. A listener on all addresses owns no name; its names are configured.
fn is_own(host: &str, listener: IpAddr) -> bool {
    let named = host.trim_matches(['[', ']']).parse::<IpAddr>().map(|address| address.to_canonical());
    let is_loopback = || host.eq_ignore_ascii_case("localhost") || named.as_ref().is_ok_and(IpAddr::is_loopback);
    !listener.is_unspecified() && (named.as_ref().is_ok_and(|named| *named == listener))
        || listener.is_loopback() && is_loopback()
}

/// True for an IP address or `localhost`.
pub(super) fn is_literal(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
}

/// Host and port of a URL.
fn host_of_url(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default()
}

/// Host without its port.
pub(super) fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

/// Moves a key from `Authorization: Bearer` to `X-API-Key`, since many clients can only send a bearer. Session tokens
/// are refused here.
pub(super) fn move_key(headers: &mut HeaderMap) -> Result<(), ApiError> {
    let Some(bearer) = headers.remove(header::AUTHORIZATION) else { return Ok(()) };
    let text = bearer.to_str().unwrap_or_default();
    let token =
        text.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, token)| token.trim());
    let Some(token) = token.filter(|token| key::is_well_formed(token)) else {
        return Err(ApiError::unauthenticated(
            "O servidor MCP aceita uma chave de API, em X-API-Key ou em Authorization: Bearer. Sessões de usuário não valem aqui.",
        ));
    };
    let same = |one: &HeaderValue| one.to_str().is_ok_and(|one| one.trim() == token);
    if headers.get("x-api-key").is_some_and(|key| !same(key)) {
        return Err(ApiError::unauthenticated(
            "X-API-Key e Authorization trazem chaves diferentes; envie só uma delas.",
        ));
    }
    let key = HeaderValue::from_str(token).map_err(|_| ApiError::internal())?;
    headers.insert(HeaderName::from_static("x-api-key"), key);
    Ok(())
}

/// A new session id for an `initialize` message of an older revision.
pub(super) fn new_session_id(message: &[u8]) -> Option<HeaderValue> {
    let glance: InitializeMessage = serde_json::from_slice(message).ok()?;
    if glance.method != "initialize" {
        return None;
    }
    let asks = glance.params.capabilities.elicitation;
    let doors = asks.map_or_else(ElicitationModes::default, |asks| ElicitationModes {
        url: asks.get("url").is_some_and(|url| !url.is_null()),
        // `elicitation` without modes means the form, which was the only mode
        form: asks.get("form").is_some_and(|form| !form.is_null()) || asks.get("url").is_none(),
    });
    HeaderValue::from_str(&format!("{}.{}", Uuid::new_v4(), doors.word())).ok()
}

#[derive(Deserialize)]
struct InitializeMessage {
    #[serde(default)]
    method: String,
    #[serde(default)]
    params: InitializeParams,
}

#[derive(Deserialize, Default)]
struct InitializeParams {
    #[serde(default)]
    capabilities: InitializeCapabilities,
}

#[derive(Deserialize, Default)]
struct InitializeCapabilities {
    elicitation: Option<serde_json::Value>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_address_of_the_listener_and_its_loopback_are_ours_untold() {
        let own = |host: &str, listener: &str| is_own(without_port(host), listener.parse().unwrap());
        for host in ["127.0.0.1:8080", "localhost", "LOCALHOST:80", "[::1]:80", "127.8.8.8", "[::ffff:127.0.0.1]"] {
            assert!(own(host, "127.0.0.1") && own(host, "::1"), "{host}");
            assert!(!own(host, "0.0.0.0") && !own(host, "::") && !own(host, "10.0.0.5"), "{host}");
        }
        assert!(own("10.0.0.5:8080", "10.0.0.5") && own("[2001:db8::7]", "2001:db8::7"));
        for host in ["10.0.0.6", "0.0.0.0", "rebind.example.com", "127.0.0.1.evil.example", "", "[::]"] {
            assert!(
                !own(host, "127.0.0.1") && !own(host, "0.0.0.0") && !own(host, "::") && !own(host, "10.0.0.5"),
                "{host}"
            );
        }
    }

    #[test]
    fn addresses_are_plain_and_names_are_behind_tls() {
        assert!(
            is_literal(without_port("127.0.0.1:8080"))
                && is_literal(without_port("[::1]:80"))
                && is_literal(without_port("LOCALHOST"))
        );
        assert!(!is_literal(without_port("evil.example.com:8080")) && !is_literal(""));
        assert_eq!(host_of_url("https://api.exemplo.com.br:8443/mcp"), "api.exemplo.com.br:8443");
        assert_eq!(without_port("[::1]"), "[::1]");
    }

    #[test]
    fn what_a_client_told_once_is_in_the_name_it_brings_back() {
        let told = |elicitation: &str| {
            let message = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"capabilities":{{{elicitation}}}}}}}"#
            );
            let mut headers = HeaderMap::new();
            headers.insert(SESSION, new_session_id(message.as_bytes()).unwrap());
            ElicitationModes::of_session(&headers)
        };
        assert_eq!(told(""), ElicitationModes::default());
        assert_eq!(told(r#""elicitation":{}"#), ElicitationModes { url: false, form: true });
        assert_eq!(told(r#""elicitation":{"url":{}}"#), ElicitationModes { url: true, form: false });
        assert_eq!(told(r#""elicitation":{"url":{},"form":{}}"#), ElicitationModes { url: true, form: true });
        assert!(new_session_id(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).is_none());
    }
}
