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
mod municipal;
pub mod nfe;
mod nfse;
mod options;
mod roll;
mod status_mark;
mod stored;
pub mod value;

pub use dfe::{Dfe, FormError};
pub use options::{DanfeLayout, EpecRegistration, PrintOptions, PrintedStatus, ReceiptPaper};
pub use stored::{ParsedDocument, StoredElement};

use crate::paper::Sheet;
use crate::pdf::{self, picture::Picture};
use dfe::DocumentTags;

/// Form of the documents with one root element.
pub(crate) struct FormKind {
    words: DocumentTags,
    /// Title in the file's metadata.
    title: for<'x> fn(Dfe<'x>) -> &'static str,
    sheets: for<'x> fn(Dfe<'x>, &'x PrintOptions) -> Result<Vec<Sheet<'x>>, FormError>,
    /// Bytes for a receipt printer; `None` when the form is no receipt.
    receipt: for<'x> fn(Dfe<'x>, &'x PrintOptions) -> ReceiptBytes,
}

type ReceiptBytes = Result<Option<Vec<u8>>, FormError>;

static FORMS: [&FormKind; 10] = [
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
pub fn pdf(xml: &[u8], options: &PrintOptions) -> Result<Vec<u8>, FormError> {
    let document = ParsedDocument::read(xml)?;
    let dfe = Dfe::of(&document)?.with_status(&options.status);
    let sheets = sheets(dfe, options)?;
    let logo: &[Picture] = options.logo.as_slice();
    let title = (dfe.form().title)(dfe);
    Ok(pdf::write(format!("{title} {}", dfe.chave()).trim_end(), &sheets, logo))
}

/// The forms of several documents of one issuer as one PDF, in this order, and the number of documents without a form.
/// The logo is that of the first one.
pub fn joined_pdf(title: &str, documents: &[(String, PrintOptions)]) -> (Vec<u8>, usize) {
    let parsed: Vec<(ParsedDocument, &PrintOptions)> = documents
        .iter()
        .filter_map(|(xml, options)| Some((ParsedDocument::read(xml.as_bytes()).ok()?, options)))
        .collect();
    let (mut all, mut without) = (Vec::new(), documents.len() - parsed.len());
    for (document, options) in &parsed {
        let drawn = Dfe::of(document).and_then(|dfe| sheets(dfe.with_status(&options.status), options));
        match drawn {
            Ok(drawn) => all.extend(drawn),
            Err(_) => without += 1,
        }
    }
    let logo: &[Picture] = parsed.first().map_or(&[], |(_, options)| options.logo.as_slice());
    (pdf::write(title, &all, logo), without)
}

/// Sheets of a document's form.
pub fn sheets<'x>(dfe: Dfe<'x>, options: &'x PrintOptions) -> Result<Vec<Sheet<'x>>, FormError> {
    (dfe.form().sheets)(dfe, options)
}

/// The receipt of a stored document for an ESC/POS printer; `None` when its form is no receipt.
pub fn escpos(xml: &[u8], options: &PrintOptions) -> Result<Option<Vec<u8>>, FormError> {
    let document = ParsedDocument::read(xml)?;
    let dfe = Dfe::of(&document)?.with_status(&options.status);
    (dfe.form().receipt)(dfe, options)
}
