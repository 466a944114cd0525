//! The earlier event that a new one repeats or undoes.

use crate::Engine;
use crate::family::event::event_type::EventType;
use crate::family::event::ordered_event::PrecedingEvent;
use fiscal::value::Chave;
use store::events::EventRow;
use store::jobs::StoredFile;
use uuid::Uuid;

impl Engine {
    /// Finds the last registered event that an event of this type follows.
    pub(crate) async fn preceding_event(
        &self,
        tenant: Uuid,
        chave: Chave,
        kind: EventType,
    ) -> Result<PrecedingEvent, store::Error> {
        let Some(code) = kind.follows else { return Ok(PrecedingEvent::default()) };
        let events = self.store().events(tenant, chave.as_str()).await?;
        let last = |row: &&EventRow| row.registered && row.tpEvento == code;
        let Some(last) = events.into_iter().rev().find(|row| last(&row)) else { return Ok(PrecedingEvent::default()) };
        let xml = match last.job_id {
            Some(job) => match self.store().file(tenant, job, StoredFile::Event).await {
                Err(store::Error::NotFound) => None,
                found => Some(found?),
            },
            None => None,
        };
        Ok(PrecedingEvent { nProt: last.nProt, xml })
    }
}
