//! Place of the RPS in a `nota`: at the top, inside of the signed element of the layouts, or inside of the wrappers of
//! the national layout.

use super::names::fold;
use crate::finding::Violation;
use serde_json::Value;

/// Paths of objects that may hold all groups.
const WRAPPERS: [&str; 9] = [
    "nota.InfDeclaracaoPrestacaoServico",
    "nota.inf_declaracao_prestacao_servico",
    "nota.InfRps",
    "nota.inf_rps",
    "nota.infDPS",
    "nota.DPS.infDPS",
    "nota.dps.infDPS",
    "nota.DPS",
    "nota.dps",
];

fn wrapper(nota: &Value) -> Option<(&Value, &'static str)> {
    let below = |path: &'static str| {
        let held = path.split('.').skip(1).try_fold(nota, |held, name| held.get(name))?;
        held.is_object().then_some((held, path))
    };
    WRAPPERS.into_iter().find_map(below)
}

/// The object that holds the groups of the RPS.
pub fn groups(nota: &Value) -> &Value {
    wrapper(nota).map_or(nota, |(held, _)| held)
}

/// The path of that object.
pub fn groups_path(nota: &Value) -> &'static str {
    wrapper(nota).map_or("nota", |(_, path)| path)
}

/// Refuses a payload with groups both in the wrapper and outside of it.
pub(super) fn refuse(nota: &Value) -> Result<(), Vec<Violation>> {
    let Some((_, path)) = wrapper(nota) else { return Ok(()) };
    let name = path.split('.').nth(1).unwrap_or_default();
    let members = nota.as_object().into_iter().flatten();
    let beside =
        members.filter(|(other, value)| *other != name && value.is_object() && GROUPS.contains(&&*fold(other)));
    let twice: Vec<Violation> = beside
        .map(|(other, _)| {
            let mensagem =
                format!("{other} está ao lado de {name}. Ponha todos os grupos dentro de {name}, ou todos em nota.");
            Violation::of(&format!("nota.{other}"), "estrutura_invalida", &mensagem)
        })
        .collect();
    if twice.is_empty() { Ok(()) } else { Err(twice) }
}

const GROUPS: [&str; 10] =
    ["rps", "servico", "serv", "valores", "prestador", "prest", "tomador", "tomadorservico", "toma", "intermediario"];
