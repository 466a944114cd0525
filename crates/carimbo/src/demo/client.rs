//! A small HTTP client, so that the demonstration uses the service the way everybody else does.

use anyhow::Context as _;
use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// A client of one service with one key.
#[derive(Clone)]
pub(super) struct Client {
    host: String,
    api_key: String,
}

/// What came back.
pub(super) struct Answer {
    /// Status.
    pub(super) status: StatusCode,
    /// Body.
    pub(super) bytes: Bytes,
}

impl Answer {
    /// The body as JSON.
    pub(super) fn json(&self) -> anyhow::Result<Value> {
        serde_json::from_slice(&self.bytes).context("a resposta não é JSON")
    }
}

impl Client {
    /// For `http://…` with this key.
    pub(super) fn new(base_url: &str, api_key: &str) -> Client {
        let host = base_url.trim_start_matches("http://").to_owned();
        Client { host, api_key: api_key.to_owned() }
    }

    /// Reads.
    pub(super) async fn get(&self, path: &str) -> anyhow::Result<Answer> {
        self.send(Method::GET, path, Bytes::new()).await
    }

    /// Sends JSON and gives the answer whatever its status.
    pub(super) async fn send_json(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<Answer> {
        self.send(method, path, Bytes::from(body.to_string())).await
    }

    /// Sends JSON and expects success.
    pub(super) async fn done(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<Value> {
        let answer = self.send_json(method, path, body).await?;
        let json = answer.json()?;
        anyhow::ensure!(answer.status.is_success(), "{path} respondeu {}: {json}", answer.status);
        Ok(json)
    }

    /// On a connection of its own: few requests, and nothing to keep.
    async fn send(&self, method: Method, path: &str, body: Bytes) -> anyhow::Result<Answer> {
        let stream = TcpStream::connect(&self.host).await.with_context(|| path.to_owned())?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.with_context(|| path.to_owned())?;
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, &self.host)
            .header("x-api-key", &self.api_key)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(body))?;
        // its errors reach whoever waits for the answer; it ends when nobody does
        tokio::spawn(connection);
        let response = sender.send_request(request).await.with_context(|| path.to_owned())?;
        let status = response.status();
        Ok(Answer { status, bytes: response.into_body().collect().await?.to_bytes() })
    }
}
