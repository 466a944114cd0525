//! `GET /painel`: the overview.

use axum::extract::State;
use axum::response::Response;
use engine::acceptance::assisted::ConfirmationList;
use http::StatusCode;
use maud::html;

use super::navigation::{HOME, ORDERS};
use super::panel_session::PanelSession;
use super::{frame, session_page};
use crate::api::error::ApiError;
use crate::app::App;

/// `GET /painel`
pub(crate) async fn show_home(State(app): State<App>, visitor: PanelSession) -> Response {
    overview(&app, &visitor).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn overview(app: &App, visitor: &PanelSession) -> Result<Response, ApiError> {
    let (_, waiting) = app.engine().list_prepared(&visitor.at.caller, ConfirmationList::Waiting, 1, 0).await?;
    let body = html! {
        h1 { "Início" }
        p { a href=(ORDERS.path) { (waiting) " esperam a sua decisão" } }
    };
    Ok(session_page::page(visitor, &HOME, StatusCode::OK, HOME.name, body))
}
