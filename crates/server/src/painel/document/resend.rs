//! `POST /painel/documentos/{id}/reenviar`: a new series of attempts of a delivery.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use store::Visibility;
use uuid::Uuid;

use super::{path, unknown, visible_job};
use crate::api::error::ApiError;
use crate::api::webhooks::reenviar::resend_delivery;
use crate::app::App;
use crate::painel::form::SubmittedForm;
use crate::painel::frame;

/// `POST /painel/documentos/{id}/reenviar`
pub(crate) async fn resend_document_delivery(
    State(app): State<App>,
    Path(id): Path<String>,
    sent: SubmittedForm,
) -> Response {
    resend(&app, &id, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn resend(app: &App, id: &str, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let visitor = &sent.visitor;
    let job = visible_job(app, visitor, id).await?;
    let (Some(job), Ok(delivery)) = (job, Uuid::parse_str(sent.fields.text("entrega"))) else {
        return Ok(unknown(visitor));
    };
    let sight = Visibility::of(&visitor.at.caller);
    match app.store().delivery(sight, delivery).await {
        Ok(record) if record.job_id == Some(job.id) => {}
        Ok(_) | Err(store::Error::NotFound) => return Ok(unknown(visitor)),
        Err(other) => return Err(other.into()),
    }
    resend_delivery(app, sight, delivery, visitor.actor.clone()).await?;
    Ok(Redirect::to(&format!("{}#entregas", path(job.id))).into_response())
}
