//! Codes of the ICMS that retail and small businesses may use, and their operations.
//!
//! Law: MOC 7.0, anexo I, N12 and N12a of model 65; NT 2024.001 (MEI, `CRT` 4); NT 2026.002 (DANFE simplificado tipo
//! 2).

use super::NfeRuleContext;
use super::broken_field::BrokenFields;
use super::items::each;
use super::nfe_view::{NfeItem, NfeView, has_in};
use super::options::StateChoice;

/// N12-30. Fuels keep their single-phase codes (NT 2023.001).
pub(super) fn cst_is_of_retail(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let others = facts.options(note).has(StateChoice::Cst90NoVarejo);
    each(note, found, "imposto/ICMS", |item| match item.cst() {
        "" | "00" | "20" | "40" | "41" | "60" | "61" => false,
        "02" | "15" | "53" => item.prod.comb.is_none(),
        "90" => !others,
        _ => true,
    });
}

/// N12-34.
pub(super) fn cst_90_has_no_substitution(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/ICMS/ICMS90/modBCST", |item| has_in(item.imposto.ICMS, "ICMS90/modBCST"));
}

/// N12a-20.
pub(super) fn csosn_is_of_retail(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let others = facts.options(note).has(StateChoice::Csosn900NoVarejo);
    each(note, found, "imposto/ICMS", |item| match item.csosn() {
        "" | "102" | "103" | "300" | "400" | "500" => false,
        "900" => !others,
        _ => true,
    });
}

/// N12a-34.
pub(super) fn csosn_900_has_no_substitution(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/ICMS/ICMSSN900/modBCST", |item| has_in(item.imposto.ICMS, "ICMSSN900/modBCST"));
}

/// N12-40.
pub(super) fn cfop_suits_the_cst(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let options = facts.options(note);
    each(note, found, "prod/CFOP", |item| {
        let allowed = match item.prod.CFOP {
            "5405" => item.cst() == "90" && options.has(StateChoice::Cfop5405Com90),
            "5949" => matches!(item.cst(), "40" | "90") && options.has(StateChoice::Cfop5949NoVarejo),
            cfop => is_own_sale(cfop),
        };
        matches!(item.cst(), "00" | "20" | "40" | "41" | "90") && !allowed
    });
}

/// N12-44.
pub(super) fn cfop_suits_cst_60(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/CFOP", |item| item.cst() == "60" && !is_sale_of_substituted(item));
}

/// N12a-40.
pub(super) fn cfop_suits_the_csosn(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let options = facts.options(note);
    each(note, found, "prod/CFOP", |item| {
        let allowed = match item.prod.CFOP {
            "5405" => item.csosn() == "900" && options.has(StateChoice::Cfop5405Com90),
            "5949" => item.csosn() == "900" && options.has(StateChoice::Cfop5949NoVarejo),
            cfop => is_own_sale(cfop),
        };
        matches!(item.csosn(), "102" | "103" | "300" | "400" | "900") && !allowed
    });
}

/// N12a-44.
pub(super) fn cfop_suits_csosn_500(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/CFOP", |item| item.csosn() == "500" && !is_sale_of_substituted(item));
}

fn is_own_sale(cfop: &str) -> bool {
    matches!(cfop, "5101" | "5102" | "5103" | "5104" | "5115" | "5910")
}

fn is_sale_of_substituted(item: &NfeItem<'_>) -> bool {
    matches!(item.prod.CFOP, "5405" | "5656" | "5667" | "5910")
}

/// N12a-80: the CSOSN of a MEI in model 55.
pub(super) fn csosn_of_a_mei(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let mei = is_mei(note) && !note.is_retail();
    each(note, found, "imposto/ICMS", |item| mei && !matches!(item.csosn(), "" | "102" | "300" | "400" | "900"));
}

/// N12a-81: the CSOSN of a MEI in retail.
pub(super) fn csosn_of_a_mei_in_retail(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let mei = is_mei(note);
    each(note, found, "imposto/ICMS", |item| mei && !matches!(item.csosn(), "" | "102" | "300"));
}

/// N12a-90: the CFOP of a MEI in model 55.
pub(super) fn cfop_of_a_mei(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let mei = is_mei(note) && !note.is_retail();
    each(note, found, "prod/CFOP", |item| {
        let cfop = item.prod.CFOP;
        mei && match item.csosn() {
            "102" => !matches!(cfop, "5102" | "6102"),
            "900" => !OF_A_MEI_WITH_900.contains(&cfop),
            _ => false,
        }
    });
}

/// N12a-91: the CFOP of a MEI in retail.
pub(super) fn cfop_of_a_mei_in_retail(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let mei = is_mei(note);
    each(note, found, "prod/CFOP", |item| mei && item.prod.CFOP != "5102");
}

fn is_mei(note: &NfeView<'_>) -> bool {
    note.text("emit/CRT") == "4" && note.ide.idDest != "3"
}

/// CFOP of NT 2024.001, N12a-90.
#[rustfmt::skip]
const OF_A_MEI_WITH_900: [&str; 32] = [
    "1202", "1904", "2202", "2904", "5202", "5904", "6202", "6904", "1501", "1503", "1504", "1505", "1506", "1553", "2501", "2503",
    "2504", "2505", "2506", "2553", "5501", "5502", "5504", "5505", "5551", "5933", "6501", "6502", "6504", "6505", "6551", "6933",
];
