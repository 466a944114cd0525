//! `nota.infNFe`: the official tree of the NF-e and NFC-e as JSON.

use super::elsewhere;
use super::groups::INF_NFE;
use super::write::inf_nfe;
use crate::finding::{Notice, Violation};
use crate::map;
use crate::nota::tree::{Foreign, Tree};
use serde_json::Value;

static TREE: Tree = Tree {
    name: "infNFe",
    path: "nota.infNFe",
    groups: "ide, emit, dest, det",
    is_group,
    foreign: Foreign { remark: elsewhere::remark, refusal: elsewhere::refusal },
};

/// Returns the object that holds the groups of a `nota`.
pub fn groups(nota: &Value) -> &Value {
    TREE.groups(nota)
}

/// Returns the path of the groups.
pub fn home(nota: &Value) -> &'static str {
    TREE.home(nota)
}

pub(super) fn refuse(nota: &Value) -> Result<(), Vec<Violation>> {
    TREE.refuse(nota)
}

pub(super) fn refusals(nota: &Value, violations: Vec<Violation>) -> Vec<Violation> {
    TREE.refusals(nota, violations)
}

pub(super) fn remarks(nota: &Value, notices: Vec<Notice>) -> Vec<Notice> {
    TREE.remarks(nota, notices)
}

fn is_group(name: &str) -> bool {
    inf_nfe().is_some_and(|complex| map::valid_names(complex, Some(&INF_NFE)).contains(&name))
}
