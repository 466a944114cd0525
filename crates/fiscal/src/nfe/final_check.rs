//! Final check of a written document: the official layout refuses, the rules of the authority warn. Both are reported
//! with paths of the caller's payload, not of the XML.

use super::early_fields;
use super::groups::INF_NFE;
use super::payload_path::campo;
use super::rules::{self, AuthorizerKind, NfeRule, NfeRuleContext, NfeView};
use super::write::NfeDraft;
use super::{issuer_notices, message_size};
use crate::document::{BuildContext, BuiltDocument};
use crate::finding::{Notice, Violation};
use crate::law::RuleBreach;
use crate::layout;
use crate::nota::layout_check;
use crate::xml::FlatDocument;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Returns the document, or every violation.
pub(super) fn check_draft(
    nota: &Value,
    context: &BuildContext<'_>,
    draft: NfeDraft,
) -> Result<BuiltDocument, Vec<Violation>> {
    let empty = Map::new();
    let root = nota.as_object().unwrap_or(&empty);
    let NfeDraft { mut built, mut violations, .. } = draft;
    let written = check_against_layout(root, context, &built.xml, &mut violations);
    let Some(nfe) = written.as_ref().map(FlatDocument::root).filter(|_| violations.is_empty()) else {
        return Err(violations);
    };
    built.notices.extend(message_size::predict_rejection(&built.xml));
    if let Some(note) = NfeView::of(nfe) {
        built.notices.extend(predicted(root, &note, context).into_iter().map(|prediction| prediction.notice));
        built.notices.extend(issuer_notices::of(root, &note, context));
    }
    Ok(built)
}

/// Adds the faults that the layout finds, once each, unless an earlier violation covers them; then the fields that are
/// accepted only later. Returns the document as far as it can be read.
pub(super) fn check_against_layout<'x>(
    root: &Map<String, Value>,
    context: &BuildContext<'_>,
    written: &'x str,
    violations: &mut Vec<Violation>,
) -> Option<FlatDocument<'x>> {
    let looked_at = layout_check::check_layout(&layout::NFE, written, violations, |path| campo(root, path))?;
    drop_copies(violations);
    violations.extend(early_fields::early_violations(written, looked_at.root(), context, |path| campo(root, path)));
    Some(looked_at)
}

/// Drops the violation of a value that repeats a neighbour with the same fault.
fn drop_copies(violations: &mut Vec<Violation>) {
    let Some(prod) = INF_NFE.child("det").and_then(|det| det.child("prod")) else { return };
    let told: HashMap<String, (&'static str, String)> =
        violations.iter().map(|one| (one.campo.clone(), (one.codigo, one.mensagem.clone()))).collect();
    let is_copy = |one: &Violation| {
        prod.copied().any(|(own, neighbour)| {
            let Some(group) = one.campo.strip_suffix(own).filter(|group| group.ends_with('.')) else { return false };
            let missing = one.codigo == "campo_obrigatorio";
            let first = told.get(&format!("{group}{neighbour}"));
            first.is_some_and(|(codigo, mensagem)| {
                *codigo == one.codigo && (missing || *mensagem == one.mensagem.replace(own, neighbour))
            })
        })
    };
    violations.retain(|one| !is_copy(one));
}

/// Predicted rejection by a broken rule.
pub(super) struct PredictedRejection {
    /// Path in the XML.
    pub(super) path: String,
    /// Notice with the path in the payload.
    pub(super) notice: Notice,
}

/// Predicts the rejections that the authority must or may answer.
pub(super) fn predicted(
    root: &Map<String, Value>,
    note: &NfeView<'_>,
    context: &BuildContext<'_>,
) -> Vec<PredictedRejection> {
    let Ok(now) = context.dhEmi.parse() else { return Vec::new() };
    let facts = NfeRuleContext::new(now, context.ambiente)
        .under(context.law)
        .at(AuthorizerKind::by(context.tpEmis))
        .of_a_draft();
    let predictions = rules::broken_in(note, &facts).into_iter().map(|RuleBreach { rule, effect, breach: broken }| {
        let (codigo, verb) = effect.predicted_notice();
        let notice = Notice {
            campo: campo(root, &broken.path),
            codigo: codigo.to_owned(),
            mensagem: message(rule, verb),
            sugestao: None,
            codigo_status: Some(rule.cStat.into()),
        };
        PredictedRejection { path: broken.path, notice }
    });
    predictions.collect()
}

/// Returns the message of the authority's rejection, with the remedy where the rule's text names none.
fn message(rule: &NfeRule, verb: &str) -> String {
    let said = format!("A SEFAZ {verb} rejeitar com {}: {}", rule.cStat, rule.xMotivo());
    match rule.remedy() {
        Some(remedy) => format!("{}. {remedy}", said.trim_end_matches('.')),
        None => said,
    }
}
