//! Files of a document: the list, the form shown in the page, and downloads.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use maud::{Markup, html};
use store::Visibility;

use super::records::DocumentRecords;
use super::{path, unknown, visible_job};
use crate::api::documento::file::{RequestedFile, read_file};
use crate::app::App;
use crate::painel::frame;
use crate::painel::panel_session::PanelSession;

/// `GET /painel/documentos/{id}/pdf`: the only page that another of ours may frame.
pub(crate) async fn show_document_pdf(
    State(app): State<App>,
    visitor: PanelSession,
    Path(id): Path<String>,
) -> Response {
    let mut response = file_answer(&app, &visitor, &id, "pdf", "inline").await;
    if response.status().is_success() {
        let headers = response.headers_mut();
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
        // a PDF loads nothing: only its frame is limited
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("frame-ancestors 'self'"));
    }
    response
}

/// `GET /painel/documentos/{id}/arquivo/{tipo}`
pub(crate) async fn download_document_file(
    State(app): State<App>,
    visitor: PanelSession,
    Path((id, tipo)): Path<(String, String)>,
) -> Response {
    file_answer(&app, &visitor, &id, &tipo, "attachment").await
}

async fn file_answer(app: &App, visitor: &PanelSession, id: &str, tipo: &str, disposition: &str) -> Response {
    let job = match visible_job(app, visitor, id).await {
        Ok(Some(job)) => job,
        Ok(None) => return unknown(visitor),
        Err(error) => return frame::failure(&error),
    };
    let read = async {
        let asked = RequestedFile::read(job.tipo, tipo, None)?;
        read_file(app, Visibility::of(&visitor.at.caller), &job, asked).await
    };
    match read.await {
        Ok(file) => {
            let mut response = file.answer(disposition);
            response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            response.into_response()
        }
        Err(error) => frame::failure(&error),
    }
}

/// The files of the document, its form shown in place.
pub(super) fn files(records: &DocumentRecords, live: Option<&str>) -> Markup {
    let (files, here) = (&records.files, path(records.job.id));
    let link = |there: bool, tipo: &str, name: &str| {
        html! { @if there { a class="botao" href={ (here) "/arquivo/" (tipo) } { (name) } } }
    };
    html! {
        section id="arquivos" data-vivo=[live] aria-labelledby="arquivos-titulo" {
            h2 id="arquivos-titulo" { "Arquivos" }
            p class="botoes" {
                @if files.pdf.is_some() {
                    a class="botao" href={ (here) "/pdf" } target="_blank" rel="noopener" { "Abrir o PDF para imprimir" }
                }
                (link(files.pdf.is_some(), "pdf", "Baixar o PDF"))
                (link(files.xml.is_some(), "xml", "Baixar o XML"))
                (link(files.xml_cancelamento.is_some(), "xml_cancelamento", "XML do cancelamento"))
                (link(files.log.is_some(), "log", "História completa (texto)"))
            }
            @if files.xml.is_none() { p class="vazio" { "O XML existe depois da autorização." } }
            @if files.pdf.is_some() {
                iframe class="pdf" src={ (here) "/pdf" } title="O documento impresso (PDF)" loading="lazy" {}
            }
        }
    }
}
