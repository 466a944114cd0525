//! A small HTTP client, so that the demonstration uses the service as any other caller does.

use std::time::{Duration, Instant};

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
pub(super) struct DemoClient {
    host: String,
    api_key: String,
}

/// The answer to a request.
pub(super) struct DemoAnswer {
    pub(super) status: StatusCode,
    pub(super) bytes: Bytes,
}

impl DemoAnswer {
    /// Returns the body as JSON.
    pub(super) fn json(&self) -> anyhow::Result<Value> {
        serde_json::from_slice(&self.bytes).context("a resposta não é JSON")
    }
}

impl DemoClient {
    /// Makes a client of `http://…` with this key.
    pub(super) fn new(base_url: &str, api_key: &str) -> DemoClient {
        let host = base_url.trim_start_matches("http://").to_owned();
        DemoClient { host, api_key: api_key.to_owned() }
    }

    pub(super) async fn get(&self, path: &str) -> anyhow::Result<DemoAnswer> {
        self.send(Method::GET, path, Bytes::new()).await
    }

    /// Sends JSON and returns the answer, whatever its status.
    pub(super) async fn send_json(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<DemoAnswer> {
        self.send(method, path, Bytes::from(body.to_string())).await
    }

    /// Sends JSON and returns the body of a successful answer.
    pub(super) async fn send_expecting_success(
        &self,
        method: Method,
        path: &str,
        body: &Value,
    ) -> anyhow::Result<Value> {
        let answer = self.send_json(method, path, body).await?;
        let json = answer.json()?;
        anyhow::ensure!(answer.status.is_success(), "{path} respondeu {}: {json}", answer.status);
        Ok(json)
    }

    /// Sends a request on a new connection. The requests are too few for a pool.
    async fn send(&self, method: Method, path: &str, body: Bytes) -> anyhow::Result<DemoAnswer> {
        let stream = TcpStream::connect(&self.host).await.with_context(|| path.to_owned())?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.with_context(|| path.to_owned())?;
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, &self.host)
            .header("x-api-key", &self.api_key)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(body))?;
        // errors of the connection reach the pending request; the task ends with the sender
        tokio::spawn(connection);
        let response = sender.send_request(request).await.with_context(|| path.to_owned())?;
        let status = response.status();
        Ok(DemoAnswer { status, bytes: response.into_body().collect().await?.to_bytes() })
    }

    /// Polls until the job ends, for up to 60 seconds.
    pub(super) async fn wait_for_job(&self, accepted: &Value) -> anyhow::Result<Value> {
        let path = accepted["consulta"].as_str().context("a resposta não diz onde consultar")?;
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let job = self.get(path).await?.json()?;
            match job["status"].as_str() {
                Some("completed") => return Ok(job),
                Some("pending" | "processing") if Instant::now() < deadline => {}
                _ => anyhow::bail!("a operação não terminou bem: {job}"),
            }
            // webhooks aside, the API has no push, so the client polls with a short pause
            tokio::time::sleep(Duration::from_millis(15)).await;
        }
    }
}
