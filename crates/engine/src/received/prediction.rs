//! Prediction of the Ambiente Nacional's answer to a manifestation, from the received note. Pure.
//!
//! Law: NT 2020.001 v1.60, 4 and 6.3.8. A prediction never blocks an order: the note stored here may be older than the
//! authority's.

use fiscal::cstat;
use fiscal::event::NfeEventKind;
use fiscal::finding::Notice;
use fiscal::nfse::event_matrix::{self, RegisteredKinds};
use jiff::Timestamp;
use store::received::{Parte, ReceivedDocument, ReceivedWithEvents, Situacao};

const DAY: i64 = 86_400;
/// Days from the authorisation in which a "ciência" is registered (NT 2020.001 v1.60).
pub const AWARENESS: i64 = 10;
/// Days from the authorisation in which a conclusive manifestation is registered.
pub const CONCLUSION: i64 = 90;

/// Predictions about a party's manifestation on an NFS-e: its role, its earlier manifestation, obstacles (anexo II).
pub(super) fn predict_national(wanted: &str, papel: Option<Parte>, found: &ReceivedWithEvents) -> Vec<Notice> {
    let kinds: Vec<&str> = found.events.iter().map(|event| event.facts.tpEvento.as_str()).collect();
    if kinds.contains(&wanted) {
        // registered already: its own record answers the order
        return Vec::new();
    }
    let company = &found.note.cpf_cnpj;
    let is_party = papel.is_none_or(|papel| Parte::of(company, &found.note.facts).contains(&papel));
    let role = if company.tag() == "CNPJ" { "E0813" } else { "E0816" };
    let mut told = Vec::new();
    if !is_party {
        told.push(event_matrix::predicted_notice(role, "papel", "A nota não traz a empresa nessa parte."));
    }
    if event_matrix::has_manifested(&kinds, wanted) {
        told.push(event_matrix::predicted_notice("E1833", "tipo", "Esta parte já se manifestou."));
    }
    told.extend(event_matrix::hindrance_notice(RegisteredKinds { kinds: &kinds, blocked: None }, wanted, "tipo"));
    told
}

/// Every rule that the note breaks, in the order of the manual.
pub(super) fn predict(kind: NfeEventKind, note: &ReceivedDocument, now: i64) -> Vec<Notice> {
    let facts = &note.facts;
    let days = if kind == NfeEventKind::Ciencia { AWARENESS } else { CONCLUSION };
    let authorised = facts.dhRecbto.as_deref().and_then(|text| text.parse::<Timestamp>().ok());
    let late = authorised.is_some_and(|at| now - at.as_second() > days * DAY);
    let others = facts.destinatario.as_deref().is_some_and(|number| number != note.cpf_cnpj.as_str());
    let ended = facts.situacao != Situacao::Autorizada;
    let concluded = note.manifestacao.as_ref().is_some_and(|(said, _)| said != "ciencia");
    let rules = [
        (575, others, "chave", "A nota foi emitida para outro destinatário.".to_owned()),
        (596, late, "tipo", format!("O prazo é de {days} dias, da autorização em diante.")),
        (650, ended && kind == NfeEventKind::Ciencia, "tipo", "A nota não está mais autorizada.".to_owned()),
        (651, ended && kind == NfeEventKind::Desconhecimento, "tipo", "A nota não está mais autorizada.".to_owned()),
        (655, concluded && kind == NfeEventKind::Ciencia, "tipo", "Já houve uma manifestação conclusiva.".to_owned()),
    ];
    rules
        .into_iter()
        .filter(|(_, broken, ..)| *broken)
        .map(|(cStat, _, campo, why)| notice(cStat, campo, &why))
        .collect()
}

fn notice(cStat: u16, campo: &str, why: &str) -> Notice {
    let text = cstat::motivo(cStat).unwrap_or_default();
    Notice {
        campo: campo.to_owned(),
        codigo: "rejeicao_prevista".to_owned(),
        mensagem: format!("A SEFAZ deve rejeitar com {cStat}: {text}. {why}"),
        sugestao: None,
        codigo_status: Some(cStat.into()),
    }
}
