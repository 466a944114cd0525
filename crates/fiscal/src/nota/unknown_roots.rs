//! The names directly below `nota`.

use super::tree::ATTRIBUTES;
use crate::finding::{MOST_FOUND, excerpt};
use crate::map::LayoutWalker;
use serde_json::{Map, Value};

/// Reports the names that belong to no group.
pub(crate) fn report(root: &Map<String, Value>, valid: &[&'static str], walker: &mut LayoutWalker) {
    let known = |name: &str| valid.contains(&name) || ATTRIBUTES.contains(&name);
    for name in root.keys().filter(|name| !known(name)).take(MOST_FOUND) {
        walker.unknown_name(format!("nota.{}", excerpt(name)), name, valid);
    }
}
