//! The writer of one document: it holds the XML so far, and everything found on the way.

use super::compile::Compiler;
use super::format::{Format, Leaf};
use super::memo::Plans;
use super::place::Place;
use super::plan::{Position, Use};
use super::scope::{Layer, Scope};
use super::shape::Root;
use crate::finding::{Notice, Violation};
use crate::layout::{Body, Complex, Element, Kind, Particle};
use crate::xml::Writer;
use serde_json::Value;

/// How many sums a model may keep.
pub const PARTS: usize = 80;

/// Walks a layout and writes what a payload says.
pub struct Walker {
    /// The document so far.
    pub xml: Writer,
    /// Remarks so far.
    pub notices: Vec<Notice>,
    /// Refusals so far.
    pub violations: Vec<Violation>,
    pub(super) parts: [i64; PARTS],
    pub(super) offset_hours: i8,
}

impl Walker {
    /// A walker with room for `capacity` bytes; instants without an offset are taken in `offset_hours`.
    pub fn new(capacity: usize, offset_hours: i8) -> Walker {
        Walker {
            xml: Writer::with_capacity(capacity),
            notices: Vec::new(),
            violations: Vec::new(),
            parts: [0; PARTS],
            offset_hours,
        }
    }

    /// What every part has counted since then.
    pub fn parts(&self) -> &[i64; PARTS] {
        &self.parts
    }

    /// Forgets what the parts have counted.
    pub fn clear_parts(&mut self) {
        self.parts = [0; PARTS];
    }

    /// Writes a group whose scope the model has put together.
    pub fn group(&mut self, element: &'static Element, place: Option<&'static Place>, scope: &Scope<'_>) {
        let roots: Vec<Root<'_, '_>> = scope.layers().iter().map(Layer::root).collect();
        let mut plans = Plans::of(element, place);
        let at = plans.fitting(&roots, || scope.clone());
        self.write_by(plans.at(at), &Use { values: plans.values(), position: Position::At("") });
    }

    /// Writes a member of a scope: a group by a remembered plan, when somebody speaks for it.
    pub fn member(&mut self, particle: &'static Particle, parent: Option<&'static Place>, scope: &Scope<'_>) {
        if let Body::Element(element) = &particle.body
            && let (Kind::Group(_), 1) = (&element.kind, particle.max)
        {
            let place = parent.and_then(|parent| parent.child(element.name));
            let speaks = scope.find(place, element.name).is_some_and(|found| found.value.is_object());
            if speaks || (particle.min > 0 && place.is_some_and(|place| place.flat)) {
                return self.group(element, place, &scope.below(place, element.name));
            }
        }
        self.particle(particle, parent, scope);
    }

    /// Writes a particle of the layout from a scope, by a plan made for this once.
    fn particle(&mut self, particle: &'static Particle, parent: Option<&'static Place>, scope: &Scope<'_>) {
        let mut compiler = Compiler::default();
        compiler.particle(particle, parent, scope);
        let (plan, values) = compiler.finish();
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
            Err(refused) => self.violations.push(Violation {
                campo: position.to_string(),
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
