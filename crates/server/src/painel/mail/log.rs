//! `GET /painel/emails`: the log, newest first, by state.

use axum::extract::{RawQuery, State};
use axum::response::Response;
use fiscal::value::Uf;
use http::StatusCode;
use maud::{Markup, html};
use store::mail::{MailFilter, MailRecord, MailStatus};

use super::super::navigation::MAIL;
use super::super::paging::ListPaging;
use super::super::panel_session::PanelSession;
use super::super::{frame, session_page, words};
use super::{kind, mark, off_notice, state, subpages};
use crate::api::error::ApiError;
use crate::app::App;

static PAGES: ListPaging =
    ListPaging { parameter: "pagina", label: "Páginas", links: ["Mais novos", "Mais antigos"], size: 50 };

/// `GET /painel/emails`
pub(crate) async fn list_mails(State(app): State<App>, visitor: PanelSession, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    render(&app, &visitor, &query).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn render(app: &App, visitor: &PanelSession, query: &str) -> Result<Response, ApiError> {
    let (caller, page) = (&visitor.at.caller, PAGES.page(query));
    let word = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "estado").map(|(_, word)| word);
    let status = MailStatus::ALL.into_iter().find(|status| Some(status.word()) == word.as_deref());
    let filter = MailFilter { status, job: None };
    let (mails, total) = app.store().mails(caller.tenant_id, caller.ambiente, filter, page.window()).await?;
    let waits = mails.iter().any(|mail| mail.status == MailStatus::Pendente);
    let path = status.map_or_else(|| MAIL.path.to_owned(), |status| format!("{}?estado={}", MAIL.path, status.word()));
    let body = html! {
        h1 { (MAIL.name) }
        (subpages(""))
        (off_notice(app))
        form class="filtros" method="get" action=(MAIL.path) {
            label {
                "Como está"
                select name="estado" {
                    option value="" { "Todos" }
                    @for one in MailStatus::ALL { option value=(one.word()) selected[Some(one) == status] { (state(one).1) } }
                }
            }
            p class="botoes" { button { "Filtrar" } }
        }
        section id="emails" data-vivo=[waits.then_some("3")] aria-label="E-mails" {
            @if waits { p { a href=(path) { "Atualizar" } } }
            @if mails.is_empty() { p class="vazio" { "Nenhum e-mail aqui." } } @else { (table(&mails)) }
        }
        @if status.is_none() { (page.links(MAIL.path, total)) }
        @else if total > u64::from(PAGES.size) { p class="fraca" { "Os " (PAGES.size) " mais novos de " (total) "." } }
    };
    Ok(session_page::page(visitor, &MAIL, StatusCode::OK, MAIL.name, body))
}

fn table(mails: &[MailRecord]) -> Markup {
    html! {
        div class="tabela" {
            table class="itens" {
                thead { tr { th { "Quando" } th { "O quê" } th { "Para" } th { "Como está" } } }
                tbody {
                    @for mail in mails {
                        tr {
                            td data-coluna="Quando" { (words::instant(mail.criado_em, Uf::DF)) }
                            td data-coluna="O quê" {
                                a href={ (MAIL.path) "/" (mail.id) } { (mail.assunto.as_deref().unwrap_or(kind(mail.kind))) }
                            }
                            td data-coluna="Para" { (mail.para.as_deref().unwrap_or("o destinatário do documento")) }
                            td data-coluna="Como está" { (mark(mail)) }
                        }
                    }
                }
            }
        }
    }
}
