//! All findings about a `nota` without issuing it: violations and notices.
//!
//! Law: `docs/contract.md`, "Checking and preparing" (verificar-campos). The findings are those of `build`, as far as
//! the DPS could be written.

use super::{calendar, groups, home, moved, rules, write};
use crate::document::{Built, Context};
use crate::finding::{Notice, Violation};
use crate::law::Effect;
use crate::map::{self, Remarks};
use crate::nota::{Review, faults, root_scope};
use crate::value::Codigo;
use crate::xml::{self, Element};
use serde_json::{Map, Value};

/// A document checked against the layout.
pub(super) struct Looked {
    pub(super) built: Built,
    pub(super) violations: Vec<Violation>,
}

/// Reviews a `nota`. Paths start with `nota.`.
pub fn review(nota: &Value, context: &Context<'_>) -> Review {
    if let Err(violations) = home::refuse(nota) {
        return Review { violations, ..Review::default() };
    }
    match look(home::groups(nota), context) {
        Ok(Looked { built, violations }) => Review {
            violations: home::refusals(nota, violations),
            notices: home::remarks(nota, built.notices),
            ..Review::default()
        },
        Err(violations) => Review { violations: home::refusals(nota, violations), ..Review::default() },
    }
}

/// Writes the document as far as possible and checks it.
pub(super) fn look(nota: &Value, context: &Context<'_>) -> Result<Looked, Vec<Violation>> {
    let write::Draft { mut built, mut violations } = write::draft(nota, context, Remarks::Kept)?;
    let empty = Map::new();
    let root = nota.as_object().unwrap_or(&empty);
    let campo = |path: &str| place(path, root);
    let written = faults::look(context.leiaute.table(), &built.xml, &mut violations, campo).is_some();
    if written && let Ok(written) = xml::read(built.xml.as_bytes()) {
        let told = foreseen(&moved::as_package(&written), context)
            .into_iter()
            .map(|(path, notice)| Notice { campo: campo(&path), ..notice });
        // a value refused already is not in the document
        let judged = told.filter(|notice| !violations.iter().any(|known| faults::covers(&known.campo, &notice.campo)));
        built.notices.extend(judged);
    }
    Ok(Looked { built, violations })
}

/// Returns the caller's path of a path in the document.
fn place(path: &str, root: &Map<String, Value>) -> String {
    let path = path.strip_prefix("infDPS/").unwrap_or(path);
    let path = moved::spelled(path, '/', root);
    map::locate(&path, Some(&groups::INF_DPS), &root_scope(root))
}

/// Rewrites notices from paths of the document to paths of the caller.
pub(super) fn located(groups: &Value, told: Vec<(String, Notice)>) -> Vec<Notice> {
    let empty = Map::new();
    let root = groups.as_object().unwrap_or(&empty);
    told.into_iter().map(|(path, notice)| Notice { campo: place(&path, root), ..notice }).collect()
}

/// Returns the refusals that the authority will answer, and a notice on a missing group that is not refused yet.
fn foreseen(dps: &Element, context: &Context<'_>) -> Vec<(String, Notice)> {
    let mut told = Vec::new();
    if let Ok(now) = context.dhEmi.parse() {
        // the caller queries the município and its decisions elsewhere
        let facts = rules::Facts { law: context.law, now, ambiente: context.ambiente, terms: None };
        told.extend(rules::predict(dps, &facts).into_iter().map(|it| (it.broken.path, rejection(it.rule, it.effect))));
    }
    if let Some(mensagem) = without_reform(dps) {
        told.push(("IBSCBS".to_owned(), Notice::of(String::new(), "ibscbs_ausente", &mensagem, None)));
    }
    told
}

/// Message on a DPS without the group `IBSCBS`: for a provider outside the Simples at any time, for all from the day on
/// which the group may be demanded.
fn without_reform(dps: &Element) -> Option<String> {
    let inf = dps.child("infDPS")?;
    if inf.child("IBSCBS").is_some() {
        return None;
    }
    let day = &calendar::REFORM_MAY_BE_DEMANDED;
    if day.has_come(inf.text_at("dhEmi").unwrap_or_default()) {
        let source = day.source;
        return Some(format!(
            "O grupo IBSCBS não foi informado. Desde 01/01/2027 a Sefin pode recusar a DPS sem ele, também do Simples ({source}; não se sabe se recusa nem com \
             que código). Informe cIndOp, CST e cClassTrib."
        ));
    }
    let is_outside = inf.text_at("prest/regTrib/opSimpNac") == Some("1");
    let mensagem =
        "O grupo IBSCBS não foi informado. A falta dele ainda não rejeita; informe cIndOp, CST e cClassTrib.";
    is_outside.then(|| mensagem.to_owned())
}

pub(super) fn rejection(rule: &rules::Rule, effect: Effect) -> Notice {
    told(rule.codigo, rule.mensagem(), rule.remedy(), effect)
}

/// Notice about a predicted refusal, with the official text and the remedy.
pub(super) fn told(codigo: &str, official: &str, remedy: Option<&str>, effect: Effect) -> Notice {
    let remedy = remedy.map_or_else(String::new, |remedy| format!(" {remedy}"));
    let (notice, verb) = effect.foretold();
    let mensagem = format!("A Sefin {verb} rejeitar com {codigo}: {official}{remedy}");
    let codigo_status = Codigo::parse(codigo).ok();
    Notice { codigo_status, ..Notice::of(String::new(), notice, &mensagem, None) }
}
