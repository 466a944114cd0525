//! NF-e (55) and NFC-e (65): from the caller's `nota` to canonical XML.
//!
//! Law: MOC 7.0, anexo I (layout, rules); `docs/contract.md`, "Emission", for the values that are filled in.

mod consumer;
pub mod describe;
mod early_fields;
mod emission;
mod final_check;
mod foreign_names;
mod groups;
mod inf_nfe;
mod issuer_notices;
pub mod items;
mod message_size;
pub mod moved_value;
pub mod official_tree;
mod part_numbers;
mod payload_path;
pub mod qr;
pub mod review;
pub mod rules;
pub mod summary;
mod supplement;
mod totals;
mod write;

use crate::document::{BuildContext, BuiltDocument, RequestedNumber, ReusableBody};
use crate::finding::Violation;
use crate::map::NoticePolicy;
use crate::nota::requested_number::NumberFields;
use crate::nota::root_scope;
use serde_json::Value;

pub use emission::NfeEmissionRequest;
pub use supplement::supplement;

/// Returns the series and number that the payload requests (`identificacao.serie`, `identificacao.nNF`). The number is
/// reserved before building; the build refuses unreadable values.
pub fn numbering(nota: &Value) -> RequestedNumber {
    let Value::Object(root) = official_tree::groups(nota) else { return RequestedNumber::default() };
    let ide = root_scope(root).below(groups::INF_NFE.child("ide"), "ide");
    NUMBER_FIELDS.numbering(&ide)
}

const NUMBER_FIELDS: NumberFields = NumberFields::of_key(&["nNF"]);

/// Writes the document without the final check against the layout and without notices: for a payload that `build`
/// accepted before and whose notices the caller has received.
pub fn write(nota: &Value, context: &BuildContext<'_>) -> Result<BuiltDocument, Vec<Violation>> {
    written(write::draft(official_tree::groups(nota), context, NoticePolicy::Dropped, None)?)
}

/// Writes the document around a body written before, which is copied unchanged. The payload may have lost its items
/// meanwhile (`items::remove_items`).
pub fn write_around(
    nota: &Value,
    context: &BuildContext<'_>,
    body: ReusableBody<'_>,
) -> Result<BuiltDocument, Vec<Violation>> {
    written(write::draft(official_tree::groups(nota), context, NoticePolicy::Dropped, Some(body))?)
}

fn written(draft: write::NfeDraft) -> Result<BuiltDocument, Vec<Violation>> {
    if draft.violations.is_empty() { Ok(draft.built) } else { Err(draft.violations) }
}

/// Builds the document, or returns every violation. Paths start with `nota.`.
pub fn build(nota: &Value, context: &BuildContext<'_>) -> Result<BuiltDocument, Vec<Violation>> {
    official_tree::refuse(nota)?;
    let groups = official_tree::groups(nota);
    let draft = write::draft(groups, context, NoticePolicy::Kept, None);
    match draft.and_then(|draft| final_check::check_draft(groups, context, draft)) {
        Ok(built) => Ok(BuiltDocument { notices: official_tree::remarks(nota, built.notices), ..built }),
        Err(violations) => Err(official_tree::refusals(nota, violations)),
    }
}
