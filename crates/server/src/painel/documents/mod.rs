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
use maud::html;
use store::Visibility;
use store::emissions::EmissionPage;

use super::company_choices::CompanyChoices;
use super::filters::address::cursor_of;
use super::list_pages::{PageEnds, counted};
use super::navigation::DOCUMENTS;
use super::panel_session::PanelSession;
use super::{frame, session_page};
use crate::api::error::ApiError;
use crate::app::App;
use query::read;

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
    let count = match page.count {
        Some(count) => count,
        None => app.store().count_emissions(sight, filter).await?,
    };
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
        (ends(&page).links("Páginas dos documentos", &query.typed))
    };
    Ok(session_page::page(visitor, &DOCUMENTS, StatusCode::OK, DOCUMENTS.name, body))
}

fn ends(page: &EmissionPage) -> PageEnds {
    PageEnds {
        first: page.jobs.first().map(|job| job.id),
        last: page.jobs.last().map(|job| job.id),
        has_newer: page.has_newer,
        has_older: page.has_older,
        stopped_at: page.stopped_at,
    }
}

/// Entries of a page.
const PAGE: u32 = 50;
