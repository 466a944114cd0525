//! A registered event of a national NFS-e, as whoever registered it writes it, and what the events of a note make of
//! it.
//!
//! Law: anexo II (events), layout of `evento` 1.01; `reference/nfse.md` 6 (the NFS-e itself never changes: its state is
//! its events).

use crate::value::ChaveNfse;
use crate::xml::{self, Element};

/// An event that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredEvent {
    /// Six digits.
    pub tpEvento: String,
    /// Counted by whoever registers it.
    pub nSeqEvento: u16,
    /// Of the note.
    pub chave: ChaveNfse,
    /// When it was registered, as written.
    pub dhProc: String,
    /// Its number among everything registered there.
    pub nDFSe: Option<String>,
    /// The text that the layout fixes for its kind.
    pub xDesc: Option<String>,
    /// The reason in words: `xMotivo`, or `xProcAdm` of the município.
    pub motivo: Option<String>,
    /// Of a cancellation by substitution: the note that took the place.
    pub chSubstituta: Option<ChaveNfse>,
    /// Of a block by the município: the kind that it is of.
    pub codEvento: Option<String>,
}

/// What a note is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It stands.
    Authorized,
    /// Cancelled by its issuer, after analysis, or by the município itself.
    Cancelled,
    /// Another took its place.
    Replaced,
}

/// What became of a request for analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Analysis {
    /// Asked for, not answered.
    Pending,
    /// Granted: the note is cancelled by it.
    Granted,
    /// Refused.
    Refused,
}

/// `e101101`: its issuer cancels.
pub const CANCELLATION: &str = "101101";
/// `e101103`: its issuer asks for analysis.
pub const ANALYSIS: &str = "101103";
const REPLACED: &str = "105102";
const GRANTED: &str = "105104";
const REFUSED: &str = "105105";
const BY_OFFICE: &str = "305101";

/// Kinds after which the note stands no more.
pub const CANCELLATIONS: [&str; 4] = [CANCELLATION, REPLACED, GRANTED, BY_OFFICE];

/// The kinds, by their texts: whoever registers them.
const DESCRIPTIONS: [(&str, &str); 16] = [
    (CANCELLATION, "Cancelamento de NFS-e"),
    (REPLACED, "Cancelamento de NFS-e por Substituição"),
    (ANALYSIS, "Solicitação de Análise Fiscal para Cancelamento de NFS-e"),
    (GRANTED, "Cancelamento de NFS-e Deferido por Análise Fiscal"),
    (REFUSED, "Cancelamento de NFS-e Indeferido por Análise Fiscal"),
    ("202201", "Manifestação de NFS-e - Confirmação do Prestador"),
    ("203202", "Manifestação de NFS-e - Confirmação do Tomador"),
    ("204203", "Manifestação de NFS-e - Confirmação do Intermediário"),
    ("205204", "Manifestação de NFS-e - Confirmação Tácita"),
    ("202205", "Manifestação de NFS-e - Rejeição do Prestador"),
    ("203206", "Manifestação de NFS-e - Rejeição do Tomador"),
    ("204207", "Manifestação de NFS-e - Rejeição do Intermediário"),
    ("205208", "Manifestação de NFS-e - Anulação da Rejeição"),
    (BY_OFFICE, "Cancelamento de NFS-e por Ofício"),
    ("305102", "Bloqueio de NFS-e por Ofício"),
    ("305103", "Desbloqueio de NFS-e por Ofício"),
];

/// The text of a kind.
pub fn description(tpEvento: &str) -> Option<&'static str> {
    DESCRIPTIONS.iter().find(|(kind, _)| *kind == tpEvento).map(|(_, text)| *text)
}

/// Whether the note stands no more after an event of this kind.
pub fn cancels(tpEvento: &str) -> bool {
    CANCELLATIONS.contains(&tpEvento)
}

/// What the kinds of events of a note make of it.
pub fn standing<'e>(kinds: impl IntoIterator<Item = &'e str>) -> Standing {
    kinds.into_iter().fold(Standing::Authorized, |standing, kind| match (standing, kind) {
        (_, REPLACED) | (Standing::Replaced, _) => Standing::Replaced,
        (_, kind) if cancels(kind) => Standing::Cancelled,
        (standing, _) => standing,
    })
}

/// How the request for analysis stands, when there was one.
pub fn analysis<'e>(kinds: impl IntoIterator<Item = &'e str>) -> Option<Analysis> {
    kinds.into_iter().fold(None, |analysis, kind| match (analysis, kind) {
        (_, GRANTED) => Some(Analysis::Granted),
        (_, REFUSED) => Some(Analysis::Refused),
        (None, ANALYSIS) => Some(Analysis::Pending),
        (analysis, _) => analysis,
    })
}

impl Analysis {
    /// The word of the interface.
    pub fn word(self) -> &'static str {
        match self {
            Analysis::Pending => "pendente",
            Analysis::Granted => "deferida",
            Analysis::Refused => "indeferida",
        }
    }
}

impl RegisteredEvent {
    /// Reads an `evento`; `None` when it is none.
    pub fn read(evento: &str) -> Option<RegisteredEvent> {
        RegisteredEvent::of(&xml::read(evento.as_bytes()).ok()?)
    }

    /// The same of an `evento` that was read.
    pub fn of(root: &Element) -> Option<RegisteredEvent> {
        let event = root.child("infEvento").filter(|_| root.name == "evento")?;
        let asked = event.at("pedRegEvento/infPedReg")?;
        let (kind, detail) = asked.children().find_map(|child| Some((kind(child)?, child)))?;
        let said = |path: &str| detail.text_at(path).filter(|text| !text.is_empty()).map(str::to_owned);
        Some(RegisteredEvent {
            tpEvento: kind.to_owned(),
            nSeqEvento: event.text_at("nSeqEvento")?.parse().ok()?,
            chave: ChaveNfse::parse(asked.text_at("chNFSe")?).ok()?,
            dhProc: event.text_at("dhProc")?.to_owned(),
            nDFSe: event.text_at("nDFSe").filter(|text| !text.is_empty()).map(str::to_owned),
            xDesc: said("xDesc"),
            motivo: said("xMotivo").or_else(|| said("xProcAdm")),
            chSubstituta: said("chSubstituta").and_then(|key| ChaveNfse::parse(&key).ok()),
            codEvento: said("codEvento").map(|kind| kind.trim_start_matches('e').to_owned()),
        })
    }
}

/// `101101` of a child `e101101`.
fn kind(child: &Element) -> Option<&str> {
    child.name.strip_prefix('e').filter(|kind| kind.len() == 6 && kind.bytes().all(|letter| letter.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_events_of_a_note_say_whether_it_stands() {
        let standing = |kinds: &[&'static str]| standing(kinds.iter().copied());
        assert_eq!(standing(&[]), Standing::Authorized);
        assert_eq!(standing(&["101103", "105105", "203202", "305102"]), Standing::Authorized);
        for kind in ["101101", "105104", "305101"] {
            assert_eq!(standing(&["203206", kind]), Standing::Cancelled, "{kind}");
        }
        assert_eq!(standing(&["105102", "101101"]), Standing::Replaced);
    }

    #[test]
    fn a_request_for_analysis_waits_until_it_is_answered() {
        let analysis = |kinds: &[&'static str]| analysis(kinds.iter().copied());
        assert_eq!(analysis(&["101101"]), None);
        assert_eq!(analysis(&["101103"]), Some(Analysis::Pending));
        assert_eq!(analysis(&["101103", "105104"]), Some(Analysis::Granted));
        assert_eq!(analysis(&["105105", "101103"]), Some(Analysis::Refused));
    }

    #[test]
    fn what_is_no_event_is_not_read() {
        for text in [
            "",
            "<evento/>",
            "<NFSe><infEvento/></NFSe>",
            "<evento><infEvento><nSeqEvento>1</nSeqEvento></infEvento></evento>",
        ] {
            assert_eq!(RegisteredEvent::read(text), None, "{text}");
        }
    }
}
