//! CT-e (57, cargo) and CT-e OS (67, passengers, valuables, excess baggage): from the caller's `nota` to canonical XML.
//!
//! Law: MOC CT-e 4.00 anexo I with its notes up to NT 2026.004; `docs/contract.md`, "CT-e".

mod abroad;
mod defaults;
pub mod describe;
mod emission;
mod foreign_names;
mod groups;
mod model;
pub mod official;
mod predictions;
pub mod qr;
pub mod review;
pub mod rules;
mod supplement;
mod write;

use crate::document::{BuildContext, BuiltDocument, RequestedNumber};
use crate::finding::Violation;
use crate::map::{self, NoticePolicy};
use crate::nota::requested_number::NumberFields;
use crate::nota::root_scope;
use crate::value::amount;
use model::CteModel;
use rust_decimal::prelude::ToPrimitive;
use serde_json::{Map, Value};

pub use emission::CteEmissionRequest;
pub use supplement::supplement;
pub use write::registration;

/// The model that a payload requests (`identificacao.modelo` or `mod`), read leniently.
pub fn modelo(nota: &Value) -> Option<u8> {
    let root = official::groups(nota).as_object()?;
    let (_, asked) = model::requested_model(&model::ide(root))?;
    amount(asked).filter(|modelo| modelo.fract().is_zero())?.to_u8()
}

const NUMBER_FIELDS: NumberFields = NumberFields::of_key(&["nCT", "numero", "nNF"]);

/// Series and number that the payload requests (`identificacao.serie`, `identificacao.nCT`); used to reserve a number
/// before building, which refuses unreadable values.
pub fn numbering(nota: &Value) -> RequestedNumber {
    let Some(root) = official::groups(nota).as_object() else { return RequestedNumber::default() };
    let ide = model::ide(root);
    NUMBER_FIELDS.numbering(&ide)
}

/// Writes the document without the check against the layout and without notices, for a payload that `build` accepted
/// before.
pub fn write(nota: &Value, context: &BuildContext<'_>) -> Result<BuiltDocument, Vec<Violation>> {
    let draft = write::draft(official::groups(nota), context, NoticePolicy::Dropped)?;
    if draft.violations.is_empty() { Ok(draft.built) } else { Err(draft.violations) }
}

/// Builds the document, or returns every violation. Paths start with `nota.`.
pub fn build(nota: &Value, context: &BuildContext<'_>) -> Result<BuiltDocument, Vec<Violation>> {
    official::refuse(nota)?;
    let review::ReviewedCte { built, violations } = review::check_draft(official::groups(nota), context)?;
    if violations.is_empty() {
        Ok(BuiltDocument { notices: official::remarks(nota, built.notices), ..built })
    } else {
        Err(official::refusals(nota, violations))
    }
}

/// The caller's path of an XML path below the root.
fn campo(model: &'static CteModel, root: &Map<String, Value>, path: &str) -> String {
    let path = path.strip_prefix("infCte/").unwrap_or(path);
    match path.strip_prefix("ide/").filter(|rest| rest.starts_with("toma")) {
        // in the contract, `tomador` is beside `identificacao`
        Some(rest) if !model.has_tomador_in_ide(root) => map::locate(rest, model.map.child("ide"), &root_scope(root)),
        _ => map::locate(path, Some(model.map), &root_scope(root)),
    }
}
