//! Claiming mails by lease, one account after the other, so that a long queue of one delays no other.

use super::read::{COLUMNS, read_mail};
use super::{ClaimedMail, MailLease};
use crate::row::{first, params};
use crate::tx::{StoreOperation, Tx};
use crate::vault::random;
use crate::{Error, Store};
use uuid::Uuid;

impl Store {
    /// Returns the next account after `after`, in the order of their ids, that has a due mail; from the first one again
    /// after the last.
    pub async fn next_mail_account(&self, now: i64, after: Uuid) -> Result<Option<Uuid>, Error> {
        self.read(FindAccount { now, after }).await
    }

    /// Claims the due mail of an account that waits longest; one whose lease ran out is claimed anew.
    pub async fn claim_mail(&self, tenant: Uuid, now: i64, lease_until: i64) -> Result<Option<ClaimedMail>, Error> {
        self.write(ClaimMail { tenant, now, lease_until, token: Uuid::from_bytes(random()?) }).await
    }

    /// Returns the number of waiting mails, and the age in seconds of the oldest due one.
    pub async fn mail_backlog(&self, now: i64) -> Result<(u64, u64), Error> {
        self.read(CountBacklog { now }).await
    }
}

struct FindAccount {
    now: i64,
    after: Uuid,
}

impl StoreOperation for FindAccount {
    type Output = Option<Uuid>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<Uuid>, Error> {
        for sql in ACCOUNTS {
            let found = first(tx.query(sql, &params![self.now, self.after]).await?)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// Accounts after one, and those up to it.
const ACCOUNTS: [&str; 2] = [
    "SELECT tenant_id FROM mails WHERE proxima_em IS NOT NULL AND proxima_em <= $1 AND tenant_id > $2 ORDER BY tenant_id LIMIT 1",
    "SELECT tenant_id FROM mails WHERE proxima_em IS NOT NULL AND proxima_em <= $1 AND tenant_id <= $2 ORDER BY tenant_id LIMIT 1",
];

struct ClaimMail {
    tenant: Uuid,
    now: i64,
    lease_until: i64,
    token: Uuid,
}

const DUE: &str = "SELECT id FROM mails WHERE tenant_id = $1 AND proxima_em IS NOT NULL AND proxima_em <= $2
                   ORDER BY proxima_em LIMIT 1";

impl StoreOperation for ClaimMail {
    type Output = Option<ClaimedMail>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<ClaimedMail>, Error> {
        let ClaimMail { tenant, now, lease_until, token } = *self;
        let due = format!("{DUE} {}", tx.dialect().skip_locked());
        let Some(mail) = first::<Uuid>(tx.query(&due, &params![tenant, now]).await?)? else { return Ok(None) };
        let sql = format!(
            "UPDATE mails SET token = $3, proxima_em = $4 WHERE tenant_id = $1 AND id = $2 RETURNING {COLUMNS}"
        );
        let claimed = tx.query(&sql, &params![tenant, mail, token, lease_until]).await?;
        let row = claimed.into_iter().next().ok_or(Error::LeaseLost)?;
        Ok(Some(ClaimedMail { lease: MailLease { tenant, mail, token }, mail: read_mail(row)? }))
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

crate::dyn_operation::erasable!(FindAccount, ClaimMail, CountBacklog);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::plans;

    #[test]
    fn a_claim_reads_waiting_mails_alone() {
        let database = plans::database();
        for sql in [ACCOUNTS[0], ACCOUNTS[1], DUE] {
            let steps = plans::steps(&database, sql);
            assert!(steps.iter().all(|step| step.contains("mails_waiting")), "{}", steps.join("\n"));
        }
    }
}
