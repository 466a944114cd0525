//! Outcome of an attempt, and a new series of attempts by hand. Each is one transaction.

use super::account::queue_series;
use super::{ATTEMPTS, AttemptOutcome, DeliveryAttempt, DeliveryLease, DeliveryStatus};
use crate::audit::{self, Actor, AuditAct};
use crate::jobs::log::{self, LogLine};
use crate::row::{first, only, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store};
use serde_json::Value;
use uuid::Uuid;

impl Store {
    /// Records an attempt and the step after it; `LeaseLost` when the lease was lost. `log` is appended to the job's
    /// history.
    pub async fn delivery_attempted(
        &self,
        lease: DeliveryLease,
        job: Option<Uuid>,
        attempt: DeliveryAttempt,
        after: AttemptOutcome,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        self.write(RecordAttempt { lease, job, attempt, after, log }).await
    }
    /// Begins a new series of attempts in the name of the actor; `Conflict` while one is under way.
    pub async fn resend_delivery(&self, tenant: Uuid, id: Uuid, actor: Actor, now: i64) -> Result<(), Error> {
        self.write(ResendDelivery { tenant, id, actor, now }).await?;
        self.announce_deliveries();
        Ok(())
    }
}

struct RecordAttempt {
    lease: DeliveryLease,
    job: Option<Uuid>,
    attempt: DeliveryAttempt,
    after: AttemptOutcome,
    log: Vec<LogLine>,
}

impl StoreOperation for RecordAttempt {
    type Output = ();
    // If the machine stops before this is on disk, the attempt is made again: the promise is at least once.
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let RecordAttempt { lease, job, attempt, after, log } = self;
        let key = params![lease.tenant_id, lease.delivery_id, lease.token];
        let queue = match after {
            AttemptOutcome::RetryAt(at) => SqlStep::new(
                "UPDATE delivery_queue SET token = NULL, ready_at = $4,
                          restantes = CASE WHEN restantes > 0 THEN restantes - 1 ELSE 0 END,
                          estendidas = CASE WHEN restantes > 0 THEN estendidas ELSE estendidas + 1 END
                      WHERE tenant_id = $1 AND delivery_id = $2 AND token = $3 RETURNING delivery_id",
                [key, params![*at]].concat(),
            ),
            AttemptOutcome::Delivered | AttemptOutcome::Lost => SqlStep::new(
                "DELETE FROM delivery_queue WHERE tenant_id = $1 AND delivery_id = $2 AND token = $3
                      RETURNING delivery_id",
                key,
            ),
        };
        let mut steps = vec![queue, self.delivery(), self.attempt(attempt)];
        if let Some(job) = job {
            steps.extend(log::append(lease.tenant_id, *job, log)?);
        }
        let held: Option<Uuid> = first(tx.query_all(&steps).await?.swap_remove(0))?;
        held.map(drop).ok_or(Error::LeaseLost)
    }
}

impl RecordAttempt {
    fn delivery(&self) -> SqlStep<'static> {
        let end = self.attempt.em.saturating_add(i64::from(self.attempt.duracao_ms) / 1000);
        let (status, next, done) = match self.after {
            AttemptOutcome::Delivered => (DeliveryStatus::Entregue, None, Some(end)),
            AttemptOutcome::RetryAt(at) => (DeliveryStatus::Pendente, Some(at), None),
            AttemptOutcome::Lost => (DeliveryStatus::Perdida, None, Some(end)),
        };
        let sql = "UPDATE deliveries SET status = $3, tentativas = $4, proxima_em = $5, concluido_em = $6
                   WHERE tenant_id = $1 AND id = $2";
        let DeliveryLease { tenant_id, delivery_id, .. } = self.lease;
        let params = params![tenant_id, delivery_id, status.word(), self.attempt.tentativa, next, done];
        SqlStep::new(sql, params)
    }

    fn attempt(&self, attempt: &DeliveryAttempt) -> SqlStep<'static> {
        let sql = "INSERT INTO delivery_attempts
                       (tenant_id, delivery_id, tentativa, em, codigo_http, duracao_ms, erro, resposta, estendida)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        let params = params![
            self.lease.tenant_id,
            self.lease.delivery_id,
            attempt.tentativa,
            attempt.em,
            attempt.codigo_http,
            attempt.duracao_ms,
            attempt.erro.as_ref(),
            attempt.resposta.as_ref(),
            i64::from(attempt.estendida),
        ];
        SqlStep::new(sql, params)
    }
}

struct ResendDelivery {
    tenant: Uuid,
    id: Uuid,
    actor: Actor,
    now: i64,
}

impl StoreOperation for ResendDelivery {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let ResendDelivery { tenant, id, now, .. } = *self;
        // A delivery that waits hours for an attempt after the contract's may be sent again at once.
        let waiting = "DELETE FROM delivery_queue
                       WHERE tenant_id = $1 AND delivery_id = $2 AND restantes = 0 AND token IS NULL";
        tx.execute(waiting, &params![tenant, id]).await?;
        let sql = "UPDATE deliveries SET status = 'pendente', proxima_em = $3, concluido_em = NULL
                   WHERE tenant_id = $1 AND id = $2 AND NOT EXISTS (SELECT 1 FROM delivery_queue q
                       WHERE q.tenant_id = $1 AND q.delivery_id = $2) RETURNING url";
        let Some(url) = first::<String>(tx.query(sql, &params![tenant, id, now]).await?)? else {
            let sql = "SELECT 1 FROM deliveries WHERE tenant_id = $1 AND id = $2";
            only(tx.query(sql, &params![tenant, id]).await?)?;
            return Err(Error::Conflict("a entrega ainda está pendente"));
        };
        tx.query_all(&[queue_series(tenant, id, &url, (now, ATTEMPTS))]).await?;
        audit::append(tx, tenant, &self.actor, AuditAct::EntregaReenviada, &id.to_string(), Value::Null, now).await
    }
}

crate::dyn_operation::erasable!(RecordAttempt, ResendDelivery);
