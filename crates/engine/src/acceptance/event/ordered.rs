//! What an event is written from: the order as it is kept, the document it is about, and the event before it that it
//! takes up.

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
    /// Number that its authority gave the document; of a document that has one of its own, none.
    pub(crate) numero: Option<u64>,
    /// What the provider of its city hall wants.
    pub(crate) dialect: Option<&'s Dialect>,
    pub(crate) former: Former,
    /// In the civil time of the state.
    pub(crate) now: &'s str,
}

/// Where, by whom and under which number an event is made.
pub(crate) struct Occasion {
    pub(crate) ambiente: TpAmb,
    pub(crate) autor: CnpjCpf,
    pub(crate) nSeqEvento: u16,
}

impl OrderedEvent<'_> {
    /// The envelope of an event of the SEFAZ family.
    pub(crate) fn envelope(&self, occasion: &Occasion) -> Option<Envelope<'_>> {
        let Occasion { ambiente, autor, nSeqEvento } = *occasion;
        Some(Envelope { chave: self.chave.acesso()?, ambiente, autor, dhEvento: self.now, nSeqEvento })
    }
}

/// The last registered event of the kind that this one takes up; empty when there is none.
#[derive(Default)]
pub(crate) struct Former {
    pub(crate) nProt: Option<String>,
    /// With the authority's answer; absent when another system registered it.
    pub(crate) xml: Option<String>,
}

impl Engine {
    /// What an event of this kind takes up.
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
