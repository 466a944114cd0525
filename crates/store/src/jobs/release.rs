//! Waking what waits for an authority: it works again.

use super::line;
use crate::row::params;
use crate::tx::{Lane, Operation, Step, Tx};
use crate::{Error, Store};

impl Store {
    /// Jobs of an authority may be taken now, the oldest first, whatever they waited for. Who works on one keeps it.
    pub async fn release_waiting(&self, authority: &str, now: i64) -> Result<(), Error> {
        self.write(Release { authority: authority.to_owned(), now }).await?;
        self.announce_work();
        Ok(())
    }
}

struct Release {
    authority: String,
    now: i64,
}

impl Operation for Release {
    type Output = ();
    const LANE: Lane = Lane::Urgent;
    // a wake-up that is lost is a later one: the jobs have moments of their own
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        // those that may be taken already too: with one moment for all, their age decides who goes first
        let jobs = "UPDATE queue SET ready_at = $2 WHERE authority = $1 AND ready_at <> $2 AND token IS NULL";
        let lines = "UPDATE lines SET next_at = $2 WHERE authority = $1 AND next_at > $2";
        let params = params![&self.authority, self.now];
        let mut steps = vec![Step::new(jobs, params.clone())];
        steps.extend(line::hold_back(tx.dialect(), &self.authority));
        steps.push(Step::new(lines, params));
        tx.query_all(&steps).await.map(drop)
    }
}

crate::erased::erasable!(Release);
