//! `POST /painel/ambiente`: opens a session in the other environment under a new token and ends the former one.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use fiscal::value::TpAmb;
use http::{StatusCode, header};
use maud::html;

use super::form::SubmittedForm;
use super::navigation::HOME;
use super::{frame, panel_session, session_page};
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /painel/ambiente`
pub(crate) async fn switch_environment(State(app): State<App>, sent: SubmittedForm) -> Response {
    change_environment(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn change_environment(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let visitor = &sent.visitor;
    let ambiente = TpAmb::from_word(sent.fields.text("ambiente")).unwrap_or(visitor.at.caller.ambiente);
    let now = app.engine().now_s();
    let ends = now + panel_session::LIFETIME_S;
    match app.store().switch_session(&visitor.at, ambiente, ends, &visitor.actor, now).await {
        Ok(session) => {
            let cookie = panel_session::session_cookie(&sent.parts, app, &session)?;
            Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/painel")).into_response())
        }
        Err(store::Error::Conflict("sem chave ativa")) => {
            let body = html! {
                h1 { "Sem chave neste ambiente" }
                p { "A conta não tem chave de API ativa no ambiente " (ambiente.word()) ", e toda sessão fica ligada a uma. Peça uma ao operador." }
                p { a href="/painel" { "Voltar ao início" } }
            };
            Ok(session_page::page(visitor, &HOME, StatusCode::CONFLICT, "Sem chave neste ambiente", body))
        }
        Err(other) => Err(other.into()),
    }
}
