//! How many notes there are of each kind: kept in the transaction that changes a note, so a total is always exact.
//!
//! Why: docs/decisions.md, "Totals of notes are kept, not counted". Their days: `days`.

use super::{NoteFilter, days};
use crate::conditions::Conditions;
use crate::dialect::{Dialect, Spelled, of};
use crate::jobs::words;
use crate::row::params;
use crate::tx::{Step, Tx};
use fiscal::value::{CnpjCpf, Serie};
use std::ops::Range;
use uuid::Uuid;

/// Rows per kind, at most. PostgreSQL holds a row until the commit is on the disk: with one row, the notes of a company
/// would settle one by one. Each counts in the first row that nobody holds, so none waits for another, and one process
/// alone needs one row.
const SHARDS: u8 = 8;

/// The note has just entered its state. Goes behind the change; does nothing when no authority decided.
pub(crate) fn entered(sql: &'static Sql, tenant: Uuid, job: Uuid) -> [Step<'static>; 2] {
    sql.steps(tenant, job, 1)
}

/// The note is about to leave its state. Goes before the change.
pub(crate) fn leaves(sql: &'static Sql, tenant: Uuid, job: Uuid) -> [Step<'static>; 2] {
    sql.steps(tenant, job, -1)
}

/// The statements, as a database spells them.
pub(crate) struct Sql {
    ever: String,
    ever_many: String,
    of_day: String,
    of_day_many: String,
}

impl Sql {
    pub(crate) fn of(tx: &impl Tx) -> &'static Sql {
        static SPELLED: Spelled<Sql> = Spelled::new();
        SPELLED.of(tx.dialect(), |dialect| {
            let skip_locked = dialect.skip_locked();
            Sql {
                ever: change_sql(dialect),
                ever_many: change_many_sql("note_counts", KIND, [KIND_OF_NOTE, "given.p3", "given.p4"], skip_locked),
                of_day: days::change_sql(dialect),
                of_day_many: days::change_many_sql(skip_locked),
            }
        })
    }

    fn steps(&'static self, tenant: Uuid, job: Uuid, by: i64) -> [Step<'static>; 2] {
        let ever = Step::shared(&self.ever, params![tenant, job, shard(job), by], &self.ever_many);
        [ever, Step::shared(&self.of_day, days::change(tenant, job, by), &self.of_day_many)]
    }
}

/// A note whose state is counted, by its own key: with the state left as it is a planner may rather go along an index
/// that lists notes by it.
pub(super) const NOTE: &str = "documents d WHERE d.tenant_id = $1 AND d.job_id = $2 AND d.state || '' IN ('authorized', 'cancelled', 'denied', 'rejected')";

fn change_sql(dialect: Dialect) -> String {
    let rows = format!("note_counts WHERE ({KIND}) = (SELECT {KIND_OF_NOTE} FROM {NOTE})");
    let (free, shard) = dialect.free_shard(&rows, "CAST($3 AS BIGINT)");
    format!(
        "{free} INSERT INTO note_counts ({KIND}, shard, n) SELECT {KIND_OF_NOTE}, {shard}, CAST($4 AS BIGINT) FROM {NOTE}
         ON CONFLICT ({KIND}, shard) DO UPDATE SET n = note_counts.n + excluded.n"
    )
}

/// What makes notes be of one kind, and where it stands on a note.
const KIND: &str = "tenant_id, cpf_cnpj, tipo, serie, ambiente, state";
const KIND_OF_NOTE: &str = "d.tenant_id, d.cpf_cnpj, d.tipo, d.serie, d.ambiente, d.state";

/// The same for many notes: a change of each kind that they are of. `of_note`, `shard` and `by` say where in a note's
/// row its key is, and what is counted.
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

/// The last byte of a UUID v7 is chance.
pub(super) fn shard(job: Uuid) -> u8 {
    job.as_bytes()[15] % SHARDS
}

/// Whether the kinds that are counted tell a filter's notes from others, its period aside.
pub(super) fn know(filter: &NoteFilter) -> bool {
    let NoteFilter { destinatario, numero, chave, .. } = filter;
    destinatario.is_none() && numero.is_none() && chave.is_none()
}

/// How many there are at all.
pub(super) fn ever(tenant: Uuid, filter: &NoteFilter) -> (String, Conditions) {
    sum("note_counts", of_kind(tenant, filter))
}

/// How many there are of these days.
pub(super) fn within(tenant: Uuid, filter: &NoteFilter, days: &Range<i64>) -> (String, Conditions) {
    let mut conditions = of_kind(tenant, filter);
    conditions.and_value("day >=", days.start);
    conditions.and_value("day <", days.end);
    sum("note_days", conditions)
}

fn sum(table: &str, conditions: Conditions) -> (String, Conditions) {
    let sql = format!("SELECT CAST(COALESCE(SUM(n), 0) AS BIGINT) FROM {table} WHERE {}", conditions.text());
    (sql, conditions)
}

fn of_kind(tenant: Uuid, filter: &NoteFilter) -> Conditions {
    let mut conditions = Conditions::of_tenant("tenant_id", tenant);
    conditions.and_given("cpf_cnpj =", filter.emitente.as_ref().map(CnpjCpf::as_str));
    conditions.and_given("tipo =", filter.tipo.as_ref());
    conditions.and_given("serie =", filter.serie.as_ref().map(Serie::as_str));
    conditions.and_given("ambiente =", filter.ambiente.map(words::ambiente));
    conditions.and_given("state =", filter.state.map(words::state));
    conditions
}
