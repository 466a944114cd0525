//! `GET /v1/empresas/numeracao`: the last authorised number of every sequence. A reading, not a reservation.
//!
//! Law: `spec/interface.md`, Numbering record.

use axum::Json;
use axum::extract::{RawQuery, State};
use serde_json::{Value, json};
use store::numbers::Numbering;

use super::settings::{NO_MODEL, Settings};
use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::api::query::Query;
use crate::app::App;

/// `GET /v1/empresas/numeracao`
pub(crate) async fn listar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, ApiError> {
    let mut query = Query::new(query.as_deref());
    let cnpj = query.cpf_cnpj("cnpj");
    let tipo = query.choice("tipo", &[("nfe", "nfe"), ("nfce", "nfce"), ("nfse", "nfse"), ("cte", "cte")]);
    query.finish()?;
    let sequences = app.store().numberings(caller.tenant_id, cnpj).await?;
    let numeracao: Vec<Value> = sequences.iter().filter_map(|sequence| view(sequence, tipo)).collect();
    Ok(Json(json!({ "total": numeracao.len(), "numeracao": numeracao })))
}

fn view(sequence: &Numbering, wanted: Option<&str>) -> Option<Value> {
    let series = sequence.series;
    let tipo = Settings::tipo_of(series.modelo).filter(|tipo| wanted.is_none_or(|wanted| wanted == *tipo))?;
    Some(json!({
        "cpf_cnpj": series.cpf_cnpj.as_str(),
        "tipo": tipo,
        "modelo": (series.modelo != NO_MODEL).then_some(series.modelo),
        "serie": series.serie.to_string(),
        "ambiente": series.ambiente.word(),
        "ultimo_numero": sequence.last,
        "proximo_numero": sequence.next,
    }))
}
