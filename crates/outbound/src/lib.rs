//! HTTP to hosts that are not authorities: receivers of webhooks, sources of lookups. A call is one request and its
//! answer.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use outbound::{AddressPolicy, ClientOptions, HttpRequest, OutboundClient, TargetUrl};
//! let policy = AddressPolicy::public(); // `AddressPolicy::anywhere()` for URLs that the operator configured
//! let client = OutboundClient::new(ClientOptions::default())?;
//! let target = TargetUrl::parse("https://exemplo.com.br/notificacoes", &policy)?;
//! let answer = client.send(&target, &policy, HttpRequest::get()).await?;
//! println!("{} {} bytes", answer.status, answer.body.len());
//! # Ok(()) }
//! ```
//!
//! TLS is always verified (platform roots and a bundle). The name is resolved once per call, the `AddressPolicy` must
//! allow every address it has, and only those are connected to, so a second answer of the resolver changes nothing (DNS
//! rebinding). No redirect is followed, no proxy is used, no connection is kept, no call is retried. A status is never
//! an error: the caller interprets it.
//!
//! Must not know: the content and its receiver.

mod address_policy;
mod connect;
mod exchange;
pub mod reason;
mod resolve;
mod target;
pub mod trust;
mod url_guard;

pub use address_policy::{AddressPolicy, IpNetwork};
pub use resolve::{NameResolver, ResolveFuture, SystemResolver};
pub use target::{RefusedUrl, TargetUrl};
pub use url_guard::UrlGuard;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use openssl::error::ErrorStack;
use openssl::ssl::{SslConnector, SslMethod, SslVersion};
use openssl::x509::X509;
use openssl::x509::store::X509StoreBuilder;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Settings of a client.
pub struct ClientOptions {
    /// Trust the platform's roots.
    pub platform_roots: bool,
    /// PEM with further trust anchors.
    pub extra_anchors_pem: Option<Vec<u8>>,
    /// Resolver of host names.
    pub resolver: Arc<dyn NameResolver>,
}

impl Default for ClientOptions {
    fn default() -> ClientOptions {
        ClientOptions { platform_roots: true, extra_anchors_pem: None, resolver: Arc::new(SystemResolver) }
    }
}

#[derive(Debug, Clone)]
pub struct HttpRequest {
    pub method: Method,
    /// Headers besides `Host` and `Content-Length`.
    pub headers: HeaderMap,
    pub body: Bytes,
    /// Longest time for name, connection, request and answer together.
    pub within: Duration,
    /// Most bytes of the answer's body that are read; the rest is dropped (`cut`).
    pub at_most: usize,
}

impl HttpRequest {
    /// A GET with 10 s and 1 MiB.
    pub fn get() -> HttpRequest {
        let (method, headers, body) = (Method::GET, HeaderMap::new(), Bytes::new());
        HttpRequest { method, headers, body, within: Duration::from_secs(10), at_most: 1 << 20 }
    }
}

/// An answer of any status.
#[derive(Debug, Clone)]
pub struct HttpResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// The body, or its beginning.
    pub body: Vec<u8>,
    /// True when the body was longer than `at_most`.
    pub cut: bool,
}

/// A call without an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{cause}")]
pub struct RequestFailure {
    /// Class of the failure, for decisions and metrics.
    pub kind: FailureKind,
    /// Cause in Portuguese; never holds the path or the query of the URL.
    pub cause: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// The name leads to an address that may not be called.
    Refused,
    /// The name was not found.
    Dns,
    /// No address accepted the connection.
    Connect,
    /// The handshake failed.
    Tls,
    /// The server's certificate is not trusted.
    Untrusted,
    /// No whole answer in time.
    TimedOut,
    /// The connection ended, or what came was not HTTP.
    Closed,
}

impl FailureKind {
    /// Metrics label.
    pub fn word(self) -> &'static str {
        match self {
            FailureKind::Refused => "refused",
            FailureKind::Dns => "dns",
            FailureKind::Connect => "connect",
            FailureKind::Tls => "tls",
            FailureKind::Untrusted => "untrusted",
            FailureKind::TimedOut => "timeout",
            FailureKind::Closed => "closed",
        }
    }
}

/// The client. Cheap to clone.
#[derive(Clone)]
pub struct OutboundClient {
    connector: SslConnector,
    resolver: Arc<dyn NameResolver>,
}

impl OutboundClient {
    /// A client. Cheap to clone.
    pub fn new(options: ClientOptions) -> Result<OutboundClient, ErrorStack> {
        let mut roots = X509StoreBuilder::new()?;
        if options.platform_roots {
            trust::add_platform_roots(&mut roots)?;
        }
        for anchor in X509::stack_from_pem(options.extra_anchors_pem.as_deref().unwrap_or_default())? {
            roots.add_cert(anchor)?;
        }
        let mut connector = SslConnector::builder(SslMethod::tls_client())?;
        connector.set_min_proto_version(Some(SslVersion::TLS1_2))?;
        connector.set_alpn_protos(b"\x08http/1.1")?;
        connector.set_cert_store(roots.build());
        Ok(OutboundClient { connector: connector.build(), resolver: options.resolver })
    }

    /// Sends a request, if its target may be reached.
    pub async fn send(
        &self,
        target: &TargetUrl,
        reach: &AddressPolicy,
        request: HttpRequest,
    ) -> Result<HttpResponse, RequestFailure> {
        let (within, at_most) = (request.within, request.at_most);
        let deadline = Instant::now() + within;
        let request = exchange::request(target, request)?;
        let connecting = connect::connect(target, reach, self.resolver.as_ref(), &self.connector, within);
        let connection = tokio::time::timeout_at(deadline, connecting)
            .await
            .unwrap_or_else(|_| Err(late(target, "não aceitou a conexão", within)))?;
        tokio::time::timeout_at(deadline, exchange::run(target, connection, request, at_most))
            .await
            .unwrap_or_else(|_| Err(late(target, "não respondeu por inteiro", within)))
    }
}

impl std::fmt::Debug for OutboundClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OutboundClient").finish_non_exhaustive()
    }
}

fn late(target: &TargetUrl, what: &str, within: Duration) -> RequestFailure {
    let cause = format!("{} {what} em {} s", target.host(), within.as_secs());
    RequestFailure { kind: FailureKind::TimedOut, cause }
}
