//! Numbers of notes by kind, kept in the transaction that changes a note, so that totals are always exact.
//!
//! Reason: docs/decisions/store.md, "Totals of documents are kept, in up to eight rows per kind". Numbers per day:
//! `days`.

use super::note_rows::{NOTE, change_many_sql, shard};
use super::{NoteFilter, days};
use crate::conditions::Conditions;
use crate::dialect::{PerDialect, SqlDialect};
use crate::row::params;
use crate::tx::{SqlStep, Tx};
use crate::words;
use fiscal::value::{CnpjCpf, Serie};
use std::ops::Range;
use uuid::Uuid;

/// Counts a note that has just entered its state. Runs after the change; no effect if no authority decided.
pub(crate) fn count_steps(sql: &'static NoteCountSql, tenant: Uuid, job: Uuid) -> [SqlStep<'static>; 2] {
    sql.steps(tenant, job, 1)
}

/// Uncounts a note that is about to leave its state. Runs before the change.
pub(crate) fn uncount_steps(sql: &'static NoteCountSql, tenant: Uuid, job: Uuid) -> [SqlStep<'static>; 2] {
    sql.steps(tenant, job, -1)
}

/// The statements in a database's dialect.
pub(crate) struct NoteCountSql {
    ever: String,
    ever_many: String,
    of_day: String,
    of_day_many: String,
}

impl NoteCountSql {
    pub(crate) fn of(tx: &impl Tx) -> &'static NoteCountSql {
        static SPELLED: PerDialect<NoteCountSql> = PerDialect::new();
        SPELLED.of(tx.dialect(), |dialect| {
            let skip_locked = dialect.skip_locked();
            NoteCountSql {
                ever: change_sql(dialect),
                ever_many: change_many_sql("note_counts", KIND, [KIND_OF_NOTE, "given.p3", "given.p4"], skip_locked),
                of_day: days::change_sql(dialect),
                of_day_many: days::change_many_sql(skip_locked),
            }
        })
    }

    fn steps(&'static self, tenant: Uuid, job: Uuid, by: i64) -> [SqlStep<'static>; 2] {
        let ever = SqlStep::with_batch_sql(&self.ever, params![tenant, job, shard(job), by], &self.ever_many);
        [ever, SqlStep::with_batch_sql(&self.of_day, days::change(tenant, job, by), &self.of_day_many)]
    }
}

fn change_sql(dialect: SqlDialect) -> String {
    let rows = format!("note_counts WHERE ({KIND}) = (SELECT {KIND_OF_NOTE} FROM {NOTE})");
    let (free, shard) = dialect.free_shard(&rows, "CAST($3 AS BIGINT)");
    format!(
        "{free} INSERT INTO note_counts ({KIND}, shard, n) SELECT {KIND_OF_NOTE}, {shard}, CAST($4 AS BIGINT) FROM {NOTE}
         ON CONFLICT ({KIND}, shard) DO UPDATE SET n = note_counts.n + excluded.n"
    )
}

/// Columns of a kind, and their expressions on a note.
const KIND: &str = "tenant_id, cpf_cnpj, tipo, serie, ambiente, state";
const KIND_OF_NOTE: &str = "d.tenant_id, d.cpf_cnpj, d.tipo, d.serie, d.ambiente, d.state";

/// `true` if the counted kinds distinguish a filter's notes, its period aside.
pub(super) fn covers_filter(filter: &NoteFilter) -> bool {
    let NoteFilter { destinatario, numero, chave, .. } = filter;
    destinatario.is_none() && numero.is_none() && chave.is_none()
}

/// Number of notes over all time.
pub(super) fn all_time_total(tenant: Uuid, filter: &NoteFilter) -> (String, Conditions) {
    sum("note_counts", of_kind(tenant, filter))
}

/// Number of notes in these days.
pub(super) fn days_total(tenant: Uuid, filter: &NoteFilter, days: &Range<i64>) -> (String, Conditions) {
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
    conditions.and_optional("cpf_cnpj =", filter.emitente.as_ref().map(CnpjCpf::as_str));
    conditions.and_optional("tipo =", filter.tipo.as_ref());
    conditions.and_optional("serie =", filter.serie.as_ref().map(Serie::as_str));
    conditions.and_optional("ambiente =", filter.ambiente.map(words::ambiente));
    conditions.and_optional("state =", filter.state.map(words::state));
    conditions.and_within("cpf_cnpj", filter.reach);
    conditions
}
