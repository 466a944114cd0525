//! `POST /v1/auth/login`: exchanges e-mail and password for a token.

use axum::Json;
use axum::extract::State;
use fiscal::value::TpAmb;
use serde_json::{Map, Value};
use store::audit::ActorKind;
use store::logins::FailureTarget;
use store::second_factor::FactorProof;
use store::sessions::{NewSession, SessionCaller, SessionKind, SessionOpening};
use store::users::User;
use zeroize::Zeroizing;

use super::factor_attempts::{factor_proof, refused_code};
use super::password_attempts::AdmittedAttempt;
use super::token::{self, SessionView};
use crate::api::body::{BodyFields, JsonObject};
use crate::api::error::{ApiError, BEARER_CHALLENGE};
use crate::api::error_code;
use crate::api::origin::RequestOrigin;
use crate::app::App;
use crate::second_factor;

/// `POST /v1/auth/login`
pub(crate) async fn login(
    State(app): State<App>,
    origin: RequestOrigin,
    JsonObject(body): JsonObject,
) -> Result<Json<SessionView>, ApiError> {
    let LoginCredentials { email, senha, ambiente, codigo } = LoginCredentials::read(&body)?;
    let wish = SessionWish { ambiente, kind: SessionKind::Api, lasts_s: token::LIFETIME_S };
    let now = app.now();
    match log_in(&app, LoginRequest { email, senha, codigo, wish }, origin, now).await? {
        LoginOutcome::Entered(session, user) => token::answer(&app, &session, &user, now),
        LoginOutcome::CodeNeeded(_) => {
            let detail = "A senha confere, e este usuário entra também com um código. Repita com codigo: o do \
                          aplicativo autenticador, ou um código de recuperação.";
            Err(ApiError::new(&error_code::SEGUNDO_FATOR_EXIGIDO, detail).challenged(BEARER_CHALLENGE))
        }
    }
}

/// The session that a login asks for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SessionWish {
    pub(crate) ambiente: Option<TpAmb>,
    pub(crate) kind: SessionKind,
    pub(crate) lasts_s: i64,
}

/// A login request, of the API or of the panel.
pub(crate) struct LoginRequest {
    pub(crate) email: String,
    pub(crate) senha: Zeroizing<String>,
    /// Code of the second factor.
    pub(crate) codigo: Option<Zeroizing<String>>,
    pub(crate) wish: SessionWish,
}

/// Result of a login with the right password.
pub(crate) enum LoginOutcome {
    Entered(SessionCaller, User),
    /// The user has a second factor, and no code was given. Nothing is open yet.
    CodeNeeded(User),
}

/// Opens a session when the password is right, and the code where the user has a second factor. Attempts of the API
/// and of the panel share the counts.
pub(crate) async fn log_in(
    app: &App,
    entry: LoginRequest,
    origin: RequestOrigin,
    now: i64,
) -> Result<LoginOutcome, ApiError> {
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
    open(app, &attempt, user, entry.codigo, entry.wish, origin, now).await
}

/// Completes a login whose password was right before, with the code of the second factor.
pub(crate) async fn complete_login(
    app: &App,
    user: User,
    codigo: Zeroizing<String>,
    wish: SessionWish,
    origin: RequestOrigin,
    now: i64,
) -> Result<LoginOutcome, ApiError> {
    let attempt = AdmittedAttempt::begin_attempt(app, &user.email, origin.clone()).await?;
    open(app, &attempt, user, Some(codigo), wish, origin, now).await
}

/// Opens the session of a right password. A right password alone does not clear the failures: it must not give a thief
/// fresh guesses at the code.
async fn open(
    app: &App,
    attempt: &AdmittedAttempt,
    user: User,
    codigo: Option<Zeroizing<String>>,
    wish: SessionWish,
    origin: RequestOrigin,
    now: i64,
) -> Result<LoginOutcome, ApiError> {
    let target = FailureTarget { tenant_id: user.tenant_id, user_id: user.id };
    let factor = app.store().second_factor(user.tenant_id, user.id, app.engine().now_s()).await?;
    let factor = match (factor.filter(|factor| factor.confirmado_em.is_some()), codigo) {
        (None, _) | (Some(_), None) => FactorProof::Absent,
        (Some(factor), Some(codigo)) => factor_proof(app, attempt, &factor, target, &codigo).await?,
    };
    let new = NewSession {
        tenant_id: user.tenant_id,
        user_id: user.id,
        senha_hash: user.senha_hash.clone(),
        ambiente: wish.ambiente,
        kind: wish.kind,
        expira_em: now + wish.lasts_s,
        guard: attempt.guard(),
        attempt_id: attempt.id(),
        factor,
        navegador: origin.agent.clone(),
    };
    match app.store().open_session(new, &origin.actor(ActorKind::User(user.id), TpAmb::Homologacao), now).await? {
        SessionOpening::Session(session) => Ok(LoginOutcome::Entered(session, user)),
        SessionOpening::FactorMissing => {
            attempt.release(app).await?;
            Ok(LoginOutcome::CodeNeeded(user))
        }
        SessionOpening::FactorRefused => Err(refused_code(app, attempt, target).await?),
        SessionOpening::Stale => Err(attempt.record_wrong_password(app, Some(target)).await?),
        SessionOpening::NoActiveKey => Err(no_key(wish.ambiente)),
    }
}

/// Refusal of a session that no active key can carry.
pub(crate) fn no_key(ambiente: Option<TpAmb>) -> ApiError {
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
    codigo: Option<Zeroizing<String>>,
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
        let codigo = codigo(&mut fields);
        fields.finish()?;
        match (email, senha) {
            (Some(email), Some(senha)) => Ok(LoginCredentials { email, senha, ambiente, codigo }),
            _ => Err(ApiError::internal()),
        }
    }
}

/// The code of the second factor, if one is given.
fn codigo(fields: &mut BodyFields<'_>) -> Option<Zeroizing<String>> {
    let (_, given) = fields.value(&["codigo"])?;
    match given.as_str().filter(|given| given.len() <= second_factor::LONGEST_CODE) {
        Some("") => None,
        Some(given) => Some(Zeroizing::new(given.to_owned())),
        None => {
            let mensagem =
                "codigo é um texto: os seis dígitos do aplicativo autenticador, ou um código de recuperação.";
            fields.refuse(&error_code::REQUISICAO_INVALIDA, "codigo", mensagem);
            None
        }
    }
}

/// RFC 5321 §4.5.3.1.3, less the angle brackets.
pub(crate) const LONGEST_EMAIL: usize = 254;
