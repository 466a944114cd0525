//! Particles of the layout against a scope, before anything is written: the members that are given, and those that can
//! be filled.

use super::format::LeafFormat;
use super::mapping::{ElementMapping, FallbackValue};
use super::scope::GroupScope;
use crate::layout::Element;
use crate::layout::{Body, Complex, ContentModel, Particle};

/// Number of members of a particle that the scope has.
pub(super) fn given(
    particle: &'static Particle,
    place: Option<&'static ElementMapping>,
    scope: &GroupScope<'_>,
) -> usize {
    match &particle.body {
        Body::Element(element) => {
            let own = place.and_then(|place| place.child(element.name));
            match &element.kind {
                ContentModel::Foreign(_) => 0,
                ContentModel::Group(complex) if particle.max == 1 => match scope.find(own, element.name) {
                    Some(_) => 1,
                    // members of a flat group stand in this scope
                    None if own.is_some_and(|own| own.flat) => content_given(complex, own, scope),
                    None => 0,
                },
                ContentModel::Leaf(_) | ContentModel::Group(_) => usize::from(scope.find(own, element.name).is_some()),
            }
        }
        Body::Sequence(parts) | Body::Choice(parts) => parts.iter().map(|part| given(part, place, scope)).sum(),
        Body::Any => 0,
    }
}

pub(super) fn content_given(
    complex: &'static Complex,
    place: Option<&'static ElementMapping>,
    scope: &GroupScope<'_>,
) -> usize {
    complex.content.as_ref().map_or(0, |content| given(content, place, scope))
}

/// True when a branch can be written without any value of the caller.
pub(super) fn fillable(particle: &'static Particle, place: Option<&'static ElementMapping>) -> bool {
    let filled = |element: &'static Element| {
        let own = place.and_then(|place| place.child(element.name));
        match &element.kind {
            ContentModel::Leaf(simple) => match own.map_or(FallbackValue::Nothing, |own| own.fill) {
                FallbackValue::Nothing => LeafFormat::of(element.name, simple).zero(),
                FallbackValue::Required => false,
                _ => true,
            },
            ContentModel::Group(complex) => complex.content.as_ref().is_some_and(|content| fillable(content, own)),
            ContentModel::Foreign(_) => false,
        }
    };
    particle.min == 0
        || match &particle.body {
            Body::Element(element) => particle.max == 1 && filled(element),
            Body::Sequence(parts) => parts.iter().all(|part| fillable(part, place)),
            Body::Choice(parts) => parts.iter().any(|part| fillable(part, place)),
            Body::Any => true,
        }
}

/// True when the layout allows a group to be empty. No official document contains an empty group (MOC 7.0 and MOC CT-e
/// 4.00, general rules of XML).
pub(super) fn may_be_empty(complex: &'static Complex) -> bool {
    complex.attributes.is_empty() && complex.text.is_none() && complex.content.as_ref().is_none_or(may_be_absent)
}

fn may_be_absent(particle: &'static Particle) -> bool {
    particle.min == 0
        || match &particle.body {
            Body::Element(_) => false,
            Body::Sequence(parts) => parts.iter().all(may_be_absent),
            Body::Choice(parts) => parts.iter().any(may_be_absent),
            Body::Any => true,
        }
}

pub(super) fn is_element(particle: &'static Particle, tag: &str) -> bool {
    matches!(&particle.body, Body::Element(element) if element.name == tag)
}

/// Returns the name of the first element of a branch, as the caller writes it.
pub(super) fn first_name(particle: &'static Particle, place: Option<&'static ElementMapping>) -> Option<&'static str> {
    match &particle.body {
        Body::Element(element) => {
            Some(ElementMapping::name(place.and_then(|place| place.child(element.name)), element.name))
        }
        Body::Sequence(parts) | Body::Choice(parts) => parts.first().and_then(|part| first_name(part, place)),
        Body::Any => None,
    }
}

/// Returns the branches of a repeated group that may stand flat in the enclosing object.
pub(super) fn flat_choice(
    element: &'static Element,
    place: Option<&'static ElementMapping>,
) -> Option<&'static [Particle]> {
    match &element.kind {
        ContentModel::Group(Complex { content: Some(Particle { body: Body::Choice(branches), .. }), .. }) => {
            place.filter(|place| place.flat).map(|_| *branches)
        }
        _ => None,
    }
}
