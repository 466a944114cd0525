//! Inputs of an event: the stored order, its document, and the earlier event that it repeats or undoes.

use crate::order::Order;
use fiscal::abrasf::AbrasfDialect;
use fiscal::event::EventEnvelope;
use fiscal::value::{Chave, CnpjCpf, TpAmb};

/// An ordered event beside its document.
pub(crate) struct OrderedEvent<'s> {
    pub(crate) order: &'s Order,
    pub(crate) chave: Chave,
    /// Protocol of the document's authorisation; empty when the document is not ours.
    pub(crate) nProt: &'s str,
    /// Number that the authority gave the document; `None` for a document with a number of its own.
    pub(crate) numero: Option<u64>,
    /// Dialect of the municipal provider.
    pub(crate) dialect: Option<&'s AbrasfDialect>,
    pub(crate) former: PrecedingEvent,
    /// Current civil time of the state.
    pub(crate) now: &'s str,
}

/// Environment, author and sequence number of an event.
pub(crate) struct EventHeader {
    pub(crate) ambiente: TpAmb,
    pub(crate) autor: CnpjCpf,
    pub(crate) nSeqEvento: u16,
}

impl OrderedEvent<'_> {
    /// Envelope of an event of the SEFAZ family.
    pub(crate) fn envelope(&self, occasion: &EventHeader) -> Option<EventEnvelope<'_>> {
        let EventHeader { ambiente, autor, nSeqEvento } = *occasion;
        Some(EventEnvelope { chave: self.chave.acesso()?, ambiente, autor, dhEvento: self.now, nSeqEvento })
    }
}

/// The last registered event that a new one repeats or undoes; empty when there is none.
#[derive(Default)]
pub(crate) struct PrecedingEvent {
    pub(crate) nProt: Option<String>,
    /// With the authority's answer; absent when another system registered it.
    pub(crate) xml: Option<String>,
}
