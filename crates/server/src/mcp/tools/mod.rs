//! The tools: one row each, in the order of the catalogue. A tool calls the handler of the route for its use case, with
//! its quota, and returns its answer.
//!
//! A new tool is a row here and a function beside similar ones; the snapshot of the catalogue (`catalogo.json`) records
//! it on purpose.

mod campos;
mod consultas;
mod emissao;
mod leitura;
mod reads;
mod rejeicao;
mod table;

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, LazyLock};

use axum::Json;
use axum::extract::{RawQuery, State};
use rmcp::model::{CallToolResult, JsonObject, Tool as Described, ToolAnnotations};
use serde::Serialize;
use serde_json::Value;
use store::accounts::Caller;
use store::audit::{Actor, ActorKind};

use super::admission::ElicitationModes;
use super::{answer, confirmation, schema};
use crate::api::caller::AuthenticatedCaller;
use crate::api::code;
use crate::api::documento::preparar::PreparedActView;
use crate::api::error::{ApiError, FieldProblem};
use crate::api::permission::{self, RequiredPermission};
use crate::api::schema::{Schema, SchemaField};
use crate::api::unknown_members::right_name;
use crate::api::view::of;
use crate::app::App;
pub(super) use table::TABLE;

/// A tool.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// Purpose, right and wrong uses, and cost, for the model.
    pub(super) description: &'static str,
    pub(super) takes: &'static [SchemaField],
    pub(super) gives: ToolOutput,
    pub(super) effect: ToolEffect,
    /// True when the result has texts of third parties.
    pub(super) third_parties: bool,
    pub(super) call: ToolAction,
}

/// An object of the interface, as the result of a tool.
pub(super) struct ToolOutput {
    pub(super) object: &'static str,
    /// Paths of the described members, such as `notas.chave`.
    pub(super) reads: &'static [&'static str],
}

/// Action of a tool.
#[derive(Clone, Copy)]
pub(super) enum ToolAction {
    /// Returns the answer of a handler.
    Gives(fn(ToolContext, JsonObject) -> ToolFuture),
    /// Asks for a person's approval: `confirmation`.
    Confirms(ExpectedOrder),
}

/// Orders whose token a confirmation accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpectedOrder {
    /// An NF-e to issue.
    Nfe,
    Anything,
}

/// Effect of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ToolEffect {
    /// Changes nothing and calls no outside source.
    Reads,
    /// Changes nothing and may call an outside source.
    Asks,
    /// Stores an order for a person's decision.
    Prepares,
    /// Issues an approved order.
    Issues,
}

/// Objects that only tools return.
pub(super) const OBJECTS: &[Schema] = &[
    of::<consultas::NcmPageView>(),
    of::<leitura::ReadNoteView>(),
    of::<campos::FieldsView>(),
    of::<rejeicao::ExplainedRejectionView>(),
    of::<confirmation::ConfirmationView>(),
    of::<PreparedActView>(),
];

/// A call in progress.
pub(super) type ToolFuture = Pin<Box<dyn Future<Output = Result<Value, ApiError>> + Send>>;

/// Context of a call: caller, request and client.
#[derive(Clone)]
pub(super) struct ToolContext {
    pub(super) app: App,
    pub(super) caller: Caller,
    pub(super) request_id: String,
    /// Address of the client.
    pub(super) address: Option<IpAddr>,
    pub(super) elicitation_modes: ElicitationModes,
    /// True for a revision without sessions.
    pub(super) stateless: bool,
    /// Origin of the panel (`http://127.0.0.1:8080`); empty when unknown.
    pub(super) base: String,
}

impl ToolContext {
    fn state(&self) -> State<App> {
        State(self.app.clone())
    }

    /// Actor for the audit trail.
    pub(super) fn actor(&self) -> Actor {
        Actor {
            kind: ActorKind::ApiKey(self.caller.api_key_id),
            ambiente: self.caller.ambiente,
            request_id: Some(self.request_id.clone()),
            address: self.address,
        }
    }

    fn authenticated(&self) -> AuthenticatedCaller {
        AuthenticatedCaller(self.caller.clone())
    }
}

/// Result of a tool, or its refusal.
pub(super) async fn run_tool(
    tool: &Tool,
    call: fn(ToolContext, JsonObject) -> ToolFuture,
    visit: ToolContext,
    arguments: JsonObject,
) -> CallToolResult {
    let id = visit.request_id.clone();
    let allowed = require_permission(tool, &visit.caller).and_then(|()| check_arguments(tool, &arguments));
    let given = match allowed {
        Ok(()) => call(visit, arguments).await,
        Err(error) => Err(error),
    };
    match given {
        Ok(value) => answer::success(value, tool.third_parties),
        Err(error) => answer::refusal(&error, &id),
    }
}

/// A tool by its name.
pub(super) fn find(name: &str) -> Option<&'static Tool> {
    TABLE.iter().find(|tool| tool.name == name)
}

/// All tools in the protocol's form.
pub(super) fn described() -> &'static [Described] {
    static DESCRIBED: LazyLock<Vec<Described>> = LazyLock::new(|| TABLE.iter().map(describe).collect());
    &DESCRIBED
}

fn describe(tool: &Tool) -> Described {
    let reads = matches!(tool.effect, ToolEffect::Reads | ToolEffect::Asks);
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

/// Refuses a key without the permission that a tool requires.
pub(super) fn require_permission(tool: &Tool, caller: &Caller) -> Result<(), ApiError> {
    let reads = matches!(tool.effect, ToolEffect::Reads | ToolEffect::Asks);
    permission::require(caller, if reads { RequiredPermission::Read } else { RequiredPermission::Assist })
}

/// Refuses unknown arguments, with the known name they stand for, and absent required ones.
pub(super) fn check_arguments(tool: &Tool, arguments: &JsonObject) -> Result<(), ApiError> {
    let mut problems = Vec::new();
    for name in arguments.keys().filter(|name| tool.takes.iter().all(|field| field.name != name.as_str())) {
        let name = fiscal::finding::excerpt(name);
        let known: Vec<&'static str> = tool.takes.iter().map(|field| field.name).collect();
        let mensagem = format!("{} não tem o argumento {name}. Aceita: {}.", tool.name, known.join(", "));
        let mut problem = FieldProblem::new(&code::REQUISICAO_INVALIDA, name.to_string(), mensagem);
        problem.sugestao = right_name(&name, &known).map(str::to_owned);
        problems.push(problem);
    }
    for field in tool.takes.iter().filter(|field| field.required) {
        if arguments.get(field.name).is_none_or(Value::is_null) {
            let mensagem = format!("Informe {}: {}", field.name, field.doc);
            problems.push(FieldProblem::new(&code::CAMPO_OBRIGATORIO, field.name, mensagem));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(ApiError::from_problems(problems)) }
}

/// A text argument; a number is read as its digits.
pub(super) fn text(arguments: &JsonObject, name: &'static str) -> Result<Option<String>, ApiError> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(_) => Err(ApiError::new(&code::REQUISICAO_INVALIDA, format!("{name} deve ser um texto.")).at(name)),
    }
}

/// Arguments as the query of the corresponding route; a list is short by default.
fn query(mut arguments: JsonObject, paged: bool) -> Result<RawQuery, ApiError> {
    if paged && arguments.get("limite").is_none_or(Value::is_null) {
        arguments.insert("limite".to_owned(), Value::from(SHORT));
    }
    let mut made = form_urlencoded::Serializer::new(String::new());
    for (name, value) in &arguments {
        match value {
            Value::Null => {}
            Value::String(text) => _ = made.append_pair(name, text),
            Value::Number(number) => _ = made.append_pair(name, &number.to_string()),
            Value::Bool(flag) => _ = made.append_pair(name, if *flag { "true" } else { "false" }),
            _ => {
                let detail = format!("{} deve ser um texto ou um número.", fiscal::finding::excerpt(name));
                return Err(ApiError::new(&code::REQUISICAO_INVALIDA, detail).at(name));
            }
        }
    }
    Ok(RawQuery(Some(made.finish())))
}

/// Answer of a handler as JSON.
fn answer_value<T: Serialize>(answered: Result<Json<T>, ApiError>) -> Result<Value, ApiError> {
    let Json(view) = answered?;
    serde_json::to_value(view).map_err(|error| ApiError::broken(&error))
}

/// Default entries per page.
const SHORT: usize = 10;

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
