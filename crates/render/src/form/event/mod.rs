//! Form of an event: carta de correção, cancellation and the like, on as many sheets as its text needs.
//!
//! Law: no manual draws this form; it shows the contents of the registered event (`procEventoNFe`, `procEventoCTe`,
//! `evento` of an NFS-e, `NfseCancelamento` of a municipal one) in the blocks of the DANFE.

mod document;
mod municipal;
mod page;
mod service;
mod subject;

use super::dfe::FormError;
use super::grid::Grid;
use super::options::PrintedStatus;
use super::stored::{ParsedDocument, StoredElement};
use crate::paper::Sheet;
use crate::pdf;
use std::borrow::Cow;

/// The form of a registered event as a PDF, with the parties of its document (`nfeProc`, `NFe`, `resNFe`, `cteProc`,
/// `NFSe`) when that is given.
pub fn pdf(xml: &[u8], note: Option<&[u8]>) -> Result<Vec<u8>, FormError> {
    let document = ParsedDocument::read(xml)?;
    let note = note.map(ParsedDocument::read).transpose()?;
    let event = read(&document, note.as_ref()).ok_or(FormError::NoForm)?;
    let sheets = page::sheets(&*event)?;
    Ok(pdf::write(format!("{} {}", event.name(), event.chave()).trim_end(), &sheets, &[]))
}

/// Number and moment of a registered event for the forms, in the offset of its author.
pub fn registration(xml: &[u8]) -> Option<String> {
    let document = ParsedDocument::read(xml).ok()?;
    Some(read(&document, None)?.protocol()).filter(|protocol| !protocol.is_empty())
}

/// Status that an event gives its document: cancelled, or substituted by another.
pub fn status_after_event(xml: &[u8]) -> Option<PrintedStatus> {
    let document = ParsedDocument::read(xml).ok()?;
    Some(read(&document, None)?.resulting_status())
}

/// Sheets of the form of a registered event.
pub fn sheets<'x>(
    document: &'x ParsedDocument<'_>,
    note: Option<&'x ParsedDocument<'_>>,
) -> Result<Vec<Sheet<'x>>, FormError> {
    page::sheets(&*read(document, note).ok_or(FormError::NoForm)?)
}

/// Reads an event of any family.
fn read<'x>(
    document: &'x ParsedDocument<'_>,
    note: Option<&'x ParsedDocument<'_>>,
) -> Option<Box<dyn EventContents<'x> + 'x>> {
    let root: StoredElement<'x> = document.root()?;
    // two families have an element of this name: that of the NFS-e contains a request
    if let Some(event) = service::NationalEvent::of(root, note) {
        return Some(Box::new(event));
    }
    if let Some(event) = municipal::MunicipalCancellation::of(root, note) {
        return Some(Box::new(event));
    }
    Some(Box::new(document::SefazEvent::of(root, note)?))
}

/// Contents of an event's form.
trait EventContents<'x> {
    /// Title of the form.
    fn name(&self) -> &'static str;
    /// Key of the event's document.
    fn chave(&self) -> &'x str;
    /// Number and moment of the registration, in the offset of the author.
    fn protocol(&self) -> String;
    /// Texts of the event with their headings.
    fn paragraphs(&self) -> Vec<(&'static str, Cow<'x, str>)>;
    fn grids(&self) -> Vec<Grid<'x>>;
    fn is_test(&self) -> bool;
    /// Status that a cancellation gives its document.
    fn resulting_status(&self) -> PrintedStatus;
    fn code(&self) -> LookupCode;
}

/// Code by which a machine finds the document.
enum LookupCode {
    /// Bars of the key.
    Bars,
    /// QR code of the query's address.
    Address(String),
    /// None: the document is found by its number in the city's portal.
    None,
}
