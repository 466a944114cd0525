//! Check of a written document against its layout. Faults become violations of the caller's payload.

use crate::finding::Violation;
use crate::layout::{self, FaultKind, Layout, LayoutFault};
use crate::xml::{self, FlatDocument};
use std::collections::HashSet;

/// Adds the faults that the layout finds, once each, unless an earlier violation covers them. `campo` maps an XML path
/// to the caller's path. Returns the document as far as it can be read.
pub(crate) fn check_layout<'x>(
    layout: &Layout,
    written: &'x str,
    violations: &mut Vec<Violation>,
    campo: impl Fn(&str) -> String,
) -> Option<FlatDocument<'x>> {
    check_layout_in(layout, layout.namespace, written, violations, campo)
}

/// Checks a document whose elements are in another namespace than the layout's.
pub(crate) fn check_layout_in<'x>(
    layout: &Layout,
    namespace: &str,
    written: &'x str,
    violations: &mut Vec<Violation>,
    campo: impl Fn(&str) -> String,
) -> Option<FlatDocument<'x>> {
    let document = match FlatDocument::scan_canonical(written) {
        Ok(document) => document,
        Err(malformed) => {
            // an error of our own: the writer produced malformed XML
            if violations.is_empty() {
                violations.push(Violation::of("nota", "documento_invalido", &malformed.to_string()));
            }
            return None;
        }
    };
    debug_assert!(reads_equal(written, &document), "{written} is not seen as it is read");
    let faults = layout::check_view(layout, namespace, document.root()).into_iter();
    for fault in faults.filter(|fault| !is_signature(fault)) {
        let missing = fault.kind == FaultKind::Missing;
        let violation = in_payload(fault, &campo);
        let said = |known: &Violation| {
            covers(&known.campo, &violation.campo) || (missing && covers(&violation.campo, &known.campo))
        };
        if !violations.iter().any(said) {
            violations.push(violation);
        }
    }
    let mut said = HashSet::new();
    violations.retain(|violation| said.insert((violation.campo.clone(), violation.codigo)));
    Some(document)
}

/// True when an XML reader finds the document that was checked. Debug builds assert it for everything that they write.
fn reads_equal(written: &str, seen: &FlatDocument<'_>) -> bool {
    xml::read(written.as_bytes()).is_ok_and(|read| FlatDocument::of(&read) == *seen)
}

/// True for the missing signature, which is added later.
fn is_signature(fault: &LayoutFault) -> bool {
    fault.kind == FaultKind::Missing && fault.path.rsplit('/').next() == Some("Signature")
}

/// True when a violation of `known` makes one of `campo` needless: the same field, or a field inside it.
pub(crate) fn covers(known: &str, campo: &str) -> bool {
    campo.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

fn in_payload(fault: LayoutFault, campo: &impl Fn(&str) -> String) -> Violation {
    let codigo = match fault.kind {
        FaultKind::Missing => "campo_obrigatorio",
        FaultKind::Value => "valor_invalido",
        FaultKind::Unexpected | FaultKind::Attribute | FaultKind::Namespace => "estrutura_invalida",
    };
    Violation::of(&campo(&fault.path), codigo, &fault.message)
}
