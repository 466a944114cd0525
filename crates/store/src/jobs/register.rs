//! Acceptance: one transaction creates a job, stores its payload and queues it; a used reference returns the first job.

use super::acting::{self, Acting};
use super::{Act, Job, JobStatus, NewAct, NewJob, Registered, act, line, order, record, words};
use crate::quotas::{self, Debit};
use crate::row::params;
use crate::tx::{Operation, Step, Tx, ask};
use crate::{Error, Store};
use uuid::Uuid;

impl Store {
    /// Registers a job in one transaction: idempotency key, quota, job, payload, queue entry, and the sequence number
    /// of an event. Of any number of concurrent calls with a new reference exactly one gets `New`, and only that one is
    /// debited. On `QuotaExceeded`, `EventsExhausted` or `NumberHeld` nothing was registered.
    pub async fn register(&self, job: NewJob, now: i64) -> Result<Registered, Error> {
        let payload = job.payload.clone();
        let registered = self.write(Register { job, now }).await?;
        if matches!(registered, Registered::New(_)) {
            self.announce_work();
        }
        Ok(order::judged(registered, &payload))
    }
}

struct Register {
    job: NewJob,
    now: i64,
}

impl Operation for Register {
    type Output = Registered;

    fn beside(&self) -> Option<String> {
        // Quota and reference are locked until the commit, in this order. An act takes a number that depends on other
        // acts on its document, so it is not batched.
        let reference = self.job.referencia.as_deref().unwrap_or_default();
        self.job.act.is_none().then(|| format!("{}/{:?}/{reference}", self.job.tenant_id, self.job.cota))
    }

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Registered, Error> {
        register(tx, &self.job, self.now).await
    }
}

/// Registers a job inside a transaction. A repetition with another text is divergent until `order::with_divergence` has
/// compared both.
pub(crate) async fn register<T: Tx>(tx: &mut T, job: &NewJob, now: i64) -> Result<Registered, Error> {
    if !insert(tx, job, now).await? {
        return replay(tx, job).await;
    }
    if let Some(NewAct::Event(event)) = &job.act
        && let Acting::Same(other) = acting::take(tx, job, event).await?
    {
        return same(tx, job, other).await;
    }
    let act = act::begin(tx, job).await?;
    let (content, packed) = job.payload.columns();
    let payload = Step::of_own(
        "INSERT INTO payloads (tenant_id, job_id, payload, packed) VALUES ($1, $2, $3, $4)",
        params![job.tenant_id, job.id, content, packed],
    );
    let queue = Step::of_own(
        "INSERT INTO queue (tenant_id, job_id, cpf_cnpj, authority, ready_at, tentativas)
              VALUES ($1, $2, $3, $4, $5, 0)",
        params![job.tenant_id, job.id, job.cpf_cnpj.as_str(), &job.authority, now],
    );
    let debit = job.cota.map(|familia| Debit::of_job(job.tenant_id, job.id, job.ambiente, familia, now));
    let sql = quotas::Sql::of(tx);
    let mut steps = vec![payload, queue];
    steps.extend(debit.iter().flat_map(|debit| debit.steps(sql)));
    let answers = line::mark_ready_after(tx, steps, &line::Line::of(job), now).await?;
    if let Some(debit) = debit {
        debit.settled(tx, answers.last().is_some_and(|counted| !counted.is_empty())).await?;
    }
    Ok(Registered::New(as_registered(job, act, now)))
}

/// Returns the unfinished job with the same act and deletes the new one.
async fn same<T: Tx>(tx: &mut T, job: &NewJob, other: Uuid) -> Result<Registered, Error> {
    tx.execute("DELETE FROM jobs WHERE tenant_id = $1 AND id = $2", &params![job.tenant_id, job.id]).await?;
    Ok(Registered::Replay { job: record::find_job(tx, job.tenant_id, other).await?, divergent: false })
}

/// `false` when the unique index on the reference refused the row. PostgreSQL waits here for a concurrent registration
/// of the same reference, so exactly one gets `true`.
async fn insert<T: Tx>(tx: &mut T, job: &NewJob, now: i64) -> Result<bool, Error> {
    let sql = "INSERT INTO jobs (tenant_id, id, tipo, operacao, cpf_cnpj, ambiente, referencia, status, tentativas,
                   webhook_url, notices, alvo, authority, criado_em, atualizado_em, destinatario, valor,
                   request_id)
               VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', 0, $8, $9, $10, $11, $12, $12, $13, $14, $15)
               ON CONFLICT DO NOTHING RETURNING id";
    let params = params![
        job.tenant_id,
        job.id,
        job.tipo.word(),
        words::operacao(job.operacao),
        job.cpf_cnpj.as_str(),
        words::ambiente(job.ambiente),
        job.referencia.as_ref(),
        job.webhook_url.as_ref(),
        words::json(&job.notices)?,
        job.alvo,
        &job.authority,
        now,
        job.destinatario.as_ref(),
        job.valor.as_ref(),
        job.request_id.as_ref(),
    ];
    Ok(!ask(tx, Step::of_own(sql, params)).await?.is_empty())
}

async fn replay<T: Tx>(tx: &mut T, job: &NewJob) -> Result<Registered, Error> {
    let Some(referencia) = &job.referencia else { return Err(Error::Conflict("identificador de job repetido")) };
    let first_job = match record::find(tx, record::BY_REFERENCE, params![job.tenant_id, referencia]).await {
        Err(Error::NotFound) => return Err(Error::Conflict("identificador de job repetido")),
        found => found?,
    };
    first_job.refuse_another(job.operacao)?;
    let divergent = first_job.payload != job.payload;
    Ok(Registered::Replay { job: first_job, divergent })
}

/// The new job as a query would return it.
fn as_registered(job: &NewJob, act: Option<Act>, now: i64) -> Job {
    Job {
        id: job.id,
        tenant_id: job.tenant_id,
        tipo: job.tipo,
        operacao: job.operacao,
        cpf_cnpj: job.cpf_cnpj,
        ambiente: job.ambiente,
        referencia: job.referencia.clone(),
        status: JobStatus::Pending,
        tentativas: 0,
        payload: job.payload.clone(),
        webhook_url: job.webhook_url.clone(),
        notices: job.notices.clone(),
        alvo: job.alvo,
        authority: job.authority.clone(),
        erro: None,
        criado_em: now,
        atualizado_em: now,
        concluido_em: None,
        document: None,
        act,
        event_xml: None,
        event_result: None,
        request_id: job.request_id.clone(),
        is_copied: false,
    }
}

crate::erased::erasable!(Register);
