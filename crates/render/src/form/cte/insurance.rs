//! Insurance of a CT-e OS: its rows, and the words of the party responsible.

use super::DacteContext;
use crate::form::grid::{Grid, GridCell};
use crate::form::stored::StoredElement;

/// Most insurers with a row. More occur by mistake only, and are printed in the observations.
pub(super) const INSURERS: usize = 3;

/// Insurance of the trip; `None` without insurers.
pub(super) fn grid<'x>(context: &DacteContext<'x>) -> Option<Grid<'x>> {
    let row = |seg: StoredElement<'x>| {
        let at = |tag: &str| seg.text_at(tag).unwrap_or_default();
        vec![
            GridCell::text("RESPONSÁVEL", liable(at("respSeg"))).wide(500),
            GridCell::text("NOME DA SEGURADORA", at("xSeg")),
            GridCell::text("NÚMERO DA APÓLICE", at("nApol")).wide(500),
        ]
    };
    let rows: Vec<Vec<GridCell<'x>>> = context.cte.all("infCTeNorm", "seg").take(INSURERS).map(row).collect();
    (!rows.is_empty()).then_some(Grid { title: "SEGURO DA VIAGEM", rows })
}

/// Party responsible for the insurance.
pub(super) fn liable(respSeg: &str) -> &str {
    match respSeg {
        "4" => "4 - Emitente do CT-e",
        "5" => "5 - Tomador de Serviço",
        other => other,
    }
}
