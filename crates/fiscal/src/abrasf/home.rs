//! Where the RPS stands in a `nota`: right there, or inside of the element that the layouts sign, or as the national layout wraps it.

use super::names::fold;
use crate::finding::Violation;
use serde_json::Value;

/// Names that hold all groups.
const WRAPPERS: [(&str, &str); 5] = [
    ("InfDeclaracaoPrestacaoServico", "nota.InfDeclaracaoPrestacaoServico"),
    ("inf_declaracao_prestacao_servico", "nota.inf_declaracao_prestacao_servico"),
    ("InfRps", "nota.InfRps"),
    ("inf_rps", "nota.inf_rps"),
    ("infDPS", "nota.infDPS"),
];

fn wrapper(nota: &Value) -> Option<(&'static str, &'static str)> {
    WRAPPERS.into_iter().find(|(name, _)| nota.get(name).is_some_and(Value::is_object))
}

/// The members of the RPS, wherever they stand.
pub fn groups(nota: &Value) -> &Value {
    wrapper(nota).and_then(|(name, _)| nota.get(name)).unwrap_or(nota)
}

/// The path of them.
pub fn home(nota: &Value) -> &'static str {
    wrapper(nota).map_or("nota", |(_, path)| path)
}

/// A payload cannot say its groups twice.
pub(super) fn refuse(nota: &Value) -> Result<(), Vec<Violation>> {
    let Some((name, _)) = wrapper(nota) else { return Ok(()) };
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
