//! `GET /v1/jobs/erros` and `GET /v1/jobs/rejeitadas`: failures and rejections of a period, one by one or grouped by
//! reason.

use axum::Json;
use axum::extract::{RawQuery, State};
use fiscal::finding::Notice;
use fiscal::value::{CnpjCpf, TpAmb};
use jiff::civil::Date;
use serde::Serialize;
use store::Visibility;
use store::jobs::report::{ReasonCount, ReportKind, ReportReason, ReportScope};
use store::notes::ListWindow;
use uuid::Uuid;

use super::period::{BoundedPeriod, RequestedPeriod};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::api::job::status_code::StatusCode;
use crate::api::job::{self, view::JobView};
use crate::api::notas::filter::{AMBIENTES, TIPOS};
use crate::api::query::{PageParameters, Query};
use crate::api::view::{Maybe, view};
use crate::app::App;

/// A report: jobs, or reasons.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum ReportView {
    Jobs(ReportedJobsView),
    Reasons(ReasonsView),
}

view! {
    pub(crate) struct ReportedJobsView = "RelatorioEmLista": "Uma página dos jobs do período." {
        jobs: Vec<JobView> = "O mais novo primeiro.",
        total: u64 = "Quantos no período.",
        pagina: usize = "Esta página, a partir de 1.",
        por_pagina: usize = "Quantos por página.",
        paginas: u64 = "Quantas páginas há.",
        de: Date = "Primeiro dia do período.",
        ate: Date = "Último dia.",
        avisos: Vec<Notice> = "Parâmetros da consulta sem efeito: desconhecidos ou repetidos.",
    }
}

view! {
    pub(crate) struct ReasonsView = "RelatorioEmResumo": "Com `formato=resumo`: os motivos do período." {
        de: Date = "Primeiro dia do período.",
        ate: Date = "Último dia.",
        total: u64 = "Quantos no período.",
        resumo: Vec<ReasonView> = "O motivo mais frequente primeiro.",
        avisos: Vec<Notice> = "Parâmetros da consulta sem efeito: desconhecidos ou repetidos.",
    }
}

view! {
    pub(crate) struct ReasonView {
        codigo: Maybe<String> = "Em `erros`: o código da falha.",
        codigo_status: Maybe<StatusCode> = "Em `rejeitadas`, o cStat: inteiro na NF-e, na NFC-e e no CT-e, texto na NFS-e; os da NFS-e são contados à parte.",
        motivo: String = "Em palavras, como no exemplo.",
        quantidade: u64 = "Quantos jobs.",
        exemplo_job_id: Uuid = "O mais novo.",
    }
}

/// `GET /v1/jobs/erros`
pub(crate) async fn erros(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<ReportView>, ApiError> {
    report(&app, Visibility::of(&caller), ReportKind::Failed, query.as_deref()).await
}

/// `GET /v1/jobs/rejeitadas`
pub(crate) async fn rejeitadas(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<ReportView>, ApiError> {
    report(&app, Visibility::of(&caller), ReportKind::Rejected, query.as_deref()).await
}

async fn report(
    app: &App,
    sight: Visibility,
    report: ReportKind,
    query: Option<&str>,
) -> Result<Json<ReportView>, ApiError> {
    let asked = ReportRequest::read(query)?;
    let time = CivilTime::of_issuer(app.store(), sight.tenant(), asked.emitente).await?;
    let days = asked.dates.bounded(time, app.now())?;
    let ReportRequest { emitente, tipo, ambiente, .. } = asked;
    let scope =
        ReportScope { visibility: sight, periodo: days.periodo, emitente, tipo: tipo.map(str::to_owned), ambiente };
    if asked.grouped {
        let reasons = app.store().report_reasons(report, scope).await?;
        return Ok(Json(ReportView::Reasons(summary(days, reasons, asked.avisos))));
    }
    let page = PageParameters { limite: asked.por_pagina, pagina: asked.pagina };
    let window = ListWindow { limit: page.limite, skip: page.skip() };
    let (jobs, total) = app.store().report(report, scope, window).await?;
    let total = page.counted(jobs.len(), total);
    let per_page = u64::try_from(asked.por_pagina).unwrap_or(u64::MAX);
    Ok(Json(ReportView::Jobs(ReportedJobsView {
        jobs: job::listed(app.store(), sight.tenant(), jobs).await?,
        total,
        pagina: asked.pagina,
        por_pagina: asked.por_pagina,
        paginas: total.div_ceil(per_page),
        de: days.de,
        ate: days.ate,
        avisos: asked.avisos,
    })))
}

struct ReportRequest {
    dates: RequestedPeriod,
    emitente: Option<CnpjCpf>,
    tipo: Option<&'static str>,
    ambiente: Option<TpAmb>,
    grouped: bool,
    por_pagina: usize,
    pagina: usize,
    avisos: Vec<Notice>,
}

impl ReportRequest {
    fn read(query: Option<&str>) -> Result<ReportRequest, ApiError> {
        let mut query = Query::new(query);
        let mut request = ReportRequest {
            dates: RequestedPeriod::read(&mut query),
            emitente: query.cpf_cnpj("emitente"),
            tipo: query.choice("tipo", &TIPOS),
            ambiente: query.choice("ambiente", &AMBIENTES),
            grouped: query.choice("formato", &[("resumo", true), ("lista", false)]).unwrap_or(false),
            por_pagina: query.whole("por_pagina", 50, 200),
            pagina: query.whole("pagina", 1, 1_000_000),
            avisos: Vec::new(),
        };
        request.avisos = query.finish()?;
        Ok(request)
    }
}

fn summary(days: BoundedPeriod, reasons: Vec<ReasonCount>, avisos: Vec<Notice>) -> ReasonsView {
    let total: u64 = reasons.iter().map(|reason| reason.count).sum();
    ReasonsView { de: days.de, ate: days.ate, total, resumo: reasons.into_iter().map(reason).collect(), avisos }
}

fn reason(reason: ReasonCount) -> ReasonView {
    let (codigo, codigo_status, motivo) = match reason.reason {
        ReportReason::Failed { codigo, mensagem } => (Some(codigo), None, mensagem),
        ReportReason::Rejected { tipo, codigo, xMotivo } => {
            (None, Some(StatusCode::of(tipo, codigo)), without_details(&xMotivo))
        }
    };
    ReasonView {
        codigo: Maybe(codigo),
        codigo_status: Maybe(codigo_status),
        motivo,
        quantidade: reason.count,
        exemplo_job_id: reason.example,
    }
}

/// The authority's text without details of a single document: `[nItem:3]`, `[chNFe:…]`.
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
