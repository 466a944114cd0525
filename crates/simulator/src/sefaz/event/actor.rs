//! 110150: another party may fetch the note.
//!
//! Law: MOC 7.0 visão geral, 5.14. Left out: 448 and 371, which need a register of carriers that the simulator does not
//! have.

use super::super::Refusal;
use super::{NfeEventCase, broken, cancel};
use crate::clock::seconds_between;
use crate::ledger::LedgerDocument;
use fiscal::value::{Cnpj, Cpf};
use fiscal::xml::Element;

/// 450, 455, 466, 323, 325, 827 to 830.
pub(super) fn fields(case: &NfeEventCase<'_>) -> Vec<Refusal> {
    let author = case.detail("tpAutor").unwrap_or("");
    let (kind, terms) = (case.detail("tpAutorizacao"), case.detail("xCondUso"));
    let party = matches!(author, "1" | "2");
    broken([
        (450, case.asked.key(20..22) != "55"),
        (455, author == "1" && case.detail("cOrgaoAutor") != Some(case.asked.key(0..2))),
        (466, !matches!(author, "1" | "2" | "3")),
        (323, case.detail("autXML/CNPJ").is_some_and(|cnpj| Cnpj::parse(cnpj).is_err())),
        (325, case.detail("autXML/CPF").is_some_and(|cpf| Cpf::parse(cpf).is_err())),
        (827, party && kind.is_none()),
        (828, !party && kind.is_some()),
        (829, kind == Some("1") && terms.is_none()),
        (830, kind != Some("1") && terms.is_some()),
    ])
}

/// 580, 577, 579, 596, 575, 449, 421, 422, 423, 831, 585.
pub(super) fn against(case: &NfeEventCase<'_>, stored: &LedgerDocument) -> Vec<Refusal> {
    let author = case.detail("tpAutor").unwrap_or("");
    let named = case.detail("autXML/CNPJ").or_else(|| case.detail("autXML/CPF")).unwrap_or("");
    let note = stored.xml.as_deref().and_then(|xml| fiscal::xml::read(xml.as_bytes()).ok());
    let freight = note.as_ref().and_then(|note| note.text_at("infNFe/transp/modFrete").map(str::to_owned));
    let addressee = stored.destinatario.as_deref();
    let mut all = cancel::standing(case, stored);
    if seconds_between(stored.received_at, case.request.now) > HALF_A_YEAR {
        all.push(Refusal::with(596, " [6 meses]".to_owned()));
    }
    all.extend(broken([
        (575, author == "2" && addressee != Some(case.asked.author.as_str())),
        (449, author == "2" && freight.is_some_and(|mode| !matches!(mode.as_str(), "1" | "4"))),
        (421, named == stored.emitente),
        (422, addressee == Some(named)),
        (423, note.as_ref().is_some_and(|note| authorises(note, named)) || was_named(stored, named)),
        (831, author == "3" && last_forbids(stored)),
        (585, author == "3" && !may_name_others(stored, &case.asked.author)),
    ]));
    all
}

/// True when the note itself names this party (`autXML`).
fn authorises(note: &Element, number: &str) -> bool {
    let listed = note.child("infNFe").into_iter().flat_map(Element::children).filter(|child| child.name == "autXML");
    listed.into_iter().any(|one| one.text_at("CNPJ").or_else(|| one.text_at("CPF")) == Some(number))
}

fn earlier(stored: &LedgerDocument) -> impl Iterator<Item = Element> {
    let events = stored.eventos.iter().filter(|event| event.tpEvento == "110150");
    events.filter_map(|event| fiscal::xml::read(event.evento.as_bytes()).ok())
}

fn was_named(stored: &LedgerDocument, number: &str) -> bool {
    earlier(stored).any(|event| names(&event, number))
}

fn names(event: &Element, number: &str) -> bool {
    let named = event.at("infEvento/detEvento/autXML");
    named.and_then(|one| one.text_at("CNPJ").or_else(|| one.text_at("CPF"))) == Some(number)
}

/// True when an earlier event named this party and let it name others (3P15-21).
fn may_name_others(stored: &LedgerDocument, number: &str) -> bool {
    earlier(stored)
        .any(|event| names(&event, number) && event.text_at("infEvento/detEvento/tpAutorizacao") == Some("1"))
}

fn last_forbids(stored: &LedgerDocument) -> bool {
    let last = earlier(stored).last();
    last.is_some_and(|event| event.text_at("infEvento/detEvento/tpAutorizacao") == Some("0"))
}

/// Six months (H03), as 183 days.
const HALF_A_YEAR: i64 = 183 * 86_400;
