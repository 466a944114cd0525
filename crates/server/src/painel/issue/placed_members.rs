//! Members of an object beside those of the layout: which are there, in which order, and which are not.

use fiscal::map::{GroupMember, MemberBody};
use serde_json::{Map, Value};

use super::nota_draft::OPEN;

/// Place of an object in the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GroupRole {
    OfLayout,
    /// A group of the XML that the payload has around members of the group outside of it.
    Wrapper,
}

/// A member of an object, with its place in the layout.
pub(super) struct PlacedMember<'d> {
    pub(super) member: Option<&'static GroupMember>,
    pub(super) name: &'d str,
    pub(super) value: &'d Value,
}

/// Members inside of a group, or around a group that the layout has no name for.
pub(super) fn inside_of(
    member: Option<&'static GroupMember>,
    around: &'static [GroupMember],
) -> (&'static [GroupMember], GroupRole) {
    match member.map(|member| &member.body) {
        Some(MemberBody::Group(inside)) => (inside, GroupRole::OfLayout),
        Some(MemberBody::Value(_)) => (&[], GroupRole::OfLayout),
        None => (around, GroupRole::Wrapper),
    }
}

/// Members of an object in the order of the layout, then those that it does not have. A null group is absent.
pub(super) fn placed<'d>(members: &'static [GroupMember], object: &'d Map<String, Value>) -> Vec<PlacedMember<'d>> {
    let mut placed: Vec<(usize, PlacedMember<'d>)> = object
        .iter()
        .filter(|(name, _)| *name != OPEN)
        .filter_map(|(name, value)| {
            let at = members.iter().position(|member| is_named(member, name));
            let member = at.and_then(|at| members.get(at));
            let is_group = member.is_some_and(|member| matches!(member.body, MemberBody::Group(_)));
            (!(is_group && value.is_null())).then(|| (at.unwrap_or(usize::MAX), PlacedMember { member, name, value }))
        })
        .collect();
    placed.sort_by_key(|(at, _)| *at);
    placed.into_iter().map(|(_, one)| one).collect()
}

/// Members that neither the object has nor a group that the layout has no name for.
pub(super) fn absent(members: &'static [GroupMember], object: &Map<String, Value>) -> Vec<&'static GroupMember> {
    let mut names: Vec<&str> = Vec::new();
    let mut wrappers = vec![object];
    while let Some(one) = wrappers.pop() {
        for (name, value) in one {
            let member = members.iter().find(|member| is_named(member, name));
            match (member, value) {
                (None, Value::Object(inner)) => wrappers.push(inner),
                (Some(member), Value::Null) if matches!(member.body, MemberBody::Group(_)) => {}
                _ => names.push(name),
            }
        }
    }
    members.iter().filter(|member| !names.iter().any(|name| is_named(member, name))).collect()
}

/// The member at the end of a path without positions; the last known one where a value has further members.
pub(in crate::painel) fn member_at(members: &'static [GroupMember], names: &[&str]) -> Option<&'static GroupMember> {
    let (first, rest) = names.split_first()?;
    let member = members.iter().find(|member| is_named(member, first))?;
    match &member.body {
        MemberBody::Group(inside) if !rest.is_empty() => member_at(inside, rest).or(Some(member)),
        _ => Some(member),
    }
}

fn is_named(member: &GroupMember, name: &str) -> bool {
    member.name == name || member.aliases.contains(&name)
}
