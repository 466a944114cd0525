//! `nota.infNFe`: the official tree of the NF-e and NFC-e as JSON.

use super::foreign_names;
use super::groups::INF_NFE;
use super::inf_nfe::inf_nfe;
use crate::finding::{Notice, Violation};
use crate::map;
use crate::nota::tree::{ForeignNames, OfficialTree};
use serde_json::Value;

static TREE: OfficialTree = OfficialTree {
    name: "infNFe",
    path: "nota.infNFe",
    groups: "ide, emit, dest, det",
    is_group,
    foreign: ForeignNames { remark: foreign_names::explain_notice, refusal: foreign_names::explain_violation },
};

/// Returns the object that holds the groups of a `nota`.
pub fn groups(nota: &Value) -> &Value {
    TREE.groups(nota)
}

/// Returns the path of the groups.
pub fn tree_path(nota: &Value) -> &'static str {
    TREE.groups_path(nota)
}

pub(super) fn refuse(nota: &Value) -> Result<(), Vec<Violation>> {
    TREE.refuse(nota)
}

pub(super) fn refusals(nota: &Value, violations: Vec<Violation>) -> Vec<Violation> {
    TREE.rewrite_violations(nota, violations)
}

pub(super) fn remarks(nota: &Value, notices: Vec<Notice>) -> Vec<Notice> {
    TREE.rewrite_notices(nota, notices)
}

fn is_group(name: &str) -> bool {
    inf_nfe().is_some_and(|complex| map::valid_names(complex, Some(&INF_NFE)).contains(&name))
}
