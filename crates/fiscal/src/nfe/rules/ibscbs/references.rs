//! References per item: `DFeReferenciado` (VC02, VC03).

use super::NfeView;
use crate::nfe::rules::broken_field::BrokenFields;
use crate::nfe::rules::nfe_view::NfeItem;
use crate::nfe::rules::{BrokenField, NfeRuleContext};

const KEY: &str = "DFeReferenciado/chaveAcesso";
const ITEM: &str = "DFeReferenciado/nItem";

fn key<'a>(item: &NfeItem<'a>) -> &'a str {
    item.text(KEY)
}

/// VC02-04.
pub(in super::super) fn nfce_refers_to_nothing(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(note.items.iter().filter(|item| item.has(KEY)).map(|item| item.broken(KEY)));
}

/// VC02-05.
pub(in super::super) fn refers_by_note_or_by_item(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let by_note = note.has("ide/NFref");
    found.extend(note.items.iter().filter(|item| by_note && item.has(KEY)).map(|item| item.broken(KEY)));
}

/// VC02-07: except for a delivery refused in part.
pub(in super::super) fn credit_refers_by_note(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = note.ide.finNFe == "5" && note.ide.tpNFCredito != "06";
    let by_item = note.items.iter().find(|item| applies && item.has("DFeReferenciado"));
    found.extend(by_item.map(|item| BrokenField { item: None, ..item.broken("DFeReferenciado") }));
}

/// VC02-10.
pub(in super::super) fn adjustment_refers_by_item(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = matches!(note.ide.tpNFDebito, "03" | "04") || note.ide.tpNFCredito == "06";
    found.extend(note.items.iter().filter(|item| applies && !item.has(KEY)).map(|item| item.broken(KEY)));
}

/// VC02-14: for documents with the reform's groups, as NT 2025.002 limits all its rules.
pub(in super::super) fn return_refers_by_item(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = note.ide.finNFe == "4";
    let lacks = note.items.iter().filter(|item| item.imposto.IBSCBS.is_some() && !item.has(KEY));
    found.extend(lacks.filter(|_| applies).map(|item| item.broken(KEY)));
}

/// VC02-20: an item of a document referenced twice; without `nItem`, the document.
pub(in super::super) fn refers_to_each_once(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for item in note.items.iter().filter(|item| item.has(KEY)) {
        let own = (key(item), item.text(ITEM));
        let same =
            |other: &(&str, &str)| other.0 == own.0 && (other.1 == own.1 || own.1.is_empty() || other.1.is_empty());
        found.extend(seen.iter().any(same).then(|| item.broken(KEY)));
        seen.push(own);
    }
}

/// VC02-30.
pub(in super::super) fn refers_to_one_note(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let several = matches!(note.ide.tpNFDebito, "03" | "07") || note.ide.finNFe == "4";
    let first = note.items.iter().map(key).find(|key| !key.is_empty()).unwrap_or_default();
    let other = note.items.iter().filter(|item| !several && item.has(KEY) && key(item) != first);
    found.extend(other.map(|item| item.broken(KEY)));
}

/// VC02-40.
pub(in super::super) fn return_is_to_one_issuer(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = note.ide.finNFe == "4";
    let issuer = |item: &NfeItem<'_>| key(item).get(6..20).map(str::to_owned);
    let first = note.items.iter().find_map(issuer);
    let other = note.items.iter().filter(|item| applies && item.has(KEY) && issuer(item) != first);
    found.extend(other.map(|item| item.broken(KEY)));
}

/// VC02-50: returned goods go to the issuer of the returned document.
pub(in super::super) fn return_goes_to_its_issuer(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = note.ide.finNFe == "4" && note.ide.tpNF == "1";
    let (cnpj, cpf) = (note.text("dest/CNPJ"), note.text("dest/CPF"));
    let addressee = if cnpj.is_empty() { format!("000{cpf}") } else { cnpj.to_owned() };
    let other = note.items.iter().filter(|item| item.has(KEY) && key(item).get(6..20) != Some(addressee.as_str()));
    found.extend(other.filter(|_| applies).map(|item| item.broken(KEY)));
}

/// VC02-40 of NT 2026.002: a sale refers to no retail document, unless it completes one.
pub(in super::super) fn sale_refers_to_no_retail(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = note.ide.tpNF == "1" && note.ide.finNFe != "2" && note.ide.tpNFDebito != "03";
    let retail = |item: &&NfeItem<'_>| matches!(key(item).get(20..22), Some("65" | "59"));
    found.extend(note.items.iter().filter(|_| applies).filter(retail).map(|item| item.broken(KEY)));
}

/// VC03-10.
pub(in super::super) fn unprocessed_note_is_whole(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = note.ide.tpNFDebito == "03";
    found.extend(note.items.iter().filter(|item| applies && item.has(ITEM)).map(|item| item.broken(ITEM)));
}

/// VC03-20.
pub(in super::super) fn reference_names_its_item(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = note.ide.tpNFDebito != "03";
    let lacks = note.items.iter().filter(|item| item.has(KEY) && !item.has(ITEM));
    found.extend(lacks.filter(|_| applies).map(|item| item.broken(ITEM)));
}
