//! The ledger of events: sequence numbers of a document that are held, registered, or used by other systems.
//!
//! Law: MOC 7.0, visão geral, 5.8 (`nSeqEvento`, cStat 573 and 594). Numbers are taken in the order of the requests: a
//! correction replaces the one before it, so a later one must have a higher number.
//! Must not know: the content of an event.

pub(crate) mod new_event;

pub use new_event::NewEvent;

use crate::jobs::act::EventAct;
use crate::row::{Params, Row, first, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store};
use uuid::Uuid;

/// An event in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    /// Kind of event.
    pub tpEvento: String,
    pub nSeqEvento: u16,
    /// Job that requested it; `None` for an event of another system.
    pub job_id: Option<Uuid>,
    /// `true` if the authority has registered it.
    pub registered: bool,
    /// Protocol.
    pub nProt: Option<String>,
    /// RFC 3339.
    pub dhRegEvento: Option<String>,
}

impl Store {
    /// Returns the events of a document by kind and sequence number.
    pub async fn events(&self, tenant: Uuid, chave: &str) -> Result<Vec<EventRow>, Error> {
        self.read(ReadEvents { tenant, chave: chave.to_owned() }).await
    }
}

/// Returns the sequence number of a job's event: the one it holds, or else the next one.
pub(crate) async fn hold_event_number<T: Tx>(
    tx: &mut T,
    tenant: Uuid,
    job: Uuid,
    event: &NewEvent,
) -> Result<u16, Error> {
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
    // An attempt that inserts nothing means that another transaction took the number and has committed.
    for _ in 0..=event.most {
        let key = params![tenant, event.chave.as_str(), &event.tpEvento];
        let next: u16 = first::<u16>(tx.query(last, &key).await?)?.unwrap_or_default().saturating_add(1);
        if next > event.most {
            return Err(Error::EventsExhausted);
        }
        if !tx.query(take, &extended(key, params![next, job])).await?.is_empty() {
            return Ok(next);
        }
    }
    Err(Error::EventsExhausted)
}

/// Frees the number that a job holds for an event which will not be registered.
pub(crate) fn free_event_number(tenant: Uuid, job: Uuid) -> SqlStep<'static> {
    let sql = "DELETE FROM events WHERE tenant_id = $1 AND job_id = $2 AND state = 'reserved'";
    SqlStep::new(sql, params![tenant, job])
}

/// Records that the number held by a job is used by another system's event.
pub(crate) fn mark_foreign(tenant: Uuid, job: Uuid) -> SqlStep<'static> {
    let sql = "UPDATE events SET state = 'registered', job_id = NULL WHERE tenant_id = $1 AND job_id = $2";
    SqlStep::new(sql, params![tenant, job])
}

/// Records a registered event: chave, tpEvento, nSeqEvento, then nProt and dhRegEvento. The first job to record it
/// stays its job.
pub(crate) fn record_registered(tenant: Uuid, job: Uuid, event: &EventAct) -> SqlStep<'static> {
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
    SqlStep::new(sql, params)
}

fn extended(mut params: Params, more: Params) -> Params {
    params.extend(more);
    params
}

struct ReadEvents {
    tenant: Uuid,
    chave: String,
}

impl StoreOperation for ReadEvents {
    type Output = Vec<EventRow>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<EventRow>, Error> {
        let sql = "SELECT tpEvento, nSeqEvento, job_id, state, nProt, dhRegEvento FROM events
                   WHERE tenant_id = $1 AND chave = $2 ORDER BY tpEvento, nSeqEvento";
        tx.query(sql, &params![self.tenant, &self.chave]).await?.into_iter().map(read).collect()
    }
}

fn read(mut row: Row) -> Result<EventRow, Error> {
    Ok(EventRow {
        tpEvento: row.read()?,
        nSeqEvento: row.read()?,
        job_id: row.read()?,
        registered: row.read::<String>()? == "registered",
        nProt: row.read()?,
        dhRegEvento: row.read()?,
    })
}

crate::dyn_operation::erasable!(ReadEvents);
