//! The last look at a written document: the official layout refuses, the rules of the authority warn. Both speak of the
//! caller's payload, not of the XML.

use super::groups::INF_NFE;
use super::rules::{self, Authorizer, Facts, Rule};
use super::size;
use super::write::{Draft, group_scope};
use crate::document::{Built, Context};
use crate::finding::{Notice, Violation};
use crate::layout;
use crate::map;
use crate::nota::{faults, root_scope};
use crate::xml::Element;
use serde_json::{Map, Value};

/// A document beside the layout.
pub(super) struct Looked {
    pub(super) built: Built,
    pub(super) violations: Vec<Violation>,
    /// What was written, as far as it can be read.
    pub(super) nfe: Option<Element>,
}

/// The document, or everything that stops it.
pub(super) fn judge(nota: &Value, context: &Context<'_>, draft: Draft) -> Result<Built, Vec<Violation>> {
    let empty = Map::new();
    let root = nota.as_object().unwrap_or(&empty);
    let Looked { mut built, violations, nfe } = against_layout(root, draft);
    let Some(nfe) = nfe.filter(|_| violations.is_empty()) else { return Err(violations) };
    built.notices.extend(size::foreseen(&built.xml));
    built.notices.extend(predicted(root, &nfe, context).into_iter().map(|prediction| prediction.notice));
    Ok(built)
}

/// What the layout refuses, once each, and nothing that was refused before.
pub(super) fn against_layout(root: &Map<String, Value>, draft: Draft) -> Looked {
    let Draft { built, mut violations, .. } = draft;
    let nfe = faults::look(&layout::NFE, &built.xml, &mut violations, |path| campo(root, path));
    Looked { built, violations, nfe }
}

/// The caller's path of an XML path.
pub(super) fn campo(root: &Map<String, Value>, path: &str) -> String {
    let path = path.strip_prefix("infNFe/").unwrap_or(path);
    match path.strip_prefix("total/") {
        Some(rest) => map::locate(rest, INF_NFE.child("total"), &group_scope(root, "total")),
        None => map::locate(path, Some(&INF_NFE), &root_scope(root)),
    }
}

/// A rule that is broken.
pub(super) struct Prediction {
    /// Where, in the XML.
    pub(super) path: String,
    /// The same in the caller's words.
    pub(super) notice: Notice,
}

/// What the authority would refuse.
pub(super) fn predicted(root: &Map<String, Value>, nfe: &Element, context: &Context<'_>) -> Vec<Prediction> {
    let Ok(now) = context.dhEmi.parse() else { return Vec::new() };
    let facts = Facts::new(now, context.ambiente).at(Authorizer::by(context.tpEmis)).of_a_draft();
    let predictions = rules::predict(nfe, &facts).into_iter().map(|(rule, broken)| Prediction {
        notice: Notice {
            campo: campo(root, &broken.path),
            codigo: "rejeicao_prevista".to_owned(),
            mensagem: message(rule),
            sugestao: None,
            codigo_status: Some(rule.cStat.into()),
        },
        path: broken.path,
    });
    predictions.collect()
}

/// What the authority would say, and what to do about it where that does not say.
fn message(rule: &Rule) -> String {
    let said = format!("A SEFAZ deve rejeitar com {}: {}", rule.cStat, rule.xMotivo());
    match rule.remedy() {
        Some(remedy) => format!("{}. {remedy}", said.trim_end_matches('.')),
        None => said,
    }
}
