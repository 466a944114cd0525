//! `/painel/emails/bloqueios`: addresses of the account that get no mail.

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use engine::mail::single_address;
use fiscal::value::Uf;
use http::StatusCode;
use maud::html;

use super::super::form::SubmittedForm;
use super::super::navigation::MAIL;
use super::super::paging::{ListPage, ListPaging};
use super::super::panel_session::PanelSession;
use super::super::session_page::{self, proof};
use super::super::{frame, words};
use super::{fault, subpages};
use crate::api::error::ApiError;
use crate::app::App;

static PAGES: ListPaging =
    ListPaging { parameter: "pagina", label: "Páginas", links: ["Anteriores", "Próximos"], size: 50 };
/// Reason of an entry that a person made.
const BY_HAND: &str = "bloqueado por uma pessoa no painel";

/// `GET /painel/emails/bloqueios`
pub(crate) async fn show_blocks(State(app): State<App>, visitor: PanelSession, RawQuery(query): RawQuery) -> Response {
    let page = PAGES.page(query.as_deref().unwrap_or_default());
    let shown = render(&app, &visitor, StatusCode::OK, page, ("", None)).await;
    shown.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/emails/bloqueios`
pub(crate) async fn submit_block(State(app): State<App>, sent: SubmittedForm) -> Response {
    block(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/emails/bloqueios/remover`
pub(crate) async fn submit_unblock(State(app): State<App>, sent: SubmittedForm) -> Response {
    unblock(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn block(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let (visitor, typed) = (&sent.visitor, sent.fields.text("endereco"));
    let told = match single_address(typed) {
        Err(wrong) => format!("O endereço {wrong}."),
        Ok(address) => {
            let (tenant, now) = (visitor.at.caller.tenant_id, app.engine().now_s());
            match app.store().block_address(tenant, &address, BY_HAND.to_owned(), &visitor.actor, now).await {
                Ok(()) => return Ok(Redirect::to(&format!("{}/bloqueios", MAIL.path)).into_response()),
                Err(store::Error::AccountFull { most }) => format!("A lista já tem {most} endereços."),
                Err(other) => return Err(other.into()),
            }
        }
    };
    render(app, visitor, StatusCode::UNPROCESSABLE_ENTITY, PAGES.first(), (typed, Some(&told))).await
}

async fn unblock(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let (visitor, address) = (&sent.visitor, sent.fields.text("endereco"));
    let (tenant, now) = (visitor.at.caller.tenant_id, app.engine().now_s());
    match app.store().unblock_address(tenant, address, &visitor.actor, now).await {
        // removed twice is removed
        Ok(()) | Err(store::Error::NotFound) => Ok(Redirect::to(&format!("{}/bloqueios", MAIL.path)).into_response()),
        Err(other) => Err(other.into()),
    }
}

async fn render(
    app: &App,
    visitor: &PanelSession,
    status: StatusCode,
    page: ListPage,
    (typed, told): (&str, Option<&str>),
) -> Result<Response, ApiError> {
    let (blocks, total) = app.store().mail_blocks(visitor.at.caller.tenant_id, page.window()).await?;
    let path = format!("{}/bloqueios", MAIL.path);
    let body = html! {
        h1 { "Endereços bloqueados" }
        (subpages("/bloqueios"))
        p { "Nenhum e-mail desta conta vai a estes endereços. Um endereço entra aqui sozinho quando o servidor dele diz que ele não existe." }
        form method="post" action=(path) class="filtros" {
            (proof(visitor))
            label {
                "Bloquear um endereço"
                input type="email" name="endereco" value=(typed) maxlength="254" required aria-invalid=[told.map(|_| "true")]
                    aria-describedby=[told.map(|_| "falha-endereco")];
                (fault("falha-endereco", told))
            }
            p class="botoes" { button { "Bloquear" } }
        }
        @if blocks.is_empty() { p class="vazio" { "Nenhum endereço bloqueado." } } @else {
            div class="tabela" {
                table class="itens" {
                    thead { tr { th { "Endereço" } th { "Motivo" } th { "Desde" } th { "" } } }
                    tbody {
                        @for block in &blocks {
                            tr {
                                td data-coluna="Endereço" { (block.endereco) }
                                td data-coluna="Motivo" { (block.motivo) }
                                td data-coluna="Desde" { (words::instant(block.criado_em, Uf::DF)) }
                                td {
                                    form method="post" action={ (path) "/remover" } {
                                        (proof(visitor))
                                        input type="hidden" name="endereco" value=(block.endereco);
                                        button aria-label={ "Desbloquear " (block.endereco) } { "Desbloquear" }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        (page.links(&path, total))
    };
    Ok(session_page::page(visitor, &MAIL, status, "Endereços bloqueados", body))
}
