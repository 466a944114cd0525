//! `GET /v1/empresas`: the companies of the account, newest first, in pages.

use axum::Json;
use axum::extract::{RawQuery, State};
use serde_json::{Value, json};

use super::view;
use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::api::query::Page;
use crate::app::App;

/// `GET /v1/empresas`
pub(crate) async fn listar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, ApiError> {
    let page = Page::alone(query.as_deref())?;
    let (companies, total) = app.store().list_companies(caller.tenant_id, page.limite, page.skip()).await?;
    let now = app.now();
    let empresas: Vec<Value> = companies.iter().map(|company| view::body(company, caller.ambiente, now)).collect();
    Ok(Json(json!({ "empresas": empresas, "total": total, "pagina": page.pagina, "limite": page.limite })))
}
