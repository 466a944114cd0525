//! What a CT-e's own history says of an event about to be registered: it forbids it, or tells that the authority will refuse it.
//!
//! Law: MOC CT-e 4.00, anexo I, rules O and Q of each event; `spec/not-shown.md` §11.1 (a cancellation that cannot be is a 409). What only the
//! authority knows (MDF-e, complements and substitutes of others) is left to the authority.

use crate::acceptance::order::{OnDocument, Order};
use fiscal::cstat;
use fiscal::event::cte::TpEvento;
use fiscal::finding::Notice;
use fiscal::xml::Element;
use jiff::Timestamp;
use serde_json::Value;
use std::collections::BTreeSet;
use store::events::EventRow;
use store::jobs::Document;

/// A document, and what is to be done to it.
pub(crate) struct History<'h> {
    pub(crate) order: &'h Order,
    pub(crate) document: &'h Document,
    /// As its authority has it: `cteProc`.
    pub(crate) archive: &'h Element,
    pub(crate) events: &'h [EventRow],
    /// The last event that somebody else registered and that did not end it.
    pub(crate) last: Option<&'h Element>,
    pub(crate) now: i64,
}

/// What the authority would say, as remarks; of a cancellation that cannot be, why.
pub(crate) fn look(history: &History<'_>) -> Result<Vec<Notice>, String> {
    match super::which(history.order) {
        Some(TpEvento::Cancelamento) => match history.cancellation() {
            Some((cStat, why)) => Err(format!("{why} A autoridade responderia {cStat}.")),
            None => Ok(Vec::new()),
        },
        Some(TpEvento::ComprovanteEntrega) => Ok(history.proof()),
        Some(TpEvento::InsucessoEntrega) => Ok(history.at("dhTentativaEntrega", "dados.dhTentativaEntrega")),
        Some(TpEvento::RegistroMultimodal) => Ok(told([(679, "tipo", history.says("ide/modal") != "06")])),
        Some(TpEvento::InformacoesGtv) => Ok(told([
            (889, "tipo", history.says("ide/tpServ") != "7"),
            (890, "tipo", history.inside().is_some_and(|inside| inside.at("infCTeNorm/infGTVe").is_some())),
        ])),
        Some(TpEvento::Desacordo) => Ok(told([(787, "tipo", history.is_older_than(DISAGREEMENT_S))])),
        _ => Ok(Vec::new()),
    }
}

impl<'h> History<'h> {
    fn cancellation(&self) -> Option<(u16, &'static str)> {
        let reasons = [
            (
                220,
                self.is_older_than(CANCELLATION_S),
                "O prazo de cancelamento do CT-e, 168 horas (7 dias) da autorização, já passou.",
            ),
            (574, self.says("ide/tpCTe") == "3", "Um CT-e de substituição não pode ser cancelado."),
            (
                523,
                self.registered("110110") > 0,
                "Um CT-e com carta de correção registrada não pode mais ser cancelado.",
            ),
            (
                862,
                self.registered("110180") > self.registered("110181"),
                "O CT-e tem um comprovante de entrega em vigor: cancele antes o comprovante (tipo cancelar_comprovante_entrega).",
            ),
        ];
        reasons.into_iter().find(|(_, broken, _)| *broken).map(|(cStat, _, why)| (cStat, why))
    }

    fn proof(&self) -> Vec<Notice> {
        let (normal, delivered) = (self.says("ide/tpServ") == "0", self.delivered());
        let in_force = self.registered("110180") > self.registered("110181");
        let mut found = told([
            (869, "tipo", self.says("ide/tpCTe") == "1"),
            (870, "tipo", in_force && self.says("ide/indGlobalizado") != "1"),
            (865, INF_ENTREGA, normal && !self.carried().is_empty() && delivered.is_empty()),
            (871, INF_ENTREGA, !normal && !delivered.is_empty()),
        ]);
        found.extend(self.at("dhEntrega", "dados.dhEntrega"));
        found
    }

    /// When it was, and what was delivered or not.
    fn at(&self, tag: &str, campo: &'static str) -> Vec<Notice> {
        let carried = self.carried();
        told([
            (872, campo, self.is_impossible(tag)),
            (864, INF_ENTREGA, self.delivered().iter().any(|chave| !carried.contains(chave))),
        ])
    }

    /// Before the document was issued, or in the future.
    fn is_impossible(&self, tag: &str) -> bool {
        let Order::Evento(OnDocument { act, .. }) = self.order else { return false };
        let instant = |text: &str| text.parse::<Timestamp>().ok().map(Timestamp::as_second);
        let Some(at) = act.dados.get(tag).and_then(Value::as_str).and_then(instant) else { return false };
        instant(self.says("ide/dhEmi")).is_some_and(|issued| at < issued) || at - self.now > CLOCKS_S
    }

    /// Keys of the notes that the caller says were delivered.
    fn delivered(&self) -> Vec<&'h str> {
        let Order::Evento(OnDocument { act, .. }) = self.order else { return Vec::new() };
        let listed = act.dados.get("infEntrega").and_then(Value::as_array);
        listed.into_iter().flatten().filter_map(|one| one.get("chNFe").unwrap_or(one).as_str()).collect()
    }

    /// Keys of the notes that the document carries.
    fn carried(&self) -> BTreeSet<&'h str> {
        let documents = self.inside().and_then(|inside| inside.at("infCTeNorm/infDoc"));
        let notes = documents.into_iter().flat_map(|documents| documents.children().filter(|one| one.name == "infNFe"));
        notes.filter_map(|note| note.text_at("chave")).collect()
    }

    fn inside(&self) -> Option<&'h Element> {
        ["CTe", "CTeOS"].iter().find_map(|root| self.archive.at(&format!("{root}/infCte")))
    }

    fn says(&self, path: &str) -> &'h str {
        self.inside().and_then(|inside| inside.text_at(path)).unwrap_or_default()
    }

    fn registered(&self, code: &str) -> usize {
        self.events.iter().filter(|row| row.registered && row.tpEvento == code).count()
    }

    fn is_older_than(&self, seconds: i64) -> bool {
        let authorised = self.document.dhRecbto.as_deref().and_then(|text| text.parse::<Timestamp>().ok());
        authorised.is_some_and(|at| self.now - at.as_second() > seconds)
    }
}

/// The rules that are broken, as predictions.
fn told<const N: usize>(rules: [(u16, &str, bool); N]) -> Vec<Notice> {
    let broken = rules.into_iter().filter(|(_, _, broken)| *broken);
    broken
        .map(|(cStat, campo, _)| Notice {
            campo: campo.to_owned(),
            codigo: "rejeicao_prevista".to_owned(),
            mensagem: format!(
                "A SEFAZ deve rejeitar com {cStat}: {}.",
                cstat::cte::motivo(cStat).unwrap_or_default().trim_end_matches('.')
            ),
            sugestao: None,
            codigo_status: Some(cStat.into()),
        })
        .collect()
}

const INF_ENTREGA: &str = "dados.infEntrega";
/// 168 hours from the authorisation on (rule 220).
const CANCELLATION_S: i64 = 168 * 3_600;
/// Clocks may differ by this (rule 872).
const CLOCKS_S: i64 = 300;
/// 45 days from the authorisation on (rule 787).
const DISAGREEMENT_S: i64 = 45 * 86_400;
