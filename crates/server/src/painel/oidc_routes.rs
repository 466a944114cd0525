//! `/painel/entrar/oidc`: sign-in by the configured provider. A second factor at the provider is the provider's.
//!
//! The answer comes from another site, so the browser sends no `Strict` cookie with it and with what it redirects to:
//! a page of ours stands in between.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Redirect, Response};
use fiscal::value::TpAmb;
use http::request::Parts;
use http::{HeaderValue, StatusCode, header};
use store::audit::ActorKind;
use store::identities::{ExternalIdentity, ExternalOpening, NewExternalSession};
use store::sessions::SessionState;
use uuid::Uuid;

use super::navigation::ACCOUNT;
use super::oidc_pages::{explained, failed, passage, switched_off};
use super::{frame, login_routes, origin, panel_session, path};
use crate::api::auth::login;
use crate::api::error::ApiError;
use crate::api::origin::RequestOrigin;
use crate::app::App;
use crate::oidc::{OidcFailure, OidcFlow, OidcProvider, OidcPurpose, ProvenIdentity};
use crate::rate_limiter::whole_seconds;

const FLOW: &str = "carimbo_oidc";
/// Longest `code` that is exchanged.
const LONGEST_CODE: usize = 2048;

/// `GET /painel/entrar/oidc`
pub(crate) async fn begin_oidc(State(app): State<App>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let Some(provider) = app.oidc() else { return switched_off() };
    if let Some(refused) = refusal(&app, &parts, provider) {
        return refused;
    }
    let confirmar = parameter(&parts, "confirmar").and_then(|id| Uuid::parse_str(&id).ok());
    match begin(&app, &parts, provider, OidcPurpose::Enter { confirmar }).await {
        Ok((to, cookie)) => ([(header::SET_COOKIE, cookie)], Redirect::to(&to)).into_response(),
        Err(refused) => refused,
    }
}

/// Page that refuses a visit of an address with too many.
fn refusal(app: &App, parts: &Parts, provider: &OidcProvider) -> Option<Response> {
    let wait = provider.admit(RequestOrigin::of(parts, app).counted_address()).err()?;
    let detail = "Houve entradas demais deste endereço em um minuto. Espere um pouco e tente de novo.";
    Some(frame::failure(&ApiError::too_many(detail, i64::try_from(whole_seconds(wait)).unwrap_or(60))))
}

/// Address at the provider, and the cookie of the sign-in. `Err` is a page.
pub(super) async fn begin(
    app: &App,
    parts: &Parts,
    provider: &OidcProvider,
    purpose: OidcPurpose,
) -> Result<(String, HeaderValue), Response> {
    let broken = |error: &dyn std::fmt::Display| frame::failure(&ApiError::broken(error));
    let flow = OidcFlow::begin(purpose, app.engine().now_s()).map_err(|error| broken(&error))?;
    let to = provider.authorization_url(&flow, app.half_tokens(), &redirect_uri(parts, app)).await;
    let to = to.map_err(|failure| failed(provider, &failure))?;
    let cookie = panel_session::set_lax(parts, app, FLOW, &flow.cookie, crate::oidc::flow::LASTS_S);
    Ok((to, cookie.map_err(|error| frame::failure(&error))?))
}

/// `GET /painel/entrar/oidc/retorno`
pub(crate) async fn finish_oidc(State(app): State<App>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let Some(provider) = app.oidc() else { return switched_off() };
    if let Some(refused) = refusal(&app, &parts, provider) {
        return refused;
    }
    let mut response = finish(&app, &parts, provider).await.unwrap_or_else(|error| frame::failure(&error));
    // each sign-in is over after one answer
    if let Ok(removal) = panel_session::set_lax(&parts, &app, FLOW, "", 0) {
        let session = response.headers_mut().insert(header::SET_COOKIE, removal);
        if let Some(session) = session {
            response.headers_mut().append(header::SET_COOKIE, session);
        }
    }
    response
}

/// `GET /painel/entrar/oidc/sair`: leads to the logout of the provider.
pub(crate) async fn leave_oidc(State(app): State<App>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let Some(provider) = app.oidc() else { return switched_off() };
    if let Some(refused) = refusal(&app, &parts, provider) {
        return refused;
    }
    let metadata = match provider.metadata().await {
        Ok(metadata) => metadata,
        Err(failure) => return failed(provider, &failure),
    };
    let Some(endpoint) = &metadata.end_session_endpoint else {
        let text = "Este provedor não tem uma página de saída. Saia na própria página dele.";
        return explained(provider, StatusCode::OK, "Sair do provedor", text);
    };
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("client_id", &provider.settings().client_id)
        .append_pair("post_logout_redirect_uri", &format!("{}/painel/entrar", own_url(&parts, &app)))
        .finish();
    let between = if endpoint.contains('?') { '&' } else { '?' };
    Redirect::to(&format!("{endpoint}{between}{query}")).into_response()
}

async fn finish(app: &App, parts: &Parts, provider: &OidcProvider) -> Result<Response, ApiError> {
    let now = app.engine().now_s();
    let flow = panel_session::cookie(parts, app, FLOW).and_then(|cookie| OidcFlow::read(&cookie, now));
    let Some(flow) = flow else {
        let text = "A volta do provedor demorou mais de dez minutos, ou o navegador recusa cookies. Tente de novo.";
        return Ok(explained(provider, StatusCode::BAD_REQUEST, "Não foi possível entrar", text));
    };
    let expected = flow.state(app.half_tokens()).map_err(|error| ApiError::broken(&error))?;
    let state = parameter(parts, "state").unwrap_or_default();
    if state.len() != expected.len() || !openssl::memcmp::eq(state.as_bytes(), expected.as_bytes()) {
        let text = "Esta volta não é da tentativa que começou neste navegador, e nada foi feito. Comece de novo.";
        return Ok(explained(provider, StatusCode::FORBIDDEN, "Não foi possível entrar", text));
    }
    let Some(code) = parameter(parts, "code").filter(|code| !code.is_empty() && code.len() <= LONGEST_CODE) else {
        let text = match parameter(parts, "error").as_deref() {
            Some("access_denied") => "O acesso foi recusado na página do provedor, por você ou pelas regras dele.",
            Some("login_required" | "interaction_required" | "consent_required") => {
                "O provedor pediu um passo que não foi completado. Comece de novo."
            }
            _ => "O provedor não completou a entrada. Se isto se repete, avise quem opera este serviço.",
        };
        return Ok(explained(provider, StatusCode::FORBIDDEN, "Não foi possível entrar", text));
    };
    // RFC 9207: an answer that another issuer signed is not exchanged at this one
    let ours = provider.settings().issuer.as_str();
    if parameter(parts, "iss").is_some_and(|iss| iss.trim_end_matches('/') != ours) {
        return Ok(failed(provider, &OidcFailure::Refused("A resposta veio de outro provedor.")));
    }
    let keys = app.half_tokens();
    let proven = match provider.identity(&code, &flow, keys, &redirect_uri(parts, app), now).await {
        Ok(proven) => proven,
        Err(failure) => return Ok(failed(provider, &failure)),
    };
    match flow.purpose {
        OidcPurpose::Enter { confirmar } => enter(app, parts, provider, proven, confirmar).await,
        OidcPurpose::Link { tenant, session } => link(app, parts, provider, proven, tenant, session).await,
    }
}

/// Opens the session of an identity.
async fn enter(
    app: &App,
    parts: &Parts,
    provider: &OidcProvider,
    proven: ProvenIdentity,
    confirmar: Option<Uuid>,
) -> Result<Response, ApiError> {
    let settings = provider.settings();
    let verified = proven.email.clone().filter(|_| proven.is_email_verified);
    if !settings.domains.is_empty() && !verified.as_deref().is_some_and(|email| settings.admits(email)) {
        let text = "O e-mail desta identidade não é de um domínio que pode entrar aqui, ou o provedor não o confirmou.";
        return Ok(explained(provider, StatusCode::FORBIDDEN, "Não foi possível entrar", text));
    }
    let (origin, now) = (RequestOrigin::of(parts, app), app.engine().now_s());
    // letters beyond ASCII become others in lower case (the sign of Kelvin becomes k): such an e-mail finds no user
    let matched_email = verified.filter(|email| settings.matches_email && email.is_ascii());
    let new = NewExternalSession {
        identity: identity(proven),
        matched_email,
        expira_em: now + panel_session::LIFETIME_S,
        navegador: origin.agent.clone(),
    };
    let actor = origin.actor(ActorKind::Anonymous, TpAmb::Homologacao);
    match app.store().open_external_session(new, &actor, now).await? {
        ExternalOpening::Session(session) => {
            login_routes::end_earlier_session(app, parts).await?;
            let to = confirmar.map_or_else(|| "/painel".to_owned(), path);
            let mut response = passage(&to);
            response.headers_mut().append(header::SET_COOKIE, panel_session::session_cookie(parts, app, &session)?);
            Ok(response)
        }
        ExternalOpening::Unknown => {
            let text = "Nenhum usuário deste serviço tem esta identidade, nem o e-mail dela confirmado pelo provedor. \
                        Entre com a senha e vincule-a em Minha conta; sem usuário, peça um a quem administra a conta.";
            Ok(explained(provider, StatusCode::FORBIDDEN, "Não foi possível entrar", text))
        }
        ExternalOpening::Unlinked => {
            let text = "O usuário com este e-mail está protegido por um segundo fator, ou já tem outra identidade. \
                        Entre com a senha e vincule esta em Minha conta.";
            Ok(explained(provider, StatusCode::FORBIDDEN, "Não foi possível entrar", text))
        }
        ExternalOpening::NoActiveKey => Err(login::no_key(None)),
    }
}

/// Links an identity to the user of the session that asked for it.
async fn link(
    app: &App,
    parts: &Parts,
    provider: &OidcProvider,
    proven: ProvenIdentity,
    tenant: Uuid,
    session: Uuid,
) -> Result<Response, ApiError> {
    let now = app.engine().now_s();
    let state = app.store().panel_session(tenant, session, panel_session::REST_S, now).await?;
    let SessionState::Active(at) = state else {
        return Ok(Redirect::to("/painel/entrar").into_response());
    };
    let actor = RequestOrigin::of(parts, app).actor(ActorKind::User(at.user_id), at.caller.ambiente);
    match app.store().link_identity(tenant, at.user_id, identity(proven), &actor, now).await {
        Ok(()) => Ok(passage(&format!("{}?feito=vinculo", ACCOUNT.path))),
        Err(store::Error::Conflict(_)) => {
            let text =
                "Esta identidade já é de um usuário, ou o seu usuário já tem outra. Desfaça aquele vínculo antes.";
            Ok(explained(provider, StatusCode::CONFLICT, "Não foi possível vincular", text))
        }
        Err(other) => Err(other.into()),
    }
}

fn identity(proven: ProvenIdentity) -> ExternalIdentity {
    ExternalIdentity { issuer: proven.issuer, subject: proven.subject, email: proven.email }
}

fn redirect_uri(parts: &Parts, app: &App) -> String {
    format!("{}/painel/entrar/oidc/retorno", own_url(parts, app))
}

/// Our own URL: the configured one; on this machine alone also the one that the browser asks by.
fn own_url(parts: &Parts, app: &App) -> String {
    match &app.edge().public_url {
        Some(url) => url.clone(),
        None => format!("http://{}", origin::loopback_host(parts).unwrap_or("localhost")),
    }
}

fn parameter(parts: &Parts, name: &str) -> Option<String> {
    let query = parts.uri.query().unwrap_or_default();
    form_urlencoded::parse(query.as_bytes()).find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
}
