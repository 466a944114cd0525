//! `POST /v1/{nfe|nfce|cte}/previa`: the printed form of the document that a payload would issue. Nothing is issued.

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use engine::jobs::print::{PreviewError, PrintError};
use engine::process::work_pool::is_big;
use http::header;
use serde_json::{Map, Value};
use store::accounts::Caller;

use super::choices;
use super::document_type::DocumentType;
use super::emitir;
use crate::api::body::JsonObject;
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::query::Query;
use crate::app::App;

/// `POST /v1/nfe/previa`, also of `nfce` and `cte`
pub(crate) async fn previa<F: DocumentType>(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    draw_preview::<F>(&app, caller, query.as_deref(), body).await
}

/// Draws the form of a document of type `F`.
pub(crate) async fn draw_preview<F: DocumentType>(
    app: &App,
    caller: Caller,
    query: Option<&str>,
    body: Map<String, Value>,
) -> Result<Response, ApiError> {
    let mut query = Query::new(query);
    let (choices, estrito) = (choices::read(&mut query), query.estrito());
    // a PDF has no member for notices
    query.finish()?;
    let big = is_big(&body);
    let request = emitir::read::<F>(body, estrito, app.reach())?;
    let (engine, tenant) = (app.engine().clone(), caller.tenant_id);
    let case = async move { engine.preview(&caller, request.issue, choices).await };
    let pdf = app.dispatch_use_case(tenant, big, case).await?.map_err(|error| match error {
        PreviewError::Issue(error) => emitir::refusal::<F>(error),
        PreviewError::Print(PrintError::NotDone(error)) => error.into(),
        PreviewError::Print(error) => {
            tracing::error!(%error, "the preview could not be drawn");
            ApiError::internal()
        }
    })?;
    let headers =
        [(header::CONTENT_TYPE, "application/pdf"), (header::CONTENT_DISPOSITION, "inline; filename=\"previa.pdf\"")];
    Ok((headers, pdf).into_response())
}
