//! The transport of MCP: one message in, one answer out, no session between messages. The server of our tools and the
//! fixtures of the conformance suite share it, so that a result of the suite holds for the service too.
//!
//! Law: MCP 2026-07-28, 2025-11-25, 2025-06-18, by `rmcp`. A crate of its own that reaches our server through a trait
//! object (`McpHandler`): everything that `rmcp` generates for a server's type is compiled here, once and without
//! optimisation.
//! Must not know: admission of callers, tools, axum.

mod mcp_handler;

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

use mcp_handler::HandlerAdapter;
pub use mcp_handler::{CallFuture, McpHandler};

/// A message of the protocol, as the HTTP layer passes it on.
pub type McpRequest = http::Request<Full<Bytes>>;

/// The answer to a message.
pub type McpResponse = http::Response<BoxBody<Bytes, Infallible>>;

/// Answers messages. Cheap to clone.
#[derive(Clone)]
pub struct McpTransport(Arc<dyn Fn(McpRequest, usize) -> ResponseFuture + Send + Sync>);

type ResponseFuture = Pin<Box<dyn Future<Output = McpResponse> + Send>>;

impl McpTransport {
    /// Answers by a server behind the trait object.
    pub fn new(server: Arc<dyn McpHandler>) -> McpTransport {
        McpTransport::of(move || HandlerAdapter(Arc::clone(&server)))
    }

    /// Answers by servers of any type, one for each message, compiled at the call: the conformance suite's fixtures.
    pub fn of<S: ServerHandler>(make: impl Fn() -> S + Clone + Send + Sync + 'static) -> McpTransport {
        McpTransport(Arc::new(move |message, largest| Box::pin(serve_message(make.clone(), message, largest))))
    }

    /// Answers a message of at most `largest` bytes. The caller checks hosts, origins and keys before.
    pub async fn answer(&self, message: McpRequest, largest: usize) -> McpResponse {
        (self.0)(message, largest).await
    }
}

impl fmt::Debug for McpTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handler")
    }
}

async fn serve_message<S: ServerHandler>(
    make: impl Fn() -> S + Send + Sync + 'static,
    message: McpRequest,
    largest: usize,
) -> McpResponse {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(largest)
        .disable_allowed_hosts();
    let service = StreamableHttpService::new(move || Ok(make()), Arc::new(NeverSessionManager::default()), config);
    service.handle(message).await
}
