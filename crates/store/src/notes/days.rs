//! Numbers of notes by kind and day, kept like `counts`: a period is its whole days from here, and its partial days
//! counted.
//!
//! The day of a note is the registration day of its job, which the id contains, so it never changes. Reason:
//! docs/decisions/store.md, "Totals of a period are whole days plus counted ends".

use super::Period;
use super::note_rows::{self, NOTE};
use crate::dialect::SqlDialect;
use crate::row::{Params, params};
use std::ops::Range;
use uuid::Uuid;

/// Days begin at midnight of UTC-3, the civil time of most states; the days of the others end within one of these.
const BEGINS_S: i64 = 3 * 3_600;
const DAY_S: i64 = 86_400;

/// Columns of a kind and day.
const KIND: &str = "tenant_id, day, cpf_cnpj, tipo, serie, ambiente, state";

/// Counts a note in the day of its job, like the statement for all time.
pub(super) fn change_sql(dialect: SqlDialect) -> String {
    let of_note = "d.tenant_id, CAST($3 AS BIGINT), d.cpf_cnpj, d.tipo, d.serie, d.ambiente, d.state";
    let rows = format!("note_days WHERE ({KIND}) = (SELECT {of_note} FROM {NOTE})");
    let (free, shard) = dialect.free_shard(&rows, "CAST($4 AS BIGINT)");
    format!(
        "{free} INSERT INTO note_days ({KIND}, shard, n) SELECT {of_note}, {shard}, CAST($5 AS BIGINT) FROM {NOTE}
         ON CONFLICT ({KIND}, shard) DO UPDATE SET n = note_days.n + excluded.n"
    )
}

/// Counts many notes, each in the day of its job.
pub(super) fn change_many_sql(skip_locked: &str) -> String {
    let of_note = "d.tenant_id, given.p3, d.cpf_cnpj, d.tipo, d.serie, d.ambiente, d.state";
    note_rows::change_many_sql("note_days", KIND, [of_note, "given.p4", "given.p5"], skip_locked)
}

/// Parameters of `change_sql`.
pub(super) fn change(tenant: Uuid, job: Uuid, by: i64) -> Params {
    params![tenant, job, day_of(job), note_rows::shard(job), by]
}

/// The first 48 bits of a UUID v7 are milliseconds.
fn day_of(job: Uuid) -> i64 {
    let ms = i64::try_from(job.as_u128() >> 80).unwrap_or(i64::MAX);
    (ms / 1_000 - BEGINS_S).div_euclid(DAY_S)
}

/// A period split into whole days and the remaining parts at its ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SplitPeriod {
    /// Numbers of days; empty when the period contains no whole day.
    pub(super) days: Range<i64>,
    /// Less than a day each, unless there are no whole days.
    pub(super) ends: Vec<Period>,
}

impl SplitPeriod {
    /// An open end includes every day on its side.
    pub(super) fn of(period: Period) -> SplitPeriod {
        let first = period.from.map_or(i64::MIN, |from| day_at(from.saturating_add(DAY_S - 1)));
        let after = period.until.map_or(i64::MAX, day_at);
        if first >= after {
            return SplitPeriod { days: 0..0, ends: vec![period] };
        }
        let head = period.from.map(|from| Period { from: Some(from), until: Some(begins(first)) });
        let tail = period.until.map(|until| Period { from: Some(begins(after)), until: Some(until) });
        let ends = [head, tail].into_iter().flatten().filter(|end| end.from < end.until).collect();
        SplitPeriod { days: first..after, ends }
    }
}

/// Day of an instant.
fn day_at(second: i64) -> i64 {
    second.saturating_sub(BEGINS_S).div_euclid(DAY_S)
}

/// First second of a day.
fn begins(day: i64) -> i64 {
    day.saturating_mul(DAY_S).saturating_add(BEGINS_S)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::SqlDialect;
    use crate::migrate::MigrateDatabase;
    use crate::notes::counts;
    use crate::postgres::tests::{on_a_new_database, write};
    use crate::row::Value;
    use crate::sqlite::SqliteTx;
    use crate::tx::{StoreOperation, Tx, poll_once};

    /// 2026-11-20, 00:00 in Brasília.
    const MIDNIGHT: i64 = 1_795_143_600;

    fn made_at(ms: i64, chance: u128) -> Uuid {
        Uuid::from_u128((u128::from(ms.unsigned_abs()) << 80) | (7 << 76) | (2 << 62) | chance)
    }

    fn period(from: i64, until: i64) -> Period {
        Period { from: Some(MIDNIGHT + from), until: Some(MIDNIGHT + until) }
    }

    #[test]
    fn a_day_ends_at_midnight_of_brasilia() {
        let day = day_of(made_at(MIDNIGHT * 1_000, 0));
        assert_eq!(begins(day), MIDNIGHT);
        assert_eq!(day_of(made_at(MIDNIGHT * 1_000 - 1, 0)), day - 1);
        assert_eq!(day_of(made_at((MIDNIGHT + DAY_S) * 1_000 - 1, 0)), day);
    }

    #[test]
    fn a_period_is_whole_days_and_less_than_a_day_at_each_end() {
        let today = day_at(MIDNIGHT);
        let split = |days, ends: &[Period]| SplitPeriod { days, ends: ends.to_vec() };
        assert_eq!(SplitPeriod::of(period(0, 3 * DAY_S)), split(today..today + 3, &[]));
        // The days of Acre.
        let acre = SplitPeriod::of(period(7_200, 2 * DAY_S + 7_200));
        assert_eq!(acre, split(today + 1..today + 2, &[period(7_200, DAY_S), period(2 * DAY_S, 2 * DAY_S + 7_200)]));
        assert_eq!(SplitPeriod::of(period(1, DAY_S)), split(0..0, &[period(1, DAY_S)]));
        assert_eq!(SplitPeriod::of(period(9, 9)), split(0..0, &[period(9, 9)]));
        let since = Period { until: None, ..period(-1, 0) };
        assert_eq!(SplitPeriod::of(since), split(today..i64::MAX, &[period(-1, 0)]));
        let before = Period { from: None, ..period(0, 1) };
        assert_eq!(SplitPeriod::of(before), split(i64::MIN..today, &[period(0, 1)]));
    }

    /// Notes of every state around midnights, counted one by one, and then by the migration.
    struct CountTwice;

    impl StoreOperation for CountTwice {
        type Output = [Vec<Vec<i64>>; 2];

        async fn run<T: Tx>(&self, tx: &mut T) -> Result<Self::Output, crate::Error> {
            for number in 0..240 {
                let state = ["authorized", "cancelled", "denied", "rejected", "sending"][number % 5];
                note(tx, number, number % 7, state).await?;
            }
            // Many of a kind on one day.
            for number in 240..1_000 {
                note(tx, number, 1, "authorized").await?;
            }
            let counted = days(tx).await?;
            // Series were numbers in that version.
            let migration = include_str!("../migrations/0007_note_days.sql").replace("serie {int}", "serie TEXT");
            let migration = tx.dialect().expand_migration(&migration);
            tx.script(&format!("DROP TABLE note_days; {migration}")).await?;
            Ok([counted, days(tx).await?])
        }
    }

    async fn note<T: Tx>(tx: &mut T, number: usize, day: usize, state: &str) -> Result<(), crate::Error> {
        let numero = i64::try_from(number).unwrap();
        let ms = (MIDNIGHT + i64::try_from(day).unwrap() * DAY_S) * 1_000 + numero % 3 - 1;
        let job = made_at(ms, number as u128);
        let company = ["11222333000181", "12ABC34501DE35"][number % 2];
        let sql =
            "INSERT INTO documents (tenant_id, job_id, cpf_cnpj, ambiente, state, counted, serie, numero, codigo_aleatorio, tipo_emissao,
                       dhEmi, valor, tipo) VALUES ($1, $2, $3, 2, $4, '55', '1', $5, 1, 1, '', '', 'nfe')";
        tx.execute(sql, &params![Uuid::nil(), job, company, state, numero]).await?;
        let counted = counts::NoteCountSql::of(tx);
        tx.query_all(&counts::count_steps(counted, Uuid::nil(), job)).await.map(drop)
    }

    /// Every kind of every day, as numbers, with its number of rows.
    async fn days<T: Tx>(tx: &mut T) -> Result<Vec<Vec<i64>>, crate::Error> {
        let sql = "SELECT CAST(SUBSTR(cpf_cnpj, 1, 2) AS BIGINT), day, CAST(LENGTH(state) AS BIGINT), CAST(SUM(n) AS BIGINT), COUNT(*)
                   FROM note_days GROUP BY day, cpf_cnpj, state ORDER BY day, cpf_cnpj, state";
        let rows = tx.query(sql, &[] as &[Value]).await?;
        rows.into_iter().map(|mut row| (0..5).map(|_| row.read()).collect()).collect()
    }

    fn agree([mut counted, mut migrated]: [Vec<Vec<i64>>; 2]) {
        let rows = |kinds: &mut [Vec<i64>]| -> i64 { kinds.iter_mut().filter_map(Vec::pop).sum() };
        assert_eq!(rows(&mut migrated), 8 * 4 * 2, "{migrated:?}");
        assert_eq!(rows(&mut counted), 8 * 4 * 2, "who counts alone needs one row of a kind");
        assert_eq!(counted, migrated);
        assert_eq!(counted.iter().filter_map(|kind| kind.last()).sum::<i64>(), 240 * 4 / 5 + 760);
    }

    #[test]
    fn the_migration_counts_what_is_there_as_sqlite_counts_what_comes() {
        let mut connection = rusqlite::Connection::open_in_memory().unwrap();
        let mut tx = SqliteTx::new(&mut connection);
        poll_once(MigrateDatabase.run(&mut tx)).unwrap().unwrap();
        assert_eq!(tx.dialect(), SqlDialect::Sqlite);
        agree(poll_once(CountTwice.run(&mut tx)).unwrap().unwrap());
    }

    #[tokio::test]
    async fn the_migration_counts_what_is_there_as_postgresql_counts_what_comes() {
        on_a_new_database(|database, _| async move { agree(write(&database, CountTwice).await.unwrap()) }).await;
    }
}
