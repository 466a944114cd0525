//! Webhook receiver of the demonstration. Checks the signature of each delivery, as every receiver must.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context as _;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use http::{HeaderMap, StatusCode};
use openssl::hash::MessageDigest;
use openssl::memcmp;
use openssl::pkey::PKey;
use openssl::sign::Signer;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// A receiver on this machine. Closes its listener on drop.
pub(super) struct WebhookReceiver {
    address: SocketAddr,
    received_events: mpsc::Receiver<Value>,
    server_task: JoinHandle<()>,
}

/// The secret that checks deliveries, and the channel of the accepted events.
#[derive(Clone)]
struct ReceiverState {
    secret: String,
    events: mpsc::Sender<Value>,
}

impl WebhookReceiver {
    /// Listens on a free port and accepts deliveries signed with this secret.
    pub(super) async fn open(secret: &str) -> anyhow::Result<WebhookReceiver> {
        let listener = tokio::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
        let address = listener.local_addr()?;
        let (events, heard) = mpsc::channel(64);
        let desk = ReceiverState { secret: secret.to_owned(), events };
        let router = Router::new().route("/webhook", post(receive_event)).with_state(desk);
        let listening = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!(%error, "the demonstration's receiver ended");
            }
        });
        Ok(WebhookReceiver { address, received_events: heard, server_task: listening })
    }

    /// Returns the address for webhooks.
    pub(super) fn url(&self) -> String {
        format!("http://{}/webhook", self.address)
    }

    /// Waits up to 60 seconds for the next event with a valid signature.
    pub(super) async fn next(&mut self) -> anyhow::Result<Value> {
        let next = tokio::time::timeout(Duration::from_secs(60), self.received_events.recv()).await;
        next.ok().flatten().context("nenhum webhook chegou")
    }
}

impl Drop for WebhookReceiver {
    fn drop(&mut self) {
        self.server_task.abort();
    }
}

/// Checks the signature before it reads the body.
async fn receive_event(State(desk): State<ReceiverState>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let given = headers.get("x-service-signature").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_ours = signature(&desk.secret, &body)
        .is_ok_and(|right| right.len() == given.len() && memcmp::eq(right.as_bytes(), given.as_bytes()));
    let (true, Ok(event)) = (is_ours, serde_json::from_slice(&body)) else { return StatusCode::BAD_REQUEST };
    match desk.events.try_send(event) {
        Ok(()) => StatusCode::NO_CONTENT,
        Err(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}

fn signature(secret: &str, body: &[u8]) -> Result<String, openssl::error::ErrorStack> {
    let key = PKey::hmac(secret.as_bytes())?;
    let mut signer = Signer::new(MessageDigest::sha256(), &key)?;
    signer.update(body)?;
    let hex: String = signer.sign_to_vec()?.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("sha256={hex}"))
}
