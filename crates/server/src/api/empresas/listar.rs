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
    let mut all = app.store().list_companies(caller.tenant_id).await?;
    all.sort_by_key(|company| std::cmp::Reverse(company.criado_em));
    let now = app.now();
    let empresas: Vec<Value> = page.of(&all).iter().map(|company| view::body(company, now)).collect();
    Ok(Json(json!({ "empresas": empresas, "total": all.len(), "pagina": page.pagina, "limite": page.limite })))
}
