//! The receiver of webhooks. It outlives every process and records each event.

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

/// By job (empty for an event that no job causes): each received event, with its delivery ids.
pub(crate) type Events = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

#[derive(Clone)]
pub(crate) struct Ear {
    address: SocketAddr,
    heard: Arc<Mutex<(Events, u64)>>,
}

impl Ear {
    pub(crate) async fn open() -> Ear {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let ear = Ear { address: listener.local_addr().unwrap(), heard: Arc::default() };
        let listening = ear.clone();
        tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                let ear = listening.clone();
                tokio::spawn(async move {
                    let service = service_fn(move |request| hear(request, ear.clone()));
                    // the process may be killed in the middle
                    let _ = http1::Builder::new().serve_connection(TokioIo::new(tcp), service).await;
                });
            }
        });
        ear
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/notas", self.address)
    }

    /// Returns the received events, and the number of deliveries.
    pub(crate) fn heard(&self) -> (Events, u64) {
        self.heard.lock().unwrap().clone()
    }
}

async fn hear(request: Request<Incoming>, ear: Ear) -> Result<Response<Full<Bytes>>, Infallible> {
    let Ok(body) = request.into_body().collect().await else { return Ok(Response::default()) };
    let event: Value = serde_json::from_slice(&body.to_bytes()).unwrap();
    let text = |member: &str| event[member].as_str().unwrap_or_default().to_owned();
    let mut heard = ear.heard.lock().unwrap();
    heard.0.entry(text("job_id")).or_default().entry(text("evento")).or_default().insert(text("id"));
    heard.1 += 1;
    Ok(Response::default())
}
