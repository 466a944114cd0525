//! Rules of the tax reform: IBS, CBS and the totals of the Imposto Seletivo.
//!
//! Law: LC 214/2025; NT 2025.002 v1.51, whose ids are in the table. The official table on the document's day defines
//! the demands of a CST or cClassTrib (`crate::reference::ibscbs`). Rules that the NT calls "implementação futura"
//! (Imposto Seletivo, base of calculation, `vItem`, `vNFTot`) and rules with an unpublished table (references of
//! single-phase fuels) are absent. Most rules apply only to documents with the group (NT, page 6).

pub(super) mod finality;
pub(super) mod government;
pub(super) mod groups;
pub(super) mod mono;
pub(super) mod presence;
pub(super) mod rates;
pub(super) mod references;
pub(super) mod regular;
pub(super) mod totals;

use super::broken_field::{BrokenField, BrokenFields};
use super::nfe_view::{NfeItem, NfeView, ReformGroup};
use crate::reference::ibscbs::{ClassTrib, Cst};
use crate::value::amount;
use crate::xml::ElementView;
use rust_decimal::{Decimal, RoundingStrategy};

/// `IBSCBS` of an item, with the table rows of its codes on the document's day.
pub(super) struct TaxedItem<'n, 'a> {
    pub(super) item: &'n NfeItem<'a>,
    group: ElementView<'a>,
    pub(super) cst: Option<&'static Cst>,
    pub(super) class: Option<&'static ClassTrib>,
}

impl<'a> TaxedItem<'_, 'a> {
    pub(super) fn text(&self, path: &str) -> &'a str {
        self.group.text_at(path).unwrap_or_default()
    }
    pub(super) fn decimal(&self, path: &str) -> Decimal {
        amount(self.text(path)).unwrap_or_default()
    }
    pub(super) fn has(&self, path: &str) -> bool {
        self.group.at(path).is_some()
    }
    /// True when the CST is known and has the indicator.
    pub(super) fn cst_has(&self, indicator: u8) -> bool {
        self.cst.is_some_and(|cst| cst.has(indicator))
    }
    /// True when the CST is known and lacks the indicator.
    pub(super) fn cst_lacks(&self, indicator: u8) -> bool {
        self.cst.is_some_and(|cst| !cst.has(indicator))
    }
    /// True when the cClassTrib is known and has the indicator.
    pub(super) fn class_has(&self, indicator: u16) -> bool {
        self.class.is_some_and(|class| class.has(indicator))
    }
    /// True when the cClassTrib is known and lacks the indicator.
    pub(super) fn class_lacks(&self, indicator: u16) -> bool {
        self.class.is_some_and(|class| !class.has(indicator))
    }
}

/// Adds the items with the group that break a rule, at a path below `IBSCBS`.
pub(super) fn each(
    note: &NfeView<'_>,
    found: &mut BrokenFields,
    path: &str,
    breaks: impl Fn(&TaxedItem<'_, '_>) -> bool,
) {
    // compiled once for each of seventy rules, so kept minimal
    for item in &note.items {
        let Some(ReformGroup { group, cst, class }) = item.reform else { continue };
        if breaks(&TaxedItem { item, group, cst, class }) {
            found.push(broken(item, path));
        }
    }
}

fn broken(item: &NfeItem<'_>, path: &str) -> BrokenField {
    if path.is_empty() { item.broken("imposto/IBSCBS") } else { item.broken(&format!("imposto/IBSCBS/{path}")) }
}

/// Rounds to cents, halves away from zero.
pub(super) fn cents(value: Decimal) -> Decimal {
    value.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

/// Percentage of a base, rounded to cents.
pub(super) fn percent(base: Decimal, rate: Decimal) -> Decimal {
    cents(base.checked_mul(rate).unwrap_or_default() / Decimal::ONE_HUNDRED)
}

/// True when two amounts differ by more than a cent.
pub(super) fn differs(stated: Decimal, computed: Decimal) -> bool {
    (stated - computed).abs() > Decimal::new(1, 2)
}
