//! Compiles layout, map and one object into a plan: the elements to write, the values they come from, and their order.

use super::format::{LeafContext, LeafFormat, WriteOutcome};
use super::mapping::{ElementMapping, FallbackValue};
use super::misplaced::no_group;
use super::particles::{content_given, fillable, flat_choice, given, is_element, may_be_empty};
use super::plan::{ArrayOp, LeafOp, PlanOperation, WritePlan};
use super::read_object::ReadObject;
use super::scope::{FoundValue, GroupScope, LayerOrigin, NEUTRAL, ValueLocation};
use super::shape::{ObjectShape, ValuePin, is_zero};
use crate::finding::{MOST_FOUND, Notice, Violation};
use crate::layout::{Attribute, Body, Complex, ContentModel, Element, Particle, Simple};
use crate::xml::CanonicalWriter;
use serde_json::Value;

/// Compiler of one plan.
#[derive(Default)]
pub(super) struct PlanCompiler<'a> {
    pub(super) plan: WritePlan,
    /// Constant text that is not an operation yet.
    pending: String,
    /// Values that the plan reads, by slot.
    values: Vec<&'a Value>,
    pub(super) pins: Vec<(usize, ValuePin)>,
    /// Values of the caller that are used.
    pub(super) used: Vec<*const Value>,
    pub(super) seen: Vec<ReadObject<'a>>,
    /// Wrong names for which a suggestion is still searched.
    pub(super) hints: usize,
}

impl<'a> PlanCompiler<'a> {
    /// Creates a compiler that searches suggestions for at most `hints` wrong names.
    pub(super) fn with_hints(hints: usize) -> PlanCompiler<'a> {
        PlanCompiler { hints, ..PlanCompiler::default() }
    }

    /// Returns a plan to be used once. Sets `hints` to the suggestions that are left.
    pub(super) fn finish(mut self, hints: &mut usize) -> (WritePlan, Vec<&'a Value>) {
        self.flush();
        self.report_unknown();
        *hints = self.hints;
        (self.plan, self.values)
    }

    /// Returns a plan for every object of a shape: its slots become positions among the values of the shape.
    pub(super) fn finish_for(mut self, mut shape: ObjectShape, all: &[&'a Value], hints: &mut usize) -> WritePlan {
        self.flush();
        self.report_unknown();
        *hints = self.hints;
        let place = |slot: usize| {
            let value = self.values.get(slot).copied();
            value.and_then(|value| all.iter().position(|other| std::ptr::eq(*other, value))).unwrap_or(usize::MAX)
        };
        for op in &mut self.plan.ops {
            match op {
                PlanOperation::Leaf(leaf) => leaf.slot = place(leaf.slot),
                PlanOperation::Array(array) => array.slot = place(array.slot),
                PlanOperation::Counted { slot, .. } => *slot = place(*slot),
                PlanOperation::Agree { first, others } => {
                    *first = place(*first);
                    others.iter_mut().for_each(|(slot, _)| *slot = place(*slot));
                }
                PlanOperation::Raw(_)
                | PlanOperation::Index
                | PlanOperation::Sum { .. }
                | PlanOperation::Set { .. }
                | PlanOperation::Begin
                | PlanOperation::End { .. } => {}
            }
        }
        for (slot, pin) in &self.pins {
            shape.pin(place(*slot), pin.clone());
        }
        self.plan.shape = Some(shape);
        self.plan
    }

    pub(super) fn particle(
        &mut self,
        particle: &'static Particle,
        place: Option<&'static ElementMapping>,
        scope: &GroupScope<'a>,
    ) {
        match &particle.body {
            Body::Element(element) => self.element(element, particle.min == 0, particle.max, place, scope),
            Body::Sequence(parts) => {
                let begun = particle.min > 0 || given(particle, place, scope) > 0;
                if begun && !(particle.min == 0 && self.is_blank(parts, place, scope)) {
                    parts.iter().for_each(|part| self.particle(part, place, scope));
                }
            }
            Body::Choice(branches) => self.choice(branches, particle.min == 0, place, scope),
            Body::Any => {}
        }
    }

    /// True when an optional sequence holds only zeros and could not be completed. `vICMSDeson` 0 without its reason
    /// means that there is no exemption, not that the reason was forgotten.
    fn is_blank(
        &mut self,
        parts: &'static [Particle],
        place: Option<&'static ElementMapping>,
        scope: &GroupScope<'a>,
    ) -> bool {
        let incomplete = |part: &'static Particle| part.min > 0 && given(part, place, scope) == 0;
        if !parts.iter().any(|part| incomplete(part) && !fillable(part, place)) {
            return false;
        }
        let mut zeros = Vec::new();
        for part in parts.iter().filter(|part| given(part, place, scope) > 0) {
            let Body::Element(element) = &part.body else { return false };
            let own = place.and_then(|place| place.child(element.name));
            let (ContentModel::Leaf(simple), Some(found)) = (&element.kind, scope.find(own, element.name)) else {
                return false;
            };
            if !LeafFormat::of(element.name, simple).zero() {
                return false;
            }
            zeros.push(found);
        }
        for found in &zeros {
            let slot = self.slot(found.value);
            self.pins.push((slot, ValuePin::Zero(is_zero(found.value))));
        }
        let blank = zeros.iter().all(|found| is_zero(found.value));
        if blank {
            zeros.iter().for_each(|found| self.mark_used(found));
        }
        blank
    }

    fn element(
        &mut self,
        element: &'static Element,
        optional: bool,
        most: u32,
        parent: Option<&'static ElementMapping>,
        scope: &GroupScope<'a>,
    ) {
        let place = parent.and_then(|parent| parent.child(element.name));
        match &element.kind {
            ContentModel::Foreign(_) => {}
            _ if most > 1 => self.array(element, optional, most, place, scope),
            ContentModel::Leaf(simple) => self.leaf(element.name, simple, optional, place, scope),
            ContentModel::Group(complex) => self.group(element.name, complex, optional, place, scope),
        }
    }

    fn group(
        &mut self,
        tag: &'static str,
        complex: &'static Complex,
        optional: bool,
        place: Option<&'static ElementMapping>,
        scope: &GroupScope<'a>,
    ) {
        let flat = place.is_some_and(|place| place.flat);
        match scope.find(place, tag) {
            Some(FoundValue { value: Value::Object(_), .. }) => {}
            Some(found) => {
                self.mark_used(&found);
                return self.refuse(found.at.path(), "tipo_invalido", no_group(found.at.name), None);
            }
            None if optional && !(flat && content_given(complex, place, scope) > 0) => return,
            None => {}
        }
        let child = scope.below(place, tag);
        if optional && may_be_empty(complex) {
            return self.write_nonempty_group(tag, complex, place, &child);
        }
        self.group_in(tag, complex, place, &child);
    }

    /// Writes a group and leaves it out when it turns out empty.
    fn write_nonempty_group(
        &mut self,
        tag: &'static str,
        complex: &'static Complex,
        place: Option<&'static ElementMapping>,
        scope: &GroupScope<'a>,
    ) {
        self.push(PlanOperation::Begin);
        let begun = self.plan.ops.len();
        self.group_in(tag, complex, place, scope);
        if self.plan.ops.len() == begun && self.pending == format!("<{tag}></{tag}>") {
            self.pending.clear();
            self.plan.ops.pop();
            return;
        }
        self.push(PlanOperation::End { tag });
    }

    /// Writes a group whatever its scope holds.
    pub(super) fn group_in(
        &mut self,
        tag: &'static str,
        complex: &'static Complex,
        place: Option<&'static ElementMapping>,
        scope: &GroupScope<'a>,
    ) {
        self.record_objects(scope, complex, place);
        if let Some(part) = place.and_then(|place| place.mark) {
            self.set(part, MARKED);
        }
        self.raw("<");
        self.raw(tag);
        // Signed XML is canonical. A schema may declare attributes in another order (`pgto` of a CT-e: nPag,
        // idTransacao).
        let mut attributes: Vec<&'static Attribute> = complex.attributes.iter().collect();
        attributes.sort_unstable_by_key(|attribute| attribute.name);
        attributes.into_iter().for_each(|attribute| self.attribute(attribute, place, scope));
        self.raw(">");
        if let Some(simple) = complex.text {
            self.text_of(simple, scope);
        }
        if let Some(content) = &complex.content {
            self.particle(content, place, scope);
        }
        self.close(tag);
    }

    fn array(
        &mut self,
        element: &'static Element,
        optional: bool,
        most: u32,
        place: Option<&'static ElementMapping>,
        scope: &GroupScope<'a>,
    ) {
        let Some(found) = scope.find(place, element.name) else {
            if let Some(branches) = flat_choice(element, place) {
                return self.each_branch(element, branches, optional, place, scope);
            }
            if !optional {
                let name = ElementMapping::name(place, element.name);
                self.refuse(scope.path_of(name), "campo_obrigatorio", format!("Informe {name}: ao menos um."), None);
            }
            return;
        };
        self.mark_used(&found);
        let slot = self.slot(found.value);
        self.push(PlanOperation::Array(ArrayOp { element, most, place, slot, at: found.at }));
    }

    /// Writes a repeated group whose members stand in the enclosing object: one element for each branch of its choice
    /// that is given.
    fn each_branch(
        &mut self,
        element: &'static Element,
        branches: &'static [Particle],
        optional: bool,
        place: Option<&'static ElementMapping>,
        scope: &GroupScope<'a>,
    ) {
        let mut any = false;
        for branch in branches.iter().filter(|branch| given(branch, place, scope) > 0) {
            any = true;
            self.open(element.name);
            self.particle(branch, place, scope);
            self.close(element.name);
        }
        if !any && !optional {
            self.refuse_choice(branches, place, scope);
        }
    }

    fn leaf(
        &mut self,
        tag: &'static str,
        simple: &'static Simple,
        optional: bool,
        place: Option<&'static ElementMapping>,
        scope: &GroupScope<'a>,
    ) {
        let mut format = LeafFormat::of(tag, simple);
        if place.is_some_and(|place| place.zero_is_nothing) {
            format = format.without_zero();
        }
        let mut found = scope.all_values(place, tag);
        if let Some(first) = found.next() {
            let others: Vec<FoundValue<'a>> = found.collect();
            self.require_equal(&first, &others);
            others.iter().for_each(|other| self.mark_used(other));
            return self.value(tag, format, optional, place, &first);
        }
        drop(found);
        if optional {
            return;
        }
        match place.map_or(FallbackValue::Nothing, |place| place.fill) {
            FallbackValue::Literal(text) => self.constant(tag, text, format, place),
            FallbackValue::Assumed(text) => {
                let campo = scope.path_of(ElementMapping::name(place, tag));
                self.note(campo, "assumido_padrao", format!("{tag} não foi informado: será usado \"{text}\"."));
                self.constant(tag, text, format, place);
            }
            FallbackValue::SameAs(neighbour) => match scope.find(None, neighbour) {
                Some(found) => self.value(tag, format, optional, place, &found),
                None if format.zero() => self.constant(tag, "0", format, place),
                None => {}
            },
            FallbackValue::SumOf(parts) => {
                self.open(tag);
                self.push(PlanOperation::Sum { parts, format });
                self.close(tag);
            }
            FallbackValue::Index | FallbackValue::Position => self.index(tag),
            FallbackValue::Nothing if format.zero() => {
                let campo = scope.path_of(ElementMapping::name(place, tag));
                let mensagem = format!("O leiaute exige {tag} e ele não foi informado: será escrito zero.");
                self.note(campo, "assumido_zero", mensagem);
                self.constant(tag, "0", format, place);
            }
            FallbackValue::Nothing | FallbackValue::Required => {
                let name = ElementMapping::name(place, tag);
                self.refuse(scope.path_of(name), "campo_obrigatorio", format!("Informe {name}."), None);
            }
        }
    }

    /// Writes a value that was found. A caller's value is read at each use; a constant of the service is part of the
    /// plan.
    fn value(
        &mut self,
        tag: &'static str,
        format: LeafFormat,
        optional: bool,
        place: Option<&'static ElementMapping>,
        found: &FoundValue<'a>,
    ) {
        self.mark_used(found);
        let slot = self.slot(found.value);
        if NEUTRAL.contains(&found.at.name) {
            self.pins.push((slot, ValuePin::Positions(super::scope::positions(found.value))));
        }
        let part = place.and_then(|place| place.part);
        if let Some((text, counted)) = self.pinned(found, format) {
            return self.text(tag, &text, part, counted);
        }
        let at = found.at.clone();
        let vanishes = optional && format.may_vanish();
        let tags = vanishes.then(|| (format!("<{tag}>").into(), format!("</{tag}>").into()));
        if !vanishes {
            self.open(tag);
        }
        self.leaf_op(LeafOp { before: Box::default(), tags, slot, format, optional, part, attribute: false, at });
        if !vanishes {
            self.close(tag);
        }
    }

    /// Returns the text of a code that the plan is pinned to: equal at each use.
    fn pinned(&self, found: &FoundValue<'a>, format: LeafFormat) -> Option<(String, i64)> {
        let is_it = |slot: usize| self.values.get(slot).is_some_and(|value| std::ptr::eq(*value, found.value));
        let pinned = self.pins.iter().any(|(slot, pin)| matches!(pin, ValuePin::Value(_)) && is_it(*slot));
        if !pinned || !matches!(format, LeafFormat::Code(_)) {
            return None;
        }
        let mut xml = CanonicalWriter::default();
        let written = format.write(found.value, &CONSTANT, &mut xml);
        let (_, counted) = written.ok().filter(|(written, _)| *written == WriteOutcome::Whole)?;
        Some((xml.finish(), counted))
    }

    /// Requires the values of several names for one element to be equal.
    fn require_equal(&mut self, first: &FoundValue<'a>, others: &[FoundValue<'a>]) {
        let inside = |found: &&FoundValue<'a>| found.at.name.contains('/') && found.origin == LayerOrigin::Caller;
        let others: Vec<(usize, ValueLocation)> =
            others.iter().filter(inside).map(|other| (self.slot(other.value), other.at.clone())).collect();
        if inside(&first) && !others.is_empty() {
            let first = self.slot(first.value);
            self.push(PlanOperation::Agree { first, others });
        }
    }

    fn attribute(
        &mut self,
        attribute: &'static Attribute,
        place: Option<&'static ElementMapping>,
        scope: &GroupScope<'a>,
    ) {
        let own = place.and_then(|place| place.child(attribute.name));
        let found = scope.find(own, attribute.name);
        let fill = own.map_or(FallbackValue::Nothing, |own| own.fill);
        let given = found.is_some() || attribute.fixed.is_some() || !matches!(fill, FallbackValue::Nothing);
        if !given {
            if attribute.required {
                let campo = scope.path_of(attribute.name);
                self.refuse(campo, "campo_obrigatorio", format!("Informe {}.", attribute.name), None);
            }
            return;
        }
        self.raw(&format!(" {}=\"", attribute.name));
        match (attribute.fixed, fill, found) {
            (Some(fixed), _, _) => self.raw(fixed),
            (None, FallbackValue::Index, found) => {
                if let Some(found) = found.filter(|found| found.origin == LayerOrigin::Caller) {
                    self.mark_used(&found);
                    let slot = self.slot(found.value);
                    self.push(PlanOperation::Counted { slot, at: found.at });
                }
                self.push(PlanOperation::Index);
            }
            (None, FallbackValue::Position, None) => self.push(PlanOperation::Index),
            (None, FallbackValue::Literal(text), None) => self.raw(text),
            (None, _, Some(found)) => {
                self.mark_used(&found);
                self.bare(&found, LeafFormat::of(attribute.name, attribute.simple), true);
            }
            (None, _, None) => {}
        }
        self.raw("\"");
    }

    /// Writes simple content with attributes: its text is the member `valor`.
    fn text_of(&mut self, simple: &'static Simple, scope: &GroupScope<'a>) {
        match scope.find(None, "valor") {
            Some(found) => {
                self.mark_used(&found);
                self.bare(&found, LeafFormat::of("", simple), false);
            }
            None => self.refuse(scope.path_of("valor"), "campo_obrigatorio", "Informe valor.".to_owned(), None),
        }
    }

    fn bare(&mut self, found: &FoundValue<'a>, format: LeafFormat, attribute: bool) {
        let slot = self.slot(found.value);
        let at = found.at.clone();
        let before = Box::default();
        self.leaf_op(LeafOp { before, tags: None, slot, format, optional: false, part: None, attribute, at });
    }

    /// Writes a constant of the service in the format of its type.
    fn constant(&mut self, tag: &'static str, text: &str, format: LeafFormat, place: Option<&'static ElementMapping>) {
        let mut xml = CanonicalWriter::default();
        match format.write_str(text, false, &CONSTANT, &mut xml) {
            Ok((_, counted)) => self.text(tag, &xml.finish(), place.and_then(|place| place.part), counted),
            Err(refused) => self.refuse(tag.to_owned(), refused.codigo, refused.mensagem, None),
        }
    }

    /// Writes an element whose text is known.
    fn text(&mut self, tag: &'static str, text: &str, part: Option<u8>, counted: i64) {
        self.open(tag);
        self.raw(text);
        self.close(tag);
        if let Some(part) = part {
            self.set(part, counted);
        }
    }

    fn index(&mut self, tag: &'static str) {
        self.open(tag);
        self.push(PlanOperation::Index);
        self.close(tag);
    }

    /// Pins the length of the value that decides between CNPJ and CPF.
    pub(super) fn pin_neutral(&mut self, branches: &'static [Particle], scope: &GroupScope<'a>) {
        if !branches.iter().any(|branch| is_element(branch, "CPF")) {
            return;
        }
        let both = NEUTRAL.iter().filter_map(|name| scope.find(None, name)).next();
        if let Some(found) = both {
            let slot = self.slot(found.value);
            self.pins.push((slot, ValuePin::Positions(super::scope::positions(found.value))));
        }
    }

    pub(super) fn mark_used(&mut self, found: &FoundValue<'a>) {
        self.used.push(std::ptr::from_ref(found.value));
    }

    pub(super) fn slot(&mut self, value: &'a Value) -> usize {
        self.values.push(value);
        self.values.len() - 1
    }

    /// Appends constant text. Adjacent texts become one operation.
    fn raw(&mut self, text: &str) {
        self.pending.push_str(text);
    }

    /// Appends a value together with the constant text before it.
    fn leaf_op(&mut self, leaf: LeafOp) {
        let before = std::mem::take(&mut self.pending).into();
        self.plan.ops.push(PlanOperation::Leaf(LeafOp { before, ..leaf }));
    }

    /// Adds a constant to a sum unless it is zero. Does not split the constant text.
    fn set(&mut self, part: u8, value: i64) {
        if value != 0 {
            self.plan.ops.push(PlanOperation::Set { part, value });
        }
    }

    /// Appends an operation after the constant text before it.
    fn push(&mut self, op: PlanOperation) {
        self.flush();
        self.plan.ops.push(op);
    }

    fn flush(&mut self) {
        if !self.pending.is_empty() {
            self.plan.ops.push(PlanOperation::Raw(self.pending.as_str().into()));
            self.pending.clear();
        }
    }

    fn open(&mut self, tag: &str) {
        self.raw("<");
        self.raw(tag);
        self.raw(">");
    }

    fn close(&mut self, tag: &str) {
        self.raw("</");
        self.raw(tag);
        self.raw(">");
    }

    pub(super) fn note(&mut self, campo: String, codigo: &str, mensagem: String) {
        self.plan.notices.push(Notice {
            campo,
            codigo: codigo.to_owned(),
            mensagem,
            sugestao: None,
            codigo_status: None,
        });
    }

    pub(super) fn refuse(&mut self, campo: String, codigo: &'static str, mensagem: String, sugestao: Option<String>) {
        if self.plan.violations.len() < MOST_FOUND {
            self.plan.violations.push(Violation { campo, codigo, mensagem, sugestao });
        }
    }
}

/// Context of texts that become constants of a plan.
const CONSTANT: LeafContext<'static> = LeafContext { open: "", optional: false, counts: true, offset_hours: 0 };

/// Amount that a written group adds to its counting sum: one, in ten-thousandths.
const MARKED: i64 = 10_000;
