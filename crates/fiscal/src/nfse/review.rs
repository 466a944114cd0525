//! All findings about a `nota` without issuing it: violations and notices.
//!
//! Law: `docs/contract.md`, "Checking and preparing" (verificar-campos). The findings are those of `build`, as far as
//! the DPS could be written.

use super::{calendar, dps_wrapper, groups, moved_members, rules, write};
use crate::document::{BuildContext, BuiltDocument};
use crate::finding::{Notice, Violation};
use crate::law::RuleEffect;
use crate::map::{self, NoticePolicy};
use crate::nota::{NotaReview, layout_check, root_scope};
use crate::value::Codigo;
use crate::xml::{self, Element};
use serde_json::{Map, Value};

/// A document checked against the layout.
pub(super) struct CheckedDraft {
    pub(super) built: BuiltDocument,
    pub(super) violations: Vec<Violation>,
}

/// Reviews a `nota`. Paths start with `nota.`.
pub fn review(nota: &Value, context: &BuildContext<'_>) -> NotaReview {
    if let Err(violations) = dps_wrapper::refuse(nota) {
        return NotaReview { violations, ..NotaReview::default() };
    }
    match check_dps(dps_wrapper::groups(nota), context) {
        Ok(CheckedDraft { built, violations }) => NotaReview {
            violations: dps_wrapper::refusals(nota, violations),
            notices: dps_wrapper::remarks(nota, built.notices),
            ..NotaReview::default()
        },
        Err(violations) => NotaReview { violations: dps_wrapper::refusals(nota, violations), ..NotaReview::default() },
    }
}

/// Writes the document as far as possible and checks it.
pub(super) fn check_dps(nota: &Value, context: &BuildContext<'_>) -> Result<CheckedDraft, Vec<Violation>> {
    let write::DpsDraft { mut built, mut violations } = write::draft(nota, context, NoticePolicy::Kept)?;
    let empty = Map::new();
    let root = nota.as_object().unwrap_or(&empty);
    let campo = |path: &str| place(path, root);
    let written = layout_check::check_layout(context.leiaute.table(), &built.xml, &mut violations, campo).is_some();
    if written && let Ok(written) = xml::read(built.xml.as_bytes()) {
        let told = predicted_by_rules(&moved_members::as_package(&written), context)
            .into_iter()
            .map(|(path, notice)| Notice { campo: campo(&path), ..notice });
        // a value refused already is not in the document
        let judged =
            told.filter(|notice| !violations.iter().any(|known| layout_check::covers(&known.campo, &notice.campo)));
        built.notices.extend(judged);
    }
    Ok(CheckedDraft { built, violations })
}

/// Returns the caller's path of a path in the document.
fn place(path: &str, root: &Map<String, Value>) -> String {
    let path = path.strip_prefix("infDPS/").unwrap_or(path);
    let path = moved_members::in_caller_form(path, '/', root);
    map::locate(&path, Some(&groups::INF_DPS), &root_scope(root))
}

/// Rewrites notices from paths of the document to paths of the caller.
pub(super) fn located(groups: &Value, told: Vec<(String, Notice)>) -> Vec<Notice> {
    let empty = Map::new();
    let root = groups.as_object().unwrap_or(&empty);
    told.into_iter().map(|(path, notice)| Notice { campo: place(&path, root), ..notice }).collect()
}

/// Returns the refusals that the authority will answer, and a notice on a missing group that is not refused yet.
fn predicted_by_rules(dps: &Element, context: &BuildContext<'_>) -> Vec<(String, Notice)> {
    let mut told = Vec::new();
    if let Ok(now) = context.dhEmi.parse() {
        // the caller queries the município and its decisions elsewhere
        let facts = rules::NfseRuleContext { law: context.law, now, ambiente: context.ambiente, terms: None };
        told.extend(rules::predict(dps, &facts).into_iter().map(|it| (it.breach.path, rejection(it.rule, it.effect))));
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

pub(super) fn rejection(rule: &rules::NfseRule, effect: RuleEffect) -> Notice {
    rejection_notice(rule.codigo, rule.mensagem(), rule.remedy(), effect)
}

/// Notice about a predicted refusal, with the official text and the remedy.
pub(super) fn rejection_notice(codigo: &str, official: &str, remedy: Option<&str>, effect: RuleEffect) -> Notice {
    let remedy = remedy.map_or_else(String::new, |remedy| format!(" {remedy}"));
    let (notice, verb) = effect.predicted_notice();
    let mensagem = format!("A Sefin {verb} rejeitar com {codigo}: {official}{remedy}");
    let codigo_status = Codigo::parse(codigo).ok();
    Notice { codigo_status, ..Notice::of(String::new(), notice, &mensagem, None) }
}
