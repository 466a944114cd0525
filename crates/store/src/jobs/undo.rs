//! Cancellation of a waiting job, and requeueing of a failed one.
//!
//! Law: docs/contract.md, "Jobs": pending → cancelled, failed → pending. The engine decides which failed jobs may be
//! requeued; this module checks that nothing has changed meanwhile.

use super::log::LogLine;
use super::withdraw::{self, WaitingJobs};
use super::{company_queue, exclusive_act, log};
use crate::audit::{self, Actor, AuditAct};
use crate::numbers::ledger::LedgerNumber;
use crate::row::{Row, first, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::webhooks::EventBody;
use crate::{Error, Store, words};
use fiscal::lifecycle::DocumentState;
use serde_json::Value;
use uuid::Uuid;

/// Result of cancelling a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithdrawalResult {
    /// Cancelled; its number, if any, is released.
    Cancelled,
    /// The job is leased or has ended.
    NotPending,
    /// The job waits, but its document or event may have been sent: only the authority can end it.
    MayHaveLeft,
}

impl Store {
    /// Cancels a waiting job in one transaction: out of the queue, `cancelled`, its reserved number released. Never
    /// takes a leased job.
    pub async fn withdraw(
        &self,
        tenant: Uuid,
        job: Uuid,
        now: i64,
        log: Vec<LogLine>,
        by: Option<Actor>,
    ) -> Result<WithdrawalResult, Error> {
        let (withdrawn, told) =
            self.write(WithdrawJob { event_body: self.event_body(), tenant, job, now, log, by }).await?;
        self.announce_enqueued(told);
        Ok(withdrawn)
    }
    /// Gives up the document in doubt of a failed job in one transaction, with its number, which another document has
    /// at the authority. The next attempt takes another number.
    pub async fn give_up_number(&self, tenant: Uuid, job: Uuid, log: Vec<LogLine>) -> Result<(), Error> {
        self.write(GiveUpNumber { tenant, job, log }).await
    }
    /// Requeues a failed job as `pending` in one transaction. `Conflict` when it is not failed any more, or its
    /// document is not in the state that the caller saw.
    pub async fn requeue(
        &self,
        tenant: Uuid,
        job: Uuid,
        seen: Option<DocumentState>,
        now: i64,
        log: Vec<LogLine>,
        by: Option<Actor>,
    ) -> Result<(), Error> {
        self.write(RequeueFailedJob { tenant, job, seen, now, log, by }).await?;
        self.announce_work();
        Ok(())
    }
}

struct WithdrawJob {
    event_body: EventBody,
    tenant: Uuid,
    job: Uuid,
    now: i64,
    log: Vec<LogLine>,
    by: Option<Actor>,
}

impl StoreOperation for WithdrawJob {
    type Output = (WithdrawalResult, bool);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(WithdrawalResult, bool), Error> {
        let WithdrawJob { event_body, tenant, job, now, log, by } = self;
        let key = params![*tenant, *job];
        if tx.query("SELECT 1 FROM jobs WHERE tenant_id = $1 AND id = $2", &key).await?.is_empty() {
            return Err(Error::NotFound);
        }
        let (ended, told) = withdraw::withdraw_jobs(tx, event_body, *tenant, WaitingJobs::Job(*job), *now, log).await?;
        if ended > 0 {
            let act = AuditAct::OperacaoRetirada;
            audit::append_of_user(tx, *tenant, by.as_ref(), act, *job, Value::Null, *now).await?;
            return Ok((WithdrawalResult::Cancelled, told));
        }
        let sql = "SELECT 1 FROM queue WHERE tenant_id = $1 AND job_id = $2 AND token IS NULL";
        let waits = !tx.query(sql, &key).await?.is_empty();
        Ok((if waits { WithdrawalResult::MayHaveLeft } else { WithdrawalResult::NotPending }, false))
    }
}

struct RequeueFailedJob {
    tenant: Uuid,
    job: Uuid,
    seen: Option<DocumentState>,
    now: i64,
    log: Vec<LogLine>,
    by: Option<Actor>,
}

impl StoreOperation for RequeueFailedJob {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let RequeueFailedJob { tenant, job, seen, now, log, by } = self;
        let sql = "UPDATE jobs SET status = 'pending', erro = NULL, erro_codigo = NULL, atualizado_em = $3, concluido_em = NULL
                   WHERE tenant_id = $1 AND id = $2 AND status = 'failed'
                   RETURNING tentativas, tenant_id, cpf_cnpj, authority";
        let rows = tx.query(sql, &params![*tenant, *job, *now]).await?;
        let mut row: Row = rows.into_iter().next().ok_or(Error::Conflict("o job não está mais em falha"))?;
        let tentativas: u32 = row.read()?;
        let line = company_queue::CompanyQueue::read(row)?;
        exclusive_act::reclaim_act(tx, *tenant, *job).await?;
        let sql = "SELECT state FROM documents WHERE tenant_id = $1 AND job_id = $2";
        let stands = first::<String>(tx.query(sql, &params![*tenant, *job]).await?)?;
        if stands.as_deref() != seen.map(words::state) {
            return Err(Error::Conflict("a situação do documento mudou"));
        }
        let act = AuditAct::OperacaoReprocessada;
        audit::append_of_user(tx, *tenant, by.as_ref(), act, *job, Value::Null, *now).await?;
        let sql = "INSERT INTO queue (tenant_id, job_id, cpf_cnpj, authority, ready_at, tentativas)
                   SELECT tenant_id, id, cpf_cnpj, authority, CAST($3 AS BIGINT), CAST($4 AS BIGINT) FROM jobs WHERE tenant_id = $1 AND id = $2";
        let mut steps = vec![SqlStep::new(sql, params![*tenant, *job, *now, tentativas])];
        steps.extend(log::append(*tenant, *job, log)?);
        company_queue::mark_ready(tx, steps, &line, *now).await
    }
}

struct GiveUpNumber {
    tenant: Uuid,
    job: Uuid,
    log: Vec<LogLine>,
}

impl StoreOperation for GiveUpNumber {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let GiveUpNumber { tenant, job, log } = self;
        let sql = format!(
            "UPDATE documents SET state = 'failed' WHERE tenant_id = $1 AND job_id = $2 AND state = 'in_doubt'
             AND EXISTS (SELECT 1 FROM jobs j WHERE j.tenant_id = $1 AND j.id = $2 AND j.status = 'failed') RETURNING {}",
            LedgerNumber::COLUMNS
        );
        let given_up = tx.query(&sql, &params![*tenant, *job]).await?.into_iter().next();
        let mut row = given_up.ok_or(Error::Conflict("a situação do documento mudou"))?;
        let mut steps = LedgerNumber::read(*tenant, &mut row)?.mark_used_elsewhere(*job);
        steps.extend(log::append(*tenant, *job, log)?);
        tx.query_all(&steps).await.map(drop)
    }
}

crate::dyn_operation::erasable!(WithdrawJob, GiveUpNumber, RequeueFailedJob);
