//! The schema rule: the first deviation of a message from its official layout.

use crate::dialect::{ServiceKind, ServiceWire};
use crate::service_address::ServiceAddress;
use fiscal::inutilizacao::is_beside_layout;
use fiscal::layout;
use fiscal::value::Uf;
use fiscal::xml::Element;

/// First deviation, as `path: message`; `None` when the official schema accepts the message, as far as the service
/// checks it at once.
pub(super) fn first_fault(place: &ServiceAddress, payload: &Element) -> Option<String> {
    let Some(layout) = place.wire.layout else {
        // The only schema that is in no package from which layouts are compiled.
        return super::register_search::first_fault(payload);
    };
    let faults = layout::check(layout, payload);
    let fault = faults.iter().find(|fault| !is_of_modal(&fault.path) && !is_of_quirk(place, &fault.path))?;
    Some(format!("{}: {}", fault.path, fault.message))
}

/// SEFAZ-MT accepts the CPF of a producer who voids numbers (Portaria 160/2021, art. 33), against the national layout.
fn is_of_quirk(place: &ServiceAddress, path: &str) -> bool {
    place.service == ServiceKind::Inutilizacao && place.serves(Uf::MT) && is_beside_layout(path)
}

/// First deviation inside of the modal of a CT-e, which its services check apart and later (580).
pub(super) fn first_fault_of_modal(wire: &ServiceWire, document: &Element) -> Option<String> {
    let faults = layout::check(wire.layout?, document);
    let fault = faults.iter().find(|fault| is_of_modal(&fault.path))?;
    Some(format!("{}: {}", fault.path, fault.message))
}

/// The document's schema accepts any element there; the attribute of the group itself is its own.
fn is_of_modal(path: &str) -> bool {
    path.strip_prefix("infCte/infCTeNorm/infModal").is_some_and(|rest| !rest.starts_with("/@"))
}
