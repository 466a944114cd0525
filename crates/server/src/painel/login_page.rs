//! The login page, and the proof that its form is ours: before there is a session, a random cookie and its digest.

use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fiscal::value::TpAmb;
use http::request::Parts;
use http::{HeaderValue, StatusCode, header};
use maud::{Markup, html};
use uuid::Uuid;

use super::form::PROOF;
use super::{frame, panel_session, path};
use crate::api::error::ApiError;
use crate::app::App;

/// Values that the page shows again after a refusal.
#[derive(Default)]
pub(super) struct LoginForm<'a> {
    pub(super) email: &'a str,
    pub(super) ambiente: Option<TpAmb>,
    /// Order to show after the login.
    pub(super) confirmar: Option<Uuid>,
    /// Reason of the refused login.
    pub(super) refused: Option<&'a str>,
    /// `true` right after a logout.
    pub(super) left: bool,
}

const LOGIN_COOKIE: &str = "carimbo_entrada";
const LOGIN_COOKIE_S: i64 = 3_600;

/// Expected proof of a login form, from the request's cookie.
pub(super) fn proof(parts: &Parts, app: &App) -> Result<Option<String>, ApiError> {
    panel_session::cookie(parts, app, LOGIN_COOKIE).map(|chance| proof_of(app, &chance)).transpose()
}

fn proof_of(app: &App, chance: &str) -> Result<String, ApiError> {
    app.panel_tokens().keyed_digest(&format!("entrada {chance}")).map_err(|error| ApiError::broken(&error))
}

/// Sign-in at the provider: a link and no form, whose answer may not lead to another host (`form-action`).
fn provider_links(label: &str, shown: &LoginForm<'_>) -> Markup {
    let address = match shown.confirmar {
        Some(id) => format!("/painel/entrar/oidc?confirmar={id}"),
        None => "/painel/entrar/oidc".to_owned(),
    };
    html! {
        p class="botoes" { a class="botao" href=(address) { "Entrar com " (label) } }
        p { small { "A senha é pedida por " (label) ", não aqui. A sessão começa em homologação, e se troca de ambiente na faixa do alto." } }
        @if shown.left {
            p { small { "Você saiu do Carimbo. A sessão em " (label) " continua aberta neste navegador: " a href="/painel/entrar/oidc/sair" { "sair também de " (label) } "." } }
        }
    }
}

/// Proof for a form outside of a session, and the cookie that it belongs to.
pub(super) fn fresh_proof(parts: &Parts, app: &App) -> Result<(String, HeaderValue), ApiError> {
    let mut chance = [0_u8; 32];
    getrandom::fill(&mut chance).map_err(|error| ApiError::broken(&error))?;
    let chance = URL_SAFE_NO_PAD.encode(chance);
    let cookie = panel_session::set(parts, app, LOGIN_COOKIE, &chance, LOGIN_COOKIE_S)?;
    Ok((proof_of(app, &chance)?, cookie))
}

/// The page, with a fresh cookie.
pub(super) fn page(parts: &Parts, app: &App, status: StatusCode, shown: &LoginForm<'_>) -> Result<Response, ApiError> {
    let (proof, cookie) = fresh_proof(parts, app)?;
    let live = shown.ambiente == Some(TpAmb::Producao);
    let body = html! {
        div class="porta" {
            h1 { "Entrar" }
            @if let Some(refused) = shown.refused { p class="recusa" role="alert" { (refused) } }
            @if let Some(id) = shown.confirmar {
                p { "Uma emissão preparada espera a sua decisão. " a href=(path(id)) { "Já entrei neste navegador: continuar" } }
            }
            form method="post" action="/painel/entrar" {
                input type="hidden" name=(PROOF) value=(proof);
                @if let Some(id) = shown.confirmar { input type="hidden" name="confirmar" value=(id); }
                label { "E-mail" input type="email" name="email" value=(shown.email) required autocomplete="username" maxlength="254"; }
                label { "Senha" input type="password" name="senha" required autocomplete="current-password" maxlength="1024"; }
                fieldset {
                    legend { "Ambiente" }
                    label class="opcao" { input type="radio" name="ambiente" value="homologacao" checked[!live]; "Homologação (testes)" }
                    label class="opcao" { input type="radio" name="ambiente" value="producao" checked[live]; "Produção (efeito fiscal)" }
                }
                button class="principal" { "Entrar" }
            }
            @if let Some(provider) = app.oidc() { (provider_links(&provider.settings().label, shown)) }
        }
    };
    let mut response = frame::login_frame(status, "Entrar", body);
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}
