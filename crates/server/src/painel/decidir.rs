//! `POST /painel/confirmar/{id}`: approval, or refusal with a reason. Accepted once.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use engine::assisted::Decided;
use http::StatusCode;
use uuid::Uuid;

use super::form::Sent;
use super::{confirmar, frame, path, words};
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /painel/confirmar/{id}`
pub(crate) async fn decidir(State(app): State<App>, Path(id): Path<String>, sent: Sent) -> Response {
    decided(&app, &id, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn decided(app: &App, id: &str, sent: &Sent) -> Result<Response, ApiError> {
    let again = async |status, told: &str| confirmar::shown(app, &sent.visitor, id, status, Some(told)).await;
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
        Ok(Decided::Now) => Ok(Redirect::to(&path(public)).into_response()),
        Ok(Decided::Before(_)) => {
            again(StatusCode::CONFLICT, "Isto já tinha sido decidido; a primeira decisão vale.").await
        }
        Ok(Decided::Used(_)) => again(StatusCode::CONFLICT, "Isto já foi feito; não há mais o que decidir.").await,
        Ok(Decided::Expired) => {
            again(StatusCode::GONE, "O tempo disto acabou antes da decisão. Peça que o preparem de novo.").await
        }
        Ok(Decided::AboveCeiling(teto)) => {
            let told = format!("A nota passa do teto da conta, {}; ela não pode ser aprovada.", words::reais(teto));
            again(StatusCode::UNPROCESSABLE_ENTITY, &told).await
        }
        Err(store::Error::NotFound) => again(StatusCode::NOT_FOUND, "").await,
        Err(other) => Err(other.into()),
    }
}

const LONGEST_REASON: usize = 500;
