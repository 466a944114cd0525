//! `GET /v1/jobs/erros` and `GET /v1/jobs/rejeitadas`: what went wrong in a period, one by one or grouped by reason.

use axum::Json;
use axum::extract::{RawQuery, State};
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::{Value, json};
use store::Sight;
use store::jobs::report::{Reason, Report, Scope, Why};
use store::notes::Window;

use super::period::{Asked, Days};
use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::api::instant::StateTime;
use crate::api::job;
use crate::api::notas::filter::{AMBIENTES, TIPOS};
use crate::api::query::Query;
use crate::app::App;

/// `GET /v1/jobs/erros`
pub(crate) async fn erros(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, ApiError> {
    report(&app, Sight::of(&caller), Report::Failed, query.as_deref()).await
}

/// `GET /v1/jobs/rejeitadas`
pub(crate) async fn rejeitadas(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, ApiError> {
    report(&app, Sight::of(&caller), Report::Rejected, query.as_deref()).await
}

async fn report(app: &App, sight: Sight, report: Report, query: Option<&str>) -> Result<Json<Value>, ApiError> {
    let asked = Request::read(query)?;
    let time = StateTime::of_issuer(app.store(), sight.tenant(), asked.emitente).await?;
    let days = asked.dates.bounded(time, app.now())?;
    let Request { emitente, tipo, ambiente, .. } = asked;
    let scope = Scope { sight, periodo: days.periodo, emitente, tipo: tipo.map(str::to_owned), ambiente };
    if asked.grouped {
        return Ok(Json(summary(days, app.store().report_reasons(report, scope).await?)));
    }
    let window = Window { limit: asked.por_pagina, skip: asked.por_pagina.saturating_mul(asked.pagina - 1) };
    let (jobs, total) = app.store().report(report, scope, window).await?;
    let per_page = u64::try_from(asked.por_pagina).unwrap_or(u64::MAX);
    Ok(Json(json!({
        "jobs": job::listed(app.store(), sight.tenant(), jobs).await?,
        "total": total,
        "pagina": asked.pagina,
        "por_pagina": asked.por_pagina,
        "paginas": total.div_ceil(per_page),
        "de": days.de.to_string(),
        "ate": days.ate.to_string(),
    })))
}

struct Request {
    dates: Asked,
    emitente: Option<CnpjCpf>,
    tipo: Option<&'static str>,
    ambiente: Option<TpAmb>,
    grouped: bool,
    por_pagina: usize,
    pagina: usize,
}

impl Request {
    fn read(query: Option<&str>) -> Result<Request, ApiError> {
        let mut query = Query::new(query);
        let request = Request {
            dates: Asked::read(&mut query),
            emitente: query.cpf_cnpj("emitente"),
            tipo: query.choice("tipo", &TIPOS),
            ambiente: query.choice("ambiente", &AMBIENTES),
            grouped: query.choice("formato", &[("resumo", true), ("lista", false)]).unwrap_or(false),
            por_pagina: query.whole("por_pagina", 50, 200),
            pagina: query.whole("pagina", 1, 1_000_000),
        };
        query.finish().map(|()| request)
    }
}

fn summary(days: Days, reasons: Vec<Reason>) -> Value {
    let total: u64 = reasons.iter().map(|reason| reason.count).sum();
    let resumo: Vec<Value> = reasons.into_iter().map(group).collect();
    json!({ "de": days.de.to_string(), "ate": days.ate.to_string(), "total": total, "resumo": resumo })
}

fn group(reason: Reason) -> Value {
    let (name, code, motivo) = match reason.why {
        Why::Failed { codigo, mensagem } => ("codigo", Value::String(codigo), mensagem),
        Why::Rejected { codigo, xMotivo } => ("codigo_status", json!(codigo), without_details(&xMotivo)),
    };
    json!({ name: code, "motivo": motivo, "quantidade": reason.count, "exemplo_job_id": reason.example })
}

/// The authority's text without what it says of one note only: `[nItem:3]`, `[chNFe:…]`.
fn without_details(xMotivo: &str) -> String {
    xMotivo.split('[').next().unwrap_or_default().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::without_details;

    #[test]
    fn a_group_is_named_by_what_its_notes_have_in_common() {
        assert_eq!(without_details("Rejeição: NCM inexistente [nItem:3]"), "Rejeição: NCM inexistente");
        assert_eq!(without_details("Rejeição: Total da NF difere"), "Rejeição: Total da NF difere");
    }
}
