//! Tax that would be due otherwise: `gTribRegular` (UB68 to UB72d) and `gTribCompraGov` (UB82a).

use super::rates::is_government;
use super::{NfeView, differs, each, percent};
use crate::nfe::rules::NfeRuleContext;
use crate::nfe::rules::broken_field::BrokenFields;
use crate::reference::ibscbs::{class, cst, find_class, find_cst};
use rust_decimal::Decimal;

const REGULAR: &str = "gIBSCBS/gTribRegular";
const GOVERNMENT: &str = "gIBSCBS/gTribCompraGov";

/// UB68-10.
pub(in super::super) fn regular_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, REGULAR, |taxed| taxed.class_has(class::REGULAR) && !taxed.has(REGULAR));
}

/// UB68-11.
pub(in super::super) fn regular_is_for_its_class(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, REGULAR, |taxed| taxed.class_lacks(class::REGULAR) && taxed.has(REGULAR));
}

/// UB69-10.
pub(in super::super) fn regular_cst_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let Some(day) = note.day() else { return };
    each(note, found, "gIBSCBS/gTribRegular/CSTReg", |taxed| {
        taxed.has(REGULAR) && find_cst(taxed.text("gIBSCBS/gTribRegular/CSTReg"), day).is_none()
    });
}

/// UB70-10.
pub(in super::super) fn regular_class_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let Some(day) = note.day() else { return };
    each(note, found, "gIBSCBS/gTribRegular/cClassTribReg", |taxed| {
        taxed.has(REGULAR) && find_class(taxed.text("gIBSCBS/gTribRegular/cClassTribReg"), day).is_none()
    });
}

/// Defines rules for a regular value: its field and the field of its rate.
macro_rules! regular_values {
    ($($(#[$doc:meta])* $name:ident $value:literal = $rate:literal;)*) => {
        $($(#[$doc])* pub(in super::super) fn $name(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
            each(note, found, concat!("gIBSCBS/gTribRegular/", $value), |taxed| {
                let right = percent(taxed.decimal("gIBSCBS/vBC"), taxed.decimal(concat!("gIBSCBS/gTribRegular/", $rate)));
                taxed.has(REGULAR) && differs(taxed.decimal(concat!("gIBSCBS/gTribRegular/", $value)), right)
            });
        })*
    };
}

regular_values! {
    /// UB72-10.
    regular_uf_is_right "vTribRegIBSUF" = "pAliqEfetRegIBSUF";
    /// UB72b-10.
    regular_mun_is_right "vTribRegIBSMun" = "pAliqEfetRegIBSMun";
    /// UB72d-10.
    regular_cbs_is_right "vTribRegCBS" = "pAliqEfetRegCBS";
}

/// UB82a-10.
pub(in super::super) fn government_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let government = is_government(note);
    each(note, found, GOVERNMENT, |taxed| government && taxed.cst_has(cst::TRIBUTA) && !taxed.has(GOVERNMENT));
}

/// UB82a-20: the purchase moves the tax between the parts; the sum stays equal within four cents.
pub(in super::super) fn government_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, GOVERNMENT, |taxed| {
        let sum = |paths: [&str; 3]| paths.iter().map(|path| taxed.decimal(path)).sum::<Decimal>();
        let stated = sum([
            "gIBSCBS/gTribCompraGov/vTribIBSUF",
            "gIBSCBS/gTribCompraGov/vTribIBSMun",
            "gIBSCBS/gTribCompraGov/vTribCBS",
        ]);
        let due = sum(["gIBSCBS/gIBSUF/vIBSUF", "gIBSCBS/gIBSMun/vIBSMun", "gIBSCBS/gCBS/vCBS"]);
        taxed.has(GOVERNMENT) && (stated - due).abs() > Decimal::new(4, 2)
    });
}

/// UB82a-30.
pub(in super::super) fn government_is_for_its_purchases(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let other = !is_government(note);
    each(note, found, GOVERNMENT, |taxed| other && taxed.has(GOVERNMENT));
}
