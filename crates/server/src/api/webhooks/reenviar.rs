//! `POST /v1/webhooks/entregas/{id}/reenviar`: a new series of attempts, with the same event id and body.

use axum::Json;
use axum::extract::{Path, State};
use http::StatusCode;
use store::Visibility;
use store::audit::Actor;
use store::webhooks::DeliveryRecord;
use uuid::Uuid;

use super::entregas::{self, DeliveryView};
use crate::api::caller::AuditedCaller;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::app::App;

/// `POST /v1/webhooks/entregas/{id}/reenviar`
pub(crate) async fn reenviar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<DeliveryView>), ApiError> {
    let id = Uuid::parse_str(&id).map_err(|_| unknown())?;
    let record = resend_delivery(&app, Visibility::of(&caller), id, actor).await?;
    Ok((StatusCode::ACCEPTED, Json(entregas::delivery(record))))
}

/// Begins a new series of attempts.
pub(crate) async fn resend_delivery(
    app: &App,
    sight: Visibility,
    id: Uuid,
    actor: Actor,
) -> Result<DeliveryRecord, ApiError> {
    app.engine().resend_delivery(sight, id, actor).await.map_err(refusal)
}

fn unknown() -> ApiError {
    ApiError::not_found("Não há entrega de webhook com este id.")
}

fn refusal(error: store::Error) -> ApiError {
    match error {
        store::Error::NotFound => unknown(),
        store::Error::Conflict(_) => {
            let detail = "A entrega ainda está pendente: o serviço mesmo fará a próxima tentativa. \
                          Só uma entrega com status entregue ou perdida pode ser reenviada.";
            ApiError::new(&error_code::ESTADO_INVALIDO, detail)
        }
        other => other.into(),
    }
}
