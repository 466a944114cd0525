//! Filters of a list in its address: what was typed, what is wrong with it, and the controls of its form.

pub(super) mod address;
pub(super) mod controls;
mod list_filters;

pub(super) use list_filters::ListFilters;
