//! Queries: the state and the result of a lot, the note of an RPS, notes of a range.

use super::book::{self, ReturnMessage};
use super::envelope::EnvelopeMessage;
use super::issue::{note_list, sender_errors};
use super::notes::{LotState, RpsLot};
use super::operation::AbrasfService;
use super::rps::{PartyIdentity, RpsIdentity};
use super::{MunicipalAnswer, MunicipalRequest, settle, signatures, write};
use fiscal::xml::Element;

fn party_of(element: &Element) -> PartyIdentity {
    element.child("Prestador").map(PartyIdentity::read).unwrap_or_default()
}

/// Errors of the sender of a query and of its signature.
fn query_errors(visit: &MunicipalRequest<'_>, message: &EnvelopeMessage, party: &PartyIdentity) -> Vec<ReturnMessage> {
    let mut problems = sender_errors(visit, message, party);
    problems.extend(signatures::problems(visit, message, party));
    problems
}

/// Result of the query of a lot.
enum LotAnswer {
    Unknown,
    Waiting,
    Done(Vec<u64>),
    Failed(String),
}

/// Processes the lot of a query when it is due; counts the query of a waiting lot.
fn process_lot_query(
    visit: &MunicipalRequest<'_>,
    message: &EnvelopeMessage,
    party: &PartyIdentity,
) -> (Option<String>, LotAnswer) {
    let protocolo = message.root.text_at("Protocolo").unwrap_or_default();
    settle::process_due_lot(visit, protocolo);
    let mut notes = visit.world.municipal();
    let Some(lot) = notes.lot_mut(visit.office(), protocolo).filter(|lot| is_visible_to(lot, party)) else {
        return (None, LotAnswer::Unknown);
    };
    let numero = Some(lot.numero.clone());
    count_query(lot);
    match &lot.state {
        LotState::Waiting { .. } => (numero, LotAnswer::Waiting),
        LotState::Done(numbers) => (numero, LotAnswer::Done(numbers.clone())),
        LotState::Failed(list) => (numero, LotAnswer::Failed(list.clone())),
    }
}

/// True when the lot is the party's own and visible.
fn is_visible_to(lot: &RpsLot, party: &PartyIdentity) -> bool {
    lot.prestador == party.document && lot.visibility.is_reached()
}

/// Counts a query of a waiting lot, by protocol or by RPS.
fn count_query(lot: &mut RpsLot) {
    if let LotState::Waiting { queries, .. } = &mut lot.state {
        *queries = queries.saturating_sub(1);
    }
}

/// A refusal of the message as a whole. Since 2.00 the answer about a lot begins with the state of the lot.
pub(super) fn refused(
    visit: &MunicipalRequest<'_>,
    operation: AbrasfService,
    problems: &[ReturnMessage],
) -> MunicipalAnswer {
    let refused = MunicipalAnswer::refused(problems);
    let says_where = operation == AbrasfService::BatchResult && !visit.address.server.is_first();
    let state = if says_where { "<Situacao>1</Situacao>" } else { "" };
    MunicipalAnswer { content: state.to_owned() + &refused.content, ..refused }
}

/// ConsultarLoteRps.
pub(super) fn result(visit: &MunicipalRequest<'_>, message: &EnvelopeMessage) -> MunicipalAnswer {
    let party = party_of(&message.root);
    let problems = query_errors(visit, message, &party);
    let state = |digit: u8| {
        if visit.address.server.is_first() { String::new() } else { format!("<Situacao>{digit}</Situacao>") }
    };
    let refused = |digit: u8, problems: &[ReturnMessage]| {
        let refused = MunicipalAnswer::refused(problems);
        MunicipalAnswer { content: state(digit) + &refused.content, ..refused }
    };
    if !problems.is_empty() {
        return refused(1, &problems);
    }
    match process_lot_query(visit, message, &party).1 {
        LotAnswer::Unknown => refused(1, &[ReturnMessage::new("E86")]),
        LotAnswer::Waiting => refused(2, &[ReturnMessage::new("E92")]),
        LotAnswer::Done(numbers) => MunicipalAnswer::of(state(4) + &note_list(visit, &numbers)),
        LotAnswer::Failed(list) => MunicipalAnswer::of(state(3) + &list),
    }
}

/// ConsultarSituacaoLoteRps of 1.00.
pub(super) fn state(visit: &MunicipalRequest<'_>, message: &EnvelopeMessage) -> MunicipalAnswer {
    let party = party_of(&message.root);
    let problems = query_errors(visit, message, &party);
    if !problems.is_empty() {
        return MunicipalAnswer::refused(&problems);
    }
    let (numero, said) = process_lot_query(visit, message, &party);
    let numero =
        numero.map(|numero| format!("<NumeroLote>{}</NumeroLote>", crate::soap::escaped(&numero))).unwrap_or_default();
    let digit = match said {
        LotAnswer::Unknown => return MunicipalAnswer::refused(&[ReturnMessage::new("E86")]),
        LotAnswer::Waiting => 2,
        LotAnswer::Failed(_) => 3,
        LotAnswer::Done(_) => 4,
    };
    MunicipalAnswer::of(format!("{numero}<Situacao>{digit}</Situacao>"))
}

/// ConsultarNfsePorRps.
pub(super) fn by_rps(visit: &MunicipalRequest<'_>, message: &EnvelopeMessage) -> MunicipalAnswer {
    let wraps = visit.address.server.pedido_na_consulta;
    let asked = if wraps { message.root.child("Pedido") } else { Some(&message.root) };
    let Some((asked, id)) = asked.and_then(|asked| Some((asked, asked.child("IdentificacaoRps")?))) else {
        return MunicipalAnswer::refused(&[ReturnMessage::about("E160", "falta IdentificacaoRps")]);
    };
    let (party, id) = (party_of(asked), RpsIdentity::read(id));
    let about = vec![format!("{}/{}", id.serie, id.numero)];
    let problems = query_errors(visit, message, &party);
    if !problems.is_empty() {
        return MunicipalAnswer::refused(&problems).about(about);
    }
    let office = visit.office();
    if let Some(protocolo) = {
        let mut notes = visit.world.municipal();
        notes.count(office, &party.document, &id).consultada += 1;
        notes.protocol_of_waiting_lot(office, &party.document, &id)
    } {
        settle::process_due_lot(visit, &protocolo);
        let mut notes = visit.world.municipal();
        if let Some(lot) = notes.lot_mut(office, &protocolo) {
            count_query(lot);
        }
    }
    let notes = visit.world.municipal();
    let is_found = |note: &&super::MunicipalNote| note.visibility.is_reached();
    let answer = match notes.of_rps(office, &party.document, &id).filter(is_found) {
        Some(note) => MunicipalAnswer::of(write::comp_nfse(visit.address.server, note)),
        None if notes.protocol_of_waiting_lot(office, &party.document, &id).is_some() => {
            MunicipalAnswer::refused(&[ReturnMessage::new("E92")])
        }
        None => MunicipalAnswer::refused(&[ReturnMessage::new("E4")]),
    };
    answer.about(about)
}

/// ConsultarNfseFaixa, a page of fifty.
pub(super) fn range(visit: &MunicipalRequest<'_>, message: &EnvelopeMessage) -> MunicipalAnswer {
    let party = party_of(&message.root);
    let mut problems = sender_errors(visit, message, &party);
    let number = |path: &str| message.root.text_at(path).and_then(|text| text.parse::<u64>().ok());
    let Some(first) = number("Faixa/NumeroNfseInicial") else {
        problems.push(ReturnMessage::new("E77"));
        return MunicipalAnswer::refused(&problems);
    };
    if !problems.is_empty() {
        return MunicipalAnswer::refused(&problems);
    }
    let last = number("Faixa/NumeroNfseFinal").unwrap_or(u64::MAX);
    let page = number("Pagina").unwrap_or(1).max(1);
    let mut numbers: Vec<u64> = {
        let notes = visit.world.municipal();
        let is_asked = |note: &&super::MunicipalNote| {
            let is_theirs = note.office == visit.office() && note.emitente == party.document;
            is_theirs && note.visibility.is_reached() && (first..=last).contains(&note.numero)
        };
        notes.all().filter(is_asked).map(|note| note.numero).collect()
    };
    numbers.sort_unstable();
    let from = usize::try_from(page - 1).unwrap_or(usize::MAX).saturating_mul(PAGE);
    let shown: Vec<u64> = numbers.iter().copied().skip(from).take(PAGE).collect();
    if shown.is_empty() {
        return MunicipalAnswer {
            content: book::list(&[ReturnMessage::new("E78")]),
            codigo: Some("E78".to_owned()),
            about: Vec::new(),
        };
    }
    let more = numbers.len() > from.saturating_add(PAGE);
    let list = note_list(visit, &shown);
    let next = if more {
        format!("<ProximaPagina>{}</ProximaPagina></ListaNfse>", page + 1)
    } else {
        "</ListaNfse>".to_owned()
    };
    MunicipalAnswer::of(list.strip_suffix("</ListaNfse>").map(|list| format!("{list}{next}")).unwrap_or_default())
}

const PAGE: usize = 50;
