//! A receiver: an HTTPS (or HTTP) server that stores its requests and gives configured answers.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use openssl::pkey::PKey;
use openssl::ssl::{Ssl, SslAcceptor, SslMethod};
use openssl::x509::X509;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_openssl::SslStream;

use crate::support::app::shared_pki;
use crate::support::contract;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(in crate::suites) struct Heard {
    pub(in crate::suites) path: String,
    pub(in crate::suites) headers: BTreeMap<String, String>,
    pub(in crate::suites) raw: Bytes,
}

impl Heard {
    pub(in crate::suites) fn json(&self) -> Value {
        serde_json::from_slice(&self.raw).unwrap()
    }
}

#[derive(Clone)]
pub(in crate::suites) struct Receiver {
    address: SocketAddr,
    scheme: &'static str,
    state: Arc<State>,
}

struct State {
    heard: Mutex<Vec<Heard>>,
    /// Answers to give, one each; then 200.
    statuses: Mutex<VecDeque<u16>>,
    /// While this is true no request is answered.
    held: watch::Sender<bool>,
    /// Body of every answer, and target of a redirect.
    says: Mutex<(String, String)>,
}

impl Receiver {
    pub(in crate::suites) async fn https(statuses: &[u16]) -> Receiver {
        Receiver::start("https", statuses, Some(acceptor(&shared_pki().1))).await
    }

    pub(in crate::suites) async fn http(statuses: &[u16]) -> Receiver {
        Receiver::start("http", statuses, None).await
    }

    async fn start(scheme: &'static str, statuses: &[u16], tls: Option<SslAcceptor>) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let state = Arc::new(State {
            heard: Mutex::default(),
            statuses: Mutex::new(statuses.iter().copied().collect()),
            held: watch::channel(false).0,
            says: Mutex::new(("recebido".to_owned(), String::new())),
        });
        let receiver = Receiver { address: listener.local_addr().unwrap(), scheme, state: Arc::clone(&state) };
        tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                let (state, tls) = (Arc::clone(&state), tls.clone());
                tokio::spawn(async move {
                    let Some(acceptor) = tls else { return serve(tcp, state).await };
                    let mut stream = SslStream::new(Ssl::new(acceptor.context()).unwrap(), tcp).unwrap();
                    if Pin::new(&mut stream).accept().await.is_ok() {
                        serve(stream, state).await;
                    }
                });
            }
        });
        receiver
    }

    pub(in crate::suites) fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", self.scheme, self.address)
    }

    pub(in crate::suites) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(in crate::suites) fn heard(&self) -> Vec<Heard> {
        self.state.heard.lock().unwrap().clone()
    }

    pub(in crate::suites) fn say(&self, text: &str, location: &str) {
        *self.state.says.lock().unwrap() = (text.to_owned(), location.to_owned());
    }

    /// Answers no request until `false`.
    pub(in crate::suites) fn hold(&self, held: bool) {
        self.state.held.send_replace(held);
    }
}

/// The server's certificate of the tests' own root, for 127.0.0.1.
fn acceptor(pki: &std::path::Path) -> SslAcceptor {
    let read = |name: &str| std::fs::read(pki.join(name)).unwrap();
    let mut acceptor = SslAcceptor::mozilla_intermediate_v5(SslMethod::tls_server()).unwrap();
    acceptor.set_private_key(&PKey::private_key_from_pem(&read("servidor.key")).unwrap()).unwrap();
    acceptor.set_certificate(&X509::from_pem(&read("servidor.pem")).unwrap()).unwrap();
    acceptor.build()
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(stream: S, state: Arc<State>) {
    let service = service_fn(move |request| answer(request, Arc::clone(&state)));
    // the other side may go away in the middle: its business
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

async fn answer(request: Request<Incoming>, state: Arc<State>) -> Result<Response<Full<Bytes>>, Infallible> {
    let path = request.uri().to_string();
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = request.headers().iter().map(|(name, value)| (name.to_string(), text(value))).collect();
    let Ok(body) = request.into_body().collect().await else { return Ok(Response::default()) };
    let raw = body.to_bytes();
    contract::told(&raw);
    state.heard.lock().unwrap().push(Heard { path, headers, raw });
    let mut held = state.held.subscribe();
    let _ = held.wait_for(|held| !held).await;
    let status = state.statuses.lock().unwrap().pop_front().unwrap_or(200);
    let (says, location) = state.says.lock().unwrap().clone();
    let mut response = Response::new(Full::new(Bytes::from(says)));
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    if !location.is_empty() {
        response.headers_mut().insert("location", location.parse().unwrap());
    }
    Ok(response)
}
