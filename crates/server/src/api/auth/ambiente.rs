//! `POST /v1/auth/ambiente`: moves the session to the other environment and revokes its former token.

use axum::Json;
use axum::extract::State;
use fiscal::value::TpAmb;
use serde_json::{Map, Value};

use super::token::{self, SessionView};
use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::UserSession;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::app::App;

/// `POST /v1/auth/ambiente`
pub(crate) async fn trocar(
    State(app): State<App>,
    UserSession { at, actor }: UserSession,
    JsonObject(body): JsonObject,
) -> Result<Json<SessionView>, ApiError> {
    let ambiente = read(&body)?;
    let now = app.now();
    let switched = app.store().switch_session(&at, ambiente, now + token::LIFETIME_S, &actor, now).await;
    let session = switched.map_err(|error| refusal(error, ambiente))?;
    let user = app.store().user(session.caller.tenant_id, session.user_id).await?;
    token::answer(&app, &session, &user, now)
}

fn read(body: &Map<String, Value>) -> Result<TpAmb, ApiError> {
    let mut fields = BodyFields::of(body);
    if fields.value(&["ambiente"]).is_none() {
        fields.refuse(&error_code::CAMPO_OBRIGATORIO, "ambiente", "Informe ambiente: producao ou homologacao.");
    }
    let ambiente = fields.ambiente("ambiente");
    fields.finish()?;
    ambiente.ok_or_else(|| ApiError::new(&error_code::CAMPO_OBRIGATORIO, "Informe ambiente: producao ou homologacao."))
}

fn refusal(error: store::Error, ambiente: TpAmb) -> ApiError {
    match error {
        store::Error::Conflict("sem chave ativa") => {
            let detail = format!(
                "A conta não tem chave de API ativa no ambiente {}. Crie uma com POST /v1/auth/api-keys e troque depois.",
                ambiente.word()
            );
            ApiError::new(&error_code::AMBIENTE_INCORRETO, detail)
        }
        store::Error::Conflict(_) => {
            ApiError::token_ended("Esta sessão acabou de ser encerrada. Entre de novo com POST /v1/auth/login.")
        }
        other => other.into(),
    }
}
