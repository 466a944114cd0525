//! `GET|POST /painel/convite/{codigo}`: an invited person chooses a password, and enters.
//!
//! No session is needed: the secret in the address is the proof. A link that is used, revoked or expired looks like one
//! that never was.

use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Redirect, Response};
use fiscal::value::TpAmb;
use http::request::Parts;
use http::{StatusCode, header};
use maud::{Markup, html};
use store::audit::ActorKind;
use store::invitations::InvitationRecord;
use store::sessions::SessionKind;
use zeroize::Zeroizing;

use super::super::form::{FormFields, PROOF};
use super::super::role_refusal::meaning;
use super::super::{frame, login_page, panel_session, words};
use super::{invitation_secret, role_words};
use crate::api::auth::login::{self, LoginRequest};
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::api::origin::RequestOrigin;
use crate::app::App;
use crate::password;

/// `GET /painel/convite/{codigo}`
pub(crate) async fn show_invitation(State(app): State<App>, Path(code): Path<String>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let shown = async {
        match find(&app, &code).await? {
            Some(invitation) => invitation_page(&parts, &app, StatusCode::OK, &code, &invitation, None),
            None => Ok(gone()),
        }
    };
    shown.await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/convite/{codigo}`
pub(crate) async fn accept_invitation(State(app): State<App>, Path(code): Path<String>, request: Request) -> Response {
    let accepted = async {
        let (parts, fields) = FormFields::read(request, &app).await?;
        accept(&app, &parts, &code, &fields).await
    };
    accepted.await.unwrap_or_else(|error| frame::failure(&error))
}

/// The open invitation of a secret.
async fn find(app: &App, code: &str) -> Result<Option<InvitationRecord>, ApiError> {
    match app.store().invitation_of(invitation_secret::hash(code), app.engine().now_s()).await {
        Ok(invitation) => Ok(Some(invitation)),
        Err(store::Error::NotFound) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

async fn accept(app: &App, parts: &Parts, code: &str, fields: &FormFields) -> Result<Response, ApiError> {
    let Some(invitation) = find(app, code).await? else { return Ok(gone()) };
    let again = |status, refused: &str| invitation_page(parts, app, status, code, &invitation, Some(refused));
    if !login_page::proof(parts, app)?.is_some_and(|proof| fields.proves(&proof)) {
        let refused = "Esta página ficou aberta por tempo demais, ou o navegador recusa cookies. Tente de novo.";
        return again(StatusCode::FORBIDDEN, refused);
    }
    let (senha, repeated) = (fields.text("senha"), fields.text("repetida"));
    if let Some(problem) = password::length_problem(senha) {
        return again(StatusCode::UNPROCESSABLE_ENTITY, &format!("{problem}."));
    }
    if senha != repeated {
        return again(
            StatusCode::UNPROCESSABLE_ENTITY,
            "As duas senhas são diferentes. Escreva a mesma nos dois campos.",
        );
    }
    let origin = RequestOrigin::of(parts, app);
    let busy = || ApiError::busy("Há logins demais à espera neste momento. Espere 5 segundos e tente de novo.", 5);
    let queued = app.passwords().admit_attempt(origin.counted_address()).map_err(|_| busy())?;
    let hashed = queued.hash(Zeroizing::new(senha.to_owned())).await.map_err(|error| ApiError::broken(&error))?;
    let (hashed, now) = (hashed.map_err(|_| busy())?, app.engine().now_s());
    drop(queued);
    let actor = origin.clone().actor(ActorKind::Anonymous, TpAmb::Homologacao);
    match app.store().accept_invitation(invitation_secret::hash(code), hashed, &actor, now).await {
        Ok(_) => enter(app, parts, &invitation.email, senha, origin).await,
        Err(store::Error::NotFound) => Ok(gone()),
        Err(store::Error::Conflict(_)) => {
            let refused = "Este e-mail já entra em outra conta desta instalação. Peça um convite para outro e-mail.";
            again(StatusCode::UNPROCESSABLE_ENTITY, refused)
        }
        Err(other) => Err(other.into()),
    }
}

/// Opens the session of the new user. The session that the browser had ends: against fixation.
async fn enter(
    app: &App,
    parts: &Parts,
    email: &str,
    senha: &str,
    origin: RequestOrigin,
) -> Result<Response, ApiError> {
    let now = app.engine().now_s();
    let entry = LoginRequest {
        email: email.to_owned(),
        senha: Zeroizing::new(senha.to_owned()),
        ambiente: None,
        session_kind: SessionKind::Painel,
        lasts_s: panel_session::LIFETIME_S,
    };
    let (session, _) = login::log_in(app, entry, origin.clone(), now).await?;
    if let Some(before) = panel_session::current_session(parts, app).await? {
        let actor = origin.actor(ActorKind::User(before.user_id), before.caller.ambiente);
        app.store().end_session(before.caller.tenant_id, before.session_id, &actor, now).await?;
    }
    let cookie = panel_session::session_cookie(parts, app, &session)?;
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/painel")).into_response())
}

fn invitation_page(
    parts: &Parts,
    app: &App,
    status: StatusCode,
    code: &str,
    invitation: &InvitationRecord,
    refused: Option<&str>,
) -> Result<Response, ApiError> {
    let (proof, cookie) = login_page::fresh_proof(parts, app)?;
    let mut response = frame::open_page(status, "Convite", body(code, invitation, refused, &proof));
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

fn body(code: &str, invitation: &InvitationRecord, refused: Option<&str>, proof: &str) -> Markup {
    html! {
        div class="porta" {
            h1 { "Convite para " (invitation.tenant_nome) }
            @if let Some(refused) = refused { p class="recusa" role="alert" id="recusa" { (refused) } }
            p {
                @if let Some(by) = &invitation.convidado_por { (by) " convida você" } @else { "Você foi convidado" }
                " como " (role_words::scope(invitation.role, &invitation.companies)) ": " (meaning(invitation.role))
            }
            p { "Escolha uma senha. Depois você entra com ela e com o e-mail " strong { (invitation.email) } "." }
            form method="post" action={ "/painel/convite/" (code) } {
                input type="hidden" name=(PROOF) value=(proof);
                input type="hidden" name="usuario" value=(invitation.email) autocomplete="username";
                (password_field("senha", "Senha (12 letras ou mais)", refused.is_some()))
                (password_field("repetida", "A mesma senha de novo", refused.is_some()))
                button class="principal" { "Entrar na conta" }
            }
            p class="fraca" { "O convite vale até " (words::civil_instant(invitation.expira_em, CivilTime::of(None))) "." }
        }
    }
}

fn password_field(name: &str, label: &str, is_refused: bool) -> Markup {
    html! {
        label {
            (label)
            input type="password" name=(name) required minlength=(password::SHORTEST) maxlength=(password::LONGEST)
                autocomplete="new-password" aria-invalid=[is_refused.then_some("true")]
                aria-describedby=[is_refused.then_some("recusa")];
        }
    }
}

/// The page of a link without an open invitation.
fn gone() -> Response {
    let body = html! {
        div class="porta" {
            h1 { "Este convite não vale mais" }
            p { "Ele já foi usado, foi cancelado ou passou dos 7 dias. Peça outro a quem administra a conta." }
            p { a href="/painel/entrar" { "Já tenho senha: entrar" } }
        }
    };
    frame::open_page(StatusCode::NOT_FOUND, "Convite", body)
}
