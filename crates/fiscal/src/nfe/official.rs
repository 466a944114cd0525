//! The official tree as JSON: `nota.infNFe {ide, emit, dest, det[], …}` stands for `nota`, so that what was written for the layout itself (the
//! XML as JSON, the API of Nuvem Fiscal, arrays of sped-nfe) is sent as it is, and is told of under its own paths.
//!
//! Law: MOC 7.0 anexo I, A01. Must not know what the groups hold.

use super::elsewhere;
use super::write::inf_nfe;
use crate::finding::{MOST_TOLD, Notice, Violation, repeated};
use crate::map;
use serde_json::Value;

/// The groups of a `nota`, wherever they stand.
pub fn groups(nota: &Value) -> &Value {
    nota.get(TREE).filter(|tree| tree.is_object()).unwrap_or(nota)
}

/// The path of the groups.
pub fn home(nota: &Value) -> &'static str {
    if nota.get(TREE).is_some_and(Value::is_object) { "nota.infNFe" } else { "nota" }
}

/// What stops a `nota` before its groups are looked at: it cannot say its groups twice.
pub(super) fn refuse(nota: &Value) -> Result<(), Vec<Violation>> {
    let Some(tree) = nota.get(TREE).filter(|tree| !tree.is_null()) else { return Ok(()) };
    let refusal = |campo: String, codigo, mensagem: String| Violation { campo, codigo, mensagem, sugestao: None };
    if !tree.is_object() {
        let mensagem = "infNFe é um objeto com os grupos oficiais: ide, emit, dest, det…".to_owned();
        return Err(vec![refusal(format!("nota.{TREE}"), "tipo_invalido", mensagem)]);
    }
    let twice = beside(nota).filter(|name| is_group(name)).map(|name| {
        let mensagem =
            format!("{name} está ao lado de infNFe. Ponha todos os grupos dentro de infNFe, ou todos em nota.");
        refusal(format!("nota.{name}"), "estrutura_invalida", mensagem)
    });
    let twice: Vec<Violation> = twice.collect();
    if twice.is_empty() { Ok(()) } else { Err(twice) }
}

/// Refusals under the caller's paths.
pub(super) fn refusals(nota: &Value, mut violations: Vec<Violation>) -> Vec<Violation> {
    let home = home(nota);
    for violation in &mut violations {
        elsewhere::refusal(groups(nota), violation);
        violation.campo = at(home, &violation.campo);
    }
    violations
}

/// Remarks under the caller's paths; what is no group beside the tree is told, too.
pub(super) fn remarks(nota: &Value, mut notices: Vec<Notice>) -> Vec<Notice> {
    let home = home(nota);
    for notice in &mut notices {
        elsewhere::remark(notice);
        notice.campo = at(home, &notice.campo);
        if let Some(path) = notice.sugestao.as_mut().filter(|path| path.starts_with("nota.")) {
            *path = at(home, path);
        }
    }
    if home != "nota" {
        let beside = beside(nota).take(MOST_TOLD);
        notices.extend(beside.map(|name| map::notice(format!("nota.{}", repeated(name)), name, &[], false)));
    }
    notices
}

/// `nota.x` below the home of the groups.
fn at(home: &str, campo: &str) -> String {
    match campo.strip_prefix("nota") {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => format!("{home}{rest}"),
        _ => campo.to_owned(),
    }
}

/// Names beside the tree.
fn beside(nota: &Value) -> impl Iterator<Item = &str> {
    let members = nota.as_object().into_iter().flatten();
    members.filter(|(name, value)| *name != TREE && !value.is_null()).map(|(name, _)| name.as_str())
}

fn is_group(name: &str) -> bool {
    inf_nfe().is_some_and(|complex| map::valid_names(complex, Some(&super::groups::INF_NFE)).contains(&name))
}

/// Attributes of the tree; the service writes its own.
pub(super) const ATTRIBUTES: [&str; 2] = ["versao", "Id"];

const TREE: &str = "infNFe";
