//! Correction of instants that lie too far in the future. A clock that jumped ahead and was set back leaves them
//! behind, and the work that they schedule would wait until that day. They are clamped to the present clock.
//!
//! Must not know: the reasons for a waiting time; the caller passes the limits.

use crate::jobs::company_queue::block_push_back;
use crate::row::{Params, params};
use crate::tx::{Lane, SqlStep, StoreOperation, Tx};
use crate::{Error, Store, words};

/// Largest distance into the future for an instant of each kind, in seconds.
#[derive(Debug, Clone, Copy)]
pub struct InstantLimits {
    /// Next attempt of a job.
    pub job: i64,
    /// Lease of a job, a delivery or a distribution.
    pub lease: i64,
    /// Next attempt of a delivery.
    pub delivery: i64,
    /// Next attempt of a delivery after the contract's attempts.
    pub extended_delivery: i64,
    /// Next check of a sequence for gaps.
    pub gap_check: i64,
    /// Block by cStat 656.
    pub block: i64,
    /// Next query of a distribution.
    pub distribution: i64,
    /// Expiry of a session.
    pub session: i64,
    /// Expiry of a confirmation token.
    pub confirmation: i64,
}

impl Store {
    /// Clamps instants that lie too far ahead; returns the number of rows changed. Leased work keeps a full lease from
    /// now.
    pub async fn clamp_future_instants(&self, now: i64, longest: InstantLimits) -> Result<u64, Error> {
        let found = self.write(ClampFutureInstants { now, longest }).await?;
        if found > 0 {
            self.announce_work();
            self.announce_deliveries();
        }
        Ok(found)
    }
}

struct ClampFutureInstants {
    now: i64,
    longest: InstantLimits,
}

/// Parameters: the limit `now + most` and the replacement value.
fn clamp_params(now: i64, most: i64, then: i64) -> Params {
    params![now.saturating_add(most), then]
}

impl ClampFutureInstants {
    async fn jobs<T: Tx>(&self, tx: &mut T) -> Result<u64, Error> {
        let (now, InstantLimits { lease, job, .. }) = (self.now, self.longest);
        let in_hand = "UPDATE queue SET ready_at = $2 WHERE token IS NOT NULL AND ready_at > $1";
        let waiting = "UPDATE queue SET ready_at = $2 WHERE token IS NULL AND ready_at > $1";
        let mut found = tx.execute(in_hand, &clamp_params(now, lease, now.saturating_add(lease))).await?;
        found += tx.execute(waiting, &clamp_params(now, job, now)).await?;
        if found > 0 {
            let rows = tx.query("SELECT DISTINCT authority FROM lines ORDER BY authority", &[]).await?;
            let authorities: Vec<String> = rows.into_iter().map(|mut row| row.read()).collect::<Result<_, _>>()?;
            let dialect = tx.dialect();
            let steps: Vec<SqlStep<'_>> = authorities.iter().filter_map(|one| block_push_back(dialect, one)).collect();
            tx.query_all(&steps).await?;
        }
        // A company queue waits for its first job, and that job's `ready_at` is either a lease end or an attempt
        // instant.
        let lines = "UPDATE lines SET next_at = $2 WHERE next_at > $1";
        Ok(found + tx.execute(lines, &clamp_params(now, lease.max(job), now)).await?)
    }

    /// Statements with the limit (`$1`) and the value that replaces an instant beyond it (`$2`).
    fn clamp_statements(&self) -> Vec<(&'static str, Params)> {
        let (now, longest) = (self.now, self.longest);
        let beyond = |most: i64, then: i64| clamp_params(now, most, then);
        let until = |most: i64| beyond(most, now.saturating_add(most));
        vec![
            ("UPDATE delivery_queue SET ready_at = $2 WHERE token IS NOT NULL AND ready_at > $1", until(longest.lease)),
            (
                "UPDATE delivery_queue SET ready_at = $2 WHERE token IS NULL AND restantes > 0 AND ready_at > $1",
                beyond(longest.delivery, now),
            ),
            (
                "UPDATE delivery_queue SET ready_at = $2 WHERE token IS NULL AND restantes = 0 AND ready_at > $1",
                beyond(longest.extended_delivery, now),
            ),
            ("UPDATE sequences SET lacunas_em = $2 WHERE lacunas_em > $1", beyond(longest.gap_check, now)),
            ("UPDATE circuits SET since = $2 WHERE since > $1", beyond(0, now)),
            ("UPDATE circuits SET opened_at = $2 WHERE opened_at > $1", beyond(0, now)),
            ("UPDATE circuits SET polled_at = $2 WHERE polled_at > $1", beyond(0, now)),
            ("UPDATE circuits SET told_at = $2 WHERE told_at > $1", beyond(0, now)),
            ("UPDATE blocks SET until_at = $2 WHERE until_at > $1", until(longest.block)),
            ("UPDATE distribution SET next_at = $2 WHERE next_at > $1", until(longest.distribution)),
            ("UPDATE distribution SET blocked_until = $2 WHERE blocked_until > $1", until(longest.distribution)),
            ("UPDATE distribution SET lease_until = $2 WHERE lease_until > $1", until(longest.lease)),
            ("UPDATE distribution_points SET at = $2 WHERE at > $1", beyond(0, now)),
            ("UPDATE sessions SET expira_em = $2 WHERE expira_em > $1", until(longest.session)),
            ("UPDATE login_failures SET em = $2 WHERE em > $1", beyond(0, now)),
            ("UPDATE confirmations SET expira_em = $2 WHERE expira_em > $1", until(longest.confirmation)),
        ]
    }

    /// Calls that were counted while the clock was ahead still count, from now on.
    async fn budgets<T: Tx>(&self, tx: &mut T) -> Result<u64, Error> {
        let now_ms = self.now.saturating_mul(1_000).saturating_add(999);
        let sql = "SELECT transmissor, servico, sobre, calls FROM budgets WHERE last_at > $1";
        let rows = tx.query(sql, &params![now_ms]).await?;
        let found = u64::try_from(rows.len()).unwrap_or(u64::MAX);
        for mut row in rows {
            let (transmissor, servico, sobre): (String, String, String) = (row.read()?, row.read()?, row.read()?);
            let calls: Vec<i64> = words::read_json(row.read()?)?;
            let calls: Vec<i64> = calls.into_iter().map(|at| at.min(now_ms)).collect();
            let sql =
                "UPDATE budgets SET calls = $4, last_at = $5 WHERE transmissor = $1 AND servico = $2 AND sobre = $3";
            tx.execute(sql, &params![transmissor, servico, sobre, words::json(&calls)?, now_ms]).await?;
        }
        Ok(found)
    }
}

impl StoreOperation for ClampFutureInstants {
    type Output = u64;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<u64, Error> {
        let mut found = self.budgets(tx).await? + self.jobs(tx).await?;
        for (sql, params) in self.clamp_statements() {
            found += tx.execute(sql, &params).await?;
        }
        Ok(found)
    }
}

crate::dyn_operation::erasable!(ClampFutureInstants);
