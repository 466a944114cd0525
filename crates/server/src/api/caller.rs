//! Authentication: `X-API-Key`, found by its SHA-256, or `Authorization: Bearer` with the token of a session.
//!
//! Law: `docs/contract.md`, "Accounts". In a request with both schemes both must be valid, for one tenant and one
//! environment; the session then acts. Keys and tokens are never logged, stored or repeated in an answer.

use axum::extract::FromRequestParts;
use fiscal::value::TpAmb;
use http::request::Parts;
use store::accounts::Caller;
use store::audit::{Actor, ActorKind};
use store::sessions::{SessionCaller, SessionState};

use super::error::{ApiError, AuthScheme};
use super::error_code;
use super::origin::RequestOrigin;
use super::permission;
use super::rate;
use crate::app::App;
use crate::in_flight::BodyOwner;
use crate::key;
use crate::token::TokenError;

/// An authenticated caller, by either scheme.
pub(crate) struct AuthenticatedCaller(pub(crate) Caller);

/// An authenticated caller with its actor, for acts that enter the audit trail.
pub(crate) struct AuditedCaller(pub(crate) Caller, pub(crate) Actor);

/// A user in a session. A key alone is refused with 403: it names no user.
pub(crate) struct UserSession {
    /// Session, its user, and the key it is bound to.
    pub(crate) at: SessionCaller,
    /// Actor for the audit trail.
    pub(crate) actor: Actor,
}

impl FromRequestParts<App> for AuthenticatedCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<AuthenticatedCaller, ApiError> {
        Ok(AuthenticatedCaller(identify(parts, app).await?.caller().clone()))
    }
}

impl FromRequestParts<App> for AuditedCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<AuditedCaller, ApiError> {
        let identity = identify(parts, app).await?;
        let actor = RequestOrigin::of(parts, app).actor(identity.who(), identity.caller().ambiente);
        Ok(AuditedCaller(identity.caller().clone(), actor))
    }
}

impl FromRequestParts<App> for UserSession {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<UserSession, ApiError> {
        match identify(parts, app).await? {
            Identity::Session(at) => {
                let actor = RequestOrigin::of(parts, app).actor(ActorKind::User(at.user_id), at.caller.ambiente);
                Ok(UserSession { at, actor })
            }
            Identity::Key(_) => Err(ApiError::new(
                &error_code::PERMISSAO_NEGADA,
                "Esta rota é de um usuário: entre com POST /v1/auth/login e envie Authorization: Bearer <token>. \
                 Uma chave de API não basta.",
            )),
        }
    }
}

/// Identity proved by the credentials of a request.
enum Identity {
    Key(Caller),
    Session(SessionCaller),
}

impl Identity {
    fn caller(&self) -> &Caller {
        match self {
            Identity::Key(caller) => caller,
            Identity::Session(session) => &session.caller,
        }
    }

    fn caller_mut(&mut self) -> &mut Caller {
        match self {
            Identity::Key(caller) => caller,
            Identity::Session(session) => &mut session.caller,
        }
    }

    fn who(&self) -> ActorKind {
        match self {
            Identity::Key(caller) => ActorKind::ApiKey(caller.api_key_id),
            Identity::Session(session) => ActorKind::User(session.user_id),
        }
    }
}

async fn identify(parts: &mut Parts, app: &App) -> Result<Identity, ApiError> {
    let mut identity = verify_credentials(parts, app).await?;
    let narrowed = permission::narrow(identity.caller(), permission::of_request(parts))?;
    permission::require_company_of_path(parts, app, &narrowed).await?;
    *identity.caller_mut() = narrowed;
    let caller = identity.caller();
    rate::admit(parts, app, caller.api_key_id)?;
    rate::count_in_flight(parts, app, caller.api_key_id)?;
    engine::process::origin::set_author(RequestOrigin::of(parts, app).actor(identity.who(), caller.ambiente));
    // owner of the body that may follow
    parts.extensions.insert(BodyOwner::Tenant(caller.tenant_id));
    Ok(identity)
}

async fn verify_credentials(parts: &Parts, app: &App) -> Result<Identity, ApiError> {
    let (key, token) = (parts.headers.get("x-api-key"), parts.headers.get(http::header::AUTHORIZATION));
    let text = |value: &http::HeaderValue| value.to_str().map_or_else(|_| String::new(), |text| text.trim().to_owned());
    match (key.map(text), token.map(text)) {
        (Some(key), None) => by_key(&key, app).await.map(Identity::Key),
        (None, Some(token)) => by_token(&token, app).await.map(Identity::Session),
        (Some(key), Some(token)) => {
            let (caller, session) = (by_key(&key, app).await?, by_token(&token, app).await?);
            require_agreement(&caller, &session.caller)?;
            // a session with a key is held to the key's permission, and to its roles
            let caller = Caller { permissao: caller.permissao, ..session.caller };
            Ok(Identity::Session(SessionCaller { caller, ..session }))
        }
        (None, None) => Err(ApiError::unauthenticated(
            "Envie sua chave de API no cabeçalho X-API-Key, ou o token de POST /v1/auth/login em Authorization: Bearer.",
        )),
    }
}

/// Refuses two credentials of different tenants or environments.
fn require_agreement(key: &Caller, session: &Caller) -> Result<(), ApiError> {
    if key.tenant_id != session.tenant_id {
        return Err(ApiError::unauthenticated(
            "X-API-Key e Authorization são de contas diferentes; envie só um deles.",
        ));
    }
    if key.ambiente != session.ambiente {
        let name = |ambiente: TpAmb| if ambiente == TpAmb::Producao { "produção" } else { "homologação" };
        let detail = format!(
            "A chave é de {} e a sessão é de {}; envie só uma das credenciais.",
            name(key.ambiente),
            name(session.ambiente)
        );
        return Err(ApiError::new(&error_code::AMBIENTE_INCORRETO, detail));
    }
    Ok(())
}

async fn by_key(given: &str, app: &App) -> Result<Caller, ApiError> {
    if !key::is_well_formed(given) {
        return Err(ApiError::unauthenticated(UNKNOWN_KEY));
    }
    match app.store().caller(&key::hash(given), app.engine().now_s()).await {
        Ok(caller) => {
            app.record_key_use(&caller);
            Ok(caller)
        }
        Err(store::Error::NotFound) => Err(ApiError::unauthenticated(UNKNOWN_KEY)),
        Err(store::Error::Conflict(_)) => Err(ApiError::revoked(AuthScheme::ApiKey)),
        Err(other) => Err(other.into()),
    }
}

async fn by_token(given: &str, app: &App) -> Result<SessionCaller, ApiError> {
    let token = match given.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
        _ => return Err(ApiError::unauthenticated("O cabeçalho Authorization deve ser: Bearer <token>.")),
    };
    if key::is_well_formed(token) {
        return Err(ApiError::unauthenticated("Uma chave de API vai no cabeçalho X-API-Key, não em Authorization."));
    }
    let now = app.now();
    let claims = app.tokens().read(token, now).map_err(|refused| match refused {
        TokenError::Invalid => {
            ApiError::bad_token("O token não foi reconhecido. Entre de novo com POST /v1/auth/login.")
        }
        TokenError::Expired => ApiError::token_ended("O token expirou. Entre de novo com POST /v1/auth/login."),
    })?;
    match app.store().session(claims.tenant_id, claims.session_id, now).await? {
        SessionState::Active(session) => Ok(session),
        SessionState::Ended => Err(ApiError::token_ended(
            "A sessão deste token foi encerrada (logout, troca de ambiente ou de senha). Entre de novo com POST /v1/auth/login.",
        )),
        SessionState::KeyRevoked => Err(ApiError::revoked(AuthScheme::Bearer)),
    }
}

const UNKNOWN_KEY: &str =
    "A chave de API não foi reconhecida. Confira se ela foi copiada inteira e se é desta instalação.";
