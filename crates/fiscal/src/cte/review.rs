//! Review of a `nota` without issuing it: violations, notices, predicted rejections.
//!
//! Law: `docs/contract.md`, "Checking and preparing". `build` stops at the first kind of finding; the review reports
//! all kinds, as far as the document can be written.

use super::model::{self, CteModel};
use super::{campo, official, predictions, write};
use crate::document::{BuildContext, BuiltDocument};
use crate::finding::{Notice, Violation};
use crate::map::NoticePolicy;
use crate::nota::{NotaReview, layout_check};
use crate::xml;
use serde_json::{Map, Value};

/// A written document and its violations.
pub(super) struct ReviewedCte {
    pub(super) built: BuiltDocument,
    pub(super) violations: Vec<Violation>,
}

/// Returns every finding. Paths start with `nota.`.
pub fn review(nota: &Value, context: &BuildContext<'_>) -> NotaReview {
    if let Err(violations) = official::refuse(nota) {
        return NotaReview { violations, ..NotaReview::default() };
    }
    match check_draft(official::groups(nota), context) {
        Ok(ReviewedCte { built, violations }) => NotaReview {
            violations: official::refusals(nota, violations),
            notices: official::remarks(nota, built.notices),
            ..NotaReview::default()
        },
        Err(violations) => NotaReview { violations: official::refusals(nota, violations), ..NotaReview::default() },
    }
}

/// Writes the document as far as possible and checks it.
pub(super) fn check_draft(nota: &Value, context: &BuildContext<'_>) -> Result<ReviewedCte, Vec<Violation>> {
    let write::CteDraft { mut built, mut violations } = write::draft(nota, context, NoticePolicy::Kept)?;
    let (model, empty) = (CteModel::of(context.modelo), Map::new());
    let root = nota.as_object().unwrap_or(&empty);
    violations.extend(model::refuse_other(nota));
    let written =
        layout_check::check_layout(model.layout, &built.xml, &mut violations, |path| campo(model, root, path))
            .is_some();
    if written && let Ok(written) = xml::read(built.xml.as_bytes()) {
        let told = predictions::predict_all(&written, context)
            .into_iter()
            .map(|(path, notice)| Notice { campo: campo(model, root, &path), ..notice });
        // a field with a violation gets no prediction
        let judged =
            told.filter(|notice| !violations.iter().any(|known| layout_check::covers(&known.campo, &notice.campo)));
        built.notices.extend(judged);
    }
    Ok(ReviewedCte { built, violations })
}
