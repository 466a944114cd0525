//! Description of a model: the members that a caller may write, their types, and the value of an absent one. The API
//! reference is generated from it and therefore matches the walker.
//!
//! Law: the layout and the map, nothing else. Must not know JSON Schema, HTML or any model.

use super::format::LeafFormat;
use super::mapping::{ElementMapping, FallbackValue};
use super::scope::names;
use crate::layout::{Attribute, Base, Body, Complex, ContentModel, Element, Particle, Simple};

/// Member of a group, as a caller writes it.
#[derive(Clone)]
pub struct GroupMember {
    /// Name in the contract.
    pub name: &'static str,
    /// Synonyms, the official tag among them.
    pub aliases: Vec<&'static str>,
    /// Path of the element in the XML, from the root group.
    pub tag: String,
    /// Annotation of the schema.
    pub doc: &'static str,
    /// Effect of its absence.
    pub need: MemberRequirement,
    /// Maximum number of occurrences; above one the member is a list.
    pub max: u32,
    /// Member of the group that a bare value stands for, if bare values are allowed.
    pub alone: Option<&'static str>,
    pub body: MemberBody,
}

/// Content of a member.
#[derive(Clone)]
pub enum MemberBody {
    /// A value of one of these types. Several where a code decides.
    Value(Vec<&'static Simple>),
    Group(Vec<GroupMember>),
}

/// Value of an absent member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberRequirement {
    /// None: the document is refused.
    Required,
    /// None needed.
    Optional,
    /// Zero, with a notice.
    Zero,
    /// A documented default.
    Default(&'static str),
    /// A default, with a notice.
    Assumed(&'static str),
    /// Value of a neighbour.
    SameAs(&'static str),
    /// Sum of values written before.
    Sum,
    /// Position in the list.
    Index,
    /// Value known to the service.
    Service,
    /// Value of the company's record.
    Company,
}

/// Kind of value that a type is read as, whatever its pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    Decimal { decimals: u8 },
    Code,
    Digits,
    Integer,
    Cnpj,
    Cpf,
    StateRegistration,
    Date,
    Instant,
    Plate,
    Country,
    Text,
}

/// Returns the kind of value that this type is read as under this tag.
pub fn value_kind(tag: &str, simple: &'static Simple) -> ValueKind {
    match LeafFormat::of(tag, simple) {
        LeafFormat::Decimal { decimals, .. } => ValueKind::Decimal { decimals: decimals.most },
        LeafFormat::Code(_) => ValueKind::Code,
        LeafFormat::Digits { .. } => ValueKind::Digits,
        LeafFormat::Integer => ValueKind::Integer,
        LeafFormat::Cnpj { .. } => ValueKind::Cnpj,
        LeafFormat::Cpf => ValueKind::Cpf,
        LeafFormat::Ie { .. } => ValueKind::StateRegistration,
        LeafFormat::Date => ValueKind::Date,
        LeafFormat::Instant => ValueKind::Instant,
        LeafFormat::Plate => ValueKind::Plate,
        LeafFormat::Country => ValueKind::Country,
        LeafFormat::Text | LeafFormat::Lines | LeafFormat::Key => by_base(simple),
    }
}

/// Classifies types by their base, or by their name in the ABRASF layouts.
fn by_base(simple: &'static Simple) -> ValueKind {
    match (simple.name, simple.base) {
        ("tsCnpj", _) => ValueKind::Cnpj,
        ("tsCpf", _) => ValueKind::Cpf,
        ("tsCep" | "tsTelefone" | "tsCodigoNbs", _) => ValueKind::Digits,
        (_, Base::Decimal) => {
            let decimals = simple.fraction_digits.and_then(|digits| u8::try_from(digits).ok());
            ValueKind::Decimal { decimals: decimals.unwrap_or(2) }
        }
        (_, Base::DateTime) => ValueKind::Instant,
        (_, Base::Int | Base::Byte | Base::Integer | Base::NonNegativeInteger) => ValueKind::Digits,
        _ => ValueKind::Text,
    }
}

/// Describes the members of a group.
pub fn describe(complex: &'static Complex, place: Option<&'static ElementMapping>) -> Vec<GroupMember> {
    let mut members = MemberCollector::default();
    members.group(complex, place, "", false);
    members.list
}

#[derive(Default)]
struct MemberCollector {
    list: Vec<GroupMember>,
    /// Values that the contract writes inside a neighbour: the neighbour's name and the member.
    inside: Vec<(&'static str, GroupMember)>,
}

impl MemberCollector {
    fn group(&mut self, complex: &'static Complex, place: Option<&'static ElementMapping>, path: &str, optional: bool) {
        for attribute in complex.attributes.iter().filter(|attribute| attribute.fixed.is_none()) {
            self.attribute(attribute, place, path, optional);
        }
        if let Some(simple) = complex.text {
            self.add(value("valor", path.to_owned(), "Texto do elemento.", MemberRequirement::Required, simple));
        }
        if let Some(content) = &complex.content {
            self.particle(content, place, path, optional);
        }
        for (outer, member) in std::mem::take(&mut self.inside) {
            let group = self.list.iter_mut().find(|group| group.name == outer || group.aliases.contains(&outer));
            if let Some(MemberBody::Group(list)) = group.map(|group| &mut group.body) {
                merge_into(list, member);
            }
        }
    }

    fn attribute(
        &mut self,
        attribute: &'static Attribute,
        place: Option<&'static ElementMapping>,
        path: &str,
        optional: bool,
    ) {
        let own = place.and_then(|place| place.child(attribute.name));
        let need = need(own, attribute.name, attribute.simple, optional || !attribute.required);
        self.add(value(attribute.name, join(path, attribute.name), "", need, attribute.simple));
    }

    fn particle(
        &mut self,
        particle: &'static Particle,
        place: Option<&'static ElementMapping>,
        path: &str,
        mut optional: bool,
    ) {
        optional |= particle.min == 0;
        match &particle.body {
            Body::Element(element) => self.element(element, particle.max, place, path, optional),
            Body::Sequence(parts) => parts.iter().for_each(|part| self.particle(part, place, path, optional)),
            Body::Choice(branches) => self.choice(branches, place, path, optional),
            Body::Any => {}
        }
    }

    /// Adds the members of a choice. A member of every branch keeps its requirement; the others are optional.
    fn choice(
        &mut self,
        branches: &'static [Particle],
        place: Option<&'static ElementMapping>,
        path: &str,
        optional: bool,
    ) {
        let branches: Vec<MemberCollector> = branches
            .iter()
            .map(|branch| {
                let mut members = MemberCollector::default();
                members.particle(branch, place, path, optional);
                members
            })
            .collect();
        let everywhere =
            |name: &str| branches.iter().all(|branch| branch.list.iter().any(|member| member.name == name));
        let shared: Vec<&'static str> = branches
            .iter()
            .flat_map(|branch| &branch.list)
            .map(|member| member.name)
            .filter(|name| everywhere(name))
            .collect();
        for branch in branches {
            for mut member in branch.list {
                if !shared.contains(&member.name) {
                    member.need = MemberRequirement::Optional;
                }
                self.add(member);
            }
            self.inside.extend(branch.inside);
        }
    }

    fn element(
        &mut self,
        element: &'static Element,
        max: u32,
        place: Option<&'static ElementMapping>,
        path: &str,
        optional: bool,
    ) {
        let own = place.and_then(|place| place.child(element.name));
        let path = join(path, element.name);
        match &element.kind {
            ContentModel::Foreign(_) => {}
            ContentModel::Group(complex) if own.is_some_and(|own| own.flat) => {
                self.group(complex, own, &path, optional);
            }
            ContentModel::Group(complex) => {
                let mut inner = MemberCollector::default();
                inner.group(complex, own, &path, false);
                let need = if optional { MemberRequirement::Optional } else { group_need(&inner.list) };
                let body = MemberBody::Group(inner.list);
                let alone = own.and_then(|own| own.alone);
                self.add_named(own, element, GroupMember { need, max, alone, body, ..blank(element, path) });
            }
            ContentModel::Leaf(simple) => {
                let need = need(own, element.name, simple, optional);
                let body = MemberBody::Value(vec![simple]);
                self.add_named(own, element, GroupMember { need, max, body, ..blank(element, path) });
            }
        }
    }

    /// Adds a member under its names.
    fn add_named(&mut self, own: Option<&'static ElementMapping>, element: &'static Element, mut member: GroupMember) {
        let all: Vec<&'static str> = names(own, element.name).collect();
        for (outer, inner) in all.iter().filter_map(|name| name.split_once('/')) {
            let inside =
                GroupMember { name: inner, aliases: Vec::new(), need: MemberRequirement::Optional, ..member.clone() };
            self.inside.push((outer, inside));
        }
        member.name = ElementMapping::name(own, element.name);
        member.aliases = all.into_iter().filter(|name| !name.contains('/') && *name != member.name).collect();
        self.add(member);
    }

    fn add(&mut self, member: GroupMember) {
        merge_into(&mut self.list, member);
    }
}

/// Adds a member, or extends the member that has its name.
fn merge_into(list: &mut Vec<GroupMember>, member: GroupMember) {
    let Some(known) = list.iter_mut().find(|known| known.name == member.name) else { return list.push(member) };
    known.aliases.extend(member.aliases);
    known.aliases.sort_unstable();
    known.aliases.dedup();
    if known.need != member.need {
        known.need = MemberRequirement::Optional;
    }
    match (&mut known.body, member.body) {
        (MemberBody::Value(types), MemberBody::Value(others)) => {
            types.extend(others);
            let mut seen: Vec<*const Simple> = Vec::new();
            types.retain(|simple| {
                let new = !seen.contains(&std::ptr::from_ref(*simple));
                seen.push(std::ptr::from_ref(*simple));
                new
            });
        }
        (MemberBody::Group(members), MemberBody::Group(others)) => {
            others.into_iter().for_each(|other| merge_into(members, other));
        }
        _ => {}
    }
}

fn blank(element: &'static Element, tag: String) -> GroupMember {
    GroupMember {
        name: element.name,
        aliases: Vec::new(),
        tag,
        doc: element.doc,
        need: MemberRequirement::Optional,
        max: 1,
        alone: None,
        body: MemberBody::Value(Vec::new()),
    }
}

fn value(
    name: &'static str,
    tag: String,
    doc: &'static str,
    need: MemberRequirement,
    simple: &'static Simple,
) -> GroupMember {
    GroupMember {
        name,
        aliases: Vec::new(),
        tag,
        doc,
        need,
        max: 1,
        alone: None,
        body: MemberBody::Value(vec![simple]),
    }
}

fn need(own: Option<&'static ElementMapping>, tag: &str, simple: &'static Simple, optional: bool) -> MemberRequirement {
    match own.map_or(FallbackValue::Nothing, |own| own.fill) {
        _ if optional => MemberRequirement::Optional,
        FallbackValue::Nothing if LeafFormat::of(tag, simple).zero() => MemberRequirement::Zero,
        FallbackValue::Nothing | FallbackValue::Required => MemberRequirement::Required,
        FallbackValue::Literal(text) => MemberRequirement::Default(text),
        FallbackValue::Assumed(text) => MemberRequirement::Assumed(text),
        FallbackValue::SameAs(neighbour) => MemberRequirement::SameAs(neighbour),
        FallbackValue::SumOf(_) => MemberRequirement::Sum,
        FallbackValue::Index | FallbackValue::Position => MemberRequirement::Index,
    }
}

/// Requirement of a group: the strictest among its members.
fn group_need(members: &[GroupMember]) -> MemberRequirement {
    let required = members.iter().any(|member| member.need == MemberRequirement::Required);
    if required { MemberRequirement::Required } else { MemberRequirement::Zero }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") }
}
