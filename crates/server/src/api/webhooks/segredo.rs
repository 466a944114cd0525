//! `GET|POST /v1/webhooks/segredo`: the secret of the credential's environment, shown or rotated.

use axum::Json;
use axum::extract::State;
use engine::webhooks::{DEFAULT_GRACE_H, LONGEST_GRACE_H};
use fiscal::value::TpAmb;
use serde_json::{Map, Value, json};
use store::webhooks::OpenSecret;

use crate::api::body::{Fields, PerhapsJsonObject};
use crate::api::caller::{Acting, Authenticated};
use crate::api::code;
use crate::api::error::ApiError;
use crate::api::instant::StateTime;
use crate::app::App;

/// `GET /v1/webhooks/segredo`
pub(crate) async fn mostrar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
) -> Result<Json<Value>, ApiError> {
    let secrets = app.engine().webhook_secrets(caller.tenant_id, caller.ambiente).await?;
    Ok(Json(view(caller.ambiente, &secrets)))
}

/// `POST /v1/webhooks/segredo {carencia_horas?}`
pub(crate) async fn trocar(
    State(app): State<App>,
    Acting(caller, actor): Acting,
    PerhapsJsonObject(body): PerhapsJsonObject,
) -> Result<Json<Value>, ApiError> {
    let grace_h = grace(&body)?;
    let secrets = app.engine().rotate_webhook_secret(caller.tenant_id, caller.ambiente, grace_h, actor).await?;
    Ok(Json(view(caller.ambiente, &secrets)))
}

fn grace(body: &Map<String, Value>) -> Result<u16, ApiError> {
    let mut fields = Fields::of(body);
    let asked = fields.integer("carencia_horas").unwrap_or(u64::from(DEFAULT_GRACE_H));
    let grace_h = u16::try_from(asked).ok().filter(|hours| *hours <= LONGEST_GRACE_H);
    if grace_h.is_none() {
        let mensagem = format!("carencia_horas vai de 0 (o segredo anterior deixa de valer já) a {LONGEST_GRACE_H}.");
        fields.refuse(&code::VALIDACAO, "carencia_horas", mensagem);
    }
    fields.finish().map(|()| grace_h.unwrap_or(DEFAULT_GRACE_H))
}

fn view(ambiente: TpAmb, secrets: &[OpenSecret]) -> Value {
    let time = StateTime::of(None);
    let (in_use, before) = secrets.split_at(secrets.len().min(1));
    let anteriores: Vec<Value> = before
        .iter()
        .map(|secret| json!({ "criado_em": time.json(secret.criado_em), "valido_ate": time.json_or_null(secret.vale_ate) }))
        .collect();
    json!({
        "sucesso": true,
        "ambiente": ambiente.word(),
        "segredo": in_use.first().map(|secret| secret.text.expose()),
        "criado_em": time.json_or_null(in_use.first().map(|secret| secret.criado_em)),
        "anteriores": anteriores,
    })
}
