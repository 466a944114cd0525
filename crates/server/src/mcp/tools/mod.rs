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

use axum::Json;
use rmcp::model::{CallToolResult, JsonObject};
use serde::Serialize;
use serde_json::Value;

use super::tool::{Tool, ToolContext, ToolFuture};
use super::{answer, confirmation};
use crate::api::documento::preparar::PreparedActView;
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;
use crate::api::permission;
use crate::api::schema::Schema;
use crate::api::unknown_members::right_name;
use crate::api::view::of;
pub(super) use table::TABLE;

/// Objects that only tools return.
pub(super) const OBJECTS: &[Schema] = &[
    of::<consultas::NcmPageView>(),
    of::<leitura::ReadNoteView>(),
    of::<campos::FieldsView>(),
    of::<rejeicao::ExplainedRejectionView>(),
    of::<confirmation::ConfirmationView>(),
    of::<PreparedActView>(),
];

/// Result of a tool, or its refusal.
pub(super) async fn run_tool(
    tool: &Tool,
    call: fn(ToolContext, JsonObject) -> ToolFuture,
    visit: ToolContext,
    arguments: JsonObject,
) -> CallToolResult {
    let id = visit.request_id.clone();
    let allowed = admitted(tool, visit).and_then(|visit| check_arguments(tool, &arguments).map(|()| visit));
    let given = match allowed {
        Ok(visit) => call(visit, arguments).await,
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

/// A visit with what meets the need of a tool: the companies in which the caller may do what it does. Refuses a caller
/// without any.
pub(super) fn admitted(tool: &Tool, visit: ToolContext) -> Result<ToolContext, ApiError> {
    let caller = permission::narrow(&visit.caller, tool.need())?;
    Ok(ToolContext { caller, ..visit })
}

/// Refuses unknown arguments, with the known name they stand for, and absent required ones.
pub(super) fn check_arguments(tool: &Tool, arguments: &JsonObject) -> Result<(), ApiError> {
    let mut problems = Vec::new();
    for name in arguments.keys().filter(|name| tool.takes.iter().all(|field| field.name != name.as_str())) {
        let name = fiscal::finding::excerpt(name);
        let known: Vec<&'static str> = tool.takes.iter().map(|field| field.name).collect();
        let mensagem = format!("{} não tem o argumento {name}. Aceita: {}.", tool.name, known.join(", "));
        let mut problem = FieldProblem::new(&error_code::REQUISICAO_INVALIDA, name.to_string(), mensagem);
        problem.sugestao = right_name(&name, &known).map(str::to_owned);
        problems.push(problem);
    }
    for field in tool.takes.iter().filter(|field| field.required) {
        if arguments.get(field.name).is_none_or(Value::is_null) {
            let mensagem = format!("Informe {}: {}", field.name, field.doc);
            problems.push(FieldProblem::new(&error_code::CAMPO_OBRIGATORIO, field.name, mensagem));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(ApiError::from_problems(problems)) }
}

/// Answer of a handler as JSON.
fn answer_value<T: Serialize>(answered: Result<Json<T>, ApiError>) -> Result<Value, ApiError> {
    let Json(view) = answered?;
    serde_json::to_value(view).map_err(|error| ApiError::broken(&error))
}
