//! Inputs of an event: the stored order, its document, and the earlier event that it repeats or undoes.

use super::kind::EventType;
use crate::Engine;
use crate::acceptance::order::Order;
use fiscal::abrasf::Dialect;
use fiscal::event::Envelope;
use fiscal::value::{Chave, CnpjCpf, TpAmb};
use store::events::EventRow;
use store::jobs::File;
use uuid::Uuid;

/// An ordered event beside its document.
pub(crate) struct OrderedEvent<'s> {
    pub(crate) order: &'s Order,
    pub(crate) chave: Chave,
    /// Protocol of the document's authorisation; empty when the document is not ours.
    pub(crate) nProt: &'s str,
    /// Number that the authority gave the document; `None` for a document with a number of its own.
    pub(crate) numero: Option<u64>,
    /// Dialect of the municipal provider.
    pub(crate) dialect: Option<&'s Dialect>,
    pub(crate) former: Former,
    /// Current civil time of the state.
    pub(crate) now: &'s str,
}

/// Environment, author and sequence number of an event.
pub(crate) struct Occasion {
    pub(crate) ambiente: TpAmb,
    pub(crate) autor: CnpjCpf,
    pub(crate) nSeqEvento: u16,
}

impl OrderedEvent<'_> {
    /// Envelope of an event of the SEFAZ family.
    pub(crate) fn envelope(&self, occasion: &Occasion) -> Option<Envelope<'_>> {
        let Occasion { ambiente, autor, nSeqEvento } = *occasion;
        Some(Envelope { chave: self.chave.acesso()?, ambiente, autor, dhEvento: self.now, nSeqEvento })
    }
}

/// The last registered event that a new one repeats or undoes; empty when there is none.
#[derive(Default)]
pub(crate) struct Former {
    pub(crate) nProt: Option<String>,
    /// With the authority's answer; absent when another system registered it.
    pub(crate) xml: Option<String>,
}

impl Engine {
    /// Finds the last registered event that an event of this type follows.
    pub(crate) async fn former(&self, tenant: Uuid, chave: Chave, kind: EventType) -> Result<Former, store::Error> {
        let Some(code) = kind.follows else { return Ok(Former::default()) };
        let events = self.store().events(tenant, chave.as_str()).await?;
        let last = |row: &&EventRow| row.registered && row.tpEvento == code;
        let Some(last) = events.into_iter().rev().find(|row| last(&row)) else { return Ok(Former::default()) };
        let xml = match last.job_id {
            Some(job) => match self.store().file(tenant, job, File::Event).await {
                Err(store::Error::NotFound) => None,
                found => Some(found?),
            },
            None => None,
        };
        Ok(Former { nProt: last.nProt, xml })
    }
}
