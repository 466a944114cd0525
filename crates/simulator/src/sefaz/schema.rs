//! The schema rule: the first thing the official layout of a message does not allow.

use crate::dialect::Wire;
use fiscal::layout;
use fiscal::xml::Element;

/// What is wrong first, as `path: message`; `None` when the official schema would take it, as far as the service checks it at once.
pub(super) fn first_fault(wire: &Wire, payload: &Element) -> Option<String> {
    let Some(layout) = wire.layout else {
        // the one schema that is in no package we take
        return super::cadastro::first_fault(payload);
    };
    let faults = layout::check(layout, payload);
    let fault = faults.iter().find(|fault| !is_of_modal(&fault.path))?;
    Some(format!("{}: {}", fault.path, fault.message))
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
