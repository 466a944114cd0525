//! A TLS server scripted by a test, request by request.

use crate::pki::Pair;
use openssl::ssl::{Ssl, SslAcceptor, SslContext, SslMethod, SslVerifyMode};
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio_openssl::SslStream;

/// Reaction to a complete request.
#[derive(Clone)]
pub enum Act {
    /// Writes these bytes and waits for the next request on the connection.
    Reply(Vec<u8>),
    /// Writes these bytes and closes.
    ReplyAndClose(Vec<u8>),
    /// Writes these bytes and then nothing more, without closing.
    ReplyAndStall(Vec<u8>),
    /// Writes the first bytes, then the second repeatedly.
    Flood(Vec<u8>, Vec<u8>),
}

/// Reaction to a connection before any request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Greeting {
    Handshake,
    /// Accepts the connection and sends nothing.
    Silence,
    /// Closes in the middle of the handshake.
    HangUp,
    /// Completes the handshake and closes at once.
    HandshakeAndClose,
}

pub struct Server {
    pub port: u16,
    counted: Arc<Counted>,
}

#[derive(Default)]
struct Counted {
    connections: AtomicUsize,
    requests: AtomicUsize,
    closed: Notify,
    version: Mutex<String>,
    last_request: Mutex<String>,
}

impl Server {
    /// Runs the acts in order, over all connections; the last one repeats.
    pub async fn start(pair: &Pair, greeting: Greeting, acts: Vec<Act>) -> Server {
        let context = context(pair);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let counted = Arc::new(Counted::default());
        let seen = Arc::clone(&counted);
        tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                seen.connections.fetch_add(1, Ordering::SeqCst);
                let (context, acts, seen) = (context.clone(), acts.clone(), Arc::clone(&seen));
                tokio::spawn(async move {
                    serve(tcp, &context, greeting, &acts, &seen).await;
                    seen.closed.notify_one();
                });
            }
        });
        Server { port, counted }
    }
    pub fn connections(&self) -> usize {
        self.counted.connections.load(Ordering::SeqCst)
    }
    /// Number of complete requests.
    pub fn requests(&self) -> usize {
        self.counted.requests.load(Ordering::SeqCst)
    }
    /// Protocol of the last handshake.
    pub fn version(&self) -> String {
        self.counted.version.lock().unwrap().clone()
    }
    /// The last complete request, head and body.
    pub fn last_request(&self) -> String {
        self.counted.last_request.lock().unwrap().clone()
    }
    /// Returns when a connection was closed by the server.
    pub async fn closed_one(&self) {
        self.counted.closed.notified().await;
    }
    pub fn url(&self) -> String {
        format!("https://localhost:{}/ws", self.port)
    }
}

fn context(pair: &Pair) -> SslContext {
    let mut builder = SslAcceptor::mozilla_intermediate_v5(SslMethod::tls_server()).unwrap();
    builder.set_certificate(&pair.certificate).unwrap();
    builder.set_private_key(&pair.key).unwrap();
    // authorities accept any certificate and request one in the handshake
    builder.set_verify_callback(SslVerifyMode::PEER, |_, _| true);
    builder.build().into_context()
}

async fn serve(tcp: TcpStream, context: &SslContext, greeting: Greeting, acts: &[Act], seen: &Counted) {
    match greeting {
        Greeting::Silence => return std::future::pending().await,
        Greeting::HangUp => return,
        Greeting::Handshake | Greeting::HandshakeAndClose => {}
    }
    let mut tls = SslStream::new(Ssl::new(context).unwrap(), tcp).unwrap();
    if Pin::new(&mut tls).accept().await.is_err() {
        return;
    }
    tls.ssl().version_str().clone_into(&mut seen.version.lock().unwrap());
    if greeting == Greeting::HandshakeAndClose {
        let _ = tls.shutdown().await;
        return;
    }
    while let Some(request) = read_request(&mut tls).await {
        *seen.last_request.lock().unwrap() = request;
        let nth = seen.requests.fetch_add(1, Ordering::SeqCst);
        match &acts[nth.min(acts.len() - 1)] {
            Act::Reply(bytes) => tls.write_all(bytes).await.unwrap(),
            Act::ReplyAndClose(bytes) => {
                tls.write_all(bytes).await.unwrap();
                let _ = tls.shutdown().await;
                return;
            }
            Act::ReplyAndStall(bytes) => {
                tls.write_all(bytes).await.unwrap();
                return std::future::pending().await;
            }
            Act::Flood(head, again) => {
                tls.write_all(head).await.unwrap();
                while tls.write_all(again).await.is_ok() {}
                return;
            }
        }
    }
}

/// Reads the head and as many bytes as it announces.
async fn read_request(tls: &mut SslStream<TcpStream>) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
            let announced =
                head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.trim().parse().ok());
            if bytes.len() >= end + 4 + announced.unwrap_or(0) {
                return String::from_utf8(bytes).ok();
            }
        }
        if tls.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

/// Builds a whole HTTP reply.
pub fn http(status: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\nContent-Type: application/soap+xml\r\nContent-Length: {}\r\n\r\n{body}", body.len())
        .into_bytes()
}
