//! Issue of notes for RPS, all of a lot or none: checked outside the lock, numbered and stored within it.

use super::MunicipalRequest;
use super::book::ReturnMessage;
use super::notes::{LotState, MunicipalNote, MunicipalNotes, MunicipalStanding};
use super::rps::Rps;
use super::rps_checks::{self, TaxDue};
use super::write::{self, NoteDraft};
use fiscal::xml::{self, Element};
use std::collections::HashSet;
use std::sync::Arc;

/// An RPS that passed its checks.
struct CheckedRps<'e> {
    rps: Rps<'e>,
    due: TaxDue,
    /// Number of the note that it substitutes.
    substitutes: Option<u64>,
}

/// Issues the notes of these RPS; returns their numbers, or all errors of any of them. `protocolo` is of their lot.
pub(super) fn issue_notes(
    visit: &MunicipalRequest<'_>,
    elements: &[&Element],
    protocolo: Option<&str>,
    substitutes: Option<u64>,
) -> Result<Vec<u64>, Vec<ReturnMessage>> {
    let settings = visit.world.settings().municipal.clone();
    let (mut judged, mut problems) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    for element in elements {
        let Some(rps) = Rps::read(element) else {
            problems.push(ReturnMessage::new("E160"));
            continue;
        };
        if !seen.insert(rps.id.clone()) {
            problems.push(ReturnMessage::new("E71").of(&rps.id));
        }
        match rps_checks::check_rps(visit, &settings, &rps) {
            Ok(due) => judged.push(CheckedRps { rps, due, substitutes }),
            Err(found) => problems.extend(found.into_iter().map(|problem| problem.of(&rps.id))),
        }
    }
    let mut notes = visit.world.municipal();
    for one in &mut judged {
        problems.extend(conflict_with_stored(visit, &notes, one));
    }
    for one in elements.iter().filter_map(|element| Rps::read(element)) {
        let count = notes.count(visit.office(), &one.prestador().document, &one.id);
        if problems.is_empty() { count.processada += 1 } else { count.rejeitada += 1 }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(judged.iter().map(|one| store_issued_note(visit, &mut notes, one, protocolo)).collect())
}

/// Checks an RPS against the stored notes: its number is used, or the note that it substitutes cannot be.
fn conflict_with_stored(
    visit: &MunicipalRequest<'_>,
    notes: &MunicipalNotes,
    one: &mut CheckedRps<'_>,
) -> Option<ReturnMessage> {
    let (office, emitente) = (visit.office(), one.rps.prestador().document);
    if let Some(note) = notes.of_rps(office, &emitente, &one.rps.id) {
        return Some(ReturnMessage::about("E10", format!("NFS-e {}", note.numero)).of(&one.rps.id));
    }
    let before = one.rps.substituted()?;
    match notes.of_rps(office, &emitente, &before) {
        None => Some(ReturnMessage::new("E76").of(&one.rps.id)),
        Some(note) if note.situacao != MunicipalStanding::Normal => {
            let codigo = if note.situacao == MunicipalStanding::Cancelada { "E79" } else { "E7" };
            Some(ReturnMessage::new(codigo).of(&one.rps.id))
        }
        Some(note) => {
            one.substitutes = Some(note.numero);
            None
        }
    }
}

fn store_issued_note(
    visit: &MunicipalRequest<'_>,
    notes: &mut MunicipalNotes,
    one: &CheckedRps<'_>,
    protocolo: Option<&str>,
) -> u64 {
    let (office, hall) = (visit.office(), visit.address.server);
    let (numero, verification) = (notes.next(office), notes.next_verification_code());
    let emitente = one.rps.prestador().document;
    let settings = visit.world.settings();
    let registered = settings.municipal.contribuintes.get(&emitente).and_then(|known| known.nome.clone());
    drop(settings);
    let of_certificate = visit.credential.as_ref().map(|credential| credential.name.clone());
    let nome = registered.or(of_certificate).unwrap_or_else(|| "PRESTADOR".to_owned());
    let inf = write::inf_nfse(
        &NoteDraft {
            hall,
            city: visit.address.city,
            numero,
            verification: &verification,
            at: visit.now,
            aliquota: one.due.aliquota,
            iss: one.due.iss,
            nome: &nome,
            substitutes: one.substitutes,
        },
        &one.rps,
    );
    if let Some(before) = one.substitutes.and_then(|before| notes.note_mut(office, before)) {
        (before.situacao, before.substituida_por) = (MunicipalStanding::Substituida, Some(numero));
    }
    notes.store_municipal_note(MunicipalNote {
        office,
        provedor: hall.segment(),
        numero,
        codigo_verificacao: verification,
        emitente,
        rps: one.rps.id.clone(),
        valor_servicos: one.rps.value("ValorServicos"),
        valor_iss: one.due.iss,
        protocolo: protocolo.map(str::to_owned),
        emitida_em: visit.now,
        situacao: MunicipalStanding::Normal,
        substituida_por: None,
        inf: Arc::from(inf),
        confirmation: None,
        visibility: visit.drawn.visibility(),
    });
    numero
}

/// Processes a lot that is due; leaves any other as it is.
pub(super) fn process_due_lot(visit: &MunicipalRequest<'_>, protocolo: &str) {
    let due = {
        let mut notes = visit.world.municipal();
        match notes.lot_mut(visit.office(), protocolo).map(|lot| &lot.state) {
            Some(LotState::Waiting { rps, queries: 0, until }) if *until <= visit.now => Some(rps.clone()),
            _ => None,
        }
    };
    let Some(texts) = due else { return };
    let roots: Vec<Element> = texts.iter().filter_map(|text| xml::read(text.as_bytes()).ok()).collect();
    let elements: Vec<&Element> = roots.iter().collect();
    let state = match self::issue_notes(visit, &elements, Some(protocolo), None) {
        Ok(numbers) => LotState::Done(numbers),
        Err(problems) => LotState::Failed(super::book::list(&problems)),
    };
    let mut notes = visit.world.municipal();
    let Some(lot) = notes.lot_mut(visit.office(), protocolo) else { return };
    let visibility = lot.visibility;
    let made = if let LotState::Done(numbers) = &state { numbers.clone() } else { Vec::new() };
    if matches!(lot.state, LotState::Waiting { .. }) {
        lot.state = state;
    }
    for numero in made {
        if let Some(note) = notes.note_mut(visit.office(), numero) {
            note.visibility = visibility;
        }
    }
}
