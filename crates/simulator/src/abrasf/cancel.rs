//! Cancellation by the issuer, by substitution, and by the city itself.

use super::book::ReturnMessage;
use super::envelope::{EnvelopeMessage, write_unprefixed};
use super::issue::sender_errors;
use super::notes::{CityEnvironment, MunicipalNote, MunicipalStanding};
use super::provider::ProviderServer;
use super::rps::{PartyIdentity, Rps};
use super::signatures::{self, rps_of};
use super::{MunicipalAnswer, MunicipalRequest, settle, write};
use crate::clock::seconds_between;
use crate::faults::FaultType;
use crate::simulator_state::SimulatorState;
use fiscal::xml::Element;
use jiff::Timestamp;
use std::sync::Arc;

/// Number of the note that a `Pedido` is about, or all errors of the request.
fn checked_request(
    visit: &MunicipalRequest<'_>,
    message: &EnvelopeMessage,
    pedido: &Element,
) -> Result<u64, Vec<ReturnMessage>> {
    let Some(identity) = pedido.at("InfPedidoCancelamento/IdentificacaoNfse") else {
        return Err(vec![ReturnMessage::about("E160", "falta IdentificacaoNfse")]);
    };
    let party = PartyIdentity::read(identity);
    let mut problems = sender_errors(visit, message, &party);
    problems.extend(signatures::problems(visit, message, &party));
    let numero = identity.text_at("Numero").and_then(|numero| numero.parse::<u64>().ok());
    let Some(numero) = numero else {
        problems.push(ReturnMessage::new("E77"));
        return Err(problems);
    };
    let city = visit.world.settings().municipal.city(visit.address.city);
    let notes = visit.world.municipal();
    match notes.note(visit.office(), numero).filter(|note| note.emitente == party.document) {
        None => problems.push(ReturnMessage::new("E78")),
        Some(note) => {
            let age = seconds_between(note.emitida_em, visit.now);
            let is_late = city.prazo_cancelamento_h.is_some_and(|hours| age > i64::from(hours) * 3_600);
            let wrong = [
                ("E79", note.situacao == MunicipalStanding::Cancelada),
                ("E7", note.situacao == MunicipalStanding::Substituida),
                ("E6", city.com_credito.contains(&numero)),
                ("E181", is_late),
            ];
            problems.extend(wrong.iter().filter(|(_, wrong)| *wrong).map(|(codigo, _)| ReturnMessage::new(codigo)));
        }
    }
    if problems.is_empty() { Ok(numero) } else { Err(problems) }
}

/// CancelarNfse.
pub(super) fn answer(visit: &MunicipalRequest<'_>, message: &EnvelopeMessage) -> MunicipalAnswer {
    let Some(pedido) = message.root.child("Pedido") else {
        return MunicipalAnswer::refused(&[ReturnMessage::about("E160", "falta Pedido")]);
    };
    let about = vec![pedido.text_at("InfPedidoCancelamento/IdentificacaoNfse/Numero").unwrap_or_default().to_owned()];
    match checked_request(visit, message, pedido) {
        Err(problems) => MunicipalAnswer::refused(&problems).about(about),
        Ok(numero) => {
            let confirmation = confirmed(visit, pedido, numero);
            mark_cancelled(visit, numero, &confirmation);
            let inside = write::cancellation(visit.address.server, &confirmation);
            MunicipalAnswer::of(format!("<RetCancelamento>{inside}</RetCancelamento>")).about(about)
        }
    }
}

fn confirmed(visit: &MunicipalRequest<'_>, pedido: &Element, numero: u64) -> String {
    let mut text = String::new();
    write_unprefixed(pedido, &visit.address.server.dados, &mut text);
    write::confirmation(visit.address.server, numero, &text, visit.now)
}

fn mark_cancelled(visit: &MunicipalRequest<'_>, numero: u64, confirmation: &str) {
    if let Some(note) = visit.world.municipal().note_mut(visit.office(), numero) {
        (note.situacao, note.confirmation) = (MunicipalStanding::Cancelada, Some(Arc::from(confirmation)));
    }
}

/// SubstituirNfse: cancels the old note as the new one is issued.
pub(super) fn substitute(visit: &MunicipalRequest<'_>, message: &EnvelopeMessage) -> MunicipalAnswer {
    let Some(pedido) = message.root.at("SubstituicaoNfse/Pedido") else {
        return MunicipalAnswer::refused(&[ReturnMessage::about("E160", "falta SubstituicaoNfse/Pedido")]);
    };
    let elements = rps_of(message);
    let about = count_received(visit, &elements);
    let before = match checked_request(visit, message, pedido) {
        Ok(before) => before,
        Err(problems) => return MunicipalAnswer::refused(&problems).about(about),
    };
    let made = settle::issue_notes(visit, &elements, None, Some(before));
    let answer = match made.as_deref() {
        Err(problems) => {
            MunicipalAnswer::refused(&problems.iter().cloned().map(ReturnMessage::without_rps).collect::<Vec<_>>())
        }
        // The substitute was issued; the answer treats it as a repeated request.
        Ok(_) if visit.meets(FaultType::Duplicate204) => MunicipalAnswer::refused(&[ReturnMessage::new("E7")]),
        Ok(numbers) => {
            let confirmation = confirmed(visit, pedido, before);
            if let Some(note) = visit.world.municipal().note_mut(visit.office(), before) {
                note.confirmation = Some(Arc::from(confirmation));
            }
            let notes = visit.world.municipal();
            let shown = |numero: u64| {
                notes
                    .note(visit.office(), numero)
                    .map(|note| write::comp_nfse(visit.address.server, note))
                    .unwrap_or_default()
            };
            let after = numbers.first().copied().unwrap_or_default();
            MunicipalAnswer::of(format!(
                "<RetSubstituicao><NfseSubstituida>{}</NfseSubstituida><NfseSubstituidora>{}</NfseSubstituidora></RetSubstituicao>",
                shown(before),
                shown(after)
            ))
        }
    };
    answer.about(about)
}

/// Counts RPS as received, and returns them as `serie/numero`.
fn count_received(visit: &MunicipalRequest<'_>, elements: &[&Element]) -> Vec<String> {
    let read = elements.iter().filter_map(|element| Rps::read(element));
    let count = |rps: Rps<'_>| {
        visit.world.municipal().count(visit.office(), &rps.prestador().document, &rps.id).recebida += 1;
        format!("{}/{}", rps.id.serie, rps.id.numero)
    };
    read.map(count).collect()
}

/// Cancels a note by the city itself.
pub(crate) fn cancel_ex_officio(
    world: &SimulatorState,
    office: CityEnvironment,
    numero: u64,
    now: Timestamp,
) -> Result<MunicipalNote, String> {
    let mut notes = world.municipal();
    let note = notes.note_mut(office, numero).ok_or_else(|| format!("não há NFS-e {numero} em {}", office.cidade))?;
    if note.situacao != MunicipalStanding::Normal {
        return Err(format!("a NFS-e {numero} já está {:?}", note.situacao).to_lowercase());
    }
    let hall = ProviderServer::find(&note.provedor).ok_or("provedor desconhecido")?;
    let pedido = format!(
        "<Pedido><InfPedidoCancelamento Id=\"N{numero}\"><IdentificacaoNfse><Numero>{numero}</Numero>{}<CodigoMunicipio>{}</CodigoMunicipio>\
         </IdentificacaoNfse><CodigoCancelamento>5</CodigoCancelamento>{}</InfPedidoCancelamento></Pedido>",
        document(hall, &note.emitente),
        office.cidade,
        if hall.layout() == hall.versao { "" } else { EX_OFFICIO_REASON }
    );
    note.confirmation = Some(Arc::from(write::confirmation(hall, numero, &pedido, now)));
    note.situacao = MunicipalStanding::Cancelada;
    Ok(note.clone())
}

/// `CompNfse` of a note, as in answers to queries.
pub(crate) fn comp_nfse_of(note: &MunicipalNote) -> String {
    ProviderServer::find(&note.provedor).map(|hall| write::comp_nfse(hall, note)).unwrap_or_default()
}

/// Addition to the request in the layout of GovDigital.
const EX_OFFICIO_REASON: &str = "<CMotivo>9</CMotivo><XMotivo>Cancelada de ofício pela prefeitura</XMotivo>";

fn document(hall: &ProviderServer, number: &str) -> String {
    let tag = if number.len() == 14 { "Cnpj" } else { "Cpf" };
    let inside = format!("<{tag}>{number}</{tag}>");
    if hall.is_first() { inside } else { format!("<CpfCnpj>{inside}</CpfCnpj>") }
}
