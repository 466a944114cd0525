//! Lists of prepared emissions for people: one by its public name, the pending ones, the past ones.

use uuid::Uuid;

use super::{Confirmation, read, select};
use crate::jobs::words;
use crate::row::{Params, first, only, params, unexpected};
use crate::sight::Sight;
use crate::tx::{Operation, Tx};
use crate::{Error, Store};

/// Selection of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Waiting for a decision.
    Waiting,
    /// Decided, used, or expired.
    Past,
}

impl Store {
    /// Returns a page, newest first, without payloads, and the number of entries.
    pub async fn confirmations(
        &self,
        sight: Sight,
        which: Which,
        now: i64,
        limit: u32,
        offset: u32,
    ) -> Result<(Vec<Confirmation>, u64), Error> {
        self.read(List { sight, which, now, limit, offset }).await
    }
}

/// Condition of the visible emissions of a tenant, with its parameters `$1` and `$2`.
fn seen(sight: Sight) -> (&'static str, Params) {
    let environment = sight.only().map(words::ambiente);
    // A visibility of both environments passes 0 for the environment.
    ("c.tenant_id = $1 AND (c.ambiente = $2 OR $2 = 0)", params![sight.tenant(), environment.unwrap_or(0)])
}

pub(super) struct FindById {
    pub(super) sight: Sight,
    pub(super) id: Uuid,
}

impl Operation for FindById {
    type Output = Confirmation;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Confirmation, Error> {
        by_id(tx, self.sight, self.id).await
    }
}

/// Returns one emission inside a transaction.
pub(super) async fn by_id<T: Tx>(tx: &mut T, sight: Sight, id: Uuid) -> Result<Confirmation, Error> {
    let (condition, mut params) = seen(sight);
    params.extend(params![id]);
    let sql = format!("{} WHERE {condition} AND c.id = $3", select("c.payload"));
    read(only(tx.query(&sql, &params).await?)?)
}

struct List {
    sight: Sight,
    which: Which,
    now: i64,
    limit: u32,
    offset: u32,
}

impl Operation for List {
    type Output = (Vec<Confirmation>, u64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(Vec<Confirmation>, u64), Error> {
        let (condition, mut params) = seen(self.sight);
        params.extend(params![self.now]);
        let waits = "(c.job_id IS NULL AND c.decisao IS NULL AND c.expira_em > $3)";
        let which = if self.which == Which::Waiting { waits.to_owned() } else { format!("NOT {waits}") };
        let condition = format!("{condition} AND c.id IS NOT NULL AND {which}");
        let sql = format!("SELECT COUNT(*) FROM confirmations c WHERE {condition}");
        let total: i64 = first(tx.query(&sql, &params).await?)?.unwrap_or_default();
        let sql = format!("{} WHERE {condition} ORDER BY c.id DESC LIMIT $4 OFFSET $5", select("''"));
        params.extend(params![i64::from(self.limit), i64::from(self.offset)]);
        let found: Result<Vec<Confirmation>, Error> = tx.query(&sql, &params).await?.into_iter().map(read).collect();
        Ok((found?, u64::try_from(total).map_err(|_| unexpected())?))
    }
}

crate::erased::erasable!(FindById, List);
