//! What the Ambiente Nacional will say to a manifestation, as far as the received note tells. Pure.
//!
//! Law: NT 2020.001 v1.60, 4 and 6.3.8. A prediction never holds anything back: the note that is here may be older than the one there.

use fiscal::cstat;
use fiscal::event::TpEvento;
use fiscal::finding::Notice;
use jiff::Timestamp;
use store::received::{ReceivedDocument, Situacao};

const DAY: i64 = 86_400;
/// Days from the authorisation on.
const AWARENESS: i64 = 10;
const CONCLUSION: i64 = 90;

/// Every rule that the note breaks, in the order of the manual.
pub(super) fn foresee(kind: TpEvento, note: &ReceivedDocument, now: i64) -> Vec<Notice> {
    let facts = &note.facts;
    let days = if kind == TpEvento::Ciencia { AWARENESS } else { CONCLUSION };
    let authorised = facts.dhRecbto.as_deref().and_then(|text| text.parse::<Timestamp>().ok());
    let late = authorised.is_some_and(|at| now - at.as_second() > days * DAY);
    let others = facts.destinatario.as_deref().is_some_and(|number| number != note.cpf_cnpj.as_str());
    let ended = facts.situacao != Situacao::Autorizada;
    let concluded = note.manifestacao.as_ref().is_some_and(|(said, _)| said != "ciencia");
    let rules = [
        (575, others, "chave", "A nota foi emitida para outro destinatário.".to_owned()),
        (596, late, "tipo", format!("O prazo é de {days} dias, da autorização em diante.")),
        (650, ended && kind == TpEvento::Ciencia, "tipo", "A nota não está mais autorizada.".to_owned()),
        (651, ended && kind == TpEvento::Desconhecimento, "tipo", "A nota não está mais autorizada.".to_owned()),
        (655, concluded && kind == TpEvento::Ciencia, "tipo", "Já houve uma manifestação conclusiva.".to_owned()),
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
