//! The catalogue of tools: JSON for programs, a page for browsers.

use std::fmt::Write as _;

use axum::response::Response;
use http::HeaderMap;
use serde_json::{Value, json};

use super::tools;
use crate::api::docs::markdown::{escaped, inline};
use crate::api::docs::page;
use crate::api::docs::static_answer::{LazyValue, StaticAnswer};
use crate::api::error::ApiError;
use crate::app::App;

/// The catalogue, as a page when `to_read` is true.
pub(super) async fn answer(app: &App, headers: &HeaderMap, to_read: bool) -> Result<Response, ApiError> {
    static JSON: LazyValue<StaticAnswer> =
        LazyValue::of(|()| StaticAnswer::of("application/json", document().to_string()));
    static PAGE: LazyValue<StaticAnswer> = LazyValue::of(|()| StaticAnswer::page(html()));
    let made = if to_read { PAGE.get(()).await? } else { JSON.get(()).await? };
    Ok(made.answer(headers, app.edge()))
}

/// The catalogue as JSON.
pub(crate) fn document() -> Value {
    json!({
        "nome": "carimbo",
        "versao": crate::VERSION,
        "transporte": "streamable-http",
        "caminho": "/mcp",
        "revisoes": ["2026-07-28", "2025-11-25", "2025-06-18"],
        "autenticacao": "X-API-Key: <chave>, ou Authorization: Bearer <chave>",
        "guia": "/docs/guia/mcp",
        "ferramentas": tools::described(),
    })
}

fn html() -> String {
    let mut body = String::from(LEAD);
    let mut contents = Vec::new();
    for tool in tools::TABLE {
        let _ = write!(
            body,
            "<h2 id=\"{name}\"><a href=\"#{name}\">{name}</a></h2><p><strong>{title}.</strong> {about}</p>",
            name = tool.name,
            title = escaped(tool.title),
            about = inline(tool.description),
        );
        contents.push((2, tool.name.to_owned(), tool.name.to_owned()));
        if tool.takes.is_empty() {
            continue;
        }
        body.push_str(
            "<div class=\"tabela\"><table class=\"campos\"><tr><th>Argumento</th><th>Tipo</th><th>Descrição</th></tr>",
        );
        for field in tool.takes {
            let must = if field.required { " <strong>Obrigatório.</strong>" } else { "" };
            let _ = write!(
                body,
                "<tr><td><code>{}</code></td><td>{}</td><td>{}{must}</td></tr>",
                field.name,
                inline(&field.kind.words()),
                inline(field.doc)
            );
        }
        body.push_str("</table></div>");
    }
    page::frame("Ferramentas MCP", "/mcp", &body, &contents)
}

const LEAD: &str = "<h1>Ferramentas MCP</h1><p>O que um agente de IA pode chamar neste serviço, pelo <a href=\"https://modelcontextprotocol.io\">Model Context \
Protocol</a>, em <code>/mcp</code>, com uma chave de API. Como configurar os clientes está em <a href=\"/docs/guia/mcp\">MCP</a>; o mesmo catálogo, com os \
esquemas, vem como JSON com <code>Accept: application/json</code>.</p>";
