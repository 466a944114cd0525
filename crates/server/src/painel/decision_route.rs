//! `POST /painel/confirmar/{id}`: approval, or refusal with a reason. Accepted once.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use engine::acceptance::assisted::DecisionResult;
use http::StatusCode;
use uuid::Uuid;

use super::form::SubmittedForm;
use super::{frame, order_page, path, words};
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /painel/confirmar/{id}`
pub(crate) async fn submit_decision(State(app): State<App>, Path(id): Path<String>, sent: SubmittedForm) -> Response {
    record_decision(&app, &id, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn record_decision(app: &App, id: &str, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let again = async |status, told: &str| order_page::render_order(app, &sent.visitor, id, status, Some(told)).await;
    let Ok(public) = Uuid::parse_str(id) else { return again(StatusCode::NOT_FOUND, "").await };
    let motivo = sent.fields.text("motivo").trim();
    let word = match sent.fields.text("decisao") {
        "aprovar" => Ok(()),
        "recusar" if motivo.chars().count() <= LONGEST_REASON => {
            Err(Some(motivo.to_owned()).filter(|motivo| !motivo.is_empty()))
        }
        "recusar" => {
            return again(StatusCode::UNPROCESSABLE_ENTITY, "O motivo tem até 500 caracteres. Nada foi decidido.")
                .await;
        }
        _ => return again(StatusCode::BAD_REQUEST, "Aprove ou recuse. Nada foi decidido.").await,
    };
    let (at, actor) = (&sent.visitor.at, &sent.visitor.actor);
    match app.engine().decide(&at.caller, public, at.user_id, word, actor).await {
        Ok(DecisionResult::Recorded) => Ok(Redirect::to(&path(public)).into_response()),
        Ok(DecisionResult::AlreadyDecided(_)) => {
            again(StatusCode::CONFLICT, "Isto já tinha sido decidido; a primeira decisão vale.").await
        }
        Ok(DecisionResult::Used(_)) => {
            again(StatusCode::CONFLICT, "Isto já foi feito; não há mais o que decidir.").await
        }
        Ok(DecisionResult::Expired) => {
            again(StatusCode::GONE, "O tempo disto acabou antes da decisão. Peça que o preparem de novo.").await
        }
        Ok(DecisionResult::AboveCeiling(teto)) => {
            let told = format!("A nota passa do teto da conta, {}; ela não pode ser aprovada.", words::reais(teto));
            again(StatusCode::UNPROCESSABLE_ENTITY, &told).await
        }
        Err(store::Error::NotFound) => again(StatusCode::NOT_FOUND, "").await,
        Err(other) => Err(other.into()),
    }
}

const LONGEST_REASON: usize = 500;
