//! `GET /v1/empresas`: the companies of the account, newest first, in pages.

use axum::Json;
use axum::extract::{RawQuery, State};
use serde_json::{Value, json};

use super::view;
use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::api::query::{Page, Query};
use crate::app::App;

/// `GET /v1/empresas`
pub(crate) async fn listar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, ApiError> {
    let mut query = Query::new(query.as_deref());
    let page = Page::read(&mut query);
    query.finish()?;
    let Page { limite, pagina } = page;
    let (companies, total) = app.store().list_companies(caller.tenant_id, limite, limite * (pagina - 1)).await?;
    let now = app.now();
    let empresas: Vec<Value> = companies.iter().map(|company| view::body(company, now)).collect();
    Ok(Json(json!({ "empresas": empresas, "total": total, "pagina": pagina, "limite": limite })))
}
