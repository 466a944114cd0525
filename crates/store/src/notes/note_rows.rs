//! Rows in which notes are counted: the counted note, and the rows of a kind among which transactions spread.

use crate::dialect::of;
use uuid::Uuid;

/// Most rows per kind. PostgreSQL holds a row until the commit is on disk: with one row the notes of a company would
/// settle one by one. Each transaction counts in the first row that no other holds; a single process needs one row.
const SHARDS: u8 = 8;

/// A counted note by its own key. The state is hidden in an expression, since a planner may otherwise choose an index
/// that lists notes by state.
pub(super) const NOTE: &str = "documents d WHERE d.tenant_id = $1 AND d.job_id = $2 AND d.state || '' IN ('authorized', 'cancelled', 'denied', 'rejected')";

/// Makes the statement that counts many notes: one change per kind. `of_note`, `shard` and `by` are the expressions of
/// the key, the shard and the amount in a note's row.
pub(super) fn change_many_sql(table: &str, key: &str, [of_note, shard, by]: [&str; 3], skip_locked: &str) -> String {
    let note = NOTE.replace('$', "given.p");
    format!(
        "WITH due AS MATERIALIZED (
             SELECT {key}, MIN(shard) AS shard, CAST(SUM(n) AS BIGINT) AS n
             FROM (SELECT {of_note}, {shard}, {by} FROM {{rows}} CROSS JOIN {note}) note ({key}, shard, n) GROUP BY {key}),
         free AS MATERIALIZED (
             SELECT due.*, held.shard AS free FROM due LEFT JOIN LATERAL (
                 SELECT c.shard FROM {table} c WHERE ({}) = ({}) ORDER BY c.shard LIMIT 1 {skip_locked}) held ON TRUE)
         INSERT INTO {table} ({key}, shard, n) SELECT {key}, COALESCE(free, shard), n FROM free ORDER BY {key}
         ON CONFLICT ({key}, shard) DO UPDATE SET n = {table}.n + excluded.n",
        of("c", key),
        of("due", key)
    )
}

/// The last byte of a UUID v7 is random.
pub(super) fn shard(job: Uuid) -> u8 {
    job.as_bytes()[15] % SHARDS
}
