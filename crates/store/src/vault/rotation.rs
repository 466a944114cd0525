//! Rotation of the master key: each tenant's key is wrapped with the new one, in one transaction.

use super::{CODE_KEY, MasterKey, PROOF, open, rotate, seal};
use crate::installation::serving;
use crate::row::{Row, only, params};
use crate::tx::{StoreOperation, Tx, steps_for_each};
use crate::{Error, Store};
use std::sync::PoisonError;
use uuid::Uuid;

impl Store {
    /// Wraps every tenant's key with a new master key, in one transaction; returns the number of keys. Returns `InUse`
    /// while a process serves the database: it would keep the old key, and secrets sealed with that would not open any
    /// more.
    pub async fn rotate_master_key(&self, new: MasterKey, now: i64) -> Result<u64, Error> {
        let vault = self.shared.vault.clone();
        let rotated = self.write(RotateMasterKey { from: vault.master(), to: new.clone(), now }).await?;
        *vault.master.write().unwrap_or_else(PoisonError::into_inner) = new;
        Ok(rotated)
    }
}

struct RotateMasterKey {
    from: MasterKey,
    to: MasterKey,
    now: i64,
}

impl StoreOperation for RotateMasterKey {
    type Output = u64;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<u64, Error> {
        let proof = seal(&self.to.0, PROOF, PROOF)?;
        tx.execute("UPDATE master_key SET proof = $1 WHERE id = 1", &params![proof]).await?;
        // Checked after the lock on the proof's row: a process that begins to serve waits for that lock.
        if serving::is_served(tx, self.now).await? {
            return Err(Error::InUse);
        }
        self.code_key(tx).await?;
        let sql = format!("SELECT tenant_id, wrapped FROM data_keys {}", tx.dialect().for_update());
        let rows = tx.query(&sql, &[]).await?;
        let mut rotated = Vec::new();
        for mut row in rows {
            let (tenant, wrapped) = tenant_key(&mut row)?;
            rotated.push(params![tenant, rotate(&wrapped, tenant, &self.from, &self.to)?]);
        }
        let count = rotated.len() as u64;
        tx.query_all(&steps_for_each("UPDATE data_keys SET wrapped = $2 WHERE tenant_id = $1", rotated)).await?;
        Ok(count)
    }
}

impl RotateMasterKey {
    /// The key for codes stays; only its envelope is new.
    async fn code_key<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sealed: Vec<u8> = only(tx.query("SELECT code_key FROM installation WHERE id = 1", &[]).await?)?.read()?;
        let sealed = seal(&self.to.0, &open(&self.from.0, &sealed, CODE_KEY)?, CODE_KEY)?;
        tx.execute("UPDATE installation SET code_key = $1 WHERE id = 1", &params![sealed]).await.map(drop)
    }
}

fn tenant_key(row: &mut Row) -> Result<(Uuid, Vec<u8>), Error> {
    Ok((row.read()?, row.read()?))
}

crate::dyn_operation::erasable!(RotateMasterKey);
