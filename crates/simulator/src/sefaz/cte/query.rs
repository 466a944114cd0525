//! CTeConsultaV4: 252, 731, 236, then the stored document (217, 216, 600, 100, 101) with its events.
//!
//! Law: MOC CT-e 4.00 anexo I, rules L01 to L06.

use super::{ServiceMessage, head};
use crate::ledger::{Ledger, LedgerDocument, LedgerStatus};
use crate::sefaz::{Refusal, ServiceAnswer, ServiceRequest, query, root};
use crate::simulator_state::SimulatorState;
use fiscal::cte::rules::key;
use fiscal::value::Uf;

pub(super) fn answer(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    message: &ServiceMessage,
) -> Result<ServiceAnswer, Refusal> {
    let place = request.place;
    let chave = message.payload.text_at("chCTe").unwrap_or("");
    let uf = chave.get(..2).and_then(|code| code.parse().ok()).and_then(Uf::from_code);
    let elsewhere = if place.contingency().is_some() { 513 } else { 410 };
    let invalid = key::fault(chave, key::CTE, request.now);
    let wrong = [
        (elsewhere, uf.is_some_and(|uf| !place.serves(uf))),
        (252, message.payload.text_at("tpAmb") != Some(place.ambiente.code())),
        (731, query::months_ago(chave, request.now) > 6),
        (236, invalid.is_some()),
    ];
    let settings = world.settings();
    let mut codes = wrong.into_iter().filter(|(cStat, broken)| *broken && settings.first_on(&[*cStat]).is_some());
    if let Some((cStat, _)) = codes.next() {
        return Err(Refusal::with(cStat, invalid.filter(|_| cStat == 236).unwrap_or_default()));
    }
    let mut ledger = world.ledger();
    ledger.count(chave).consultada += 1;
    let wrong_digest = ledger.wrong_digest_for(request.drawn);
    if let Some(another) = query::another_stored(&ledger, request, chave) {
        return Ok(found(request, another, &another.protocol_xml));
    }
    let is_found = |one: &LedgerDocument| one.visibility.is_reached() && settings.has_in_book(&place, one);
    let stored = stored(&ledger, request, chave, is_found)?;
    let protocol_xml = query::shown_protocol(&ledger, request, stored, "chCTe", wrong_digest.as_deref());
    Ok(found(request, stored, &protocol_xml))
}

/// The document of a key among those that fit: 217, 216 or 600 when it is absent. An SVC knows only the documents that
/// it authorised.
pub(super) fn stored<'l>(
    ledger: &'l Ledger,
    request: &ServiceRequest<'_>,
    chave: &str,
    fits: impl Fn(&LedgerDocument) -> bool,
) -> Result<&'l LedgerDocument, Refusal> {
    let place = request.place;
    let is_here = |one: &LedgerDocument| fits(one) && place.contingency().is_none_or(|tpEmis| one.tpEmis == tpEmis);
    let stored = ledger.same_number_where(place.ambiente, chave, is_here).ok_or_else(|| Refusal::new(217))?;
    let differs = |range: std::ops::Range<usize>| stored.chave.get(range.clone()) != chave.get(range);
    match (stored.chave == chave, differs(0..35)) {
        (true, _) => Ok(stored),
        (false, false) => Err(Refusal::new(216)),
        (false, true) => Err(Refusal::with(600, format!("[chCTe:{}]", stored.chave))),
    }
}

fn found(request: &ServiceRequest<'_>, stored: &LedgerDocument, protocol_xml: &str) -> ServiceAnswer {
    let cStat = if stored.situacao == LedgerStatus::Cancelada { 101 } else { stored.cStat };
    let events: String = stored
        .eventos
        .iter()
        .map(|event| format!("<procEventoCTe versao=\"4.00\">{}{}</procEventoCTe>", event.evento, event.ret_evento))
        .collect();
    let content = format!("{}{protocol_xml}{events}", head(request, &Refusal::new(cStat)));
    ServiceAnswer { xml: root(&request.place, &content), cStat, chaves: vec![stored.chave.clone()] }
}
