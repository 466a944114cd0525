//! `/painel/integracoes`: the account's address for events, its secret, and the deliveries with their attempts.

mod account_form;
mod delivery_card;
mod delivery_list;
mod secret_page;
mod submit;

pub(crate) use secret_page::{rotate_webhook_secret, show_webhook_secret};
pub(crate) use submit::{resend_delivery, resend_lost_deliveries, save_webhook_account, send_test_event};

use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::StatusCode;
use maud::{Markup, html};
use store::Visibility;

use self::account_form::AccountDraft;
use self::delivery_list::DeliveryQuery;
use super::navigation::INTEGRATIONS;
use super::panel_session::PanelSession;
use super::{frame, session_page};
use crate::api::error::ApiError;
use crate::api::permission::RequiredPermission;
use crate::app::App;

/// Address of the page of the secret.
const SECRET: &str = "/painel/integracoes/segredo";
/// Guide for programmers: what an event holds, how its signature is verified.
const GUIDE: &str = "/docs/guia/webhooks";

/// Deliveries of the session's environment.
fn sight(visitor: &PanelSession) -> Visibility {
    let caller = &visitor.at.caller;
    Visibility::of(caller).within(caller.ambiente)
}

/// `GET /painel/integracoes`
pub(crate) async fn show_integrations(
    State(app): State<App>,
    visitor: PanelSession,
    RawQuery(query): RawQuery,
) -> Response {
    let query = query.unwrap_or_default();
    let shown = integrations_page(
        &app,
        &visitor,
        StatusCode::OK,
        IntegrationsState { query: &query, ..IntegrationsState::default() },
    );
    shown.await.unwrap_or_else(|error| frame::failure(&error))
}

/// Parts of the page that a request decides.
#[derive(Default)]
struct IntegrationsState<'a> {
    /// Query with the filters of the deliveries.
    query: &'a str,
    /// Settings as they were sent, if they were refused.
    draft: Option<AccountDraft>,
    /// Refusal of the settings, beside its fields.
    problem: Option<&'a ApiError>,
    /// Refusal of another form.
    refusal: Option<&'a str>,
}

async fn integrations_page(
    app: &App,
    visitor: &PanelSession,
    status: StatusCode,
    state: IntegrationsState<'_>,
) -> Result<Response, ApiError> {
    let caller = &visitor.at.caller;
    let account = app.store().webhook_account(caller.tenant_id, caller.ambiente).await?;
    let has_address = account.url.is_some();
    let draft = state.draft.unwrap_or_else(|| AccountDraft::of(&account));
    let deliveries = DeliveryQuery::read(state.query);
    let list = delivery_list::list(app, visitor, &deliveries).await?;
    let body = html! {
        h1 { (INTEGRATIONS.name) }
        p {
            "O Carimbo avisa o seu sistema (ERP, loja, planilha) sempre que algo acontece: uma nota foi autorizada, um certificado vai vencer, um documento chegou. "
            "Cada aviso é uma mensagem enviada a um endereço da internet; quem programa chama isso de webhook. "
            "Esta página vale para " strong { (frame::name(caller.ambiente)) } "."
        }
        @if let Some(refusal) = state.refusal { p class="recusa" role="alert" { (refusal) } }
        @if visitor.may(RequiredPermission::Administer) {
        div class="lado" {
            section aria-labelledby="endereco" {
                h2 id="endereco" { "Endereço da conta" }
                (account_form::form(visitor, &draft, state.problem))
            }
            div { (trial(visitor, has_address)) (verification()) }
        }
        }
        (list)
    };
    Ok(session_page::page(visitor, &INTEGRATIONS, status, INTEGRATIONS.name, body))
}

fn trial(visitor: &PanelSession, has_address: bool) -> Markup {
    html! {
        section aria-labelledby="teste" {
            h2 id="teste" { "Experimentar" }
            @if has_address {
                p { "Envia já um aviso de teste ao endereço da conta. O que ele respondeu aparece nas entregas, abaixo." }
                form method="post" action={ (INTEGRATIONS.path) "/teste" } {
                    (session_page::proof(visitor))
                    p class="botoes" { button { "Enviar um aviso de teste" } }
                }
            } @else {
                p class="vazio" { "Guarde primeiro um endereço: o aviso de teste vai a ele." }
            }
        }
    }
}

fn verification() -> Markup {
    html! {
        section aria-labelledby="conferir" {
            h2 id="conferir" { "Conferir quem enviou" }
            p {
                "Qualquer um pode escrever ao seu endereço. Por isso cada aviso vem assinado com um segredo que só o Carimbo e o seu sistema conhecem: sem assinatura certa, o seu sistema deve ignorá-lo."
            }
            ul {
                li { "Entregue o segredo a quem programa o seu sistema: " a href=(SECRET) { "ver ou trocar o segredo" } "." }
                li { "O " a href=(GUIDE) { "guia dos avisos" } " mostra a conferência pronta em cinco linguagens." }
            }
        }
    }
}
