//! Parts of a complete file, and its end after its retention.
//!
//! Reason: docs/decisions/store.md, "Files of exports are kept in the database, in parts".

use super::leftovers::leave_parts;
use super::orders::ExportRow;
use crate::row::{only, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store};
use uuid::Uuid;

/// Seconds for which the row of an export without a file is kept.
const ROW_KEPT_S: i64 = 90 * 86_400;
/// Files that one transaction ends.
const FILES_AT_ONCE: u32 = 64;

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

crate::dyn_operation::erasable!(ReadPart, ExpireExports);
