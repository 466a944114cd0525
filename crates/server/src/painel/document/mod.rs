//! `/painel/documentos/{job_id}`: a document of any family in any state, with its history, files and acts.
//!
//! An act is a form page below it (`/painel/documentos/{job_id}/{ato}`); its law stands beside it. Acts run through the
//! functions of the API's routes, so that both refuse alike.

mod acts;
mod deliveries;
mod events;
mod fields;
mod files;
mod form_page;
mod items;
mod known_outcome;
mod law;
mod records;
mod rejection;
mod resend;
mod sections;
mod standing;
mod submission;
mod timeline;

pub(super) use acts::duration;
pub(super) use items::items;
pub(super) use known_outcome::outcome;
pub(super) use sections::{by_fours, party};

pub(crate) use files::{download_document_file, show_document_pdf};
pub(crate) use form_page::{show_act, submit_act};
pub(crate) use resend::resend_document_delivery;
pub(crate) use sections::show_document;

use axum::response::Response;
use http::StatusCode;
use maud::html;
use store::Visibility;
use store::jobs::Job;
use uuid::Uuid;

use super::navigation::DOCUMENTS;
use super::panel_session::PanelSession;
use super::session_page;
use crate::api::error::ApiError;
use crate::app::App;

/// Path of a document's page.
fn path(id: Uuid) -> String {
    format!("{}/{id}", DOCUMENTS.path)
}

/// A job that the session may see; `None` for all others.
async fn visible_job(app: &App, visitor: &PanelSession, id: &str) -> Result<Option<Job>, ApiError> {
    let Ok(id) = Uuid::parse_str(id) else { return Ok(None) };
    match app.store().job(Visibility::of(&visitor.at.caller), id).await {
        Ok(job) => Ok(Some(job)),
        Err(store::Error::NotFound) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

/// 404, equal for an absent document and for one of another account or environment.
fn unknown(visitor: &PanelSession) -> Response {
    let body = html! {
        h1 { "Não encontrado" }
        p {
            "Não há documento com este endereço nesta conta e neste ambiente. Se ele é de produção, vá para lá no alto desta página e abra o \
             endereço de novo."
        }
        p { a href=(DOCUMENTS.path) { "Voltar aos documentos" } }
    };
    session_page::page(visitor, &DOCUMENTS, StatusCode::NOT_FOUND, "Não encontrado", body)
}
