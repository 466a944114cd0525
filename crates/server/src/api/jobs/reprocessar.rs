//! `POST /v1/jobs/{job_id}/reprocessar`: retries a failed job, once it is certain that no document can be issued twice.

use axum::Json;
use axum::extract::{Path, State};
use engine::jobs::reprocess::ReprocessError;
use http::StatusCode;

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

/// `POST /v1/jobs/{job_id}/reprocessar`
pub(crate) async fn reprocessar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(job_id): Path<String>,
) -> Result<(StatusCode, Json<JobView>), ApiError> {
    let job = reprocess_job(&app, Visibility::of(&caller), id(&job_id)?).await?;
    Ok((StatusCode::ACCEPTED, Json(JobFacts::read(app.store(), job).await?.view())))
}

/// Requeues a failed job of the caller.
pub(crate) async fn reprocess_job(app: &App, sight: Visibility, id: Uuid) -> Result<Job, ApiError> {
    app.engine().reprocess(sight, id).await.map_err(refusal)
}

fn refusal(error: ReprocessError) -> ApiError {
    let detail = match error {
        ReprocessError::UnknownJob => return unknown(),
        ReprocessError::Store(error) => return error.into(),
        ReprocessError::NotFailed(status) => format!(
            "Só um job failed pode ser reprocessado; este está {}. Uma rejeição se resolve com uma emissão corrigida e \
             referencia_externa nova.",
            status_word(status)
        ),
        ReprocessError::OtherContent { chave } => format!(
            "A autoridade tem outro conteúdo sob a chave {chave}: este documento nunca será autorizado com ela. Consulte a chave \
             no portal da autoridade; para emitir a mesma venda, use uma referencia_externa nova."
        ),
        ReprocessError::InDoubt(why) => format!(
            "O documento já pode ter sido enviado e ainda não se sabe o que a autoridade fez com ele ({why}). Nada foi reenviado; \
             tente de novo em alguns minutos."
        ),
    };
    ApiError::new(&error_code::ESTADO_INVALIDO, detail)
}
