//! `POST /v1/emails/{id}/reenviar`: a new series of attempts, with the same `Message-ID`.

use axum::Json;
use axum::extract::{Path, State};
use http::StatusCode;
use store::accounts::Caller;
use store::audit::Actor;

use super::ver::{MailView, mail};
use super::{find, refusal, require_server};
use crate::api::caller::AuditedCaller;
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /v1/emails/{id}/reenviar`
pub(crate) async fn reenviar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<MailView>), ApiError> {
    resend_mail(&app, &caller, &id, None, &actor).await?;
    let (record, _) = find(&app, &caller, &id).await?;
    Ok((StatusCode::ACCEPTED, Json(mail(record))))
}

/// Begins a new series of attempts, to another address if one is given.
pub(crate) async fn resend_mail(
    app: &App,
    caller: &Caller,
    id: &str,
    para: Option<String>,
    actor: &Actor,
) -> Result<(), ApiError> {
    let (record, _) = find(app, caller, id).await?;
    require_server(app)?;
    let now = app.engine().now_s();
    app.store().resend_mail(caller.tenant_id, caller.ambiente, record.id, para, actor, now).await.map_err(refusal)
}
