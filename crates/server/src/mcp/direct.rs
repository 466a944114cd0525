//! The fast path of a common message: a call of a read-only tool in exactly the form of its revision. Its answer is
//! byte for byte that of the full protocol stack (a test compares both); every other message takes the full stack,
//! which costs twice as much as a route.
//!
//! Measured: `bench mcp`. The full stack costs a service, its tasks and its channels per message.

use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use rmcp::model::{CallToolResult, ClientCapabilities, JsonObject};
use serde::{Deserialize, Serialize};

use super::McpCaller;
use super::admission::ElicitationModes;
use super::server::run_counted;
use super::tool::{Tool, ToolAction, ToolContext, ToolEffect};
use super::tools;
use crate::app::App;

/// A call that the fast path answers.
pub(super) struct DirectCall {
    id: MessageId,
    tool: &'static Tool,
    arguments: JsonObject,
    stateless: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CallMessage {
    jsonrpc: String,
    id: MessageId,
    method: String,
    params: CallParams,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CallParams {
    name: String,
    #[serde(default)]
    arguments: JsonObject,
    #[serde(default, rename = "_meta")]
    meta: JsonObject,
}

#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum MessageId {
    Number(u32),
    Text(String),
}

#[derive(Serialize)]
struct CallReply {
    jsonrpc: &'static str,
    id: MessageId,
    result: CallToolResult,
}

/// Parses a message; `None` when it needs the full stack.
pub(super) fn parse_call(headers: &HeaderMap, body: &[u8]) -> Option<DirectCall> {
    let revision = only(headers, "mcp-protocol-version")?;
    let CallMessage { jsonrpc, id, method, params } = serde_json::from_slice(body).ok()?;
    if jsonrpc != "2.0" || method != "tools/call" {
        return None;
    }
    let tool = tools::find(&params.name).filter(|tool| matches!(tool.effect, ToolEffect::Reads | ToolEffect::Asks))?;
    let stateless = revision == "2026-07-28";
    let right = if stateless {
        headers_match(headers, tool.name) && complete(&params.meta)
    } else {
        ["2025-11-25", "2025-06-18"].iter().any(|known| revision == known) && !params.meta.contains_key(REVISION)
    };
    right.then_some(DirectCall { id, tool, arguments: params.arguments, stateless })
}

/// True when the headers repeat method and tool of the message, and no argument.
fn headers_match(headers: &HeaderMap, tool: &str) -> bool {
    let says = |name, value: &str| only(headers, name).is_some_and(|said| said == value);
    let of_arguments = headers.keys().any(|name| name.as_str().starts_with("mcp-param-"));
    says("mcp-method", "tools/call") && says("mcp-name", tool) && !of_arguments
}

/// True when `_meta` names the revision and the capabilities of the client.
fn complete(meta: &JsonObject) -> bool {
    let capabilities = meta.get(CAPABILITIES).map(ClientCapabilities::deserialize);
    meta.get(REVISION).is_some_and(|revision| revision == "2026-07-28") && matches!(capabilities, Some(Ok(_)))
}

fn only<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h HeaderValue> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none())
}

impl DirectCall {
    pub(super) async fn answer(self, app: App, visitor: McpCaller) -> Option<Response> {
        let DirectCall { id, tool, arguments, stateless } = self;
        let ToolAction::Gives(call) = tool.call else { return None };
        let McpCaller { caller, request_id, address, base, .. } = visitor;
        // the fast path asks for no input
        let visit = ToolContext {
            app,
            caller,
            request_id,
            address,
            elicitation_modes: ElicitationModes::default(),
            stateless,
            base,
        };
        let mut result =
            run_counted(tool, visit.request_id.clone(), tools::run_tool(tool, call, visit, arguments)).await;
        if !stateless {
            result.result_type = None;
        }
        let body = serde_json::to_vec(&CallReply { jsonrpc: "2.0", id, result }).ok()?;
        Some(([(header::CONTENT_TYPE, JSON)], Bytes::from(body)).into_response())
    }
}

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const REVISION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn stateless(tool: &str) -> (HeaderMap, Value) {
        let said = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", tool)];
        let headers = said.into_iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        let meta = json!({ REVISION: "2026-07-28", CAPABILITIES: {} });
        let params = json!({ "name": tool, "arguments": { "codigo": "48202000" }, "_meta": meta });
        (headers, json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }))
    }

    fn is_plain(headers: &HeaderMap, message: &Value) -> bool {
        parse_call(headers, message.to_string().as_bytes()).is_some()
    }

    #[test]
    fn what_only_reads_and_is_asked_for_as_it_should_be_is_answered_at_once() {
        let (headers, message) = stateless("validar_ncm");
        assert!(is_plain(&headers, &message));
        for tool in ["preparar_nfe", "confirmar_nfe", "emitir_nfe"] {
            let (headers, message) = stateless(tool);
            assert!(!is_plain(&headers, &message), "{tool}");
        }
    }

    #[test]
    fn whatever_differs_goes_the_long_way() {
        let (headers, message) = stateless("validar_ncm");
        for (name, value) in [
            ("mcp-name", "consultar_ncm"),
            ("mcp-method", "tools/list"),
            ("mcp-param-codigo", "1"),
            ("mcp-protocol-version", "2025-03-26"),
        ] {
            let mut headers = headers.clone();
            headers.insert(name.parse::<http::HeaderName>().unwrap(), value.parse().unwrap());
            assert!(!is_plain(&headers, &message), "{name}");
            let mut twice = stateless("validar_ncm").0;
            twice.append("mcp-name", "validar_ncm".parse().unwrap());
            assert!(!is_plain(&twice, &message));
        }
        for (place, value) in [
            ("/jsonrpc", json!("1.0")),
            ("/id", json!(null)),
            ("/id", json!(1.5)),
            ("/method", json!("tools/list")),
            ("/params/arguments", json!([])),
            ("/params/_meta", json!({})),
            ("/params/_meta", json!({ REVISION: "2025-11-25", CAPABILITIES: {} })),
            ("/params/_meta", json!({ REVISION: "2026-07-28", CAPABILITIES: 1 })),
        ] {
            let mut message = message.clone();
            *message.pointer_mut(place).unwrap() = value;
            assert!(!is_plain(&headers, &message), "{message}");
        }
        for place in ["", "/params"] {
            let mut message = message.clone();
            message.pointer_mut(place).unwrap()["inputResponses"] = json!({});
            assert!(!is_plain(&headers, &message), "{message}");
        }
    }
}
