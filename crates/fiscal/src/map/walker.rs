//! The writer of one document: the XML so far, and all notices and violations.

use super::compile::PlanCompiler;
use super::format::{LeafContext, LeafFormat};
use super::mapping::ElementMapping;
use super::plan::{ObjectPosition, PlanTarget};
use super::plan_cache::PlanCache;
use super::scope::{GroupScope, ScopeLayer};
use super::shape::ShapeRoot;
use super::sums::PartSums;
use crate::finding::{MOST_FOUND, MOST_REPORTED, Notice, Violation};
use crate::layout::{Body, Complex, ContentModel, Element, Particle};
use crate::xml::CanonicalWriter;
use serde_json::Value;

/// Walks a layout and writes the values of a payload.
pub struct LayoutWalker {
    pub xml: CanonicalWriter,
    pub notices: Vec<Notice>,
    pub(super) remarks: NoticePolicy,
    /// Number of notices of each kind.
    remarked: Vec<(String, usize)>,
    pub violations: Vec<Violation>,
    /// Sums of the written values since they were last drained.
    pub parts: PartSums,
    pub(super) offset_hours: i8,
    /// Wrong names for which a suggestion is still searched.
    pub(super) hints: usize,
    /// Offsets at which groups begin that may turn out empty.
    pub(super) begun: Vec<usize>,
}

/// Policy on notices. A document whose caller has read them is written again without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticePolicy {
    Kept,
    /// Not created.
    Dropped,
}

impl LayoutWalker {
    /// Creates a walker with room for `capacity` bytes. Instants without an offset are read in `offset_hours`.
    pub fn new(capacity: usize, offset_hours: i8, remarks: NoticePolicy) -> LayoutWalker {
        LayoutWalker {
            xml: CanonicalWriter::with_capacity(capacity),
            notices: Vec::new(),
            remarks,
            remarked: Vec::new(),
            violations: Vec::new(),
            parts: PartSums::default(),
            offset_hours,
            hints: MOST_REPORTED,
            begun: Vec::new(),
        }
    }

    /// Adds a notice unless notices are dropped or too many of its kind exist.
    pub fn add_notice(&mut self, notice: impl FnOnce() -> Notice) {
        if self.remarks == NoticePolicy::Kept {
            let notice = notice();
            if self.is_room_for(&notice.codigo) {
                self.notices.push(notice);
            }
        }
    }

    /// Adds a notice whose kind is known before it is built: thousands of a large document are not built.
    pub(super) fn add_notice_of(&mut self, codigo: &str, notice: impl FnOnce() -> Notice) {
        if self.remarks == NoticePolicy::Kept && self.is_room_for(codigo) {
            self.notices.push(notice());
        }
    }

    /// True while a kind has room. Notices are limited by kind: a thousand assumed zeros must not hide one wrong name.
    fn is_room_for(&mut self, codigo: &str) -> bool {
        match self.remarked.iter_mut().find(|(known, _)| known == codigo) {
            Some((_, count)) => {
                *count += 1;
                *count <= MOST_FOUND
            }
            None => {
                self.remarked.push((codigo.to_owned(), 1));
                true
            }
        }
    }

    /// Adds a violation while there are not too many.
    pub(super) fn refuse(&mut self, violation: impl FnOnce() -> Violation) {
        if self.violations.len() < MOST_FOUND {
            self.violations.push(violation());
        }
    }

    /// Adds a notice about an unknown name, with a suggestion while the limit of searches allows.
    pub fn unknown_name(&mut self, campo: String, name: &str, valid: &[&'static str]) {
        let hint = self.hints > 0;
        self.hints = self.hints.saturating_sub(1);
        self.add_notice(|| super::unknown_names::notice(campo, name, valid, hint));
    }

    /// Writes a group whose scope the model has built.
    pub fn group(&mut self, element: &'static Element, place: Option<&'static ElementMapping>, scope: &GroupScope<'_>) {
        let roots: Vec<ShapeRoot<'_, '_>> = scope.layers().iter().map(ScopeLayer::root).collect();
        let mut plans = PlanCache::of(element, place);
        let at = plans.plan_index(&roots, &mut self.hints, || scope.clone());
        self.write_by(plans.at(at), &PlanTarget { values: plans.values(), position: ObjectPosition::At("") });
    }

    /// Writes a member of a scope. A group with an object behind it is written by a cached plan.
    pub fn member(
        &mut self,
        particle: &'static Particle,
        parent: Option<&'static ElementMapping>,
        scope: &GroupScope<'_>,
    ) {
        if let Body::Element(element) = &particle.body
            && let (ContentModel::Group(_), 1) = (&element.kind, particle.max)
        {
            let place = parent.and_then(|parent| parent.child(element.name));
            let speaks = scope.find(place, element.name).is_some_and(|found| found.value.is_object());
            if speaks || (particle.min > 0 && place.is_some_and(|place| place.flat)) {
                let begun = self.xml.len();
                self.group(element, place, &scope.below(place, element.name));
                if particle.min == 0 {
                    self.xml.remove_if_empty(begun, element.name);
                }
                return;
            }
        }
        self.particle(particle, parent, scope);
    }

    /// Writes a particle of the layout from a scope, by a plan compiled for this use.
    fn particle(
        &mut self,
        particle: &'static Particle,
        parent: Option<&'static ElementMapping>,
        scope: &GroupScope<'_>,
    ) {
        let mut compiler = PlanCompiler::with_hints(self.hints);
        compiler.particle(particle, parent, scope);
        let (plan, values) = compiler.finish(&mut self.hints);
        self.write_by(&plan, &PlanTarget { values: &values, position: ObjectPosition::At("") });
    }

    /// Writes a single value without a plan.
    pub(super) fn write_alone(
        &mut self,
        format: LeafFormat,
        value: &Value,
        open: &str,
        close: &str,
        position: ObjectPosition<'_>,
    ) {
        let leaf = LeafContext { open, optional: false, counts: false, offset_hours: self.offset_hours };
        match format.write(value, &leaf, &mut self.xml) {
            Ok(_) => self.xml.raw(close),
            Err(refused) => self.refuse(|| Violation {
                campo: position.path(""),
                codigo: refused.codigo,
                mensagem: refused.mensagem,
                sugestao: None,
            }),
        }
    }
}

/// Returns the child element declarations of a group, in order, across all compositors.
pub fn members(complex: &'static Complex) -> Vec<&'static Element> {
    fn collect(particle: &'static Particle, members: &mut Vec<&'static Element>) {
        match &particle.body {
            Body::Element(element) => members.push(element),
            Body::Sequence(parts) | Body::Choice(parts) => {
                parts.iter().for_each(|part| collect(part, members));
            }
            Body::Any => {}
        }
    }
    let mut members_found = Vec::new();
    if let Some(content) = &complex.content {
        collect(content, &mut members_found);
    }
    members_found
}
