//! `POST /v1/auth/login`: exchanges e-mail and password for a token.

use axum::Json;
use axum::extract::State;
use fiscal::value::TpAmb;
use serde_json::{Map, Value};
use store::audit::ActorKind;
use store::logins::FailureTarget;
use store::sessions::{NewSession, SessionCaller, SessionKind, SessionOpening};
use store::users::User;
use zeroize::Zeroizing;

use super::password_attempts::AdmittedAttempt;
use super::token::{self, SessionView};
use crate::api::body::{BodyFields, JsonObject};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::origin::RequestOrigin;
use crate::app::App;

/// `POST /v1/auth/login`
pub(crate) async fn login(
    State(app): State<App>,
    origin: RequestOrigin,
    JsonObject(body): JsonObject,
) -> Result<Json<SessionView>, ApiError> {
    let LoginCredentials { email, senha, ambiente } = LoginCredentials::read(&body)?;
    let entry = LoginRequest { email, senha, ambiente, session_kind: SessionKind::Api, lasts_s: token::LIFETIME_S };
    let now = app.now();
    let (session, user) = log_in(&app, entry, origin, now).await?;
    token::answer(&app, &session, &user, now)
}

/// A login request, of the API or of the panel.
pub(crate) struct LoginRequest {
    pub(crate) email: String,
    pub(crate) senha: Zeroizing<String>,
    pub(crate) ambiente: Option<TpAmb>,
    pub(crate) session_kind: SessionKind,
    pub(crate) lasts_s: i64,
}

/// Opens a session when the password is right. Attempts of the API and of the panel share the counts.
pub(crate) async fn log_in(
    app: &App,
    entry: LoginRequest,
    origin: RequestOrigin,
    now: i64,
) -> Result<(SessionCaller, User), ApiError> {
    let attempt = AdmittedAttempt::begin_attempt(app, &entry.email, origin.clone()).await?;
    let user = match app.store().user_by_email(&entry.email).await {
        Ok(user) => Some(user),
        Err(store::Error::NotFound) => None,
        Err(other) => return Err(other.into()),
    };
    let hash = user.as_ref().map(|user| user.senha_hash.clone());
    let right = attempt.verify(app, entry.senha, hash).await?;
    let target = user.as_ref().map(|user| FailureTarget { tenant_id: user.tenant_id, user_id: user.id });
    let Some(user) = user.filter(|_| right) else { return Err(attempt.record_wrong_password(app, target).await?) };
    let new = NewSession {
        tenant_id: user.tenant_id,
        user_id: user.id,
        senha_hash: user.senha_hash.clone(),
        ambiente: entry.ambiente,
        kind: entry.session_kind,
        expira_em: now + entry.lasts_s,
        guard: attempt.guard(),
        attempt_id: attempt.id(),
    };
    match app.store().open_session(new, &origin.actor(ActorKind::User(user.id), TpAmb::Homologacao), now).await? {
        SessionOpening::Session(session) => Ok((session, user)),
        SessionOpening::Stale => Err(attempt.record_wrong_password(app, target).await?),
        SessionOpening::NoActiveKey => Err(no_key(entry.ambiente)),
    }
}

fn no_key(ambiente: Option<TpAmb>) -> ApiError {
    match ambiente {
        Some(ambiente) => {
            let detail = format!(
                "A conta não tem chave de API ativa no ambiente {}. Entre no outro ambiente ou peça uma chave ao operador.",
                ambiente.word()
            );
            ApiError::new(&error_code::AMBIENTE_INCORRETO, detail)
        }
        None => {
            let detail = "A conta não tem nenhuma chave de API ativa, e toda sessão fica ligada a uma. \
                          Peça uma ao operador (carimbo conta chave).";
            ApiError::new(&error_code::PERMISSAO_NEGADA, detail)
        }
    }
}

struct LoginCredentials {
    email: String,
    senha: Zeroizing<String>,
    ambiente: Option<TpAmb>,
}

impl LoginCredentials {
    fn read(body: &Map<String, Value>) -> Result<LoginCredentials, ApiError> {
        let mut fields = BodyFields::of(body);
        let email = fields.required_text(&["email"], "Informe email, o e-mail do usuário.").map(str::to_owned);
        let senha = fields.password("senha", "Informe senha, a senha do usuário.");
        let ambiente = fields.ambiente("ambiente");
        if email.as_ref().is_some_and(|email| email.chars().count() > LONGEST_EMAIL) {
            let mensagem = format!("email tem no máximo {LONGEST_EMAIL} caracteres.");
            fields.refuse(&error_code::REQUISICAO_INVALIDA, "email", mensagem);
        }
        fields.finish()?;
        match (email, senha) {
            (Some(email), Some(senha)) => Ok(LoginCredentials { email, senha, ambiente }),
            _ => Err(ApiError::internal()),
        }
    }
}

/// RFC 5321 §4.5.3.1.3, less the angle brackets.
pub(crate) const LONGEST_EMAIL: usize = 254;
