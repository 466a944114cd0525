//! An MCP client with one key and one revision of the protocol; every message is a separate request.

use bytes::Bytes;
use http::Method;
use serde_json::{Value, json};

use crate::support::client::{Answer, Client};

/// An MCP client: its declared identity and the server's address.
#[derive(Clone)]
pub(crate) struct Agent {
    client: Client,
    pub(crate) revision: &'static str,
    elicitation: Value,
    session: Option<String>,
}

/// The supported revisions.
pub(crate) const REVISIONS: [&str; 3] = ["2025-06-18", "2025-11-25", STATELESS];
/// The revision without sessions.
pub(crate) const STATELESS: &str = "2026-07-28";

impl Agent {
    /// Connects with this key; `elicitation` names the client's ways to ask its user, null for none.
    pub(crate) async fn open(client: &Client, revision: &'static str, elicitation: Value) -> Agent {
        let mut agent = Agent { client: client.clone(), revision, elicitation, session: None };
        if revision == STATELESS {
            return agent;
        }
        let params = json!({ "protocolVersion": revision, "capabilities": agent.capabilities(), "clientInfo": info() });
        let answer = agent.post(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).await;
        let session = answer.header("mcp-session-id").to_owned();
        let told = answer.ok(200);
        assert_eq!(told["result"]["protocolVersion"], revision, "{told}");
        agent.session = Some(session).filter(|session| !session.is_empty());
        let ready = agent.post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        assert_eq!(ready.status.as_u16(), 202, "{}", ready.text());
        agent
    }

    /// Returns the agent for another process.
    pub(crate) fn at(&self, base_url: &str) -> Agent {
        Agent { client: self.client.at(base_url), ..self.clone() }
    }

    fn capabilities(&self) -> Value {
        if self.elicitation.is_null() { json!({}) } else { json!({ "elicitation": self.elicitation }) }
    }

    /// Posts a message as it stands.
    pub(crate) async fn post(&self, message: &Value) -> Answer {
        let mut headers = vec![("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
        let (method, name) = (message["method"].as_str().unwrap_or_default(), &message["params"]["name"]);
        if method != "initialize" {
            headers.push(("mcp-protocol-version", self.revision));
        }
        if let Some(session) = &self.session {
            headers.push(("mcp-session-id", session));
        }
        if self.revision == STATELESS {
            headers.push(("mcp-method", method));
            let name = name.as_str().or_else(|| message["params"]["uri"].as_str());
            headers.extend(name.map(|name| ("mcp-name", name)));
        }
        self.client.send(Method::POST, "/mcp", &headers, Bytes::from(message.to_string())).await
    }

    /// Adds the sender's data that the revision requires in each request.
    pub(crate) fn signed(&self, mut params: Value) -> Value {
        if self.revision == STATELESS {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientInfo": info(),
                "io.modelcontextprotocol/clientCapabilities": self.capabilities(),
            });
        }
        params
    }

    /// Sends a request; returns the whole answer.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let params = self.signed(params);
        let answer = self.post(&json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })).await;
        let body = answer.json();
        assert_eq!((&body["jsonrpc"], &body["id"]), (&"2.0".into(), &7.into()), "{body}");
        body
    }

    /// Calls a tool; returns its result.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        assert!(answer["result"].is_object(), "{tool}: {answer}");
        answer["result"].clone()
    }

    /// Calls a tool that succeeds; returns the structured content.
    pub(crate) async fn done(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_ne!(result["isError"], true, "{tool}: {result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that refuses with this code; returns the refusal.
    pub(crate) async fn refused(&self, tool: &str, arguments: Value, codigo: &str) -> Value {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{tool}: {result}");
        assert!(result.get("structuredContent").is_none(), "{result}");
        let body = result["_meta"]["erro"].clone();
        assert_eq!(body["codigo"], codigo, "{tool}: {result}");
        assert!(result["content"][0]["text"].as_str().unwrap().starts_with(&format!("{codigo}: ")), "{result}");
        assert!(result["_meta"]["requisicao_id"].is_string(), "{result}");
        body
    }
}

fn info() -> Value {
    json!({ "name": "agente-de-teste", "version": "1" })
}
