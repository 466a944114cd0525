//! The catalogue of tools: the protocol's list, JSON for programs, a page for browsers.

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use axum::response::Response;
use http::HeaderMap;
use rmcp::model::{Tool as Described, ToolAnnotations};
use serde_json::{Value, json};

use super::schema;
use super::tool::{Tool, ToolEffect};
use super::tools::TABLE;
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
        "ferramentas": described(),
    })
}

/// All tools in the protocol's form.
pub(super) fn described() -> &'static [Described] {
    static DESCRIBED: LazyLock<Vec<Described>> = LazyLock::new(|| TABLE.iter().map(describe).collect());
    &DESCRIBED
}

fn describe(tool: &Tool) -> Described {
    let reads = matches!(tool.effect, ToolEffect::Reads | ToolEffect::ReadsAccount | ToolEffect::Asks);
    let annotations = ToolAnnotations::new()
        .read_only(reads)
        .destructive(tool.effect == ToolEffect::Issues)
        .idempotent(tool.effect != ToolEffect::Prepares)
        .open_world(matches!(tool.effect, ToolEffect::Asks | ToolEffect::Issues));
    Described::new(tool.name, tool.description, schema::input(tool.takes))
        .with_title(tool.title)
        .with_raw_output_schema(Arc::new(schema::output(tool.gives.object, tool.gives.reads)))
        .with_annotations(annotations)
}

fn html() -> String {
    let mut body = String::from(LEAD);
    let mut contents = Vec::new();
    for tool in TABLE {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_tool_is_named_once_gives_an_object_that_is_described_and_says_what_it_costs() {
        let mut names = BTreeSet::new();
        for tool in TABLE {
            assert!(names.insert(tool.name), "{} twice", tool.name);
            assert!(schema::objects().contains_key(tool.gives.object), "{}: {}", tool.name, tool.gives.object);
            assert!(tool.description.contains("cota"), "{}: what does it cost?", tool.name);
            let output = schema::output(tool.gives.object, tool.gives.reads);
            for path in tool.gives.reads {
                let described = path.split('.').try_fold(Value::Object(output.clone()), |schema, name| {
                    let inner = schema.get("items").unwrap_or(&schema);
                    inner.get("properties")?.get(name).cloned()
                });
                let described = described.unwrap_or_else(|| panic!("{}: {path}", tool.name));
                assert!(described.get("type").is_some() || path.ends_with("esquema"), "{}: {path}", tool.name);
            }
        }
    }

    /// The step `interface` counts the tokens that models read; this test bounds the bytes.
    #[test]
    fn the_list_of_tools_is_short() {
        let bytes = serde_json::to_vec(described()).unwrap().len();
        assert!(bytes < MOST_BYTES, "tools/list has {bytes} bytes");
    }

    const MOST_BYTES: usize = 33_000;

    /// `CARIMBO_CATALOGO=escrever cargo test -p server catalogue` writes the snapshot anew.
    #[test]
    fn the_catalogue_changes_only_on_purpose() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/mcp/catalogo.json");
        let now = serde_json::to_string_pretty(described()).unwrap() + "\n";
        if std::env::var("CARIMBO_CATALOGO").is_ok() {
            std::fs::write(path, &now).unwrap();
        }
        let kept = std::fs::read_to_string(path).unwrap();
        assert!(
            kept == now,
            "tools changed: look at the difference and write the snapshot anew (see this test's comment)"
        );
    }
}
