//! Description of a model: the members that a caller may write, their types, and the value of an absent one. The API
//! reference is generated from it and therefore matches the walker.
//!
//! Law: the layout and the map, nothing else. Must not know JSON Schema, HTML or any model.

use super::format::Format;
use super::place::{Fill, Place};
use super::scope::names;
use crate::layout::{Attribute, Base, Body, Complex, ContentModel, Element, Particle, Simple};

/// Member of a group, as a caller writes it.
#[derive(Clone)]
pub struct Member {
    /// Name in the contract.
    pub name: &'static str,
    /// Synonyms, the official tag among them.
    pub aliases: Vec<&'static str>,
    /// Path of the element in the XML, from the root group.
    pub tag: String,
    /// Annotation of the schema.
    pub doc: &'static str,
    /// Effect of its absence.
    pub need: Need,
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
    Group(Vec<Member>),
}

/// Value of an absent member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
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
    match Format::of(tag, simple) {
        Format::Decimal { decimals, .. } => ValueKind::Decimal { decimals: decimals.most },
        Format::Code(_) => ValueKind::Code,
        Format::Digits { .. } => ValueKind::Digits,
        Format::Integer => ValueKind::Integer,
        Format::Cnpj { .. } => ValueKind::Cnpj,
        Format::Cpf => ValueKind::Cpf,
        Format::Ie { .. } => ValueKind::StateRegistration,
        Format::Date => ValueKind::Date,
        Format::Instant => ValueKind::Instant,
        Format::Plate => ValueKind::Plate,
        Format::Country => ValueKind::Country,
        Format::Text | Format::Lines | Format::Key => by_base(simple),
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
pub fn describe(complex: &'static Complex, place: Option<&'static Place>) -> Vec<Member> {
    let mut members = Members::default();
    members.group(complex, place, "", false);
    members.list
}

#[derive(Default)]
struct Members {
    list: Vec<Member>,
    /// Values that the contract writes inside a neighbour: the neighbour's name and the member.
    inside: Vec<(&'static str, Member)>,
}

impl Members {
    fn group(&mut self, complex: &'static Complex, place: Option<&'static Place>, path: &str, optional: bool) {
        for attribute in complex.attributes.iter().filter(|attribute| attribute.fixed.is_none()) {
            self.attribute(attribute, place, path, optional);
        }
        if let Some(simple) = complex.text {
            self.add(value("valor", path.to_owned(), "Texto do elemento.", Need::Required, simple));
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

    fn attribute(&mut self, attribute: &'static Attribute, place: Option<&'static Place>, path: &str, optional: bool) {
        let own = place.and_then(|place| place.child(attribute.name));
        let need = need(own, attribute.name, attribute.simple, optional || !attribute.required);
        self.add(value(attribute.name, join(path, attribute.name), "", need, attribute.simple));
    }

    fn particle(&mut self, particle: &'static Particle, place: Option<&'static Place>, path: &str, mut optional: bool) {
        optional |= particle.min == 0;
        match &particle.body {
            Body::Element(element) => self.element(element, particle.max, place, path, optional),
            Body::Sequence(parts) => parts.iter().for_each(|part| self.particle(part, place, path, optional)),
            Body::Choice(branches) => self.choice(branches, place, path, optional),
            Body::Any => {}
        }
    }

    /// Adds the members of a choice. A member of every branch keeps its requirement; the others are optional.
    fn choice(&mut self, branches: &'static [Particle], place: Option<&'static Place>, path: &str, optional: bool) {
        let branches: Vec<Members> = branches
            .iter()
            .map(|branch| {
                let mut members = Members::default();
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
                    member.need = Need::Optional;
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
        place: Option<&'static Place>,
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
                let mut inner = Members::default();
                inner.group(complex, own, &path, false);
                let need = if optional { Need::Optional } else { group_need(&inner.list) };
                let body = MemberBody::Group(inner.list);
                let alone = own.and_then(|own| own.alone);
                self.named(own, element, Member { need, max, alone, body, ..blank(element, path) });
            }
            ContentModel::Leaf(simple) => {
                let need = need(own, element.name, simple, optional);
                let body = MemberBody::Value(vec![simple]);
                self.named(own, element, Member { need, max, body, ..blank(element, path) });
            }
        }
    }

    /// Adds a member under its names.
    fn named(&mut self, own: Option<&'static Place>, element: &'static Element, mut member: Member) {
        let all: Vec<&'static str> = names(own, element.name).collect();
        for (outer, inner) in all.iter().filter_map(|name| name.split_once('/')) {
            let inside = Member { name: inner, aliases: Vec::new(), need: Need::Optional, ..member.clone() };
            self.inside.push((outer, inside));
        }
        member.name = Place::name(own, element.name);
        member.aliases = all.into_iter().filter(|name| !name.contains('/') && *name != member.name).collect();
        self.add(member);
    }

    fn add(&mut self, member: Member) {
        merge_into(&mut self.list, member);
    }
}

/// Adds a member, or extends the member that has its name.
fn merge_into(list: &mut Vec<Member>, member: Member) {
    let Some(known) = list.iter_mut().find(|known| known.name == member.name) else { return list.push(member) };
    known.aliases.extend(member.aliases);
    known.aliases.sort_unstable();
    known.aliases.dedup();
    if known.need != member.need {
        known.need = Need::Optional;
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

fn blank(element: &'static Element, tag: String) -> Member {
    Member {
        name: element.name,
        aliases: Vec::new(),
        tag,
        doc: element.doc,
        need: Need::Optional,
        max: 1,
        alone: None,
        body: MemberBody::Value(Vec::new()),
    }
}

fn value(name: &'static str, tag: String, doc: &'static str, need: Need, simple: &'static Simple) -> Member {
    Member { name, aliases: Vec::new(), tag, doc, need, max: 1, alone: None, body: MemberBody::Value(vec![simple]) }
}

fn need(own: Option<&'static Place>, tag: &str, simple: &'static Simple, optional: bool) -> Need {
    match own.map_or(Fill::Nothing, |own| own.fill) {
        _ if optional => Need::Optional,
        Fill::Nothing if Format::of(tag, simple).zero() => Need::Zero,
        Fill::Nothing | Fill::Required => Need::Required,
        Fill::Literal(text) => Need::Default(text),
        Fill::Assumed(text) => Need::Assumed(text),
        Fill::SameAs(neighbour) => Need::SameAs(neighbour),
        Fill::SumOf(_) => Need::Sum,
        Fill::Index | Fill::Position => Need::Index,
    }
}

/// Requirement of a group: the strictest among its members.
fn group_need(members: &[Member]) -> Need {
    let required = members.iter().any(|member| member.need == Need::Required);
    if required { Need::Required } else { Need::Zero }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") }
}
