//! Position of the DPS in a `nota`: as `infDPS`, inside `dps` (or `DPS`, as in the XML), or as official tags directly
//! in it.

use super::groups::root_names;
use super::layouts::DpsLayout;
use crate::finding::{Notice, Violation};
use crate::nota::tree::{ForeignNames, OfficialTree};
use serde_json::Value;

static TREE: OfficialTree = OfficialTree {
    name: "infDPS",
    path: "nota.infDPS",
    groups: "prest, toma, serv, valores",
    is_group,
    foreign: ForeignNames { remark: |_| {}, refusal: |_, _| {} },
};

/// A name of the whole DPS, and the paths of its groups: directly inside, and in its `infDPS`.
struct DpsWrapper {
    name: &'static str,
    groups: &'static str,
    tree: &'static str,
}

/// XML converted to JSON has capitals; other services use lower case.
static WRAPPERS: [DpsWrapper; 3] = [
    DpsWrapper { name: "dps", groups: "nota.dps", tree: "nota.dps.infDPS" },
    DpsWrapper { name: "DPS", groups: "nota.DPS", tree: "nota.DPS.infDPS" },
    DpsWrapper { name: "Dps", groups: "nota.Dps", tree: "nota.Dps.infDPS" },
];

/// Returns the object that holds the members of `infDPS`.
pub fn groups(nota: &Value) -> &Value {
    TREE.groups(unwrapped(nota))
}

/// Returns the path of that object.
pub fn dps_path(nota: &Value) -> &'static str {
    match (wrapper(nota), TREE.groups_path(unwrapped(nota)) == TREE.path) {
        (None, false) => "nota",
        (None, true) => TREE.path,
        (Some(wrapper), false) => wrapper.groups,
        (Some(wrapper), true) => wrapper.tree,
    }
}

/// Refuses a `nota` with more than one DPS, or with groups inside the DPS and beside it.
pub(super) fn refuse(nota: &Value) -> Result<(), Vec<Violation>> {
    if let Some(wrapper) = wrapper(nota) {
        let says = |name: &&str| nota.get(*name).is_some_and(|tree| !tree.is_null());
        let mut others =
            WRAPPERS.iter().map(|other| other.name).chain([TREE.name]).filter(|name| *name != wrapper.name);
        if let Some(other) = others.find(says) {
            let mensagem = format!("{other} está ao lado de {}. Informe a DPS uma vez só.", wrapper.name);
            return Err(vec![Violation::of(&format!("nota.{other}"), "estrutura_invalida", &mensagem)]);
        }
    }
    TREE.refuse(unwrapped(nota)).map_err(|violations| refusals_at(nota, violations))
}

/// Rewrites violations to the caller's paths.
pub(super) fn refusals(nota: &Value, violations: Vec<Violation>) -> Vec<Violation> {
    refusals_at(nota, TREE.rewrite_violations(unwrapped(nota), violations))
}

/// Rewrites notices to the caller's paths.
pub(super) fn remarks(nota: &Value, notices: Vec<Notice>) -> Vec<Notice> {
    let mut notices = TREE.rewrite_notices(unwrapped(nota), notices);
    if let Some(wrapper) = wrapper(nota) {
        for notice in &mut notices {
            notice.campo = inside(wrapper, &notice.campo);
            notice.sugestao = notice.sugestao.take().map(|path| inside(wrapper, &path));
        }
    }
    notices
}

fn refusals_at(nota: &Value, mut violations: Vec<Violation>) -> Vec<Violation> {
    if let Some(wrapper) = wrapper(nota) {
        violations.iter_mut().for_each(|violation| violation.campo = inside(wrapper, &violation.campo));
    }
    violations
}

fn wrapper(nota: &Value) -> Option<&'static DpsWrapper> {
    WRAPPERS.iter().find(|wrapper| nota.get(wrapper.name).is_some_and(Value::is_object))
}

fn unwrapped(nota: &Value) -> &Value {
    wrapper(nota).and_then(|wrapper| nota.get(wrapper.name)).unwrap_or(nota)
}

/// Rewrites `nota.x` to `nota.dps.x`. Other texts stay.
fn inside(wrapper: &DpsWrapper, campo: &str) -> String {
    match campo.strip_prefix("nota") {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => format!("{}{rest}", wrapper.groups),
        _ => campo.to_owned(),
    }
}

fn is_group(name: &str) -> bool {
    // this layout has every name of the other
    root_names(DpsLayout::Nt009).contains(&name)
}
