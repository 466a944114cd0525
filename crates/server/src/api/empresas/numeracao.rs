//! `GET /v1/empresas/numeracao`: the last authorised number of every sequence. A reading, not a reservation.
//!
//! Law: `spec/interface.md`, Numbering record.

use axum::Json;
use axum::extract::{RawQuery, State};
use serde_json::{Value, json};
use store::Sight;
use store::numbers::{Numbering, Range};

use super::settings::Settings;
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
    let lacunas = query.choice("lacunas", &[("true", true), ("false", false), ("1", true), ("0", false)]);
    query.finish()?;
    let mut numeracao = Vec::new();
    for sequence in app.store().numberings(Sight::of(&caller), cnpj).await? {
        let Some(mut record) = view(&sequence, tipo) else { continue };
        if lacunas == Some(true) && sequence.series.counted.modelo().is_some() {
            let gaps = app.store().gaps(caller.tenant_id, sequence.series, MOST_GAPS).await?;
            record["lacunas"] = gaps.iter().map(gap).collect();
        }
        numeracao.push(record);
    }
    Ok(Json(json!({ "total": numeracao.len(), "numeracao": numeracao })))
}

/// Stretches told of one sequence; the next ones follow when these are voided.
const MOST_GAPS: u32 = 100;

/// As the body of `inutilizar` names it.
fn gap(gap: &Range) -> Value {
    json!({ "numero_inicial": gap.from, "numero_final": gap.until, "quantidade": gap.until - gap.from + 1 })
}

fn view(sequence: &Numbering, wanted: Option<&str>) -> Option<Value> {
    let series = sequence.series;
    let tipo = Settings::tipo_of(series.counted).filter(|tipo| wanted.is_none_or(|wanted| wanted == *tipo))?;
    Some(json!({
        "cpf_cnpj": series.cpf_cnpj.as_str(),
        "tipo": tipo,
        "modelo": series.counted.modelo(),
        "serie": series.serie.to_string(),
        "ambiente": series.ambiente.word(),
        "ultimo_numero": sequence.last,
        "proximo_numero": sequence.next,
    }))
}
