//! Rules of the stored document that this one substitutes or completes.
//!
//! An unknown document is refused: every document issued here is stored.
//! Law: MOC CT-e 4.00 anexo I, rules G079 to G101 (H062 to H075) and G162 to G176 (H103 to H113).

use super::document::{self, COMPLEMENT, SUBSTITUTE};
use crate::clock::seconds_between;
use crate::ledger::{Ledger, LedgerDocument, LedgerStatus};
use crate::sefaz::{Refusal, ServiceRequest};
use fiscal::cte::rules::{base, party_document, tomador};
use fiscal::xml::Element;
use std::collections::BTreeSet;

/// 568, 673, 569, 570, 659, 739, 571, 510 … 563: against the substituted one.
pub(super) fn substitution(ledger: &Ledger, request: &ServiceRequest<'_>, document: &Element) -> Vec<Refusal> {
    let Some(chave) = document.text_at("infCte/infCTeNorm/infCteSub/chCte") else { return Vec::new() };
    let Some(stored) = ledger.same_number(request.place.ambiente, chave) else { return vec![Refusal::new(568)] };
    if stored.chave != chave {
        return vec![Refusal::with(673, named(stored))];
    }
    let alters = document.at("infCte/infCTeNorm/infCteSub/indAlteraToma").is_some();
    let disagreed = open_events(stored, "610110", "610111");
    let has = |group| document::successors(ledger, stored, group).next().is_some();
    let before = document::read(stored);
    let tpCTe = before.as_ref().and_then(|before| before.text_at("infCte/ide/tpCTe")).unwrap_or("");
    let mut all = broken([
        (569, stored.situacao == LedgerStatus::Cancelada),
        (570, has(SUBSTITUTE)),
        (659, has(COMPLEMENT)),
        (739, !disagreed && !takes_abroad(document, alters)),
        (571, !matches!(tpCTe, "0" | "3")),
    ]);
    if let Some(before) = &before {
        let codes = PARTIES.iter().map(|(path, substitute, _)| (*path, *substitute));
        all.extend(differences(document, before, codes.chain([("ide/tpServ", 834)])));
        all.extend(broken([
            (734, carried(document) != carried(before)),
            (563, seconds_between(stored.received_at, request.now) > SIXTY_DAYS),
            (738, !alters && text(document, "ide/toma3/toma") != text(before, "ide/toma3/toma")),
            (552, !alters && taker(document) != taker(before)),
            (740, alters && !is_a_party(taker(document), before)),
            (741, alters && !takes_abroad(document, alters) && uf_of_taker(document) != uf_of_taker(before)),
            (742, alters && taker(document) == taker(before)),
        ]));
    }
    all
}

/// 267, 671, 491, 655, 657, 520, 800 … 835: against each completed one.
pub(super) fn complement(ledger: &Ledger, request: &ServiceRequest<'_>, document: &Element) -> Vec<Refusal> {
    let groups = document.child("infCte").into_iter().flat_map(Element::children);
    let keys: Vec<&str> =
        groups.filter(|child| child.name == "infCteComp").filter_map(|one| one.text_at("chCTe")).collect();
    keys.into_iter().flat_map(|chave| completed(ledger, request, document, chave)).collect()
}

fn completed(ledger: &Ledger, request: &ServiceRequest<'_>, document: &Element, chave: &str) -> Vec<Refusal> {
    let Some(stored) = ledger.same_number(request.place.ambiente, chave) else { return vec![Refusal::new(267)] };
    if stored.chave != chave {
        return vec![Refusal::with(671, named(stored))];
    }
    let before = document::read(stored);
    let tpCTe = before.as_ref().and_then(|before| before.text_at("infCte/ide/tpCTe")).unwrap_or("");
    let mut all = broken([
        (491, !matches!(tpCTe, "0" | "3")),
        (655, stored.situacao == LedgerStatus::Cancelada),
        (657, document::successors(ledger, stored, SUBSTITUTE).next().is_some()),
        (520, document::successors(ledger, stored, COMPLEMENT).count() >= MOST_COMPLEMENTS),
    ]);
    if let Some(before) = &before {
        let codes = PARTIES.iter().map(|(path, _, complement)| (*path, *complement));
        all.extend(differences(document, before, codes));
        all.extend(broken([(804, taker(document) != taker(before))]));
        all.extend(differences(document, before, [("ide/tpServ", 835)].into_iter()));
    }
    all
}

/// Values to be repeated: a party's number or a text, the code of a substitute, the code of a complement.
const PARTIES: [(&str, u16, u16); 8] = [
    // A complement of another emitter is refused before (269).
    ("emit", 510, 269),
    ("rem", 511, 800),
    ("dest", 512, 801),
    ("exped", 550, 802),
    ("receb", 551, 803),
    ("emit/IE", 553, 805),
    ("ide/UFIni", 559, 811),
    ("ide/UFFim", 560, 812),
];

/// Most complements of a document.
const MOST_COMPLEMENTS: usize = 10;
const SIXTY_DAYS: i64 = 60 * 86_400;

fn differences<'d>(document: &Element, before: &Element, codes: impl Iterator<Item = (&'d str, u16)>) -> Vec<Refusal> {
    codes.filter(|(path, _)| text(document, path) != text(before, path)).map(|(_, cStat)| Refusal::new(cStat)).collect()
}

/// A text below `infCte`, or the number of a party.
fn text<'d>(document: &'d Element, path: &str) -> &'d str {
    let Some(found) = document.child("infCte").and_then(|inf| inf.at(path)) else { return "" };
    if found.children().next().is_some() { party_document(found) } else { found.text() }
}

fn taker(document: &Element) -> &str {
    document.child("infCte").and_then(tomador).map_or("", party_document)
}

/// True when a number has the base of a party of a document, or of the taker of its service.
fn is_a_party(number: &str, document: &Element) -> bool {
    let parties = ["rem", "exped", "receb", "dest"].into_iter().map(|role| text(document, role));
    parties.chain([taker(document)]).any(|party| !party.is_empty() && base(party) == base(number))
}

/// State in the address of the taker of the service.
fn uf_of_taker(document: &Element) -> &str {
    let party = document.child("infCte").and_then(tomador);
    let address = party.and_then(|party| party.children().find(|group| group.name.starts_with("ender")));
    address.and_then(|address| address.text_at("UF")).unwrap_or("")
}

fn takes_abroad(document: &Element, alters: bool) -> bool {
    alters && document.text_at("infCte/ide/toma4/enderToma/UF") == Some("EX")
}

fn carried(document: &Element) -> BTreeSet<&str> {
    let group = document.at("infCte/infCTeNorm/infDoc").into_iter().flat_map(Element::children);
    group.filter(|child| child.name == "infNFe").filter_map(|one| one.text_at("chave")).collect()
}

fn open_events(stored: &LedgerDocument, made: &str, undone: &str) -> bool {
    let count = |code: &str| stored.eventos.iter().filter(|event| event.tpEvento == code).count();
    count(made) > count(undone)
}

fn named(stored: &LedgerDocument) -> String {
    format!("[chCTe:{}] [nProt:{}][dhAut:{}]", stored.chave, stored.nProt, stored.dhRecbto)
}

fn broken<const N: usize>(rules: [(u16, bool); N]) -> Vec<Refusal> {
    rules.into_iter().filter(|(_, broken)| *broken).map(|(cStat, _)| Refusal::new(cStat)).collect()
}
