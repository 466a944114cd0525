//! `GET|POST /painel/entrar`: e-mail and password for a session of the panel. Shares the bounds of failed logins with
//! `POST /v1/auth/login`.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Redirect, Response};
use fiscal::value::TpAmb;
use http::request::Parts;
use http::{StatusCode, header};
use store::sessions::{SessionCaller, SessionKind};
use uuid::Uuid;
use zeroize::Zeroizing;

use super::form::FormFields;
use super::login_page::{self, LoginForm};
use super::{frame, half_session, panel_session, path};
use crate::api::auth::login::{self, LoginOutcome, LoginRequest, SessionWish};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::origin::RequestOrigin;
use crate::app::App;
use crate::password;

/// `GET /painel/entrar`
pub(crate) async fn show_login(State(app): State<App>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let query = parts.uri.query().unwrap_or_default();
    let asked = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "confirmar");
    // an id names a page of ours only: no open redirect
    let confirmar = asked.and_then(|(_, id)| Uuid::parse_str(&id).ok());
    let left = form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == "saiu");
    let shown = LoginForm { confirmar, left, ..LoginForm::default() };
    login_page::page(&parts, &app, StatusCode::OK, &shown).unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/entrar`
pub(crate) async fn submit_login(State(app): State<App>, request: Request) -> Response {
    match FormFields::read(request, &app).await {
        Ok((parts, fields)) => {
            start_session(&app, &parts, &fields).await.unwrap_or_else(|error| frame::failure(&error))
        }
        Err(error) => frame::failure(&error),
    }
}

async fn start_session(app: &App, parts: &Parts, fields: &FormFields) -> Result<Response, ApiError> {
    let email = fields.text("email").trim();
    let ambiente = TpAmb::from_word(fields.text("ambiente"));
    let confirmar = Uuid::parse_str(fields.text("confirmar")).ok();
    let again = |status: StatusCode, refused: &str| {
        login_page::page(
            parts,
            app,
            status,
            &LoginForm { email, ambiente, confirmar, refused: Some(refused), left: false },
        )
    };
    if !login_page::proof(parts, app)?.is_some_and(|proof| fields.proves(&proof)) {
        return again(
            StatusCode::FORBIDDEN,
            "Esta página ficou aberta por tempo demais, ou o navegador recusa cookies. Tente de novo.",
        );
    }
    let senha = fields.text("senha");
    let too_long = email.chars().count() > login::LONGEST_EMAIL || senha.len() > password::LONGEST * 4;
    if email.is_empty() || senha.is_empty() || too_long {
        return again(StatusCode::BAD_REQUEST, "Informe o e-mail e a senha.");
    }
    let entry = LoginRequest {
        email: email.to_owned(),
        senha: Zeroizing::new(senha.to_owned()),
        codigo: None,
        wish: wish(ambiente.unwrap_or(TpAmb::Homologacao)),
    };
    let now = app.engine().now_s();
    match login::log_in(app, entry, RequestOrigin::of(parts, app), now).await {
        Ok(LoginOutcome::Entered(session, _)) => entered(app, parts, &session, confirmar).await,
        Ok(LoginOutcome::CodeNeeded(user)) => {
            half_session::begin(app, parts, &user, ambiente.unwrap_or(TpAmb::Homologacao), confirmar)
        }
        Err(error) if login_refusal(&error) => {
            let status = StatusCode::from_u16(error.code().status).unwrap_or(StatusCode::UNAUTHORIZED);
            let mut response = again(status, error.detail())?;
            if let Some(wait) = error.header(&header::RETRY_AFTER) {
                response.headers_mut().insert(header::RETRY_AFTER, wait.clone());
            }
            Ok(response)
        }
        Err(other) => Err(other),
    }
}

/// A panel session in an environment.
pub(super) fn wish(ambiente: TpAmb) -> SessionWish {
    SessionWish { ambiente: Some(ambiente), kind: SessionKind::Painel, lasts_s: panel_session::LIFETIME_S }
}

/// Hands out the cookie of a new session, and shows the order that the login was for.
pub(super) async fn entered(
    app: &App,
    parts: &Parts,
    session: &SessionCaller,
    confirmar: Option<Uuid>,
) -> Result<Response, ApiError> {
    end_earlier_session(app, parts).await?;
    let to = confirmar.map_or_else(|| "/painel".to_owned(), path);
    Ok(([(header::SET_COOKIE, panel_session::session_cookie(parts, app, session)?)], Redirect::to(&to)).into_response())
}

/// Prevents session fixation: the session of the request's cookie ends.
pub(super) async fn end_earlier_session(app: &App, parts: &Parts) -> Result<(), ApiError> {
    if let Some(before) = panel_session::current_session(parts, app).await? {
        let actor =
            RequestOrigin::of(parts, app).actor(store::audit::ActorKind::User(before.user_id), before.caller.ambiente);
        let now = app.engine().now_s();
        app.store().end_session(before.caller.tenant_id, before.session_id, &actor, now).await?;
    }
    Ok(())
}

pub(super) fn login_refusal(error: &ApiError) -> bool {
    [&error_code::CREDENCIAIS_INVALIDAS, &error_code::MUITAS_REQUISICOES, &error_code::AMBIENTE_INCORRETO]
        .contains(&error.code())
}
