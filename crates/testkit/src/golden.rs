//! The golden files of the fiscal core: a folder per kind of document in it, a folder per case in that, and the bases.

use crate::merge_patch::patched;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Folder of the cases.
const HOME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fiscal/tests/golden");

/// Returns the folders of a kind of document, in order of names.
pub fn folders(kind: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(Path::new(HOME).join(kind)).unwrap();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

pub fn read(file: &Path) -> Value {
    let text = fs::read_to_string(file).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Returns a base by its name.
pub fn base(name: &str) -> Value {
    read(&Path::new(HOME).join(format!("base/{name}.json")))
}

/// Reads the input of a case, a merge patch (RFC 7396) on the base that it names.
pub(crate) fn case_input(folder: &Path) -> Value {
    let mut own = read(&folder.join("input.json"));
    let named = own["base"].as_str().unwrap_or_else(|| panic!("{} has no base", folder.display())).to_owned();
    own.as_object_mut().unwrap().shift_remove("base");
    patched(base(&named), &own)
}
