//! Plans remembered: one integrator's notes look alike, so most groups of most notes need no new plan.
//!
//! The memory is per thread and bounded; a plan holds names, tags and selector codes, never another value of a note.

use super::compile::Compiler;
use super::place::Place;
use super::plan::Plan;
use super::scope::Scope;
use super::shape::{Root, Shape};
use crate::layout::{ContentModel, Element};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// More shapes than this of one group are not worth remembering.
const REMEMBERED: usize = 8;

/// A group where it is used: the layout shares one declaration between places.
type Key = (*const Element, *const Place);

thread_local! {
    static MEMORY: RefCell<BTreeMap<Key, Vec<Plan>>> = const { RefCell::new(BTreeMap::new()) };
}

/// The plans of one group, borrowed from the memory until dropped.
pub struct Plans<'a> {
    element: &'static Element,
    place: Option<&'static Place>,
    plans: Vec<Plan>,
    /// The values of the objects that were looked at last.
    values: Vec<&'a Value>,
}

impl<'a> Plans<'a> {
    /// What is remembered of a group.
    pub fn of(element: &'static Element, place: Option<&'static Place>) -> Plans<'a> {
        let plans = MEMORY.with_borrow_mut(|memory| memory.remove(&key(element, place)));
        Plans { element, place, plans: plans.unwrap_or_default(), values: Vec::new() }
    }

    /// The place in the list of the plan for these objects, made when there is none.
    pub(super) fn fitting(
        &mut self,
        roots: &[Root<'a, '_>],
        hints: &mut usize,
        scope: impl FnOnce() -> Scope<'a>,
    ) -> usize {
        let Plans { plans, values, .. } = self;
        let fits = |plan: &Plan| plan.shape.as_ref().is_some_and(|shape| shape.fits(roots, values));
        if let Some(at) = plans.iter().position(fits) {
            return at;
        }
        let mut compiler = Compiler::hinting(*hints);
        if let ContentModel::Group(complex) = &self.element.kind {
            compiler.group_in(self.element.name, complex, self.place, &scope());
        }
        let shape = Shape::of(roots, &mut self.values);
        let plan = compiler.finish_for(shape, &self.values, hints);
        self.plans.truncate(REMEMBERED - 1);
        self.plans.insert(0, plan);
        0
    }

    /// A plan of the list.
    pub(super) fn at(&self, at: usize) -> &Plan {
        &self.plans[at]
    }

    /// Values in the order of the plan that fitted last.
    pub(super) fn values(&self) -> &[&'a Value] {
        &self.values
    }
}

impl Drop for Plans<'_> {
    fn drop(&mut self) {
        let mut plans = std::mem::take(&mut self.plans);
        plans.retain(|plan| plan.is_whole && plan.shape.as_ref().is_some_and(Shape::is_memorable));
        let key = key(self.element, self.place);
        // a thread that ends has no memory left to give back to
        let _ = MEMORY.try_with(|memory| memory.borrow_mut().insert(key, plans));
    }
}

fn key(element: &'static Element, place: Option<&'static Place>) -> Key {
    (std::ptr::from_ref(element), place.map_or(std::ptr::null(), std::ptr::from_ref))
}
