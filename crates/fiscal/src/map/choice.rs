//! Choices of the layout: the branch is picked by the members that are given, or by a code in the caller's object.

use super::compile::PlanCompiler;
use super::mapping::{ElementMapping, code_of};
use super::particles::{fillable, first_name, given, is_element};
use super::scope::GroupScope;
use super::shape::ValuePin;
use crate::finding::excerpt;
use crate::layout::{Body, Particle};

impl<'a> PlanCompiler<'a> {
    pub(super) fn choice(
        &mut self,
        branches: &'static [Particle],
        optional: bool,
        place: Option<&'static ElementMapping>,
        scope: &GroupScope<'a>,
    ) {
        if let Some(selector) = place.and_then(|place| place.selector)
            && branches.iter().any(|branch| selector.rows.iter().any(|(_, tag)| is_element(branch, tag)))
        {
            return self.select(branches, optional, place, scope);
        }
        self.pin_neutral(branches, scope);
        let counts = branches.iter().map(|branch| given(branch, place, scope));
        let best = branches.iter().zip(counts).rev().max_by_key(|(_, count)| *count);
        match best {
            Some((branch, count)) if count > 0 => self.particle(branch, place, scope),
            _ if optional => {}
            _ => match branches.iter().find(|branch| fillable(branch, place)) {
                Some(branch) => self.particle(branch, place, scope),
                None => self.refuse_choice(branches, place, scope),
            },
        }
    }

    /// Chooses a group by the code in the caller's object.
    fn select(
        &mut self,
        branches: &'static [Particle],
        optional: bool,
        place: Option<&'static ElementMapping>,
        scope: &GroupScope<'a>,
    ) {
        let Some(selector) = place.and_then(|place| place.selector) else { return };
        let official = branches.iter().find(|branch| match &branch.body {
            Body::Element(element) => scope.find(None, element.name).is_some_and(|found| found.value.is_object()),
            _ => false,
        });
        if let Some(branch) = official {
            return self.particle(branch, place, scope);
        }
        let Some(found) = selector.names.iter().find_map(|name| scope.find(None, name)) else {
            let without =
                selector.without.iter().find(|(names, _)| names.iter().any(|name| scope.find(None, name).is_some()));
            if let Some(branch) = without.and_then(|(_, tag)| branches.iter().find(|branch| is_element(branch, tag))) {
                return self.particle(branch, place, scope);
            }
            if !optional {
                let name = selector.asked;
                let mensagem = format!("Informe {name}: ele decide o grupo. Valores: {}.", selector.codes());
                self.refuse(scope.path_of(name), "campo_obrigatorio", mensagem, None);
            }
            return;
        };
        self.mark_used(&found);
        let slot = self.slot(found.value);
        self.pins.push((slot, ValuePin::Value(found.value.clone())));
        let has = |name: &str| {
            scope
                .layers()
                .iter()
                .any(|layer| layer.object.get(name).is_some_and(|value| !super::scope::is_empty(value)))
        };
        let tag = code_of(found.value).and_then(|code| selector.group(code, has));
        match tag.and_then(|tag| branches.iter().find(|branch| is_element(branch, tag))) {
            Some(branch) => self.particle(branch, place, scope),
            None => {
                let given = found.value.to_string();
                let mensagem = format!("{} não existe. Valores: {}.", excerpt(&given), selector.codes());
                self.refuse(found.at.path(), "valor_invalido", mensagem, None);
            }
        }
    }

    pub(super) fn refuse_choice(
        &mut self,
        branches: &'static [Particle],
        place: Option<&'static ElementMapping>,
        scope: &GroupScope<'a>,
    ) {
        let names: Vec<&'static str> = branches.iter().filter_map(|branch| first_name(branch, place)).collect();
        let mut distinct = names.clone();
        distinct.dedup();
        let mensagem = match distinct.as_slice() {
            [one] => format!("Informe {one}."),
            several => format!("Informe um destes: {}.", several.join(", ")),
        };
        self.refuse(scope.path_of(names.first().copied().unwrap_or_default()), "campo_obrigatorio", mensagem, None);
    }
}
