//! Repeated elements: each is written by the plan of its shape.

use super::format::LeafFormat;
use super::misplaced::no_group;
use super::path::PayloadPath;
use super::plan::{ArrayOp, ObjectPosition, PlanTarget};
use super::plan_cache::PlanCache;
use super::scope::{GroupScope, LayerOrigin, is_empty};
use super::shape::ShapeRoot;
use super::walker::LayoutWalker;
use crate::finding::Violation;
use crate::layout::{ContentModel, Element};
use serde_json::{Map, Value};

impl LayoutWalker {
    /// Writes every element of an array; a single value stands for an array of one.
    pub(super) fn write_array(&mut self, array: &ArrayOp, object: &PlanTarget<'_, '_>) {
        let Some(value) = object.values.get(array.slot).copied() else { return };
        let path = object.position.path(&array.at.path());
        // A caller with one value per element may leave out the group around it.
        let grouped = array.place.and_then(|place| place.alone).and_then(|tag| grouped(value, tag));
        let value = grouped.as_ref().unwrap_or(value);
        let mut plans = PlanCache::of(array.element, array.place);
        match value {
            Value::Array(elements) => {
                let most = usize::try_from(array.most).unwrap_or(usize::MAX);
                // an empty element is absent; the others keep the caller's positions in messages
                let said = || elements.iter().enumerate().filter(|(_, element)| !is_empty(element));
                let given = said().count();
                if given > most {
                    self.refuse(|| too_many(&path, given, most));
                }
                for (index, element) in said().take(most) {
                    self.element(array.element, element, ObjectPosition::In(&path, index), &mut plans);
                }
            }
            single => self.element(array.element, single, ObjectPosition::At(&path), &mut plans),
        }
    }

    /// Writes one element of an array.
    pub fn element<'a>(
        &mut self,
        element: &'static Element,
        value: &'a Value,
        position: ObjectPosition<'_>,
        plans: &mut PlanCache<'a>,
    ) {
        match (&element.kind, value) {
            (ContentModel::Leaf(simple), _) => {
                let open = format!("<{}>", element.name);
                let close = format!("</{}>", element.name);
                self.write_alone(LeafFormat::of(element.name, simple), value, &open, &close, position);
            }
            (_, Value::Object(object)) => self.object(object, position, plans),
            _ => self.refuse(|| Violation {
                campo: position.path(""),
                codigo: "tipo_invalido",
                mensagem: no_group(own_name(&position.path("")).unwrap_or(element.name)),
                sugestao: None,
            }),
        }
    }

    fn object<'a>(&mut self, object: &'a Map<String, Value>, position: ObjectPosition<'_>, plans: &mut PlanCache<'a>) {
        let root = ShapeRoot { object, path: &PayloadPath::NONE, origin: LayerOrigin::Caller };
        let at =
            plans.plan_index(&[root], &mut self.hints, || GroupScope::at("").with(object, "", LayerOrigin::Caller));
        self.write_by(plans.at(at), &PlanTarget { values: plans.values(), position });
    }
}

/// Returns the caller's name of the list that holds an element: `produtos` for `nota.produtos[0]`.
fn own_name(path: &str) -> Option<&str> {
    path.rsplit('.').next()?.split('[').next().filter(|name| !name.is_empty())
}

/// Wraps bare values in the group `tag`, also inside a list. `None` when nothing is bare.
fn grouped(value: &Value, tag: &str) -> Option<Value> {
    let is_bare = |value: &Value| matches!(value, Value::String(_) | Value::Number(_));
    let group = |value: &Value| Value::Object(Map::from_iter([(tag.to_owned(), value.clone())]));
    match value {
        Value::Array(elements) if elements.iter().any(is_bare) => Some(
            elements.iter().map(|element| if is_bare(element) { group(element) } else { element.clone() }).collect(),
        ),
        bare if is_bare(bare) => Some(group(bare)),
        _ => None,
    }
}

/// Refusal of a list longer than the layout allows. Only the first `most` elements are examined.
pub fn too_many(campo: &str, given: usize, most: usize) -> Violation {
    Violation {
        campo: campo.to_owned(),
        codigo: "estrutura_invalida",
        mensagem: format!("Há {given} elementos, e o leiaute aceita no máximo {most}. Divida em mais de um documento."),
        sugestao: None,
    }
}
