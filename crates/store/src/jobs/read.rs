//! Queries of jobs. Each is one statement.

use super::job::Job;
use super::record;
use crate::companies::cache::company_of_rows;
use crate::companies::read::{Company, single_company_sql};
use crate::conditions::Conditions;
use crate::row::{Row, only, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store, Visibility, words};
use fiscal::value::{CnpjCpf, TpAmb};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};
use uuid::Uuid;

/// Counts for `/status` and metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueDepth {
    /// Ready or waiting.
    pub pending: u64,
    /// Leased now.
    pub processing: u64,
    /// Age in seconds of the oldest ready job.
    pub oldest_s: u64,
}

impl Store {
    pub async fn job(&self, sight: Visibility, id: Uuid) -> Result<Job, Error> {
        self.require_visible(sight, self.read(JobById { tenant: sight.tenant(), id }).await?).await
    }
    /// Finds the emission job of a key.
    pub async fn job_by_chave(&self, sight: Visibility, chave: &str) -> Result<Job, Error> {
        let found = self.read(JobByChave { tenant: sight.tenant(), chave: chave.to_owned() }).await?;
        self.require_visible(sight, found).await
    }
    /// Finds the job of a company's municipal note by the number that the provider gave it; the latest for a repeated
    /// number.
    pub async fn job_by_note_number(
        &self,
        visibility: Visibility,
        cpf_cnpj: CnpjCpf,
        ambiente: TpAmb,
        numero: u64,
    ) -> Result<Job, Error> {
        let found = self.read(JobByNoteNumber { tenant: visibility.tenant(), cpf_cnpj, ambiente, numero }).await?;
        self.require_visible(visibility, found).await
    }
    /// Finds a job by its reference.
    pub async fn job_by_reference(&self, sight: Visibility, referencia: &str) -> Result<Job, Error> {
        let found = self.read(JobByReference { tenant: sight.tenant(), referencia: referencia.to_owned() }).await?;
        self.require_visible(sight, found).await
    }
    /// Reads the state that an order to issue depends on: the job of its reference, if used, and its company, if
    /// registered.
    pub async fn issue_state(
        &self,
        tenant: Uuid,
        referencia: Option<&str>,
        cpf_cnpj: CnpjCpf,
    ) -> Result<(Option<Job>, Option<Arc<Company>>), Error> {
        self.read(ReadIssueState { tenant, referencia: referencia.map(str::to_owned), cpf_cnpj }).await
    }
    /// Counts the unfinished jobs of each company of a tenant: all, and the leased ones.
    pub async fn queues(&self, sight: Visibility) -> Result<HashMap<CnpjCpf, (u64, u64)>, Error> {
        self.read(CountQueues { sight }).await
    }
    /// Counts the claimable jobs of each tenant, up to `most` jobs of all tenants together.
    pub async fn ready_jobs(&self, now: i64, most: u64) -> Result<HashMap<Uuid, u64>, Error> {
        self.read(CountReadyJobs { now, most }).await
    }
    /// Counts pending and leased jobs.
    pub async fn queue_depth(&self, now: i64) -> Result<QueueDepth, Error> {
        self.read(CountQueueDepth { now }).await
    }
    /// An invisible job is `NotFound`.
    async fn require_visible(&self, sight: Visibility, job: Job) -> Result<Job, Error> {
        let is_seen = sight.is_visible(job.ambiente) && self.reaches(sight, job.cpf_cnpj).await?;
        if is_seen { Ok(job) } else { Err(Error::NotFound) }
    }
}

struct JobById {
    tenant: Uuid,
    id: Uuid,
}

impl StoreOperation for JobById {
    type Output = Job;
    const IS_SMALL: bool = true;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Job, Error> {
        record::find(tx, "WHERE j.tenant_id = $1 AND j.id = $2", params![self.tenant, self.id]).await
    }
}

struct JobByChave {
    tenant: Uuid,
    chave: String,
}

impl StoreOperation for JobByChave {
    type Output = Job;
    const IS_SMALL: bool = true;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Job, Error> {
        record::find(tx, "WHERE d.tenant_id = $1 AND d.chave = $2", params![self.tenant, &self.chave]).await
    }
}

struct JobByNoteNumber {
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    ambiente: TpAmb,
    numero: u64,
}

impl StoreOperation for JobByNoteNumber {
    type Output = Job;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Job, Error> {
        let condition = "WHERE d.tenant_id = $1 AND d.cpf_cnpj = $2 AND d.ambiente = $3 AND d.numero_nota = $4
                         AND d.counted = 'rps' ORDER BY j.id DESC LIMIT 1";
        let params = params![self.tenant, self.cpf_cnpj.as_str(), words::ambiente(self.ambiente), self.numero];
        record::find(tx, condition, params).await
    }
}

struct JobByReference {
    tenant: Uuid,
    referencia: String,
}

impl StoreOperation for JobByReference {
    type Output = Job;
    const IS_SMALL: bool = true;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Job, Error> {
        record::find(tx, record::BY_REFERENCE, params![self.tenant, &self.referencia]).await
    }
}

struct ReadIssueState {
    tenant: Uuid,
    referencia: Option<String>,
    cpf_cnpj: CnpjCpf,
}

impl StoreOperation for ReadIssueState {
    type Output = (Option<Job>, Option<Arc<Company>>);
    const IS_SMALL: bool = true;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Self::Output, Error> {
        static BY_REFERENCE: LazyLock<String> = LazyLock::new(|| format!("{} {}", record::JOB, record::BY_REFERENCE));
        let company = SqlStep::per_row(single_company_sql(), params![self.tenant, self.cpf_cnpj.as_str()]);
        let by_reference = |referencia| SqlStep::per_row(&BY_REFERENCE, params![self.tenant, referencia]);
        let steps: Vec<SqlStep<'_>> = [company].into_iter().chain(self.referencia.as_ref().map(by_reference)).collect();
        let mut answers = tx.query_all(&steps).await?.into_iter();
        let company = company_of_rows(answers.next().unwrap_or_default())?;
        let job = answers.next().and_then(|rows| rows.into_iter().next()).map(record::read_job).transpose()?;
        Ok((job, company))
    }
}

struct CountQueues {
    sight: Visibility,
}

impl StoreOperation for CountQueues {
    type Output = HashMap<CnpjCpf, (u64, u64)>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<HashMap<CnpjCpf, (u64, u64)>, Error> {
        let mut conditions = Conditions::of_tenant("q.tenant_id", self.sight.tenant());
        conditions.and_optional("j.ambiente =", self.sight.only_environment().map(words::ambiente));
        conditions.and_within("q.cpf_cnpj", self.sight.reach());
        let sql = format!(
            "SELECT q.cpf_cnpj, COUNT(*), COUNT(q.token) FROM queue q
             JOIN jobs j ON j.tenant_id = q.tenant_id AND j.id = q.job_id WHERE {} GROUP BY q.cpf_cnpj",
            conditions.text()
        );
        let read = |mut row: Row| {
            let company = words::read_cpf_cnpj(row.read()?)?;
            let (all, leased): (i64, i64) = (row.read()?, row.read()?);
            Ok((company, (all.unsigned_abs(), leased.unsigned_abs())))
        };
        tx.query(&sql, conditions.params()).await?.into_iter().map(read).collect()
    }
}

struct CountReadyJobs {
    now: i64,
    most: u64,
}

impl StoreOperation for CountReadyJobs {
    type Output = HashMap<Uuid, u64>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<HashMap<Uuid, u64>, Error> {
        let sql = "SELECT tenant_id, COUNT(*) FROM (SELECT tenant_id FROM queue WHERE ready_at <= $1 LIMIT $2) AS ready
                   GROUP BY tenant_id";
        let most = i64::try_from(self.most).unwrap_or(i64::MAX);
        let read = |mut row: Row| {
            let (tenant, count): (Uuid, i64) = (row.read()?, row.read()?);
            Ok((tenant, count.unsigned_abs()))
        };
        tx.query(sql, &params![self.now, most]).await?.into_iter().map(read).collect()
    }
}

struct CountQueueDepth {
    now: i64,
}

impl StoreOperation for CountQueueDepth {
    type Output = QueueDepth;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<QueueDepth, Error> {
        let sql = "SELECT COUNT(*), COUNT(token), MIN(CASE WHEN token IS NULL THEN ready_at END) FROM queue";
        let mut row = only(tx.query(sql, &[]).await?)?;
        let (all, leased, oldest): (i64, i64, Option<i64>) = (row.read()?, row.read()?, row.read()?);
        Ok(QueueDepth {
            pending: (all - leased).unsigned_abs(),
            processing: leased.unsigned_abs(),
            oldest_s: oldest.map_or(0, |ready_at| u64::try_from(self.now - ready_at).unwrap_or(0)),
        })
    }
}

crate::dyn_operation::erasable!(
    JobById,
    JobByChave,
    JobByNoteNumber,
    JobByReference,
    ReadIssueState,
    CountQueues,
    CountReadyJobs,
    CountQueueDepth
);
