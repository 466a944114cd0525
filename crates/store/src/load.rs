//! Gauges: load of the store and counts of waiting work. Not for use per request: the counts scan the queue.

use crate::dialect::SqlDialect;
use crate::row::{Row, only, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Database, Error, Store};

/// Present state of the connections and the writer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StoreLoad {
    /// Connections in use.
    pub in_use: u64,
    /// Connections open and free.
    pub idle: u64,
    /// Callers that wait for a connection.
    pub waiting: u64,
    /// State of SQLite's writer.
    pub writer: Option<WriterLoad>,
}

/// State of the single writer of SQLite.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriterLoad {
    /// Operations that wait.
    pub queued: u64,
    /// Commits since the start.
    pub commits: u64,
    /// Operations in those commits.
    pub operations: u64,
}

/// Unsettled documents and certificates near their end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WaitingWork {
    /// Documents that were sent and whose outcome is unknown.
    pub in_doubt: u64,
    /// Documents given out in contingency and not yet transmitted to their authority.
    pub given_out: u64,
    /// The nearest of their deadlines, seconds since 1970.
    pub deadline: Option<i64>,
    /// Certificates by remaining validity.
    pub certificates: CertificateCounts,
}

/// Numbers of certificates by remaining validity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CertificateCounts {
    pub expired: u64,
    pub within_7_days: u64,
    pub within_30_days: u64,
    pub later: u64,
    /// End of the first certificate that is still valid, seconds since 1970.
    pub first: Option<i64>,
}

impl Store {
    /// Reads counters in memory, without a query.
    pub fn current_load(&self) -> StoreLoad {
        match &self.shared.database {
            Database::Sqlite(database) => database.load(),
            Database::Postgres(database) => database.load(),
            #[cfg(feature = "simulated")]
            Database::Memory(database) => database.load(),
        }
    }

    /// Scans unfinished work; call every few seconds at most.
    pub async fn waiting_work(&self, now: i64) -> Result<WaitingWork, Error> {
        self.read(CountWaiting { now }).await
    }
}

struct CountWaiting {
    now: i64,
}

impl StoreOperation for CountWaiting {
    type Output = WaitingWork;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<WaitingWork, Error> {
        let deadline = match tx.dialect() {
            SqlDialect::Sqlite => "CAST(d.contingencia ->> 'prazo_transmissao' AS INTEGER)",
            SqlDialect::Postgres => "CAST(CAST(d.contingencia AS json) ->> 'prazo_transmissao' AS BIGINT)",
        };
        let sql = format!(
            "SELECT COALESCE(SUM(CASE WHEN d.state = 'in_doubt' THEN 1 ELSE 0 END), 0),
                    COUNT({deadline}), MIN({deadline})
             FROM queue q JOIN documents d ON d.tenant_id = q.tenant_id AND d.job_id = q.job_id"
        );
        let mut row = only(tx.query(&sql, &[]).await?)?;
        let (in_doubt, given_out, deadline) = (count(&mut row)?, count(&mut row)?, row.read()?);
        let certificates = self.certificates(tx).await?;
        Ok(WaitingWork { in_doubt, given_out, deadline, certificates })
    }
}

impl CountWaiting {
    async fn certificates<T: Tx>(&self, tx: &mut T) -> Result<CertificateCounts, Error> {
        let sql = "SELECT COALESCE(SUM(CASE WHEN valido_ate < $1 THEN 1 ELSE 0 END), 0),
                          COALESCE(SUM(CASE WHEN valido_ate >= $1 AND valido_ate < $2 THEN 1 ELSE 0 END), 0),
                          COALESCE(SUM(CASE WHEN valido_ate >= $2 AND valido_ate < $3 THEN 1 ELSE 0 END), 0),
                          COALESCE(SUM(CASE WHEN valido_ate >= $3 THEN 1 ELSE 0 END), 0),
                          MIN(CASE WHEN valido_ate >= $1 THEN valido_ate END)
                   FROM certificates";
        let until = |days: i64| self.now.saturating_add(days * DAY_S);
        let mut row = only(tx.query(sql, &params![self.now, until(7), until(30)]).await?)?;
        Ok(CertificateCounts {
            expired: count(&mut row)?,
            within_7_days: count(&mut row)?,
            within_30_days: count(&mut row)?,
            later: count(&mut row)?,
            first: row.read()?,
        })
    }
}

const DAY_S: i64 = 86_400;

fn count(row: &mut Row) -> Result<u64, Error> {
    Ok(u64::try_from(row.read::<i64>()?).unwrap_or_default())
}

crate::dyn_operation::erasable!(CountWaiting);
