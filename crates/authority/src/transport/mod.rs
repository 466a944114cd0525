//! The only HTTPS transport: OpenSSL, mutual TLS, verified chains, TLS 1.2 with renegotiation, connection reuse,
//! time-outs, reply limit. It never retries: the caller decides about a failure from `SendStatus` alone.
//!
//! Authorities ask for the client certificate by renegotiation after they have read the request; TLS 1.3 has none, so
//! it is used only with servers that ask during the handshake (`versions`).
//!
//! Law: MOC 7.0, visão geral, 3.1 (TLS 1.2, client certificate of ICP-Brasil).

mod anchors;
mod connection;
mod counted_flight;
mod handshake;
mod pool;
mod versions;

pub use handshake::{ChainCertificate, Handshake};

use crate::call::{AuthorityCall, AuthorityReply, CallMethod};
use connection::{AuthorityConnection, HandshakeMemory, ServerAddress};
use handshake::HandshakeLog;
use http::header::{CONTENT_LENGTH, HOST, RETRY_AFTER};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use openssl::ssl::{SslConnector, SslMethod, SslVersion};
use pool::ConnectionPool;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use versions::TlsVersions;

/// Settings of the transport.
#[derive(Debug, Clone)]
pub struct TransportOptions {
    /// PEM with further trust anchors (simulator, corporate, new ICP-Brasil roots).
    pub extra_anchors_pem: Option<Vec<u8>>,
    /// Also trust the platform's roots and the ICP-Brasil roots inside the binary.
    pub builtin_anchors: bool,
    /// Longest time to connect and complete the handshake.
    pub connect_timeout: Duration,
    /// Longest time from the request to the last byte of the reply.
    pub reply_timeout: Duration,
    /// Largest reply accepted, in bytes.
    pub reply_limit: usize,
    /// Guard of addresses that companies configure.
    pub url_guard: outbound::UrlGuard,
    /// Offer TLS 1.3, and keep it with servers that ask for the client certificate in the handshake.
    pub tls13: bool,
}

/// Possible transmission of request bytes; it alone decides whether a resend is safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendStatus {
    /// Nothing was sent: connecting or the handshake failed.
    No,
    /// Bytes may have been sent.
    Maybe,
}

/// A call without a reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{cause}")]
pub struct CallError {
    /// `No` when the request cannot have been processed.
    pub sent: SendStatus,
    /// Cause in Portuguese, e.g. the fault of the chain or the time-out.
    pub cause: String,
    /// Metrics label: `dns`, `connect`, `tls`, `untrusted`, `timeout`, `closed`, `too_large`.
    pub kind: &'static str,
}

/// A pool of connections for every certificate in use. Cheap to clone.
#[derive(Clone)]
pub struct AuthorityTransport {
    inner: Arc<TransportState>,
}

struct TransportState {
    options: TransportOptions,
    /// Shared context: anchors are held once, the client's certificate is set on each connection.
    connector: SslConnector,
    pool: ConnectionPool,
    handshakes: HandshakeLog,
    versions: TlsVersions,
}

impl AuthorityTransport {
    pub fn new(options: TransportOptions) -> Result<AuthorityTransport, openssl::error::ErrorStack> {
        let mut builder = SslConnector::builder(SslMethod::tls_client())?;
        builder.set_min_proto_version(Some(SslVersion::TLS1_2))?;
        builder.set_cert_store(anchors::store(options.builtin_anchors, options.extra_anchors_pem.as_deref())?);
        let (pool, handshakes, versions) = (ConnectionPool::default(), HandshakeLog::default(), TlsVersions::default());
        let inner = TransportState { connector: builder.build(), pool, handshakes, versions, options };
        Ok(AuthorityTransport { inner: Arc::new(inner) })
    }
    /// Sends a call with this client certificate and returns the reply of any status.
    pub async fn send(
        &self,
        call: &AuthorityCall,
        certificate: &signing::Certificate,
    ) -> Result<AuthorityReply, CallError> {
        let address = ServerAddress::of(&call.url)?;
        let key = (address.host_and_port(), *certificate.fingerprint(), call.from_company);
        let mut request = request(call, &address)?;
        // a closed idle connection returns the request unsent, so the next connection may send it; once writing has
        // begun, a failure is final
        while let Some(idle) = self.inner.pool.pop_idle(&key) {
            match self.exchange(idle, request, &key).await {
                ExchangeResult::Untouched(same) => request = same,
                ExchangeResult::Done(result) => return result,
            }
        }
        let fresh = self.connect(call, &address, certificate).await?;
        match self.exchange(fresh, request, &key).await {
            ExchangeResult::Untouched(_) => Err(CallError::unsent(
                "closed",
                format!("{} fechou a conexão antes do pedido", address.host_and_port()),
            )),
            ExchangeResult::Done(result) => result,
        }
    }

    /// Last handshake with the server of a call, if any.
    pub fn handshake(&self, call: &AuthorityCall) -> Option<Arc<Handshake>> {
        let address = ServerAddress::of(&call.url).ok()?;
        self.inner.handshakes.of(&address.host_and_port())
    }

    async fn connect(
        &self,
        call: &AuthorityCall,
        address: &ServerAddress,
        certificate: &signing::Certificate,
    ) -> Result<AuthorityConnection, CallError> {
        let limit = self.inner.options.connect_timeout;
        let connecting = async {
            let judged = match call.from_company {
                true => Some(self.checked_addresses(call).await?),
                false => None,
            };
            let TransportState { connector, handshakes, versions, options, .. } = self.inner.as_ref();
            let memory = HandshakeMemory { handshakes, versions: options.tls13.then_some(versions) };
            connection::connect(address, judged, connector, certificate, memory).await
        };
        tokio::time::timeout(limit, connecting).await.unwrap_or_else(|_elapsed| {
            let cause = format!("{} não aceitou a conexão em {}", address.host_and_port(), seconds(limit));
            Err(CallError::unsent("timeout", cause))
        })
    }

    /// Addresses of a company's URL; a forbidden one refuses the call.
    async fn checked_addresses(&self, call: &AuthorityCall) -> Result<Vec<SocketAddr>, CallError> {
        let found = self.inner.options.url_guard.addresses(&call.url).await;
        found.map_err(|failure| CallError::unsent(failure.kind.word(), failure.cause))
    }

    /// Guard of addresses that companies configure.
    pub fn url_guard(&self) -> &outbound::UrlGuard {
        &self.inner.options.url_guard
    }

    /// Exchanges a request and its reply. The connection returns to the pool after a complete reply.
    async fn exchange(
        &self,
        mut connection: AuthorityConnection,
        request: TransportRequest,
        key: &pool::PoolKey,
    ) -> ExchangeResult {
        let limit = self.inner.options.reply_timeout;
        let bodiless = request.method() == http::Method::HEAD;
        let exchange = async {
            let response = match connection.sender.try_send_request(request).await {
                Ok(response) => response,
                Err(mut error) => match error.take_message() {
                    Some(untouched) => return ExchangeResult::Untouched(untouched),
                    None => return ExchangeResult::Done(Err(connection.explain(error.error()))),
                },
            };
            let (status, retry_after_s) = (response.status(), retry_after(&response));
            let body = self.read(response, bodiless, &connection).await;
            if body.is_ok() {
                self.inner.pool.add_idle(key.clone(), connection);
            }
            ExchangeResult::Done(body.map(|body| AuthorityReply { status, body, retry_after_s }))
        };
        tokio::time::timeout(limit, exchange).await.unwrap_or_else(|_elapsed| {
            let cause = format!("{} não respondeu por inteiro em {}", key.0, seconds(limit));
            ExchangeResult::Done(Err(CallError::maybe_sent("timeout", cause)))
        })
    }

    /// Reads the body. A reply to HEAD may announce the length of the body that it omits.
    async fn read(
        &self,
        response: hyper::Response<Incoming>,
        bodiless: bool,
        connection: &AuthorityConnection,
    ) -> Result<Vec<u8>, CallError> {
        let limit = self.inner.options.reply_limit;
        let too_large = || CallError::maybe_sent("too_large", format!("a resposta passa de {limit} bytes"));
        let announced = response.headers().get(CONTENT_LENGTH).filter(|_| !bodiless);
        let announced = announced.and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
        if announced.is_some_and(|length| length > limit) {
            return Err(too_large());
        }
        let mut whole = Vec::with_capacity(announced.unwrap_or(4096));
        let mut body = response.into_body();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| connection.explain(&error))?;
            let Some(data) = frame.data_ref() else { continue };
            if whole.len() + data.len() > limit {
                return Err(too_large());
            }
            whole.extend_from_slice(data);
        }
        Ok(whole)
    }
}

type TransportRequest = hyper::Request<Full<Bytes>>;

enum ExchangeResult {
    /// No byte was written.
    Untouched(TransportRequest),
    Done(Result<AuthorityReply, CallError>),
}

fn request(call: &AuthorityCall, address: &ServerAddress) -> Result<TransportRequest, CallError> {
    let method = match call.method {
        CallMethod::Get => http::Method::GET,
        CallMethod::Head => http::Method::HEAD,
        CallMethod::Post => http::Method::POST,
    };
    let head = hyper::Request::builder().method(method).uri(address.path()).header(HOST, address.host_header());
    let head = call.headers.iter().fold(head, |head, (name, value)| head.header(*name, value));
    let request = head.body(Full::new(Bytes::copy_from_slice(&call.body)));
    request.map_err(|error| CallError::unsent("connect", format!("pedido impossível para {}: {error}", call.url)))
}

/// `Retry-After` in seconds; a date is ignored, since clocks differ.
fn retry_after(response: &hyper::Response<Incoming>) -> Option<u32> {
    response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()
}

fn seconds(limit: Duration) -> String {
    format!("{},{:01} s", limit.as_secs(), limit.subsec_millis() / 100)
}

impl CallError {
    fn unsent(kind: &'static str, cause: String) -> CallError {
        CallError { sent: SendStatus::No, cause, kind }
    }
    fn maybe_sent(kind: &'static str, cause: String) -> CallError {
        CallError { sent: SendStatus::Maybe, cause, kind }
    }
}

impl std::fmt::Debug for AuthorityTransport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuthorityTransport").field("options", &self.inner.options).finish_non_exhaustive()
    }
}

impl Default for TransportOptions {
    fn default() -> TransportOptions {
        TransportOptions {
            extra_anchors_pem: None,
            builtin_anchors: true,
            connect_timeout: Duration::from_secs(10),
            reply_timeout: Duration::from_secs(60),
            reply_limit: 8 << 20,
            url_guard: outbound::UrlGuard::default(),
            tls13: true,
        }
    }
}
