//! Rules of every event before its document is searched: signature, form, author, key, date, sequence.
//!
//! Law: MOC 7.0 visão geral, table 5.8.4 (P07-10 … P15-10).

use super::super::{Refusal, document_checks, query};
use super::{NfeEventCase, broken};
use crate::authorizer::AuthorityAddress;
use crate::clock::seconds_between;
use crate::ledger::LedgerDocument;
use crate::service_address::ServiceAddress;
use crate::signature;
use crate::simulator_state::SimulatorState;
use fiscal::event::{EventReceiver, NfeEventKind};
use fiscal::layout;
use fiscal::value::{Cnpj, Cpf, Uf};
use fiscal::xml::Element;

/// Errors before any database is asked, in the order of the manual.
pub(super) fn faults(world: &SimulatorState, case: &NfeEventCase<'_>, source: &str) -> Vec<Refusal> {
    let (request, asked, evento) = (case.request, case.asked, case.evento);
    let examined = signature::examine(evento, "infEvento", source, world, request.now);
    let signer = examined.signer.as_ref().map_or("", |signer| signer.holder());
    let unsound = !examined.faults.is_empty();
    let id = format!("ID{}{}{:02}", asked.tpEvento, asked.chNFe, asked.sequence());
    let place = request.place;
    let kind = NfeEventKind::from_code(&asked.tpEvento).filter(|kind| is_accepted_by(*kind, place.authority));
    let is_cpf = asked.author.len() == 11;
    // An issuer without inscrição estadual is found only in the ledger, which is checked in `place`.
    let taken = case.settings.accepts_unregistered(&place, request.now);
    let mut all: Vec<Refusal> = examined.faults.into_iter().map(Refusal::new).collect();
    all.extend(document_checks::signer_mismatch(signer, &asked.author).filter(|_| !unsound).map(Refusal::new));
    all.extend(broken([
        (572, evento.child("infEvento").and_then(|inf| inf.attribute("Id")) != Some(&id)),
        (250, !taken && !place.accepts_events_for(&asked.cOrgao)),
        (252, evento.text_at("infEvento/tpAmb") != Some(place.ambiente.code())),
        (489, asked.author.len() == 14 && Cnpj::parse(&asked.author).is_err()),
        (490, is_cpf && Cpf::parse(&asked.author).is_err()),
        (408, is_cpf && asked.key(20..22) == "65"),
    ]));
    all.extend(query::key_faults(&asked.chNFe, request.now).into_iter().map(Refusal::new));
    all.extend(broken([
        (249, !taken && !serves(place, asked.key(0..2))),
        (491, kind.is_none()),
        (492, evento.text_at("infEvento/verEvento") != Some("1.00")),
        (493, !has_the_layout_of_its_kind(evento, &asked.tpEvento)),
        (574, kind.is_some_and(|kind| by_issuer(kind, case)) && !issued(&asked.chNFe, &asked.author)),
        (578, case.dhEvento().is_some_and(|at| seconds_between(request.now, at) > 5 * 60)),
        (594, kind.is_some_and(|kind| !(1..=kind.most()).contains(&asked.sequence()))),
    ]));
    all
}

/// 203, 240: codes of the author in the register.
pub(super) fn taxpayer(case: &NfeEventCase<'_>) -> Vec<Refusal> {
    let listed = case.settings.contribuintes.get(&case.asked.author);
    broken([
        (203, listed.is_some_and(|one| one.nao_credenciado)),
        (240, listed.is_some_and(|one| one.emitente_irregular)),
    ])
}

/// True when the document's issuer must be the author.
fn by_issuer(kind: NfeEventKind, case: &NfeEventCase<'_>) -> bool {
    match kind {
        NfeEventKind::AtorInteressado => case.detail("tpAutor") == Some("1"),
        kind => !kind.is_manifestation(),
    }
}

/// 249 and 188 (1P10-40): the document of an issuer without inscrição estadual is at the SVRS, whatever its state, and
/// no other document of another state is.
pub(super) fn place(case: &NfeEventCase<'_>, stored: &LedgerDocument) -> Vec<Refusal> {
    let (place, lacks_ie) = (case.request.place, stored.lacks_issuer_ie());
    let elsewhere = !place.authority.is_national() && !place.authority.is_svrs() && stored.modelo == 55;
    broken([
        (249, place.authority.is_svrs() && !lacks_ie && !serves(place, case.asked.key(0..2))),
        (188, elsewhere && lacks_ie && case.settings.allows_missing_ie(&place, case.request.now)),
    ])
}

fn is_accepted_by(kind: NfeEventKind, authority: AuthorityAddress) -> bool {
    (kind.receiver() == EventReceiver::National) == authority.is_national()
}

fn serves(place: ServiceAddress, code: &str) -> bool {
    code.parse().ok().and_then(Uf::from_code).is_some_and(|uf| place.serves(uf))
}

/// `envEvento` leaves `detEvento` open; each kind of event has a schema of its own.
fn has_the_layout_of_its_kind(evento: &Element, tpEvento: &str) -> bool {
    match (layout::nfe_det_evento(tpEvento), evento.at("infEvento/detEvento")) {
        (Some(layout), Some(detEvento)) => layout::check(layout, detEvento).is_empty(),
        _ => true,
    }
}

/// True when the key names this author as its issuer.
fn issued(chave: &str, author: &str) -> bool {
    chave.get(6..20).is_some_and(|issuer| issuer == format!("{author:0>14}"))
}
