//! Cache of plans. Documents of one integrator look alike, so most groups need no new plan.
//!
//! Per thread and bounded. A plan holds names, tags and selector codes, never another value of a document.

use super::compile::PlanCompiler;
use super::mapping::ElementMapping;
use super::plan::WritePlan;
use super::scope::GroupScope;
use super::shape::{ObjectShape, ShapeRoot};
use crate::layout::{ContentModel, Element};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Most shapes that are cached per group.
const REMEMBERED: usize = 8;

/// A group and the mapping it is used with: the layout shares one declaration between several places.
type GroupKey = (*const Element, *const ElementMapping);

thread_local! {
    static MEMORY: RefCell<BTreeMap<GroupKey, Vec<WritePlan>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Plans of one group, borrowed from the cache until dropped.
pub struct PlanCache<'a> {
    element: &'static Element,
    place: Option<&'static ElementMapping>,
    plans: Vec<WritePlan>,
    /// Values of the objects that were compared last.
    values: Vec<&'a Value>,
}

impl<'a> PlanCache<'a> {
    /// Takes the plans of a group out of the cache.
    pub fn of(element: &'static Element, place: Option<&'static ElementMapping>) -> PlanCache<'a> {
        let plans = MEMORY.with_borrow_mut(|memory| memory.remove(&key(element, place)));
        PlanCache { element, place, plans: plans.unwrap_or_default(), values: Vec::new() }
    }

    /// Returns the index of the plan for these objects; compiles it when none fits.
    pub(super) fn plan_index(
        &mut self,
        roots: &[ShapeRoot<'a, '_>],
        hints: &mut usize,
        scope: impl FnOnce() -> GroupScope<'a>,
    ) -> usize {
        let PlanCache { plans, values, .. } = self;
        let fits = |plan: &WritePlan| plan.shape.as_ref().is_some_and(|shape| shape.fits(roots, values));
        if let Some(at) = plans.iter().position(fits) {
            return at;
        }
        let mut compiler = PlanCompiler::with_hints(*hints);
        if let ContentModel::Group(complex) = &self.element.kind {
            compiler.group_in(self.element.name, complex, self.place, &scope());
        }
        let shape = ObjectShape::of(roots, &mut self.values);
        let plan = compiler.finish_for(shape, &self.values, hints);
        self.plans.truncate(REMEMBERED - 1);
        self.plans.insert(0, plan);
        0
    }

    pub(super) fn at(&self, at: usize) -> &WritePlan {
        &self.plans[at]
    }

    /// Values in the order of the plan that fitted last.
    pub(super) fn values(&self) -> &[&'a Value] {
        &self.values
    }
}

impl Drop for PlanCache<'_> {
    fn drop(&mut self) {
        let mut plans = std::mem::take(&mut self.plans);
        plans.retain(|plan| plan.is_whole && plan.shape.as_ref().is_some_and(ObjectShape::is_memorable));
        let key = key(self.element, self.place);
        // a thread that ends has already dropped its cache
        let _ = MEMORY.try_with(|memory| memory.borrow_mut().insert(key, plans));
    }
}

fn key(element: &'static Element, place: Option<&'static ElementMapping>) -> GroupKey {
    (std::ptr::from_ref(element), place.map_or(std::ptr::null(), std::ptr::from_ref))
}
