//! The writer of one document: it holds the XML so far, and everything found on the way.

use super::compile::Compiler;
use super::format::{Format, Leaf};
use super::memo::Plans;
use super::place::Place;
use super::plan::{Position, Use};
use super::scope::{Layer, Scope};
use super::shape::Root;
use super::sums::Parts;
use crate::finding::{MOST_FOUND, MOST_TOLD, Notice, Violation};
use crate::layout::{Body, Complex, ContentModel, Element, Particle};
use crate::xml::Writer;
use serde_json::Value;

/// Walks a layout and writes what a payload says.
pub struct Walker {
    /// The document so far.
    pub xml: Writer,
    /// Remarks so far.
    pub notices: Vec<Notice>,
    pub(super) remarks: Remarks,
    /// How many remarks of each kind there were.
    remarked: Vec<(String, usize)>,
    /// Refusals so far.
    pub violations: Vec<Violation>,
    /// Sums over what was written since they were last taken.
    pub parts: Parts,
    pub(super) offset_hours: i8,
    /// Wrong names for which the right one is still looked for.
    pub(super) hints: usize,
    /// Where groups began that may come to nothing.
    pub(super) begun: Vec<usize>,
}

/// Whether remarks are made: a note whose caller has read them is written again without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remarks {
    /// Kept for the caller.
    Kept,
    /// Not even made.
    Dropped,
}

impl Walker {
    /// A walker with room for `capacity` bytes; instants without an offset are taken in `offset_hours`.
    pub fn new(capacity: usize, offset_hours: i8, remarks: Remarks) -> Walker {
        Walker {
            xml: Writer::with_capacity(capacity),
            notices: Vec::new(),
            remarks,
            remarked: Vec::new(),
            violations: Vec::new(),
            parts: Parts::default(),
            offset_hours,
            hints: MOST_TOLD,
            begun: Vec::new(),
        }
    }

    /// Makes a remark, when remarks are kept and not too many of its kind.
    pub fn remark(&mut self, notice: impl FnOnce() -> Notice) {
        if self.remarks == Remarks::Kept {
            let notice = notice();
            if self.is_room_for(&notice.codigo) {
                self.notices.push(notice);
            }
        }
    }

    /// The same of a remark whose kind is known before it is made: of a large note thousands are not.
    pub(super) fn remark_of(&mut self, codigo: &str, notice: impl FnOnce() -> Notice) {
        if self.remarks == Remarks::Kept && self.is_room_for(codigo) {
            self.notices.push(notice());
        }
    }

    /// Counted by their kind: a thousand zeros that were assumed must not hide one wrong name.
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

    /// Refuses, while there are not too many refusals.
    pub(super) fn refuse(&mut self, violation: impl FnOnce() -> Violation) {
        if self.violations.len() < MOST_FOUND {
            self.violations.push(violation());
        }
    }

    /// A name that is not known here; the right one is looked for while that was not done too often.
    pub fn unknown_name(&mut self, campo: String, name: &str, valid: &[&'static str]) {
        let hint = self.hints > 0;
        self.hints = self.hints.saturating_sub(1);
        self.remark(|| super::unknown::notice(campo, name, valid, hint));
    }

    /// Writes a group whose scope the model has put together.
    pub fn group(&mut self, element: &'static Element, place: Option<&'static Place>, scope: &Scope<'_>) {
        let roots: Vec<Root<'_, '_>> = scope.layers().iter().map(Layer::root).collect();
        let mut plans = Plans::of(element, place);
        let at = plans.fitting(&roots, &mut self.hints, || scope.clone());
        self.write_by(plans.at(at), &Use { values: plans.values(), position: Position::At("") });
    }

    /// Writes a member of a scope: a group by a remembered plan, when somebody speaks for it.
    pub fn member(&mut self, particle: &'static Particle, parent: Option<&'static Place>, scope: &Scope<'_>) {
        if let Body::Element(element) = &particle.body
            && let (ContentModel::Group(_), 1) = (&element.kind, particle.max)
        {
            let place = parent.and_then(|parent| parent.child(element.name));
            let speaks = scope.find(place, element.name).is_some_and(|found| found.value.is_object());
            if speaks || (particle.min > 0 && place.is_some_and(|place| place.flat)) {
                let begun = self.xml.len();
                self.group(element, place, &scope.below(place, element.name));
                if particle.min == 0 {
                    self.xml.take_back_hollow(begun, element.name);
                }
                return;
            }
        }
        self.particle(particle, parent, scope);
    }

    /// Writes a particle of the layout from a scope, by a plan made for this once.
    fn particle(&mut self, particle: &'static Particle, parent: Option<&'static Place>, scope: &Scope<'_>) {
        let mut compiler = Compiler::hinting(self.hints);
        compiler.particle(particle, parent, scope);
        let (plan, values) = compiler.finish(&mut self.hints);
        self.write_by(&plan, &Use { values: &values, position: Position::At("") });
    }

    /// Writes one value that stands alone.
    pub(super) fn write_alone(
        &mut self,
        format: Format,
        value: &Value,
        open: &str,
        close: &str,
        position: Position<'_>,
    ) {
        let leaf = Leaf { open, optional: false, counts: false, offset_hours: self.offset_hours };
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

/// The child element declarations of a group, in order, whatever compositors stand around them.
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
