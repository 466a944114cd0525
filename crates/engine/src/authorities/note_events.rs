//! Events registered on an NFS-e by any author, as its authority has them: the note itself never changes.
//!
//! Law: OpenAPI of the Sefin Nacional (2025-12), manual of the contributors 1.2 (`GET /nfse/{chave}/eventos`). The
//! caller counts the query.

use crate::Engine;
use crate::authorities::call::NoAnswer;
use crate::authorities::health::Channel;
use authority::nfse_nacional::{FoundNfseEvent, SefinEndpoint, read_events};
use authority::table::{AuthorityRole, AuthorityService};
use fiscal::nfse::registered::{self, RegisteredNfseEvent};
use fiscal::value::{Chave, ChaveNfse};
use store::jobs::{EventAct, ForeignEvent, ForeignEvents};
use uuid::Uuid;

/// Events of a note, each with its XML.
pub(crate) type NoteEvents = Vec<(RegisteredNfseEvent, String)>;

impl Engine {
    /// Queries all events of a note.
    pub(crate) async fn note_events(&self, channel: &Channel, chave: &ChaveNfse) -> Result<NoteEvents, NoAnswer> {
        let found = self.endpoint(channel, AuthorityService::RecepcaoEvento, AuthorityRole::Normal);
        let endpoint = found.map_err(|error| NoAnswer::NotSent(error.to_string()))?;
        let found = self.call(&SefinEndpoint::of(&endpoint).events(chave), channel, read_events).await?;
        let read = |FoundNfseEvent { xml }: FoundNfseEvent| match RegisteredNfseEvent::read(&xml) {
            Some(event) => Ok((event, xml)),
            None => Err(NoAnswer::NoReply("um evento da nota veio ilegível".to_owned())),
        };
        found.into_iter().map(read).collect()
    }

    /// Updates a note of ours by its registered events; notes of others are not stored.
    pub(crate) async fn update_note(
        &self,
        tenant: Uuid,
        chave: ChaveNfse,
        events: &NoteEvents,
    ) -> Result<(), store::Error> {
        if events.is_empty() {
            return Ok(());
        }
        let analysis = registered::analysis_state(events.iter().map(|(event, _)| event.tpEvento.as_str()));
        let learned = ForeignEvents {
            chave: chave.into(),
            events: events.iter().map(|(event, xml)| learned(event, xml)).collect(),
            analysis: analysis.map(registered::AnalysisState::word),
        };
        self.store().record_foreign_events(tenant, learned, self.now_s()).await.map(drop)
    }
}

fn learned(event: &RegisteredNfseEvent, xml: &str) -> ForeignEvent {
    ForeignEvent {
        act: EventAct {
            chave: event.chave.into(),
            tpEvento: event.tpEvento.clone(),
            nSeqEvento: event.nSeqEvento,
            nProt: event.nDFSe.clone(),
            dhRegEvento: Some(event.dhProc.clone()),
        },
        xml: xml.to_owned(),
        cancels: registered::cancels(&event.tpEvento),
        substituta: event.chSubstituta.map(Chave::from),
    }
}
