//! Origin of the panel for callers of the MCP listener.

use std::net::SocketAddr;

use http::header;
use http::request::Parts;

use super::admission::{is_literal, without_port};

/// Base URL of a page: the address of the API's listener, or its port at the called host when it listens on all
/// addresses. Empty when unknown: a host name belongs to a proxy, which may forward one port only.
pub(super) fn base(parts: &Parts, api: Option<SocketAddr>) -> String {
    let Some(api) = api else { return String::new() };
    if !api.ip().is_unspecified() {
        return format!("http://{api}");
    }
    let called = parts.headers.get(header::HOST).and_then(|value| value.to_str().ok());
    let host = without_port(parts.uri.authority().map(http::uri::Authority::as_str).or(called).unwrap_or_default());
    if is_literal(host) { format!("http://{host}:{}", api.port()) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_at_the_listener_of_the_api_as_far_as_it_can_be_known() {
        let told = |host: &str, api: &str| {
            let parts = http::Request::builder().header("host", host).body(()).unwrap().into_parts().0;
            base(&parts, Some(api.parse().unwrap()))
        };
        assert_eq!(told("127.0.0.1:8081", "127.0.0.1:8080"), "http://127.0.0.1:8080");
        assert_eq!(told("10.0.0.5:8081", "0.0.0.0:8080"), "http://10.0.0.5:8080");
        assert_eq!(told("localhost:8081", "[::]:8080"), "http://localhost:8080");
        assert_eq!(told("[::1]:8081", "[::]:8080"), "http://[::1]:8080");
        assert_eq!(told("mcp.exemplo.com.br", "0.0.0.0:8080"), "", "a name is a proxy's");
        let parts = http::Request::builder().header("host", "127.0.0.1").body(()).unwrap().into_parts().0;
        assert_eq!(base(&parts, None), "", "a process without an API has no pages");
    }
}
