//! Claiming mails by lease, one account after the other, so that a long queue of one delays no other.

use super::read::{COLUMNS, read_mail};
use super::{ClaimedMail, MailLease};
use crate::row::{Row, first, params};
use crate::tx::{StoreOperation, Tx};
use crate::vault::random;
use crate::{Error, Store};
use uuid::Uuid;

impl Store {
    /// Claims the due mail that waits longest of the next account after `after` in the order of their ids, from the
    /// first one again after the last; one whose lease ran out is claimed anew.
    pub async fn claim_mail(&self, now: i64, lease_until: i64, after: Uuid) -> Result<Option<ClaimedMail>, Error> {
        self.write(ClaimMail { now, lease_until, after, token: Uuid::from_bytes(random()?) }).await
    }

    /// Returns the number of waiting mails, and the age in seconds of the oldest due one.
    pub async fn mail_backlog(&self, now: i64) -> Result<(u64, u64), Error> {
        self.read(CountBacklog { now }).await
    }
}

struct ClaimMail {
    now: i64,
    lease_until: i64,
    after: Uuid,
    token: Uuid,
}

impl StoreOperation for ClaimMail {
    type Output = Option<ClaimedMail>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<ClaimedMail>, Error> {
        let row = match self.due(tx, "tenant_id > $2").await? {
            Some(row) => Some(row),
            None => self.due(tx, "tenant_id <= $2").await?,
        };
        let Some(mut row) = row else { return Ok(None) };
        let (tenant, mail): (Uuid, Uuid) = (row.read()?, row.read()?);
        let sql = format!(
            "UPDATE mails SET token = $3, proxima_em = $4 WHERE tenant_id = $1 AND id = $2 RETURNING {COLUMNS}"
        );
        let claimed = tx.query(&sql, &params![tenant, mail, self.token, self.lease_until]).await?;
        let row = claimed.into_iter().next().ok_or(Error::LeaseLost)?;
        Ok(Some(ClaimedMail { lease: MailLease { tenant, mail, token: self.token }, mail: read_mail(row)? }))
    }
}

impl ClaimMail {
    async fn due<T: Tx>(&self, tx: &mut T, accounts: &str) -> Result<Option<Row>, Error> {
        let sql = format!(
            "SELECT tenant_id, id FROM mails WHERE proxima_em IS NOT NULL AND proxima_em <= $1 AND {accounts}
             ORDER BY tenant_id, proxima_em LIMIT 1 {}",
            tx.dialect().skip_locked()
        );
        Ok(tx.query(&sql, &params![self.now, self.after]).await?.into_iter().next())
    }
}

struct CountBacklog {
    now: i64,
}

impl StoreOperation for CountBacklog {
    type Output = (u64, u64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(u64, u64), Error> {
        let count: i64 =
            first(tx.query("SELECT COUNT(*) FROM mails WHERE proxima_em IS NOT NULL", &[]).await?)?.unwrap_or_default();
        let sql = "SELECT MIN(proxima_em) FROM mails WHERE proxima_em IS NOT NULL AND token IS NULL";
        let oldest: Option<i64> = first(tx.query(sql, &[]).await?)?.flatten();
        let age = oldest.map_or(0, |due| u64::try_from(self.now - due).unwrap_or(0));
        Ok((count.unsigned_abs(), age))
    }
}

crate::dyn_operation::erasable!(ClaimMail, CountBacklog);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::MigrateDatabase;
    use crate::sqlite::SqliteTx;
    use crate::tx::poll_once;
    use rusqlite::Connection;

    #[test]
    fn a_claim_reads_waiting_mails_alone() {
        let mut connection = Connection::open_in_memory().unwrap();
        poll_once(MigrateDatabase.run(&mut SqliteTx::new(&mut connection))).unwrap().unwrap();
        for accounts in ["tenant_id > ?2", "tenant_id <= ?2"] {
            let sql = format!(
                "EXPLAIN QUERY PLAN SELECT tenant_id, id FROM mails WHERE proxima_em IS NOT NULL AND proxima_em <= ?1
                 AND {accounts} ORDER BY tenant_id, proxima_em LIMIT 1"
            );
            let mut statement = connection.prepare(&sql).unwrap();
            let steps: Vec<String> = statement.raw_query().mapped(|row| row.get(3)).collect::<Result<_, _>>().unwrap();
            assert!(steps.iter().all(|step| step.contains("mails_waiting")), "{}", steps.join("\n"));
        }
    }
}
