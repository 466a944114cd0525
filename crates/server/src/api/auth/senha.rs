//! `PUT /v1/auth/senha`: sets a new password. Every session of the user ends; the answer has the token of a new one.

use axum::Json;
use axum::extract::State;
use serde_json::{Map, Value};
use store::logins::FailureTarget;
use store::second_factor::FactorProof;
use store::sessions::{NewSession, SessionKind, SessionOpening};
use zeroize::Zeroizing;

use super::password_attempts::AdmittedAttempt;
use super::token::{self, SessionView};
use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::UserSession;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::origin::RequestOrigin;
use crate::app::App;
use crate::password;

/// `PUT /v1/auth/senha`
pub(crate) async fn alterar(
    State(app): State<App>,
    UserSession { at, actor }: UserSession,
    origin: RequestOrigin,
    JsonObject(body): JsonObject,
) -> Result<Json<SessionView>, ApiError> {
    let (old, fresh) = read(&body)?;
    let tenant = at.caller.tenant_id;
    let mut user = app.store().user(tenant, at.user_id).await?;
    let navegador = origin.agent.clone();
    let attempt = AdmittedAttempt::begin_session_attempt(&app, &user.email, origin).await?;
    if !attempt.verify(&app, old, Some(user.senha_hash.clone())).await? {
        return Err(attempt
            .record_wrong_password(&app, Some(FailureTarget { tenant_id: tenant, user_id: user.id }))
            .await?);
    }
    user.senha_hash = attempt.hash(&app, fresh).await?;
    let now = app.now();
    app.store().change_password(tenant, user.id, user.senha_hash.clone(), &actor, now).await?;
    let new = NewSession {
        tenant_id: tenant,
        user_id: user.id,
        senha_hash: user.senha_hash.clone(),
        ambiente: Some(at.caller.ambiente),
        kind: SessionKind::Api,
        expira_em: now + token::LIFETIME_S,
        guard: attempt.guard(),
        attempt_id: attempt.id(),
        factor: FactorProof::InSession,
        navegador,
    };
    match app.store().open_session(new, &actor, now).await? {
        SessionOpening::Session(session) => token::answer(&app, &session, &user, now),
        SessionOpening::Stale
        | SessionOpening::NoActiveKey
        | SessionOpening::FactorMissing
        | SessionOpening::FactorRefused => Err(ApiError::token_ended(
            "A senha foi trocada e as sessões foram encerradas. Entre de novo com POST /v1/auth/login.",
        )),
    }
}

type PlainPassword = Zeroizing<String>;

fn read(body: &Map<String, Value>) -> Result<(PlainPassword, PlainPassword), ApiError> {
    let mut fields = BodyFields::of(body);
    let old = fields.password("senha_atual", "Informe senha_atual, a senha em uso.");
    let fresh = fields.password("senha_nova", "Informe senha_nova, a senha que passa a valer.");
    if let Some(wrong) = fresh.as_deref().and_then(|fresh| password::length_problem(fresh)) {
        fields.refuse(&error_code::VALIDACAO, "senha_nova", format!("senha_nova: {wrong}."));
    }
    if old.is_some() && old == fresh {
        fields.refuse(&error_code::VALIDACAO, "senha_nova", "senha_nova deve ser diferente de senha_atual.");
    }
    fields.finish()?;
    old.zip(fresh).ok_or_else(ApiError::internal)
}
