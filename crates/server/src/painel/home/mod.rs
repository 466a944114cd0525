//! `GET /painel`: the overview: today by state, and matters that need a person.
//!
//! Each number leads to a list that counts the same.

mod needs;
mod today;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use maud::html;

use super::navigation::HOME;
use super::panel_session::PanelSession;
use super::{frame, session_page};
use crate::api::error::ApiError;
use crate::app::App;

/// `GET /painel`
pub(crate) async fn show_home(State(app): State<App>, visitor: PanelSession) -> Response {
    overview(&app, &visitor).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn overview(app: &App, visitor: &PanelSession) -> Result<Response, ApiError> {
    let body = html! {
        h1 { "Início" }
        section aria-labelledby="hoje" {
            h2 id="hoje" { "Hoje" }
            (today::numbers(app, visitor).await?)
        }
        section aria-labelledby="pendencias" {
            h2 id="pendencias" { "Precisa de você" }
            (needs::list(app, visitor).await?)
        }
    };
    Ok(session_page::page(visitor, &HOME, StatusCode::OK, HOME.name, body))
}
