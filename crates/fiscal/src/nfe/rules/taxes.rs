//! Group N: the ICMS of the items. Sales to other states are in `difal`, the FCP in `fcp`.
//!
//! Law: MOC 7.0, anexo I, N; NT 2020.005 v1.21, NT 2023.001 v1.60 and NT 2023.003 v1.20 for the exceptions of N12-70
//! and N12-80.

use super::NfeRuleContext;
use super::broken_field::BrokenFields;
use super::fuels::is_petroleum;
use super::items::{CENT, each};
use super::nfe_view::{NfeItem, NfeView, text};
use super::official_tables::cfop;
use super::options::StateChoice;
use crate::reference::cfop::Cfop;
use rust_decimal::{Decimal, RoundingStrategy};

/// N12-10: an export is not taxed.
pub(super) fn export_is_not_taxed(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = note.ide.finNFe != "4";
    each(note, found, "imposto/ICMS", |item| {
        let free = item.cst() == "41" || item.csosn() == "300";
        applies && item.prod.CFOP.starts_with('7') && item.icms.is_some() && !free
    });
}

/// N12-20: Simples Nacional and MEI use a CSOSN, except for single-phase fuels (NT 2023.001).
pub(super) fn simples_has_a_csosn(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let simples = is_simples(note);
    each(note, found, "imposto/ICMS", |item| simples && !item.cst().is_empty() && !is_monophasic(item.cst()));
}

/// N12a-10.
pub(super) fn csosn_is_for_simples(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let other = !is_simples(note);
    each(note, found, "imposto/ICMS", |item| other && !item.csosn().is_empty());
}

/// N11-10: only a MEI may leave the origin out.
pub(super) fn origin_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = note.text("emit/CRT") != "4" && !matches!(note.ide.finNFe, "5" | "6");
    each(note, found, "imposto/ICMS", |item| applies && item.icms.is_some_and(|icms| text(icms, "orig").is_empty()));
}

/// N12-70.
pub(super) fn cst_suits_a_consumer(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let vehicles = || note.items.iter().any(|item| item.prod.veicProd.is_some());
    let applies = to_no_contributor(note) && !vehicles();
    each(note, found, "imposto/ICMS", |item| {
        let suits = matches!(item.cst(), "" | "00" | "20" | "40" | "41" | "60" | "61");
        applies && !suits && !is_excepted(note, facts, item)
    });
}

/// Exceptions 2 and 5 to 9 of N12-70, by the CST. The text of exception 7 after "operações internas" is taken as struck
/// out: it follows a full stop, and the conversion of the document loses strikethrough.
fn is_excepted(note: &NfeView<'_>, facts: &NfeRuleContext, item: &NfeItem<'_>) -> bool {
    let (cfop, inside, returned) = (item.prod.CFOP, note.ide.idDest == "1", note.ide.finNFe == "4");
    match item.cst() {
        "50" => returned || comes_back(item) || is_sent(item) || matches!(cfop, "5949" | "6949"),
        "51" => returned || inside || matches!(cfop, "6123" | "6922"),
        "30" => note.ide.idDest == "2" && (is_petroleum(item) || item.prod.NCM == "27160000"),
        "02" | "10" => inside && facts.options(note).has(StateChoice::SubstituicaoANaoContribuinte),
        _ => false,
    }
}

/// N12a-70. A MEI may sell its fixed assets (NT 2024.003), and send goods to be sold outside where the state permits it
/// (exception 4).
pub(super) fn csosn_suits_a_consumer(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let (applies, mei) = (to_no_contributor(note), note.text("emit/CRT") == "4");
    each(note, found, "imposto/ICMS", |item| {
        let suits = matches!(item.csosn(), "" | "102" | "103" | "300" | "400" | "500");
        let cfop = item.prod.CFOP;
        let repair = matches!(cfop, "5912" | "5913" | "5915" | "5916" | "6915" | "6916");
        let of_a_mei = mei && item.csosn() == "900" && matches!(cfop, "5551" | "6551" | "5904" | "6904");
        applies && !suits && !repair && !of_a_mei
    });
}

fn to_no_contributor(note: &NfeView<'_>) -> bool {
    note.text("dest/indIEDest") == "9" && note.ide.tpNF == "1"
}

/// N12-80.
pub(super) fn cst_suits_an_exempt_contributor(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = note.text("dest/indIEDest") == "2";
    let company = note.ide.idDest == "1" && note.has("dest/CNPJ");
    each(note, found, "imposto/ICMS", |item| match item.cst() {
        "50" => applies && !is_repair_or_processing(item.prod.CFOP),
        "51" => applies && !(company && facts.options(note).has(StateChoice::DiferimentoAIsento)),
        _ => false,
    });
}

/// Exception 1 of N12-80: repair, demonstration inside the state, processing on order.
fn is_repair_or_processing(cfop: &str) -> bool {
    matches!(cfop, "1912" | "1913" | "5912" | "5913")
        || (matches!(cfop.get(..1), Some("1" | "2" | "5" | "6"))
            && matches!(cfop.get(1..), Some("915" | "916" | "901")))
}

/// N16a-10: CST 51, tax of the operation.
pub(super) fn deferred_operation(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/ICMS/ICMS51/vICMSOp", |item| {
        let told = has_deferred(item, "vICMSOp");
        told && differs(item.icms("vICMSOp"), percent(item.icms("vBC"), item.icms("pICMS")))
    });
}

/// N16c-10: CST 51, the deferred part.
pub(super) fn deferred_part(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/ICMS/ICMS51/vICMSDif", |item| {
        let told = has_deferred(item, "vICMSDif");
        told && differs(item.icms("vICMSDif"), percent(item.icms("vICMSOp"), item.icms("pDif")))
    });
}

/// N17-10: CST 51, the remaining tax.
pub(super) fn deferred_rest(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/ICMS/ICMS51/vICMS", |item| {
        let told = ["vICMS", "vICMSOp", "vICMSDif"].iter().all(|tag| has_deferred(item, tag));
        told && differs(item.icms("vICMS"), item.icms("vICMSOp") - item.icms("vICMSDif"))
    });
}

/// True when the group of a deferral has the field.
fn has_deferred(item: &NfeItem<'_>, tag: &str) -> bool {
    item.imposto.ICMS.and_then(|icms| icms.child("ICMS51")).is_some_and(|deferred| deferred.child(tag).is_some())
}

/// N17-20.
pub(super) fn icms_is_base_times_rate(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let normal = note.ide.finNFe == "1";
    each(note, found, "imposto/ICMS", |item| {
        let applies = normal && matches!(item.cst(), "00" | "10" | "20" | "70") && !is_shared(item);
        applies && differs(item.icms("vICMS"), percent(item.icms("vBC"), item.icms("pICMS")))
    });
}

/// True for ICMSPart: states share the operation's base, so the product does not hold.
fn is_shared(item: &NfeItem<'_>) -> bool {
    item.icms.is_some_and(|icms| icms.name() == "ICMSPart")
}

/// N28-12: ICMS exempted for the Zona Franca counts as deducted.
pub(super) fn spared_icms_is_deducted(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/ICMS", |item| {
        let zfm = |icms| text(icms, "motDesICMS") == "7" && text(icms, "indDeduzDeson") != "1";
        item.icms.is_some_and(zfm)
    });
}

/// I05f-10: a benefit code with a CST that means none.
pub(super) fn benefit_suits_the_cst(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let checked = facts.options(note).has(StateChoice::ConfereCBenef);
    each(note, found, "prod/cBenef", |item| {
        checked && has_benefit_code(item) && matches!(item.cst(), "00" | "10" | "60")
    });
}

/// I05f-30: value and reason of the benefit.
pub(super) fn benefit_has_its_value(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let checked = facts.options(note).has(StateChoice::ExigeDesoneracao);
    each(note, found, "imposto/ICMS", |item| {
        let told =
            item.icms.is_some_and(|icms| icms.child("vICMSDeson").is_some() && icms.child("motDesICMS").is_some());
        checked && has_benefit_code(item) && !told
    });
}

/// N12-84: a CST that means a benefit, without a code of it.
pub(super) fn benefit_has_its_code(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let checked = facts.options(note).has(StateChoice::ExigeCBenef);
    each(note, found, "prod/cBenef", |item| {
        let benefit = matches!(item.cst(), "20" | "30" | "40" | "41" | "50" | "51" | "60" | "70" | "90");
        let full = item.cst() == "90" && item.icms("pRedBC").is_zero() && item.icms("pRedBCST").is_zero();
        checked && benefit && !full && item.prod.cBenef.is_empty()
    });
}

fn has_benefit_code(item: &NfeItem<'_>) -> bool {
    !matches!(item.prod.cBenef, "" | "SEM CBENEF")
}

/// True for goods sent before that return (table CFOP, `indRetor`).
pub(super) fn comes_back(item: &NfeItem<'_>) -> bool {
    cfop(item).is_some_and(Cfop::is_retorno)
}

/// True for goods sent, not sold (table CFOP, `indRemes`).
pub(super) fn is_sent(item: &NfeItem<'_>) -> bool {
    cfop(item).is_some_and(Cfop::is_remessa)
}

/// True for a cancelled value (table CFOP, `indAnula`).
pub(super) fn undoes(item: &NfeItem<'_>) -> bool {
    cfop(item).is_some_and(Cfop::is_anulacao)
}

/// True for imported goods, or with high imported content, by their origin.
pub(super) fn is_imported(item: &NfeItem<'_>) -> bool {
    item.icms.is_some_and(|icms| matches!(text(icms, "orig"), "1" | "2" | "3" | "8"))
}

pub(super) fn is_simples(note: &NfeView<'_>) -> bool {
    matches!(note.text("emit/CRT"), "1" | "4")
}

fn is_monophasic(cst: &str) -> bool {
    matches!(cst, "02" | "15" | "53" | "61")
}

/// Percentage of a base, by commercial rounding to cents.
pub(super) fn percent(base: Decimal, rate: Decimal) -> Decimal {
    let product = base.checked_mul(rate).unwrap_or_default() / Decimal::ONE_HUNDRED;
    product.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

pub(super) fn differs(stated: Decimal, computed: Decimal) -> bool {
    (stated - computed).abs() > CENT
}
