//! Files of a received document: the form drawn from its XML, and the XML.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use engine::jobs::print::PrintError;
use fiscal::tipo::Tipo;
use http::{HeaderValue, header};
use maud::{Markup, html};
use store::Visibility;
use store::received::ReceivedDocument;

use super::{path, unknown, visible_document};
use crate::api::documento::document_type::{Cte, NationalNfse, Nfe};
use crate::api::error::ApiError;
use crate::api::recebidos::xml::received_file;
use crate::app::App;
use crate::painel::frame;
use crate::painel::panel_session::PanelSession;

/// `GET /painel/recebidos/{empresa}/{chave}/pdf`: framed by the page of the document.
pub(crate) async fn show_received_pdf(
    State(app): State<App>,
    visitor: PanelSession,
    Path((empresa, chave)): Path<(String, String)>,
) -> Response {
    let answer = async {
        let Some(found) = visible_document(&app, &visitor, &empresa, &chave).await? else { return Ok(None) };
        draw(&app, &visitor, &found.note).await
    };
    match answer.await {
        Ok(Some(response)) => response,
        Ok(None) => unknown(&visitor),
        Err(error) => frame::failure(&error),
    }
}

/// `GET /painel/recebidos/{empresa}/{chave}/xml`
pub(crate) async fn download_received(
    State(app): State<App>,
    visitor: PanelSession,
    Path((empresa, chave)): Path<(String, String)>,
) -> Response {
    let answer = async {
        let Some(found) = visible_document(&app, &visitor, &empresa, &chave).await? else { return Ok(None) };
        let (caller, of) = (&visitor.at.caller, Some(found.note.cpf_cnpj));
        let chave = found.note.facts.chave;
        match found.note.facts.type_facts.tipo() {
            Tipo::Cte => received_file::<Cte>(&app, caller, chave, of).await,
            Tipo::Nfse => received_file::<NationalNfse>(&app, caller, chave, of).await,
            Tipo::Nfe | Tipo::Nfce => received_file::<Nfe>(&app, caller, chave, of).await,
        }
        .map(Some)
    };
    match answer.await {
        Ok(Some(mut response)) => {
            response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            response
        }
        Ok(None) => unknown(&visitor),
        Err(error) => frame::failure(&error),
    }
}

/// The form of the whole document; `None` while only its summary is stored, and for a document without a form.
async fn draw(app: &App, visitor: &PanelSession, document: &ReceivedDocument) -> Result<Option<Response>, ApiError> {
    let pdf = match app.engine().received_form(Visibility::of(&visitor.at.caller), document).await {
        Ok(Some(pdf)) => pdf,
        Ok(None) => return Ok(None),
        Err(PrintError::NotDone(error)) => return Err(error.into()),
        Err(error) => {
            tracing::warn!(chave = %document.facts.chave, %error, "the form of a received document could not be drawn");
            return Ok(None);
        }
    };
    let name = format!("inline; filename=\"{}.pdf\"", document.facts.chave);
    let headers = [
        (header::CONTENT_TYPE, "application/pdf"),
        (header::CONTENT_DISPOSITION, name.as_str()),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
        // a PDF loads nothing: only its frame is limited
        (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'self'"),
    ];
    Ok(Some((headers, pdf).into_response()))
}

/// The files, the form shown in place.
pub(super) fn files(document: &ReceivedDocument) -> Markup {
    let (here, whole) = (path(document), document.facts.completa);
    html! {
        section id="arquivos" aria-labelledby="arquivos-titulo" {
            h2 id="arquivos-titulo" { "Arquivos" }
            p class="botoes" {
                @if whole {
                    a class="botao" href={ (here) "/pdf" } target="_blank" rel="noopener" { "Abrir o PDF para imprimir" }
                }
                a class="botao" href={ (here) "/xml" } { @if whole { "Baixar o XML" } @else { "Baixar o resumo (XML)" } }
            }
            @if whole {
                iframe class="pdf" src={ (here) "/pdf" } title="O documento impresso (PDF)" loading="lazy" {}
            } @else {
                p class="vazio" { "O PDF é desenhado do arquivo inteiro, que ainda não chegou." }
            }
        }
    }
}
