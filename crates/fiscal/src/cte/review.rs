//! Review of a `nota` without issuing it: violations, notices, predicted rejections.
//!
//! Law: `docs/contract.md`, "Checking and preparing". `build` stops at the first kind of finding; the review reports
//! all kinds, as far as the document can be written.

use super::model::{self, Model};
use super::{campo, foreseen, official, write};
use crate::document::{Built, Context};
use crate::finding::{Notice, Violation};
use crate::map::Remarks;
use crate::nota::{Review, faults};
use crate::xml;
use serde_json::{Map, Value};

/// A written document and its violations.
pub(super) struct Looked {
    pub(super) built: Built,
    pub(super) violations: Vec<Violation>,
}

/// Returns every finding. Paths start with `nota.`.
pub fn review(nota: &Value, context: &Context<'_>) -> Review {
    if let Err(violations) = official::refuse(nota) {
        return Review { violations, ..Review::default() };
    }
    match look(official::groups(nota), context) {
        Ok(Looked { built, violations }) => Review {
            violations: official::refusals(nota, violations),
            notices: official::remarks(nota, built.notices),
            ..Review::default()
        },
        Err(violations) => Review { violations: official::refusals(nota, violations), ..Review::default() },
    }
}

/// Writes the document as far as possible and checks it.
pub(super) fn look(nota: &Value, context: &Context<'_>) -> Result<Looked, Vec<Violation>> {
    let write::Draft { mut built, mut violations } = write::draft(nota, context, Remarks::Kept)?;
    let (model, empty) = (Model::of(context.modelo), Map::new());
    let root = nota.as_object().unwrap_or(&empty);
    violations.extend(model::refuse_other(nota));
    let written = faults::look(model.layout, &built.xml, &mut violations, |path| campo(model, root, path)).is_some();
    if written && let Ok(written) = xml::read(built.xml.as_bytes()) {
        let told = foreseen::all(&written, context)
            .into_iter()
            .map(|(path, notice)| Notice { campo: campo(model, root, &path), ..notice });
        // a field with a violation gets no prediction
        let judged = told.filter(|notice| !violations.iter().any(|known| faults::covers(&known.campo, &notice.campo)));
        built.notices.extend(judged);
    }
    Ok(Looked { built, violations })
}
