//! Reception of lots and single RPS: the message is checked before its content.
//!
//! Order: readable shape, credentials, sender, signatures, the lot against its RPS, then each RPS (`settle`).

use super::book::ReturnMessage;
use super::envelope::{EnvelopeMessage, write_unprefixed};
use super::notes::{LotState, RpsLot};
use super::operation::AbrasfService;
use super::rps::{PartyIdentity, Rps, RpsIdentity};
use super::rps_checks;
use super::signatures::{self, rps_of};
use super::{MunicipalAnswer, MunicipalRequest, settle, write};
use crate::faults::FaultType;
use crate::taxpayer::same_taxpayer;
use fiscal::xml::Element;
use jiff::SignedDuration;
use std::fmt::Write as _;

pub(super) fn answer(visit: &MunicipalRequest<'_>, message: &EnvelopeMessage) -> MunicipalAnswer {
    let elements = rps_of(message);
    let read: Vec<Rps<'_>> = elements.iter().filter_map(|element| Rps::read(element)).collect();
    let about: Vec<String> = read.iter().map(|rps| format!("{}/{}", rps.id.serie, rps.id.numero)).collect();
    for rps in &read {
        visit.world.municipal().count(visit.office(), &rps.prestador().document, &rps.id).recebida += 1;
    }
    let problems = message_errors(visit, message, &elements, &read);
    let answered = if !problems.is_empty() {
        MunicipalAnswer::refused(&problems)
    } else {
        match message.operation {
            AbrasfService::Batch => store_pending_lot(visit, message, &elements, &read),
            AbrasfService::BatchNow => issue_lot(visit, message, &elements),
            _ => issue_single(visit, &elements),
        }
    };
    let is_doubted = visit.meets(FaultType::Duplicate204) && answered.codigo.is_none();
    let doubted =
        || MunicipalAnswer::refused(&read.iter().map(|rps| ReturnMessage::new("E10").of(&rps.id)).collect::<Vec<_>>());
    let answered = if is_doubted && message.operation != AbrasfService::Batch { doubted() } else { answered };
    answered.about(about)
}

/// Errors of the sender of any message: credentials, certificate, registration.
pub(super) fn sender_errors(
    visit: &MunicipalRequest<'_>,
    message: &EnvelopeMessage,
    party: &PartyIdentity,
) -> Vec<ReturnMessage> {
    let settings = visit.world.settings().municipal.clone();
    let mut problems = Vec::new();
    let access = settings.contribuintes.get(&party.document).and_then(|known| known.acesso.as_ref());
    if !visit.address.server.credenciais.is_empty() {
        let said = message.credentials.first().zip(message.credentials.get(1));
        let is_right = said.is_some_and(|(user, password)| match access {
            Some((known, secret)) => user == known && password == secret,
            None => !user.is_empty() && !password.is_empty(),
        });
        if !is_right {
            problems.push(ReturnMessage::new("E157"));
        }
    }
    let holder = visit.credential.as_ref().map(|credential| credential.holder()).unwrap_or_default();
    if visit.credential.is_some() && !same_taxpayer(holder, &party.document) {
        problems.push(ReturnMessage::about("E138", format!("certificado de {holder}")));
    }
    rps_checks::prestador(visit, &settings, party, &mut problems);
    problems
}

fn message_errors(
    visit: &MunicipalRequest<'_>,
    message: &EnvelopeMessage,
    elements: &[&Element],
    read: &[Rps<'_>],
) -> Vec<ReturnMessage> {
    let Some(first) = read.first().filter(|_| read.len() == elements.len()) else {
        return vec![ReturnMessage::about("E160", "RPS ilegível ou ausente")];
    };
    let party = first.prestador();
    let mut problems = sender_errors(visit, message, &party);
    problems.extend(signatures::problems(visit, message, &party));
    if let Some(lot) = message.root.child("LoteRps") {
        problems.extend(lot_errors(visit, lot, read));
    }
    problems
}

/// Errors of a lot against its RPS.
fn lot_errors(visit: &MunicipalRequest<'_>, lot: &Element, read: &[Rps<'_>]) -> Vec<ReturnMessage> {
    let party = PartyIdentity::read(lot.child("Prestador").unwrap_or(lot));
    let stated = lot.text_at("QuantidadeRps").and_then(|count| count.parse::<usize>().ok());
    let others = |differs: &dyn Fn(&PartyIdentity) -> bool| read.iter().any(|rps| differs(&rps.prestador()));
    let wrong = [
        ("E69", stated != Some(read.len()) || (visit.address.server.um_rps && read.len() > 1)),
        ("E159", others(&|one| one.document != party.document)),
        ("E70", others(&|one| one.im != party.im)),
    ];
    wrong.iter().filter(|(_, wrong)| *wrong).map(|(codigo, _)| ReturnMessage::new(codigo)).collect()
}

/// The notes of a list of numbers.
pub(super) fn note_list(visit: &MunicipalRequest<'_>, numbers: &[u64]) -> String {
    let notes = visit.world.municipal();
    let found = numbers.iter().filter_map(|numero| notes.note(visit.office(), *numero));
    let inside: String = found.map(|note| write::comp_nfse(visit.address.server, note)).collect();
    format!("<ListaNfse>{inside}</ListaNfse>")
}

fn issue_single(visit: &MunicipalRequest<'_>, elements: &[&Element]) -> MunicipalAnswer {
    match settle::issue_notes(visit, elements, None, None) {
        Ok(numbers) => MunicipalAnswer::of(note_list(visit, &numbers)),
        // The answer to a single RPS has no list of a lot.
        Err(problems) => {
            MunicipalAnswer::refused(&problems.into_iter().map(ReturnMessage::without_rps).collect::<Vec<_>>())
        }
    }
}

fn receipt(visit: &MunicipalRequest<'_>, message: &EnvelopeMessage, protocolo: &str) -> String {
    let numero = message.root.text_at("LoteRps/NumeroLote").unwrap_or_default();
    format!(
        "<NumeroLote>{}</NumeroLote><DataRecebimento>{}</DataRecebimento><Protocolo>{protocolo}</Protocolo>",
        crate::soap::escaped(numero),
        write::moment(visit.now)
    )
}

fn issue_lot(visit: &MunicipalRequest<'_>, message: &EnvelopeMessage, elements: &[&Element]) -> MunicipalAnswer {
    let protocolo = visit.world.municipal().protocol();
    match settle::issue_notes(visit, elements, Some(&protocolo), None) {
        Ok(numbers) => {
            let mut content = receipt(visit, message, &protocolo);
            let _ = write!(content, "{}", note_list(visit, &numbers));
            MunicipalAnswer::of(content)
        }
        Err(problems) => MunicipalAnswer::refused(&problems),
    }
}

/// Stores a lot, which is processed when it is queried.
fn store_pending_lot(
    visit: &MunicipalRequest<'_>,
    message: &EnvelopeMessage,
    elements: &[&Element],
    read: &[Rps<'_>],
) -> MunicipalAnswer {
    let city = visit.world.settings().municipal.city(visit.address.city);
    let texts = elements.iter().map(|element| {
        let mut text = String::new();
        write_unprefixed(element, "", &mut text);
        text
    });
    let lot = RpsLot {
        numero: message.root.text_at("LoteRps/NumeroLote").unwrap_or_default().to_owned(),
        prestador: read.first().map(|rps| rps.prestador().document).unwrap_or_default(),
        ids: read.iter().map(|rps| rps.id.clone()).collect::<Vec<RpsIdentity>>(),
        state: LotState::Waiting {
            rps: texts.collect(),
            queries: city.consultas_em_processamento,
            until: visit.now + SignedDuration::from_secs(city.espera_s),
        },
        visibility: visit.drawn.visibility(),
    };
    let mut notes = visit.world.municipal();
    let protocolo = notes.protocol();
    if !visit.meets(FaultType::LostLot) {
        notes.store_lot(visit.office(), protocolo.clone(), lot);
    }
    drop(notes);
    if visit.meets(FaultType::Invisible) {
        // The lot is hidden from queries for a while; its numbers are used all the same.
        settle::process_due_lot(visit, &protocolo);
    }
    MunicipalAnswer::of(receipt(visit, message, &protocolo))
}
