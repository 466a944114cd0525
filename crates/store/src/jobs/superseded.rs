//! Superseded documents: the first document of a sale that was issued again in contingency while it was in doubt. It
//! gets a job of its own until its authority has answered for it.
//!
//! Law: MOC 7.0, anexo III, 2.3.3, and anexo IV, 5: the second document has another number, and the first one is
//! cancelled if it proves authorised. The engine decides when a sale is issued again. Each change is one transaction,
//! so that the sale always has its documents.

use super::act::JobAct;
use super::finish::{DocumentOutcome, JobEnd, end_steps, leave_queue, settle, settle_document};
use super::job::Lease;
use super::lease::{LOST, lock_lease};
use super::log::LogLine;
use super::new_job::NewJob;
use super::{act, company_queue, log, record, register};
use crate::notes::counts;
use crate::numbers::ledger::LedgerNumber;
use crate::numbers::number_state::NumberState;
use crate::row::{Row, first, params};
use crate::tx::{Lane, SqlStep, StoreOperation, Tx};
use crate::webhooks::{self, EventBody, EventTargets, Evento};
use crate::{Error, Store, mail, words};
use fiscal::lifecycle::DocumentState;
use std::sync::LazyLock;
use uuid::Uuid;

/// Outcome of a superseded document that proved authorised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SupersededOutcome {
    /// The sale was not issued again yet: the document is the sale's again, and the sale is settled.
    Restored,
    /// The sale has another document: the superseded one is to be cancelled by the job registered with the settlement.
    Cancelling,
}

impl Store {
    /// Moves a job's document in doubt to a new job, `twin`, which is due at `run_at`, in one transaction; the sale's
    /// job starts over.
    pub async fn supersede_document(
        &self,
        lease: Lease,
        superseded: Uuid,
        run_at: i64,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        self.write(SupersedeDocument { lease, twin: superseded, run_at, now, log }).await
    }
    /// Settles a superseded document that proved authorised, in one transaction: it becomes the sale's document again,
    /// if the sale has no other; otherwise its cancellation is registered.
    pub async fn settle_superseded(
        &self,
        lease: Lease,
        sale: Uuid,
        outcome: DocumentOutcome,
        cancellation: NewJob,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<SupersededOutcome, Error> {
        let settlement =
            SettleSuperseded { event_body: self.event_body(), lease, sale, outcome, cancellation, now, log };
        let (homecoming, told) = self.write(settlement).await?;
        self.announce_enqueued(told);
        self.announce_work();
        Ok(homecoming)
    }
    /// Drops a superseded document that its authority never received and that will not be sent any more, in one
    /// transaction. Releases its number.
    pub async fn drop_superseded(&self, lease: Lease, now: i64, log: Vec<LogLine>) -> Result<(), Error> {
        self.write(DropSuperseded { lease, now, log }).await
    }
}

struct SupersedeDocument {
    lease: Lease,
    twin: Uuid,
    run_at: i64,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for SupersedeDocument {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let SupersedeDocument { lease, twin, run_at, now, log } = self;
        let (tenant, job) = (lease.tenant_id, lease.job_id);
        let sql = format!(
            "UPDATE documents SET job_id = $3 WHERE tenant_id = $1 AND job_id = $2 AND state = 'in_doubt' RETURNING {}",
            LedgerNumber::COLUMNS
        );
        let moved = lock_lease(tx, lease, vec![SqlStep::new(&sql, params![tenant, job, *twin])]).await?;
        let mut number = first_row(moved).ok_or(Error::Conflict("o documento não está mais em dúvida"))?;
        let number = LedgerNumber::read(tenant, &mut number)?;
        let mut steps = vec![copy_job(tenant, job, *twin, *now), copy_payload(tenant, job, *twin)];
        steps.push(act::save_act(tenant, job, &JobAct::Replaces(*twin))?);
        steps.push(act::save_act(tenant, *twin, &JobAct::ReplacedBy(job))?);
        steps.extend(move_files(tenant, job, *twin));
        steps.push(number.transfer_to(*twin));
        let queue = "INSERT INTO queue (tenant_id, job_id, cpf_cnpj, authority, ready_at, tentativas)
                     SELECT tenant_id, id, cpf_cnpj, authority, CAST($3 AS BIGINT), 0 FROM jobs WHERE tenant_id = $1 AND id = $2
                     RETURNING tenant_id, cpf_cnpj, authority";
        steps.push(SqlStep::new(queue, params![tenant, *twin, *run_at]));
        let queued = tx.query_all(&steps).await?.pop().and_then(|rows| rows.into_iter().next());
        let line = company_queue::CompanyQueue::read(queued.ok_or(Error::NotFound)?)?;
        let mut lines: Vec<SqlStep<'_>> = log::append(tenant, job, log)?.into_iter().collect();
        lines.extend(log::append(tenant, *twin, log)?);
        company_queue::mark_ready(tx, lines, &line, *run_at).await
    }
}

/// Columns in which the copy differs from the sale's job: it is a new, unfinished job without the sale's reference.
const COPY_DIFFERENCES: &[(&str, &str)] = &[
    ("id", "$3"),
    ("referencia", "NULL"),
    ("status", "'pending'"),
    ("tentativas", "0"),
    ("criado_em", "CAST($4 AS BIGINT)"),
    ("atualizado_em", "CAST($4 AS BIGINT)"),
    ("concluido_em", "NULL"),
    ("erro", "NULL"),
    ("erro_codigo", "NULL"),
    ("event_codigo", "NULL"),
    ("event_xMotivo", "NULL"),
    ("act", "NULL"),
    ("is_copied", "0"),
];

/// Copies the sale's job.
fn copy_job(tenant: Uuid, job: Uuid, twin: Uuid, now: i64) -> SqlStep<'static> {
    static SQL: LazyLock<String> = LazyLock::new(|| record::copy_sql(COPY_DIFFERENCES));
    SqlStep::new(&SQL, params![tenant, job, twin, now])
}

fn copy_payload(tenant: Uuid, job: Uuid, twin: Uuid) -> SqlStep<'static> {
    let sql = "INSERT INTO payloads (tenant_id, job_id, payload, packed)
               SELECT tenant_id, $3, payload, packed FROM payloads WHERE tenant_id = $1 AND job_id = $2";
    SqlStep::new(sql, params![tenant, job, twin])
}

/// Moves the document's files and former transmissions.
pub(super) fn move_files(tenant: Uuid, from: Uuid, to: Uuid) -> [SqlStep<'static>; 2] {
    [
        "UPDATE files SET job_id = $3 WHERE tenant_id = $1 AND job_id = $2",
        "UPDATE transmissions SET job_id = $3 WHERE tenant_id = $1 AND job_id = $2",
    ]
    .map(|sql| SqlStep::new(sql, params![tenant, from, to]))
}

fn first_row(rows: Vec<Vec<Row>>) -> Option<Row> {
    rows.into_iter().next().and_then(|rows| rows.into_iter().next())
}

struct SettleSuperseded {
    event_body: EventBody,
    lease: Lease,
    sale: Uuid,
    outcome: DocumentOutcome,
    cancellation: NewJob,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for SettleSuperseded {
    type Output = (SupersededOutcome, bool);
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(SupersededOutcome, bool), Error> {
        let SettleSuperseded { event_body, lease, sale, outcome, cancellation, now, log } = self;
        if self.was_issued_again(tx).await? {
            let told = settle(tx, event_body, lease, outcome, *now, log).await?;
            register::register(tx, cancellation, *now).await?;
            return Ok((SupersededOutcome::Cancelling, told));
        }
        self.delete_second(tx).await?;
        self.restore_document(tx).await?;
        let step = mail::enqueue_document_mail(lease.tenant_id, *sale, outcome.state, *now);
        tx.query_all(&step.into_iter().collect::<Vec<_>>()).await?;
        let Some(evento) = Evento::of(outcome.state) else { return Ok((SupersededOutcome::Restored, false)) };
        let targets = EventTargets::find(tx, lease.tenant_id, *sale).await?;
        let told = webhooks::enqueue_event(tx, event_body, (lease.tenant_id, *sale), evento, &targets, *now).await?;
        Ok((SupersededOutcome::Restored, told))
    }
}

impl SettleSuperseded {
    /// `true` if the sale has a second document that may have left the service. Locks its queue entry first, so that no
    /// worker makes one meanwhile.
    async fn was_issued_again<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let key = params![self.lease.tenant_id, self.sale];
        let lock = format!("SELECT 1 FROM queue WHERE tenant_id = $1 AND job_id = $2 {}", tx.dialect().for_update());
        lock_lease(tx, &self.lease, vec![SqlStep::new(&lock, key.clone())]).await?;
        let sql = "SELECT state FROM documents WHERE tenant_id = $1 AND job_id = $2";
        let state = first::<String>(tx.query(sql, &key).await?)?;
        Ok(state.is_some_and(|state| {
            state != words::state(DocumentState::Accepted) && state != words::state(DocumentState::Failed)
        }))
    }

    /// Deletes the sale's second document, which has at most a number, and releases that number.
    async fn delete_second<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let (tenant, sale) = (self.lease.tenant_id, self.sale);
        let key = params![tenant, sale];
        let sql = format!(
            "DELETE FROM documents WHERE tenant_id = $1 AND job_id = $2 AND state = 'accepted' RETURNING {}",
            LedgerNumber::COLUMNS
        );
        let numbered = tx.query(&sql, &key).await?.into_iter().next();
        let mut steps = match numbered {
            Some(mut row) => LedgerNumber::read(tenant, &mut row)?.settle(sale, NumberState::Released),
            None => Vec::new(),
        };
        for sql in [
            "DELETE FROM documents WHERE tenant_id = $1 AND job_id = $2",
            "DELETE FROM files WHERE tenant_id = $1 AND job_id = $2",
        ] {
            steps.push(SqlStep::new(sql, key.clone()));
        }
        tx.query_all(&steps).await.map(drop)
    }

    /// Moves the superseded document back to the sale, settled, and ends its job.
    async fn restore_document<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let SettleSuperseded { lease, sale, outcome, now, log, .. } = self;
        let (tenant, twin) = (lease.tenant_id, lease.job_id);
        let mut steps = vec![settle_document(lease, outcome)?];
        steps.extend(outcome.xml.as_ref().map(|xml| xml.save_step(tenant, twin)));
        let (tentativas, rows) = leave_queue(tx, lease, steps).await?;
        let mut row = first_row(rows).ok_or(LOST)?;
        let number = LedgerNumber::read(tenant, &mut row)?;
        let ended = JobEnd { status: "cancelled", tentativas, erro: None, event: None, now: *now };
        let counted = counts::NoteCountSql::of(tx);
        let mut steps = end_steps(lease, ended, log)?;
        let take = "UPDATE documents SET job_id = $3 WHERE tenant_id = $1 AND job_id = $2";
        steps.push(SqlStep::new(take, params![tenant, twin, *sale]));
        steps.extend(move_files(tenant, twin, *sale));
        steps.push(number.clone().transfer_to(*sale));
        steps.extend(number.settle(*sale, NumberState::Used));
        let done =
            "UPDATE jobs SET status = 'completed', erro = NULL, erro_codigo = NULL, act = NULL, atualizado_em = $3,
                        concluido_em = $3, tentativas = COALESCE((SELECT q.tentativas FROM queue q
                            WHERE q.tenant_id = $1 AND q.job_id = $2), tentativas)
                    WHERE tenant_id = $1 AND id = $2";
        steps.push(SqlStep::new(done, params![tenant, *sale, *now]));
        let leave = "DELETE FROM queue WHERE tenant_id = $1 AND job_id = $2";
        steps.push(SqlStep::new(leave, params![tenant, *sale]));
        steps.extend(counts::count_steps(counted, tenant, *sale));
        steps.extend(log::append(tenant, *sale, log)?);
        tx.query_all(&steps).await.map(drop)
    }
}

struct DropSuperseded {
    lease: Lease,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for DropSuperseded {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let DropSuperseded { lease, now, log } = self;
        let sql = format!(
            "UPDATE documents SET state = 'failed' WHERE tenant_id = $1 AND job_id = $2 AND state IN ('sending', 'in_doubt')
             RETURNING {}",
            LedgerNumber::COLUMNS
        );
        let gone = vec![SqlStep::new(&sql, params![lease.tenant_id, lease.job_id])];
        let (tentativas, rows) = leave_queue(tx, lease, gone).await?;
        let mut row = first_row(rows).ok_or(Error::Conflict("o documento não está mais em dúvida"))?;
        let mut steps = LedgerNumber::read(lease.tenant_id, &mut row)?.settle(lease.job_id, NumberState::Released);
        steps.extend(end_steps(
            lease,
            JobEnd { status: "cancelled", tentativas, erro: None, event: None, now: *now },
            log,
        )?);
        tx.query_all(&steps).await.map(drop)
    }
}

crate::dyn_operation::erasable!(SupersedeDocument, SettleSuperseded, DropSuperseded);

#[cfg(test)]
mod tests {
    use super::{COPY_DIFFERENCES, record};

    #[test]
    fn every_difference_of_a_copy_is_a_column() {
        for (column, _) in COPY_DIFFERENCES {
            assert!(record::COLUMNS.contains(column), "{column}");
        }
    }
}
