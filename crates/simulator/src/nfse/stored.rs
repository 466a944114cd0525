//! Rules of a DPS against the stored notes: its number is used, or the note that it substitutes cannot be substituted.
//!
//! Law: E0014 and E0044 to E0076 of anexo I.

use super::answer::ProcessingMessage;
use super::dps_rules::DpsFacts;
use super::events::matrix;
use super::notes::{NationalNotes, NfseStanding, StoredNfse};
use super::{document_of, dps_of};
use crate::clock::seconds_between;
use crate::taxpayer::same_taxpayer;
use fiscal::xml::Element;

pub(super) fn problems(notes: &NationalNotes, facts: &DpsFacts<'_>, id: &str) -> Vec<ProcessingMessage> {
    let asked = facts.asked;
    let mut all = Vec::new();
    if let Some(stored) = notes.of_dps(asked.ambiente, asked.host.ambGer(), id) {
        all.push(ProcessingMessage::about("E0014", format!("chave de acesso {}", stored.chave)));
    }
    let Some(chave) = facts.inf.text_at("subst/chSubstda") else { return all };
    match notes.note(asked.ambiente, chave) {
        None => all.push(ProcessingMessage::new("E0044")),
        Some(note) => {
            let broken = substitution(facts, note);
            all.extend(
                broken.into_iter().filter(|(_, broken)| *broken).map(|(codigo, _)| ProcessingMessage::new(codigo)),
            );
        }
    }
    all
}

fn substitution(facts: &DpsFacts<'_>, note: &StoredNfse) -> Vec<(&'static str, bool)> {
    let before = fiscal::xml::read(note.xml().as_bytes()).ok();
    let before = before.as_ref().and_then(dps_of);
    let age = seconds_between(note.made_at, facts.asked.now);
    let local = facts.local.as_deref();
    let is_late = local.and_then(|local| local.prazo_substituicao_h).is_some_and(|hours| age > i64::from(hours) * HOUR);
    let by_regime = matches!(facts.text("subst/cMotivo"), "01" | "02");
    let other_party = before.is_some_and(|before| is_another(facts.inf, before));
    let is_outside = facts.regime() == "1";
    let differs = |paths: &[&str]| {
        before.is_some_and(|before| paths.iter().any(|path| before.text_at(path) != facts.inf.text_at(path)))
    };
    let same_subitem = before.is_none_or(|before| subitem(before) == subitem(facts.inf));
    vec![
        ("E0046", note.situacao != NfseStanding::Autorizada),
        ("E0050", is_late && !by_regime),
        ("E0056", local.is_some_and(|local| local.exige_tomador) && note.tomador.is_none()),
        ("E0058", local.is_some_and(|local| !local.admite_outro_tomador) && other_party),
        ("E0060", is_outside && (differs(&REPEATED_OUTSIDE_SIMPLES) || !same_subitem)),
        ("E0061", !is_outside && (differs(&REPEATED_IN_SIMPLES) || (note.tomador.is_some() && other_party))),
        ("E0065", note.ambGer != facts.asked.host.ambGer()),
        ("E0068", matrix::has_pending_analysis(note)),
        ("E0070", CONFIRMATIONS.iter().any(|tipo| note.has(tipo))),
        ("E0072", note.has("205204")),
        ("E0076", matrix::is_blocked(note, "105102")),
    ]
}

const HOUR: i64 = 3_600;
/// Confirmations by prestador, tomador, intermediário.
const CONFIRMATIONS: [&str; 3] = ["202201", "203202", "204203"];
/// Values that the substitute repeats when its prestador is not in the Simples, besides the subitem.
const REPEATED_OUTSIDE_SIMPLES: [&str; 4] =
    ["dCompet", "serv/cServ/cTribMun", "serv/locPrest/cLocPrestacao", "serv/locPrest/cPaisPrestacao"];
/// Values that the substitute repeats when its prestador is in the Simples, besides an identified tomador.
const REPEATED_IN_SIMPLES: [&str; 2] = ["dCompet", "valores/vServPrest/vServ"];

/// Item and subitem of the service; its national subdivision may change.
fn subitem(inf: &Element) -> Option<&str> {
    inf.text_at("serv/cServ/cTribNac").and_then(|code| code.get(..4))
}

/// True when the tomador is another.
fn is_another(inf: &Element, before: &Element) -> bool {
    let of = |inf: &Element| inf.child("toma").and_then(document_of).unwrap_or_default().to_owned();
    let (now, then) = (of(inf), of(before));
    now != then && !same_taxpayer(&now, &then)
}
