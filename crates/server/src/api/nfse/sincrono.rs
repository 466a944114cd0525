//! The older routes of `/v1/nfse/{cpf_cnpj}`: jobs like those of the newer routes, with their end in the first answer.
//!
//! Law: `docs/contract.md`, "NFS-e": waits up to 60 s for the job and answers it, else its 202.

use std::time::Duration;

use axum::Json;
use axum::extract::{FromRequestParts, Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use engine::issue::Issued;
use fiscal::finding::Notice;
use fiscal::tipo::RPS;
use http::request::Parts;
use store::Sight;
use store::accounts::Caller;
use store::jobs::{Job, JobStatus, Registered};

use super::cancelar;
use crate::api::body::JsonObject;
use crate::api::caller::Authenticated;
use crate::api::documento::emitir::{self, Registration};
use crate::api::documento::family::{Municipal, Nfse};
use crate::api::documento::{evento, wrapper};
use crate::api::error::ApiError;
use crate::api::job::JobFacts;
use crate::api::more_time::MoreTime;
use crate::app::App;
use crate::intake::UntilAnswered;

/// `POST /v1/nfse/{cpf_cnpj}/emitir` and `/emitir/json/sync`
pub(crate) async fn emitir(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(cpf_cnpj): Path<String>,
    RawQuery(query): RawQuery,
    patience: Patience,
    JsonObject(mut body): JsonObject,
) -> Result<Response, ApiError> {
    let company = wrapper::company_of_path(&mut body, &cpf_cnpj)?;
    let Registration { issued, remarks } = match app.engine().model_of_services(&caller, company).await? {
        RPS => emitir::register::<Municipal>(&app, &caller, query.as_deref(), body).await?,
        _ => emitir::register::<Nfse>(&app, &caller, query.as_deref(), body).await?,
    };
    let Issued { registered, ambiente } = issued;
    match patience.until_end(&app, &caller, registered).await? {
        Waited::Ended(job) => whole(&app, job, remarks).await,
        Waited::NotYet(registered) => {
            emitir::answer(&app, caller.ambiente, Issued { registered, ambiente }, remarks).await
        }
    }
}

/// `POST /v1/nfse/{cpf_cnpj}/cancelar`
pub(crate) async fn cancelar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(cpf_cnpj): Path<String>,
    patience: Patience,
    JsonObject(mut body): JsonObject,
) -> Result<Response, ApiError> {
    wrapper::company_of_path(&mut body, &cpf_cnpj)?;
    let registered = evento::registered(&app, &caller, &body, cancelar::ROUTE).await?;
    match patience.until_end(&app, &caller, registered).await? {
        Waited::Ended(job) => whole(&app, job, Vec::new()).await,
        Waited::NotYet(registered) => evento::answer(&app, caller.ambiente, registered, cancelar::ROUTE.accepted).await,
    }
}

/// Answer of an ended job, with the notices of its 202.
async fn whole(app: &App, job: Job, remarks: Vec<Notice>) -> Result<Response, ApiError> {
    let mut view = JobFacts::read(app.store(), job).await?.view();
    view.operation.avisos.extend(remarks);
    Ok(Json(view).into_response())
}

/// Means of a long wait: time beyond the request's limit, and the release of its body's memory share.
pub(crate) struct Patience {
    more_time: MoreTime,
    until_answered: UntilAnswered,
}

impl FromRequestParts<App> for Patience {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Patience, ApiError> {
        let more_time = MoreTime::from_request_parts(parts, app).await?;
        let until_answered = parts.extensions.get::<UntilAnswered>().cloned().unwrap_or_default();
        Ok(Patience { more_time, until_answered })
    }
}

enum Waited {
    /// A job of this request that has ended.
    Ended(Job),
    /// A job that has not ended, or whose reference was used before: answered like the newer route.
    NotYet(Registered),
}

impl Patience {
    async fn until_end(&self, app: &App, caller: &Caller, registered: Registered) -> Result<Waited, ApiError> {
        let wait = Duration::from_secs(app.limits().wait_s);
        self.until_answered.let_body_go();
        self.more_time.give(wait);
        let (Registered::New(job) | Registered::Replay { job, .. }) = &registered;
        let found = match app.engine().wait_for_end(Sight::of(caller), job.id, wait).await {
            Ok(job) => job,
            // a job of a production reference is not visible to this caller; its answer needs no reading
            Err(store::Error::NotFound) => return Ok(Waited::NotYet(registered)),
            Err(error) => return Err(error.into()),
        };
        Ok(match registered {
            Registered::New(_) if has_ended(&found) => Waited::Ended(found),
            Registered::New(first) => Waited::NotYet(Registered::New(first)),
            Registered::Replay { divergent, .. } => Waited::NotYet(Registered::Replay { job: found, divergent }),
        })
    }
}

fn has_ended(job: &Job) -> bool {
    !matches!(job.status, JobStatus::Pending | JobStatus::Processing)
}
