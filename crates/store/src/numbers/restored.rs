//! Sequences after the restoration of a copy: progress of the queries to the authority, and the numbers it has, with
//! their jobs.
//!
//! Must not know: the form of the queries, how a document is recognised.

use super::ledger::set_next;
use super::numbered_kind::NumberedKind;
use super::sequence::{LOCK, SEQUENCE, Sequence, Series, uncleared_sql};
use crate::jobs::job::Lease;
use crate::row::{Row, only, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store, words};
use uuid::Uuid;

/// Progress of querying a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesProgress {
    /// Numbers below the next automatic one that may have been used since the copy; the last is queried first.
    pub below: Vec<u64>,
    /// The number to query after those.
    pub next: u64,
    /// Consecutive numbers before it that the authority does not know.
    pub unknown: u32,
    /// `true` when automatic numbers may be given.
    pub is_cleared: bool,
    /// `true` while another process queries.
    pub is_held: bool,
}

impl SeriesProgress {
    /// The next number to query.
    pub fn next_query(&self) -> u64 {
        self.below.last().copied().unwrap_or(self.next)
    }
}

/// A number that the authority has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundNumber {
    pub numero: u64,
    /// The key or identity under which the authority has it; empty where it gives none.
    pub chave: String,
    /// The authority's record, where the key does not show its origin.
    pub evidence: Option<String>,
    /// The job whose document it is.
    pub job_id: Option<Uuid>,
}

/// A sequence that was queried since the restoration.
#[derive(Debug, Clone)]
pub struct RestoredSeries {
    pub tenant_id: Uuid,
    pub series: Series,
    pub progress: SeriesProgress,
    /// Numbers found.
    pub found: u64,
    /// Found numbers that no job of the copy recognised.
    pub unclaimed: u64,
}

impl Store {
    /// Returns the progress of a sequence and holds it for this caller until `until`, unless another holds it or it is
    /// cleared.
    pub async fn hold_restored(
        &self,
        tenant: Uuid,
        series: Series,
        now: i64,
        until: i64,
    ) -> Result<SeriesProgress, Error> {
        self.write(HoldRestoredSeries { sequence: Sequence { tenant, series }, now, until }).await
    }

    /// Records the authority's answer to the queried number. `ahead` consecutive unknown numbers clear the sequence.
    pub async fn record_number_answer(
        &self,
        tenant: Uuid,
        series: Series,
        asked: NumberAnswer,
    ) -> Result<SeriesProgress, Error> {
        self.write(RecordNumberAnswer { sequence: Sequence { tenant, series }, answer: asked }).await
    }

    /// Clears a sequence on an operator's word: automatic numbers start at `next` or later.
    pub async fn clear_restored(&self, tenant: Uuid, series: Series, next: u64, now: i64) -> Result<(), Error> {
        self.write(ClearSeries { sequence: Sequence { tenant, series }, next, now }).await
    }

    /// `true` while automatic numbers of a sequence wait for the queries to its authority.
    pub async fn is_uncleared(&self, tenant: Uuid, series: Series) -> Result<bool, Error> {
        self.read(IsSeriesUncleared(Sequence { tenant, series })).await
    }

    /// Returns the found numbers of a sequence that are this job's or unclaimed, ascending.
    pub async fn found_numbers(&self, tenant: Uuid, series: Series, job: Uuid) -> Result<Vec<FoundNumber>, Error> {
        self.read(ReadFound { sequence: Sequence { tenant, series }, job }).await
    }

    /// Claims a found number for a job, whose document will be made again under it. Deletes the document of another job
    /// that only had the number. `false` when another job has claimed it.
    pub async fn claim_found(&self, lease: Lease, series: Series, numero: u64) -> Result<bool, Error> {
        let sequence = Sequence { tenant: lease.tenant_id, series };
        self.write(ClaimFoundNumber { lease, sequence, numero }).await
    }

    /// Deletes the unsigned document of a job whose number another document has at the authority; the number stays
    /// used.
    pub async fn drop_numbered(&self, lease: Lease, series: Series, numero: u64) -> Result<(), Error> {
        let sequence = Sequence { tenant: lease.tenant_id, series };
        self.write(ForgetNumbered { lease, sequence, numero }).await
    }

    /// Lists every sequence that was queried.
    pub async fn restored_series(&self) -> Result<Vec<RestoredSeries>, Error> {
        self.read(ReadSeries).await
    }
}

/// An authority's answer about one number.
#[derive(Debug, Clone)]
pub struct NumberAnswer {
    /// The queried number.
    pub numero: u64,
    /// Key or identity, and record, of a document there.
    pub found: Option<(String, Option<String>)>,
    /// Consecutive unknown numbers that end the queries.
    pub ahead: u32,
    /// Now, seconds since 1970.
    pub now: i64,
    /// End of the hold for the next query.
    pub until: i64,
}

/// Released numbers, and those of unsettled documents: another note may have got them after the copy.
fn below_sql() -> String {
    format!(
        "SELECT numero FROM numbers WHERE {SEQUENCE} AND numero < (SELECT next FROM sequences WHERE {SEQUENCE})
         AND state IN ('released', 'reserved') ORDER BY numero DESC"
    )
}

/// Longer than a caller holds a sequence, and than the clocks of processes differ.
const LONGEST_HOLD_S: i64 = 600;
const PROGRESS_COLUMNS: &str = "below, next, unknown, cleared_at, lease_until";

fn read_progress(row: &mut Row, now: i64) -> Result<SeriesProgress, Error> {
    let (below, next, unknown) = (words::read_json(row.read()?)?, row.read()?, row.read()?);
    let (cleared_at, lease_until): (Option<i64>, i64) = (row.read()?, row.read()?);
    let is_cleared = cleared_at.is_some();
    // A hold that ends later was written by a clock that has been set back since.
    let holds = (1..=LONGEST_HOLD_S).contains(&(lease_until - now));
    Ok(SeriesProgress { below, next, unknown, is_cleared, is_held: !is_cleared && holds })
}

struct HoldRestoredSeries {
    sequence: Sequence,
    now: i64,
    until: i64,
}

impl StoreOperation for HoldRestoredSeries {
    type Output = SeriesProgress;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<SeriesProgress, Error> {
        let HoldRestoredSeries { sequence, now, until } = self;
        let next: u64 = only(tx.query(LOCK, &sequence.key()).await?)?.read()?;
        let known = format!("SELECT {PROGRESS_COLUMNS} FROM restored_series WHERE {SEQUENCE}");
        if let Some(mut row) = tx.query(&known, &sequence.key()).await?.into_iter().next() {
            let standing = read_progress(&mut row, *now)?;
            if !standing.is_cleared && !standing.is_held {
                let hold = format!("UPDATE restored_series SET lease_until = $6 WHERE {SEQUENCE}");
                tx.execute(&hold, &sequence.with(params![*until])).await?;
            }
            return Ok(standing);
        }
        let rows = tx.query(&below_sql(), &sequence.key()).await?;
        let below: Vec<u64> = rows.into_iter().map(|mut row| row.read()).collect::<Result<_, _>>()?;
        let sql = "INSERT INTO restored_series (tenant_id, cpf_cnpj, counted, serie, ambiente, below, next, unknown, lease_until)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8)";
        tx.execute(sql, &sequence.with(params![words::json(&below)?, next, *until])).await?;
        Ok(SeriesProgress { below, next, unknown: 0, is_cleared: false, is_held: false })
    }
}

struct RecordNumberAnswer {
    sequence: Sequence,
    answer: NumberAnswer,
}

impl StoreOperation for RecordNumberAnswer {
    type Output = SeriesProgress;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<SeriesProgress, Error> {
        let RecordNumberAnswer { sequence, answer: asked } = self;
        tx.query(LOCK, &sequence.key()).await?;
        let known = format!("SELECT {PROGRESS_COLUMNS} FROM restored_series WHERE {SEQUENCE}");
        let mut standing = read_progress(&mut only(tx.query(&known, &sequence.key()).await?)?, asked.now)?;
        if standing.is_cleared || standing.next_query() != asked.numero {
            return Ok(standing);
        }
        if let Some((chave, evidence)) = &asked.found {
            record_found(tx, sequence, asked.numero, chave, evidence.clone()).await?;
        }
        if standing.below.pop().is_none() {
            standing.next += 1;
            standing.unknown = if asked.found.is_some() { 0 } else { standing.unknown + 1 };
        }
        let is_past = standing.unknown >= asked.ahead || standing.next > sequence.series.counted.highest_number();
        standing.is_cleared = standing.below.is_empty() && is_past;
        standing.is_held = false;
        let cleared_at = standing.is_cleared.then_some(asked.now);
        let sql = format!(
            "UPDATE restored_series SET below = $6, next = $7, unknown = $8, cleared_at = $9, lease_until = $10 WHERE {SEQUENCE}"
        );
        let params = params![
            words::json(&standing.below)?,
            standing.next,
            standing.unknown,
            cleared_at,
            if standing.is_cleared { asked.now } else { asked.until }
        ];
        tx.execute(&sql, &sequence.with(params)).await?;
        Ok(standing)
    }
}

/// Records a found number: a released one becomes used; a reserved one stays with its job until that job has checked
/// it.
async fn record_found<T: Tx>(
    tx: &mut T,
    sequence: &Sequence,
    numero: u64,
    chave: &str,
    evidence: Option<String>,
) -> Result<(), Error> {
    let found = "INSERT INTO restored_numbers (tenant_id, cpf_cnpj, counted, serie, ambiente, numero, chave, evidence)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (tenant_id, cpf_cnpj, counted, serie, ambiente, numero) DO NOTHING";
    let used = "INSERT INTO numbers (tenant_id, cpf_cnpj, counted, serie, ambiente, numero, state)
                VALUES ($1, $2, $3, $4, $5, $6, 'used') ON CONFLICT (tenant_id, cpf_cnpj, counted, serie, ambiente, numero)
                DO UPDATE SET state = 'used', job_id = NULL WHERE numbers.state = 'released'";
    let steps = [
        SqlStep::new(found, sequence.with(params![numero, chave, evidence])),
        SqlStep::new(used, sequence.with(params![numero])),
    ];
    tx.query_all(&steps).await?;
    set_next(tx, sequence, numero + 1).await
}

struct ClearSeries {
    sequence: Sequence,
    next: u64,
    now: i64,
}

impl StoreOperation for ClearSeries {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let ClearSeries { sequence, next, now } = self;
        set_next(tx, sequence, *next).await?;
        let sql = "INSERT INTO restored_series (tenant_id, cpf_cnpj, counted, serie, ambiente, below, next, unknown, lease_until, cleared_at)
                   VALUES ($1, $2, $3, $4, $5, '[]', $6, 0, $7, $7) ON CONFLICT (tenant_id, cpf_cnpj, counted, serie, ambiente)
                   DO UPDATE SET below = '[]', cleared_at = excluded.cleared_at";
        tx.execute(sql, &sequence.with(params![*next, *now])).await.map(drop)
    }
}

struct IsSeriesUncleared(Sequence);

impl StoreOperation for IsSeriesUncleared {
    type Output = bool;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        Ok(!tx.query(&uncleared_sql(), &self.0.key()).await?.is_empty())
    }
}

struct ReadFound {
    sequence: Sequence,
    job: Uuid,
}

impl StoreOperation for ReadFound {
    type Output = Vec<FoundNumber>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<FoundNumber>, Error> {
        let sql = format!(
            "SELECT numero, chave, evidence, job_id FROM restored_numbers
             WHERE {SEQUENCE} AND (job_id IS NULL OR job_id = $6) ORDER BY numero"
        );
        let rows = tx.query(&sql, &self.sequence.with(params![self.job])).await?;
        let found = |mut row: Row| {
            let (numero, chave) = (row.read()?, row.read()?);
            Ok(FoundNumber { numero, chave, evidence: row.read()?, job_id: row.read()? })
        };
        rows.into_iter().map(found).collect()
    }
}

struct ClaimFoundNumber {
    lease: Lease,
    sequence: Sequence,
    numero: u64,
}

impl StoreOperation for ClaimFoundNumber {
    type Output = bool;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let ClaimFoundNumber { lease, sequence, numero } = self;
        tx.query(LOCK, &sequence.key()).await?;
        let mine = sequence.with(params![*numero, lease.job_id]);
        let claim = format!(
            "UPDATE restored_numbers SET job_id = $7 WHERE {SEQUENCE} AND numero = $6 AND (job_id IS NULL OR job_id = $7)"
        );
        if tx.execute(&claim, &mine).await? == 0 {
            return Ok(false);
        }
        let others =
            format!("DELETE FROM documents WHERE {SEQUENCE} AND numero = $6 AND state = 'accepted' AND job_id <> $7");
        let hold = format!("UPDATE numbers SET state = 'reserved', job_id = $7 WHERE {SEQUENCE} AND numero = $6");
        tx.query_all(&[SqlStep::new(&others, mine.clone()), SqlStep::new(&hold, mine)]).await?;
        Ok(true)
    }
}

struct ForgetNumbered {
    lease: Lease,
    sequence: Sequence,
    numero: u64,
}

impl StoreOperation for ForgetNumbered {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let ForgetNumbered { lease, sequence, numero } = self;
        tx.query(LOCK, &sequence.key()).await?;
        let mine = sequence.with(params![*numero, lease.job_id]);
        let document =
            format!("DELETE FROM documents WHERE {SEQUENCE} AND numero = $6 AND state = 'accepted' AND job_id = $7");
        let used = format!(
            "UPDATE numbers SET state = 'used', job_id = NULL WHERE {SEQUENCE} AND numero = $6 AND job_id = $7
             AND EXISTS (SELECT 1 FROM restored_numbers WHERE {SEQUENCE} AND numero = $6)"
        );
        tx.query_all(&[SqlStep::new(&document, mine.clone()), SqlStep::new(&used, mine)]).await.map(drop)
    }
}

struct ReadSeries;

impl StoreOperation for ReadSeries {
    type Output = Vec<RestoredSeries>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<RestoredSeries>, Error> {
        const OF: &str = "FROM restored_numbers n WHERE n.tenant_id = s.tenant_id AND n.cpf_cnpj = s.cpf_cnpj
            AND n.counted = s.counted AND n.serie = s.serie AND n.ambiente = s.ambiente";
        let sql = format!(
            "SELECT s.tenant_id, s.cpf_cnpj, s.counted, s.serie, s.ambiente, s.below, s.next, s.unknown, s.cleared_at, s.lease_until,
                 (SELECT COUNT(*) {OF}), (SELECT COUNT(*) {OF} AND n.job_id IS NULL)
             FROM restored_series s ORDER BY s.tenant_id, s.cpf_cnpj, s.counted, s.serie, s.ambiente"
        );
        let read = |mut row: Row| {
            let (tenant_id, cpf_cnpj) = (row.read()?, words::read_cpf_cnpj(row.read()?)?);
            let (counted, serie) = (NumberedKind::read(&row.read::<String>()?)?, words::read_serie(row.read()?)?);
            let series = Series { cpf_cnpj, counted, serie, ambiente: words::read_ambiente(row.read()?)? };
            let standing = read_progress(&mut row, i64::MAX)?;
            Ok(RestoredSeries { tenant_id, series, progress: standing, found: row.read()?, unclaimed: row.read()? })
        };
        tx.query(&sql, &[]).await?.into_iter().map(read).collect()
    }
}

crate::dyn_operation::erasable!(
    HoldRestoredSeries,
    RecordNumberAnswer,
    ClearSeries,
    IsSeriesUncleared,
    ReadFound,
    ClaimFoundNumber,
    ForgetNumbered,
    ReadSeries
);
