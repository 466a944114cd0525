//! Names of the caller that nothing is written for, and suggestions for them.

use super::compile::PlanCompiler;
use super::mapping::ElementMapping;
use super::read_object::ReadObject;
use super::scope::{GroupScope, LayerOrigin, is_empty, names};
use super::synonyms::builtin_synonym;
use crate::finding::{MOST_FOUND, Notice, excerpt};
use crate::layout::{Body, Complex, ContentModel, Particle, nearest};
use serde_json::{Map, Value};

impl<'a> PlanCompiler<'a> {
    /// Records the caller's objects of a scope for the report.
    pub(super) fn record_objects(
        &mut self,
        scope: &GroupScope<'a>,
        complex: &'static Complex,
        place: Option<&'static ElementMapping>,
    ) {
        for layer in scope.layers().iter().filter(|layer| layer.origin == LayerOrigin::Caller) {
            if !self.seen.iter().any(|seen| std::ptr::eq(seen.object, layer.object)) {
                self.seen.push(ReadObject { object: layer.object, path: layer.path.clone(), complex, place });
            }
        }
        let also = place.map_or(&[][..], |place| place.also);
        for name in also {
            scope.all_values(None, name).for_each(|found| self.mark_used(&found));
        }
    }

    /// Adds a notice about every unused name.
    pub(super) fn report_unknown(&mut self) {
        let mut notices = Vec::new();
        for seen in &self.seen {
            let mut valid = None;
            for (name, value) in seen.object {
                if is_empty(value) || self.is_used(value) {
                    continue;
                }
                if notices.len() + self.plan.notices.len() >= MOST_FOUND {
                    self.plan.is_whole = false;
                    break;
                }
                let valid = valid.get_or_insert_with(|| valid_names(seen.complex, seen.place));
                self.plan.is_whole &= self.hints > 0;
                notices.push(notice(seen.path.to(&excerpt(name)), name, valid, self.hints > 0));
                self.hints = self.hints.saturating_sub(1);
            }
        }
        self.plan.notices.append(&mut notices);
    }

    fn is_used(&self, value: &Value) -> bool {
        let as_object = |object: &Map<String, Value>| self.seen.iter().any(|seen| std::ptr::eq(seen.object, object));
        self.used.contains(&std::ptr::from_ref(value)) || value.as_object().is_some_and(as_object)
    }
}

/// Returns the notice about one name, given the names valid in its group. With `hint` a suggestion is searched.
pub fn notice(campo: String, name: &str, valid: &[&'static str], hint: bool) -> Notice {
    let known = valid.contains(&name);
    let sugestao = if known || !hint { None } else { suggestion(name, valid) };
    let name = excerpt(name);
    let (codigo, mensagem) = match &sugestao {
        _ if known => {
            ("campo_ignorado", format!("{name} não se aplica aqui, pelos outros campos informados: foi ignorado."))
        }
        Some(right) => {
            ("campo_desconhecido", format!("{name} não existe aqui e foi ignorado. Você quis dizer {right}?"))
        }
        None => ("campo_desconhecido", format!("{name} não existe aqui e foi ignorado.")),
    };
    Notice { campo, codigo: codigo.to_owned(), mensagem, sugestao, codigo_status: None }
}

/// Returns the valid name that a wrong one stands for: by meaning, by a few different letters, or because the wrong
/// name continues the valid one (`vproduto`).
fn suggestion(name: &str, valid: &[&'static str]) -> Option<String> {
    let begins = |right: &&&str| {
        right.len() >= 4 && name.get(..right.len()).is_some_and(|start| start.eq_ignore_ascii_case(right))
    };
    let near = builtin_synonym(name, valid).or_else(|| nearest(name, valid.iter().copied()));
    near.or_else(|| valid.iter().filter(begins).max_by_key(|right| right.len()).copied()).map(str::to_owned)
}

/// Returns every name that a group accepts: its members, and members of groups that may stand flat in it.
pub fn valid_names(complex: &'static Complex, place: Option<&'static ElementMapping>) -> Vec<&'static str> {
    let mut valid = Vec::new();
    collect_complex(complex, place, &mut valid);
    valid.sort_unstable();
    valid.dedup();
    valid
}

fn collect_complex(complex: &'static Complex, place: Option<&'static ElementMapping>, valid: &mut Vec<&'static str>) {
    for attribute in complex.attributes.iter().filter(|attribute| attribute.fixed.is_none()) {
        let own = place.and_then(|place| place.child(attribute.name));
        valid.extend(names(own, attribute.name));
    }
    valid.extend(place.map_or(&[][..], |place| place.also));
    if let Some(content) = &complex.content {
        collect(content, place, valid);
    }
}

fn collect(particle: &'static Particle, place: Option<&'static ElementMapping>, valid: &mut Vec<&'static str>) {
    match &particle.body {
        Body::Element(element) => {
            let own = place.and_then(|place| place.child(element.name));
            let outer = |name: &'static str| name.split('/').next().unwrap_or(name);
            valid.extend(names(own, element.name).map(outer));
            if let (ContentModel::Group(complex), true) = (&element.kind, own.is_some_and(|own| own.flat)) {
                collect_complex(complex, own, valid);
            }
        }
        Body::Sequence(parts) | Body::Choice(parts) => parts.iter().for_each(|part| collect(part, place, valid)),
        Body::Any => {}
    }
}
