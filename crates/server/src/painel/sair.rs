//! `POST /painel/sair`: ends the session, in the browser and in the store.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use http::header;

use super::form::Sent;
use super::{frame, visit};
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /painel/sair`
pub(crate) async fn sair(State(app): State<App>, sent: Sent) -> Response {
    left(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn left(app: &App, sent: &Sent) -> Result<Response, ApiError> {
    let (at, actor) = (&sent.visitor.at, &sent.visitor.actor);
    app.store().end_session(at.caller.tenant_id, at.session_id, actor, app.engine().now_s()).await?;
    Ok(([(header::SET_COOKIE, visit::ended(&sent.parts, app)?)], Redirect::to("/painel/entrar")).into_response())
}
