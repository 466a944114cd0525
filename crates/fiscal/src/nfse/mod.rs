//! NFS-e of the national standard: from the caller's `nota` to the canonical XML of the DPS, the declaration from which
//! the Sefin Nacional makes the NFS-e.
//!
//! Law: the layout of the DPS 1.01 (package of 2026-07-27; `layouts` also has NT 009); anexo I of 2026-02-09;
//! `docs/contract.md`, "NFS-e".

pub mod amounts;
pub mod calendar;
pub mod convention;
mod defaults;
pub mod describe;
pub(crate) mod doubtful_values;
mod dps_wrapper;
pub mod due_municipality;
pub mod event;
pub mod event_matrix;
mod focus_names;
mod groups;
mod id;
pub mod incidence;
pub mod layouts;
pub mod moved_members;
pub mod municipal;
mod normalized;
pub mod registered;
mod review;
pub mod rules;
pub mod simples;
mod write;

use crate::document::{BuildContext, BuiltDocument, RequestedNumber};
use crate::finding::Violation;
use crate::map::NoticePolicy;
use crate::nota::requested_number::NumberFields;
use crate::value::{CnpjCpf, Serie};
use serde_json::Value;

pub use dps_wrapper::{dps_path, groups};
pub use review::review;

/// Returns the series and number that the payload requests (`serie`, `nDPS`). The number is reserved before building;
/// the build refuses unreadable values.
pub fn numbering(nota: &Value) -> RequestedNumber {
    let Some(root) = dps_wrapper::groups(nota).as_object() else { return RequestedNumber::default() };
    let root = groups::scope(root, &[]);
    NUMBER_FIELDS.numbering(&root)
}

/// Fifteen digits and five (TSNumDPS, TSSerieDPS).
const NUMBER_FIELDS: NumberFields = NumberFields {
    numero: &["nDPS", "numero_dps"],
    serie: &["serie", "serie_dps"],
    most: 999_999_999_999_999,
    most_series: 99_999,
};

/// Returns the `Id` of a declaration with this series and number, or the violations of values that do not fit.
pub fn identity(cLocEmi: u32, prestador: CnpjCpf, serie: Serie, numero: u64) -> Result<String, Vec<Violation>> {
    let mut violations = Vec::new();
    id::compose(cLocEmi, prestador, serie, numero, &mut violations).ok_or(violations)
}

/// Writes the document without the final check against the layout and without notices: for a payload that `build`
/// accepted before and whose notices the caller has received.
pub fn write(nota: &Value, context: &BuildContext<'_>) -> Result<BuiltDocument, Vec<Violation>> {
    let draft = write::draft(dps_wrapper::groups(nota), context, NoticePolicy::Dropped)?;
    if draft.violations.is_empty() { Ok(draft.built) } else { Err(draft.violations) }
}

/// Builds the document, or returns every violation. Paths start with `nota.`.
pub fn build(nota: &Value, context: &BuildContext<'_>) -> Result<BuiltDocument, Vec<Violation>> {
    dps_wrapper::refuse(nota)?;
    let looked = review::check_dps(dps_wrapper::groups(nota), context)
        .map_err(|violations| dps_wrapper::refusals(nota, violations))?;
    if looked.violations.is_empty() {
        let notices = dps_wrapper::remarks(nota, looked.built.notices);
        Ok(BuiltDocument { notices, ..looked.built })
    } else {
        Err(dps_wrapper::refusals(nota, looked.violations))
    }
}
