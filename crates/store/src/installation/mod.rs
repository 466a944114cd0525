//! The identity of a database, the counter that reveals a restored copy, and the period of which a restored copy knows
//! nothing.
//!
//! Must not know: where the counter is kept outside the database, the queries to an authority.

mod code;
pub(crate) mod serving;

pub use code::{CodeByNumber, KeyCode};

pub(crate) use code::CodeKey;

use crate::row::{Row, only, params};
use crate::tx::{StoreOperation, Tx};
use crate::vault::{self, Vault};
use crate::{Database, Error, Store};
use uuid::Uuid;

/// Identity and mark of this database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Installation {
    /// Random id; a copy has it too.
    pub id: Uuid,
    /// Counter that rises every few seconds while a process serves the database.
    pub mark: i64,
    /// Last rise of the mark, seconds since 1970.
    pub marked_at: i64,
    /// The period of which the database knows nothing, until an operator ends it.
    pub restored: Option<RestoredCopy>,
}

/// Restoration of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestoredCopy {
    /// Instant of the copy, seconds since 1970; everything until then is known.
    pub copia_de: i64,
    /// Instant of the restoration, seconds since 1970; everything since then is known.
    pub restaurado_em: i64,
}

/// The counter as found outside of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenMark {
    /// Id of the installation it belongs to.
    pub id: Uuid,
    pub mark: i64,
}

impl Store {
    /// Returns identity and mark of this database.
    pub async fn installation(&self) -> Result<Installation, Error> {
        self.read(ReadInstallation).await
    }

    /// Raises the mark beyond the one seen. A higher seen mark, or another timeline of PostgreSQL, shows that the
    /// database went back: this is recorded with the instant of the mark found, and every series is uncleared again.
    pub async fn raise_mark(&self, seen: Option<SeenMark>, now: i64) -> Result<Installation, Error> {
        let timeline = self.timeline().await;
        self.write(RaiseMark { seen, timeline, now }).await
    }

    /// Records that a copy of that instant was restored.
    pub async fn record_restored(&self, copia_de: i64, now: i64) -> Result<Installation, Error> {
        self.write(RecordRestoration { restored: Some(RestoredCopy { copia_de, restaurado_em: now }) }).await
    }

    /// Ends the uncertain period, on an operator's responsibility.
    pub async fn end_restored(&self) -> Result<Installation, Error> {
        self.write(RecordRestoration { restored: None }).await
    }

    /// Returns PostgreSQL's timeline if this role may read it. Runs in its own transaction, which a refusal aborts.
    async fn timeline(&self) -> Option<i64> {
        match self.shared.database {
            Database::Sqlite(_) => None,
            #[cfg(feature = "simulated")]
            Database::Memory(_) => None,
            Database::Postgres(_) => self.write(ReadTimeline).await.ok(),
        }
    }

    /// Gives an empty database its identity and loads its key for codes.
    pub(crate) async fn identify(&self) -> Result<(), Error> {
        let key = self.write(IdentifyInstallation(self.shared.vault.clone())).await?;
        // Set once: a store is opened once.
        let _ = self.shared.code_key.set(key);
        Ok(())
    }
}

const COLUMNS: &str = "instalacao, mark, marked_at, copia_de, restaurado_em";

fn read(mut row: Row) -> Result<Installation, Error> {
    let (id, mark, marked_at): (Uuid, i64, i64) = (row.read()?, row.read()?, row.read()?);
    let ends: (Option<i64>, Option<i64>) = (row.read()?, row.read()?);
    let restored = ends.0.zip(ends.1).map(|(copia_de, restaurado_em)| RestoredCopy { copia_de, restaurado_em });
    Ok(Installation { id, mark, marked_at, restored })
}

struct ReadInstallation;

impl StoreOperation for ReadInstallation {
    type Output = Installation;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Installation, Error> {
        let sql = format!("SELECT {COLUMNS} FROM installation WHERE id = 1");
        read(only(tx.query(&sql, &[]).await?)?)
    }
}

struct ReadTimeline;

impl StoreOperation for ReadTimeline {
    type Output = i64;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<i64, Error> {
        let sql = "SELECT CAST(timeline_id AS BIGINT) FROM pg_control_checkpoint()";
        only(tx.query(sql, &[]).await?)?.read()
    }
}

struct IdentifyInstallation(Vault);

impl StoreOperation for IdentifyInstallation {
    type Output = CodeKey;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<CodeKey, Error> {
        let fresh = self.0.seal_code_key(&vault::random::<32>()?)?;
        let sql = "INSERT INTO installation (id, instalacao, code_key, mark, marked_at) VALUES (1, $1, $2, 0, 0)
                   ON CONFLICT (id) DO NOTHING";
        tx.execute(sql, &params![Uuid::now_v7(), fresh]).await?;
        // Another process may have been first: the stored key counts.
        let sealed: Vec<u8> = only(tx.query("SELECT code_key FROM installation WHERE id = 1", &[]).await?)?.read()?;
        CodeKey::new(&self.0.open_code_key(&sealed)?)
    }
}

struct RaiseMark {
    seen: Option<SeenMark>,
    timeline: Option<i64>,
    now: i64,
}

impl StoreOperation for RaiseMark {
    type Output = Installation;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Installation, Error> {
        let sql = format!("SELECT timeline, {COLUMNS} FROM installation WHERE id = 1 {}", tx.dialect().for_update());
        let mut row = only(tx.query(&sql, &[]).await?)?;
        let timeline: Option<i64> = row.read()?;
        let before = read(row)?;
        let seen = self.seen.filter(|seen| seen.id == before.id).map_or(before.mark, |seen| seen.mark);
        let forked = timeline.zip(self.timeline).is_some_and(|(known, now)| known != now);
        let restored = match seen > before.mark || forked {
            true => {
                unclear_all(tx).await?;
                let copia_de = before.restored.map_or(before.marked_at, |known| known.copia_de.min(before.marked_at));
                Some(RestoredCopy { copia_de, restaurado_em: self.now })
            }
            false => before.restored,
        };
        let (copia_de, restaurado_em) = restored.map(|it| (it.copia_de, it.restaurado_em)).unzip();
        let mark = seen.max(before.mark).saturating_add(1);
        let sql = "UPDATE installation SET mark = $1, marked_at = $2, timeline = $3, copia_de = $4, restaurado_em = $5
                   WHERE id = 1";
        let timeline = self.timeline.or(timeline);
        tx.execute(sql, &params![mark, self.now, timeline, copia_de, restaurado_em]).await?;
        Ok(Installation { mark, marked_at: self.now, restored, ..before })
    }
}

struct RecordRestoration {
    restored: Option<RestoredCopy>,
}

impl StoreOperation for RecordRestoration {
    type Output = Installation;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Installation, Error> {
        let (copia_de, restaurado_em) = self.restored.map(|it| (it.copia_de, it.restaurado_em)).unzip();
        match self.restored {
            Some(_) => unclear_all(tx).await?,
            None => delete_restored_series(tx).await?,
        }
        let sql = format!("UPDATE installation SET copia_de = $1, restaurado_em = $2 WHERE id = 1 RETURNING {COLUMNS}");
        read(only(tx.query(&sql, &params![copia_de, restaurado_em]).await?)?)
    }
}

/// Unclears every series, and marks the jobs that are neither completed nor cancelled as copied.
async fn unclear_all<T: Tx>(tx: &mut T) -> Result<(), Error> {
    delete_restored_series(tx).await?;
    tx.execute("UPDATE jobs SET is_copied = 1 WHERE status NOT IN ('completed', 'cancelled')", &[]).await?;
    Ok(())
}

async fn delete_restored_series<T: Tx>(tx: &mut T) -> Result<(), Error> {
    tx.execute("DELETE FROM restored_series", &[]).await?;
    Ok(())
}

crate::dyn_operation::erasable!(ReadInstallation, ReadTimeline, IdentifyInstallation, RaiseMark, RecordRestoration);
