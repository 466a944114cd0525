//! Merge patches (RFC 7396).

use serde_json::{Map, Value};

/// Applies a merge patch (RFC 7396): objects are merged, null removes, everything else replaces.
pub fn patched(mut target: Value, patch: &Value) -> Value {
    let Value::Object(patch) = patch else { return patch.clone() };
    if !target.is_object() {
        target = Value::Object(Map::new());
    }
    let members = target.as_object_mut().unwrap();
    for (name, value) in patch {
        if value.is_null() {
            members.shift_remove(name);
        } else {
            let old = members.get(name).cloned().unwrap_or_default();
            members.insert(name.clone(), patched(old, value));
        }
    }
    target
}
