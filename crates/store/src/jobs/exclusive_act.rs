//! Exclusive acts: one unfinished job per document and kind of act, so that twenty requests to cancel one note are one
//! job.
//!
//! Law: docs/contract.md, "Errors" (409 for a state that does not allow the act). Decided in the registering
//! transaction, under a row lock of both databases.
//! Must not know: the content of an act.

use super::act::JobAct;
use super::new_job::NewJob;
use super::operation::Operacao;
use super::packed::LongText;
use super::{order, record};
use crate::events::new_event::NewEvent;
use crate::row::{only, params};
use crate::tx::Tx;
use crate::{Error, words};
use fiscal::tipo::Tipo;
use fiscal::value::Chave;
use uuid::Uuid;

/// Result of claiming an act on a document.
pub(super) enum ActClaim {
    /// The job has the act from now on.
    Claimed,
    /// Another unfinished job has it, with the same order.
    HeldBySame(Uuid),
}

/// Claims the act for a job that is being registered; `UnderWay` when another job has it with a different order.
pub(super) async fn claim_act<T: Tx>(tx: &mut T, job: &NewJob, event: &NewEvent) -> Result<ActClaim, Error> {
    let kind = act_kind(job.operacao, &event.tpEvento);
    match other_holder(tx, job.tenant_id, event.chave, kind, job.id).await? {
        None => Ok(ActClaim::Claimed),
        Some(other) if order::is_same_payload(&other.payload, &job.payload) => Ok(ActClaim::HeldBySame(other.id)),
        Some(other) => Err(Error::UnderWay { job: other.id, tipo: other.tipo }),
    }
}

/// Claims the act for a job that is requeued.
pub(super) async fn reclaim_act<T: Tx>(tx: &mut T, tenant: Uuid, id: Uuid) -> Result<(), Error> {
    let job = record::find_job(tx, tenant, id).await?;
    let Some(event) = job.act.as_ref().and_then(JobAct::event) else { return Ok(()) };
    match other_holder(tx, tenant, event.chave, act_kind(job.operacao, &event.tpEvento), id).await? {
        Some(other) => Err(Error::UnderWay { job: other.id, tipo: other.tipo }),
        None => Ok(()),
    }
}

/// An unfinished job that has the act.
struct ActHolder {
    id: Uuid,
    payload: LongText,
    tipo: Tipo,
}

/// Returns the other job that has the act; `None` when the claim succeeded. Locks the row until the commit.
async fn other_holder<T: Tx>(
    tx: &mut T,
    tenant: Uuid,
    chave: Chave,
    kind: &str,
    job: Uuid,
) -> Result<Option<ActHolder>, Error> {
    let sql = "INSERT INTO acting (tenant_id, chave, kind, job_id) VALUES ($1, $2, $3, $4)
               ON CONFLICT (tenant_id, chave, kind) DO UPDATE SET chave = excluded.chave RETURNING job_id";
    let holder: Uuid = only(tx.query(sql, &params![tenant, chave.as_str(), kind, job]).await?)?.read()?;
    if holder == job {
        return Ok(None);
    }
    // Read after the lock on the row, so that commits of its former holder are visible.
    let sql = "SELECT j.tipo, p.payload, p.packed FROM jobs j JOIN payloads p ON p.tenant_id = j.tenant_id AND p.job_id = j.id
               WHERE j.tenant_id = $1 AND j.id = $2 AND j.status = 'pending'";
    if let Some(mut row) = tx.query(sql, &params![tenant, holder]).await?.into_iter().next() {
        let tipo = words::read_tipo(&row.read::<String>()?)?;
        let payload = LongText::from_columns(row.read()?, row.read()?)?;
        return Ok(Some(ActHolder { id: holder, payload, tipo }));
    }
    let sql = "UPDATE acting SET job_id = $4 WHERE tenant_id = $1 AND chave = $2 AND kind = $3";
    tx.execute(sql, &params![tenant, chave.as_str(), kind, job]).await.map(|_| None)
}

/// All cancellations are one kind, whichever event they are. A company may register several manifestations and events
/// on a note.
fn act_kind(operacao: Operacao, tpEvento: &str) -> &str {
    match operacao {
        Operacao::Manifestacao | Operacao::Evento => tpEvento,
        _ => operacao.word(),
    }
}
