//! Parts of files that nothing serves any more: of an expired or removed export, and of an attempt that was lost. They
//! are removed a few at a time.

use crate::row::params;
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store};
use uuid::Uuid;

/// Parts that one transaction removes.
const PARTS_AT_ONCE: u64 = 64;

impl Store {
    /// Removes some of the parts that nothing serves; `false` when there were none.
    pub async fn clear_export_parts(&self) -> Result<bool, Error> {
        self.write(ClearParts).await
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

crate::dyn_operation::erasable!(ClearParts);
