//! `/painel/recebidos`: NF-e, CT-e and NFS-e that others issued to the companies of the account: an inbox of all types,
//! a page per document with its manifestation, and the search at the authorities.
//!
//! Law: docs/concepts/panel.md, "Received documents". Manifestations and searches run through the functions of the
//! API's routes, so that both refuse alike.

mod deadline;
mod document_page;
mod events;
mod files;
mod filter_form;
mod inbox;
mod law;
mod manifest_form;
mod query;
mod search_page;
mod standing;
mod table;

pub(crate) use document_page::{fetch_received, show_received};
pub(crate) use files::{download_received, show_received_pdf};
pub(crate) use inbox::{mark_received_seen, show_inbox};
pub(crate) use manifest_form::{show_manifestation, submit_manifestation};
pub(crate) use search_page::{show_searches, submit_search};

use axum::response::Response;
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, ChaveAcesso, CnpjCpf};
use http::StatusCode;
use maud::html;
use store::Visibility;
use store::emissions::BoundedCount;
use store::received::{InboxFilter, ReceivedDocument, ReceivedWithEvents, TypeFacts};

use super::navigation::RECEIVED;
use super::panel_session::PanelSession;
use super::session_page;
use crate::api::error::ApiError;
use crate::app::App;

/// Address of the searches at the authorities.
const SEARCHES: &str = "/painel/recebidos/buscas";

/// Path of a document's page.
fn path(document: &ReceivedDocument) -> String {
    format!("{}/{}/{}", RECEIVED.path, document.cpf_cnpj.as_str(), document.facts.chave)
}

/// A received document that the session may see; `None` for all others.
async fn visible_document(
    app: &App,
    visitor: &PanelSession,
    empresa: &str,
    chave: &str,
) -> Result<Option<ReceivedWithEvents>, ApiError> {
    let (Ok(company), Ok(chave)) = (CnpjCpf::parse(empresa), Chave::parse(chave)) else { return Ok(None) };
    let tipo = type_of(&chave);
    let sight = Visibility::of(&visitor.at.caller);
    match app.store().received_document(sight, tipo, chave.as_str().to_owned(), Some(company)).await {
        Ok(found) => Ok(Some(found)),
        Err(store::Error::NotFound) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

/// Type of the document of a key.
fn type_of(chave: &Chave) -> Tipo {
    match chave {
        Chave::Acesso(chave) if chave.parts().modelo == 55 => Tipo::Nfe,
        Chave::Acesso(_) => Tipo::Cte,
        Chave::Nfse(_) | Chave::Rps(_) => Tipo::Nfse,
    }
}

/// `NF-e nº 12, série 1`.
fn title(document: &ReceivedDocument) -> String {
    let facts = &document.facts;
    let name = facts.type_facts.tipo().name();
    match (&facts.type_facts, ChaveAcesso::parse(&facts.chave)) {
        (TypeFacts::Services(services), _) => format!("{name} nº {}", services.numero),
        (_, Ok(chave)) => format!("{name} nº {}, série {}", chave.parts().nNF, chave.parts().serie),
        (_, Err(_)) => name.to_owned(),
    }
}

/// NF-e whose time for a manifestation ends soon, with the address of their list.
pub(super) async fn nearing_deadlines(app: &App, visitor: &PanelSession) -> Result<(BoundedCount, String), ApiError> {
    let filter = InboxFilter { open: Some(deadline::nearing(app.engine().now_s())), ..InboxFilter::default() };
    let (sight, ambiente) = (Visibility::of(&visitor.at.caller), visitor.at.caller.ambiente);
    let count = app.store().count_received_inbox(sight, ambiente, filter).await?;
    Ok((count, query::address(&[("prazo", "acaba".to_owned())])))
}

/// 404, equal for an absent document and for one of another account or environment.
fn unknown(visitor: &PanelSession) -> Response {
    let body = html! {
        h1 { "Não encontrado" }
        p {
            "Não há documento recebido com este endereço nesta conta e neste ambiente. Se ele é de produção, vá para lá no alto desta página e \
             abra o endereço de novo."
        }
        p { a href=(RECEIVED.path) { "Voltar aos recebidos" } }
    };
    session_page::page(visitor, &RECEIVED, StatusCode::NOT_FOUND, "Não encontrado", body)
}
