//! Printed forms: from a stored document alone to marks on sheets, or to the bytes of a receipt printer. Each root
//! element has a row here and a folder beside `nfe`.
//!
//! Must not know: PDF, the document's storage, the time.

mod cte;
mod dfe;
mod emitter;
pub mod event;
mod grid;
mod key;
mod mark;
mod municipal;
pub mod nfe;
mod nfse;
mod options;
mod roll;
mod stored;
pub mod value;

pub use dfe::{Dfe, Unreadable};
pub use options::{Epec, Layout, Options, Paper, Standing};
pub use stored::{Document, Element};

use crate::paper::Sheet;
use crate::pdf::{self, picture::Picture};
use dfe::Words;

/// Form of the documents with one root element.
pub(crate) struct Form {
    words: Words,
    /// Title in the file's metadata.
    title: for<'x> fn(Dfe<'x>) -> &'static str,
    sheets: for<'x> fn(Dfe<'x>, &'x Options) -> Result<Vec<Sheet<'x>>, Unreadable>,
    /// Bytes for a receipt printer; `None` when the form is no receipt.
    receipt: for<'x> fn(Dfe<'x>, &'x Options) -> Receipt,
}

type Receipt = Result<Option<Vec<u8>>, Unreadable>;

static FORMS: [&Form; 10] = [
    &nfe::FORM,
    &cte::CARGO,
    &cte::SERVICE,
    &nfse::NOTE,
    &nfse::DECLARATION,
    &municipal::NOTE,
    &municipal::LOT,
    &municipal::LOT_AT_ONCE,
    &municipal::SINGLE,
    &municipal::SUBSTITUTE,
];

/// True when documents of a root element (`NFe`) have a form.
pub fn has_form(root: &str) -> bool {
    FORMS.iter().any(|form| form.words.root == root)
}

/// The form of a stored document as a PDF, alone or with its authorisation.
pub fn pdf(xml: &[u8], options: &Options) -> Result<Vec<u8>, Unreadable> {
    let document = Document::read(xml)?;
    let dfe = Dfe::of(&document)?.standing(&options.standing);
    let sheets = sheets(dfe, options)?;
    let logo: &[Picture] = options.logo.as_slice();
    let title = (dfe.form().title)(dfe);
    Ok(pdf::write(format!("{title} {}", dfe.chave()).trim_end(), &sheets, logo))
}

/// Sheets of a document's form.
pub fn sheets<'x>(dfe: Dfe<'x>, options: &'x Options) -> Result<Vec<Sheet<'x>>, Unreadable> {
    (dfe.form().sheets)(dfe, options)
}

/// The receipt of a stored document for an ESC/POS printer; `None` when its form is no receipt.
pub fn escpos(xml: &[u8], options: &Options) -> Result<Option<Vec<u8>>, Unreadable> {
    let document = Document::read(xml)?;
    let dfe = Dfe::of(&document)?.standing(&options.standing);
    (dfe.form().receipt)(dfe, options)
}
