//! Removal of old mails with their attempts.

use crate::row::params;
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store};
use uuid::Uuid;

/// Mails that one transaction removes.
const AT_ONCE: u32 = 200;

impl Store {
    /// Removes mails whose last series of attempts began before an instant, in whatever state they are, oldest first;
    /// returns the number of removed ones, and `true` if there may be more.
    pub async fn expire_mails(&self, before: i64) -> Result<(u64, bool), Error> {
        self.write(ExpireMails { before }).await
    }
}

struct ExpireMails {
    before: i64,
}

impl StoreOperation for ExpireMails {
    type Output = (u64, bool);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(u64, bool), Error> {
        let due = format!("{DUE} LIMIT {AT_ONCE} {}", tx.dialect().skip_locked());
        let mut steps = Vec::new();
        let mut removed = 0;
        for mut row in tx.query(&due, &params![self.before]).await? {
            let (tenant, id): (Uuid, Uuid) = (row.read()?, row.read()?);
            let attempts = "DELETE FROM mail_attempts WHERE tenant_id = $1 AND mail_id = $2";
            steps.push(SqlStep::new(attempts, params![tenant, id]));
            steps.push(SqlStep::new("DELETE FROM mails WHERE tenant_id = $1 AND id = $2", params![tenant, id]));
            removed += 1;
        }
        tx.query_all(&steps).await?;
        Ok((removed, removed == u64::from(AT_ONCE)))
    }
}

const DUE: &str = "SELECT tenant_id, id FROM mails WHERE serie_em < $1 ORDER BY serie_em";

crate::dyn_operation::erasable!(ExpireMails);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::plans;

    #[test]
    fn a_removal_reads_old_mails_alone() {
        let steps = plans::steps(&plans::database(), DUE);
        assert!(steps.iter().all(|step| step.contains("mails_by_age")), "{}", steps.join("\n"));
    }
}
