//! Debit and credit notes (`finNFe` 5 and 6), place of the operation, Suframa (B25 to B25d, C22, I05k).

use super::rates::is_incentive_area;
use super::{NfeItem, NfeView};
use crate::nfe::rules::broken_field::BrokenFields;
use crate::nfe::rules::{BrokenField, NfeRuleContext, net, referenced_documents, unregistered};
use crate::reference::cindop;
use crate::value::suframa;

const CREDIT: &str = "5";
const DEBIT: &str = "6";

/// B25-65.
pub(in super::super) fn zfm_credit_refers_to_nothing(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let wrong = note.ide.tpNFCredito == "02" && note.has("ide/NFref");
    found.extend(wrong.then(|| BrokenField::at("ide/NFref")));
}

/// B25-80: debits, credits and the receipt of a government's payment contain IBS and CBS only. Returns, reductions and
/// lost stock also contain the other taxes. So does a payment in advance: IPI, expected ICMS, and PIS and COFINS in
/// 2026.
pub(in super::super) fn adjustment_has_no_other_tax(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let receipt = note.text("ide/gCompraGov/tpOperGov") == "2";
    let adjusts = is_adjustment(note) || receipt;
    let excepted = matches!(note.ide.tpNFCredito, "03" | "04" | "06") || note.ide.tpNFDebito == "07";
    if !adjusts || excepted {
        return;
    }
    let advance = note.ide.tpNFDebito == "06";
    let in_2026 = note.day().is_some_and(|day| day.year() == 2026);
    let allowed = |item: &NfeItem<'_>, tax: &str| match tax {
        "ICMS" => advance && net::has_foreseen_icms(item),
        "IPI" => advance,
        "PIS" | "PISST" | "COFINS" | "COFINSST" => advance && in_2026,
        _ => false,
    };
    for item in &note.items {
        let other = OTHER_TAXES.iter().find(|tax| item.has(&format!("imposto/{tax}")) && !allowed(item, tax));
        let path = other.map(|tax| format!("imposto/{tax}"));
        let path = path.or_else(|| item.has("impostoDevol").then(|| "impostoDevol".to_owned()));
        found.extend(path.map(|path| item.broken(&path)));
    }
}

const OTHER_TAXES: [&str; 9] = ["ICMS", "ISSQN", "IPI", "II", "PIS", "PISST", "COFINS", "COFINSST", "ICMSUFDest"];

fn is_adjustment(note: &NfeView<'_>) -> bool {
    matches!(note.ide.finNFe, CREDIT | DEBIT)
}

/// B25-90, except for issuers without IE (NT 2026.007).
pub(in super::super) fn other_notes_have_icms_or_issqn(
    note: &NfeView<'_>,
    facts: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let applies =
        !is_adjustment(note) && note.text("ide/gCompraGov/tpOperGov") != "2" && !unregistered::may_lack_ie(note, facts);
    let lacks = note.items.iter().filter(|item| item.imposto.ICMS.is_none() && item.imposto.ISSQN.is_none());
    found.extend(lacks.filter(|_| applies).map(|item| item.broken("imposto/ICMS")));
}

/// B25-100: a return may also refer to an NFC-e.
pub(in super::super) fn credit_refers_to_nfe(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let refused = note.ide.tpNFCredito == "03";
    let other = |key: &str| match key.get(20..22) {
        Some("55") | None => false,
        Some("65") => !refused,
        Some(_) => true,
    };
    if note.ide.finNFe == CREDIT {
        referenced_documents::each::<referenced_documents::NFe>(note, found, other);
    }
}

/// B25-110.
pub(in super::super) fn credit_comes_in(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((note.ide.finNFe == CREDIT && note.ide.tpNF != "0").then(|| BrokenField::at("ide/tpNF")));
}

/// B25-120.
pub(in super::super) fn debit_goes_out(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((note.ide.finNFe == DEBIT && note.ide.tpNF != "1").then(|| BrokenField::at("ide/tpNF")));
}

/// B25.1-10.
pub(in super::super) fn kind_of_debit_is_for_debits(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let wrong = note.has("ide/tpNFDebito") && note.ide.finNFe != DEBIT;
    found.extend(wrong.then(|| BrokenField::at("ide/tpNFDebito")));
}

/// B25.1-20.
pub(in super::super) fn kind_of_debit_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = note.ide.finNFe == DEBIT && !note.has("ide/tpNFDebito");
    found.extend(lacks.then(|| BrokenField::at("ide/tpNFDebito")));
}

/// B25.2-10.
pub(in super::super) fn kind_of_credit_is_for_credits(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let wrong = note.has("ide/tpNFCredito") && note.ide.finNFe != CREDIT;
    found.extend(wrong.then(|| BrokenField::at("ide/tpNFCredito")));
}

/// B25.2-20.
pub(in super::super) fn kind_of_credit_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = note.ide.finNFe == CREDIT && !note.has("ide/tpNFCredito");
    found.extend(lacks.then(|| BrokenField::at("ide/tpNFCredito")));
}

/// B25.2-30.
pub(in super::super) fn zfm_credit_begins_in_2029(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let early = note.day().is_some_and(|day| day.year() < 2029);
    found.extend((early && note.ide.tpNFCredito == "02").then(|| BrokenField::at("ide/tpNFCredito")));
}

/// B25.2-40.
pub(in super::super) fn refused_delivery_comes_in(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((note.ide.tpNFCredito == "03" && note.ide.tpNF != "0").then(|| BrokenField::at("ide/tpNF")));
}

/// B25b-60.
pub(in super::super) fn place_is_for_sales_outside(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let wrong = note.has("ide/cMunFGIBS") && note.ide.indPres != "5";
    found.extend(wrong.then(|| BrokenField::at("ide/cMunFGIBS")));
}

/// B25b-70: for documents with the reform's groups.
pub(in super::super) fn sale_outside_has_its_place(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let taxed = note.items.iter().any(|item| item.imposto.IBSCBS.is_some());
    let lacks = taxed && note.ide.indPres == "5" && !note.has("ide/cMunFGIBS");
    found.extend(lacks.then(|| BrokenField::at("ide/cMunFGIBS")));
}

/// B25d-10.
pub(in super::super) fn nfce_has_no_place_code(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(note.has("ide/cIndOp").then(|| BrokenField::at("ide/cIndOp")));
}

/// B25d-20: the official table excludes the NF-e from most of its places.
pub(in super::super) fn place_code_is_for_nfe(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let closed = cindop::find(note.ide.cIndOp).is_some_and(|place| !place.nfe);
    found.extend(closed.then(|| BrokenField::at("ide/cIndOp")));
}

/// 11BC01-10.
pub(in super::super) fn nfce_deducts_no_advance(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let told = note.has("ide/gPagAntecipado/refNFe");
    found.extend(told.then(|| BrokenField::at("ide/gPagAntecipado/refNFe")));
}

/// B25d-30.
pub(in super::super) fn place_code_has_a_pickup(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = matches!(note.ide.cIndOp, "010104" | "010105") && !note.has("retirada");
    found.extend(lacks.then(|| BrokenField::at("retirada")));
}

/// C22-10.
pub(in super::super) fn registered_issuer_is_in_an_area(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let outside = !is_incentive_area(note.text("emit/enderEmit/cMun"));
    found.extend((note.has("emit/ISUFEmit") && outside).then(|| BrokenField::at("emit/ISUFEmit")));
}

/// C22-20.
pub(in super::super) fn registration_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let wrong = note.has("emit/ISUFEmit") && !suframa::is_right(note.text("emit/ISUFEmit"));
    found.extend(wrong.then(|| BrokenField::at("emit/ISUFEmit")));
}

/// I05k-10.
pub(in super::super) fn nfce_has_no_zfm_class(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let told = note.items.iter().filter(|item| item.prod.tpCredPresIBSZFM.is_some());
    found.extend(told.map(|item| item.broken("prod/tpCredPresIBSZFM")));
}

/// I05k-20.
pub(in super::super) fn zfm_class_is_of_the_region(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let inside = suframa::covers(note.text("emit/enderEmit/UF"), note.text("emit/enderEmit/cMun"));
    let told = note.items.iter().filter(|item| item.prod.tpCredPresIBSZFM.is_some());
    found.extend(told.filter(|_| !inside).map(|item| item.broken("prod/tpCredPresIBSZFM")));
}
