//! `GET|POST /v1/webhooks/segredo`: the secret of the credential's environment, shown or rotated.

use axum::Json;
use axum::extract::State;
use engine::webhooks::{DEFAULT_GRACE_H, LONGEST_GRACE_H};
use fiscal::value::TpAmb;
use serde_json::{Map, Value};
use store::accounts::Caller;
use store::audit::Actor;
use store::webhooks::OpenedSecret;
use zeroize::Zeroizing;

use crate::api::body::{BodyFields, OptionalJsonObject};
use crate::api::caller::{AuditedCaller, AuthenticatedCaller};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::instant::{CivilTime, Moment};
use crate::api::schema::Type;
use crate::api::view::view;
use crate::api::words::Word;
use crate::app::App;

const SEGREDO: Type = Type::Form("^whsec_[A-Za-z0-9+/]{43}=$");

view! {
    pub(crate) struct SecretView = "SegredoDeWebhook": "O que assina as notificações de um ambiente." {
        sucesso: bool = "`true`.",
        ambiente: Word<TpAmb> = "O da credencial; assina as notificações de documentos deste ambiente.",
        segredo: Zeroizing<String> as SEGREDO = "`whsec_` e 32 bytes em base64.",
        criado_em: Moment = "Desde quando.",
        anteriores: Vec<FormerSecretView> = "Os que ainda assinam.",
    }
}

view! {
    pub(crate) struct FormerSecretView = "SegredoAnterior": "Um segredo trocado, na carência." {
        criado_em: Moment = "Quando foi criado.",
        valido_ate: Moment = "Até quando assina.",
    }
}

/// `GET /v1/webhooks/segredo`
pub(crate) async fn mostrar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
) -> Result<Json<SecretView>, ApiError> {
    let secrets = app.engine().webhook_secrets(caller.tenant_id, caller.ambiente).await?;
    shown(caller.ambiente, &secrets)
}

/// `POST /v1/webhooks/segredo {carencia_horas?}`
pub(crate) async fn trocar(
    State(app): State<App>,
    AuditedCaller(caller, actor): AuditedCaller,
    OptionalJsonObject(body): OptionalJsonObject,
) -> Result<Json<SecretView>, ApiError> {
    let secrets = rotate(&app, &caller, actor, &body).await?;
    shown(caller.ambiente, &secrets)
}

/// Puts a new secret in use in the caller's environment; the one in use comes first.
pub(crate) async fn rotate(
    app: &App,
    caller: &Caller,
    actor: Actor,
    body: &Map<String, Value>,
) -> Result<Vec<OpenedSecret>, ApiError> {
    let grace_h = grace(body)?;
    Ok(app.engine().rotate_webhook_secret(caller.tenant_id, caller.ambiente, grace_h, actor).await?)
}

fn grace(body: &Map<String, Value>) -> Result<u16, ApiError> {
    let mut fields = BodyFields::of(body);
    let asked = fields.integer("carencia_horas").unwrap_or(u64::from(DEFAULT_GRACE_H));
    let grace_h = u16::try_from(asked).ok().filter(|hours| *hours <= LONGEST_GRACE_H);
    if grace_h.is_none() {
        let mensagem = format!("carencia_horas vai de 0 (o segredo anterior deixa de valer já) a {LONGEST_GRACE_H}.");
        fields.refuse(&error_code::VALIDACAO, "carencia_horas", mensagem);
    }
    fields.finish().map(|()| grace_h.unwrap_or(DEFAULT_GRACE_H))
}

fn shown(ambiente: TpAmb, secrets: &[OpenedSecret]) -> Result<Json<SecretView>, ApiError> {
    let Some((in_use, before)) = secrets.split_first() else { return Err(ApiError::internal()) };
    let time = CivilTime::of(None);
    let former = |secret: &OpenedSecret| {
        Some(FormerSecretView { criado_em: time.at(secret.criado_em), valido_ate: time.at(secret.vale_ate?) })
    };
    Ok(Json(SecretView {
        sucesso: true,
        ambiente: Word(ambiente),
        segredo: Zeroizing::new(in_use.text.expose().to_owned()),
        criado_em: time.at(in_use.criado_em),
        anteriores: before.iter().filter_map(former).collect(),
    }))
}
