//! The identity at the provider: its link and the end of it.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use maud::{Markup, html};
use store::identities::ExternalIdentity;

use super::super::form::SubmittedForm;
use super::super::navigation::ACCOUNT;
use super::super::panel_session::PanelSession;
use super::super::session_page::{self, proof};
use super::super::{frame, oidc_routes};
use super::proven::{code_field, password_field, proven_code, proven_password, used_code};
use super::{AccountForm, AccountProblem, done, of, refused};
use crate::api::error::ApiError;
use crate::app::App;
use crate::oidc::OidcPurpose;

/// `POST /painel/conta/vinculo`
pub(crate) async fn link_identity(State(app): State<App>, sent: SubmittedForm) -> Response {
    begun(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/conta/vinculo/desfazer`
pub(crate) async fn unlink_identity(State(app): State<App>, sent: SubmittedForm) -> Response {
    let PanelSession { at, actor, .. } = &sent.visitor;
    let now = app.engine().now_s();
    match app.store().unlink_identity(at.caller.tenant_id, at.user_id, actor, now).await {
        Ok(()) => done("desfeito"),
        Err(error) => frame::failure(&error.into()),
    }
}

/// A page with the link to the provider: the answer of a form may not lead to another host (`form-action`).
async fn begun(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let Some(provider) = app.oidc() else {
        return Err(ApiError::not_found("Não há esta forma de entrar neste serviço."));
    };
    let attempt = match proven_password(app, sent, AccountForm::Identity).await? {
        Ok(attempt) => attempt,
        Err(problem) => return refused(app, sent, problem).await,
    };
    let PanelSession { at, actor, .. } = &sent.visitor;
    let (tenant, user, now) = (at.caller.tenant_id, at.user_id, app.engine().now_s());
    let factor = app.store().second_factor(tenant, user, now).await?;
    if let Some(factor) = factor.filter(|factor| factor.confirmado_em.is_some()) {
        // an identity goes past the second factor from now on, so its link needs a code as its removal does
        let proof = match proven_code(app, sent, AccountForm::Identity, &attempt, &factor).await? {
            Ok(proof) => proof,
            Err(problem) => return refused(app, sent, problem).await,
        };
        if !app.store().use_factor_proof(tenant, user, proof, actor, now).await? {
            let problem = used_code(app, sent, AccountForm::Identity, &attempt).await?;
            return refused(app, sent, problem).await;
        }
    }
    attempt.release(app).await?;
    let purpose = OidcPurpose::Link { tenant: at.caller.tenant_id, session: at.session_id };
    let (to, cookie) = match oidc_routes::begin(app, &sent.parts, provider, purpose).await {
        Ok(begun) => begun,
        Err(page) => return Ok(page),
    };
    let label = &provider.settings().label;
    let body = html! {
        h1 { "Vincular " (label) }
        p { "Confere. No próximo passo " (label) " pergunta quem você é, e volta para cá." }
        p class="botoes" {
            a class="botao principal" href=(to) { "Continuar em " (label) }
            a class="botao" href=(ACCOUNT.path) { "Desistir" }
        }
    };
    let page = session_page::page(&sent.visitor, &ACCOUNT, StatusCode::OK, "Vincular", body);
    Ok(([(header::SET_COOKIE, cookie)], page).into_response())
}

/// Section of the account's page; none while sign-in by a provider is off and nothing is linked.
pub(super) fn section(
    app: &App,
    visitor: &PanelSession,
    identity: Option<&ExternalIdentity>,
    needs_code: bool,
    problem: Option<&AccountProblem>,
) -> Markup {
    let provider = app.oidc().map(|provider| provider.settings().label.as_str());
    html! {
        @if provider.is_some() || identity.is_some() {
            h2 { "Entrar com " (provider.unwrap_or("um provedor")) }
            @match (identity, provider) {
                (Some(identity), _) => {
                    p {
                        span class="estado autorizada" { "vinculado" } " "
                        (identity.email.as_deref().unwrap_or("sem e-mail informado")) " em " (identity.issuer)
                        ". Quem entra por lá não digita o código daqui: o segundo fator, nesse caso, é o do provedor."
                    }
                    form method="post" action="/painel/conta/vinculo/desfazer" { (proof(visitor)) button { "Desfazer o vínculo" } }
                }
                (None, _) => {
                    p { span class="estado" { "não vinculado" } " Vincule para entrar sem digitar a senha daqui. A senha continua a valer." }
                    form method="post" action="/painel/conta/vinculo" class="estreito" {
                        (proof(visitor))
                        (password_field("vinculo", of(problem, AccountForm::Identity, "senha")))
                        @if needs_code { (code_field("vinculo", of(problem, AccountForm::Identity, "codigo"))) }
                        button { "Vincular" }
                    }
                }
            }
        }
    }
}
