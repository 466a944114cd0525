//! Cancellation of waiting jobs: out of the queue, `cancelled`, their reserved numbers released.
//!
//! Law: docs/contract.md, "Jobs": pending → cancelled. Only unsent work can be withdrawn: no document beyond
//! `Accepted`, no stored event. The jobs are claimed first, as by a worker, so that no worker takes them meanwhile.

use super::log::LogLine;
use crate::numbers::ledger::LedgerNumber;
use crate::numbers::number_state::NumberState;
use crate::numbers::void;
use crate::received::own_notes;
use crate::row::{Params, Value, params};
use crate::tx::{SqlStep, Tx};
use crate::webhooks::EventBody;
use crate::{Error, words};
use fiscal::value::CnpjCpf;
use uuid::Uuid;

/// Selection of waiting jobs.
pub(crate) enum WaitingJobs {
    /// All jobs of a company.
    OfCompany(CnpjCpf),
    /// A single job.
    Job(Uuid),
}

impl WaitingJobs {
    /// The condition on `queue`, with `$2`.
    fn condition(&self) -> &'static str {
        match self {
            WaitingJobs::OfCompany(_) => "cpf_cnpj = $2",
            WaitingJobs::Job(_) => "job_id = $2",
        }
    }

    fn key(&self, tenant: Uuid, token: Uuid) -> Params {
        match self {
            WaitingJobs::OfCompany(cpf_cnpj) => params![tenant, cpf_cnpj.as_str(), token],
            WaitingJobs::Job(job) => params![tenant, *job, token],
        }
    }
}

/// Cancels the unsent ones of the selected jobs and updates the notes that they were to act on with events distributed
/// meanwhile. Returns the number of jobs, and whether a webhook event was enqueued.
pub(crate) async fn withdraw_jobs<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    tenant: Uuid,
    which: WaitingJobs,
    now: i64,
    log: &[LogLine],
) -> Result<(u64, bool), Error> {
    let condition = which.condition();
    let key = which.key(tenant, Uuid::now_v7());
    let take = format!("UPDATE queue SET token = $3 WHERE tenant_id = $1 AND {condition} AND token IS NULL");
    tx.execute(&take, &key).await?;
    // A separate statement: under the claim these jobs do not change any more.
    let taken = format!("tenant_id = $1 AND {condition} AND token = $3");
    let give_back = format!("UPDATE queue SET token = NULL WHERE {taken} AND {MAY_HAVE_LEFT}");
    tx.execute(&give_back, &key).await?;
    let jobs = format!("(SELECT job_id FROM queue WHERE {taken})");
    let acted_on = own_notes::lock_targets(tx, tenant, &jobs, &key).await?;
    let kept = contingency_numbers(tx, tenant, &jobs, &key).await?;
    let mut steps = Vec::new();
    let statements = [release_sql(&jobs), give_up_sql(&jobs), event_sql(&jobs), log_sql(&jobs), end_sql(&jobs, &taken)];
    let [release, give_up, event, keep_log, end] = &statements;
    // Sequences are locked before numbers, in the order of number reservations.
    let [forget, free] = &void::release_jobs(tx.dialect(), &jobs);
    for sql in [forget, free, release, give_up, event] {
        steps.push(SqlStep::new(sql, key.clone()));
    }
    steps.extend(kept);
    if !log.is_empty() {
        let lines: Vec<(i64, &str)> = log.iter().map(|line| (line.at_ms, line.text.as_str())).collect();
        let mut params = key.clone();
        params.extend(params![Uuid::now_v7(), words::json(&lines)?]);
        steps.push(SqlStep::new(keep_log, params));
    }
    let mut ended = key.clone();
    ended.push(now.into());
    steps.push(SqlStep::new(end, ended));
    tx.query_all(&steps).await?;
    let ended = tx.execute(&format!("DELETE FROM queue WHERE {taken}"), &key).await?;
    Ok((ended, own_notes::apply_distributed_all(tx, event_body, tenant, &acted_on, now).await?))
}

/// A document past `Accepted`, a signed event, or another document of the same sale in doubt: only the authority can
/// end such a job.
const MAY_HAVE_LEFT: &str = "(EXISTS (SELECT 1 FROM jobs j WHERE j.tenant_id = queue.tenant_id AND j.id = queue.job_id
        AND j.operacao = 'emissao' AND j.act IS NOT NULL)
    OR EXISTS (SELECT 1 FROM documents d WHERE d.tenant_id = queue.tenant_id
        AND d.job_id = queue.job_id AND d.state NOT IN ('accepted', 'failed'))
    OR EXISTS (SELECT 1 FROM files f WHERE f.tenant_id = queue.tenant_id AND f.job_id = queue.job_id AND f.kind = 'event'))";

/// Steps for the contingency numbers that these jobs hold, one by one: a number that was given out waits for the note
/// in its place.
async fn contingency_numbers<T: Tx>(
    tx: &mut T,
    tenant: Uuid,
    jobs: &str,
    key: &[Value],
) -> Result<Vec<SqlStep<'static>>, Error> {
    let sql = format!(
        "SELECT job_id, {} FROM documents WHERE tenant_id = $1 AND state = 'accepted' AND contingencia IS NOT NULL AND job_id IN {jobs}",
        LedgerNumber::COLUMNS
    );
    let mut steps = Vec::new();
    for mut row in tx.query(&sql, key).await? {
        let job = row.read()?;
        steps.extend(LedgerNumber::read(tenant, &mut row)?.settle(job, NumberState::Released));
    }
    Ok(steps)
}

/// Releases the numbers that these jobs hold.
fn release_sql(jobs: &str) -> String {
    let number = "tenant_id, cpf_cnpj, counted, serie, ambiente, numero";
    format!(
        "UPDATE numbers SET state = 'released' WHERE state = 'reserved' AND ({number}) IN (
             SELECT {number} FROM documents WHERE tenant_id = $1 AND state = 'accepted' AND job_id IN {jobs})"
    )
}

fn give_up_sql(jobs: &str) -> String {
    format!("UPDATE documents SET state = 'failed' WHERE tenant_id = $1 AND state = 'accepted' AND job_id IN {jobs}")
}

/// Frees the event sequence numbers that these jobs hold.
fn event_sql(jobs: &str) -> String {
    format!("DELETE FROM events WHERE tenant_id = $1 AND state = 'reserved' AND job_id IN {jobs}")
}

/// All rows share one id, which only has to be the newest of each job.
fn log_sql(jobs: &str) -> String {
    format!("INSERT INTO job_log (tenant_id, job_id, id, lines) SELECT $1, j.job_id, $4, $5 FROM {jobs} j")
}

fn end_sql(jobs: &str, taken: &str) -> String {
    format!(
        "UPDATE jobs SET status = 'cancelled', erro = NULL, erro_codigo = NULL, atualizado_em = $4, concluido_em = $4,
             tentativas = (SELECT q.tentativas FROM queue q WHERE {taken} AND q.job_id = jobs.id)
         WHERE tenant_id = $1 AND id IN {jobs}"
    )
}
