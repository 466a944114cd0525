//! 110112: cancellation of an NFC-e that was replaced by another one, issued in contingency.
//!
//! Law: NT 2018.004 v1.00, 2.7 (P12-48, P20-10, P31, 2P12-18, 5P31).

use super::super::{Refusal, query};
use super::{NfeEventCase, broken, cancel};
use crate::clock::seconds_between;
use crate::ledger::{Ledger, LedgerDocument, LedgerStatus};
use fiscal::xml::Element;

/// 920, 455, 466, 910, 911.
pub(super) fn fields(case: &NfeEventCase<'_>) -> Vec<Refusal> {
    let reference = case.detail("chNFeRef").unwrap_or("");
    let at = |range: std::ops::Range<usize>| reference.get(range).unwrap_or("");
    let differs = |range: std::ops::Range<usize>| at(range.clone()) != case.asked.key(range);
    let mut all = broken([
        (618, case.asked.key(20..22) != "65"),
        (920, case.asked.key(34..35) != "1" || at(34..35) != "9"),
        (455, case.detail("cOrgaoAutor") != Some(case.asked.key(0..2))),
        (466, case.detail("tpAutor") != Some("1")),
    ]);
    let malformed = query::key_faults(reference, case.request.now);
    all.extend(malformed.first().map(|fault| Refusal::with(910, format!(" ({})", part(*fault)))));
    let incorrect = [
        ("mesma Chave de Acesso", reference == case.asked.chNFe),
        ("Código da UF", differs(0..2)),
        ("CNPJ/CPF", differs(6..20)),
        ("Modelo", differs(20..22)),
    ];
    let incorrect = incorrect.into_iter().find(|(_, broken)| *broken);
    all.extend(incorrect.map(|(part, _)| Refusal::with(911, format!(" ({part})"))));
    all
}

/// Part of a key with a structural error.
fn part(cStat: u16) -> &'static str {
    match cStat {
        236 => "Dígito",
        614 => "Código UF",
        615 => "Ano",
        616 => "Mês",
        617 => "CNPJ/CPF",
        618 => "Modelo",
        _ => "Número",
    }
}

/// 501, 580, 577, 579, 222, then 912 to 919.
pub(super) fn against(case: &NfeEventCase<'_>, ledger: &Ledger, stored: &LedgerDocument) -> Vec<Refusal> {
    let mut all = broken([(501, seconds_between(stored.received_at, case.request.now) > WEEK)]);
    all.extend(cancel::standing(case, stored));
    all.extend(broken([(222, case.detail("nProt") != Some(stored.nProt.as_str()))]));
    let reference = case.detail("chNFeRef").unwrap_or("");
    match ledger.document(case.request.place.ambiente, reference) {
        None => all.push(Refusal::new(912)),
        Some(other) => all.extend(differences(stored, other)),
    }
    all
}

/// 913 to 919: the substitute must be the same sale.
fn differences(stored: &LedgerDocument, other: &LedgerDocument) -> Vec<Refusal> {
    let apart = match (stored.issued_at, other.issued_at) {
        (Some(one), Some(another)) => seconds_between(one, another).abs(),
        _ => 0,
    };
    let mut all = broken([(913, other.situacao != LedgerStatus::Autorizada), (914, apart > 2 * 3_600)]);
    if let (Some(one), Some(another)) = (read(stored), read(other)) {
        let differ = |path: &str| one.text_at(path) != another.text_at(path);
        let dest = ["CNPJ", "CPF", "idEstrangeiro"].map(|tag| format!("infNFe/dest/{tag}"));
        let named = dest.iter().any(|path| one.text_at(path).is_some());
        let (items, others) = (items(&one), items(&another));
        all.extend(broken([
            (915, differ("infNFe/total/ICMSTot/vNF")),
            (916, differ("infNFe/total/ICMSTot/vICMS")),
            (917, named && (dest.iter().any(|path| differ(path)) || differ("infNFe/dest/IE"))),
            (918, items.len() != others.len()),
            (919, items.iter().zip(&others).any(|(item, other)| is_other(item, other))),
        ]));
    }
    all
}

fn read(document: &LedgerDocument) -> Option<Element> {
    fiscal::xml::read(document.xml.as_deref()?.as_bytes()).ok()
}

fn items(note: &Element) -> Vec<&Element> {
    note.child("infNFe").into_iter().flat_map(Element::children).filter(|child| child.name == "det").collect()
}

fn is_other(item: &Element, other: &Element) -> bool {
    COMPARED.iter().any(|tag| {
        let path = format!("prod/{tag}");
        item.text_at(&path) != other.text_at(&path)
    })
}

const COMPARED: [&str; 10] = ["cProd", "cEAN", "xProd", "NCM", "CFOP", "uCom", "qCom", "vUnCom", "vProd", "indTot"];
/// 168 hours.
const WEEK: i64 = 7 * 86_400;
