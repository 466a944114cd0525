//! A small HTTP client, so that the demonstration uses the service the way everybody else does.

use anyhow::Context as _;
use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client as Hyper;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

/// A client of one service with one key.
#[derive(Clone)]
pub(super) struct Client {
    hyper: Hyper<HttpConnector, Full<Bytes>>,
    base_url: String,
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
        let hyper = Hyper::builder(TokioExecutor::new()).build_http();
        Client { hyper, base_url: base_url.to_owned(), api_key: api_key.to_owned() }
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

    async fn send(&self, method: Method, path: &str, body: Bytes) -> anyhow::Result<Answer> {
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base_url))
            .header("x-api-key", &self.api_key)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(body))?;
        let response = self.hyper.request(request).await.with_context(|| path.to_owned())?;
        let status = response.status();
        Ok(Answer { status, bytes: response.into_body().collect().await?.to_bytes() })
    }
}
