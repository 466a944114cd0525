//! Review of a `nota` without issuing it: violations, notices, and predicted rejections of the provider.
//!
//! Law: `docs/contract.md`, "Checking and preparing". Reports the findings of `build`, as far as the RPS can be
//! written.

use super::defaults::campo;
use super::write::{self, RpsDraft};
use super::{IdAttribute, rules, wrapper};
use crate::document::{BuildContext, BuiltDocument};
use crate::finding::Violation;
use crate::nota::{NotaReview, layout_check};
use serde_json::Value;
use std::borrow::Cow;

/// A written message and its violations against the layout.
pub(super) struct ReviewedRps {
    pub(super) built: BuiltDocument,
    pub(super) violations: Vec<Violation>,
}

/// Returns every finding. Paths start with `nota.`.
pub fn review(nota: &Value, context: &BuildContext<'_>) -> NotaReview {
    match wrapper::refuse(nota).and_then(|()| check_draft(nota, context)) {
        Ok(ReviewedRps { built, violations }) => {
            NotaReview { violations, notices: built.notices, ..NotaReview::default() }
        }
        Err(violations) => NotaReview { violations, ..NotaReview::default() },
    }
}

/// Writes the message as far as possible and checks it.
pub(super) fn check_draft(nota: &Value, context: &BuildContext<'_>) -> Result<ReviewedRps, Vec<Violation>> {
    let home = wrapper::groups_path(nota);
    let RpsDraft { mut built, payload: mut said, amounts } = write::draft(wrapper::groups(nota), home, context)?;
    let mut violations = std::mem::take(&mut said.violations);
    if let Some(dialect) = context.dialeto
        && let Some(layout) = dialect.version.layout(dialect.mode.root())
    {
        let place = |path: &str| campo(below_inf(path, dialect.version.inf_tag()), &said, home);
        // the layouts know only `Id`
        let written = match dialect.id_attribute {
            IdAttribute::Capital => Cow::Borrowed(&*built.xml),
            IdAttribute::Small => Cow::Owned(built.xml.replace(" id=\"", " Id=\"")),
        };
        layout_check::check_layout_in(layout, &dialect.namespace, &written, &mut violations, place);
        let told = rules::predict(&rules::RpsCase { payload: &said, amounts: &amounts, context, dialect, home });
        let judged = told
            .into_iter()
            .filter(|notice| !violations.iter().any(|known| layout_check::covers(&known.campo, &notice.campo)));
        built.notices.extend(judged);
    }
    Ok(ReviewedRps { built, violations })
}

/// The path below the signed element of the RPS. A fault in the lot around it concerns the RPS as a whole.
fn below_inf<'p>(path: &'p str, inf: &str) -> &'p str {
    match path.split_once(inf) {
        Some((_, rest)) => rest.strip_prefix('/').unwrap_or(rest),
        None if path.ends_with("InscricaoMunicipal") => "Prestador/InscricaoMunicipal",
        None => "",
    }
}
