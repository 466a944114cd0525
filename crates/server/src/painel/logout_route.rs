//! `POST /painel/sair`: ends the session, in the browser and in the store.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use http::header;

use super::form::SubmittedForm;
use super::{frame, panel_session};
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /painel/sair`
pub(crate) async fn submit_logout(State(app): State<App>, sent: SubmittedForm) -> Response {
    finish_session(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn finish_session(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let (at, actor) = (&sent.visitor.at, &sent.visitor.actor);
    app.store().end_session(at.caller.tenant_id, at.session_id, actor, app.engine().now_s()).await?;
    let to = if app.oidc().is_some() { "/painel/entrar?saiu=1" } else { "/painel/entrar" };
    Ok(([(header::SET_COOKIE, panel_session::removal_cookie(&sent.parts, app)?)], Redirect::to(to)).into_response())
}
