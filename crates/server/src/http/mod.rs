//! The listener, HTTP/1.1 and HTTP/2: slow peers are cut off, connections above the bound are refused or replace idle
//! ones; a stop waits for requests in flight.
//!
//! Bounds of HTTP/2 in the library: streams reset before they are served (20, then GOAWAY), streams reset for errors
//! (1024), continuations of a head (by its size), answers to PING and SETTINGS (one pending at a time). Bounds set
//! here: streams, windows, send buffers, and unproductive connections (`connections`).

mod connections;
mod first_bytes;
mod paced_stream;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
pub(crate) use connections::{ConnectionBounds, begin_counters};
use connections::{ConnectionPermit, Connections};
use first_bytes::FirstBytes;
use http::{Request, Uri};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown};
use paced_stream::PacedStream;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tower::ServiceExt as _;

use crate::edge::{ListenerAddress, PeerAddress};

/// A running listener.
pub(crate) struct Listener {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<GracefulShutdown>,
}

impl Listener {
    /// Binds and serves in the background.
    pub(crate) async fn start(
        address: SocketAddr,
        router: Router,
        bounds: ConnectionBounds,
    ) -> anyhow::Result<Listener> {
        let listener = listen(address).map_err(|error| match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                anyhow::anyhow!("outro programa já escuta em {address}: pare-o ou escolha outro endereço")
            }
            _ => anyhow::Error::new(error).context(format!("não foi possível escutar em {address}")),
        })?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let router = router.layer(Extension(ListenerAddress(address.ip().to_canonical())));
        let task = tokio::spawn(serve(listener, router, Connections::new(bounds), stopped));
        Ok(Listener { address, stop, task })
    }

    /// Bound address.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts no new connections and waits at most `grace` for open requests.
    pub(crate) async fn stop(self, grace: Duration) {
        let _ = self.stop.send(());
        if let Ok(connections) = self.task.await
            && tokio::time::timeout(grace, connections.shutdown()).await.is_err()
        {
            tracing::warn!("some connections were still open when the time to stop ran out");
        }
    }
}

/// Binds with a backlog for bursts: a connection that finds the backlog full is retried by its sender only after a
/// second.
fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // a restarted service can bind its address at once
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    // inherited by connections: a peer that never reads holds this much kernel memory, not megabytes
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(ACCEPT_BACKLOG)
}

async fn serve(
    listener: TcpListener,
    router: Router,
    open: Arc<Connections>,
    mut stopped: oneshot::Receiver<()>,
) -> GracefulShutdown {
    let connections = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut stopped => return connections,
        };
        match accepted {
            Ok((stream, peer)) => match open.admit(peer.ip()) {
                Some(entry) => {
                    let served =
                        connections.watch(connection(stream, peer.ip(), router.clone(), &entry, open.bounds()));
                    tokio::spawn(serve_until_evicted(served, entry));
                }
                None => refuse(&stream),
            },
            Err(error) => {
                // out of file descriptors: the next accept would fail at once
                tracing::error!(error.cause = %error, made_room = open.close_longest_idle(), "accept failed");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

async fn serve_until_evicted(served: impl Future, entry: ConnectionPermit) {
    tokio::select! {
        _ = served => {}
        () = entry.wait_until_evicted() => {}
    }
}

/// Answers 503 as far as that is possible without waiting for the peer.
fn refuse(stream: &TcpStream) {
    let _ = stream.try_write(NO_ROOM);
}

/// HTTP/1.1, or HTTP/2 for a client that sends its preface (prior knowledge; TLS and ALPN belong to a proxy).
fn connection(
    stream: TcpStream,
    peer: IpAddr,
    router: Router,
    entry: &ConnectionPermit,
    bounds: &ConnectionBounds,
) -> impl GracefulConnection<Error: Send> + Send + use<> {
    // small answers are sent without delay
    let _ = stream.set_nodelay(true);
    let connection = entry.connection();
    let serving = Arc::clone(&connection);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(PeerAddress(peer));
        let (answer, served) = (router.clone().oneshot(with_one_segment_masks(request)), serving.begin_request());
        async move {
            let answer = answer.await;
            drop(served);
            answer
        }
    });
    let stream = PacedStream::of(FirstBytes::within(stream, bounds.idle), connection, bounds.write);
    protocols(bounds).serve_connection(TokioIo::new(stream), service).into_owned()
}

fn protocols(bounds: &ConnectionBounds) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(bounds.idle).max_buf_size(MAX_HEADER_BYTES);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(MAX_HEADER_LIST)
        .max_concurrent_streams(STREAMS)
        // bytes that a peer may send before a handler reads them
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_send_buf_size(SEND_BUFFER as usize)
        // closes connections of vanished peers
        .keep_alive_interval(bounds.idle)
        .keep_alive_timeout(bounds.write);
    builder
}

/// A masked CNPJ holds a slash (`11.222.333/0001-81`); sent as it is, it would be two segments of the path.
fn with_one_segment_masks(mut request: Request<Incoming>) -> Request<Incoming> {
    if let Some(path) = one_segment_mask(request.uri().path())
        && let Some(uri) = with_path(request.uri(), &path)
    {
        *request.uri_mut() = uri;
    }
    request
}

fn with_path(uri: &Uri, path: &str) -> Option<Uri> {
    let query = uri.query().map_or_else(String::new, |query| format!("?{query}"));
    format!("{path}{query}").parse().ok()
}

/// The path with the mask's slash encoded, when there is one.
fn one_segment_mask(path: &str) -> Option<String> {
    let (resource, rest) = MASKED.iter().find_map(|resource| Some((resource, path.strip_prefix(resource)?)))?;
    let (root, rest) = rest.split_at_checked(ROOT)?;
    let branch = rest.strip_prefix('/')?;
    let masked = root.matches('.').count() == 2 && branch.get(4..5) == Some("-");
    masked.then(|| format!("{resource}{root}%2F{branch}"))
}

/// Path prefixes before a CNPJ.
const MASKED: [&str; 3] = ["/v1/empresas/", "/v1/nfse/", "/v1/cnpj/"];
/// Backlog of connections to accept; the kernel caps it at `somaxconn`.
const ACCEPT_BACKLOG: u32 = 4096;
/// Length of `11.222.333`.
const ROOT: usize = 10;
const MAX_HEADER_BYTES: usize = 64 << 10;
const MAX_HEADER_LIST: u32 = 64 << 10;
/// Concurrent streams of an HTTP/2 connection.
const STREAMS: u32 = 100;
const STREAM_WINDOW: u32 = 64 << 10;
const CONNECTION_WINDOW: u32 = 256 << 10;
/// Bytes queued for sending: of a stream in our memory, of a connection in the kernel's (which doubles it).
const SEND_BUFFER: u32 = 64 << 10;
const NO_ROOM: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

#[cfg(test)]
mod tests {
    use super::one_segment_mask;

    #[test]
    fn only_the_slash_of_a_mask_is_encoded() {
        let masked = one_segment_mask("/v1/empresas/11.222.333/0001-81/nfe");
        assert_eq!(masked.as_deref(), Some("/v1/empresas/11.222.333%2F0001-81/nfe"));
        assert_eq!(
            one_segment_mask("/v1/empresas/12.ABC.345/01DE-35").as_deref(),
            Some("/v1/empresas/12.ABC.345%2F01DE-35")
        );
        assert_eq!(one_segment_mask("/v1/cnpj/11.222.333/0001-81").as_deref(), Some("/v1/cnpj/11.222.333%2F0001-81"));
        let masked = one_segment_mask("/v1/nfse/11.222.333/0001-81/consultar-rps");
        assert_eq!(masked.as_deref(), Some("/v1/nfse/11.222.333%2F0001-81/consultar-rps"));
        for other in ["/v1/empresas/11222333000181/nfe", "/v1/empresas/11.222.333%2F0001-81/nfe", "/v1/nfe/emitir", "/"]
        {
            assert_eq!(one_segment_mask(other), None, "{other}");
        }
    }
}
