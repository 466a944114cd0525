//! The protocol's transport: one message in, one answer out, nothing kept in between. The same for the server of our tools and for whatever a
//! test puts in its place, so that what a suite says of the one is true of the other.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use http_body_util::Full;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::tower::StreamableHttpService;

use super::answer;

/// A message of the protocol, whose sender was let in.
pub(super) type Message = http::Request<Full<Bytes>>;

/// Answers messages in the place of our tools. The service never has one; the conformance suite's fixtures are served by it.
#[derive(Clone)]
pub struct Handler(Arc<dyn Fn(Message, usize) -> Answering + Send + Sync>);

type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

impl Handler {
    /// A server is made for each message, as ours is.
    pub fn of<S: ServerHandler>(make: impl Fn() -> S + Clone + Send + Sync + 'static) -> Handler {
        Handler(Arc::new(move |message, largest| Box::pin(answered(make.clone(), message, largest))))
    }

    pub(super) async fn answer(&self, message: Message, largest: usize) -> Response {
        (self.0)(message, largest).await
    }
}

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handler")
    }
}

/// What the protocol makes of a message of at most so many bytes.
pub(super) async fn answered<S: ServerHandler>(
    make: impl Fn() -> S + Send + Sync + 'static,
    message: Message,
    largest: usize,
) -> Response {
    // hosts and origins were looked at, and so was the size
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(largest)
        .disable_allowed_hosts();
    let service = StreamableHttpService::new(move || Ok(make()), Arc::new(NeverSessionManager::default()), config);
    let answer = service.handle(message).await;
    if answer.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return answer::not_a_message();
    }
    answer.map(axum::body::Body::new)
}
