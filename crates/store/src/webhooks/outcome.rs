//! Outcome of an attempt, and a new series of attempts by hand. Each is one transaction.

use super::tell::enqueue;
use super::{After, Attempt, DeliveryLease, DeliveryStatus};
use crate::audit::{self, Act, Actor};
use crate::jobs::{LogLine, append_lines};
use crate::row::{first, only, params};
use crate::tx::{Operation, Step, Tx};
use crate::{Error, Store};
use serde_json::Value;
use uuid::Uuid;

impl Store {
    /// Records an attempt and the step after it; `LeaseLost` when the lease was lost. `log` is appended to the job's
    /// history.
    pub async fn delivery_attempted(
        &self,
        lease: DeliveryLease,
        job: Uuid,
        attempt: Attempt,
        after: After,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        self.write(Attempted { lease, job, attempt, after, log }).await
    }
    /// Begins a new series of attempts in the name of the actor; `Conflict` while one is under way.
    pub async fn resend_delivery(&self, tenant: Uuid, id: Uuid, actor: Actor, now: i64) -> Result<(), Error> {
        self.write(Resend { tenant, id, actor, now }).await?;
        self.announce_deliveries();
        Ok(())
    }
}

struct Attempted {
    lease: DeliveryLease,
    job: Uuid,
    attempt: Attempt,
    after: After,
    log: Vec<LogLine>,
}

impl Operation for Attempted {
    type Output = ();
    // If the machine stops before this is on disk, the attempt is made again: the promise is at least once.
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let Attempted { lease, job, attempt, after, log } = self;
        let key = params![lease.tenant_id, lease.delivery_id, lease.token];
        let queue = match after {
            After::Again(at) => Step::new(
                "UPDATE delivery_queue SET token = NULL, ready_at = $4, restantes = restantes - 1
                      WHERE tenant_id = $1 AND delivery_id = $2 AND token = $3 RETURNING delivery_id",
                [key, params![*at]].concat(),
            ),
            After::Delivered | After::Lost => Step::new(
                "DELETE FROM delivery_queue WHERE tenant_id = $1 AND delivery_id = $2 AND token = $3
                      RETURNING delivery_id",
                key,
            ),
        };
        let mut steps = vec![queue, self.delivery(), self.attempt(attempt)];
        steps.extend(append_lines(lease.tenant_id, *job, log)?);
        let held: Option<Uuid> = first(tx.query_all(&steps).await?.swap_remove(0))?;
        held.map(drop).ok_or(Error::LeaseLost)
    }
}

impl Attempted {
    fn delivery(&self) -> Step<'static> {
        let end = self.attempt.em.saturating_add(i64::from(self.attempt.duracao_ms) / 1000);
        let (status, next, done) = match self.after {
            After::Delivered => (DeliveryStatus::Entregue, None, Some(end)),
            After::Again(at) => (DeliveryStatus::Pendente, Some(at), None),
            After::Lost => (DeliveryStatus::Perdida, None, Some(end)),
        };
        let sql = "UPDATE deliveries SET status = $3, tentativas = $4, proxima_em = $5, concluido_em = $6
                   WHERE tenant_id = $1 AND id = $2";
        let DeliveryLease { tenant_id, delivery_id, .. } = self.lease;
        let params = params![tenant_id, delivery_id, status.word(), self.attempt.tentativa, next, done];
        Step::new(sql, params)
    }

    fn attempt(&self, attempt: &Attempt) -> Step<'static> {
        let sql = "INSERT INTO delivery_attempts
                       (tenant_id, delivery_id, tentativa, em, codigo_http, duracao_ms, erro, resposta)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let params = params![
            self.lease.tenant_id,
            self.lease.delivery_id,
            attempt.tentativa,
            attempt.em,
            attempt.codigo_http,
            attempt.duracao_ms,
            attempt.erro.as_ref(),
            attempt.resposta.as_ref(),
        ];
        Step::new(sql, params)
    }
}

struct Resend {
    tenant: Uuid,
    id: Uuid,
    actor: Actor,
    now: i64,
}

impl Operation for Resend {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let Resend { tenant, id, now, .. } = *self;
        let sql = "UPDATE deliveries SET status = 'pendente', proxima_em = $3, concluido_em = NULL
                   WHERE tenant_id = $1 AND id = $2 AND status <> 'pendente' RETURNING url";
        let Some(url) = first::<String>(tx.query(sql, &params![tenant, id, now]).await?)? else {
            let sql = "SELECT 1 FROM deliveries WHERE tenant_id = $1 AND id = $2";
            only(tx.query(sql, &params![tenant, id]).await?)?;
            return Err(Error::Conflict("a entrega ainda está pendente"));
        };
        tx.query_all(&[enqueue(tenant, id, &url, now)]).await?;
        audit::append(tx, tenant, &self.actor, Act::EntregaReenviada, &id.to_string(), Value::Null, now).await
    }
}

crate::erased::erasable!(Attempted, Resend);
