//! Fairness: every company has its own queue per authority, and the queues are served in turn.
//!
//! A row of `lines` stands for the unfinished jobs of one company at one authority. `turn` records when it was served
//! last; `next_at` is a lower bound of the instant when one of its jobs may be claimed. So a claim reads a few rows of
//! `lines` and a few of `queue`, however long any queue is. Adding work lowers the bound (`mark_ready`); a claim that
//! found less than it wanted raises it (`push_back`).
//!
//! On PostgreSQL a job that is being registered is not visible yet, so its queue could be pushed back meanwhile.
//! Therefore `mark_ready` takes a shared lock on the queue's name until its commit, and `push_back` acts only if it
//! gets that lock exclusively without waiting. A transaction that brings forward the jobs of a whole authority takes
//! the authority's lock exclusively instead (`block_push_back`), and `push_back` needs a share of it: there may be many
//! thousand queues, and the server's lock table is bounded.

use super::new_job::NewJob;
use crate::Error;
use crate::dialect::SqlDialect;
use crate::row::{Params, Row, first, params};
use crate::tx::{SqlStep, Tx, steps_for_each};
use uuid::Uuid;

/// The queue of one company at one authority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CompanyQueue {
    pub(super) tenant_id: Uuid,
    pub(super) cpf_cnpj: String,
    pub(super) authority: String,
}

impl CompanyQueue {
    pub(super) fn of(job: &NewJob) -> CompanyQueue {
        let cpf_cnpj = job.cpf_cnpj.as_str().to_owned();
        CompanyQueue { tenant_id: job.tenant_id, cpf_cnpj, authority: job.authority.clone() }
    }

    pub(super) fn read(mut row: Row) -> Result<CompanyQueue, Error> {
        Ok(CompanyQueue { tenant_id: row.read()?, cpf_cnpj: row.read()?, authority: row.read()? })
    }

    /// `$1`, `$2`, `$3` of every statement about a queue.
    pub(super) fn key(&self) -> Params {
        params![self.tenant_id, &self.cpf_cnpj, &self.authority]
    }

    fn lock_name(&self) -> String {
        format!("line/{}/{}/{}", self.tenant_id, self.cpf_cnpj, self.authority)
    }
}

/// Lowers the queue's bound to `ready_at`. The steps `before` run in the same round trip.
pub(super) async fn mark_ready<T: Tx>(
    tx: &mut T,
    before: Vec<SqlStep<'_>>,
    line: &CompanyQueue,
    ready_at: i64,
) -> Result<(), Error> {
    mark_ready_after(tx, before, line, ready_at).await.map(drop)
}

/// Lowers the queue's bound to `ready_at`; returns the results of the steps `before`.
pub(super) async fn mark_ready_after<T: Tx>(
    tx: &mut T,
    mut before: Vec<SqlStep<'_>>,
    line: &CompanyQueue,
    ready_at: i64,
) -> Result<Vec<Vec<Row>>, Error> {
    let given = before.len();
    before.extend(tx.dialect().shared_lock().map(|sql| SqlStep::identical(sql, params![line.lock_name()])));
    let sql = "SELECT next_at FROM lines WHERE tenant_id = $1 AND cpf_cnpj = $2 AND authority = $3";
    before.push(SqlStep::identical(sql, line.key()));
    let mut answers = tx.query_all(&before).await?;
    let next_at: Option<i64> = first(answers.pop().unwrap_or_default())?;
    answers.truncate(given);
    if next_at.is_some_and(|next_at| next_at <= ready_at) {
        return Ok(answers);
    }
    // A queue that was empty goes behind all waiting queues, once.
    let sql = "INSERT INTO lines (tenant_id, cpf_cnpj, authority, turn, next_at)
               VALUES ($1, $2, $3, (SELECT COALESCE(MAX(turn), 0) FROM lines), $4)
               ON CONFLICT (tenant_id, cpf_cnpj, authority)
               DO UPDATE SET next_at = excluded.next_at WHERE lines.next_at > excluded.next_at";
    tx.execute(sql, &key_with(line, ready_at)).await?;
    Ok(answers)
}

/// Returns the queues that are due, in turn, at most `limit`, without those of the excepted authorities.
pub(super) async fn due_queues<T: Tx>(
    tx: &mut T,
    now: i64,
    except: &[String],
    limit: u32,
) -> Result<Vec<CompanyQueue>, Error> {
    let places: Vec<String> = (3..).take(except.len()).map(|place| format!("${place}")).collect();
    let sql = due_queues_sql(&places.join(", "));
    let mut params = params![now, limit];
    params.extend(except.iter().map(Into::into));
    tx.query(&sql, &params).await?.into_iter().map(CompanyQueue::read).collect()
}

pub(super) fn due_queues_sql(except: &str) -> String {
    let filter = if except.is_empty() { String::new() } else { format!("AND authority NOT IN ({except})") };
    format!(
        "SELECT tenant_id, cpf_cnpj, authority FROM lines WHERE next_at <= $1 {filter}
         ORDER BY turn, tenant_id, cpf_cnpj LIMIT $2"
    )
}

/// Moves the served queues behind all others. Those in `short` gave less than their share: they are pushed back until
/// their next job is due, or deleted when empty.
pub(super) async fn move_behind<T: Tx>(
    tx: &mut T,
    lines: &[CompanyQueue],
    short: &[&CompanyQueue],
) -> Result<(), Error> {
    let turn = skip_if_locked(tx.dialect(), "UPDATE lines SET turn = (SELECT MAX(turn) + 1 FROM lines)");
    let mut steps = steps_for_each(&turn, lines.iter().map(CompanyQueue::key).collect());
    for line in short {
        steps.push(SqlStep::new(
            tx.dialect().try_exclusive_lock(),
            params![line.lock_name(), authority_lock_name(&line.authority)],
        ));
        // Read after the lock: the snapshot contains every job registered before.
        let sql = "SELECT MIN(ready_at) FROM queue WHERE tenant_id = $1 AND cpf_cnpj = $2 AND authority = $3";
        steps.push(SqlStep::new(sql, line.key()));
    }
    let answers = tx.query_all(&steps).await?.split_off(lines.len());
    push_back(tx, short, answers).await
}

/// Blocks `push_back` for this authority until the commit, and waits for those under way. Runs between the change of
/// the jobs, which other transactions do not see yet, and that of the queue rows, which then sees every push-back.
pub(crate) fn block_push_back(dialect: SqlDialect, authority: &str) -> Option<SqlStep<'static>> {
    dialect.exclusive_lock().map(|sql| SqlStep::new(sql, params![authority_lock_name(authority)]))
}

fn authority_lock_name(authority: &str) -> String {
    format!("lines/{authority}")
}

/// `answers`: for each queue, whether its lock is held exclusively, and its next job.
async fn push_back<T: Tx>(tx: &mut T, short: &[&CompanyQueue], answers: Vec<Vec<Row>>) -> Result<(), Error> {
    let rest = skip_if_locked(tx.dialect(), "UPDATE lines SET next_at = $4");
    let end = skip_if_locked(tx.dialect(), "DELETE FROM lines");
    let mut steps = Vec::new();
    let mut answers = answers.into_iter();
    for line in short {
        let (alone, next_at) = (answers.next().unwrap_or_default(), answers.next().unwrap_or_default());
        if first::<i64>(alone)? != Some(1) {
            continue;
        }
        steps.push(match first::<Option<i64>>(next_at)?.flatten() {
            Some(next_at) => SqlStep::new(&rest, key_with(line, next_at)),
            None => SqlStep::new(&end, line.key()),
        });
    }
    tx.query_all(&steps).await.map(drop)
}

fn key_with(line: &CompanyQueue, last: i64) -> Params {
    let mut params = line.key();
    params.push(last.into());
    params
}

/// Makes a change of a queue's row that skips a row held by another transaction: claims never wait for each other, so
/// they cannot deadlock.
fn skip_if_locked(dialect: SqlDialect, change: &str) -> String {
    let line = "tenant_id = $1 AND cpf_cnpj = $2 AND authority = $3";
    let skip_locked = dialect.skip_locked();
    format!(
        "WITH free AS MATERIALIZED (SELECT turn FROM lines WHERE {line} {skip_locked})
         {change} WHERE {line} AND EXISTS (SELECT 1 FROM free)"
    )
}
