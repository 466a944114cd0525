//! Trusted proxies, allowed origins and the settings of the MCP server.
//!
//! Must not know: routes.

use std::net::{IpAddr, Ipv6Addr};

use http::HeaderMap;
use mcp_transport::McpTransport;
use outbound::IpNetwork;

use crate::oidc::OidcSettings;

/// Network surroundings of the listener.
#[derive(Debug, Clone)]
pub struct Edge {
    /// Proxies whose `X-Forwarded-For` is trusted; when empty, the header is ignored.
    pub trusted_proxies: Vec<IpNetwork>,
    /// Origins (`https://loja.com.br`) whose pages may call from a browser; `*` is any. None when empty.
    pub cors_origins: Vec<String>,
    /// Public URL of the service (`https://notas.loja.com.br`); without it links carry no host.
    pub public_url: Option<String>,
    /// True when large answers are compressed for clients that accept gzip.
    pub compression: bool,
    /// Settings of the MCP server.
    pub mcp: McpSettings,
    /// Provider of sign-ins to the panel; none when absent.
    pub oidc: Option<OidcSettings>,
}

impl Default for Edge {
    fn default() -> Edge {
        Edge {
            trusted_proxies: Vec::new(),
            cors_origins: Vec::new(),
            public_url: None,
            compression: true,
            mcp: McpSettings::default(),
            oidc: None,
        }
    }
}

/// Settings of the MCP server.
#[derive(Debug, Clone)]
pub struct McpSettings {
    /// True when the server is on.
    pub active: bool,
    /// Public URL of the server, when it is not the address of the listener.
    pub url: Option<String>,
    /// Accepted host names, beside that of `url`.
    pub hosts: Vec<String>,
    /// Answers in place of our tools; set only in tests of the protocol stack.
    pub handler: Option<McpTransport>,
}

impl Default for McpSettings {
    fn default() -> McpSettings {
        McpSettings { active: true, url: None, hosts: Vec::new(), handler: None }
    }
}

/// Remote address of a connection, added to every request by the listener.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PeerAddress(pub(crate) IpAddr);

/// Local address of a listener, added to every request by it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListenerAddress(pub(crate) IpAddr);

impl Edge {
    /// True when the public address is https.
    pub(crate) fn is_https(&self) -> bool {
        self.public_url.as_deref().is_some_and(|url| url.starts_with("https://"))
    }

    /// Address of the client: the peer, or, behind trusted proxies, the nearest forwarded address that is not trusted.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let trusted = |address: IpAddr| self.trusted_proxies.iter().any(|proxy| proxy.contains(address));
        let mut client = peer.to_canonical();
        let hops = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
        let hops: Vec<&str> = hops.flat_map(|value| value.split(',')).map(str::trim).collect();
        for hop in hops.into_iter().rev() {
            if !trusted(client) {
                break;
            }
            let Some(address) = address_of(hop) else { break };
            client = address.to_canonical();
        }
        client
    }
}

/// The address by which callers are counted: the /64 of an IPv6 address, since a subscriber may choose any address in
/// it.
pub(crate) fn subscriber_address(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address @ IpAddr::V4(_) => address,
    }
}

/// Address of an `X-Forwarded-For` entry; some proxies append the port.
fn address_of(hop: &str) -> Option<IpAddr> {
    let bare = hop.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    bare.unwrap_or(hop).parse().ok().or_else(|| hop.parse().ok().map(|socket: std::net::SocketAddr| socket.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, trusted: &[&str], forwarded: &[&str]) -> String {
        let trusted_proxies = trusted.iter().map(|text| text.parse().unwrap()).collect();
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        Edge { trusted_proxies, ..Edge::default() }.client(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn a_stranger_cannot_choose_its_address() {
        assert_eq!(client("203.0.113.9", &[], &["10.0.0.1"]), "203.0.113.9");
        assert_eq!(client("203.0.113.9", &["10.0.0.0/8"], &["198.51.100.7"]), "203.0.113.9");
    }

    #[test]
    fn behind_proxies_the_nearest_stranger_counts() {
        let trusted = ["10.0.0.0/8", "::1"];
        assert_eq!(client("10.1.2.3", &trusted, &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(client("::1", &trusted, &["6.6.6.6, 198.51.100.7", "10.9.9.9"]), "198.51.100.7");
        assert_eq!(client("10.1.2.3", &trusted, &["198.51.100.7, lixo"]), "10.1.2.3");
        assert_eq!(client("10.1.2.3", &trusted, &["198.51.100.7:4711"]), "198.51.100.7");
        assert_eq!(client("10.1.2.3", &trusted, &["[2001:db8::1]:443"]), "2001:db8::1");
        assert_eq!(client("10.1.2.3", &trusted, &[]), "10.1.2.3");
        assert_eq!(client("::ffff:10.1.2.3", &trusted, &["198.51.100.7"]), "198.51.100.7");
    }
}
