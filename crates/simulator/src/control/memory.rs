//! Late messages, hidden documents, lost books.

use super::{ControlBody, ControlState};
use crate::late;
use crate::lost_book::LostBook;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

/// Counts late messages, and documents that are hidden from queries.
pub(super) async fn delays(State(console): State<ControlState>) -> Json<Value> {
    Json(json!({ "mensagens": console.world.late.len(), "escondidos": console.world.hidden() }))
}

/// Processes and shows them at once; the answer counts them.
pub(super) async fn end_delays(State(console): State<ControlState>) -> Json<Value> {
    let messages = late::flush(&console.world);
    Json(json!({ "mensagens": messages, "escondidos": console.world.reveal() }))
}

#[derive(Deserialize)]
#[serde(tag = "livro", rename_all = "snake_case")]
pub(super) enum BookBody {
    Perdido(LostBook),
}

pub(super) async fn lose_book(
    State(console): State<ControlState>,
    ControlBody(body): ControlBody<BookBody>,
) -> Json<Value> {
    let BookBody::Perdido(lost) = body;
    Json(json!({ "esquecidos": console.world.forget(&lost) }))
}
