//! Connecting to a target: its name is resolved once, all addresses are checked, and only those are connected to.

use crate::address_policy::AddressPolicy;
use crate::reason;
use crate::resolve::NameResolver;
use crate::target::TargetUrl;
use crate::trust::{ChainFault, tls_reason};
use crate::{FailureKind, RequestFailure};
use openssl::error::ErrorStack;
use openssl::ssl::{Ssl, SslConnector, SslVerifyMode};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_openssl::SslStream;

/// An open stream.
pub(crate) enum OpenStream {
    Plain(TcpStream),
    Tls(SslStream<TcpStream>),
}

/// More addresses of one name are not tried.
const MOST_ADDRESSES: usize = 4;

pub(crate) async fn connect(
    target: &TargetUrl,
    reach: &AddressPolicy,
    resolver: &dyn NameResolver,
    connector: &SslConnector,
    within: Duration,
) -> Result<OpenStream, RequestFailure> {
    let addresses = allowed_addresses(target, reach, resolver).await?;
    let tcp = open(target, &addresses, within).await?;
    // small messages both ways: waiting to fill a packet only costs time
    let _ = tcp.set_nodelay(true);
    if target.is_plain() { Ok(OpenStream::Plain(tcp)) } else { secure(target, connector, tcp).await }
}

/// Addresses of the target. One forbidden address refuses the whole name.
pub(crate) async fn allowed_addresses(
    target: &TargetUrl,
    reach: &AddressPolicy,
    resolver: &dyn NameResolver,
) -> Result<Vec<IpAddr>, RequestFailure> {
    let addresses = match target.address() {
        Some(address) => vec![address],
        None => resolver.resolve(target.host()).await.map_err(|_| not_found(target, reason::UNRESOLVED))?,
    };
    if addresses.is_empty() {
        return Err(not_found(target, "nenhum endereço"));
    }
    for address in &addresses {
        reach.allows(target.is_plain(), *address).map_err(|why| RequestFailure {
            kind: FailureKind::Refused,
            cause: format!("{} leva a {address}, que não pode ser chamado: {why}", target.host()),
        })?;
    }
    Ok(addresses)
}

fn not_found(target: &TargetUrl, why: &str) -> RequestFailure {
    RequestFailure { kind: FailureKind::Dns, cause: format!("não se encontrou {}: {why}", target.host()) }
}

/// Connects to the first address that accepts. The time is divided, so a silent address leaves time for the others.
async fn open(target: &TargetUrl, addresses: &[IpAddr], within: Duration) -> Result<TcpStream, RequestFailure> {
    let tried = addresses.len().min(MOST_ADDRESSES);
    let share = within / u32::try_from(tried).unwrap_or(1).max(1);
    let mut last = String::new();
    for address in &addresses[..tried] {
        let socket = SocketAddr::new(*address, target.port());
        last = match tokio::time::timeout(share, TcpStream::connect(socket)).await {
            Ok(Ok(tcp)) => return Ok(tcp),
            Ok(Err(error)) => reason::of_io(&error),
            Err(_) => "sem resposta".to_owned(),
        };
    }
    let cause = format!("{} não aceitou a conexão na porta {}: {last}", target.host(), target.port());
    Err(RequestFailure { kind: FailureKind::Connect, cause })
}

async fn secure(target: &TargetUrl, connector: &SslConnector, tcp: TcpStream) -> Result<OpenStream, RequestFailure> {
    let verdict = ChainFault::default();
    let unusable = |error: ErrorStack| RequestFailure {
        kind: FailureKind::Tls,
        cause: format!("o TLS não pôde começar: {error}"),
    };
    let ssl = client(connector, target.host(), &verdict).map_err(unusable)?;
    let mut tls = SslStream::new(ssl, tcp).map_err(unusable)?;
    Pin::new(&mut tls).connect().await.map_err(|error| match verdict.chain_reason() {
        Some(why) => RequestFailure {
            kind: FailureKind::Untrusted,
            cause: format!("certificado do servidor não confiável: {why}"),
        },
        None => RequestFailure {
            kind: FailureKind::Tls,
            cause: format!("{} não concluiu o TLS: {}", target.host(), tls_reason(&error)),
        },
    })?;
    Ok(OpenStream::Tls(tls))
}

fn client(connector: &SslConnector, host: &str, verdict: &ChainFault) -> Result<Ssl, ErrorStack> {
    let mut ssl = connector.configure()?;
    ssl.set_verify_callback(SslVerifyMode::PEER, verdict.callback(host));
    ssl.into_ssl(host)
}
