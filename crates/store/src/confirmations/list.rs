//! Lists of prepared emissions for people: one by its public name, the pending ones, the past ones.

use uuid::Uuid;

use super::{Confirmation, read, select};
use crate::conditions::Conditions;
use crate::row::{first, only, params, unexpected};
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

/// Condition of the visible emissions of a tenant, with its parameters.
fn visible_condition(sight: Visibility) -> Conditions {
    let mut conditions = Conditions::of_tenant("c.tenant_id", sight.tenant());
    conditions.and_optional("c.ambiente =", sight.only_environment().map(words::ambiente));
    conditions.and_within("c.emitente", sight.reach());
    conditions
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
    let mut conditions = visible_condition(sight);
    conditions.and_value("c.id =", id);
    let sql = format!("{} WHERE {}", select("c.payload"), conditions.text());
    read(only(tx.query(&sql, conditions.params()).await?)?)
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
        let (now, params) = visible_condition(self.sight).with_params(params![self.now]);
        let waits = format!("(c.job_id IS NULL AND c.decisao IS NULL AND c.expira_em > ${now})");
        let which = if self.which == ConfirmationList::Waiting { waits } else { format!("NOT {waits}") };
        let visible = visible_condition(self.sight);
        let condition = format!("{} AND c.id IS NOT NULL AND {which}", visible.text());
        let sql = format!("SELECT COUNT(*) FROM confirmations c WHERE {condition}");
        let total: i64 = first(tx.query(&sql, &params).await?)?.unwrap_or_default();
        let (limit, offset) = (now + 1, now + 2);
        let sql = format!("{} WHERE {condition} ORDER BY c.id DESC LIMIT ${limit} OFFSET ${offset}", select("''"));
        let params = [params, params![i64::from(self.limit), i64::from(self.offset)]].concat();
        let found: Result<Vec<Confirmation>, Error> = tx.query(&sql, &params).await?.into_iter().map(read).collect();
        Ok((found?, u64::try_from(total).map_err(|_| unexpected())?))
    }
}

crate::dyn_operation::erasable!(ConfirmationById, ListConfirmations);
