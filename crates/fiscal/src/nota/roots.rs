//! The names directly below `nota`.

use super::tree::ATTRIBUTES;
use crate::finding::{MOST_FOUND, repeated};
use crate::map::Walker;
use serde_json::{Map, Value};

/// Reports the names that belong to no group.
pub(crate) fn report(root: &Map<String, Value>, valid: &[&'static str], walker: &mut Walker) {
    let known = |name: &str| valid.contains(&name) || ATTRIBUTES.contains(&name);
    for name in root.keys().filter(|name| !known(name)).take(MOST_FOUND) {
        walker.unknown_name(format!("nota.{}", repeated(name)), name, valid);
    }
}
