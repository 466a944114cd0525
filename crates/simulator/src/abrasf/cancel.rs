//! Cancellation by the issuer, by substitution, and by the city itself.

use super::book::Problem;
use super::envelope::{Message, rewritten};
use super::hall::Hall;
use super::issue::sender;
use super::notes::{MunicipalNote, MunicipalStanding, Office};
use super::rps::{Party, Rps};
use super::signed::{self, rps_of};
use super::{Answer, Visit, settle, write};
use crate::clock::seconds_between;
use crate::faults::FaultType;
use crate::world::World;
use fiscal::xml::Element;
use jiff::Timestamp;
use std::sync::Arc;

/// Number of the note that a `Pedido` is about, or all errors of the request.
fn asked(visit: &Visit<'_>, message: &Message, pedido: &Element) -> Result<u64, Vec<Problem>> {
    let Some(identity) = pedido.at("InfPedidoCancelamento/IdentificacaoNfse") else {
        return Err(vec![Problem::about("E160", "falta IdentificacaoNfse")]);
    };
    let party = Party::read(identity);
    let mut problems = sender(visit, message, &party);
    problems.extend(signed::problems(visit, message, &party));
    let numero = identity.text_at("Numero").and_then(|numero| numero.parse::<u64>().ok());
    let Some(numero) = numero else {
        problems.push(Problem::new("E77"));
        return Err(problems);
    };
    let city = visit.world.settings().municipal.city(visit.address.city);
    let notes = visit.world.municipal();
    match notes.note(visit.office(), numero).filter(|note| note.emitente == party.document) {
        None => problems.push(Problem::new("E78")),
        Some(note) => {
            let age = seconds_between(note.emitida_em, visit.now);
            let is_late = city.prazo_cancelamento_h.is_some_and(|hours| age > i64::from(hours) * 3_600);
            let wrong = [
                ("E79", note.situacao == MunicipalStanding::Cancelada),
                ("E7", note.situacao == MunicipalStanding::Substituida),
                ("E6", city.com_credito.contains(&numero)),
                ("E181", is_late),
            ];
            problems.extend(wrong.iter().filter(|(_, wrong)| *wrong).map(|(codigo, _)| Problem::new(codigo)));
        }
    }
    if problems.is_empty() { Ok(numero) } else { Err(problems) }
}

/// CancelarNfse.
pub(super) fn answer(visit: &Visit<'_>, message: &Message) -> Answer {
    let Some(pedido) = message.root.child("Pedido") else {
        return Answer::refused(&[Problem::about("E160", "falta Pedido")]);
    };
    let about = vec![pedido.text_at("InfPedidoCancelamento/IdentificacaoNfse/Numero").unwrap_or_default().to_owned()];
    match asked(visit, message, pedido) {
        Err(problems) => Answer::refused(&problems).about(about),
        Ok(numero) => {
            let confirmation = confirmed(visit, pedido, numero);
            keep(visit, numero, &confirmation);
            let inside = write::cancellation(visit.address.hall, &confirmation);
            Answer::of(format!("<RetCancelamento>{inside}</RetCancelamento>")).about(about)
        }
    }
}

fn confirmed(visit: &Visit<'_>, pedido: &Element, numero: u64) -> String {
    let mut text = String::new();
    rewritten(pedido, &visit.address.hall.dados, &mut text);
    write::confirmation(visit.address.hall, numero, &text, visit.now)
}

fn keep(visit: &Visit<'_>, numero: u64, confirmation: &str) {
    if let Some(note) = visit.world.municipal().note_mut(visit.office(), numero) {
        (note.situacao, note.confirmation) = (MunicipalStanding::Cancelada, Some(Arc::from(confirmation)));
    }
}

/// SubstituirNfse: cancels the old note as the new one is issued.
pub(super) fn substitute(visit: &Visit<'_>, message: &Message) -> Answer {
    let Some(pedido) = message.root.at("SubstituicaoNfse/Pedido") else {
        return Answer::refused(&[Problem::about("E160", "falta SubstituicaoNfse/Pedido")]);
    };
    let elements = rps_of(message);
    let about = counted(visit, &elements);
    let before = match asked(visit, message, pedido) {
        Ok(before) => before,
        Err(problems) => return Answer::refused(&problems).about(about),
    };
    let made = settle::notes(visit, &elements, None, Some(before));
    let answer = match made.as_deref() {
        Err(problems) => Answer::refused(&problems.iter().cloned().map(Problem::alone).collect::<Vec<_>>()),
        // The substitute was issued; the answer treats it as a repeated request.
        Ok(_) if visit.meets(FaultType::Duplicate204) => Answer::refused(&[Problem::new("E7")]),
        Ok(numbers) => {
            let confirmation = confirmed(visit, pedido, before);
            if let Some(note) = visit.world.municipal().note_mut(visit.office(), before) {
                note.confirmation = Some(Arc::from(confirmation));
            }
            let notes = visit.world.municipal();
            let shown = |numero: u64| {
                notes
                    .note(visit.office(), numero)
                    .map(|note| write::comp_nfse(visit.address.hall, note))
                    .unwrap_or_default()
            };
            let after = numbers.first().copied().unwrap_or_default();
            Answer::of(format!(
                "<RetSubstituicao><NfseSubstituida>{}</NfseSubstituida><NfseSubstituidora>{}</NfseSubstituidora></RetSubstituicao>",
                shown(before),
                shown(after)
            ))
        }
    };
    answer.about(about)
}

/// Counts RPS as received, and returns them as `serie/numero`.
fn counted(visit: &Visit<'_>, elements: &[&Element]) -> Vec<String> {
    let read = elements.iter().filter_map(|element| Rps::read(element));
    let count = |rps: Rps<'_>| {
        visit.world.municipal().count(visit.office(), &rps.prestador().document, &rps.id).recebida += 1;
        format!("{}/{}", rps.id.serie, rps.id.numero)
    };
    read.map(count).collect()
}

/// Cancels a note by the city itself.
pub(crate) fn by_the_city(world: &World, office: Office, numero: u64, now: Timestamp) -> Result<MunicipalNote, String> {
    let mut notes = world.municipal();
    let note = notes.note_mut(office, numero).ok_or_else(|| format!("não há NFS-e {numero} em {}", office.cidade))?;
    if note.situacao != MunicipalStanding::Normal {
        return Err(format!("a NFS-e {numero} já está {:?}", note.situacao).to_lowercase());
    }
    let hall = Hall::find(&note.provedor).ok_or("provedor desconhecido")?;
    let pedido = format!(
        "<Pedido><InfPedidoCancelamento Id=\"N{numero}\"><IdentificacaoNfse><Numero>{numero}</Numero>{}<CodigoMunicipio>{}</CodigoMunicipio>\
         </IdentificacaoNfse><CodigoCancelamento>5</CodigoCancelamento>{}</InfPedidoCancelamento></Pedido>",
        document(hall, &note.emitente),
        office.cidade,
        if hall.layout() == hall.versao { "" } else { OF_OFFICE }
    );
    note.confirmation = Some(Arc::from(write::confirmation(hall, numero, &pedido, now)));
    note.situacao = MunicipalStanding::Cancelada;
    Ok(note.clone())
}

/// `CompNfse` of a note, as in answers to queries.
pub(crate) fn shown(note: &MunicipalNote) -> String {
    Hall::find(&note.provedor).map(|hall| write::comp_nfse(hall, note)).unwrap_or_default()
}

/// Addition to the request in the layout of GovDigital.
const OF_OFFICE: &str = "<CMotivo>9</CMotivo><XMotivo>Cancelada de ofício pela prefeitura</XMotivo>";

fn document(hall: &Hall, number: &str) -> String {
    let tag = if number.len() == 14 { "Cnpj" } else { "Cpf" };
    let inside = format!("<{tag}>{number}</{tag}>");
    if hall.is_first() { inside } else { format!("<CpfCnpj>{inside}</CpfCnpj>") }
}
