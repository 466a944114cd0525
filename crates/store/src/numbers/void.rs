//! Voiding of numbers: held while the authority is asked, then voided for ever, or in their former state again.
//!
//! Law: MOC 7.0, visão geral, 5.3.
//! Must not know: the request to the authority.

use super::number_state::NumberState;
use super::sequence::{LOCK, SEQUENCE, Sequence, SequenceRange, Series};
use crate::dialect::SqlDialect;
use crate::row::{Row, Value, only, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store};
use uuid::Uuid;

impl Store {
    /// Returns the gaps of a sequence, ascending, at most `most`: ranges below the highest number in use that no
    /// document has, that were not voided, and that no note will be given. Numbers before the first known one belong to
    /// another system.
    pub async fn gaps(&self, tenant: Uuid, series: Series, most: u32) -> Result<Vec<SequenceRange>, Error> {
        self.read(ReadGaps { sequence: Sequence { tenant, series }, most, within: None }).await
    }

    /// Returns the gaps among the newest `within` numbers of a sequence, ascending, at most `most`: the cost does not
    /// grow with the sequence.
    pub async fn recent_gaps(
        &self,
        tenant: Uuid,
        series: Series,
        within: u32,
        most: u32,
    ) -> Result<Vec<SequenceRange>, Error> {
        self.read(ReadGaps { sequence: Sequence { tenant, series }, most, within: Some(within) }).await
    }
}

/// Holds a range for a job: every number free, or `NumberHeld` with the first one that is not.
pub(crate) async fn hold_void_range<T: Tx>(
    tx: &mut T,
    sequence: &Sequence,
    range: SequenceRange,
    job: Uuid,
) -> Result<(), Error> {
    let next: u64 = only(tx.query(LOCK, &sequence.key()).await?)?.read()?;
    let taken = format!(
        "SELECT numero, state, void_job FROM numbers WHERE {SEQUENCE} AND numero BETWEEN $6 AND $7 AND state <> 'released'
         ORDER BY numero LIMIT 1"
    );
    let ends = params![range.from, range.until];
    if let Some(mut row) = tx.query(&taken, &sequence.with(ends.clone())).await?.into_iter().next() {
        let (numero, state, holder): (u64, String, Option<Uuid>) = (row.read()?, row.read()?, row.read()?);
        let state = NumberState::read(&state)?;
        if state == NumberState::Voiding && holder == Some(job) {
            return Ok(());
        }
        return Err(Error::NumberHeld { numero, state });
    }
    let mut held = sequence.with(ends);
    held.extend(params![job]);
    let released = format!(
        "UPDATE numbers SET state = 'voiding', void_job = $8
         WHERE {SEQUENCE} AND numero BETWEEN $6 AND $7 AND state = 'released'"
    );
    let ours = format!(
        "UPDATE numbers SET job_id = $6 WHERE {SEQUENCE} AND void_job = $6 AND job_id IS NULL AND numero >= $7"
    );
    let steps = [
        SqlStep::new(&released, held.clone()),
        SqlStep::new(ABSENT, held),
        // The sequence skips these numbers and would never return to them: the job also reserves them as for a note, so
        // that they can be released as a note's.
        SqlStep::new(&ours, sequence.with(params![job, next])),
    ];
    tx.query_all(&steps).await.map(drop)
}

/// Inserts the numbers of a range that have no row yet.
const ABSENT: &str = "WITH RECURSIVE asked(n) AS (
        SELECT CAST($6 AS BIGINT) UNION ALL SELECT n + 1 FROM asked WHERE n < CAST($7 AS BIGINT))
    INSERT INTO numbers (tenant_id, cpf_cnpj, counted, serie, ambiente, numero, state, void_job)
    SELECT $1, $2, $3, $4, $5, n, 'voiding', $8 FROM asked WHERE true
    ON CONFLICT (tenant_id, cpf_cnpj, counted, serie, ambiente, numero) DO NOTHING";

/// Ends the voiding of a job's numbers: voided, or used elsewhere.
pub(crate) fn end_voiding(tenant: Uuid, job: Uuid, state: NumberState) -> SqlStep<'static> {
    let sql = "UPDATE numbers SET state = $3 WHERE tenant_id = $1 AND void_job = $2 AND state = 'voiding'";
    SqlStep::new(sql, params![tenant, job, state.word()])
}

/// Returns the numbers of job `$2` to their former state; those that the sequence has skipped meanwhile are released.
pub(crate) fn release(dialect: SqlDialect) -> [String; 2] {
    released(dialect, "void_job = $2")
}

/// Returns the numbers of several jobs, given by a subquery, to their former state; `$1` is the tenant.
pub(crate) fn release_jobs(dialect: SqlDialect, jobs: &str) -> [String; 2] {
    released(dialect, &format!("void_job IN {jobs}"))
}

fn released(dialect: SqlDialect, whose: &str) -> [String; 2] {
    // Read first, with a lock: the sequence must not skip a number that is being deleted, and reservations take the
    // locks in this order too.
    let next = format!(
        "SELECT s.next FROM sequences s WHERE s.tenant_id = numbers.tenant_id AND s.cpf_cnpj = numbers.cpf_cnpj AND s.counted = numbers.counted
             AND s.serie = numbers.serie AND s.ambiente = numbers.ambiente {}",
        dialect.for_update()
    );
    let held = format!("tenant_id = $1 AND {whose} AND state = 'voiding'");
    [
        format!("DELETE FROM numbers WHERE {held} AND ((numero >= ({next}) AND job_id = void_job) OR job_id IS NULL)"),
        format!("UPDATE numbers SET state = 'released', void_job = NULL WHERE {held}"),
    ]
}

struct ReadGaps {
    sequence: Sequence,
    most: u32,
    /// Numbers below the next one that are looked at; `None` for all.
    within: Option<u32>,
}

impl StoreOperation for ReadGaps {
    type Output = Vec<SequenceRange>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<SequenceRange>, Error> {
        let mut beside = params![self.most];
        beside.extend(self.within.map(Value::from));
        let rows = tx.query(&gaps_sql(self.within.is_some()), &self.sequence.with(beside)).await?;
        rows.into_iter().map(|mut row: Row| Ok(SequenceRange { from: row.read()?, until: row.read()? })).collect()
    }
}

/// A released number below `next` is given to the next note: no gap.
fn gaps_sql(is_bounded: bool) -> String {
    let bound = format!("AND numero >= (SELECT next FROM sequences WHERE {SEQUENCE}) - $7");
    let bound = if is_bounded { bound.as_str() } else { "" };
    format!(
        "SELECT before + 1, numero - 1 FROM (
             SELECT numero, LAG(numero) OVER (ORDER BY numero) AS before FROM numbers WHERE {SEQUENCE} {bound}
                 AND (state <> 'released' OR numero < (SELECT next FROM sequences WHERE {SEQUENCE}))
         ) held WHERE numero > before + 1 ORDER BY numero LIMIT $6"
    )
}

crate::dyn_operation::erasable!(ReadGaps);
