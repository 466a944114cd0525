//! Print options of a form, from the query of a request.

use engine::jobs::print::{FormChoices, LAYOUTS, ReceiptPaper};

use crate::api::error::ApiError;
use crate::api::query::Query;

/// `layout`, `orientacao`, `largura` and `itens`.
pub(in crate::api) fn read(query: &mut Query<'_>) -> FormChoices {
    FormChoices {
        layout: query.choice("layout", LAYOUTS),
        landscape: query.choice("orientacao", &[("retrato", false), ("paisagem", true)]),
        paper: query.choice("largura", &[("80", ReceiptPaper::Wide), ("58", ReceiptPaper::Narrow)]).unwrap_or_default(),
        summary: query.choice("itens", &[("true", false), ("false", true)]).unwrap_or_default(),
    }
}

/// Print options of a query without other parameters.
pub(in crate::api) fn of(query: Option<&str>) -> Result<FormChoices, ApiError> {
    let mut query = Query::new(query);
    let choices = read(&mut query);
    query.finish().map(|_| choices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::jobs::print::DanfeLayout;

    #[test]
    fn what_is_not_said_is_left_to_company_and_document() {
        let choices = of(None).unwrap();
        assert_eq!((choices.layout, choices.landscape, choices.summary), (None, None, false));
        let choices = of(Some("layout=nt2026010&orientacao=paisagem&largura=58&itens=false")).unwrap();
        assert_eq!((choices.layout, choices.landscape), (Some(DanfeLayout::Reform), Some(true)));
        assert_eq!((choices.paper, choices.summary), (ReceiptPaper::Narrow, true));
        assert!(of(Some("largura=76")).is_err());
    }
}
