//! The printed form of an event: carta de correção, cancellation and the like, one sheet or as many as its text needs.
//!
//! Law: none gives a drawing for it; it says what the registered event (`procEventoNFe`, `procEventoCTe`, `evento` of
//! an NFS-e, `NfseCancelamento` of a municipal one) says, in the blocks of the DANFE.

mod document;
mod municipal;
mod page;
mod service;
mod subject;

use super::dfe::Unreadable;
use super::grid::Grid;
use super::options::Standing;
use super::stored::{Document, Element};
use super::value;
use crate::paper::Sheet;
use crate::pdf;
use std::borrow::Cow;

/// The form of a registered event as a PDF, with the parties of its document (`nfeProc`, `NFe`, `resNFe`, `cteProc`,
/// `NFSe`) when that is known.
pub fn pdf(xml: &[u8], note: Option<&[u8]>) -> Result<Vec<u8>, Unreadable> {
    let document = Document::read(xml)?;
    let note = note.map(Document::read).transpose()?;
    let event = read(&document, note.as_ref()).ok_or(Unreadable::NoForm)?;
    let sheets = page::sheets(&*event)?;
    Ok(pdf::write(format!("{} {}", event.name(), event.chave()).trim_end(), &sheets, &[]))
}

/// Number and moment of a registered event, as forms say them: on the clock of whoever asked for it.
pub fn registration(xml: &[u8]) -> Option<String> {
    let document = Document::read(xml).ok()?;
    Some(read(&document, None)?.protocol()).filter(|protocol| !protocol.is_empty())
}

/// What became of the document that an event ended: cancelled, or substituted by another.
pub fn standing(xml: &[u8]) -> Option<Standing> {
    let document = Document::read(xml).ok()?;
    Some(read(&document, None)?.standing())
}

/// The sheets of the form of a registered event.
pub fn sheets<'x>(document: &'x Document<'_>, note: Option<&'x Document<'_>>) -> Result<Vec<Sheet<'x>>, Unreadable> {
    page::sheets(&*read(document, note).ok_or(Unreadable::NoForm)?)
}

/// An event of any family.
fn read<'x>(document: &'x Document<'_>, note: Option<&'x Document<'_>>) -> Option<Box<dyn Told<'x> + 'x>> {
    let root: Element<'x> = document.root()?;
    // two families have an element of this name: that of services holds what was asked for
    if let Some(event) = service::Event::of(root, note) {
        return Some(Box::new(event));
    }
    if let Some(event) = municipal::Event::of(root, note) {
        return Some(Box::new(event));
    }
    Some(Box::new(document::Event::of(root, note)?))
}

/// What a form says of an event.
trait Told<'x> {
    /// Title of the form.
    fn name(&self) -> &'static str;
    /// Key of the document of which it speaks.
    fn chave(&self) -> &'x str;
    /// Number and moment of its registration, on the clock of whoever asked for it.
    fn protocol(&self) -> String;
    /// What the event says, each part with its heading.
    fn paragraphs(&self) -> Vec<(&'static str, Cow<'x, str>)>;
    fn grids(&self) -> Vec<Grid<'x>>;
    fn is_test(&self) -> bool;
    /// What a cancellation makes of its document.
    fn standing(&self) -> Standing;
    fn code(&self) -> Code;
}

/// By what a machine finds the document.
enum Code {
    /// Bars of the key.
    Bars,
    /// A QR code of the address where it is looked up.
    Address(String),
    /// By its number and the city's portal: no machine reads that.
    None,
}

/// Number and moment, the moment on the clock of another; nothing without a number.
pub(super) fn protocol(number: &str, moment: &str, like: &str) -> String {
    let moment = value::moment_beside(moment, like);
    match (number, moment.as_str()) {
        ("", _) => String::new(),
        (number, "") => number.to_owned(),
        (number, moment) => format!("{number} - {moment}"),
    }
}
