//! `POST /v1/{nfe|nfce|cte|nfse|nfse/govdigital}/emitir`: accepts a document, or replays the first answer of its
//! reference.
//!
//! Law: `docs/contract.md`, "Emission".

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use engine::acceptance::backlog::BacklogFull;
use engine::acceptance::issue::{AcceptedOrder, IssueError};
use engine::order::emission::IssueRequest;
use engine::process::work_pool::is_big;
use fiscal::finding::{Notice, Violation, shortened};
use fiscal::value::TpAmb;
use http::{StatusCode, header};
use outbound::AddressPolicy;
use serde_json::{Map, Value, json};
use store::accounts::Caller;
use store::jobs::{Job, RegistrationResult};

use super::document_type::DocumentType;
use super::wrapper;
use crate::api::body::{BodyFields, UnparsedJson};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;
use crate::api::job::view::AcceptedView;
use crate::api::job::{self, JobFacts};
use crate::api::query::Query;
use crate::api::uncertain;
use crate::api::unknown_members::{UNKNOWN, unknown_members};
use crate::app::App;

/// `POST /v1/nfe/emitir`, also of `nfce`, `cte`, `nfse` and `nfse/govdigital`
pub(crate) async fn emitir<F: DocumentType>(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
    body: UnparsedJson,
) -> Result<Response, ApiError> {
    let RegisteredEmission { issued, remarks } = match body.is_small() {
        true => register::<F>(&app, &caller, query.as_deref(), body.object()?).await?,
        false => register_large::<F>(&app, &caller, query, body).await?,
    };
    answer(&app, caller.ambiente, issued, remarks).await
}

/// A registered emission, new or replayed.
pub(crate) struct RegisteredEmission {
    pub(crate) issued: AcceptedOrder,
    /// Notices about the wrapper.
    pub(crate) remarks: Vec<Notice>,
}

/// Reads the request and registers its job.
pub(crate) async fn register<F: DocumentType>(
    app: &App,
    caller: &Caller,
    query: Option<&str>,
    body: Map<String, Value>,
) -> Result<RegisteredEmission, ApiError> {
    let big = is_big(&body);
    let case = read_and_issue::<F>(app.clone(), caller.clone(), query.map(str::to_owned), body);
    app.dispatch_use_case(caller.tenant_id, big, case).await?
}

/// Registers a large body: parsing and building run through `engine::heavy`, so that they do not delay other requests.
async fn register_large<F: DocumentType>(
    app: &App,
    caller: &Caller,
    query: Option<String>,
    body: UnparsedJson,
) -> Result<RegisteredEmission, ApiError> {
    let (inside, issuing) = (app.clone(), caller.clone());
    let case = async move { read_and_issue::<F>(inside, issuing, query, body.object()?).await };
    app.dispatch_use_case(caller.tenant_id, true, case).await?
}

async fn read_and_issue<F: DocumentType>(
    app: App,
    caller: Caller,
    query: Option<String>,
    body: Map<String, Value>,
) -> Result<RegisteredEmission, ApiError> {
    let EmissionQuery { estrito, referencia_nova, avisos } = EmissionQuery::read(query.as_deref())?;
    let EmissionBody { mut issue, mut remarks } = read::<F>(body, estrito, app.reach())?;
    issue.referencia_nova = referencia_nova;
    remarks.splice(0..0, avisos);
    let issued = app.engine().issue(&caller, issue).await.map_err(refusal::<F>)?;
    Ok(RegisteredEmission { issued, remarks })
}

/// A read and checked request.
pub(in crate::api) struct EmissionBody {
    pub(in crate::api) issue: IssueRequest,
    /// Notices about the wrapper, which the engine does not see.
    pub(in crate::api) remarks: Vec<Notice>,
}

/// Reads the wrapper.
pub(in crate::api) fn read<F: DocumentType>(
    mut body: Map<String, Value>,
    estrito: bool,
    reach: &AddressPolicy,
) -> Result<EmissionBody, ApiError> {
    let remarks = unknown_members(&body, WRAPPER);
    let mut fields = BodyFields::of(&body);
    let company = wrapper::company(&mut fields);
    fields.required_object("nota", "Informe nota, o conteúdo do documento.");
    let referencia = wrapper::reference(&mut fields);
    let webhook_url = wrapper::webhook(&mut fields, reach);
    if estrito {
        let refused =
            remarks.iter().map(|remark| FieldProblem::of_notice(&error_code::DOCUMENTO_INVALIDO, UNKNOWN, remark));
        refused.for_each(|problem| fields.push(problem));
    }
    fields.finish()?;
    let (Some(cpf_cnpj), Some(nota)) = (company, body.remove("nota")) else { return Err(ApiError::internal()) };
    let modelo = F::modelo(&nota);
    let issue = IssueRequest { cpf_cnpj, nota, modelo, referencia, webhook_url, estrito, referencia_nova: false };
    Ok(EmissionBody { issue, remarks })
}

/// Query parameters of an emission.
struct EmissionQuery {
    estrito: bool,
    /// True when the caller vouches that a reference absent from a restored database is new.
    referencia_nova: bool,
    /// Notices of parameters without effect.
    avisos: Vec<Notice>,
}

impl EmissionQuery {
    fn read(query: Option<&str>) -> Result<EmissionQuery, ApiError> {
        let mut query = Query::new(query);
        let estrito = query.estrito();
        let referencia_nova = query.flag("referencia_nova").unwrap_or(false);
        query.finish().map(|avisos| EmissionQuery { estrito, referencia_nova, avisos })
    }
}

/// Maps a refusal of the use case to an answer.
pub(in crate::api) fn refusal<F: DocumentType>(error: IssueError) -> ApiError {
    match error {
        IssueError::UnknownCompany => {
            let detail = "A empresa de cpf_cnpj não está cadastrada nesta conta. Cadastre-a com POST /v1/empresas.";
            ApiError::new(&error_code::NAO_ENCONTRADO, detail).at("cpf_cnpj")
        }
        IssueError::NotConfigured => {
            let (nome, tipo) = (F::TIPO.name(), F::TIPO);
            let detail = format!(
                "A empresa não tem configuração para {nome}. Configure-a com PUT /v1/empresas/{{cpf_cnpj}}/{tipo}."
            );
            ApiError::new(&error_code::EMPRESA_SEM_CONFIGURACAO, detail).at("cpf_cnpj")
        }
        IssueError::NoCsc(detail) | IssueError::NoProvider(detail) => {
            ApiError::new(&error_code::EMPRESA_SEM_CONFIGURACAO, detail).at("cpf_cnpj")
        }
        IssueError::Invalid(violations) => ApiError::from_problems(violations.into_iter().map(problem).collect()),
        IssueError::InvalidWithNotices(violations, notices) => {
            let error = ApiError::from_problems(violations.into_iter().map(problem).collect());
            if notices.is_empty() { error } else { error.with_member("avisos", json!(notices)) }
        }
        IssueError::QueueFull(full) => queue_full(full),
        IssueError::TooManyPrepared { most, wait_s } => too_many_prepared(most, wait_s),
        IssueError::UncertainReference(restored) => uncertain::reference(restored).at("referencia_externa"),
        IssueError::Store(error) => error.into(),
    }
}

/// Refusal above the bound of open preparations, which are for a person to read and decide.
pub(in crate::api) fn too_many_prepared(most: u32, wait_s: i64) -> ApiError {
    let detail = format!(
        "Esta chave já tem {most} emissões preparadas que ninguém confirmou nem recusou. Nada foi preparado: decida as abertas no \
         painel, ou espere {wait_s} segundos."
    );
    ApiError::new(&error_code::PREPARACOES_EXCEDIDAS, detail).with_header(header::RETRY_AFTER, &wait_s.to_string())
}

/// Refusal of a document that would only lengthen a full queue.
fn queue_full(full: BacklogFull) -> ApiError {
    let whose = match full {
        BacklogFull::Tenant => "desta conta",
        BacklogFull::All => "do serviço",
    };
    let detail = format!(
        "A fila {whose} está cheia: há documentos demais à espera de processamento. Nada foi registrado e nenhuma cota foi usada; \
         repita em {RETRY_S} segundos com a mesma referencia_externa."
    );
    ApiError::new(&error_code::FILA_CHEIA, detail).with_header(header::RETRY_AFTER, &RETRY_S.to_string())
}

const RETRY_S: u32 = 30;

fn problem(violation: Violation) -> FieldProblem {
    FieldProblem {
        campo: violation.campo,
        code: &error_code::DOCUMENTO_INVALIDO,
        codigo: violation.codigo,
        mensagem: violation.mensagem,
        sugestao: violation.sugestao,
    }
}

/// 202 with the new job, or 200 with the current state of the first one.
pub(in crate::api) async fn answer(
    app: &App,
    key: TpAmb,
    issued: AcceptedOrder,
    remarks: Vec<Notice>,
) -> Result<Response, ApiError> {
    match issued.registered {
        RegistrationResult::New(job) => Ok((StatusCode::ACCEPTED, Json(accepted(&job, remarks))).into_response()),
        RegistrationResult::Replay { job, divergent } => {
            let first = job.ambiente;
            let facts = JobFacts::read(app.store(), job).await?;
            let mut view = facts.replayed(key, divergent);
            if facts.would_go_to(key) != first {
                view.operation.avisos.push(other_environment(first));
            }
            Ok(Json(view).into_response())
        }
    }
}

fn accepted(job: &Job, remarks: Vec<Notice>) -> AcceptedView {
    let avisos = shortened(job.notices.iter().cloned().chain(remarks).collect());
    AcceptedView { avisos, ..job::accepted(job, ACCEPTED) }
}

/// Message of the 202.
const ACCEPTED: &str = "Nota aceita para processamento. Isto não é a autorização: acompanhe por consulta ou webhook.";

fn other_environment(first: TpAmb) -> Notice {
    let codigo = "referencia_em_outro_ambiente";
    Notice {
        campo: "referencia_externa".to_owned(),
        codigo: codigo.to_owned(),
        mensagem: format!(
            "Esta referencia_externa já foi usada em {}; a resposta é a daquela operação. Use uma referência nova para emitir de novo.",
            first.word()
        ),
        sugestao: None,
        codigo_status: None,
    }
}

const WRAPPER: &[&str] = &["cpf_cnpj", "nota", "webhook_url", "referencia_externa"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estrito_is_true_false_or_refused() {
        assert!(EmissionQuery::read(Some("referencia_nova=1&estrito=true")).unwrap().estrito);
        assert!(!EmissionQuery::read(None).unwrap().estrito);
        assert!(EmissionQuery::read(Some("estrito=talvez")).is_err());
    }

    #[test]
    fn a_misspelled_estrito_is_told() {
        let read = EmissionQuery::read(Some("estrit=true")).unwrap();
        assert_eq!(read.avisos[0].sugestao.as_deref(), Some("estrito"));
        assert!(!read.estrito);
    }
}
