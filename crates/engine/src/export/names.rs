//! Names in the archive: of keys alone, so that no text of a document can name a place.

use fiscal::archive_name::{self, document_key, letters};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use store::exports::{ExportDocument, ExportEvent};
use store::jobs::VoidAct;

fn key(document: &ExportDocument) -> String {
    document_key(document.chave.as_ref(), &document.job_id)
}

/// Name of the document with its protocol.
pub(super) fn document(document: &ExportDocument) -> String {
    let root = archive_name::document_root(document.tipo);
    let folder = if document.state == DocumentState::Cancelled { "canceladas" } else { "autorizadas" };
    format!("{}/{folder}/{}-{root}.xml", document.tipo.word(), key(document))
}

/// Name of an event.
pub(super) fn event(document: &ExportDocument, event: &ExportEvent) -> String {
    let root = archive_name::event_root(document.tipo);
    let kind = match &event.kind {
        None => "cancelamento".to_owned(),
        Some((kind, number)) => format!("{}-{number:02}", letters(kind)),
    };
    format!("{}/eventos/{}-{kind}-{root}.xml", document.tipo.word(), key(document))
}

/// Name of a printed form.
pub(super) fn form(document: &ExportDocument) -> String {
    let label = archive_name::form_word(document.tipo);
    format!("{}/pdf/{}-{label}.pdf", document.tipo.word(), key(document))
}

/// Name of a PDF of many documents, counted from 1.
pub(super) fn joined(tipo: Tipo, number: u32) -> String {
    format!("{}/pdf/formularios-{number:04}.pdf", tipo.word())
}

/// Name of the registration of voided numbers.
pub(super) fn voided(tipo: Tipo, range: &VoidAct) -> String {
    let (VoidAct { cUF, ano, modelo, serie, .. }, (first, last)) = (range, range.bounds());
    format!("{}/inutilizacoes/{cUF:02}{ano:02}{modelo:02}{serie:03}{first:09}{last:09}-procInutNFe.xml", tipo.word())
}
