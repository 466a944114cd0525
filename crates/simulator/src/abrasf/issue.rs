//! Reception of lots and single RPS: the message is checked before its content.
//!
//! Order: readable shape, credentials, sender, signatures, the lot against its RPS, then each RPS (`settle`).

use super::book::Problem;
use super::envelope::{Message, rewritten};
use super::judge;
use super::notes::{Lot, LotState};
use super::operation::Operation;
use super::rps::{Party, Rps, RpsId};
use super::signed::{self, rps_of};
use super::{Answer, Visit, settle, write};
use crate::faults::FaultType;
use crate::nfse;
use fiscal::xml::Element;
use jiff::SignedDuration;
use std::fmt::Write as _;

pub(super) fn answer(visit: &Visit<'_>, message: &Message) -> Answer {
    let elements = rps_of(message);
    let read: Vec<Rps<'_>> = elements.iter().filter_map(|element| Rps::read(element)).collect();
    let about: Vec<String> = read.iter().map(|rps| format!("{}/{}", rps.id.serie, rps.id.numero)).collect();
    for rps in &read {
        visit.world.municipal().count(visit.office(), &rps.prestador().document, &rps.id).recebida += 1;
    }
    let problems = before(visit, message, &elements, &read);
    let answered = if !problems.is_empty() {
        Answer::refused(&problems)
    } else {
        match message.operation {
            Operation::Batch => put_off(visit, message, &elements, &read),
            Operation::BatchNow => now(visit, message, &elements),
            _ => single(visit, &elements),
        }
    };
    let is_doubted = visit.meets(FaultType::Duplicate204) && answered.codigo.is_none();
    let doubted = || Answer::refused(&read.iter().map(|rps| Problem::new("E10").of(&rps.id)).collect::<Vec<_>>());
    let answered = if is_doubted && message.operation != Operation::Batch { doubted() } else { answered };
    answered.about(about)
}

/// Errors of the sender of any message: credentials, certificate, registration.
pub(super) fn sender(visit: &Visit<'_>, message: &Message, party: &Party) -> Vec<Problem> {
    let settings = visit.world.settings().municipal.clone();
    let mut problems = Vec::new();
    let access = settings.contribuintes.get(&party.document).and_then(|known| known.acesso.as_ref());
    if !visit.address.hall.credenciais.is_empty() {
        let said = message.credentials.first().zip(message.credentials.get(1));
        let is_right = said.is_some_and(|(user, password)| match access {
            Some((known, secret)) => user == known && password == secret,
            None => !user.is_empty() && !password.is_empty(),
        });
        if !is_right {
            problems.push(Problem::new("E157"));
        }
    }
    let holder = visit.credential.as_ref().map(|credential| credential.holder()).unwrap_or_default();
    if visit.credential.is_some() && !nfse::same_taxpayer(holder, &party.document) {
        problems.push(Problem::about("E138", format!("certificado de {holder}")));
    }
    judge::prestador(visit, &settings, party, &mut problems);
    problems
}

fn before(visit: &Visit<'_>, message: &Message, elements: &[&Element], read: &[Rps<'_>]) -> Vec<Problem> {
    let Some(first) = read.first().filter(|_| read.len() == elements.len()) else {
        return vec![Problem::about("E160", "RPS ilegível ou ausente")];
    };
    let party = first.prestador();
    let mut problems = sender(visit, message, &party);
    problems.extend(signed::problems(visit, message, &party));
    if let Some(lot) = message.root.child("LoteRps") {
        problems.extend(of_lot(visit, lot, read));
    }
    problems
}

/// Errors of a lot against its RPS.
fn of_lot(visit: &Visit<'_>, lot: &Element, read: &[Rps<'_>]) -> Vec<Problem> {
    let party = Party::read(lot.child("Prestador").unwrap_or(lot));
    let stated = lot.text_at("QuantidadeRps").and_then(|count| count.parse::<usize>().ok());
    let others = |differs: &dyn Fn(&Party) -> bool| read.iter().any(|rps| differs(&rps.prestador()));
    let wrong = [
        ("E69", stated != Some(read.len()) || (visit.address.hall.um_rps && read.len() > 1)),
        ("E159", others(&|one| one.document != party.document)),
        ("E70", others(&|one| one.im != party.im)),
    ];
    wrong.iter().filter(|(_, wrong)| *wrong).map(|(codigo, _)| Problem::new(codigo)).collect()
}

/// The notes of a list of numbers.
pub(super) fn list_of(visit: &Visit<'_>, numbers: &[u64]) -> String {
    let notes = visit.world.municipal();
    let found = numbers.iter().filter_map(|numero| notes.note(visit.office(), *numero));
    let inside: String = found.map(|note| write::comp_nfse(visit.address.hall, note)).collect();
    format!("<ListaNfse>{inside}</ListaNfse>")
}

fn single(visit: &Visit<'_>, elements: &[&Element]) -> Answer {
    match settle::notes(visit, elements, None, None) {
        Ok(numbers) => Answer::of(list_of(visit, &numbers)),
        // The answer to a single RPS has no list of a lot.
        Err(problems) => Answer::refused(&problems.into_iter().map(Problem::alone).collect::<Vec<_>>()),
    }
}

fn receipt(visit: &Visit<'_>, message: &Message, protocolo: &str) -> String {
    let numero = message.root.text_at("LoteRps/NumeroLote").unwrap_or_default();
    format!(
        "<NumeroLote>{}</NumeroLote><DataRecebimento>{}</DataRecebimento><Protocolo>{protocolo}</Protocolo>",
        crate::soap::escaped(numero),
        write::moment(visit.now)
    )
}

fn now(visit: &Visit<'_>, message: &Message, elements: &[&Element]) -> Answer {
    let protocolo = visit.world.municipal().protocol();
    match settle::notes(visit, elements, Some(&protocolo), None) {
        Ok(numbers) => {
            let mut content = receipt(visit, message, &protocolo);
            let _ = write!(content, "{}", list_of(visit, &numbers));
            Answer::of(content)
        }
        Err(problems) => Answer::refused(&problems),
    }
}

/// Stores a lot, which is processed when it is queried.
fn put_off(visit: &Visit<'_>, message: &Message, elements: &[&Element], read: &[Rps<'_>]) -> Answer {
    let city = visit.world.settings().municipal.city(visit.address.city);
    let texts = elements.iter().map(|element| {
        let mut text = String::new();
        rewritten(element, "", &mut text);
        text
    });
    let lot = Lot {
        numero: message.root.text_at("LoteRps/NumeroLote").unwrap_or_default().to_owned(),
        prestador: read.first().map(|rps| rps.prestador().document).unwrap_or_default(),
        ids: read.iter().map(|rps| rps.id.clone()).collect::<Vec<RpsId>>(),
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
        notes.put_lot(visit.office(), protocolo.clone(), lot);
    }
    drop(notes);
    if visit.meets(FaultType::Invisible) {
        // The lot is hidden from queries for a while; its numbers are used all the same.
        settle::lot(visit, &protocolo);
    }
    Answer::of(receipt(visit, message, &protocolo))
}
