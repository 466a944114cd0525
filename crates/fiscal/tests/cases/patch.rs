//! Composition of a case from a base and its differences.

use serde_json::{Map, Value};
use std::fs;
use std::path::{Path, PathBuf};

/// Folder of the golden cases. The service's tests, in a folder beside this crate's, issue them as well.
pub(crate) fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fiscal/tests/golden")
}

/// Returns the folders of a kind of document, in order of names.
pub(crate) fn folders(kind: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(home().join(kind)).unwrap();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

pub(crate) fn read(file: &Path) -> Value {
    let text = fs::read_to_string(file).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Returns a base by its name.
pub(crate) fn base(name: &str) -> Value {
    read(&home().join(format!("base/{name}.json")))
}

/// Applies a merge patch (RFC 7396): objects are merged, null removes, everything else replaces.
pub(crate) fn patched(mut target: Value, patch: &Value) -> Value {
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
