//! `GET|POST /painel/entrar/codigo`: the code of the second factor, after the right password.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::request::Parts;
use http::{StatusCode, header};
use maud::html;
use uuid::Uuid;
use zeroize::Zeroizing;

use super::form::{FormFields, PROOF, not_our_form};
use super::half_session::{self, HalfSession};
use super::{frame, login_routes};
use crate::api::auth::login::{self, LoginOutcome};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::origin::RequestOrigin;
use crate::app::App;
use crate::second_factor::LONGEST_CODE;

/// `GET /painel/entrar/codigo`
pub(crate) async fn show_code(State(app): State<App>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let query = parts.uri.query().unwrap_or_default();
    let asked = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "confirmar");
    let confirmar = asked.and_then(|(_, id)| Uuid::parse_str(&id).ok());
    match half_session::current(&app, &parts).await {
        Ok(Some(half)) => page(&half, StatusCode::OK, confirmar, None),
        Ok(None) => Redirect::to("/painel/entrar").into_response(),
        Err(error) => frame::failure(&error),
    }
}

/// `POST /painel/entrar/codigo`
pub(crate) async fn submit_code(State(app): State<App>, request: Request) -> Response {
    match FormFields::read(request, &app).await {
        Ok((parts, fields)) => completed(&app, &parts, &fields).await.unwrap_or_else(|error| frame::failure(&error)),
        Err(error) => frame::failure(&error),
    }
}

async fn completed(app: &App, parts: &Parts, fields: &FormFields) -> Result<Response, ApiError> {
    let Some(half) = half_session::current(app, parts).await? else {
        return Ok(Redirect::to("/painel/entrar").into_response());
    };
    if !fields.proves(&half.proof) {
        return Err(not_our_form());
    }
    let confirmar = Uuid::parse_str(fields.text("confirmar")).ok();
    let codigo = fields.text("codigo").trim();
    if codigo.is_empty() || codigo.len() > LONGEST_CODE {
        let refused = "Informe o código de seis dígitos, ou um código de recuperação.";
        return Ok(page(&half, StatusCode::UNPROCESSABLE_ENTITY, confirmar, Some(refused)));
    }
    let (codigo, wish) = (Zeroizing::new(codigo.to_owned()), login_routes::wish(half.ambiente));
    let (origin, now) = (RequestOrigin::of(parts, app), app.engine().now_s());
    match login::complete_login(app, half.user.clone(), codigo, wish, origin, now).await {
        Ok(LoginOutcome::Entered(session, _)) => {
            let mut response = login_routes::entered(app, parts, &session, confirmar).await?;
            let removal = half_session::removal(app, parts)?;
            if let Some(session) = response.headers_mut().insert(header::SET_COOKIE, removal) {
                response.headers_mut().append(header::SET_COOKIE, session);
            }
            Ok(response)
        }
        Ok(LoginOutcome::CodeNeeded(_)) => Err(ApiError::internal()),
        Err(error) if error.code() == &error_code::SEGUNDO_FATOR_EXIGIDO || login_routes::login_refusal(&error) => {
            let status = StatusCode::from_u16(error.code().status).unwrap_or(StatusCode::UNAUTHORIZED);
            let mut response = page(&half, status, confirmar, Some(error.detail()));
            if let Some(wait) = error.header(&header::RETRY_AFTER) {
                response.headers_mut().insert(header::RETRY_AFTER, wait.clone());
            }
            Ok(response)
        }
        Err(other) => Err(other),
    }
}

fn page(half: &HalfSession, status: StatusCode, confirmar: Option<Uuid>, refused: Option<&str>) -> Response {
    let told = refused.map(|_| "falha-codigo");
    let body = html! {
        div class="porta" {
            h1 { "Código do aplicativo" }
            p { "A senha confere. Abra o aplicativo autenticador no celular e digite o código que ele mostra para o Carimbo." }
            form method="post" action="/painel/entrar/codigo" {
                input type="hidden" name=(PROOF) value=(half.proof);
                @if let Some(id) = confirmar { input type="hidden" name="confirmar" value=(id); }
                label {
                    "Código"
                    input type="text" name="codigo" required autofocus autocomplete="one-time-code" autocapitalize="none" spellcheck="false"
                        maxlength=(LONGEST_CODE) aria-invalid=[told.map(|_| "true")] aria-describedby=[told];
                    small { "Seis dígitos; mudam a cada 30 segundos. Sem o celular, digite um dos códigos de recuperação que você guardou." }
                    @if let Some(refused) = refused { span class="falha" id="falha-codigo" role="alert" { (refused) } }
                }
                button class="principal" { "Entrar" }
            }
            p { a href="/painel/entrar" { "Entrar com outro e-mail" } }
            details {
                summary { "Perdi o celular e os códigos de recuperação" }
                p { "Quem opera este serviço pode desligar o segundo fator da sua conta. Peça a essa pessoa." }
            }
        }
    };
    frame::open_page(status, "Código do aplicativo", body)
}
