//! Sessions of the panel: the cookie, signed by a key of its own, and the proof that a form belongs to its session.
//!
//! Scripts cannot read the cookie (`HttpOnly`), it is not sent with requests started by other sites
//! (`SameSite=Strict`), and it is sent over TLS only (`Secure`, by a `__Host-` name, which no neighbouring host can
//! set), unless the browser is on this machine and the public URL is not https: then it is valid for `/painel`
//! (`Path`). A session lasts an hour and ends after a quarter of an hour without a request.

use axum::response::{IntoResponse, Redirect, Response};
use fiscal::value::CnpjCpf;
use http::request::Parts;
use http::{HeaderValue, header};
use store::Visibility;
use store::accounts::Caller;
use store::audit::Actor;
use store::sessions::{SessionCaller, SessionState};
use store::users::User;
use uuid::Uuid;

use super::origin::is_loopback;
use crate::api::error::ApiError;
use crate::api::permission::{self, RequiredPermission};
use crate::app::App;
use crate::token::Claims;

/// Lifetime of a session, seconds.
pub(super) const LIFETIME_S: i64 = engine::process::clock::SESSION_S;
/// Longest time between two requests of a session, seconds.
pub(super) const REST_S: i64 = 900;
const SESSION: &str = "carimbo_painel";

/// A session of the panel.
pub(crate) struct PanelSession {
    /// The session, with what meets the need of the page's row: its companies, by the roles that meet it.
    pub(super) at: SessionCaller,
    /// The user with every role.
    pub(super) whole: Caller,
    pub(super) user: User,
    /// Actor for the audit trail.
    pub(super) actor: Actor,
    /// Proof that forms of this session send.
    pub(super) proof: String,
}

impl PanelSession {
    /// True when the user meets a need in some company.
    pub(super) fn may(&self, need: RequiredPermission) -> bool {
        permission::require(&self.whole, need).is_ok()
    }

    /// True when the user meets a need in this company.
    pub(super) async fn may_in(&self, app: &App, need: RequiredPermission, company: CnpjCpf) -> Result<bool, ApiError> {
        match permission::narrow(&self.whole, need) {
            Ok(narrowed) => Ok(app.store().reaches(Visibility::of(&narrowed), company).await?),
            Err(_) => Ok(false),
        }
    }
}

/// Active session of the request's cookie.
pub(super) async fn current_session(parts: &Parts, app: &App) -> Result<Option<SessionCaller>, ApiError> {
    let now = app.engine().now_s();
    let claims = cookie(parts, app, SESSION).and_then(|token| app.panel_tokens().read(&token, now).ok());
    let Some(claims) = claims else { return Ok(None) };
    match app.store().panel_session(claims.tenant_id, claims.session_id, REST_S, now).await? {
        SessionState::Active(at) => Ok(Some(at)),
        SessionState::Ended | SessionState::KeyRevoked => Ok(None),
    }
}

/// Proof for the forms of a session: a keyed digest of its id.
pub(super) fn proof(app: &App, session: Uuid) -> Result<String, ApiError> {
    app.panel_tokens().keyed_digest(&format!("sessao {session}")).map_err(|error| ApiError::broken(&error))
}

/// Redirects to the login page, which returns to the requested order.
pub(super) fn redirect_to_login(parts: &Parts) -> Response {
    let id = parts.uri.path().strip_prefix("/painel/confirmar/").and_then(|rest| rest.split('/').next()?.parse().ok());
    let to: Option<Uuid> = id;
    Redirect::to(&to.map_or_else(|| "/painel/entrar".to_owned(), |id| format!("/painel/entrar?confirmar={id}")))
        .into_response()
}

/// `Set-Cookie` of a new session.
pub(super) fn session_cookie(parts: &Parts, app: &App, session: &SessionCaller) -> Result<HeaderValue, ApiError> {
    let now = app.engine().now_s();
    let claims = Claims {
        tenant_id: session.caller.tenant_id,
        user_id: session.user_id,
        session_id: session.session_id,
        ambiente: session.caller.ambiente,
        issued_at: now,
        expires_at: now + LIFETIME_S,
    };
    let token = app.panel_tokens().sign(&claims).map_err(|error| ApiError::broken(&error))?;
    set(parts, app, SESSION, &token, LIFETIME_S)
}

/// `Set-Cookie` that removes the session.
pub(super) fn removal_cookie(parts: &Parts, app: &App) -> Result<HeaderValue, ApiError> {
    set(parts, app, SESSION, "", 0)
}

/// `Set-Cookie` of a cookie with our attributes.
pub(super) fn set(parts: &Parts, app: &App, name: &str, value: &str, lasts_s: i64) -> Result<HeaderValue, ApiError> {
    set_cookie(parts, app, name, value, lasts_s, "Strict")
}

/// `Set-Cookie` of a cookie that also comes with a link from another site: the answer of a sign-in provider.
pub(super) fn set_lax(
    parts: &Parts,
    app: &App,
    name: &str,
    value: &str,
    lasts_s: i64,
) -> Result<HeaderValue, ApiError> {
    set_cookie(parts, app, name, value, lasts_s, "Lax")
}

fn set_cookie(
    parts: &Parts,
    app: &App,
    name: &str,
    value: &str,
    lasts_s: i64,
    same_site: &str,
) -> Result<HeaderValue, ApiError> {
    let name = full_name(parts, app, name);
    // browsers refuse a `__Host-` name with any other path, and without `Secure`
    let (path, secure) = if is_secure(parts, app) { ("/", "; Secure") } else { ("/painel", "") };
    let text = format!("{name}={value}; Path={path}; Max-Age={lasts_s}; HttpOnly; SameSite={same_site}{secure}");
    HeaderValue::from_str(&text).map_err(|error| ApiError::broken(&error))
}

/// True when a cookie may be sent over TLS only. With an https public URL this holds even if a proxy rewrites `Host` to
/// an address of this machine.
fn is_secure(parts: &Parts, app: &App) -> bool {
    app.edge().is_https() || !is_loopback(parts)
}

/// Name of a cookie in the browser.
fn full_name(parts: &Parts, app: &App, name: &str) -> String {
    if is_secure(parts, app) { format!("__Host-{name}") } else { name.to_owned() }
}

/// The value of a cookie.
pub(super) fn cookie(parts: &Parts, app: &App, name: &str) -> Option<String> {
    let name = full_name(parts, app, name);
    let headers = parts.headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = headers.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value.to_owned())
}
