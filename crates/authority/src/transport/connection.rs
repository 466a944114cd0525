//! A connection: name, TCP, TLS, HTTP/1.1. No byte of a request is sent here, so every failure is `SendStatus::No`,
//! except those explained for an exchange in progress.

use super::counted_flight::CountedFlight;
use super::handshake::{self, HandshakeLog};
use super::versions::{TlsVersions, VersionOffer};
use super::{CallError, SendStatus};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use openssl::error::ErrorStack;
use openssl::ssl::{Ssl, SslConnector, SslVerifyMode, SslVersion};
use outbound::reason;
use outbound::trust::{ChainFault, tls_reason};
use signing::Certificate;
use std::error::Error as StdError;
use std::net::SocketAddr;
use std::pin::Pin;
use tokio::net::TcpStream;
use tokio_openssl::SslStream;

/// Host and port of a URL.
pub(super) struct ServerAddress {
    uri: http::Uri,
    host: String,
    port: u16,
}

impl ServerAddress {
    pub(super) fn of(url: &str) -> Result<ServerAddress, CallError> {
        let wrong = || CallError::unsent("connect", format!("endereço inválido: {url}"));
        let uri: http::Uri = url.parse().map_err(|_| wrong())?;
        let host = uri.host().filter(|_| uri.scheme_str() == Some("https")).ok_or_else(wrong)?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(ServerAddress { port: uri.port_u16().unwrap_or(443), host, uri })
    }
    pub(super) fn host_and_port(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
    pub(super) fn host_header(&self) -> &str {
        self.uri.authority().map_or(self.host.as_str(), http::uri::Authority::as_str)
    }
    pub(super) fn path(&self) -> &str {
        self.uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str)
    }
}

/// A connection ready for requests.
pub(super) struct AuthorityConnection {
    pub(super) sender: SendRequest<Full<Bytes>>,
    /// Filled again when the server renegotiates.
    verdict: ChainFault,
    /// The server checks our certificate after our side of the handshake is complete.
    is_tls13: bool,
}

/// Facts of servers, learned from their handshakes.
#[derive(Clone, Copy)]
pub(super) struct HandshakeMemory<'t> {
    pub(super) handshakes: &'t HandshakeLog,
    /// `None` when TLS 1.3 is disabled.
    pub(super) versions: Option<&'t TlsVersions>,
}

/// Connects with this client certificate, to the checked addresses or else to any of the name.
pub(super) async fn connect(
    address: &ServerAddress,
    judged: Option<Vec<SocketAddr>>,
    connector: &SslConnector,
    certificate: &Certificate,
    memory: HandshakeMemory<'_>,
) -> Result<AuthorityConnection, CallError> {
    let found = match judged {
        Some(judged) => judged,
        None => resolve_address(address).await?,
    };
    let (tls, verdict) = negotiate_version(address, &found, connector, certificate, memory.versions).await?;
    memory.handshakes.record_handshake(handshake::read(address.host_and_port(), tls.ssl()));
    let is_tls13 = tls.ssl().version2() == Some(SslVersion::TLS1_3);
    let (sender, driver) = http1::handshake(TokioIo::new(tls)).await.map_err(|error| {
        CallError::unsent(
            "connect",
            format!("{} não iniciou HTTP: {}", address.host_and_port(), reason::of_http(&error)),
        )
    })?;
    tokio::spawn(async move {
        if let Err(error) = driver.await {
            // the future of the exchange in progress reports the error
            tracing::debug!(%error, "connection ended");
        }
    });
    Ok(AuthorityConnection { sender, verdict, is_tls13 })
}

/// Handshake in the version known for the server; the result is learned. No byte of a request is sent before.
async fn negotiate_version(
    address: &ServerAddress,
    found: &[SocketAddr],
    connector: &SslConnector,
    certificate: &Certificate,
    versions: Option<&TlsVersions>,
) -> Result<SecuredStream, CallError> {
    let Some(versions) = versions else { return connect_tls(address, found, connector, certificate, false).await };
    let server = address.host_and_port();
    let offer = versions.offer(&server);
    let first = connect_tls(address, found, connector, certificate, offer != VersionOffer::None).await;
    let failure = match first {
        Ok(shaken) if may_keep_version(&shaken.0, certificate) => {
            if offer == VersionOffer::First {
                versions.confirm(&server);
            }
            return Ok(shaken);
        }
        Ok(_) => None,
        Err(error) if offer == VersionOffer::First && error.kind == "tls" => Some(error),
        Err(error) => {
            if offer == VersionOffer::First {
                versions.forget_offer(&server);
            }
            return Err(error);
        }
    };
    let second = connect_tls(address, found, connector, certificate, false).await;
    match (&second, failure) {
        (Ok(_), _) => versions.limit_to_tls12(&server),
        (Err(_), None) => {}
        // the server is down in any version
        (Err(_), Some(first)) => {
            versions.forget_offer(&server);
            return Err(first);
        }
    }
    second
}

/// A stream after its handshake, with the fault of its chain if any.
type SecuredStream = (SslStream<CountedFlight>, ChainFault);

/// Connects and completes the handshake.
async fn connect_tls(
    address: &ServerAddress,
    found: &[SocketAddr],
    connector: &SslConnector,
    certificate: &Certificate,
    tls13: bool,
) -> Result<SecuredStream, CallError> {
    let verdict = ChainFault::default();
    let unusable = |error: ErrorStack| CallError::unsent("tls", format!("o certificado não serve para TLS: {error}"));
    let ssl = client(connector, &address.host, certificate, &verdict, tls13).map_err(unusable)?;
    let tcp = open(address, found).await?;
    let mut tls = SslStream::new(ssl, CountedFlight::of(tcp)).map_err(unusable)?;
    Pin::new(&mut tls).connect().await.map_err(|error| handshake_error(address, &verdict, &error))?;
    Ok((tls, verdict))
}

/// True when the negotiated version may be kept: TLS 1.2 always, 1.3 only when our certificate was sent.
fn may_keep_version(tls: &SslStream<CountedFlight>, certificate: &Certificate) -> bool {
    let shown = || certificate.leaf().to_der().is_ok_and(|leaf| tls.get_ref().encrypted() > leaf.len());
    tls.ssl().version2() != Some(SslVersion::TLS1_3) || shown()
}

fn client(
    connector: &SslConnector,
    host: &str,
    certificate: &Certificate,
    verdict: &ChainFault,
    tls13: bool,
) -> Result<Ssl, ErrorStack> {
    let mut ssl = connector.configure()?;
    if !tls13 {
        ssl.set_max_proto_version(Some(SslVersion::TLS1_2))?;
    }
    ssl.set_verify_callback(SslVerifyMode::PEER, verdict.callback(host));
    let mut ssl = ssl.into_ssl(host)?;
    ssl.set_certificate(certificate.leaf())?;
    ssl.set_private_key(certificate.key())?;
    for intermediate in certificate.chain() {
        ssl.add_chain_cert(intermediate.clone())?;
    }
    Ok(ssl)
}

async fn resolve_address(address: &ServerAddress) -> Result<Vec<SocketAddr>, CallError> {
    let found = tokio::net::lookup_host((address.host.as_str(), address.port)).await;
    let found = found
        .map_err(|_| CallError::unsent("dns", format!("não se encontrou {}: {}", address.host, reason::UNRESOLVED)))?;
    Ok(found.collect())
}

async fn open(address: &ServerAddress, found: &[SocketAddr]) -> Result<TcpStream, CallError> {
    let mut last = None;
    for socket in found {
        match TcpStream::connect(socket).await {
            Ok(tcp) => {
                // small messages both ways: waiting to fill a packet only costs time
                let _ = tcp.set_nodelay(true);
                return Ok(tcp);
            }
            Err(error) => last = Some(error),
        }
    }
    let why = last.map_or_else(|| "nenhum endereço".to_owned(), |error| reason::of_io(&error));
    Err(CallError::unsent("connect", format!("{} não aceitou a conexão: {why}", address.host_and_port())))
}

fn handshake_error(address: &ServerAddress, verdict: &ChainFault, error: &openssl::ssl::Error) -> CallError {
    match verdict.chain_reason() {
        Some(why) => CallError::unsent("untrusted", format!("certificado do servidor não confiável: {why}")),
        None => {
            CallError::unsent("tls", format!("{} não concluiu o TLS: {}", address.host_and_port(), tls_reason(error)))
        }
    }
}

impl AuthorityConnection {
    /// Error of an exchange in progress. The request may have arrived.
    pub(super) fn explain(&self, error: &hyper::Error) -> CallError {
        if let Some(why) = self.verdict.chain_reason() {
            let cause = format!("certificado do servidor não confiável na renegociação: {why}");
            return CallError { sent: SendStatus::Maybe, cause, kind: "untrusted" };
        }
        let mut source = error.source();
        while let Some(inner) = source {
            if let Some(tls) = ssl_error(inner) {
                let cause = format!("o TLS falhou durante o pedido: {}", tls_reason(tls));
                // a TLS 1.3 server that refuses the client's certificate reads no request
                let sent = if self.is_tls13 && refuses_certificate(tls) { SendStatus::No } else { SendStatus::Maybe };
                return CallError { sent, cause, kind: "tls" };
            }
            source = inner.source();
        }
        let cause = format!("a conexão terminou antes da resposta completa ({})", reason::of_http(error));
        CallError { sent: SendStatus::Maybe, cause, kind: "closed" }
    }
}

/// True for an alert that refuses our certificate or asks for one.
fn refuses_certificate(error: &openssl::ssl::Error) -> bool {
    let stack = error.ssl_error().map_or(&[][..], ErrorStack::errors);
    stack.iter().any(|error| CERTIFICATE_ALERTS.contains(&error.reason_code()))
}

/// OpenSSL's reasons for the alerts of RFC 8446 §6.2 about certificates: 1000 plus the alert.
const CERTIFICATE_ALERTS: [i32; 8] = [1042, 1043, 1044, 1045, 1046, 1048, 1049, 1116];

fn ssl_error<'e>(error: &'e (dyn StdError + 'static)) -> Option<&'e openssl::ssl::Error> {
    let inside = |io: &'e std::io::Error| io.get_ref()?.downcast_ref::<openssl::ssl::Error>();
    let found = error.downcast_ref::<openssl::ssl::Error>().or_else(|| inside(error.downcast_ref()?));
    found
        .filter(|error| error.io_error().is_none() && error.ssl_error().is_some_and(|stack| !stack.errors().is_empty()))
}
