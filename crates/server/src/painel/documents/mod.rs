//! `GET /painel/documentos`: documents of every family and state, newest first, with filters and the search field.
//!
//! Law: docs/concepts/panel.md, "Lists".

pub(super) mod filter_form;
pub(super) mod query;
mod search;
mod table;
pub(super) mod words;

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use maud::{Markup, html};
use store::Visibility;
use store::emissions::{BoundedCount, EmissionPage};

use super::company_choices::CompanyChoices;
use super::navigation::DOCUMENTS;
use super::panel_session::PanelSession;
use super::{frame, session_page};
use crate::api::error::ApiError;
use crate::app::App;
use query::{DocumentQuery, cursor_of, read};

/// `GET /painel/documentos`
pub(crate) async fn list_documents(
    State(app): State<App>,
    visitor: PanelSession,
    RawQuery(query): RawQuery,
) -> Response {
    let query = query.as_deref().unwrap_or_default();
    let shown = match search::typed(query) {
        Some(typed) => search::destination(&app, &visitor, &typed).await.map(|to| Redirect::to(&to).into_response()),
        None => document_list(&app, &visitor, query).await,
    };
    shown.unwrap_or_else(|error| frame::failure(&error))
}

async fn document_list(app: &App, visitor: &PanelSession, text: &str) -> Result<Response, ApiError> {
    let sight = Visibility::of(&visitor.at.caller);
    let companies = CompanyChoices::read(app, Visibility::of(&visitor.at.caller)).await?;
    let query = read(app, visitor, text).await?;
    let Some(filter) = query.filter.clone() else {
        let body = html! { h1 { (DOCUMENTS.name) } (filter_form::form(&query, &companies)) };
        return Ok(session_page::page(visitor, &DOCUMENTS, StatusCode::UNPROCESSABLE_ENTITY, DOCUMENTS.name, body));
    };
    let page = app.store().emissions(sight, filter.clone(), cursor_of(text), PAGE).await?;
    let count = app.store().count_emissions(sight, filter).await?;
    let body = html! {
        h1 { (DOCUMENTS.name) }
        (filter_form::form(&query, &companies))
        p class="fraca" role="status" { (counted(count)) }
        @if page.too_many_addressees {
            p class="aviso" { "Muitos destinatários têm esse nome, e só uma parte deles foi procurada. Escreva mais do nome, ou o CNPJ ou CPF." }
        }
        @if page.jobs.is_empty() && page.stopped_at.is_none() {
            p class="vazio" { "Nenhum documento aqui com estes filtros." }
        } @else if !page.jobs.is_empty() {
            (table::table(app, visitor, &page.jobs).await?)
        }
        (pages(&query, &page))
    };
    Ok(session_page::page(visitor, &DOCUMENTS, StatusCode::OK, DOCUMENTS.name, body))
}

/// Number of entries, in words.
pub(super) fn counted(count: BoundedCount) -> String {
    let number = super::words::decimal(&count.n.to_string());
    match (count.n, count.or_more) {
        (0, true) => "Ainda não se sabe quantos documentos.".to_owned(),
        (_, true) => format!("Mais de {number} documentos."),
        (1, false) => "1 documento.".to_owned(),
        (_, false) => format!("{number} documentos."),
    }
}

fn pages(query: &DocumentQuery, page: &EmissionPage) -> Markup {
    let (first, last) = (page.jobs.first().map(|job| job.id), page.jobs.last().map(|job| job.id));
    html! {
        @if page.has_newer || page.has_older || page.stopped_at.is_some() {
            nav class="paginas" aria-label="Páginas dos documentos" {
                @if page.has_newer { a href=(query.address(None)) { "As mais novas" } }
                @if let Some(id) = first.filter(|_| page.has_newer) {
                    a rel="prev" href=(query.address(Some(("depois", id)))) { "Mais novas" }
                }
                @if let Some(id) = last.filter(|_| page.has_older) {
                    a rel="next" href=(query.address(Some(("antes", id)))) { "Mais antigas" }
                }
                @if let Some(id) = page.stopped_at {
                    a rel="next" href=(query.address(Some(("antes", id)))) { "Continuar procurando nos mais antigos" }
                }
            }
        }
    }
}

/// Entries of a page.
const PAGE: u32 = 50;
