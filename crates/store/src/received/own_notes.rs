//! Distributed events of our own notes: the ADN distributes events that a município, a party or another program of the
//! same company registered, and they are applied to the note.
//!
//! Note and event may arrive in any order. The events are applied when an event arrives, when a note is authorised, and
//! when an act of ours ends without ending the note (while one is under way, its end decides).
//! Must not know: XML, the effect of an event on a note.

use crate::dialect::SqlDialect;
use crate::jobs::act::EventAct;
use crate::jobs::analysis::{ForeignEvent, ForeignEvents, record_events};
use crate::row::{Row, Value, params};
use crate::tx::{SqlStep, Tx};
use crate::webhooks::EventBody;
use crate::{Error, words};
use fiscal::nfse::registered;
use fiscal::tipo::Tipo;
use fiscal::value::Chave;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Locks the records of a key until the commit; no step on SQLite, which has one writer. A note and its distributed
/// events may be written by two concurrent transactions that do not see each other's rows: each locks the key before it
/// looks for the other's rows, so that the second sees the first. Taken after rows of `queue` and before rows that both
/// write, and in the order of the keys, so that no deadlock arises.
pub(crate) fn lock_note(dialect: SqlDialect, tenant: Uuid, chave: &str) -> Option<SqlStep<'static>> {
    dialect.exclusive_lock().map(|sql| SqlStep::new(sql, params![format!("note/{tenant}/{chave}")]))
}

/// Locks the records of several keys.
pub(super) async fn lock_notes<T: Tx>(tx: &mut T, tenant: Uuid, chaves: &BTreeSet<String>) -> Result<(), Error> {
    let dialect = tx.dialect();
    let steps: Vec<SqlStep<'_>> = chaves.iter().filter_map(|chave| lock_note(dialect, tenant, chave)).collect();
    tx.query_all(&steps).await.map(drop)
}

/// Applies the distributed events to a note of ours, whose key is locked; no effect without such a note. Returns
/// whether a webhook event was enqueued.
pub(crate) async fn apply_distributed<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    tenant: Uuid,
    chave: &str,
    now: i64,
) -> Result<bool, Error> {
    // A key belongs to one environment; an event distributed in another one concerns another note.
    let sql = "SELECT f.tpEvento, f.nSeqEvento, f.nProt, f.dhRegEvento, f.substituta, f.content FROM received_files f
               JOIN documents d ON d.tenant_id = f.tenant_id AND d.chave = f.chave AND d.ambiente = f.ambiente AND d.tipo = f.tipo
               WHERE f.tenant_id = $1 AND f.chave = $2 AND f.tipo = $3 AND f.tpEvento IS NOT NULL ORDER BY f.id";
    let rows = tx.query(sql, &params![tenant, chave, Tipo::Nfse.word()]).await?;
    if rows.is_empty() {
        return Ok(false);
    }
    let chave = words::read_chave(chave.to_owned())?;
    let events: Vec<ForeignEvent> = rows.into_iter().map(|row| read(chave, row)).collect::<Result<_, _>>()?;
    let kinds = events.iter().map(|event| event.act.tpEvento.as_str());
    let analysis = registered::analysis_state(kinds).map(registered::AnalysisState::word);
    let learned = ForeignEvents { chave, events, analysis };
    record_events(tx, event_body, tenant, &learned, now).await.map(|(_, told)| told)
}

/// Applies the distributed events to several notes.
pub(crate) async fn apply_distributed_all<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    tenant: Uuid,
    chaves: &BTreeSet<String>,
    now: i64,
) -> Result<bool, Error> {
    let mut told = false;
    for chave in chaves {
        told |= apply_distributed(tx, event_body, tenant, chave, now).await?;
    }
    Ok(told)
}

/// Locks the service notes that jobs act on and returns their keys. The jobs are given by a subquery; of its parameters
/// `$1` is the tenant.
pub(crate) async fn lock_targets<T: Tx>(
    tx: &mut T,
    tenant: Uuid,
    jobs: &str,
    params: &[Value],
) -> Result<BTreeSet<String>, Error> {
    let sql = format!(
        "SELECT d.chave FROM jobs j JOIN documents d ON d.tenant_id = j.tenant_id AND d.job_id = j.alvo
         WHERE j.tenant_id = $1 AND j.id IN {jobs} AND d.tipo = '{}' AND d.chave IS NOT NULL",
        Tipo::Nfse.word()
    );
    let rows = tx.query(&sql, params).await?;
    let chaves = rows.into_iter().map(|mut row| row.read()).collect::<Result<_, _>>()?;
    lock_notes(tx, tenant, &chaves).await?;
    Ok(chaves)
}

fn read(chave: Chave, mut row: Row) -> Result<ForeignEvent, Error> {
    let (tpEvento, nSeqEvento): (String, u16) = (row.read()?, row.read()?);
    let (nProt, dhRegEvento) = (row.read()?, row.read()?);
    let substituta: Option<String> = row.read()?;
    Ok(ForeignEvent {
        cancels: registered::cancels(&tpEvento),
        substituta: substituta.map(words::read_chave).transpose()?,
        act: EventAct { chave, tpEvento, nSeqEvento, nProt, dhRegEvento },
        xml: row.read()?,
    })
}
