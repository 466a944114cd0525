//! Everything that can be said of a `nota` without issuing it: refusals and remarks.
//!
//! Law: `spec/not-shown.md` §5 (verificar-campos). The findings are those of `build`, side by side, as far as the DPS could be written.

use super::{groups, home, write};
use crate::document::{Built, Context};
use crate::finding::Violation;
use crate::layout;
use crate::map::{self, Remarks};
use crate::nota::{Review, faults, root_scope};
use serde_json::{Map, Value};

/// A document beside the layout.
pub(super) struct Looked {
    pub(super) built: Built,
    pub(super) violations: Vec<Violation>,
}

/// Says everything. Paths start with `nota.`.
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

/// Writes what can be written, and looks at it.
pub(super) fn look(nota: &Value, context: &Context<'_>) -> Result<Looked, Vec<Violation>> {
    let write::Draft { built, mut violations } = write::draft(nota, context, Remarks::Kept)?;
    let empty = Map::new();
    let root = nota.as_object().unwrap_or(&empty);
    let campo = |path: &str| {
        let path = path.strip_prefix("infDPS/").unwrap_or(path);
        map::locate(path, Some(&groups::INF_DPS), &root_scope(root))
    };
    faults::look(&layout::DPS, &built.xml, &mut violations, campo);
    Ok(Looked { built, violations })
}
