//! Reservation of numbers inside a transaction. The row of the sequence is the lock: one number at a time per sequence.
//!
//! Automatic numbers: the lowest released one below `next`, else `next`, skipping numbers that callers requested. A
//! requested number beyond `next` raises `next` only once it is used, so that a typing error which the authority
//! rejects has no effect.

use super::number_state::NumberState;
use super::sequence::{LOCK, SEQUENCE, Sequence, uncleared_sql};
use crate::dialect::{PerDialect, SqlDialect, of};
use crate::jobs::document::Contingencia;
use crate::row::{Params, Row, first, only, params};
use crate::tx::{SqlStep, Tx};
use crate::{Error, words};
use uuid::Uuid;

/// A chosen number under the sequence's lock, which lasts until the commit.
pub(crate) struct NumberChoice {
    pub(crate) numero: u64,
    /// Next automatic number after this choice, if it changes.
    next: Option<u64>,
}

/// Number to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WantedNumber {
    /// A number requested by the caller.
    Asked(u64),
    /// The lowest released number, or else the next one.
    Lowest,
    /// A number that was never given: a document in contingency takes no number under which another may have been sent
    /// (MOC 7.0, anexo IV, 5).
    Fresh,
}

/// Locks the sequence and chooses a number.
pub(crate) async fn choose<T: Tx>(
    tx: &mut T,
    sequence: &Sequence,
    wanted: WantedNumber,
) -> Result<NumberChoice, Error> {
    if let WantedNumber::Asked(asked) = wanted {
        tx.query(LOCK, &sequence.key()).await?;
        return Ok(NumberChoice { numero: asked, next: None });
    }
    let released = released_sql();
    let held = held_sql();
    let uncleared = uncleared_sql();
    // A single round trip; all but the first statement run under the lock that it takes.
    let steps = [LOCK, &released, &held, &uncleared].map(|sql| SqlStep::new(sql, sequence.key()));
    let mut rows = tx.query_all(&steps).await?.into_iter();
    let mut next_rows = || rows.next().unwrap_or_default();
    let next: u64 = only(next_rows())?.read()?;
    let released = first(next_rows())?;
    let held = next_rows();
    if !next_rows().is_empty() {
        return Err(Error::SeriesUncleared);
    }
    let numero = match released {
        Some(released) if wanted == WantedNumber::Lowest => return Ok(NumberChoice { numero: released, next: None }),
        _ => first_free(tx, sequence, next, held).await?,
    };
    Ok(NumberChoice { numero, next: Some(numero + 1) })
}

/// Steps that reserve the lowest released number, or else the next, for a job without document, in one round trip; each
/// is correct whatever runs between them. `reserved_number` reads their results. They change nothing when the choice is
/// not that simple; then `choose` makes it.
pub(crate) fn reserve_steps(tx: &impl Tx, sequence: &Sequence, job: Uuid) -> [SqlStep<'static>; 4] {
    static SPELLED: PerDialect<ReservationSql> = PerDialect::new();
    let ReservationSql { first, next, all, raise, again } = SPELLED.of(tx.dialect(), ReservationSql::spell);
    let of_job = || sequence.with(params![job]);
    let last = sequence.with(params![job, sequence.series.counted.highest_number()]);
    [
        SqlStep::identical(first, sequence.key()),
        SqlStep::with_batch_sql(next, last, all),
        SqlStep::covered(raise, of_job()),
        SqlStep::covered(again, of_job()),
    ]
}

struct ReservationSql {
    first: String,
    next: String,
    /// The last three for many jobs at once.
    all: String,
    raise: String,
    again: String,
}

impl ReservationSql {
    fn spell(dialect: SqlDialect) -> ReservationSql {
        let first = format!("SELECT next FROM sequences WHERE {SEQUENCE} {}", dialect.for_update());
        let is_new = "NOT EXISTS (SELECT 1 FROM documents d WHERE d.tenant_id = $1 AND d.job_id = $6)";
        let released = released_sql();
        // The inserted values are read from rows, whose types both databases know.
        let next = format!(
            "INSERT INTO numbers (tenant_id, cpf_cnpj, counted, serie, ambiente, numero, state, job_id)
             SELECT s.tenant_id, s.cpf_cnpj, s.counted, s.serie, s.ambiente, s.next, 'reserved', j.id FROM jobs j CROSS JOIN
                 (SELECT * FROM sequences WHERE {SEQUENCE}) s
             WHERE j.tenant_id = $1 AND j.id = $6 AND s.next <= $7 AND {is_new} AND NOT EXISTS ({released})
             ON CONFLICT DO NOTHING RETURNING numero"
        );
        let raise = format!("UPDATE sequences SET next = next + 1 WHERE {SEQUENCE} AND {}", is_reserved_sql("next"));
        // A number may be released while these run, since that does not take the lock: a job that has reserved the next
        // number takes no other. The state is also checked on the row itself: a statement that waited for the row has
        // chosen by its former state.
        let again = format!(
            "UPDATE numbers SET state = 'reserved', job_id = $6 WHERE {SEQUENCE} AND state = 'released' AND numero = ({released})
             AND {is_new} AND NOT {} RETURNING numero",
            is_reserved_sql("next - 1")
        );
        ReservationSql { first, next, all: reserve_many_sql(), raise, again }
    }
}

/// Reserves numbers for many jobs, in the order of their rows: first the released ones, from the lowest, then the next
/// ones. A single statement, so that all of it sees the same released numbers.
fn reserve_many_sql() -> String {
    const SERIES: &str = "tenant_id, cpf_cnpj, counted, serie, ambiente";
    let [s, n, w, f, m] = ["s", "n", "w", "f", "m"].map(|alias| of(alias, SERIES));
    format!(
        "WITH wanted AS MATERIALIZED (
             SELECT given.ord, given.p6 AS job_id, given.p7 AS last, s.*, ROW_NUMBER() OVER (PARTITION BY {s} ORDER BY given.ord) - 1 AS place
             FROM {{rows}} JOIN sequences s ON ({s}) = (given.p1, given.p2, given.p3, given.p4, given.p5)
             WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.tenant_id = given.p1 AND d.job_id = given.p6)),
         free AS MATERIALIZED (
             SELECT {w}, n.numero, ROW_NUMBER() OVER (PARTITION BY {w} ORDER BY n.numero) - 1 AS place
             FROM (SELECT {SERIES}, next, COUNT(*) AS jobs FROM wanted GROUP BY {SERIES}, next) w CROSS JOIN LATERAL (
                 SELECT n.numero FROM numbers n WHERE ({n}) = ({w}) AND n.state = 'released' AND n.numero < w.next
                 ORDER BY n.numero LIMIT w.jobs) n),
         again AS (
             UPDATE numbers n SET state = 'reserved', job_id = w.job_id FROM wanted w JOIN free f ON ({f}, f.place) = ({w}, w.place)
             WHERE ({n}, n.numero) = ({f}, f.numero) AND n.state = 'released' RETURNING w.ord, n.numero),
         beyond AS MATERIALIZED (
             SELECT w.*, w.next + w.place - (SELECT COUNT(*) FROM free f WHERE ({f}) = ({w})) AS numero FROM wanted w),
         made AS (
             INSERT INTO numbers ({SERIES}, numero, state, job_id)
             SELECT {w}, w.numero, 'reserved', w.job_id FROM beyond w WHERE w.numero BETWEEN w.next AND w.last
             ON CONFLICT DO NOTHING RETURNING {SERIES}, numero, job_id),
         raised AS (
             UPDATE sequences s SET next = m.next FROM (SELECT {SERIES}, MAX(numero) + 1 AS next FROM made GROUP BY {SERIES}) m
             WHERE ({s}) = ({m}))
         SELECT ord, numero FROM again
         UNION ALL SELECT w.ord, m.numero FROM made m JOIN wanted w ON (w.tenant_id, w.job_id) = (m.tenant_id, m.job_id)"
    )
}

/// Condition: job `$6` has reserved the sequence's present number. A subquery evaluated once and not per row: a planner
/// without statistics would join the tables number by number.
fn is_reserved_sql(numero: &str) -> String {
    format!(
        "EXISTS (SELECT 1 FROM numbers WHERE {SEQUENCE} AND numero = (SELECT {numero} FROM sequences WHERE {SEQUENCE}) AND job_id = $6 AND state = 'reserved')"
    )
}

/// Reads the number reserved by the steps; `None` when they changed nothing.
pub(crate) fn reserved_number(rows: Vec<Vec<Row>>) -> Result<Option<u64>, Error> {
    let numbers = rows.into_iter().skip(1).flatten().next();
    numbers.map(|mut row| row.read()).transpose()
}

/// Reserves the chosen number for a job; `NumberTaken` when another job holds it or it was used. The steps `after` run
/// in the same round trip.
pub(crate) async fn reserve<T: Tx>(
    tx: &mut T,
    sequence: &Sequence,
    choice: &NumberChoice,
    job: Uuid,
    after: Vec<SqlStep<'_>>,
) -> Result<(), Error> {
    let sql = "INSERT INTO numbers (tenant_id, cpf_cnpj, counted, serie, ambiente, numero, state, job_id)
               VALUES ($1, $2, $3, $4, $5, $6, 'reserved', $7)
               ON CONFLICT (tenant_id, cpf_cnpj, counted, serie, ambiente, numero)
               DO UPDATE SET state = 'reserved', job_id = excluded.job_id WHERE numbers.state IN ('released', 'kept')
                   OR (numbers.state = 'reserved' AND numbers.job_id = excluded.job_id)
               RETURNING numero";
    let mut steps = vec![SqlStep::new(sql, sequence.with(params![choice.numero, job]))];
    steps.extend(choice.next.map(|next| raise(sequence, next)));
    steps.extend(after);
    match tx.query_all(&steps).await?.first() {
        Some(reserved) if !reserved.is_empty() => Ok(()),
        _ => Err(Error::NumberTaken { numero: choice.numero }),
    }
}

/// Sequence and number of a document.
#[derive(Clone)]
pub(crate) struct LedgerNumber {
    /// `$1` … `$6` of every statement about it.
    key: Params,
    /// `true` if the sequence must be raised once the number is used: only for a number requested by a caller, since
    /// `next` is already past automatic ones.
    is_ahead: bool,
    /// The job whose rejected note was given out under this number, when this document is in its place.
    holder: Option<Uuid>,
}

impl LedgerNumber {
    /// Columns of `documents` that identify the number, with the next number of its sequence.
    pub(crate) const COLUMNS: &str = "cpf_cnpj, counted, serie, ambiente, numero, (SELECT s.next FROM sequences s WHERE s.tenant_id = documents.tenant_id
        AND s.cpf_cnpj = documents.cpf_cnpj AND s.counted = documents.counted AND s.serie = documents.serie AND s.ambiente = documents.ambiente), contingencia";

    pub(crate) fn read(tenant: Uuid, row: &mut Row) -> Result<LedgerNumber, Error> {
        let (cpf_cnpj, counted, serie, ambiente, numero): (String, String, String, u8, u64) =
            (row.read()?, row.read()?, row.read()?, row.read()?, row.read()?);
        let next: Option<u64> = row.read()?;
        let is_ahead = next.is_some_and(|next| next <= numero);
        let contingencia: Option<Contingencia> = row.read::<Option<String>>()?.map(words::read_json).transpose()?;
        let keeper = contingencia.and_then(|contingencia| contingencia.no_lugar_de);
        Ok(LedgerNumber { key: params![tenant, cpf_cnpj, counted, serie, ambiente, numero], is_ahead, holder: keeper })
    }

    fn raise_past(&self) -> Option<SqlStep<'static>> {
        let sql = "UPDATE sequences SET next = $6 + 1 WHERE tenant_id = $1 AND cpf_cnpj = $2 AND counted = $3
                   AND serie = $4 AND ambiente = $5 AND next <= $6";
        self.is_ahead.then(|| SqlStep::new(sql, self.key.clone()))
    }

    /// Steps for a document's end: the number, if the job still holds it, is used or released; a number that was given
    /// out waits for the next note in its place.
    pub(crate) fn settle(self, job: Uuid, state: NumberState) -> Vec<SqlStep<'static>> {
        if let Some(keeper) = self.holder.filter(|_| state == NumberState::Released) {
            return vec![self.return_to_holder(keeper, job)];
        }
        let follow = self.raise_past().filter(|_| state == NumberState::Used);
        [self.mark(job, state)].into_iter().chain(follow).collect()
    }

    /// The authority has the number under another key, or voided: it is not given again. The sequence is not raised,
    /// for the number may be a caller's typing error.
    pub(crate) fn mark_used_elsewhere(self, job: Uuid) -> Vec<SqlStep<'static>> {
        vec![self.mark(job, NumberState::Used)]
    }

    /// The number's note was given out and then rejected: it is reserved for the note put in its place.
    pub(crate) fn hold_for_replacement(self, job: Uuid) -> Vec<SqlStep<'static>> {
        let follow = self.raise_past();
        [self.mark(job, NumberState::Kept)].into_iter().chain(follow).collect()
    }

    /// Makes another job of ours, which has the document now, the holder.
    pub(crate) fn transfer_to(self, job: Uuid) -> SqlStep<'static> {
        let sql =
            "UPDATE numbers SET job_id = $7 WHERE tenant_id = $1 AND cpf_cnpj = $2 AND counted = $3 AND serie = $4
                   AND ambiente = $5 AND numero = $6";
        let mut params = self.key;
        params.push(job.into());
        SqlStep::new(sql, params)
    }

    fn return_to_holder(self, keeper: Uuid, job: Uuid) -> SqlStep<'static> {
        let sql = "UPDATE numbers SET state = $7, job_id = $8 WHERE tenant_id = $1 AND cpf_cnpj = $2 AND counted = $3 AND serie = $4
                   AND ambiente = $5 AND numero = $6 AND job_id = $9";
        let mut params = self.key;
        params.extend(params![NumberState::Kept.word(), keeper, job]);
        SqlStep::new(sql, params)
    }

    fn mark(self, job: Uuid, state: NumberState) -> SqlStep<'static> {
        let sql = "UPDATE numbers SET state = $7 WHERE tenant_id = $1 AND cpf_cnpj = $2 AND counted = $3 AND serie = $4
                   AND ambiente = $5 AND numero = $6 AND job_id = $8";
        let mut params = self.key;
        params.extend(params![state.word(), job]);
        SqlStep::per_row(sql, params)
    }
}

/// The job whose rejected note keeps a number for the note in its place.
pub(crate) async fn find_number_holder<T: Tx>(
    tx: &mut T,
    sequence: &Sequence,
    numero: u64,
) -> Result<Option<Uuid>, Error> {
    let sql = format!("SELECT job_id FROM numbers WHERE {SEQUENCE} AND numero = $6 AND state = 'kept'");
    first(tx.query(&sql, &sequence.with(params![numero])).await?)
}

pub(crate) async fn set_next<T: Tx>(tx: &mut T, sequence: &Sequence, next: u64) -> Result<(), Error> {
    let now_next: u64 = only(tx.query(LOCK, &sequence.key()).await?)?.read()?;
    if next > now_next { tx.query_all(&[raise(sequence, next)]).await.map(drop) } else { Ok(()) }
}

/// Returns (last used, next automatic number); the latter is `None` when the series has none left.
pub(super) async fn numbering<T: Tx>(tx: &mut T, sequence: &Sequence) -> Result<(Option<u64>, Option<u64>), Error> {
    let last_used =
        format!("SELECT numero FROM numbers WHERE {SEQUENCE} AND state = 'used' ORDER BY numero DESC LIMIT 1");
    let last_used = first(tx.query(&last_used, &sequence.key()).await?)?;
    let next = first(tx.query(&format!("SELECT next FROM sequences WHERE {SEQUENCE}"), &sequence.key()).await?)?;
    let automatic = match first(tx.query(&released_sql(), &sequence.key()).await?)? {
        Some(released) => Some(released),
        None => {
            let held = tx.query(&held_sql(), &sequence.key()).await?;
            match first_free(tx, sequence, next.unwrap_or(1), held).await {
                Err(Error::SeriesExhausted) => None,
                free => Some(free?),
            }
        }
    };
    Ok((last_used, automatic))
}

/// Requested numbers that are skipped per query.
const SKIP_PAGE: usize = 100;

/// Selects the lowest released number below `next`.
fn released_sql() -> String {
    format!(
        "SELECT numero FROM numbers WHERE {SEQUENCE} AND state = 'released'
         AND numero < (SELECT next FROM sequences WHERE {SEQUENCE}) ORDER BY numero LIMIT 1"
    )
}

/// Selects reserved or used numbers from `next` on, which callers requested.
fn held_sql() -> String {
    format!(
        "SELECT numero FROM numbers WHERE {SEQUENCE} AND state <> 'released'
         AND numero >= (SELECT next FROM sequences WHERE {SEQUENCE}) ORDER BY numero LIMIT {SKIP_PAGE}"
    )
}

fn raise(sequence: &Sequence, next: u64) -> SqlStep<'static> {
    let sql = "UPDATE sequences SET next = $6 WHERE tenant_id = $1 AND cpf_cnpj = $2 AND counted = $3
               AND serie = $4 AND ambiente = $5";
    SqlStep::new(sql, sequence.with(params![next]))
}

/// The first free number from `from` on; `held` is the first page of taken ones.
async fn first_free<T: Tx>(tx: &mut T, sequence: &Sequence, from: u64, held: Vec<Row>) -> Result<u64, Error> {
    let sql = format!(
        "SELECT numero FROM numbers WHERE {SEQUENCE} AND state <> 'released' AND numero >= $6 ORDER BY numero LIMIT {SKIP_PAGE}"
    );
    let (mut free, mut held) = (from, held);
    loop {
        let page = held.len();
        for mut row in held {
            if row.read::<u64>()? != free {
                return within_series(sequence, free);
            }
            free += 1;
        }
        if page < SKIP_PAGE {
            return within_series(sequence, free);
        }
        held = tx.query(&sql, &sequence.with(params![free])).await?;
    }
}

fn within_series(sequence: &Sequence, numero: u64) -> Result<u64, Error> {
    if numero <= sequence.series.counted.highest_number() { Ok(numero) } else { Err(Error::SeriesExhausted) }
}
