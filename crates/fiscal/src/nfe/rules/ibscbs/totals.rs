//! Totals of the reform: plain sums over the items (W31 to W59g).

use super::NfeView;
use crate::nfe::rules::broken_field::BrokenFields;
use crate::nfe::rules::nfe_view::decimal_in;
use crate::nfe::rules::{BrokenField, NfeRuleContext};
use crate::value::amount;
use rust_decimal::Decimal;

/// W31-10.
pub(in super::super) fn is_total_has_an_item(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let item = note.items.iter().any(|item| item.imposto.IS.is_some());
    found.extend((note.has("total/ISTot") && !item).then(|| BrokenField::at("total/ISTot")));
}

/// W31-20.
pub(in super::super) fn is_total_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let item = note.items.iter().any(|item| item.imposto.IS.is_some());
    found.extend((!note.has("total/ISTot") && item).then(|| BrokenField::at("total/ISTot")));
}

/// W34-10: a total of the group requires the group in an item, taxed or exempt. An early homologação refused it in
/// exempt documents; the text does not.
pub(in super::super) fn total_has_an_item(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let item = note.items.iter().any(|item| item.imposto.IBSCBS.is_some());
    found.extend((note.has("total/IBSCBSTot") && !item).then(|| BrokenField::at("total/IBSCBSTot")));
}

/// W34-20.
pub(in super::super) fn total_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let item = note.items.iter().any(|item| item.imposto.IBSCBS.is_some());
    found.extend((!note.has("total/IBSCBSTot") && item).then(|| BrokenField::at("total/IBSCBSTot")));
}

/// Checks that the field is the sum of the paths (below `IBSCBS`) over the items.
fn sum_is(note: &NfeView<'_>, found: &mut BrokenFields, field: &str, parts: &[&str]) {
    if !note.has("total/IBSCBSTot") {
        return;
    }
    let of = |part: &&str| note.sum(|item| decimal_in(item.imposto.IBSCBS, part));
    let sum: Decimal = parts.iter().map(of).sum();
    let field = format!("total/IBSCBSTot/{field}");
    let stated = amount(note.text(&field)).unwrap_or_default();
    found.extend((stated != sum).then(|| BrokenField::at(&field)));
}

macro_rules! sums {
    ($($(#[$doc:meta])* $name:ident $field:literal = $($part:literal)+;)*) => {
        $($(#[$doc])* pub(in super::super) fn $name(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
            sum_is(note, found, $field, &[$($part),+]);
        })*
    };
}

sums! {
    /// W35-10.
    base_is_the_sum "vBCIBSCBS" = "gIBSCBS/vBC";
    /// W38-10.
    deferral_of_the_state_is_the_sum "gIBS/gIBSUF/vDif" = "gIBSCBS/gIBSUF/gDif/vDif";
    /// W39-10.
    given_back_by_the_state_is_the_sum "gIBS/gIBSUF/vDevTrib" = "gIBSCBS/gIBSUF/gDevTrib/vDevTrib";
    /// W41-10.
    ibs_of_the_state_is_the_sum "gIBS/gIBSUF/vIBSUF" = "gIBSCBS/gIBSUF/vIBSUF";
    /// W43-10.
    deferral_of_the_municipio_is_the_sum "gIBS/gIBSMun/vDif" = "gIBSCBS/gIBSMun/gDif/vDif";
    /// W44-10.
    given_back_by_the_municipio_is_the_sum "gIBS/gIBSMun/vDevTrib" = "gIBSCBS/gIBSMun/gDevTrib/vDevTrib";
    /// W46-10.
    ibs_of_the_municipio_is_the_sum "gIBS/gIBSMun/vIBSMun" = "gIBSCBS/gIBSMun/vIBSMun";
    /// W47-10.
    ibs_is_the_sum "gIBS/vIBS" = "gIBSCBS/vIBS";
    /// W48-10.
    ibs_credit_is_the_sum "gIBS/vCredPres" = "gCredPresOper/gIBSCredPres/vCredPres";
    /// W53-10.
    deferral_of_the_cbs_is_the_sum "gCBS/vDif" = "gIBSCBS/gCBS/gDif/vDif";
    /// W54-10.
    given_back_of_the_cbs_is_the_sum "gCBS/vDevTrib" = "gIBSCBS/gCBS/gDevTrib/vDevTrib";
    /// W56-10.
    cbs_is_the_sum "gCBS/vCBS" = "gIBSCBS/gCBS/vCBS";
    /// W56a-10.
    cbs_credit_is_the_sum "gCBS/vCredPres" = "gCredPresOper/gCBSCredPres/vCredPres";
    /// W58-10.
    mono_ibs_is_the_sum "gMono/vIBSMono" = "gIBSCBSMono/gIBSMonoAdRem/gMonoPadrao/vIBSMono" "gIBSCBSMono/gIBSMonoAdValorem/gMonoPadrao/vIBSMono";
    /// W59-10.
    mono_cbs_is_the_sum "gMono/vCBSMono" = "gIBSCBSMono/gCBSMonoAdRem/gMonoPadrao/vCBSMono" "gIBSCBSMono/gCBSMonoAdValorem/gMonoPadrao/vCBSMono";
    /// W59a-10.
    withheld_ibs_is_the_sum "gMono/vIBSMonoReten" = "gIBSCBSMono/gIBSMonoAdRem/gMonoReten/vIBSMonoReten" "gIBSCBSMono/gIBSMonoAdValorem/gMonoReten/vIBSMonoReten";
    /// W59b-10.
    withheld_cbs_is_the_sum "gMono/vCBSMonoReten" = "gIBSCBSMono/gCBSMonoAdRem/gMonoReten/vCBSMonoReten" "gIBSCBSMono/gCBSMonoAdValorem/gMonoReten/vCBSMonoReten";
    /// W59c-10.
    ibs_withheld_before_is_the_sum "gMono/vIBSMonoRet" = "gIBSCBSMono/gIBSMonoAdRem/gMonoRet/vIBSMonoRet" "gIBSCBSMono/gIBSMonoAdValorem/gMonoRet/vIBSMonoRet";
    /// W59d-10.
    cbs_withheld_before_is_the_sum "gMono/vCBSMonoRet" = "gIBSCBSMono/gCBSMonoAdRem/gMonoRet/vCBSMonoRet" "gIBSCBSMono/gCBSMonoAdValorem/gMonoRet/vCBSMonoRet";
    /// W59f-10.
    reversed_ibs_is_the_sum "gEstornoCred/vIBSEstCred" = "gEstornoCred/vIBSEstCred";
    /// W59g-10.
    reversed_cbs_is_the_sum "gEstornoCred/vCBSEstCred" = "gEstornoCred/vCBSEstCred";
}
