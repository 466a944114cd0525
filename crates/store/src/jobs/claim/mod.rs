//! Claiming jobs by lease: an equal share from each company queue that is due.

use super::company_queue::{self, CompanyQueue};
use super::finish::{JobEnd, end_steps, leave_queue};
use super::job::{Job, JobFailure, Lease};
use super::record;
use crate::companies::cache::company_of_rows;
use crate::companies::read::{Company, single_company_sql};
use crate::dialect::SqlDialect;
use crate::row::{Params, Row, params};
use crate::tx::{Lane, StoreOperation, Tx, steps_for_each};
use crate::vault::random;
use crate::{Error, Store};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock};
use uuid::Uuid;

/// A claimed job. While the lease lasts no other worker processes it.
#[derive(Debug, Clone)]
pub struct ClaimedJob {
    pub job: Job,
    /// Proof of the claim; every later write passes it.
    pub lease: Lease,
    /// Company of the job at the claim; `None` when it was removed.
    pub company: Option<Arc<Company>>,
}

/// Parameters of a claim.
#[derive(Debug, Clone)]
pub struct ClaimRequest {
    pub now: i64,
    /// Leases that end by this instant are over. It is behind `now` after a clock jumped ahead: the process knows of
    /// earlier leases that still last.
    pub leases_now: i64,
    /// End of the new leases.
    pub lease_until: i64,
    /// Most jobs to claim.
    pub limit: u32,
    /// Authorities at their concurrency limit; none of their jobs is claimed.
    pub except_authorities: Vec<String>,
    /// Failure of a job whose row cannot be read; such a row would stop every claim that takes it.
    pub if_unreadable: JobFailure,
}

impl Store {
    /// Claims ready jobs, and jobs whose lease ran out, round-robin over companies. Counts an attempt.
    pub async fn claim(&self, request: ClaimRequest) -> Result<Vec<ClaimedJob>, Error> {
        self.shared.work_signal.claim_begins();
        let token = Uuid::from_bytes(random()?);
        self.write(ClaimJobs { request, token }).await
    }
}

struct ClaimJobs {
    request: ClaimRequest,
    token: Uuid,
}

impl StoreOperation for ClaimJobs {
    type Output = Vec<ClaimedJob>;
    const LANE: Lane = Lane::Urgent;
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<ClaimedJob>, Error> {
        let ClaimRequest { now, limit, except_authorities, .. } = &self.request;
        let mut round = ClaimProgress::default();
        loop {
            let wanted = limit.saturating_sub(count(&round.taken));
            if wanted == 0 || round.exhausted {
                return self.load_jobs(tx, round.taken).await;
            }
            // Queues whose jobs another claim is taking give nothing, so as many more are read.
            let most = wanted + count(&round.dry);
            let mut lines = company_queue::due_queues(tx, *now, except_authorities, most).await?;
            let all_known = count(&lines) < most;
            lines.retain(|line| !round.dry.contains(line));
            round.exhausted = self.take_shares(tx, &lines, wanted, &mut round).await? && all_known;
        }
    }
}

/// Progress of a claim.
#[derive(Default)]
struct ClaimProgress {
    taken: Vec<QueuedJob>,
    /// Queues that gave no job.
    dry: Vec<CompanyQueue>,
    /// Every due queue has given all it had.
    exhausted: bool,
}

/// A claimed row of a queue.
struct QueuedJob {
    job_id: Uuid,
    tenant_id: Uuid,
    cpf_cnpj: String,
}

impl ClaimJobs {
    /// Claims an equal share from every queue; a queue that gives less is pushed back. Returns `true` when every queue
    /// gave less.
    async fn take_shares<T: Tx>(
        &self,
        tx: &mut T,
        lines: &[CompanyQueue],
        wanted: u32,
        round: &mut ClaimProgress,
    ) -> Result<bool, Error> {
        if lines.is_empty() {
            return Ok(true);
        }
        let share = (wanted / count(lines)).max(1);
        let lines = &lines[..lines.len().min(wanted as usize)];
        let sql = claim_jobs_sql(tx.dialect());
        let given = tx
            .query_all(&steps_for_each(&sql, lines.iter().map(|line| self.share_params(line, share)).collect()))
            .await?;
        let mut short = Vec::new();
        for (line, rows) in lines.iter().zip(given) {
            if count(&rows) < share {
                short.push(line);
            }
            if rows.is_empty() {
                round.dry.push(line.clone());
            }
            // Ids (UUID v7) sort by age.
            let mut ids = rows.into_iter().map(|mut row| row.read()).collect::<Result<Vec<Uuid>, Error>>()?;
            ids.sort_unstable();
            let taken = |job_id| QueuedJob { job_id, tenant_id: line.tenant_id, cpf_cnpj: line.cpf_cnpj.clone() };
            round.taken.extend(ids.into_iter().map(taken));
        }
        company_queue::move_behind(tx, lines, &short).await?;
        Ok(short.len() == lines.len())
    }

    /// Loads the claimed jobs, and each company once. A job whose row cannot be read ends as failed: otherwise it would
    /// be claimed again for ever, and no claim with it would succeed.
    async fn load_jobs<T: Tx>(&self, tx: &mut T, taken: Vec<QueuedJob>) -> Result<Vec<ClaimedJob>, Error> {
        let of_company = |it: &QueuedJob| (it.tenant_id, it.cpf_cnpj.clone());
        let companies: BTreeSet<(Uuid, String)> = taken.iter().map(of_company).collect();
        static JOB: LazyLock<String> =
            LazyLock::new(|| format!("{} WHERE j.tenant_id = $1 AND j.id = $2", record::JOB));
        let jobs = tx.query_each(&JOB, taken.iter().map(|it| params![it.tenant_id, it.job_id]).collect()).await?;
        let key = |(tenant, cpf_cnpj): &(Uuid, String)| params![*tenant, cpf_cnpj];
        let found = tx.query_each(single_company_sql(), companies.iter().map(key).collect()).await?;
        let companies: HashMap<_, _> = companies.into_iter().zip(found.into_iter().map(read_company)).collect();
        let mut claimed = Vec::with_capacity(taken.len());
        for (it, rows) in taken.into_iter().zip(jobs) {
            let lease = Lease { tenant_id: it.tenant_id, job_id: it.job_id, token: self.token };
            match rows.into_iter().next().map(record::read_job).transpose() {
                Ok(Some(job)) => {
                    let company = companies.get(&of_company(&it)).cloned().flatten();
                    claimed.push(ClaimedJob { job, lease, company });
                }
                Ok(None) | Err(Error::Corrupt(_)) => self.end_unreadable(tx, &lease).await?,
                Err(error) => return Err(error),
            }
        }
        Ok(claimed)
    }

    async fn end_unreadable<T: Tx>(&self, tx: &mut T, lease: &Lease) -> Result<(), Error> {
        tracing::error!(job.id = %lease.job_id, "the row of a job cannot be read; the job ends as failed");
        let (tentativas, _) = leave_queue(tx, lease, Vec::new()).await?;
        let erro = Some(&self.request.if_unreadable);
        let as_failed = JobEnd { status: "failed", tentativas, erro, event: None, now: self.request.now };
        tx.query_all(&end_steps(lease, as_failed, &[])?).await.map(drop)
    }

    fn share_params(&self, line: &CompanyQueue, share: u32) -> Params {
        let mut params = line.key();
        let ClaimRequest { now, leases_now, lease_until, .. } = self.request;
        params.extend(params![now, share, lease_until, self.token, leases_now]);
        params
    }
}

/// A company that cannot be read is reported to its own queries and does not stop the claim.
fn read_company(rows: Vec<Row>) -> Option<Arc<Company>> {
    company_of_rows(rows).ok().flatten()
}

/// Selects the oldest ready jobs of a queue that no other claim is taking, including those whose lease (`$8`) is over;
/// unordered.
pub(super) fn claim_jobs_sql(dialect: SqlDialect) -> String {
    let ((place, is_due), skip_locked) = (dialect.selected_rows("job_id"), dialect.skip_locked());
    format!(
        "WITH due AS MATERIALIZED (
             SELECT {place} FROM queue
             WHERE tenant_id = $1 AND cpf_cnpj = $2 AND authority = $3 AND ready_at <= $4
                 AND (token IS NULL OR ready_at <= $8)
             ORDER BY ready_at, job_id LIMIT $5 {skip_locked})
         UPDATE queue SET ready_at = $6, token = $7, tentativas = tentativas + 1 WHERE {is_due} RETURNING job_id"
    )
}

fn count<E>(things: &[E]) -> u32 {
    u32::try_from(things.len()).unwrap_or(u32::MAX)
}

crate::dyn_operation::erasable!(ClaimJobs);

#[cfg(test)]
mod tests;
