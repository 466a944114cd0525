//! Registered events of a national NFS-e, as the registering authority writes them, and the state of an NFS-e by its
//! events.
//!
//! Law: anexo II (events), layout of `evento` 1.01. The NFS-e itself never changes; its events determine its state.

use crate::value::ChaveNfse;
use crate::xml::{self, Element};

/// A registered event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredNfseEvent {
    /// Six digits.
    pub tpEvento: String,
    /// Number of the event, assigned by the registering authority.
    pub nSeqEvento: u16,
    /// Key of the NFS-e.
    pub chave: ChaveNfse,
    /// Time of registration, as written.
    pub dhProc: String,
    /// Number among all documents registered there.
    pub nDFSe: Option<String>,
    /// Text that the layout fixes for the kind.
    pub xDesc: Option<String>,
    /// Text of the reason: `xMotivo`, or `xProcAdm` of the município.
    pub motivo: Option<String>,
    /// Key of the substitute, for a cancellation by substitution.
    pub chSubstituta: Option<ChaveNfse>,
    /// Kind of the blocked event, for a block by the município.
    pub codEvento: Option<String>,
}

/// State of an NFS-e.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NfseState {
    /// Valid.
    Authorized,
    /// Cancelled by its issuer, after analysis, or by the município itself.
    Cancelled,
    /// Replaced by another.
    Replaced,
}

/// State of a request for analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnalysisState {
    /// Requested, not answered.
    Pending,
    /// Granted: the NFS-e is thereby cancelled.
    Granted,
    /// Refused.
    Refused,
}

/// `e101101`: cancellation by the issuer.
pub const CANCELLATION: &str = "101101";
/// `e101103`: request for analysis by the issuer.
pub const ANALYSIS: &str = "101103";
const REPLACED: &str = "105102";
const GRANTED: &str = "105104";
const REFUSED: &str = "105105";
const BY_OFFICE: &str = "305101";

/// Kinds that end the validity of an NFS-e.
pub const CANCELLATIONS: [&str; 4] = [CANCELLATION, REPLACED, GRANTED, BY_OFFICE];

/// Kinds and their texts, from every registering authority.
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

/// Returns the text of a kind.
pub fn description(tpEvento: &str) -> Option<&'static str> {
    DESCRIPTIONS.iter().find(|(kind, _)| *kind == tpEvento).map(|(_, text)| *text)
}

/// True for a kind that ends the validity of an NFS-e.
pub fn cancels(tpEvento: &str) -> bool {
    CANCELLATIONS.contains(&tpEvento)
}

/// Returns the state of an NFS-e with events of these kinds.
pub fn state_by_events<'e>(kinds: impl IntoIterator<Item = &'e str>) -> NfseState {
    kinds.into_iter().fold(NfseState::Authorized, |standing, kind| match (standing, kind) {
        (_, REPLACED) | (NfseState::Replaced, _) => NfseState::Replaced,
        (_, kind) if cancels(kind) => NfseState::Cancelled,
        (standing, _) => standing,
    })
}

/// Returns the state of the request for analysis, if there was one.
pub fn analysis_state<'e>(kinds: impl IntoIterator<Item = &'e str>) -> Option<AnalysisState> {
    kinds.into_iter().fold(None, |analysis, kind| match (analysis, kind) {
        (_, GRANTED) => Some(AnalysisState::Granted),
        (_, REFUSED) => Some(AnalysisState::Refused),
        (None, ANALYSIS) => Some(AnalysisState::Pending),
        (analysis, _) => analysis,
    })
}

impl AnalysisState {
    /// Returns the word of the API.
    pub fn word(self) -> &'static str {
        match self {
            AnalysisState::Pending => "pendente",
            AnalysisState::Granted => "deferida",
            AnalysisState::Refused => "indeferida",
        }
    }
}

impl RegisteredNfseEvent {
    /// Reads an `evento`; `None` for any other text.
    pub fn read(evento: &str) -> Option<RegisteredNfseEvent> {
        RegisteredNfseEvent::of(&xml::read(evento.as_bytes()).ok()?)
    }

    /// Reads a parsed `evento`.
    pub fn of(root: &Element) -> Option<RegisteredNfseEvent> {
        let event = root.child("infEvento").filter(|_| root.name == "evento")?;
        let asked = event.at("pedRegEvento/infPedReg")?;
        let (kind, detail) = asked.children().find_map(|child| Some((kind(child)?, child)))?;
        let said = |path: &str| detail.text_at(path).filter(|text| !text.is_empty()).map(str::to_owned);
        Some(RegisteredNfseEvent {
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

/// Returns `101101` for a child `e101101`.
fn kind(child: &Element) -> Option<&str> {
    child.name.strip_prefix('e').filter(|kind| kind.len() == 6 && kind.bytes().all(|letter| letter.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_events_of_a_note_say_whether_it_stands() {
        let standing = |kinds: &[&'static str]| state_by_events(kinds.iter().copied());
        assert_eq!(standing(&[]), NfseState::Authorized);
        assert_eq!(standing(&["101103", "105105", "203202", "305102"]), NfseState::Authorized);
        for kind in ["101101", "105104", "305101"] {
            assert_eq!(standing(&["203206", kind]), NfseState::Cancelled, "{kind}");
        }
        assert_eq!(standing(&["105102", "101101"]), NfseState::Replaced);
    }

    #[test]
    fn a_request_for_analysis_waits_until_it_is_answered() {
        let analysis = |kinds: &[&'static str]| analysis_state(kinds.iter().copied());
        assert_eq!(analysis(&["101101"]), None);
        assert_eq!(analysis(&["101103"]), Some(AnalysisState::Pending));
        assert_eq!(analysis(&["101103", "105104"]), Some(AnalysisState::Granted));
        assert_eq!(analysis(&["105105", "101103"]), Some(AnalysisState::Refused));
    }

    #[test]
    fn what_is_no_event_is_not_read() {
        for text in [
            "",
            "<evento/>",
            "<NFSe><infEvento/></NFSe>",
            "<evento><infEvento><nSeqEvento>1</nSeqEvento></infEvento></evento>",
        ] {
            assert_eq!(RegisteredNfseEvent::read(text), None, "{text}");
        }
    }
}
