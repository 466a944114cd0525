//! Exports of goods bought for export: the documents of the purchase (`detExport/exportInd`).
//!
//! Law: MOC 7.0, anexo I, I54.

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::nfe_view::{NfeItem, NfeView};
use super::referenced_documents::{self, model};
use crate::value::{ChaveAcesso, InvalidChave};

/// I54-10.
pub(super) fn key_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, |key| matches!(ChaveAcesso::parse(key), Err(InvalidChave::Shape | InvalidChave::CheckDigit)));
}

/// I54-20.
pub(super) fn key_is_of_an_nfe(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, |key| model(key) != "55");
}

/// I54-30: a key twice in one item.
pub(super) fn key_stands_once(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    for item in &note.items {
        let mut seen = Vec::new();
        for (index, key) in keys(item) {
            found.extend(seen.contains(&key).then(|| at(item, index)));
            seen.push(key);
        }
    }
}

/// I54-40: the document as a whole refers to it, too.
pub(super) fn key_is_referred_to(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, |key| {
        !referenced_documents::keys::<referenced_documents::NFe>(note).any(|(_, referred)| referred == key)
    });
}

fn each(note: &NfeView<'_>, found: &mut BrokenFields, wrong: impl Fn(&str) -> bool) {
    for item in &note.items {
        found.extend(keys(item).filter(|(_, key)| wrong(key)).map(|(index, _)| at(item, index)));
    }
}

fn keys<'a>(item: &NfeItem<'a>) -> impl Iterator<Item = (usize, &'a str)> {
    item.groups("detExport").filter_map(|(index, export)| Some((index, export.text_at("exportInd/chNFe")?)))
}

fn at(item: &NfeItem<'_>, index: usize) -> BrokenField {
    item.broken(&format!("prod/detExport[{index}]/exportInd/chNFe"))
}
