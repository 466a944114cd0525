//! Queries: the state and the result of a lot, the note of an RPS, notes of a range.

use super::book::{self, Problem};
use super::envelope::Message;
use super::issue::{list_of, sender};
use super::notes::{Lot, LotState};
use super::operation::Operation;
use super::rps::{Party, RpsId};
use super::{Answer, Visit, settle, signed, write};
use fiscal::xml::Element;

fn party_of(element: &Element) -> Party {
    element.child("Prestador").map(Party::read).unwrap_or_default()
}

/// Errors of the sender of a query and of its signature.
fn asker(visit: &Visit<'_>, message: &Message, party: &Party) -> Vec<Problem> {
    let mut problems = sender(visit, message, party);
    problems.extend(signed::problems(visit, message, party));
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
fn looked_at(visit: &Visit<'_>, message: &Message, party: &Party) -> (Option<String>, LotAnswer) {
    let protocolo = message.root.text_at("Protocolo").unwrap_or_default();
    settle::lot(visit, protocolo);
    let mut notes = visit.world.municipal();
    let Some(lot) = notes.lot_mut(visit.office(), protocolo).filter(|lot| is_seen(lot, party)) else {
        return (None, LotAnswer::Unknown);
    };
    let numero = Some(lot.numero.clone());
    spend(lot);
    match &lot.state {
        LotState::Waiting { .. } => (numero, LotAnswer::Waiting),
        LotState::Done(numbers) => (numero, LotAnswer::Done(numbers.clone())),
        LotState::Failed(list) => (numero, LotAnswer::Failed(list.clone())),
    }
}

/// True when the lot is the party's own and visible.
fn is_seen(lot: &Lot, party: &Party) -> bool {
    lot.prestador == party.document && lot.visibility.is_reached()
}

/// Counts a query of a waiting lot, by protocol or by RPS.
fn spend(lot: &mut Lot) {
    if let LotState::Waiting { queries, .. } = &mut lot.state {
        *queries = queries.saturating_sub(1);
    }
}

/// A refusal of the message as a whole. Since 2.00 the answer about a lot begins with the state of the lot.
pub(super) fn refused(visit: &Visit<'_>, operation: Operation, problems: &[Problem]) -> Answer {
    let refused = Answer::refused(problems);
    let says_where = operation == Operation::BatchResult && !visit.address.hall.is_first();
    let state = if says_where { "<Situacao>1</Situacao>" } else { "" };
    Answer { content: state.to_owned() + &refused.content, ..refused }
}

/// ConsultarLoteRps.
pub(super) fn result(visit: &Visit<'_>, message: &Message) -> Answer {
    let party = party_of(&message.root);
    let problems = asker(visit, message, &party);
    let state = |digit: u8| {
        if visit.address.hall.is_first() { String::new() } else { format!("<Situacao>{digit}</Situacao>") }
    };
    let refused = |digit: u8, problems: &[Problem]| {
        let refused = Answer::refused(problems);
        Answer { content: state(digit) + &refused.content, ..refused }
    };
    if !problems.is_empty() {
        return refused(1, &problems);
    }
    match looked_at(visit, message, &party).1 {
        LotAnswer::Unknown => refused(1, &[Problem::new("E86")]),
        LotAnswer::Waiting => refused(2, &[Problem::new("E92")]),
        LotAnswer::Done(numbers) => Answer::of(state(4) + &list_of(visit, &numbers)),
        LotAnswer::Failed(list) => Answer::of(state(3) + &list),
    }
}

/// ConsultarSituacaoLoteRps of 1.00.
pub(super) fn state(visit: &Visit<'_>, message: &Message) -> Answer {
    let party = party_of(&message.root);
    let problems = asker(visit, message, &party);
    if !problems.is_empty() {
        return Answer::refused(&problems);
    }
    let (numero, said) = looked_at(visit, message, &party);
    let numero =
        numero.map(|numero| format!("<NumeroLote>{}</NumeroLote>", crate::soap::escaped(&numero))).unwrap_or_default();
    let digit = match said {
        LotAnswer::Unknown => return Answer::refused(&[Problem::new("E86")]),
        LotAnswer::Waiting => 2,
        LotAnswer::Failed(_) => 3,
        LotAnswer::Done(_) => 4,
    };
    Answer::of(format!("{numero}<Situacao>{digit}</Situacao>"))
}

/// ConsultarNfsePorRps.
pub(super) fn by_rps(visit: &Visit<'_>, message: &Message) -> Answer {
    let wraps = visit.address.hall.pedido_na_consulta;
    let asked = if wraps { message.root.child("Pedido") } else { Some(&message.root) };
    let Some((asked, id)) = asked.and_then(|asked| Some((asked, asked.child("IdentificacaoRps")?))) else {
        return Answer::refused(&[Problem::about("E160", "falta IdentificacaoRps")]);
    };
    let (party, id) = (party_of(asked), RpsId::read(id));
    let about = vec![format!("{}/{}", id.serie, id.numero)];
    let problems = asker(visit, message, &party);
    if !problems.is_empty() {
        return Answer::refused(&problems).about(about);
    }
    let office = visit.office();
    if let Some(protocolo) = {
        let mut notes = visit.world.municipal();
        notes.count(office, &party.document, &id).consultada += 1;
        notes.waiting(office, &party.document, &id)
    } {
        settle::lot(visit, &protocolo);
        let mut notes = visit.world.municipal();
        if let Some(lot) = notes.lot_mut(office, &protocolo) {
            spend(lot);
        }
    }
    let notes = visit.world.municipal();
    let is_found = |note: &&super::MunicipalNote| note.visibility.is_reached();
    let answer = match notes.of_rps(office, &party.document, &id).filter(is_found) {
        Some(note) => Answer::of(write::comp_nfse(visit.address.hall, note)),
        None if notes.waiting(office, &party.document, &id).is_some() => Answer::refused(&[Problem::new("E92")]),
        None => Answer::refused(&[Problem::new("E4")]),
    };
    answer.about(about)
}

/// ConsultarNfseFaixa, a page of fifty.
pub(super) fn range(visit: &Visit<'_>, message: &Message) -> Answer {
    let party = party_of(&message.root);
    let mut problems = sender(visit, message, &party);
    let number = |path: &str| message.root.text_at(path).and_then(|text| text.parse::<u64>().ok());
    let Some(first) = number("Faixa/NumeroNfseInicial") else {
        problems.push(Problem::new("E77"));
        return Answer::refused(&problems);
    };
    if !problems.is_empty() {
        return Answer::refused(&problems);
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
        return Answer {
            content: book::list(&[Problem::new("E78")]),
            codigo: Some("E78".to_owned()),
            about: Vec::new(),
        };
    }
    let more = numbers.len() > from.saturating_add(PAGE);
    let list = list_of(visit, &shown);
    let next = if more {
        format!("<ProximaPagina>{}</ProximaPagina></ListaNfse>", page + 1)
    } else {
        "</ListaNfse>".to_owned()
    };
    Answer::of(list.strip_suffix("</ListaNfse>").map(|list| format!("{list}{next}")).unwrap_or_default())
}

const PAGE: usize = 50;
