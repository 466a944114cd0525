//! Municipal NFS-e of providers that use ABRASF: from `nota` to the canonical message with its RPS, and back from the
//! answers.
//!
//! Law: ABRASF, modelo conceitual and manual de integração 1.00 to 2.04, and the XSD of each version;
//! `docs/contract.md`, "NFS-e". A provider is an `AbrasfDialect`, which is data. Must not know: envelopes, addresses,
//! the provider of a city.

pub mod answer;
mod defaults;
pub mod describe;
pub(crate) mod dialect;
mod fields;
mod leaves;
mod lot;
pub mod message;
mod names;
mod payload;
mod prestador;
mod review;
pub mod rules;
pub mod substitution;
mod value;
mod version;
mod wrapper;
mod write;

use crate::document::{BuildContext, BuiltDocument, RequestedNumber};
use crate::finding::Violation;
use crate::value::Serie;
use serde_json::Value;

pub use dialect::{AbrasfDialect, CancellationForm, IdAttribute, ItemMask, RateUnit, SignedParts, SubmissionMode};
pub use message::UnsignedMessage;
pub use prestador::Prestador;
pub use review::review;
pub use version::AbrasfVersion;
pub use wrapper::{groups, groups_path};

/// Series and number that the payload requests (`rps.serie`, `rps.numero`), read leniently; used to reserve a number
/// before building.
pub fn numbering(nota: &Value) -> RequestedNumber {
    let Some(groups) = wrapper::groups(nota).as_object() else { return RequestedNumber::default() };
    let said = |wanted: &str| payload::find(groups, wanted);
    RequestedNumber {
        serie: said("rps/identificacaorps/serie").and_then(|text| Serie::parse(&text).ok()),
        numero: said("rps/identificacaorps/numero").and_then(|text| text.parse().ok()).filter(|number| *number > 0),
    }
}

/// Writes the message without the check against the layout and without notices, for a payload that `build` accepted
/// before.
pub fn write(nota: &Value, context: &BuildContext<'_>) -> Result<BuiltDocument, Vec<Violation>> {
    let draft = write::draft(wrapper::groups(nota), wrapper::groups_path(nota), context)?;
    let violations = draft.payload.violations;
    if violations.is_empty() { Ok(BuiltDocument { notices: Vec::new(), ..draft.built }) } else { Err(violations) }
}

/// Builds the message of the provider's mode with one RPS, or returns every violation. Paths start with `nota.`.
pub fn build(nota: &Value, context: &BuildContext<'_>) -> Result<BuiltDocument, Vec<Violation>> {
    wrapper::refuse(nota)?;
    let looked = review::check_draft(nota, context)?;
    if looked.violations.is_empty() { Ok(looked.built) } else { Err(looked.violations) }
}
