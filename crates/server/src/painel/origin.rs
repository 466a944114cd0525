//! Origin of a form, which must be ours (`Origin`), and the exception for cookies without TLS.

use http::request::Parts;
use http::{HeaderName, header};

use crate::edge::Edge;

/// True when a page of ours sent this request. False without an `Origin`.
pub(super) fn is_ours(parts: &Parts, edge: &Edge) -> bool {
    let Some(origin) = text(parts, header::ORIGIN) else { return false };
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    let same = host.is_some_and(|host| asked_host(parts).is_some_and(|asked| host.eq_ignore_ascii_case(asked)));
    same || edge.public_url.as_deref().is_some_and(|ours| ours.eq_ignore_ascii_case(origin))
}

/// True when the browser is on this machine: only then a cookie may be sent without TLS.
pub(super) fn is_loopback(parts: &Parts) -> bool {
    let host = asked_host(parts).unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(address) => address.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

/// Host that the browser requested, when it is this machine.
pub(super) fn loopback_host(parts: &Parts) -> Option<&str> {
    asked_host(parts).filter(|_| is_loopback(parts))
}

/// Host that the browser requested.
fn asked_host(parts: &Parts) -> Option<&str> {
    let authority = parts.uri.authority().map(http::uri::Authority::as_str);
    authority.or_else(|| text(parts, header::HOST))
}

fn text(parts: &Parts, name: HeaderName) -> Option<&str> {
    parts.headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(host: &str, origin: Option<&str>) -> Parts {
        let mut request = http::Request::post("/painel/sair").header("host", host);
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        request.body(()).unwrap().into_parts().0
    }

    #[test]
    fn only_a_page_of_ours_sends_forms() {
        let ours = |host: &str, origin: Option<&str>| is_ours(&parts(host, origin), &Edge::default());
        assert!(ours("127.0.0.1:8080", Some("http://127.0.0.1:8080")));
        for origin in [
            None,
            Some("null"),
            Some("http://127.0.0.1"),
            Some("https://127.0.0.1.mau.com:8080"),
            Some("127.0.0.1:8080"),
        ] {
            assert!(!ours("127.0.0.1:8080", origin), "{origin:?}");
        }
        let edge = Edge { public_url: Some("https://notas.loja.com.br".to_owned()), ..Edge::default() };
        // a proxy may request another host name
        assert!(is_ours(&parts("interno:8080", Some("https://notas.loja.com.br")), &edge));
        assert!(!is_ours(&parts("interno:8080", Some("http://notas.loja.com.br")), &edge));
    }

    #[test]
    fn a_cookie_goes_in_the_clear_on_this_machine_only() {
        let loopback = |host: &str| is_loopback(&parts(host, None));
        assert!(loopback("127.0.0.1:8080") && loopback("localhost") && loopback("[::1]:8080") && loopback("127.8.8.8"));
        for host in ["192.168.0.7:8080", "localhost.mau.com", "127.0.0.1.mau.com:80", "", "[2001:db8::1]"] {
            assert!(!loopback(host), "{host}");
        }
    }
}
