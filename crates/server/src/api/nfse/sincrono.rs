//! The older routes of `/v1/nfse/{cpf_cnpj}`: jobs like those of the newer routes, with their end in the first answer.
//!
//! Law: `docs/contract.md`, "NFS-e": waits up to 60 s for the job and answers it, else its 202.

use std::time::Duration;

use axum::Json;
use axum::extract::{FromRequestParts, Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use engine::acceptance::issue::AcceptedOrder;
use fiscal::finding::Notice;
use fiscal::tipo::RPS;
use http::request::Parts;
use store::Visibility;
use store::accounts::Caller;
use store::jobs::{Job, JobStatus, RegistrationResult};

use super::cancelar;
use crate::api::body::JsonObject;
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::document_type::{MunicipalNfse, NationalNfse};
use crate::api::documento::emitir::{self, RegisteredEmission};
use crate::api::documento::{evento, wrapper};
use crate::api::error::ApiError;
use crate::api::extra_time::ExtraTime;
use crate::api::job::JobFacts;
use crate::app::App;
use crate::in_flight::RequestHolds;

/// `POST /v1/nfse/{cpf_cnpj}/emitir` and `/emitir/json/sync`
pub(crate) async fn emitir(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(cpf_cnpj): Path<String>,
    RawQuery(query): RawQuery,
    patience: WaitBudget,
    JsonObject(mut body): JsonObject,
) -> Result<Response, ApiError> {
    let company = wrapper::company_of_path(&mut body, &cpf_cnpj)?;
    let RegisteredEmission { issued, remarks } = match app.engine().model_of_services(&caller, company).await? {
        RPS => emitir::register::<MunicipalNfse>(&app, &caller, query.as_deref(), body).await?,
        _ => emitir::register::<NationalNfse>(&app, &caller, query.as_deref(), body).await?,
    };
    let AcceptedOrder { registered, ambiente } = issued;
    match patience.await_job(&app, &caller, registered).await? {
        WaitOutcome::Ended(job) => ended_answer(&app, job, remarks).await,
        WaitOutcome::NotYet(registered) => {
            emitir::answer(&app, caller.ambiente, AcceptedOrder { registered, ambiente }, remarks).await
        }
    }
}

/// `POST /v1/nfse/{cpf_cnpj}/cancelar`
pub(crate) async fn cancelar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(cpf_cnpj): Path<String>,
    patience: WaitBudget,
    JsonObject(mut body): JsonObject,
) -> Result<Response, ApiError> {
    wrapper::company_of_path(&mut body, &cpf_cnpj)?;
    let registered = evento::submit_act(&app, &caller, &body, cancelar::ROUTE).await?;
    match patience.await_job(&app, &caller, registered).await? {
        WaitOutcome::Ended(job) => ended_answer(&app, job, Vec::new()).await,
        WaitOutcome::NotYet(registered) => {
            evento::answer(&app, caller.ambiente, registered, cancelar::ROUTE.accepted).await
        }
    }
}

/// Answer of an ended job, with the notices of its 202.
async fn ended_answer(app: &App, job: Job, remarks: Vec<Notice>) -> Result<Response, ApiError> {
    let mut view = JobFacts::read(app.store(), job).await?.view();
    view.operation.avisos.extend(remarks);
    Ok(Json(view).into_response())
}

/// Means of a long wait: time beyond the request's limit, and the release of its body's memory share.
pub(crate) struct WaitBudget {
    more_time: ExtraTime,
    until_answered: RequestHolds,
}

impl FromRequestParts<App> for WaitBudget {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<WaitBudget, ApiError> {
        let more_time = ExtraTime::from_request_parts(parts, app).await?;
        let until_answered = parts.extensions.get::<RequestHolds>().cloned().unwrap_or_default();
        Ok(WaitBudget { more_time, until_answered })
    }
}

enum WaitOutcome {
    /// A job of this request that has ended.
    Ended(Job),
    /// A job that has not ended, or whose reference was used before: answered like the newer route.
    NotYet(RegistrationResult),
}

impl WaitBudget {
    async fn await_job(
        &self,
        app: &App,
        caller: &Caller,
        registered: RegistrationResult,
    ) -> Result<WaitOutcome, ApiError> {
        let wait = Duration::from_secs(app.limits().wait_s);
        self.until_answered.release_body();
        self.more_time.add_time(wait);
        let (RegistrationResult::New(job) | RegistrationResult::Replay { job, .. }) = &registered;
        let found = match app.engine().wait_for_end(Visibility::of(caller), job.id, wait).await {
            Ok(job) => job,
            // a job of a production reference is not visible to this caller; its answer needs no reading
            Err(store::Error::NotFound) => return Ok(WaitOutcome::NotYet(registered)),
            Err(error) => return Err(error.into()),
        };
        Ok(match registered {
            RegistrationResult::New(_) if has_ended(&found) => WaitOutcome::Ended(found),
            RegistrationResult::New(first) => WaitOutcome::NotYet(RegistrationResult::New(first)),
            RegistrationResult::Replay { divergent, .. } => {
                WaitOutcome::NotYet(RegistrationResult::Replay { job: found, divergent })
            }
        })
    }
}

fn has_ended(job: &Job) -> bool {
    !matches!(job.status, JobStatus::Pending | JobStatus::Processing)
}
