//! Where the DPS stands in a `nota`: as `infDPS`, inside of `dps`, or with its official tags right there.

use super::groups::root_names;
use super::layouts::DpsLayout;
use crate::finding::{Notice, Violation};
use crate::nota::tree::{Foreign, Tree};
use serde_json::Value;

static TREE: Tree = Tree {
    name: "infDPS",
    path: "nota.infDPS",
    groups: "prest, toma, serv, valores",
    is_group,
    foreign: Foreign { remark: |_| {}, refusal: |_, _| {} },
};

/// The DPS as a whole, as APIs that wrap it call it.
const WRAPPER: &str = "dps";

/// The members of `infDPS`, wherever they stand.
pub fn groups(nota: &Value) -> &Value {
    TREE.groups(unwrapped(nota))
}

/// The path of them.
pub fn home(nota: &Value) -> &'static str {
    match (is_wrapped(nota), TREE.home(unwrapped(nota)) == TREE.path) {
        (false, false) => "nota",
        (false, true) => TREE.path,
        (true, false) => "nota.dps",
        (true, true) => "nota.dps.infDPS",
    }
}

/// What stops a `nota` before its groups are looked at.
pub(super) fn refuse(nota: &Value) -> Result<(), Vec<Violation>> {
    if is_wrapped(nota) && nota.get(TREE.name).is_some_and(|tree| !tree.is_null()) {
        let mensagem = "infDPS está ao lado de dps. Informe a DPS uma vez só.";
        return Err(vec![Violation::of(TREE.path, "estrutura_invalida", mensagem)]);
    }
    TREE.refuse(unwrapped(nota)).map_err(|violations| refusals_at(nota, violations))
}

/// Refusals under the caller's paths.
pub(super) fn refusals(nota: &Value, violations: Vec<Violation>) -> Vec<Violation> {
    refusals_at(nota, TREE.refusals(unwrapped(nota), violations))
}

/// Remarks under the caller's paths.
pub(super) fn remarks(nota: &Value, notices: Vec<Notice>) -> Vec<Notice> {
    let mut notices = TREE.remarks(unwrapped(nota), notices);
    if is_wrapped(nota) {
        for notice in &mut notices {
            notice.campo = inside(&notice.campo);
            notice.sugestao = notice.sugestao.take().map(|path| inside(&path));
        }
    }
    notices
}

fn refusals_at(nota: &Value, mut violations: Vec<Violation>) -> Vec<Violation> {
    if is_wrapped(nota) {
        violations.iter_mut().for_each(|violation| violation.campo = inside(&violation.campo));
    }
    violations
}

fn is_wrapped(nota: &Value) -> bool {
    nota.get(WRAPPER).is_some_and(Value::is_object)
}

fn unwrapped(nota: &Value) -> &Value {
    nota.get(WRAPPER).filter(|dps| dps.is_object()).unwrap_or(nota)
}

/// `nota.x` as `nota.dps.x`; other texts as they are.
fn inside(campo: &str) -> String {
    match campo.strip_prefix("nota") {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => format!("nota.{WRAPPER}{rest}"),
        _ => campo.to_owned(),
    }
}

fn is_group(name: &str) -> bool {
    // it has every name of the other layout and more
    root_names(DpsLayout::Nt009).contains(&name)
}
