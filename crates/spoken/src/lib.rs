//! The transport of MCP: one message in, one answer out, no session between messages. The server of our tools and the
//! fixtures of the conformance suite share it, so that a result of the suite holds for the service too.
//!
//! Law: MCP 2026-07-28, 2025-11-25, 2025-06-18, by `rmcp`. A crate of its own that reaches our server through a trait
//! object (`McpHandler`): everything that `rmcp` generates for a server's type is compiled here, once and without
//! optimisation.
//! Must not know: admission of callers, tools, axum.

mod speaker;

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::tower::StreamableHttpService;

use speaker::Speaker;
pub use speaker::{Answers, Calling};

/// A message of the protocol, as the HTTP layer passes it on.
pub type Message = http::Request<Full<Bytes>>;

/// The answer to a message.
pub type Reply = http::Response<BoxBody<Bytes, Infallible>>;

/// Answers messages. Cheap to clone.
#[derive(Clone)]
pub struct Handler(Arc<dyn Fn(Message, usize) -> Answering + Send + Sync>);

type Answering = Pin<Box<dyn Future<Output = Reply> + Send>>;

impl Handler {
    /// Answers by a server behind the trait object.
    pub fn new(server: Arc<dyn Answers>) -> Handler {
        Handler::of(move || Speaker(Arc::clone(&server)))
    }

    /// Answers by servers of any type, one for each message, compiled at the call: the conformance suite's fixtures.
    pub fn of<S: ServerHandler>(make: impl Fn() -> S + Clone + Send + Sync + 'static) -> Handler {
        Handler(Arc::new(move |message, largest| Box::pin(answered(make.clone(), message, largest))))
    }

    /// Answers a message of at most `largest` bytes. The caller checks hosts, origins and keys before.
    pub async fn answer(&self, message: Message, largest: usize) -> Reply {
        (self.0)(message, largest).await
    }
}

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handler")
    }
}

async fn answered<S: ServerHandler>(
    make: impl Fn() -> S + Send + Sync + 'static,
    message: Message,
    largest: usize,
) -> Reply {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(largest)
        .disable_allowed_hosts();
    let service = StreamableHttpService::new(move || Ok(make()), Arc::new(NeverSessionManager::default()), config);
    service.handle(message).await
}
