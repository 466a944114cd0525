//! Paths of the caller's payload for paths of the XML.

use super::groups::INF_NFE;
use super::write::group_scope;
use crate::map;
use crate::nota::root_scope;
use serde_json::{Map, Value};

/// Returns the caller's path of an XML path.
pub(super) fn campo(root: &Map<String, Value>, path: &str) -> String {
    let path = path.strip_prefix("infNFe/").unwrap_or(path);
    match path.strip_prefix("total/") {
        Some(rest) => map::locate(rest, INF_NFE.child("total"), &group_scope(root, "total")),
        None => map::locate(path, Some(&INF_NFE), &root_scope(root)),
    }
}
