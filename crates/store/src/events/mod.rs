//! The ledger of events: which sequence numbers of a document are held, registered, or somebody else's.
//!
//! Law: MOC 7.0, visão geral, 5.8 (`nSeqEvento`, cStat 573 and 594). A number is taken in the order in which the events
//! were asked for: a correction replaces the one before it, so a later one must have a higher number. Must not know:
//! what an event says.

use crate::row::{Params, Row, first, params};
use crate::tx::{Operation, Step, Tx};
use crate::{Error, Store};
use fiscal::value::Chave;
use uuid::Uuid;

/// An event to register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// The document.
    pub chave: Chave,
    /// Kind of event.
    pub tpEvento: String,
    /// The highest sequence number allowed; 1: the event happens once, and every job that asks for it means the same.
    pub most: u16,
}

/// An event in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    /// Kind of event.
    pub tpEvento: String,
    /// Sequence number.
    pub nSeqEvento: u16,
    /// The job that asked for it; none when it is not ours.
    pub job_id: Option<Uuid>,
    /// Whether the authority has it.
    pub registered: bool,
    /// Protocol.
    pub nProt: Option<String>,
    /// RFC 3339.
    pub dhRegEvento: Option<String>,
}

impl Store {
    /// The events of a document, by kind and sequence number.
    pub async fn events(&self, tenant: Uuid, chave: &str) -> Result<Vec<EventRow>, Error> {
        self.read(ReadEvents { tenant, chave: chave.to_owned() }).await
    }
}

/// The sequence number of a job's event: the one it holds, or else the next one.
pub(crate) async fn hold<T: Tx>(tx: &mut T, tenant: Uuid, job: Uuid, event: &NewEvent) -> Result<u16, Error> {
    if event.most == 1 {
        return Ok(1);
    }
    let held = "SELECT nSeqEvento FROM events WHERE tenant_id = $1 AND job_id = $2";
    if let Some(held) = first(tx.query(held, &params![tenant, job]).await?)? {
        return Ok(held);
    }
    let last = "SELECT COALESCE(MAX(nSeqEvento), 0) FROM events WHERE tenant_id = $1 AND chave = $2 AND tpEvento = $3";
    let take = "INSERT INTO events (tenant_id, chave, tpEvento, nSeqEvento, job_id, state)
                VALUES ($1, $2, $3, $4, $5, 'reserved') ON CONFLICT DO NOTHING RETURNING nSeqEvento";
    // each turn that takes nothing means that another transaction took that number and has committed
    for _ in 0..=event.most {
        let key = params![tenant, event.chave.as_str(), &event.tpEvento];
        let next: u16 = first::<u16>(tx.query(last, &key).await?)?.unwrap_or_default().saturating_add(1);
        if next > event.most {
            return Err(Error::EventsExhausted);
        }
        if !tx.query(take, &with(key, params![next, job])).await?.is_empty() {
            return Ok(next);
        }
    }
    Err(Error::EventsExhausted)
}

/// Gives back the number that a job holds for an event which will not be registered.
pub(crate) fn release(tenant: Uuid, job: Uuid) -> Step<'static> {
    let sql = "DELETE FROM events WHERE tenant_id = $1 AND job_id = $2 AND state = 'reserved'";
    Step::new(sql, params![tenant, job])
}

/// The number that a job holds turned out to be another's event.
pub(crate) fn foreign(tenant: Uuid, job: Uuid) -> Step<'static> {
    let sql = "UPDATE events SET state = 'registered', job_id = NULL WHERE tenant_id = $1 AND job_id = $2";
    Step::new(sql, params![tenant, job])
}

/// The authority has the event: chave, tpEvento, nSeqEvento, then nProt and dhRegEvento. The first job that says so
/// keeps it.
pub(crate) fn registered(tenant: Uuid, job: Uuid, event: &crate::jobs::EventAct) -> Step<'static> {
    let sql = "INSERT INTO events (tenant_id, chave, tpEvento, nSeqEvento, job_id, state, nProt, dhRegEvento)
               VALUES ($1, $2, $3, $4, $5, 'registered', $6, $7)
               ON CONFLICT (tenant_id, chave, tpEvento, nSeqEvento)
               DO UPDATE SET state = 'registered', nProt = excluded.nProt, dhRegEvento = excluded.dhRegEvento,
                   job_id = COALESCE(events.job_id, excluded.job_id)";
    let params = params![
        tenant,
        event.chave.as_str(),
        &event.tpEvento,
        event.nSeqEvento,
        job,
        event.nProt.as_ref(),
        event.dhRegEvento.as_ref()
    ];
    Step::new(sql, params)
}

fn with(mut params: Params, more: Params) -> Params {
    params.extend(more);
    params
}

struct ReadEvents {
    tenant: Uuid,
    chave: String,
}

impl Operation for ReadEvents {
    type Output = Vec<EventRow>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<EventRow>, Error> {
        let sql = "SELECT tpEvento, nSeqEvento, job_id, state, nProt, dhRegEvento FROM events
                   WHERE tenant_id = $1 AND chave = $2 ORDER BY tpEvento, nSeqEvento";
        tx.query(sql, &params![self.tenant, &self.chave]).await?.into_iter().map(read).collect()
    }
}

fn read(mut row: Row) -> Result<EventRow, Error> {
    Ok(EventRow {
        tpEvento: row.take()?,
        nSeqEvento: row.take()?,
        job_id: row.take()?,
        registered: row.take::<String>()? == "registered",
        nProt: row.take()?,
        dhRegEvento: row.take()?,
    })
}

crate::erased::erasable!(ReadEvents);
