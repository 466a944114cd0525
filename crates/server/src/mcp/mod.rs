//! The MCP server: agents look up, read and prepare by the use cases of the routes, over streamable HTTP.
//!
//! Law: `docs/contract.md`, "MCP"; MCP 2026-07-28, 2025-11-25, 2025-06-18. Reading order: `admission` (hosts, origins,
//! key; no stored session, so that any process answers), the crate `mcp_transport` (the transport), `server` (the
//! protocol's requests), `tools` (one row per tool), `answer` (the result of a call).
//! Must not know: SQL, XML, sockets. A tool calls the handler of the route for its use case.

mod admission;
mod answer;
mod argument;
mod catalogue;
mod confirmation;
mod panel_url;
mod prompts;
mod resources;
mod schema;
mod server;
mod tool;
mod tools;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequestParts as _, Request, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, Method, StatusCode, header};
use http_body_util::Full;

use crate::api::accept::accepts;
use crate::api::body::{read_limited, require_media_type};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::origin::{RequestId, RequestOrigin};
use crate::app::App;
use admission::ElicitationModes;
use mcp_transport::{McpRequest, McpTransport};
use server::McpServer;

/// Caller of a message, added to each request for the tools.
#[derive(Clone)]
struct McpCaller {
    caller: store::accounts::Caller,
    request_id: String,
    /// Address of the client.
    address: Option<IpAddr>,
    elicitation_modes: ElicitationModes,
    /// Origin of the panel under the host that the caller used; empty when unknown.
    base: String,
}

/// `GET /mcp`, and `GET /` of the MCP listener: the catalogue, for browsers and for programs.
pub(crate) async fn show_catalogue(State(app): State<App>, request: Request) -> Result<Response, ApiError> {
    let (parts, _) = request.into_parts();
    admission::admit(&app, &parts)?;
    let headers = parts.headers;
    if accepts(&headers, "text/event-stream") && !accepts(&headers, "text/html") {
        // a stream of its own would be a stored session, and there is none
        let allowed = [(header::ALLOW, HeaderValue::from_static("GET, POST"))];
        return Ok((StatusCode::METHOD_NOT_ALLOWED, allowed).into_response());
    }
    catalogue::answer(&app, &headers, accepts(&headers, "text/html")).await
}

/// Marks a message that arrived by the MCP listener.
#[derive(Clone)]
pub(crate) struct AgentListener {
    /// Address of the API, which serves the panel.
    pub(crate) api: Option<SocketAddr>,
}

/// `POST /mcp`: a message of the protocol.
pub(crate) async fn handle_message(State(app): State<App>, request: Request) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    admission::admit(&app, &parts)?;
    let request = Request::from_parts(parts, body);
    require_media_type(&request, &["application/json"])?;
    let (mut parts, body) = request.into_parts();
    admission::move_key(&mut parts.headers)?;
    let AuthenticatedCaller(caller) = AuthenticatedCaller::from_request_parts(&mut parts, &app).await?;
    let body = read_limited(Request::from_parts(parts.clone(), body), &app).await?.checked_json()?;
    let request_id = parts.extensions.get::<RequestId>().map_or_else(String::new, |id| id.0.clone());
    let address = RequestOrigin::of(&parts, &app).address;
    let doors = ElicitationModes::of_session(&parts.headers);
    let own = parts.extensions.get::<AgentListener>();
    let base = own.map_or_else(|| admission::base(&parts), |own| panel_url::base(&parts, own.api));
    let visitor = McpCaller { caller, request_id, address, elicitation_modes: doors, base };
    let opened = admission::new_session_id(&body);
    let mut message: McpRequest =
        http::Request::builder().method(Method::POST).uri("/mcp").body(Full::new(body)).map_err(broken)?;
    *message.headers_mut() = parts.headers;
    // every client is answered in one piece, also one that accepts no stream
    message.headers_mut().insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    message.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    message.extensions_mut().insert(visitor);
    let mut answer = pass_to_transport(app, message).await;
    if let Some(session) = opened.filter(|_| answer.status() == StatusCode::OK) {
        answer.headers_mut().insert(admission::SESSION, session);
    }
    Ok(answer)
}

/// Passes a message to the transport, which answers by our tools.
async fn pass_to_transport(app: App, message: McpRequest) -> Response {
    let largest = app.limits().body_bytes;
    let handler = app.mcp().handler.clone().unwrap_or_else(|| McpTransport::new(Arc::new(McpServer::new(app))));
    let answer = handler.answer(message, largest).await;
    if answer.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return answer::not_a_message();
    }
    answer.map(Body::new)
}

fn broken(error: http::Error) -> ApiError {
    ApiError::broken(&error)
}
