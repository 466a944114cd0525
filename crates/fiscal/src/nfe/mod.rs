//! NF-e (55) and NFC-e (65): from the caller's `nota` to canonical XML.
//!
//! Law: MOC 7.0, anexo I (layout, rules); `docs/contract.md`, "Emission", for the values that are filled in.

mod consumer;
pub mod describe;
mod early;
mod elsewhere;
mod emission;
mod groups;
pub mod items;
pub mod moved;
pub mod official;
mod part;
pub mod qr;
mod remarks;
pub mod review;
pub mod rules;
mod size;
pub(crate) mod summary;
mod supplement;
mod totals;
mod verdict;
mod write;

use crate::document::{BuildContext, BuiltDocument, RequestedNumber, ReusableBody};
use crate::finding::Violation;
use crate::map::NoticePolicy;
use crate::nota::asked::NumberFields;
use crate::nota::root_scope;
use serde_json::Value;

pub use emission::NfeEmissionRequest;
pub use supplement::supplement;

/// Returns the series and number that the payload requests (`identificacao.serie`, `identificacao.nNF`). The number is
/// reserved before building; the build refuses unreadable values.
pub fn numbering(nota: &Value) -> RequestedNumber {
    let Value::Object(root) = official::groups(nota) else { return RequestedNumber::default() };
    let ide = root_scope(root).below(groups::INF_NFE.child("ide"), "ide");
    NUMBER_FIELDS.numbering(&ide)
}

const NUMBER_FIELDS: NumberFields = NumberFields::of_key(&["nNF"]);

/// Writes the document without the final check against the layout and without notices: for a payload that `build`
/// accepted before and whose notices the caller has received.
pub fn write(nota: &Value, context: &BuildContext<'_>) -> Result<BuiltDocument, Vec<Violation>> {
    written(write::draft(official::groups(nota), context, NoticePolicy::Dropped, None)?)
}

/// Writes the document around a body written before, which is copied unchanged. The payload may have lost its items
/// meanwhile (`items::remove_items`).
pub fn write_around(
    nota: &Value,
    context: &BuildContext<'_>,
    body: ReusableBody<'_>,
) -> Result<BuiltDocument, Vec<Violation>> {
    written(write::draft(official::groups(nota), context, NoticePolicy::Dropped, Some(body))?)
}

fn written(draft: write::NfeDraft) -> Result<BuiltDocument, Vec<Violation>> {
    if draft.violations.is_empty() { Ok(draft.built) } else { Err(draft.violations) }
}

/// Builds the document, or returns every violation. Paths start with `nota.`.
pub fn build(nota: &Value, context: &BuildContext<'_>) -> Result<BuiltDocument, Vec<Violation>> {
    official::refuse(nota)?;
    let groups = official::groups(nota);
    let draft = write::draft(groups, context, NoticePolicy::Kept, None);
    match draft.and_then(|draft| verdict::check_draft(groups, context, draft)) {
        Ok(built) => Ok(BuiltDocument { notices: official::remarks(nota, built.notices), ..built }),
        Err(violations) => Err(official::refusals(nota, violations)),
    }
}
