//! Paths in the caller's payload, found from paths in the XML.

use super::mapping::ElementMapping;
use super::scope::{GroupScope, LayerOrigin};
use serde_json::Value;

/// Returns the payload path of `prod/vProd` below a group whose mapping and scope are known. Repeated elements carry an
/// index from 0 (`vol[2]/pesoL`). Members that the caller did not send get the contract's name.
pub fn locate(path: &str, place: Option<&'static ElementMapping>, scope: &GroupScope<'_>) -> String {
    let Some((step, rest)) = split(path) else { return scope.base_path() };
    let (tag, index) = step;
    let own = place.and_then(|place| place.places.iter().copied().flatten().find(|child| child.tag == tag));
    if rest.is_empty() && index.is_none() {
        return leaf(tag, own, scope);
    }
    match index {
        None => locate(rest, own, &child(tag, own, scope)),
        Some(index) => element(tag, index, rest, own, scope),
    }
}

/// Resolves the last step: a value or a group.
fn leaf(tag: &str, own: Option<&'static ElementMapping>, scope: &GroupScope<'_>) -> String {
    if own.is_some_and(|own| own.flat) {
        return child(tag, own, scope).base_path();
    }
    let callers = scope.layers().iter().filter(|layer| layer.origin != LayerOrigin::Service);
    for layer in callers {
        for name in std::iter::once(tag).chain(own.map_or(&[][..], |own| own.names).iter().copied()) {
            if super::scope::value_at(layer.object, name).is_some() {
                return layer.path.to(name);
            }
        }
    }
    let preferred = own.and_then(|own| own.names.first().copied()).unwrap_or(tag);
    scope.path_of(preferred)
}

fn child<'a>(tag: &str, own: Option<&'static ElementMapping>, scope: &GroupScope<'a>) -> GroupScope<'a> {
    match own {
        Some(own) => scope.child(Some(own), own.tag),
        None => scope.child_named(tag),
    }
}

/// Resolves a step into an array.
fn element(
    tag: &str,
    index: usize,
    rest: &str,
    own: Option<&'static ElementMapping>,
    scope: &GroupScope<'_>,
) -> String {
    let mut names = std::iter::once(tag).chain(own.map_or(&[][..], |own| own.names).iter().copied());
    let listed = names.any(|name| scope.layers().iter().any(|layer| layer.object.contains_key(name)));
    if own.is_some_and(|own| own.flat) && !listed {
        // the members of a flat group stand in the enclosing object
        return locate(rest, own, scope);
    }
    let path = leaf(tag, own, scope);
    let name = path.rsplit('.').next().unwrap_or(&path).to_owned();
    let array = scope.layers().iter().find_map(|layer| layer.object.get(&name));
    let (value, path) = match array {
        Some(Value::Array(elements)) => (elements.get(index), format!("{path}[{index}]")),
        Some(single) => (Some(single), path),
        None => (None, format!("{path}[{index}]")),
    };
    let inner = match value.and_then(Value::as_object) {
        Some(object) => GroupScope::at(path.clone()).with(object, path.clone(), LayerOrigin::Caller),
        None => GroupScope::at(path.clone()),
    };
    if rest.is_empty() { path } else { locate(rest, own, &inner) }
}

/// Splits `vol[2]/pesoL` into (`vol`, 2) and `pesoL`.
fn split(path: &str) -> Option<((&str, Option<usize>), &str)> {
    if path.is_empty() {
        return None;
    }
    let (step, rest) = path.split_once('/').unwrap_or((path, ""));
    let step = step.trim_start_matches('@');
    let parsed = step.split_once('[').map(|(tag, index)| (tag, index.trim_end_matches(']').parse().ok()));
    Some((parsed.unwrap_or((step, None)), rest))
}
