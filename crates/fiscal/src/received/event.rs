//! Events of received documents: of an NF-e in full or in summary, of a CT-e or an NFS-e in full.

use super::{DistributionReadError, key, number, optional_member, optional_protocol, required_member, truncated};
use crate::event::{NfeEventKind, cte};
use crate::nfse::registered::{RegisteredNfseEvent, cancels};
use crate::tipo::Tipo;
use crate::value::dfe_number;
use crate::xml::Element;

/// Data of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistributedEvent {
    /// Type of its document.
    pub tipo: Tipo,
    /// Key of its document.
    pub chave: String,
    pub tpEvento: String,
    /// Sequence number of its kind.
    pub nSeqEvento: u16,
    /// CNPJ or CPF of its author.
    pub author: Option<String>,
    /// RFC 3339.
    pub dhEvento: String,
    /// Instant of registration, RFC 3339.
    pub dhRegEvento: Option<String>,
    /// Key of the document that replaces the cancelled one.
    pub replaced_by: Option<String>,
    /// Description by the authority or the layout.
    pub description: Option<String>,
    /// Reason given by its author.
    pub reason: Option<String>,
    /// Protocol; for an NFS-e, the number of the event at its authority.
    pub nProt: Option<String>,
    /// True for the full event, false for its summary.
    pub whole: bool,
}

impl DistributedEvent {
    /// True when it ends the document.
    pub fn cancels(&self) -> bool {
        match self.tipo {
            Tipo::Cte => self.tpEvento == cte::CteEventKind::Cancelamento.code(),
            Tipo::Nfse => cancels(&self.tpEvento),
            _ => NfeEventKind::from_code(&self.tpEvento).is_some_and(NfeEventKind::is_cancellation),
        }
    }
}

/// Tags of an event and its registration.
pub(super) struct EventTags {
    tipo: Tipo,
    event: &'static str,
    registered: &'static str,
    chave: &'static str,
}

pub(super) const NFE: EventTags =
    EventTags { tipo: Tipo::Nfe, event: "evento", registered: "retEvento", chave: "chNFe" };
pub(super) const CTE: EventTags =
    EventTags { tipo: Tipo::Cte, event: "eventoCTe", registered: "retEventoCTe", chave: "chCTe" };

pub(super) fn summary(root: &Element) -> Result<DistributedEvent, DistributionReadError> {
    Ok(DistributedEvent {
        tipo: Tipo::Nfe,
        chave: key(root, "chNFe")?,
        tpEvento: required_member(root, "tpEvento")?,
        nSeqEvento: sequence(root),
        author: number(root),
        dhEvento: required_member(root, "dhEvento")?,
        dhRegEvento: optional_member(root, "dhRecbto"),
        replaced_by: None,
        description: optional_member(root, "xEvento"),
        reason: None,
        nProt: optional_protocol(root, "nProt"),
        whole: false,
    })
}

pub(super) fn whole(root: &Element, words: &EventTags) -> Result<DistributedEvent, DistributionReadError> {
    let inf = root.child(words.event).and_then(|event| event.child("infEvento"));
    let inf = inf.ok_or(DistributionReadError::Missing("infEvento"))?;
    let registered = root.child(words.registered).and_then(|answer| answer.child("infEvento"));
    let detail = inf.child("detEvento");
    // the content of a CT-e's event is one element deeper
    let said = detail.into_iter().flat_map(Element::children).find_map(|child| optional_member(child, "descEvento"));
    Ok(DistributedEvent {
        tipo: words.tipo,
        chave: key(inf, words.chave)?,
        tpEvento: required_member(inf, "tpEvento")?,
        nSeqEvento: sequence(inf),
        author: number(inf),
        dhEvento: required_member(inf, "dhEvento")?,
        dhRegEvento: registered.and_then(|answer| optional_member(answer, "dhRegEvento")),
        replaced_by: None,
        description: detail.and_then(|detail| optional_member(detail, "descEvento")).or(said),
        reason: detail.and_then(|detail| optional_member(detail, "xJust")),
        nProt: registered.and_then(|answer| optional_protocol(answer, "nProt")),
        whole: true,
    })
}

/// Reads an event of an NFS-e, as registered by the authority.
pub(super) fn of_services(root: &Element) -> Result<DistributedEvent, DistributionReadError> {
    let asked = root.at("infEvento/pedRegEvento/infPedReg").ok_or(DistributionReadError::Missing("infPedReg"))?;
    let event = RegisteredNfseEvent::of(root).ok_or(DistributionReadError::Missing("infEvento"))?;
    Ok(DistributedEvent {
        tipo: Tipo::Nfse,
        chave: event.chave.as_str().to_owned(),
        tpEvento: event.tpEvento,
        nSeqEvento: event.nSeqEvento,
        author: optional_member(asked, "CNPJAutor").or_else(|| optional_member(asked, "CPFAutor")),
        dhEvento: required_member(asked, "dhEvento")?,
        dhRegEvento: Some(truncated(&event.dhProc).to_owned()),
        replaced_by: event.chSubstituta.map(|chave| chave.as_str().to_owned()),
        description: event.xDesc.as_deref().map(truncated).map(str::to_owned),
        reason: event.motivo.as_deref().map(truncated).map(str::to_owned),
        nProt: event.nDFSe.as_deref().and_then(dfe_number).map(str::to_owned),
        whole: true,
    })
}

fn sequence(element: &Element) -> u16 {
    element.text_at("nSeqEvento").and_then(|text| text.parse().ok()).unwrap_or(1)
}
