//! Acceptance: one transaction creates a job, stores its payload and queues it; a used reference returns the first job.

use super::act::{EventAct, JobAct, NewAct};
use super::exclusive_act::{self, ActClaim};
use super::job::{Job, JobStatus};
use super::new_job::{NewJob, RegistrationResult};
use super::{act, company_queue, hand_emission, order, record};
use crate::audit::{self, AuditAct};
use crate::emissions::addressees;
use crate::numbers::sequence::Sequence;
use crate::numbers::void;
use crate::quotas::{self, QuotaDebit};
use crate::row::params;
use crate::tx::{SqlStep, StoreOperation, Tx, query_step};
use crate::{Error, Store, events};
use serde_json::json;
use uuid::Uuid;

impl Store {
    /// Registers a job in one transaction: idempotency key, quota, job, payload, queue entry, and the sequence number
    /// of an event. Of any number of concurrent calls with a new reference exactly one gets `New`, and only that one is
    /// debited. On `QuotaExceeded`, `EventsExhausted` or `NumberHeld` nothing was registered.
    pub async fn register(&self, job: NewJob, now: i64) -> Result<RegistrationResult, Error> {
        let payload = job.payload.clone();
        let (job, addressee) = self.without_known_addressee(job);
        let registered = self.write(RegisterJob { job, now }).await?;
        if matches!(registered, RegistrationResult::New(_)) {
            if let Some(addressee) = addressee {
                self.shared.recent_addressees.remember(addressee);
            }
            self.announce_work();
        }
        Ok(order::with_divergence(registered, &payload))
    }

    /// Takes away the name of an addressee that this process has written; else returns what to remember of it.
    fn without_known_addressee(&self, mut job: NewJob) -> (NewJob, Option<u64>) {
        let digest =
            job.destinatario.as_deref().zip(job.addressee.as_ref()).map(|(destinatario, addressee)| {
                addressees::digest(job.tenant_id, job.ambiente, destinatario, addressee)
            });
        let new = digest.filter(|digest| !self.shared.recent_addressees.has(*digest));
        if new.is_none() {
            job.addressee = None;
        }
        (job, new)
    }
}

struct RegisterJob {
    job: NewJob,
    now: i64,
}

impl StoreOperation for RegisterJob {
    type Output = RegistrationResult;

    fn lock_order(&self) -> Option<String> {
        // Quota and reference are locked until the commit, in this order. An act takes a number that depends on other
        // acts on its document, so it is not batched.
        let reference = self.job.referencia.as_deref().unwrap_or_default();
        self.job.act.is_none().then(|| format!("{}/{:?}/{reference}", self.job.tenant_id, self.job.cota))
    }

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<RegistrationResult, Error> {
        register(tx, &self.job, self.now).await
    }
}

/// Registers a job inside a transaction. A repetition with another text is divergent until `order::with_divergence` has
/// compared both.
pub(crate) async fn register<T: Tx>(tx: &mut T, job: &NewJob, now: i64) -> Result<RegistrationResult, Error> {
    if !insert(tx, job, now).await? {
        return replay(tx, job).await;
    }
    if let Some(NewAct::Event(event)) = &job.act
        && let ActClaim::HeldBySame(other) = exclusive_act::claim_act(tx, job, event).await?
    {
        return existing_job(tx, job, other).await;
    }
    let act = begin_act(tx, job).await?;
    let (content, packed) = job.payload.columns();
    let payload = SqlStep::per_row(
        "INSERT INTO payloads (tenant_id, job_id, payload, packed) VALUES ($1, $2, $3, $4)",
        params![job.tenant_id, job.id, content, packed],
    );
    let queue = SqlStep::per_row(
        "INSERT INTO queue (tenant_id, job_id, cpf_cnpj, authority, ready_at, tentativas)
              VALUES ($1, $2, $3, $4, $5, 0)",
        params![job.tenant_id, job.id, job.cpf_cnpj.as_str(), &job.authority, now],
    );
    let debit = job.cota.map(|familia| QuotaDebit::of_job(job.tenant_id, job.id, job.ambiente, familia, now));
    let sql = quotas::DebitSql::of(tx);
    let mut steps = vec![payload, queue];
    if let Some((destinatario, addressee)) = job.destinatario.as_deref().zip(job.addressee.as_ref()) {
        steps.push(addressee.step(tx, job.tenant_id, job.ambiente, destinatario)?);
    }
    steps.extend(hand_emission::steps(job, now)?);
    steps.extend(debit.iter().flat_map(|debit| debit.steps(sql)));
    let answers = company_queue::mark_ready_after(tx, steps, &company_queue::CompanyQueue::of(job), now).await?;
    if let Some(debit) = debit {
        debit.require_counted(tx, answers.last().is_some_and(|counted| !counted.is_empty())).await?;
    }
    let mut detalhes = json!({ "operacao": job.operacao.word(), "tipo": job.tipo.word(), "alvo": job.alvo });
    if let Some(by_hand) = &job.by_hand {
        detalhes["a_partir_de"] = json!(by_hand.earlier.as_ref().map(|earlier| earlier.job));
    }
    audit::append_of_user(tx, job.tenant_id, job.author.as_ref(), AuditAct::OperacaoPedida, job.id, detalhes, now)
        .await?;
    Ok(RegistrationResult::New(as_registered(job, act, now)))
}

/// Allocates what a new job's act needs and stores the act with the job.
async fn begin_act<T: Tx>(tx: &mut T, job: &NewJob) -> Result<Option<JobAct>, Error> {
    let act = match &job.act {
        None => return Ok(None),
        Some(NewAct::Event(new)) => {
            let nSeqEvento = events::hold_event_number(tx, job.tenant_id, job.id, new).await?;
            let (chave, tpEvento) = (new.chave, new.tpEvento.clone());
            JobAct::Event(EventAct { chave, tpEvento, nSeqEvento, nProt: None, dhRegEvento: None })
        }
        Some(NewAct::Void(new)) => {
            let sequence = Sequence { tenant: job.tenant_id, series: new.series };
            void::hold_void_range(tx, &sequence, new.range, job.id).await?;
            JobAct::Void(new.act.clone())
        }
    };
    tx.query_all(&[act::save_act(job.tenant_id, job.id, &act)?]).await?;
    Ok(Some(act))
}

/// Returns the unfinished job with the same act and deletes the new one.
async fn existing_job<T: Tx>(tx: &mut T, job: &NewJob, other: Uuid) -> Result<RegistrationResult, Error> {
    tx.execute("DELETE FROM jobs WHERE tenant_id = $1 AND id = $2", &params![job.tenant_id, job.id]).await?;
    Ok(RegistrationResult::Replay { job: record::find_job(tx, job.tenant_id, other).await?, divergent: false })
}

/// `false` when the unique index on the reference refused the row. PostgreSQL waits here for a concurrent registration
/// of the same reference, so exactly one gets `true`.
async fn insert<T: Tx>(tx: &mut T, job: &NewJob, now: i64) -> Result<bool, Error> {
    let step = SqlStep::per_row(&record::INSERT, record::new_row(job, now)?);
    Ok(!query_step(tx, step).await?.is_empty())
}

async fn replay<T: Tx>(tx: &mut T, job: &NewJob) -> Result<RegistrationResult, Error> {
    let Some(referencia) = &job.referencia else { return Err(Error::Conflict("identificador de job repetido")) };
    let first_job = match record::find(tx, record::BY_REFERENCE, params![job.tenant_id, referencia]).await {
        Err(Error::NotFound) => return Err(Error::Conflict("identificador de job repetido")),
        found => found?,
    };
    first_job.refuse_another(job.operacao)?;
    let divergent = first_job.payload != job.payload;
    Ok(RegistrationResult::Replay { job: first_job, divergent })
}

/// The new job as a query would return it.
fn as_registered(job: &NewJob, act: Option<JobAct>, now: i64) -> Job {
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

crate::dyn_operation::erasable!(RegisterJob);
