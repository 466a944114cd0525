//! `GET /painel/recebidos`: received documents of every type, newest first, with filters and what is new.

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use maud::{Markup, html};
use store::Visibility;
use store::emissions::{BoundedCount, PageCursor};
use store::received::{InboxFilter, InboxPage};

use super::query;
use super::{SEARCHES, deadline, filter_form, table};
use crate::api::error::ApiError;
use crate::app::App;
use crate::painel::company_choices::CompanyChoices;
use crate::painel::documents::words::short_count;
use crate::painel::filters::address::cursor_of;
use crate::painel::form::SubmittedForm;
use crate::painel::list_pages::{PageEnds, counted};
use crate::painel::navigation::RECEIVED;
use crate::painel::panel_session::PanelSession;
use crate::painel::{frame, session_page};

/// `GET /painel/recebidos`
pub(crate) async fn show_inbox(State(app): State<App>, visitor: PanelSession, RawQuery(query): RawQuery) -> Response {
    let shown = inbox(&app, &visitor, query.as_deref().unwrap_or_default()).await;
    shown.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/recebidos/vistos`
pub(crate) async fn mark_received_seen(State(app): State<App>, sent: SubmittedForm) -> Response {
    let caller = &sent.visitor.at.caller;
    let marked = app.store().mark_inbox_seen(Visibility::of(caller), sent.visitor.at.user_id, caller.ambiente).await;
    match marked {
        Ok(()) => Redirect::to(RECEIVED.path).into_response(),
        Err(error) => frame::failure(&error.into()),
    }
}

async fn inbox(app: &App, visitor: &PanelSession, text: &str) -> Result<Response, ApiError> {
    let (sight, ambiente) = (Visibility::of(&visitor.at.caller), visitor.at.caller.ambiente);
    let store = app.store();
    let companies = CompanyChoices::read(app, sight).await?;
    let seen = store.visit_inbox(sight, visitor.at.user_id, ambiente, app.engine().now_s()).await?;
    let query = query::read(app, visitor, text, seen).await?;
    let Some(filter) = query.filter.clone() else {
        let body = html! { h1 { (RECEIVED.name) } (filter_form::form(&query, &companies)) };
        return Ok(session_page::page(visitor, &RECEIVED, StatusCode::UNPROCESSABLE_ENTITY, RECEIVED.name, body));
    };
    let page = store.received_inbox(sight, ambiente, filter.clone(), cursor_of(text), PAGE).await?;
    let count = store.count_received_inbox(sight, ambiente, filter).await?;
    let new = InboxFilter { after: seen, ..InboxFilter::default() };
    let new = store.count_received_inbox(sight, ambiente, new).await?;
    let is_empty = !query.typed.narrows() && page.entries.is_empty() && cursor_of(text) == PageCursor::Newest;
    let body = html! {
        h1 { (RECEIVED.name) }
        p { "Notas de compra, fretes e serviços que outros emitiram para as suas empresas, como as autoridades os entregam." }
        p class="botoes" { a class="botao" href=(SEARCHES) { "Buscar agora e busca automática" } }
        @if is_empty {
            (nothing_yet(companies.companies.is_empty()))
        } @else {
            (news(visitor, new, seen.is_some(), query.typed.text("novas") == "sim"))
            (filter_form::form(&query, &companies))
            p class="fraca" role="status" { (counted(count)) }
            @if page.entries.is_empty() && page.stopped_at.is_none() {
                p class="vazio" { "Nenhum documento recebido com estes filtros." }
            } @else if !page.entries.is_empty() {
                (table::table(app, visitor, &page.entries, seen).await?)
            }
            (ends(&page).links("Páginas dos recebidos", &query.typed))
            (legend())
        }
    };
    Ok(session_page::page(visitor, &RECEIVED, StatusCode::OK, RECEIVED.name, body))
}

/// Steps for a user without received documents.
fn nothing_yet(is_without_company: bool) -> Markup {
    html! {
        section class="cartao" aria-labelledby="nada-titulo" {
            h2 id="nada-titulo" { "Nada chegou ainda" }
            @if is_without_company {
                p { "Esta conta ainda não tem empresa. Depois de cadastrar uma, com o certificado dela, os documentos emitidos para ela aparecem aqui." }
            } @else {
                p { "Os documentos não chegam por e-mail: o Carimbo os busca na autoridade, com o certificado da empresa. Para recebê-los:" }
                ol {
                    li { "a empresa precisa de um certificado A1 válido e da configuração de NF-e, que diz o ambiente;" }
                    li { a href=(SEARCHES) { "ligue a busca automática" } " de cada tipo que quer receber, ou busque uma vez agora;" }
                    li { "a primeira busca traz o que a autoridade guarda, até 90 dias para trás." }
                }
            }
            p { a href="/docs/guia/notas-recebidas" { "Como funcionam os documentos recebidos" } }
        }
    }
}

/// Number of entries that are new to the user.
fn news(visitor: &PanelSession, new: BoundedCount, has_visited: bool, is_narrowed: bool) -> Markup {
    let since = if has_visited { "desde a sua última visita" } else { "que você ainda não viu" };
    html! {
        div class="aviso" role="status" {
            @if new.n == 0 && !new.or_more {
                p { "Nada de novo " (since) "." }
            } @else {
                p {
                    strong { (short_count(new)) @if new.n == 1 && !new.or_more { " documento novo " } @else { " documentos novos " } }
                    (since) "."
                }
                div class="botoes" {
                    @if is_narrowed { a class="botao" href=(RECEIVED.path) { "Ver todos" } }
                    @else { a class="botao" href=(query::address(&[("novas", "sim".to_owned())])) { "Ver só os novos" } }
                    form method="post" action="/painel/recebidos/vistos" {
                        (session_page::proof(visitor))
                        button { "Marcar todos como vistos" }
                    }
                }
            }
        }
    }
}

fn legend() -> Markup {
    html! {
        p class="fraca" {
            "Da NF-e, a empresa tem " (engine::received::CONCLUSION) " dias depois da autorização para dizer à SEFAZ se a compra aconteceu \
             (a manifestação do destinatário). Em vermelho: faltam " (deadline::NEAR_DAYS) " dias ou menos."
        }
    }
}

fn ends(page: &InboxPage) -> PageEnds {
    PageEnds {
        first: page.entries.first().map(|entry| entry.id),
        last: page.entries.last().map(|entry| entry.id),
        has_newer: page.has_newer,
        has_older: page.has_older,
        stopped_at: page.stopped_at,
    }
}

/// Entries of a page.
const PAGE: u32 = 50;
