//! `gIBSCBSMono`: single-phase fuels, taxed by quantity or by value (UB85a to UB104), in the layout of NT 2025.002
//! v1.50.
//!
//! The four groups have equal sub-groups. An indicator of the cClassTrib's row demands or forbids each of them. Tax
//! withheld before (`gMonoRet`) depends on references that are not published yet. For a mixture of the CBS by quantity
//! the NT prints two texts. The text of `gMonoDif` is struck out (the layout has no such group), so 1148 and 1149 mean
//! here what 1224 and 1225 mean.

use super::{NfeView, TaxedItem, cents, differs, each, percent};
use crate::nfe::rules::NfeRuleContext;
use crate::nfe::rules::broken_field::BrokenFields;
use crate::nfe::rules::nfe_view::{decimal_in, text_in};
use crate::reference::fuel;
use crate::reference::ibscbs::class;
use crate::value::TpAmb;
use rust_decimal::Decimal;

/// A group of `gIBSCBSMono`.
pub(in super::super) trait MonoGroup {
    const PATH: &'static str;
    /// Field for the tax due on ethanol.
    const ETHANOL: &'static str;
}

macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident = $path:literal;)*) => {
        $($(#[$doc])* pub(in super::super) struct $name;
        impl MonoGroup for $name {
            const PATH: &'static str = $path;
            const ETHANOL: &'static str = concat!($path, "/gpBioDiferenca/qBCBioComb");
        })*
    };
}

groups! {
    /// IBS by quantity.
    IbsAdRem = "gIBSCBSMono/gIBSMonoAdRem";
    /// IBS by value.
    IbsAdValorem = "gIBSCBSMono/gIBSMonoAdValorem";
    /// CBS by quantity.
    CbsAdRem = "gIBSCBSMono/gCBSMonoAdRem";
    /// CBS by value.
    CbsAdValorem = "gIBSCBSMono/gCBSMonoAdValorem";
}

/// A sub-group and its indicator.
pub(in super::super) trait MonoPart {
    const TAG: &'static str;
    const INDICATOR: u16;
}

macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident = $tag:literal by $indicator:expr;)*) => {
        $($(#[$doc])* pub(in super::super) struct $name;
        impl MonoPart for $name {
            const TAG: &'static str = $tag;
            const INDICATOR: u16 = $indicator;
        })*
    };
}

parts! {
    /// Tax of this operation.
    Padrao = "gMonoPadrao" by class::MONO_PADRAO;
    /// Tax withheld for later operations.
    Reten = "gMonoReten" by class::MONO_RETEN;
    /// Tax withheld before.
    Ret = "gMonoRet" by class::MONO_RET;
    /// Ethanol in another proportion than required.
    Bio = "gpBioDiferenca" by class::BIO_DIFERENCA;
}

fn path<G: MonoGroup, P: MonoPart>() -> String {
    format!("{}/{}", G::PATH, P::TAG)
}

/// Finds items whose class demands the sub-group and that lack it.
pub(in super::super) fn part_is_told<G: MonoGroup, P: MonoPart>(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, &path::<G, P>(), |taxed| {
        taxed.has(G::PATH) && taxed.class_has(P::INDICATOR) && !taxed.has(&path::<G, P>())
    });
}

/// Finds items whose class forbids the sub-group and that have it.
pub(in super::super) fn part_is_for_its_class<G: MonoGroup, P: MonoPart>(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, &path::<G, P>(), |taxed| taxed.class_lacks(P::INDICATOR) && taxed.has(&path::<G, P>()));
}

/// Last year in which a tax is due by value: 2028 for the IBS, 2026 for the CBS (LC 214/2025, art. 173, and the table
/// of UB85a-10).
fn last_year_by_value<G: MonoGroup>() -> i16 {
    if G::PATH.contains("IBS") && !G::PATH.contains("gCBSMono") { 2028 } else { 2026 }
}

fn is_by_value<G: MonoGroup>() -> bool {
    G::PATH.ends_with("AdValorem")
}

/// UB85a-10, UB90-10, UB95a-10, UB100-10: a group of another year. Homologação accepts the CBS by quantity early.
pub(in super::super) fn group_is_of_its_year<G: MonoGroup>(
    note: &NfeView<'_>,
    facts: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let early = G::PATH == CbsAdRem::PATH && facts.ambiente == TpAmb::Homologacao;
    let on = !early && !is_year_of::<G>(note);
    each(note, found, G::PATH, |taxed| on && taxed.has(G::PATH));
}

fn is_year_of<G: MonoGroup>(note: &NfeView<'_>) -> bool {
    note.day().is_some_and(|day| (day.year() <= last_year_by_value::<G>()) == is_by_value::<G>())
}

/// UB85a-20, UB90-20, UB95a-20, UB100-20: the group of this year is absent although the class has a sub-group for it.
pub(in super::super) fn group_is_told<G: MonoGroup>(
    note: &NfeView<'_>,
    facts: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let on = is_year_of::<G>(note);
    let anything = class::MONO_PADRAO | class::MONO_RETEN | class::MONO_RET | class::BIO_DIFERENCA;
    let early = |taxed: &TaxedItem<'_, '_>| {
        G::PATH == CbsAdValorem::PATH && facts.ambiente == TpAmb::Homologacao && taxed.has(CbsAdRem::PATH)
    };
    each(note, found, G::PATH, |taxed| {
        on && taxed.has("gIBSCBSMono") && taxed.class_has(anything) && !taxed.has(G::PATH) && !early(taxed)
    });
}

/// Defines rules for values: position and formula. By quantity a product, by value a percentage.
macro_rules! values {
    ($($(#[$doc:meta])* $name:ident $group:literal $value:literal = $how:ident $base:literal $rate:literal;)*) => {
        $($(#[$doc])* pub(in super::super) fn $name(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
            each(note, found, concat!("gIBSCBSMono/", $group, "/", $value), |taxed| {
                let field = |tag: &str| taxed.decimal(&format!(concat!("gIBSCBSMono/", $group, "/{}"), tag));
                taxed.has(concat!("gIBSCBSMono/", $group)) && differs(field($value), $how(field($base), field($rate)))
            });
        })*
    };
}

fn product(quantity: Decimal, rate: Decimal) -> Decimal {
    cents(quantity.checked_mul(rate).unwrap_or_default())
}

fn sum(one: Decimal, other: Decimal) -> Decimal {
    one + other
}

values! {
    /// UB86c-10.
    ibs_by_quantity_is_right "gIBSMonoAdRem/gMonoPadrao" "vIBSMono" = product "qBCMono" "adRemIBS";
    /// UB87c-10.
    withheld_ibs_by_quantity_is_right "gIBSMonoAdRem/gMonoReten" "vIBSMonoReten" = product "qBCMonoReten" "adRemIBSReten";
    /// UB91c-10.
    ibs_of_the_state_by_value_is_right "gIBSMonoAdValorem/gMonoPadrao" "vIBSMonoUF" = percent "vBCMono" "pAliqMonoUF";
    /// UB91e-10.
    ibs_of_the_municipio_by_value_is_right "gIBSMonoAdValorem/gMonoPadrao" "vIBSMonoMun" = percent "vBCMono" "pAliqMonoMun";
    /// UB91f-10.
    ibs_by_value_is_the_sum "gIBSMonoAdValorem/gMonoPadrao" "vIBSMono" = sum "vIBSMonoUF" "vIBSMonoMun";
    /// UB92c-10.
    withheld_ibs_by_value_is_right "gIBSMonoAdValorem/gMonoReten" "vIBSMonoReten" = percent "vBCMonoReten" "pAliqMonoReten";
    /// UB96c-10.
    cbs_by_quantity_is_right "gCBSMonoAdRem/gMonoPadrao" "vCBSMono" = product "qBCMono" "adRemCBS";
    /// UB97c-10.
    withheld_cbs_by_quantity_is_right "gCBSMonoAdRem/gMonoReten" "vCBSMonoReten" = product "qBCMonoReten" "adRemCBSReten";
    /// UB101c-10.
    cbs_by_value_is_right "gCBSMonoAdValorem/gMonoPadrao" "vCBSMono" = percent "vBCMono" "pAliqMonoCBS";
    /// UB102c-10.
    withheld_cbs_by_value_is_right "gCBSMonoAdValorem/gMonoReten" "vCBSMonoReten" = percent "vBCMonoReten" "pAliqMonoReten";
}

/// UB14-30: a class for an excess of ethanol, without an excess. Only gasoline has a required proportion.
pub(in super::super) fn too_much_ethanol_is_above_what_must(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    mixtures(note, found, TOO_MUCH, |told, must| told <= must);
}

/// UB14-50: a class for a lack of ethanol, without a lack.
pub(in super::super) fn too_little_ethanol_is_below_what_must(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    mixtures(note, found, TOO_LITTLE, |told, must| told >= must);
}

fn mixtures(note: &NfeView<'_>, found: &mut BrokenFields, class: &str, breaks: impl Fn(Decimal, Decimal) -> bool) {
    each(note, found, "cClassTrib", |taxed| {
        let must = if taxed.text("cClassTrib") == class { obligatory(note, taxed) } else { None };
        must.is_some_and(|must| breaks(decimal_in(taxed.item.prod.comb, "pBio"), must))
    });
}

fn obligatory(note: &NfeView<'_>, taxed: &TaxedItem<'_, '_>) -> Option<Decimal> {
    fuel::obligatory_mixture(text_in(taxed.item.prod.comb, "cProdANP"), note.day()?)
}

/// UB89a-10, UB94a-10, UB99a-10, UB104a-10: tax is due on the excess or lack of ethanol, relative to the gasoline in
/// the mixture.
pub(in super::super) fn quantity_of_ethanol_is_right<G: MonoGroup>(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, G::ETHANOL, |taxed| {
        let wrong = |due| differs(taxed.decimal(G::ETHANOL), due);
        taxed.has(G::ETHANOL) && ethanol_due(note, taxed).is_some_and(wrong)
    });
}

/// `qTrib` × (`pBio` − required) ÷ (100 − required), or its mirror.
fn ethanol_due(note: &NfeView<'_>, taxed: &TaxedItem<'_, '_>) -> Option<Decimal> {
    let must = obligatory(note, taxed)?;
    let more = match taxed.text("cClassTrib") {
        TOO_MUCH => decimal_in(taxed.item.prod.comb, "pBio") - must,
        TOO_LITTLE => must - decimal_in(taxed.item.prod.comb, "pBio"),
        _ => return None,
    };
    crate::value::product(&[taxed.item.prod.qTrib, more]).checked_div(Decimal::ONE_HUNDRED - must)
}

/// `cClassTrib` of a mixture with more ethanol than required (LC 214/2025, art. 179, II, a).
const TOO_MUCH: &str = "620004";
/// `cClassTrib` of a mixture with less ethanol than required (art. 179, II, b).
const TOO_LITTLE: &str = "620005";
