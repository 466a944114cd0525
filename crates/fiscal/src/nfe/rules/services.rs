//! Group U and the totals of services: ISSQN.
//!
//! Law: MOC 7.0 anexo I, U and W18 to W22f; NT 2021.004 v1.35 for the list of services (U06-10).

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::identification::exists;
use super::items::each;
use super::nfe_view::{NfeItem, NfeView, decimal_in};
use crate::reference::{pais, servico};
use crate::value::amount;
use rust_decimal::Decimal;

/// U01-10.
pub(super) fn has_a_municipal_registration(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = note.text("emit/IM").is_empty();
    each(note, found, "imposto/ISSQN", |item| lacks && item.is_service());
}

/// U01-30: a service has no bar code.
pub(super) fn has_no_gtin(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let coded = |item: &NfeItem<'_>| [item.prod.cEAN, item.prod.cEANTrib].iter().any(|gtin| *gtin != "SEM GTIN");
    each(note, found, "prod/cEAN", |item| item.is_service() && coded(item));
}

/// U05-10: except for a service rendered abroad, which has no município.
pub(super) fn cmunfg_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let abroad = note.text("dest/enderDest/UF") == "EX";
    each_told(note, found, "cMunFG", |cMunFG| !(exists(cMunFG) || (abroad && cMunFG == "9999999")));
}

/// U06-10.
pub(super) fn is_in_the_list(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each_told(note, found, "cListServ", |cListServ| !servico::exists(cListServ));
}

/// U14-10.
pub(super) fn cmun_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each_told(note, found, "cMun", |cMun| cMun != "9999999" && !exists(cMun));
}

/// U15-10.
pub(super) fn country_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each_told(note, found, "cPais", |cPais| pais::find(cPais).is_none());
}

fn each_told(note: &NfeView<'_>, found: &mut BrokenFields, tag: &str, wrong: impl Fn(&str) -> bool) {
    each(note, found, &format!("imposto/ISSQN/{tag}"), |item| {
        let told = item.imposto.ISSQN.and_then(|service| service.child(tag));
        told.is_some_and(|told| wrong(told.text()))
    });
}

/// Defines one rule per total: name, field of `ISSQNtot`, amount of an item with ISSQN.
macro_rules! totals {
    ($($(#[$doc:meta])* $name:ident $tag:literal = |$item:ident| $part:expr;)*) => {
        $($(#[$doc])* pub(super) fn $name(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
            let sum = note.sum(|$item: &NfeItem<'_>| if $item.is_service() { $part } else { Decimal::ZERO });
            let stated = amount(note.text(concat!("total/ISSQNtot/", $tag))).unwrap_or_default();
            found.extend((stated != sum).then(|| BrokenField::at(concat!("total/ISSQNtot/", $tag))));
        })*
    };
}

totals! {
    /// W19-10.
    base_is_the_sum "vBC" = |item| decimal_in(item.imposto.ISSQN, "vBC");
    /// W20-10.
    viss_is_the_sum "vISS" = |item| decimal_in(item.imposto.ISSQN, "vISSQN");
    /// W21-10.
    vpis_is_the_sum "vPIS" = |item| item.tax(item.imposto.PIS, "vPIS");
    /// W22-10.
    vcofins_is_the_sum "vCOFINS" = |item| item.tax(item.imposto.COFINS, "vCOFINS");
    /// W22b-10.
    vdeducao_is_the_sum "vDeducao" = |item| decimal_in(item.imposto.ISSQN, "vDeducao");
    /// W22c-10.
    voutro_is_the_sum "vOutro" = |item| decimal_in(item.imposto.ISSQN, "vOutro");
    /// W22d-10.
    vdescincond_is_the_sum "vDescIncond" = |item| decimal_in(item.imposto.ISSQN, "vDescIncond");
    /// W22e-10.
    vdesccond_is_the_sum "vDescCond" = |item| decimal_in(item.imposto.ISSQN, "vDescCond");
    /// W22f-10.
    vissret_is_the_sum "vISSRet" = |item| decimal_in(item.imposto.ISSQN, "vISSRet");
}
