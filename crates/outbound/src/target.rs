//! A URL whose text allows a call.
//!
//! Law: RFC 3986; the numeric forms of IPv4 and the bad ports are those of the WHATWG URL and Fetch standards. The
//! client checks the resolved addresses at every call.

use crate::address_policy::AddressPolicy;
use http::Uri;
use std::net::IpAddr;

/// A checked URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetUrl {
    uri: Uri,
    host: String,
    port: u16,
    plain: bool,
}

/// Reason against a URL, Portuguese: begins with a verb; the caller puts the field's name before it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RefusedUrl(String);

/// Longest URL accepted, in bytes.
const LONGEST: usize = 2048;

impl TargetUrl {
    /// Reads and checks a URL.
    pub fn parse(text: &str, reach: &AddressPolicy) -> Result<TargetUrl, RefusedUrl> {
        check_text(text)?;
        let uri: Uri = text.parse().map_err(|_| refused("não é um endereço válido."))?;
        let incomplete = || refused("deve ser um endereço completo, como https://exemplo.com.br/notificacoes.");
        let authority = uri.authority().ok_or_else(incomplete)?;
        if authority.as_str().contains('@') {
            return Err(refused("não pode conter usuário e senha."));
        }
        let plain = match uri.scheme_str() {
            Some("https") => false,
            Some("http") if reach.allows_http() => true,
            Some(_) => return Err(refused("deve usar https.")),
            None => return Err(incomplete()),
        };
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        if host.is_empty() {
            return Err(incomplete());
        }
        let port = port(authority, plain, reach)?;
        let target = TargetUrl { host, port, plain, uri };
        target.check_host(reach)?;
        Ok(target)
    }

    /// The host, lower case, without brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port, explicit or by default.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// True for http, false for https.
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// The host, when it is an IP address.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }

    pub(crate) fn host_header(&self) -> &str {
        self.uri.authority().map_or(self.host.as_str(), http::uri::Authority::as_str)
    }

    pub(crate) fn path(&self) -> &str {
        self.uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str)
    }

    fn check_host(&self, reach: &AddressPolicy) -> Result<(), RefusedUrl> {
        if let Some(address) = self.address() {
            return reach.allows(self.plain, address).map_err(|why| refused(format!("não pode ser chamado: {why}.")));
        }
        let name = self.host.trim_end_matches('.');
        if looks_numeric(name) {
            return Err(refused("traz um endereço IP escrito de forma irregular; use um nome de domínio."));
        }
        if reach.allows_non_public() {
            return Ok(());
        }
        let inner =
            !name.contains('.') || INNER.iter().any(|zone| name == *zone || name.ends_with(&format!(".{zone}")));
        if inner {
            return Err(refused(format!("não pode ser chamado: \"{name}\" é um nome de rede interna.")));
        }
        Ok(())
    }
}

fn check_text(text: &str) -> Result<(), RefusedUrl> {
    if text.len() > LONGEST {
        return Err(refused(format!("aceita até {LONGEST} caracteres.")));
    }
    if !text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\') {
        return Err(refused("só aceita caracteres ASCII sem espaços; escreva o domínio em punycode (xn--…)."));
    }
    if text.contains('#') {
        return Err(refused("não pode conter fragmento (#)."));
    }
    Ok(())
}

fn port(authority: &http::uri::Authority, plain: bool, reach: &AddressPolicy) -> Result<u16, RefusedUrl> {
    // "host:" and "host:99999" have no readable port
    let said = authority.as_str().strip_prefix(authority.host()).unwrap_or_default();
    let port = match (said.is_empty(), authority.port_u16()) {
        (true, _) => {
            if plain {
                80
            } else {
                443
            }
        }
        (false, Some(port)) if port != 0 => port,
        (false, _) => return Err(refused("tem uma porta inválida.")),
    };
    let usual = port == 443 || (port >= 1024 && !OTHER_SERVICES.contains(&port));
    if usual || reach.allows_any_port() {
        return Ok(port);
    }
    Err(refused(format!("usa a porta {port}, que é de outro serviço; use 443 ou uma porta a partir de 1024.")))
}

/// True when the last label is a number, as in `127.1`, `0x7f000001`, `2130706433` or `127.0.0.1.`: resolvers read
/// these as addresses.
fn looks_numeric(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    let hexadecimal = last.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let decimal = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    hexadecimal || decimal
}

pub(crate) fn refused(why: impl Into<String>) -> RefusedUrl {
    RefusedUrl(why.into())
}

/// Suffixes of names that never lead to the public network.
const INNER: [&str; 8] = ["localhost", "local", "internal", "localdomain", "lan", "home.arpa", "intranet", "corp"];

/// Bad ports of the Fetch standard above 1023, and ports of databases that are often open inside a network.
const OTHER_SERVICES: [u16; 26] = [
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
    2375, 3306, 5432, 6379, 9200, 11211, 27017,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(text: &str, reach: &AddressPolicy) -> bool {
        TargetUrl::parse(text, reach).is_ok()
    }

    #[test]
    fn a_public_https_address_is_taken_apart() {
        let target = TargetUrl::parse("https://ERP.Exemplo.com.br:8443/a/b?c=d", &AddressPolicy::public()).unwrap();
        assert_eq!((target.host(), target.port(), target.is_plain()), ("erp.exemplo.com.br", 8443, false));
        assert_eq!((target.path(), target.host_header()), ("/a/b?c=d", "ERP.Exemplo.com.br:8443"));
        assert_eq!(TargetUrl::parse("https://exemplo.com.br", &AddressPolicy::public()).unwrap().path(), "/");
        assert!(taken("https://[2606:4700::1111]/x", &AddressPolicy::public()));
        assert!(taken("https://8.8.8.8/x", &AddressPolicy::public()));
    }

    #[test]
    fn what_is_not_a_public_https_address_is_refused() {
        for wrong in [
            "",
            "exemplo.com.br",
            "/x",
            "ftp://exemplo.com.br",
            "http://exemplo.com.br",
            "https://",
            "https:///x",
            "https://u:s@exemplo.com.br",
            "https://u@exemplo.com.br",
            "https://exemplo.com.br/#x",
            "https://exemplo.com.br/ x",
            "https://exemplo.com.br\\@10.0.0.1/",
            "https://exémplo.com.br/",
            "https://exemplo.com.br:0/",
            "https://exemplo.com.br:/",
            "https://exemplo.com.br:99999/",
            "https://exemplo.com.br:22/",
            "https://exemplo.com.br:80/",
            "https://exemplo.com.br:6379/",
            "https://127.0.0.1/",
            "https://127.1/",
            "https://0x7f.1/",
            "https://2130706433/",
            "https://0x7f000001/",
            "https://0177.0.0.1/",
            "https://127.0.0.1./",
            "https://10.0.0.1/",
            "https://192.168.0.1/",
            "https://169.254.169.254/latest",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://[64:ff9b::a00:1]/",
            "https://[fd00::1]/",
            "https://[fe80::1]/",
            "https://[2002:a00:1::]/",
            "https://localhost/",
            "https://localhost./",
            "https://a.localhost/",
            "https://metadata.google.internal/",
            "https://impressora.local/",
            "https://erp/",
        ] {
            assert!(!taken(wrong, &AddressPolicy::public()), "{wrong}");
        }
        assert!(!taken(&format!("https://exemplo.com.br/{}", "x".repeat(2048)), &AddressPolicy::public()));
    }

    #[test]
    fn development_takes_http_to_this_machine_and_an_operator_anything() {
        let development = AddressPolicy::public().with_plain_loopback(true);
        assert!(taken("http://127.0.0.1:9/x", &development) && taken("http://localhost:9/x", &development));
        assert!(!taken("http://10.0.0.1/x", &development) && !taken("http://0x7f.1/x", &development));
        assert!(taken("http://10.0.0.1:81/x", &AddressPolicy::anywhere()));
        let inside = AddressPolicy::public().with_networks(vec!["10.0.0.0/8".parse().unwrap()]);
        assert!(taken("https://10.0.0.1/x", &inside) && taken("https://erp/x", &inside));
        assert!(!taken("http://10.0.0.1/x", &inside) && !taken("https://192.168.0.1/x", &inside));
    }
}
