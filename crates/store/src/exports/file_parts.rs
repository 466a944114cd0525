//! Parts of a complete file, and their removal: after its retention, with its export, and of an attempt that was lost.
//!
//! Reason: docs/decisions/store.md, "Files of exports are kept in the database, in parts".

use super::orders::ExportRow;
use crate::row::{only, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store};
use uuid::Uuid;

/// Seconds for which the row of an export without a file is kept.
const ROW_KEPT_S: i64 = 90 * 86_400;
/// Files that one transaction ends.
const FILES_AT_ONCE: u32 = 64;
/// Parts that one transaction removes.
const PARTS_AT_ONCE: u64 = 64;

impl Store {
    /// Returns a part of a file, counted from 1. `NotFound` when the file was removed meanwhile.
    pub async fn export_part(&self, export: &ExportRow, part: u32) -> Result<Vec<u8>, Error> {
        let token = export.token.ok_or(Error::NotFound)?;
        self.read(ReadPart { export: export.id, token, part }).await
    }

    /// Ends files past their retention, and removes old rows without a file; returns the number of ended files.
    pub async fn expire_exports(&self, now: i64) -> Result<u64, Error> {
        self.write(ExpireExports { now }).await
    }

    /// Removes some of the parts that nothing serves; `false` when there were none.
    pub async fn clear_export_parts(&self) -> Result<bool, Error> {
        self.write(ClearParts).await
    }
}

struct ReadPart {
    export: Uuid,
    token: Uuid,
    part: u32,
}

impl StoreOperation for ReadPart {
    type Output = Vec<u8>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<u8>, Error> {
        let sql = "SELECT content FROM export_parts WHERE export_id = $1 AND token = $2 AND part = $3";
        only(tx.query(sql, &params![self.export, self.token, self.part]).await?)?.read()
    }
}

struct ExpireExports {
    now: i64,
}

impl StoreOperation for ExpireExports {
    type Output = u64;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<u64, Error> {
        let due = format!(
            "SELECT tenant_id, id, token FROM exports WHERE expira_em <= $1 AND state = 'done' LIMIT {FILES_AT_ONCE} {}",
            tx.dialect().skip_locked()
        );
        let mut removed = 0;
        for mut row in tx.query(&due, &params![self.now]).await? {
            let (tenant, id): (Uuid, Uuid) = (row.read()?, row.read()?);
            let expired = "UPDATE exports SET state = 'expired' WHERE tenant_id = $1 AND id = $2";
            removed += tx.execute(expired, &params![tenant, id]).await?;
            leave_parts(tx, id, row.read()?).await?;
        }
        let old = "DELETE FROM exports
                   WHERE (expira_em <= $1 AND state = 'expired') OR (concluido_em <= $1 AND state IN ('failed', 'removed'))";
        tx.execute(old, &params![self.now - ROW_KEPT_S]).await?;
        Ok(removed)
    }
}

/// Leaves the parts of an attempt to the sweep.
pub(super) async fn leave_parts<T: Tx>(tx: &mut T, export: Uuid, token: Option<Uuid>) -> Result<(), Error> {
    let Some(token) = token else { return Ok(()) };
    let sql = "INSERT INTO export_leftovers (export_id, token) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    tx.execute(sql, &params![export, token]).await.map(drop)
}

struct ClearParts;

impl StoreOperation for ClearParts {
    type Output = bool;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let next = format!("SELECT export_id, token FROM export_leftovers LIMIT 1 {}", tx.dialect().skip_locked());
        let Some(mut row) = tx.query(&next, &params![]).await?.into_iter().next() else { return Ok(false) };
        let (export, token): (Uuid, Uuid) = (row.read()?, row.read()?);
        let sql = format!(
            "DELETE FROM export_parts WHERE export_id = $1 AND token = $2 AND part IN (
                 SELECT part FROM export_parts WHERE export_id = $1 AND token = $2 ORDER BY part LIMIT {PARTS_AT_ONCE})"
        );
        if tx.execute(&sql, &params![export, token]).await? < PARTS_AT_ONCE {
            let sql = "DELETE FROM export_leftovers WHERE export_id = $1 AND token = $2";
            tx.execute(sql, &params![export, token]).await?;
        }
        Ok(true)
    }
}

crate::dyn_operation::erasable!(ReadPart, ExpireExports, ClearParts);
