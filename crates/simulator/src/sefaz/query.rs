//! NFeConsultaProtocolo4: the checks of the key, then the document of its number.
//!
//! Law: MOC 7.0 visão geral, 5.4, rules J01–J06.

use super::message::ServiceMessage;
use super::protocol_leaves::{with_leaf, without_leaf};
use super::{Refusal, ServiceAnswer, ServiceRequest, VER_APLIC, root};
use crate::clock;
use crate::faults::FaultType;
use crate::ledger::{Ledger, LedgerDocument, LedgerStatus};
use crate::simulator_state::SimulatorState;
use fiscal::value::{ChaveAcesso, Cnpj, Cpf, InvalidChave, Uf};
use jiff::Timestamp;

pub(super) fn answer(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    message: &ServiceMessage,
) -> Result<ServiceAnswer, Refusal> {
    if message.payload.text_at("tpAmb") != Some(request.place.ambiente.code()) {
        return Err(Refusal::new(252));
    }
    let chave = message.payload.text_at("chNFe").unwrap_or("");
    let mut codes = key_faults(chave, request.now);
    let uf = chave.get(..2).and_then(|code| code.parse().ok()).and_then(Uf::from_code);
    // The key of an issuer without inscrição estadual names its own state.
    let taken = world.settings().accepts_unregistered(&request.place, request.now);
    if !taken && !uf.is_some_and(|uf| request.place.serves(uf)) {
        codes.push(226);
    }
    if months_ago(chave, request.now) > 6 {
        codes.push(526);
    }
    if let Some(cStat) = world.settings().first_on(&codes) {
        return Err(Refusal::new(cStat));
    }
    let settings = world.settings();
    let mut ledger = world.ledger();
    ledger.count(chave).consultada += 1;
    let wrong_digest = ledger.wrong_digest_for(request.drawn);
    if let Some(another) = another_stored(&ledger, request, chave) {
        return Ok(found(request, &LedgerDocument { chave: chave.to_owned(), ..another.clone() }));
    }
    let is_found = |one: &LedgerDocument| one.visibility.is_reached() && settings.has_in_book(&request.place, one);
    let Some(stored) = ledger.same_number_where(request.place.ambiente, chave, is_found) else {
        return Err(Refusal::new(217));
    };
    if stored.chave != chave {
        return Err(other_key(chave, &stored.chave));
    }
    let protocol_xml = shown_protocol(&ledger, request, stored, "chNFe", wrong_digest.as_deref());
    Ok(found(request, &LedgerDocument { protocol_xml, ..stored.clone() }))
}

/// Another document, where the fault asks for it.
pub(super) fn another_stored<'l>(
    ledger: &'l Ledger,
    request: &ServiceRequest<'_>,
    chave: &str,
) -> Option<&'l LedgerDocument> {
    let is_mixed_up = request.fault() == Some(FaultType::OtherDocument);
    is_mixed_up.then(|| ledger.another(request.place.ambiente, chave)).flatten()
}

/// The protocol in the answer to a query, altered where the fault asks for it; `tag` is that of its key.
pub(super) fn shown_protocol(
    ledger: &Ledger,
    request: &ServiceRequest<'_>,
    stored: &LedgerDocument,
    tag: &str,
    wrong_digest: Option<&str>,
) -> String {
    let protocol_xml = &stored.protocol_xml;
    match (request.fault(), wrong_digest) {
        (_, Some(digVal)) => with_leaf(protocol_xml, "digVal", digVal),
        (Some(FaultType::NoDigval), _) => without_leaf(protocol_xml, "digVal"),
        (Some(FaultType::OtherDocument), _) => {
            with_leaf(protocol_xml, tag, &ledger.another_key(stored.ambiente, &stored.chave))
        }
        _ => protocol_xml.clone(),
    }
}

/// 236 and 614–619: errors in the structure of a key.
pub(super) fn key_faults(chave: &str, now: Timestamp) -> Vec<u16> {
    let number = |range: std::ops::Range<usize>| chave.get(range).and_then(|text| text.parse::<u32>().ok());
    let this_year = u32::try_from(clock::year(now, -3).rem_euclid(100)).unwrap_or(0);
    let issuer = chave.get(6..20).unwrap_or("");
    let is_cpf = issuer.strip_prefix("000").is_some_and(|cpf| Cpf::parse(cpf).is_ok());
    [
        (236, ChaveAcesso::parse(chave) == Err(InvalidChave::CheckDigit)),
        (614, number(0..2).and_then(|code| u8::try_from(code).ok()).and_then(Uf::from_code).is_none()),
        (615, number(2..4).is_none_or(|year| year < 6 || year > this_year)),
        (616, number(4..6).is_none_or(|month| !(1..=12).contains(&month))),
        (617, issuer == "00000000000000" || (!is_cpf && Cnpj::parse(issuer).is_err())),
        (618, !matches!(chave.get(20..22), Some("55" | "65"))),
        (619, number(25..34).is_none_or(|number| number == 0)),
    ]
    .into_iter()
    .filter(|(_, broken)| *broken)
    .map(|(cStat, _)| cStat)
    .collect()
}

pub(super) fn months_ago(chave: &str, now: Timestamp) -> i32 {
    let Some(aamm) = chave.get(2..6).and_then(|aamm| aamm.parse::<i32>().ok()) else { return 0 };
    let today = clock::format_instant(now, -3);
    let (year, month) = (today.get(2..4), today.get(5..7));
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<i32>().ok()).unwrap_or(0);
    (number(year) * 12 + number(month)) - (aamm / 100 * 12 + aamm % 100)
}

/// 562, 561 or 613, with the stored key.
fn other_key(asked: &str, stored: &str) -> Refusal {
    let differs = |range: std::ops::Range<usize>| asked.get(range.clone()) != stored.get(range);
    let code_only = differs(35..43) && !differs(2..6) && !differs(34..35);
    let month_only = differs(2..6) && !differs(34..43);
    let cStat = match (code_only, month_only) {
        (true, _) => 562,
        (_, true) => 561,
        _ => 613,
    };
    Refusal::with(cStat, format!("[chNFe:{stored}]"))
}

fn found(request: &ServiceRequest<'_>, stored: &LedgerDocument) -> ServiceAnswer {
    let cancellation = stored.eventos.iter().find(|event| matches!(event.tpEvento.as_str(), "110111" | "110112"));
    let cStat = match (stored.situacao, cancellation) {
        (LedgerStatus::Cancelada, Some(event)) if event.cStat == 155 => 151,
        (LedgerStatus::Cancelada, _) => 101,
        _ => stored.cStat,
    };
    let (tpAmb, cUF, dh) = (request.place.ambiente.code(), request.place.authority.cUF(), request.dh());
    let xMotivo = Refusal::new(cStat).xMotivo();
    let events: String = stored
        .eventos
        .iter()
        .filter(|event| QUERIED_EVENTS.contains(&event.tpEvento.as_str()))
        .map(|event| format!("<procEventoNFe versao=\"1.00\">{}{}</procEventoNFe>", event.evento, event.ret_evento))
        .collect();
    let content = format!(
        "<tpAmb>{tpAmb}</tpAmb><verAplic>{VER_APLIC}</verAplic><cStat>{cStat}</cStat><xMotivo>{xMotivo}</xMotivo><cUF>{cUF}</cUF>\
         <dhRecbto>{dh}</dhRecbto><chNFe>{}</chNFe>{}{events}",
        stored.chave, stored.protocol_xml
    );
    ServiceAnswer { xml: root(&request.place, &content), cStat, chaves: vec![stored.chave.clone()] }
}

/// Events in the answer to a query: corrections, cancellations, EPEC.
const QUERIED_EVENTS: [&str; 4] = ["110110", "110111", "110112", "110140"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_structure_of_a_key_is_judged_part_by_part() {
        let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        let good = "35261111222333000181550010000000011847362510";
        assert!(key_faults(good, now).is_empty());
        assert_eq!(key_faults("35261111222333000181550010000000011847362511", now), [236]);
        let mutated = |range: std::ops::Range<usize>, with: &str| {
            let mut key = good.to_owned();
            key.replace_range(range, with);
            key_faults(&key, now)
        };
        assert!(mutated(0..2, "99").contains(&614));
        assert!(mutated(2..4, "27").contains(&615));
        assert!(mutated(4..6, "13").contains(&616));
        assert!(mutated(6..20, "11222333000182").contains(&617));
        assert!(mutated(20..22, "57").contains(&618));
        assert!(mutated(25..34, "000000000").contains(&619));
    }

    #[test]
    fn old_keys_are_counted_in_months() {
        let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        assert_eq!(months_ago("35260511222333000181550010000000011847362510", now), 6);
        assert_eq!(months_ago("35251111222333000181550010000000011847362510", now), 12);
    }

    #[test]
    fn another_key_under_the_number_is_told_by_what_differs() {
        let stored = "35261111222333000181550010000000011847362510";
        let code = |asked: &str| other_key(asked, stored).cStat;
        assert_eq!(code("35261111222333000181550010000000011123456710"), 562);
        assert_eq!(code("35261011222333000181550010000000011847362510"), 561);
        assert_eq!(code("35261111222333000181550010000000016847362510"), 613);
    }
}
