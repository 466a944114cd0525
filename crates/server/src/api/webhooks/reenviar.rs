//! `POST /v1/webhooks/entregas/{id}/reenviar`, and `POST /v1/webhooks/entregas/reenviar` for the lost ones: a new
//! series of attempts, with the same event id and body.

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
use crate::api::view::view;
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

view! {
    pub(crate) struct ResentView = "EntregasReenviadas": "Quantas entregas perdidas voltam a ser tentadas." {
        sucesso: bool = "`true`.",
        reenviadas: u64 = "As que voltam agora, as mais novas; até 100 por chamada.",
        restam: u64 = "As que continuam perdidas; chame de novo por elas.",
    }
}

/// `POST /v1/webhooks/entregas/reenviar`
pub(crate) async fn reenviar_perdidas(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
) -> Result<Json<ResentView>, ApiError> {
    let (reenviadas, restam) = app.engine().resend_lost(Visibility::of(&caller), &actor).await?;
    Ok(Json(ResentView { sucesso: true, reenviadas, restam }))
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
