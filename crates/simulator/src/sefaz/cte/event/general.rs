//! Rules of every event before its own: signature, receiving body, form, author, key, dates.

use super::{CteEventCase, broken};
use crate::clock::seconds_between;
use crate::ledger::LedgerDocument;
use crate::sefaz::cte::document;
use crate::sefaz::{Refusal, document_checks};
use crate::signature;
use crate::simulator_state::SimulatorState;
use fiscal::cte::rules::key;
use fiscal::event::cte::{CteEventKind, EventAuthor};
use fiscal::layout;
use fiscal::value::{Cnpj, Cpf};
use jiff::Timestamp;

/// D, E and N01 to N15: the rules that need no database.
pub(super) fn faults(world: &SimulatorState, case: &CteEventCase<'_>, source: &str) -> Vec<Refusal> {
    let place = case.request.place;
    let examined = signature::examine(case.evento, "infEvento", source, world, case.request.now);
    let signer = examined.signer.as_ref().map_or("", |signer| signer.holder());
    let stranger = examined.faults.is_empty() && !document_checks::same_base(signer, case.author());
    let mut all: Vec<Refusal> = examined.faults.into_iter().map(Refusal::new).collect();
    let kind = CteEventKind::from_code(case.text("tpEvento"));
    let id = format!("ID{}{}{:03}", case.text("tpEvento"), case.chave(), case.sequence());
    let series: u16 = case.key(22..25).parse().unwrap_or(0);
    let here = place.contingency().map(|tpEmis| tpEmis.to_string());
    all.extend(broken([
        (213, stranger),
        (252, case.text("tpAmb") != place.ambiente.code()),
        (677, !place.accepts_events_for(case.text("cOrgao")) || case.text("cOrgao") != case.key(0..2)),
        (670, (890..=899).contains(&series)),
        (627, !case.text("CNPJ").is_empty() && Cnpj::parse(case.text("CNPJ")).is_err()),
        (905, !case.text("CPF").is_empty() && Cpf::parse(case.text("CPF")).is_err()),
        (628, case.evento.child("infEvento").and_then(|inf| inf.attribute("Id")) != Some(&id)),
        (629, kind.is_none()),
        (516, here.as_deref().is_some_and(|tpEmis| case.key(34..35) != tpEmis)),
        (530, here.is_some() && kind != Some(CteEventKind::Cancelamento)),
    ]));
    all.extend(misshapen(case).map(|why| Refusal::with(630, format!(": {why}"))));
    all.extend(key::fault(case.chave(), key::CTE, case.request.now).map(|why| Refusal::with(236, why)));
    all.extend(kind.and_then(|kind| of_another_model(kind, case.key(20..22))).map(Refusal::new));
    all
}

/// `eventoCTe` leaves the content of `detEvento` open; each kind of event has a schema of its own.
fn misshapen(case: &CteEventCase<'_>) -> Option<String> {
    let layout = layout::cte_det_evento(case.text("tpEvento"))?;
    let Some(said) = case.event_content() else { return Some("detEvento está vazio".to_owned()) };
    layout::check(layout, said).first().map(|fault| format!("{}: {}", fault.path, fault.message))
}

/// N12 to N15: the models whose documents may have an event of this kind.
fn of_another_model(kind: CteEventKind, modelo: &str) -> Option<u16> {
    let (models, cStat): (&[&str], u16) = match kind {
        CteEventKind::Cancelamento => (&["57", "64", "67"], 595),
        CteEventKind::CartaCorrecao | CteEventKind::Desacordo | CteEventKind::CancelamentoDesacordo => {
            (&["57", "67"], 595)
        }
        CteEventKind::InformacoesGtv => (&["67"], 721),
        CteEventKind::RegistroMultimodal
        | CteEventKind::ComprovanteEntrega
        | CteEventKind::CancelamentoComprovanteEntrega
        | CteEventKind::InsucessoEntrega
        | CteEventKind::CancelamentoInsucessoEntrega => (&["57"], 732),
    };
    (!models.contains(&modelo)).then_some(cStat)
}

/// N17: an event of the emitter is by the emitter.
pub(super) fn author(case: &CteEventCase<'_>, kind: CteEventKind) -> Vec<Refusal> {
    let issued = case.key(6..20) == format!("{:0>14}", case.author());
    broken([(632, kind.author() == EventAuthor::Issuer && !issued)])
}

/// N19: an event of the taker of the service is by the taker.
pub(super) fn tomador(case: &CteEventCase<'_>, kind: CteEventKind, stored: &LedgerDocument) -> Vec<Refusal> {
    let number = document::read(stored).and_then(|document| document::tomador(&document).map(str::to_owned));
    broken([(755, kind.author() == EventAuthor::Tomador && number.as_deref() != Some(case.author()))])
}

/// 634, 637, 635; five minutes are allowed between the clocks.
pub(super) fn dates(case: &CteEventCase<'_>, stored: &LedgerDocument) -> Vec<Refusal> {
    let Some(at) = case.dhEvento() else { return Vec::new() };
    let before = |other: Timestamp| seconds_between(at, other) > TOLERANCE;
    broken([
        (634, stored.issued_at.is_some_and(before)),
        (637, before(stored.received_at)),
        (635, seconds_between(case.request.now, at) > TOLERANCE),
    ])
}

const TOLERANCE: i64 = 5 * 60;
