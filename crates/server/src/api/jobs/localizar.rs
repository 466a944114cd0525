//! `GET /v1/jobs/localizar`: finds a job by its reference, or by buyer, seller and value of the sale.
//!
//! Law: `docs/contract.md`, "Reports and search" (after a timeout do not resend: locate).

use axum::Json;
use axum::extract::{RawQuery, State};
use fiscal::finding::Notice;
use fiscal::value::{CnpjCpf, TpAmb, amount};
use jiff::civil::Date;
use serde_json::Value;
use store::Visibility;
use store::jobs::{Job, JobSearch};
use store::notes::ListWindow;

use super::period::RequestedPeriod;
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::instant::CivilTime;
use crate::api::job::{self, JobFacts, view::JobView};
use crate::api::query::{PageParameters, Query};
use crate::api::uncertain;
use crate::api::view::{Maybe, view};
use crate::app::App;

view! {
    pub(crate) struct LocatedJobsView = "JobsLocalizados": "O que foi achado." {
        encontrado: bool = "`true`.",
        jobs: Vec<JobView> = "O mais novo primeiro.",
        pagina: Maybe<usize> = "Na busca pela venda: esta página, a partir de 1.",
        limite: Maybe<usize> = "Quantos por página.",
        ha_mais: Maybe<bool> = "Se há outra página.",
        de: Maybe<Date> = "O período pesquisado.",
        ate: Maybe<Date> = "Último dia do período.",
        avisos: Vec<Notice> = "Parâmetros da consulta sem efeito: desconhecidos ou repetidos.",
    }
}

/// `GET /v1/jobs/localizar`
pub(crate) async fn localizar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<LocatedJobsView>, ApiError> {
    let (wanted, avisos) = read(query.as_deref())?;
    let mut found = match wanted {
        JobCriteria::Reference(referencia) => by_reference(&app, Visibility::of(&caller), &referencia).await?,
        JobCriteria::Sale(sale) => by_sale(&app, Visibility::of(&caller), sale).await?,
    };
    found.avisos = avisos;
    Ok(Json(found))
}

/// Search criteria.
enum JobCriteria {
    Reference(String),
    Sale(SaleFilter),
}

struct SaleFilter {
    emitente: Option<CnpjCpf>,
    destinatario: Option<CnpjCpf>,
    valor: Option<String>,
    dates: RequestedPeriod,
    page: PageParameters,
}

/// Reads the criteria. A reference is unique in the account, so the other parameters are not read beside it.
fn read(query: Option<&str>) -> Result<(JobCriteria, Vec<Notice>), ApiError> {
    let mut query = Query::new(query);
    if let Some(referencia) = query.text("ref").map(str::to_owned) {
        let right = referencia.len() <= 120 && referencia.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !right {
            let mensagem = "ref aceita de 1 a 120 letras (sem acento) e dígitos, como em referencia_externa.";
            query.refuse_as(&error_code::REFERENCIA_INVALIDA, "ref", mensagem.to_owned());
        }
        return query.finish().map(|avisos| (JobCriteria::Reference(referencia), avisos));
    }
    let given = ["emitente", "destinatario", "valor"].iter().any(|name| query.text(name).is_some());
    if !given {
        let mensagem = "Informe ref, a referencia_externa, ou ao menos um destes: emitente, destinatario, valor.";
        query.refuse_as(&error_code::CAMPO_OBRIGATORIO, "ref", mensagem.to_owned());
    }
    let sale = SaleFilter {
        emitente: query.cpf_cnpj("emitente"),
        destinatario: query.cpf_cnpj("destinatario"),
        valor: value(&mut query),
        dates: RequestedPeriod::read(&mut query),
        page: PageParameters::read(&mut query),
    };
    query.finish().map(|avisos| (JobCriteria::Sale(sale), avisos))
}

/// Exact total, in the form of documents.
fn value(query: &mut Query<'_>) -> Option<String> {
    let read = amount(query.text("valor")?);
    let exact = read.map(|valor| valor.normalize()).filter(|valor| valor.scale() <= 2 && !valor.is_sign_negative());
    let Some(mut valor) = exact else {
        query.refuse("valor", "valor deve ser o total exato da nota, com ponto e até duas casas: 1234.50.".to_owned());
        return None;
    };
    valor.rescale(2);
    Some(valor.to_string())
}

const NOT_REGISTERED: &str = "Não há operação com esta referencia_externa nesta conta: ela não foi registrada.";

/// A credential of homologação does not see production.
const NOT_IN_TRIAL: &str = "Não há operação de homologação com esta referencia_externa nesta conta. Se ela foi usada em produção, só uma \
     chave ou sessão de produção a encontra.";

async fn by_reference(app: &App, sight: Visibility, referencia: &str) -> Result<LocatedJobsView, ApiError> {
    match app.store().job_by_reference(sight, referencia).await {
        Ok(found) => Ok(LocatedJobsView {
            encontrado: true,
            jobs: vec![JobFacts::read(app.store(), found).await?.view()],
            pagina: Maybe(None),
            limite: Maybe(None),
            ha_mais: Maybe(None),
            de: Maybe(None),
            ate: Maybe(None),
            avisos: Vec::new(),
        }),
        Err(store::Error::NotFound) => Err(match app.engine().restored() {
            Some(restored) => uncertain::reference(restored).at("ref"),
            None if sight.is_visible(TpAmb::Producao) => no_results(NOT_REGISTERED),
            None => no_results(NOT_IN_TRIAL),
        }),
        Err(other) => Err(other.into()),
    }
}

async fn by_sale(app: &App, sight: Visibility, sale: SaleFilter) -> Result<LocatedJobsView, ApiError> {
    let time = CivilTime::of_issuer(app.store(), sight.tenant(), sale.emitente).await?;
    let days = sale.dates.bounded(time, app.now())?;
    let SaleFilter { emitente, destinatario, valor, page, .. } = sale;
    let search = JobSearch { emitente, destinatario, valor, periodo: days.periodo };
    // one more than is shown, which reveals a further page
    let window = ListWindow { limit: page.limite + 1, skip: page.skip() };
    let mut found: Vec<Job> = app.store().find_jobs(sight, search, window).await?;
    let more = found.len() > page.limite;
    found.truncate(page.limite);
    if let Some(restored) = app.engine().restored().filter(|_| found.is_empty()) {
        return Err(uncertain::nothing_found(restored));
    }
    if found.is_empty() {
        let detail = format!("Não há operação com estes atributos registrada de {} a {}.", days.de, days.ate);
        return Err(no_results(&detail));
    }
    Ok(LocatedJobsView {
        encontrado: true,
        jobs: job::listed(app.store(), sight.tenant(), found).await?,
        pagina: Maybe(Some(page.pagina)),
        limite: Maybe(Some(page.limite)),
        ha_mais: Maybe(Some(more)),
        de: Maybe(Some(days.de)),
        ate: Maybe(Some(days.ate)),
        avisos: Vec::new(),
    })
}

fn no_results(detail: &str) -> ApiError {
    ApiError::new(&error_code::NAO_ENCONTRADO, detail).with_member("encontrado", Value::Bool(false))
}
