//! `POST /v1/jobs/{job_id}/cancelar`: removes a waiting job from the queue for good, if nothing of it was sent.

use axum::Json;
use axum::extract::{Path, State};
use engine::jobs::withdraw::WithdrawError;

use super::{id, unknown};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::job::{JobFacts, view::JobView};
use crate::api::words::status_word;
use crate::app::App;
use store::Visibility;
use store::jobs::Job;
use uuid::Uuid;

/// `POST /v1/jobs/{job_id}/cancelar`
pub(crate) async fn cancelar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(job_id): Path<String>,
) -> Result<Json<JobView>, ApiError> {
    let job = withdraw_job(&app, Visibility::of(&caller), id(&job_id)?).await?;
    Ok(Json(JobFacts::read(app.store(), job).await?.view()))
}

/// Takes a waiting job of the caller out of the queue.
pub(crate) async fn withdraw_job(app: &App, sight: Visibility, id: Uuid) -> Result<Job, ApiError> {
    app.engine().withdraw(sight, id).await.map_err(refusal)
}

fn refusal(error: WithdrawError) -> ApiError {
    let detail = match error {
        WithdrawError::UnknownJob => return unknown(),
        WithdrawError::Store(error) => return error.into(),
        WithdrawError::NotPending(status) => format!(
            "Só um job pending pode ser cancelado; este está {}. Uma nota autorizada se cancela com o evento de cancelamento \
             (POST /v1/nfe/cancelar).",
            status_word(status)
        ),
        WithdrawError::MayHaveLeft => {
            "O documento já pode ter sido enviado à autoridade e só ela pode dizer o resultado. Acompanhe o job; se a nota for \
             autorizada, cancele-a com POST /v1/nfe/cancelar."
                .to_owned()
        }
    };
    ApiError::new(&error_code::ESTADO_INVALIDO, detail)
}
