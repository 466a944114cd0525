//! Release of waiting jobs when an authority works again.

use super::company_queue;
use crate::row::params;
use crate::tx::{Lane, SqlStep, StoreOperation, Tx};
use crate::{Error, Store};

impl Store {
    /// Makes the waiting jobs of an authority claimable at once, the oldest first. Leased jobs keep their lease.
    pub async fn release_waiting(&self, authority: &str, now: i64) -> Result<(), Error> {
        self.write(ReleaseWaiting { authority: authority.to_owned(), now }).await?;
        self.announce_work();
        Ok(())
    }
}

struct ReleaseWaiting {
    authority: String,
    now: i64,
}

impl StoreOperation for ReleaseWaiting {
    type Output = ();
    const LANE: Lane = Lane::Urgent;
    // A lost release only delays: the jobs have their own instants.
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        // Claimable jobs too: with one instant for all, their age decides the order.
        let jobs = "UPDATE queue SET ready_at = $2 WHERE authority = $1 AND ready_at <> $2 AND token IS NULL";
        let lines = "UPDATE lines SET next_at = $2 WHERE authority = $1 AND next_at > $2";
        let params = params![&self.authority, self.now];
        let mut steps = vec![SqlStep::new(jobs, params.clone())];
        steps.extend(company_queue::block_push_back(tx.dialect(), &self.authority));
        steps.push(SqlStep::new(lines, params));
        tx.query_all(&steps).await.map(drop)
    }
}

crate::dyn_operation::erasable!(ReleaseWaiting);
