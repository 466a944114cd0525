//! `GET /v1/ncm/{codigo}`: one code, of any level, with those above it.

use axum::Json;
use axum::extract::{Path, State};
use lookup::Found;
use serde_json::{Value, json};
use store::quotas::Familia;

use super::{digits, today, view};
use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::api::lookup::answered;
use crate::app::App;

/// `GET /v1/ncm/{codigo}`
pub(crate) async fn consultar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(codigo): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let table = app.lookup().ncm().await?;
    let today = today(&app);
    let plain = digits(&codigo);
    let found = plain.as_deref().and_then(|plain| table.find(plain, today));
    let found = match found {
        Some(entry) => {
            let mut body = view(entry);
            body["final"] = json!(entry.is_final());
            body["vigente"] = json!(entry.is_valid_on(today));
            let above = (2..entry.codigo.len()).filter_map(|length| table.find(entry.codigo.get(..length)?, today));
            body["hierarquia"] =
                above.map(|entry| json!({ "codigo": entry.codigo, "descricao": entry.descricao })).collect();
            Found::Yes(body)
        }
        None => Found::No(format!("a NCM em uso ({})", table.vigencia())),
    };
    let named = plain.unwrap_or_else(|| "informado".to_owned());
    answered(&app, &caller, Familia::Ncm, found, &format!("O código NCM {named}")).await.map(Json)
}
