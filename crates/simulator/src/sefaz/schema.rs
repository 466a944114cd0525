//! The schema rule: the first thing the official layout of a message does not allow.

use crate::dialect::{Service, Wire};
use crate::place::Arrival;
use fiscal::inutilizacao::is_beside_layout;
use fiscal::layout;
use fiscal::value::Uf;
use fiscal::xml::Element;

/// What is wrong first, as `path: message`; `None` when the official schema would take it, as far as the service checks
/// it at once.
pub(super) fn first_fault(place: &Arrival, payload: &Element) -> Option<String> {
    let Some(layout) = place.wire.layout else {
        // the one schema that is in no package we take
        return super::cadastro::first_fault(payload);
    };
    let faults = layout::check(layout, payload);
    let fault = faults.iter().find(|fault| !is_of_modal(&fault.path) && !is_of_quirk(place, &fault.path))?;
    Some(format!("{}: {}", fault.path, fault.message))
}

/// SEFAZ-MT takes the CPF of a producer who voids numbers (Portaria 160/2021, art. 33), against the national layout.
fn is_of_quirk(place: &Arrival, path: &str) -> bool {
    place.service == Service::Inutilizacao && place.serves(Uf::MT) && is_beside_layout(path)
}

/// What is wrong inside of the modal of a CT-e, which its services check apart and later (580).
pub(super) fn first_fault_of_modal(wire: &Wire, document: &Element) -> Option<String> {
    let faults = layout::check(wire.layout?, document);
    let fault = faults.iter().find(|fault| is_of_modal(&fault.path))?;
    Some(format!("{}: {}", fault.path, fault.message))
}

/// The document's schema takes any element there; the attribute of the group itself is its own.
fn is_of_modal(path: &str) -> bool {
    path.strip_prefix("infCte/infCTeNorm/infModal").is_some_and(|rest| !rest.starts_with("/@"))
}
