//! Heartbeats of the processes that serve a database; the master key is not rotated under them.
//!
//! Must not know: the interval of the heartbeats.

use uuid::Uuid;

use crate::row::{first, only, params};
use crate::tx::{StoreOperation, Tx};
use crate::vault::Vault;
use crate::{Error, Store};

/// Time for which a process counts as serving after its last heartbeat, in seconds: several intervals, for a slow
/// process.
pub(crate) const HEARTBEAT_VALID_S: i64 = 45;

impl Store {
    /// Records that a process serves this database. Returns `Sealed` when the master key was rotated since the process
    /// opened the store.
    pub async fn record_heartbeat(&self, process: Uuid, now: i64) -> Result<(), Error> {
        self.write(RecordHeartbeat { vault: self.shared.vault.clone(), process, now }).await
    }

    /// Records that a process has stopped serving.
    pub async fn end_serving(&self, process: Uuid) -> Result<(), Error> {
        self.write(EndServing { process }).await
    }
}

struct RecordHeartbeat {
    vault: Vault,
    process: Uuid,
    now: i64,
}

impl StoreOperation for RecordHeartbeat {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let RecordHeartbeat { vault, process, now } = self;
        // A rotation holds this row until its commit: either the rotation or the heartbeat sees the other.
        let sql = format!("SELECT proof FROM master_key WHERE id = 1 {}", tx.dialect().for_update());
        vault.verify_proof(&only(tx.query(&sql, &[]).await?)?.read::<Vec<u8>>()?)?;
        tx.execute("DELETE FROM serving WHERE beat_at <= $1", &params![now - HEARTBEAT_VALID_S]).await?;
        let sql = "INSERT INTO serving (process, beat_at) VALUES ($1, $2)
                   ON CONFLICT (process) DO UPDATE SET beat_at = excluded.beat_at";
        tx.execute(sql, &params![*process, *now]).await.map(drop)
    }
}

struct EndServing {
    process: Uuid,
}

impl StoreOperation for EndServing {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        tx.execute("DELETE FROM serving WHERE process = $1", &params![self.process]).await.map(drop)
    }
}

/// `true` while a process serves the database.
pub(crate) async fn is_served<T: Tx>(tx: &mut T, now: i64) -> Result<bool, Error> {
    let sql = "SELECT COUNT(*) FROM serving WHERE beat_at > $1";
    let count: Option<i64> = first(tx.query(sql, &params![now - HEARTBEAT_VALID_S]).await?)?;
    Ok(count.is_some_and(|count| count > 0))
}

crate::dyn_operation::erasable!(RecordHeartbeat, EndServing);
