//! The only HTTPS transport: OpenSSL, mutual TLS, verified chains, TLS 1.2 with renegotiation, connection reuse,
//! time-outs, reply limit. It never retries: the caller decides about a failure from `SendStatus` alone.
//!
//! Authorities ask for the client certificate by renegotiation after they have read the request; TLS 1.3 has none, so
//! it is used only with servers that ask during the handshake (`versions`).
//!
//! Law: MOC 7.0, visão geral, 3.1 (TLS 1.2, client certificate of ICP-Brasil).

mod anchors;
mod connection;
mod flight;
mod handshake;
mod pool;
mod versions;

pub use handshake::{Handshake, Shown};

use crate::call::{Call, Method, Reply};
use connection::{Address, Connection, HandshakeMemory};
use handshake::Handshakes;
use http::header::{CONTENT_LENGTH, HOST, RETRY_AFTER};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use openssl::ssl::{SslConnector, SslMethod, SslVersion};
use pool::Pool;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use versions::Versions;

/// Settings of the transport.
#[derive(Debug, Clone)]
pub struct Options {
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
    pub strangers: outbound::Gate,
    /// Offer TLS 1.3, and keep it with servers that ask for the client certificate in the handshake.
    pub tls13: bool,
}

/// Possible transmission of request bytes; it alone decides whether a resend is safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
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
    pub sent: Sent,
    /// Cause in Portuguese, e.g. the fault of the chain or the time-out.
    pub cause: String,
    /// Metrics label: `dns`, `connect`, `tls`, `untrusted`, `timeout`, `closed`, `too_large`.
    pub kind: &'static str,
}

/// A pool of connections for every certificate in use. Cheap to clone.
#[derive(Clone)]
pub struct Transport {
    inner: Arc<Inner>,
}

struct Inner {
    options: Options,
    /// Shared context: anchors are held once, the client's certificate is set on each connection.
    connector: SslConnector,
    pool: Pool,
    handshakes: Handshakes,
    versions: Versions,
}

impl Transport {
    pub fn new(options: Options) -> Result<Transport, openssl::error::ErrorStack> {
        let mut builder = SslConnector::builder(SslMethod::tls_client())?;
        builder.set_min_proto_version(Some(SslVersion::TLS1_2))?;
        builder.set_cert_store(anchors::store(options.builtin_anchors, options.extra_anchors_pem.as_deref())?);
        let (pool, handshakes, versions) = (Pool::default(), Handshakes::default(), Versions::default());
        let inner = Inner { connector: builder.build(), pool, handshakes, versions, options };
        Ok(Transport { inner: Arc::new(inner) })
    }
    /// Sends a call with this client certificate and returns the reply of any status.
    pub async fn send(&self, call: &Call, certificate: &signing::Certificate) -> Result<Reply, CallError> {
        let address = Address::of(&call.url)?;
        let key = (address.host_and_port(), *certificate.fingerprint(), call.given);
        let mut request = request(call, &address)?;
        // a closed idle connection returns the request unsent, so the next connection may send it; once writing has
        // begun, a failure is final
        while let Some(idle) = self.inner.pool.take(&key) {
            match self.exchange(idle, request, &key).await {
                Exchange::Untouched(same) => request = same,
                Exchange::Done(result) => return result,
            }
        }
        let fresh = self.connect(call, &address, certificate).await?;
        match self.exchange(fresh, request, &key).await {
            Exchange::Untouched(_) => Err(CallError::unsent(
                "closed",
                format!("{} fechou a conexão antes do pedido", address.host_and_port()),
            )),
            Exchange::Done(result) => result,
        }
    }

    /// Last handshake with the server of a call, if any.
    pub fn handshake(&self, call: &Call) -> Option<Arc<Handshake>> {
        let address = Address::of(&call.url).ok()?;
        self.inner.handshakes.of(&address.host_and_port())
    }

    async fn connect(
        &self,
        call: &Call,
        address: &Address,
        certificate: &signing::Certificate,
    ) -> Result<Connection, CallError> {
        let limit = self.inner.options.connect_timeout;
        let connecting = async {
            let judged = match call.given {
                true => Some(self.judged(call).await?),
                false => None,
            };
            let Inner { connector, handshakes, versions, options, .. } = self.inner.as_ref();
            let memory = HandshakeMemory { handshakes, versions: options.tls13.then_some(versions) };
            connection::connect(address, judged, connector, certificate, memory).await
        };
        tokio::time::timeout(limit, connecting).await.unwrap_or_else(|_elapsed| {
            let cause = format!("{} não aceitou a conexão em {}", address.host_and_port(), seconds(limit));
            Err(CallError::unsent("timeout", cause))
        })
    }

    /// Addresses of a company's URL; a forbidden one refuses the call.
    async fn judged(&self, call: &Call) -> Result<Vec<SocketAddr>, CallError> {
        let found = self.inner.options.strangers.addresses(&call.url).await;
        found.map_err(|failure| CallError::unsent(failure.kind.word(), failure.cause))
    }

    /// Guard of addresses that companies configure.
    pub fn strangers(&self) -> &outbound::Gate {
        &self.inner.options.strangers
    }

    /// Exchanges a request and its reply. The connection returns to the pool after a complete reply.
    async fn exchange(&self, mut connection: Connection, request: Request, key: &pool::Key) -> Exchange {
        let limit = self.inner.options.reply_timeout;
        let bodiless = request.method() == http::Method::HEAD;
        let exchange = async {
            let response = match connection.sender.try_send_request(request).await {
                Ok(response) => response,
                Err(mut error) => match error.take_message() {
                    Some(untouched) => return Exchange::Untouched(untouched),
                    None => return Exchange::Done(Err(connection.explain(error.error()))),
                },
            };
            let (status, retry_after_s) = (response.status(), retry_after(&response));
            let body = self.read(response, bodiless, &connection).await;
            if body.is_ok() {
                self.inner.pool.give_back(key.clone(), connection);
            }
            Exchange::Done(body.map(|body| Reply { status, body, retry_after_s }))
        };
        tokio::time::timeout(limit, exchange).await.unwrap_or_else(|_elapsed| {
            let cause = format!("{} não respondeu por inteiro em {}", key.0, seconds(limit));
            Exchange::Done(Err(CallError::maybe_sent("timeout", cause)))
        })
    }

    /// Reads the body. A reply to HEAD may announce the length of the body that it omits.
    async fn read(
        &self,
        response: hyper::Response<Incoming>,
        bodiless: bool,
        connection: &Connection,
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

type Request = hyper::Request<Full<Bytes>>;

enum Exchange {
    /// No byte was written.
    Untouched(Request),
    Done(Result<Reply, CallError>),
}

fn request(call: &Call, address: &Address) -> Result<Request, CallError> {
    let method = match call.method {
        Method::Get => http::Method::GET,
        Method::Head => http::Method::HEAD,
        Method::Post => http::Method::POST,
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
        CallError { sent: Sent::No, cause, kind }
    }
    fn maybe_sent(kind: &'static str, cause: String) -> CallError {
        CallError { sent: Sent::Maybe, cause, kind }
    }
}

impl std::fmt::Debug for Transport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transport").field("options", &self.inner.options).finish_non_exhaustive()
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            extra_anchors_pem: None,
            builtin_anchors: true,
            connect_timeout: Duration::from_secs(10),
            reply_timeout: Duration::from_secs(60),
            reply_limit: 8 << 20,
            strangers: outbound::Gate::default(),
            tls13: true,
        }
    }
}
