//! A server with scripted bytes that counts its connections.

use openssl::ssl::{Ssl, SslAcceptor};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_openssl::SslStream;

/// Reaction of the server to a request.
#[derive(Clone)]
pub(crate) enum Says {
    /// Sends these bytes and closes.
    Bytes(&'static str),
    /// Sends these bytes, then an endless body.
    Endless(&'static str),
    /// Sends nothing and keeps the connection.
    Nothing,
    /// Sends these bytes before it reads anything, and closes.
    First(&'static str),
}

pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Receiver {
    pub(crate) async fn start(listen: &str, tls: Option<SslAcceptor>, says: Says) -> Receiver {
        let listener = TcpListener::bind(listen).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (connections, requests) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
        let receiver = Receiver { address, connections: Arc::clone(&connections), requests: Arc::clone(&requests) };
        tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                let (tls, says, requests) = (tls.clone(), says.clone(), Arc::clone(&requests));
                tokio::spawn(async move {
                    match tls {
                        None => speak(tcp, says, requests).await,
                        Some(acceptor) => {
                            let mut stream = SslStream::new(Ssl::new(acceptor.context()).unwrap(), tcp).unwrap();
                            if Pin::new(&mut stream).accept().await.is_ok() {
                                speak(stream, says, requests).await;
                            }
                        }
                    }
                });
            }
        });
        receiver
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn speak<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, says: Says, requests: Arc<Mutex<Vec<String>>>) {
    if let Says::First(bytes) = says {
        let _ = stream.write_all(bytes.as_bytes()).await;
        return;
    }
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !String::from_utf8_lossy(&request).contains("\r\n\r\n") {
        match stream.read(&mut buffer).await {
            Ok(read) if read > 0 => request.extend_from_slice(&buffer[..read]),
            _ => return,
        }
    }
    requests.lock().unwrap().push(String::from_utf8_lossy(&request).into_owned());
    match says {
        // the client may have closed already, which is allowed
        Says::Bytes(bytes) => drop(stream.write_all(bytes.as_bytes()).await),
        Says::Endless(head) => {
            let mut alive = stream.write_all(head.as_bytes()).await.is_ok();
            while alive {
                alive = stream.write_all(&[b'x'; 1024]).await.is_ok();
            }
        }
        Says::Nothing | Says::First(_) => drop(stream.read(&mut buffer).await),
    }
    // ends the TLS stream with a close_notify
    let _ = stream.shutdown().await;
}
