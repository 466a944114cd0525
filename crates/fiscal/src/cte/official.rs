//! `nota.infCte`: the official tree of the CT-e as JSON.

use super::foreign_names;
use super::model::{self, CteModel};
use crate::finding::{Notice, Violation};
use crate::nota::tree::{ForeignNames, OfficialTree};
use serde_json::Value;

static TREE: OfficialTree = OfficialTree {
    name: "infCte",
    path: "nota.infCte",
    groups: "ide, emit, rem, dest, vPrest, imp, infCTeNorm",
    is_group,
    foreign: ForeignNames { remark, refusal },
};

/// The object that holds the groups of a `nota`.
pub fn groups(nota: &Value) -> &Value {
    TREE.groups(nota)
}

/// The path of the groups.
pub fn groups_path(nota: &Value) -> &'static str {
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
    let has = |model: &'static CteModel| model.root_names().contains(&name);
    has(&model::CTE) || has(&model::CTE_OS)
}

/// Suggests the right name: the cargo's group has another name in each model, and other services have flat parties.
fn remark(notice: &mut Notice) {
    let theirs = notice.campo.strip_prefix("nota.").filter(|_| notice.codigo == "campo_desconhecido");
    if let Some((name, right)) = theirs.and_then(|name| Some((name.to_owned(), foreign_names::party_path(name)?))) {
        notice.mensagem = format!("{name} é nome do Focus NFe; aqui é {right}. Foi ignorado.");
        notice.sugestao = Some(format!("nota.{right}"));
        return;
    }
    let right = match notice.campo.as_str() {
        "nota.carga" | "nota.infCarga" => "servico",
        "nota.servico" | "nota.infServico" => "carga",
        _ => return,
    };
    if notice.codigo == "campo_desconhecido" {
        let name = notice.campo.trim_start_matches("nota.");
        notice.mensagem = format!("{name} não existe neste modelo e foi ignorado. Aqui o grupo é {right}.");
        notice.sugestao = Some(right.to_owned());
    }
}

fn refusal(_: &Value, _: &mut Violation) {}
