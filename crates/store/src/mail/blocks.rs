//! Block list of an account: addresses that get no mail, by a server's refusal or a person's decision.

use crate::audit::{self, Actor, AuditAct};
use crate::notes::ListWindow;
use crate::row::{Row, first, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store};
use serde_json::Value;
use uuid::Uuid;

/// A blocked address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailBlock {
    pub endereco: String,
    /// Answer of the server, or the words of a person.
    pub motivo: String,
    pub criado_em: i64,
}

/// Most addresses that people add to an account's list.
const MOST_BLOCKS: u32 = 10_000;

impl Store {
    /// Returns the first of these addresses that the account blocks; they are compared in lower case.
    pub async fn blocked_address(&self, tenant: Uuid, address: &str) -> Result<Option<MailBlock>, Error> {
        self.read(FindBlock { tenant, address: address.to_lowercase() }).await
    }

    /// Returns the block list by address, and its length.
    pub async fn mail_blocks(&self, tenant: Uuid, window: ListWindow) -> Result<(Vec<MailBlock>, u64), Error> {
        self.read(ListBlocks { tenant, window }).await
    }

    /// Adds an address; an older entry stays. `AccountFull` above the bound of the list.
    pub async fn block_address(
        &self,
        tenant: Uuid,
        address: &str,
        motivo: String,
        by: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(EditBlock { tenant, address: address.to_lowercase(), motivo: Some(motivo), by: by.clone(), now })
            .await
    }

    /// Removes an address; `NotFound` if it is not on the list.
    pub async fn unblock_address(&self, tenant: Uuid, address: &str, by: &Actor, now: i64) -> Result<(), Error> {
        self.write(EditBlock { tenant, address: address.to_lowercase(), motivo: None, by: by.clone(), now }).await
    }
}

/// Step that adds an address.
pub(super) fn block_step(tenant: Uuid, address: &str, motivo: &str, now: i64) -> SqlStep<'static> {
    let sql = "INSERT INTO mail_blocks (tenant_id, endereco, motivo, criado_em) VALUES ($1, $2, $3, $4)
               ON CONFLICT (tenant_id, endereco) DO NOTHING";
    SqlStep::new(sql, params![tenant, address.to_lowercase(), motivo, now])
}

struct FindBlock {
    tenant: Uuid,
    address: String,
}

impl StoreOperation for FindBlock {
    type Output = Option<MailBlock>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<MailBlock>, Error> {
        let sql = "SELECT endereco, motivo, criado_em FROM mail_blocks WHERE tenant_id = $1 AND endereco = $2";
        tx.query(sql, &params![self.tenant, &self.address]).await?.into_iter().next().map(read).transpose()
    }
}

fn read(mut row: Row) -> Result<MailBlock, Error> {
    Ok(MailBlock { endereco: row.read()?, motivo: row.read()?, criado_em: row.read()? })
}

struct ListBlocks {
    tenant: Uuid,
    window: ListWindow,
}

impl StoreOperation for ListBlocks {
    type Output = (Vec<MailBlock>, u64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(Vec<MailBlock>, u64), Error> {
        let mut params = params![self.tenant];
        let total = "SELECT COUNT(*) FROM mail_blocks WHERE tenant_id = $1";
        let total = first(tx.query(total, &params).await?)?.unwrap_or_default();
        params.extend(self.window.params());
        let sql = "SELECT endereco, motivo, criado_em FROM mail_blocks WHERE tenant_id = $1 ORDER BY endereco LIMIT $2 OFFSET $3";
        let rows = tx.query(sql, &params).await?;
        Ok((rows.into_iter().map(read).collect::<Result<_, _>>()?, total))
    }
}

struct EditBlock {
    tenant: Uuid,
    address: String,
    /// `None` to remove the address.
    motivo: Option<String>,
    by: Actor,
    now: i64,
}

impl StoreOperation for EditBlock {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let EditBlock { tenant, address, motivo, by, now } = self;
        let act = match motivo {
            Some(motivo) => {
                let sql = "SELECT COUNT(*) FROM mail_blocks WHERE tenant_id = $1";
                let listed: i64 = first(tx.query(sql, &params![*tenant]).await?)?.unwrap_or_default();
                if listed >= i64::from(MOST_BLOCKS) {
                    return Err(Error::AccountFull { most: MOST_BLOCKS });
                }
                tx.query_all(&[block_step(*tenant, address, motivo, *now)]).await?;
                AuditAct::EmailBloqueado
            }
            None => {
                let sql = "DELETE FROM mail_blocks WHERE tenant_id = $1 AND endereco = $2";
                if tx.execute(sql, &params![*tenant, address]).await? == 0 {
                    return Err(Error::NotFound);
                }
                AuditAct::EmailDesbloqueado
            }
        };
        audit::append(tx, *tenant, by, act, address, Value::Null, *now).await
    }
}

crate::dyn_operation::erasable!(FindBlock, ListBlocks, EditBlock);
