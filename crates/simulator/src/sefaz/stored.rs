//! Stage 10, references of a note to stored ones: returns, credits, purchases of the government, payments in advance.
//! An unknown reference is refused only where the state closed its database of references.
//!
//! Law: NT 2022.005 v1.11 (3BA02-50 to 3BA02-68); NT 2025.002 v1.51 (3BA02-70, BB05-170 to BB05-200, 11BC01-20).

use super::Refusal;
use crate::ledger::{Ledger, LedgerDocument, LedgerStatus};
use crate::service_address::ServiceAddress;
use fiscal::nfe::rules::NfeView;
use fiscal::value::amount;
use fiscal::xml::{Element, ElementView};
use rust_decimal::Decimal;
use std::collections::BTreeSet;

/// References of a note to stored ones.
#[derive(Debug, Default)]
pub(super) struct StoredReferences {
    returned: Option<ReturnTotals>,
    credited: Vec<String>,
    supplied: Vec<String>,
    tpOperGov: String,
    paid: Vec<String>,
}

/// A return: its totals may not exceed those of the returned notes.
#[derive(Debug)]
struct ReturnTotals {
    totals: [Decimal; TOTALS.len()],
    keys: BTreeSet<String>,
    abroad: bool,
}

/// Total and code.
const TOTALS: [(&str, u16); 5] =
    [("vNF", 545), ("vICMS", 546), ("vFCP", 566), ("vICMSUFDest", 567), ("vFCPUFDest", 581)];

/// R$ 1,00 (observation 2).
const TOLERANCE: Decimal = Decimal::ONE;

impl StoredReferences {
    pub(super) fn of(note: &NfeView<'_>) -> StoredReferences {
        let under = |group: &str, tag: &'static str| texts(note.each(group, tag));
        let credit = matches!(note.ide.tpNFCredito, "01" | "03");
        StoredReferences {
            returned: (note.ide.finNFe == "4").then(|| ReturnTotals::of(note)).flatten(),
            credited: if credit { referred(note).collect() } else { Vec::new() },
            supplied: under("ide/gCompraGov", "refDFeAnt"),
            tpOperGov: note.text("ide/gCompraGov/tpOperGov").to_owned(),
            paid: under("ide/gPagAntecipado", "refNFe"),
        }
    }

    pub(super) fn refusals(&self, ledger: &Ledger, place: ServiceAddress, closed: bool, found: &mut Vec<Refusal>) {
        let stored = |key: &str| ledger.document(place.ambiente, key);
        let stands = |key: &str| match stored(key) {
            None => !closed,
            Some(document) => document.situacao != LedgerStatus::Cancelada,
        };
        for (key, number) in self.credited.iter().zip(1..) {
            found.extend((!stands(key)).then(|| Refusal::with(1095, format!("[nRef:{number}]"))));
        }
        for (key, number) in self.supplied.iter().zip(1..) {
            found.extend((!stands(key)).then(|| Refusal::with(1214, format!("[nOcor:{number}]"))));
            let before = stored(key).and_then(note_of);
            let before =
                before.as_ref().map(|note| note.text_at("infNFe/ide/gCompraGov/tpOperGov").unwrap_or_default());
            let other = |expected: &str| before.is_some_and(|before| before != expected);
            found.extend((self.tpOperGov == "2" && other("1")).then(|| Refusal::new(1216)));
            found.extend((self.tpOperGov == "3" && other("4")).then(|| Refusal::new(1217)));
        }
        let unknown = closed && self.paid.iter().any(|key| stored(key).is_none());
        found.extend(unknown.then(|| Refusal::new(1147)));
        if let Some(returned) = &self.returned {
            returned.refusals(stored, found);
        }
    }
}

impl ReturnTotals {
    /// `None` when the note also refers to anything but an NF-e: there is nothing to compare.
    fn of(note: &NfeView<'_>) -> Option<ReturnTotals> {
        let other = note.each("ide", "NFref").iter().any(|(_, one)| one.text_at("refNFe").is_none());
        let keys: BTreeSet<String> = referred(note).collect();
        let only_nfe = keys.iter().all(|key| key.get(20..22) == Some("55"));
        (!other && only_nfe && !keys.is_empty()).then(|| ReturnTotals {
            totals: TOTALS.map(|(tag, _)| note.total(tag)),
            keys,
            abroad: note.ide.idDest == "3",
        })
    }

    fn refusals<'l>(&self, stored: impl Fn(&str) -> Option<&'l LedgerDocument>, found: &mut Vec<Refusal>) {
        let all: Option<Vec<Element>> = self.keys.iter().map(|key| stored(key).and_then(note_of)).collect();
        let Some(all) = all else { return };
        for ((tag, cStat), returned) in TOTALS.iter().zip(self.totals) {
            let path = format!("infNFe/total/ICMSTot/{tag}");
            let sold: Decimal = all.iter().filter_map(|note| note.text_at(&path).and_then(amount)).sum();
            let excused = *cStat == 545 && self.abroad;
            found.extend((returned > sold + TOLERANCE && !excused).then(|| Refusal::new(*cStat)));
        }
    }
}

/// Keys of notes referred to, by the note or by its items.
fn referred(note: &NfeView<'_>) -> impl Iterator<Item = String> {
    let by_note = note.each("ide", "NFref").into_iter().filter_map(|(_, one)| one.text_at("refNFe").map(str::to_owned));
    let by_item = note.items.iter().map(|item| item.text("DFeReferenciado/chaveAcesso").to_owned());
    by_note.chain(by_item.filter(|key| !key.is_empty())).collect::<Vec<_>>().into_iter()
}

fn texts(elements: Vec<(String, ElementView<'_>)>) -> Vec<String> {
    elements.into_iter().map(|(_, element)| element.text().to_owned()).collect()
}

fn note_of(document: &LedgerDocument) -> Option<Element> {
    fiscal::xml::read(document.xml.as_deref()?.as_bytes()).ok()
}
