//! Lists of prepared emissions for people: one by its public name, the pending ones, the past ones.

use uuid::Uuid;

use super::{Confirmation, read, select};
use crate::row::{Params, first, only, params, unexpected};
use crate::tx::{StoreOperation, Tx};
use crate::visibility::Visibility;
use crate::words;
use crate::{Error, Store};

/// Selection of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfirmationList {
    /// Waiting for a decision.
    Waiting,
    /// Decided, used, or expired.
    Past,
}

impl Store {
    /// Returns a page, newest first, without payloads, and the number of entries.
    pub async fn confirmations(
        &self,
        visibility: Visibility,
        which: ConfirmationList,
        now: i64,
        limit: u32,
        offset: u32,
    ) -> Result<(Vec<Confirmation>, u64), Error> {
        self.read(ListConfirmations { sight: visibility, which, now, limit, offset }).await
    }
}

/// Condition of the visible emissions of a tenant, with its parameters `$1` and `$2`.
fn visible_condition(sight: Visibility) -> (&'static str, Params) {
    let environment = sight.only_environment().map(words::ambiente);
    // A visibility of both environments passes 0 for the environment.
    ("c.tenant_id = $1 AND (c.ambiente = $2 OR $2 = 0)", params![sight.tenant(), environment.unwrap_or(0)])
}

pub(super) struct ConfirmationById {
    pub(super) visibility: Visibility,
    pub(super) id: Uuid,
}

impl StoreOperation for ConfirmationById {
    type Output = Confirmation;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Confirmation, Error> {
        visible_confirmation(tx, self.visibility, self.id).await
    }
}

/// Returns one emission inside a transaction.
pub(super) async fn visible_confirmation<T: Tx>(
    tx: &mut T,
    sight: Visibility,
    id: Uuid,
) -> Result<Confirmation, Error> {
    let (condition, mut params) = visible_condition(sight);
    params.extend(params![id]);
    let sql = format!("{} WHERE {condition} AND c.id = $3", select("c.payload"));
    read(only(tx.query(&sql, &params).await?)?)
}

struct ListConfirmations {
    sight: Visibility,
    which: ConfirmationList,
    now: i64,
    limit: u32,
    offset: u32,
}

impl StoreOperation for ListConfirmations {
    type Output = (Vec<Confirmation>, u64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(Vec<Confirmation>, u64), Error> {
        let (condition, mut params) = visible_condition(self.sight);
        params.extend(params![self.now]);
        let waits = "(c.job_id IS NULL AND c.decisao IS NULL AND c.expira_em > $3)";
        let which = if self.which == ConfirmationList::Waiting { waits.to_owned() } else { format!("NOT {waits}") };
        let condition = format!("{condition} AND c.id IS NOT NULL AND {which}");
        let sql = format!("SELECT COUNT(*) FROM confirmations c WHERE {condition}");
        let total: i64 = first(tx.query(&sql, &params).await?)?.unwrap_or_default();
        let sql = format!("{} WHERE {condition} ORDER BY c.id DESC LIMIT $4 OFFSET $5", select("''"));
        params.extend(params![i64::from(self.limit), i64::from(self.offset)]);
        let found: Result<Vec<Confirmation>, Error> = tx.query(&sql, &params).await?.into_iter().map(read).collect();
        Ok((found?, u64::try_from(total).map_err(|_| unexpected())?))
    }
}

crate::dyn_operation::erasable!(ConfirmationById, ListConfirmations);
