//! Refusals of plain values where a group belongs, for groups that a model scopes itself. A scope contains only objects
//! and would skip them.

use super::mapping::ElementMapping;
use super::scope::{GroupScope, LayerOrigin};
use crate::finding::Violation;
use crate::layout::{Body, ContentModel, Particle};

/// Returns a violation for every value of the caller that stands where one of these groups belongs.
pub(crate) fn misplaced(
    members: impl IntoIterator<Item = &'static Particle>,
    place: &'static ElementMapping,
    scope: &GroupScope<'_>,
) -> Vec<Violation> {
    let mut violations = Vec::new();
    for particle in members {
        let (Body::Element(element), 1) = (&particle.body, particle.max) else { continue };
        if !matches!(element.kind, ContentModel::Group(_)) {
            continue;
        }
        let found = scope.all_values(place.child(element.name), element.name);
        let wrong = found.filter(|found| found.origin != LayerOrigin::Service && !found.value.is_object());
        violations
            .extend(wrong.map(|found| Violation::of(&found.at.path(), "tipo_invalido", &no_group(found.at.name))));
    }
    violations
}

/// Message of the violation.
pub(super) fn no_group(name: &str) -> String {
    let name = name.rsplit('/').next().unwrap_or(name);
    format!("Informe um objeto com os campos de {name}.")
}
