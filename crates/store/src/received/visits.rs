//! Visits of a user to the inbox: what arrived since the visit before is new.

use crate::row::params;
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, Visibility, words};
use fiscal::value::TpAmb;
use uuid::Uuid;

/// Seconds without a request after which the next one is another visit.
const PAUSE_S: i64 = 1_800;
/// Seconds after which a request of the same visit is written.
const WRITTEN_AGAIN_S: i64 = 60;

impl Store {
    /// Records a visit to the inbox; returns the newest entry that earlier visits saw, `None` when there were none.
    pub async fn visit_inbox(
        &self,
        sight: Visibility,
        user: Uuid,
        ambiente: TpAmb,
        now: i64,
    ) -> Result<Option<Uuid>, Error> {
        let place = VisitPlace { tenant: sight.tenant(), user, ambiente };
        let found = self.read(ReadVisit { place }).await?;
        match found.visit {
            Some(visit) if visit.goes_on(found.newest, now) => Ok(some(visit.seen)),
            _ => self.write(RecordVisit { place, now }).await,
        }
    }

    /// Marks everything that the last visit found as seen.
    pub async fn mark_inbox_seen(&self, sight: Visibility, user: Uuid, ambiente: TpAmb) -> Result<(), Error> {
        self.write(MarkSeen { place: VisitPlace { tenant: sight.tenant(), user, ambiente } }).await
    }
}

#[derive(Clone, Copy)]
struct VisitPlace {
    tenant: Uuid,
    user: Uuid,
    ambiente: TpAmb,
}

#[derive(Clone, Copy)]
struct InboxVisit {
    /// Newest entry that earlier visits saw; nil when there were none.
    seen: Uuid,
    newest: Uuid,
    visited_at: i64,
}

impl InboxVisit {
    fn is_over(self, now: i64) -> bool {
        now - self.visited_at >= PAUSE_S
    }

    fn goes_on(self, newest: Uuid, now: i64) -> bool {
        self.newest == newest && now - self.visited_at < WRITTEN_AGAIN_S
    }
}

struct FoundVisit {
    visit: Option<InboxVisit>,
    /// Newest entry of the inbox; nil when it is empty.
    newest: Uuid,
}

fn some(id: Uuid) -> Option<Uuid> {
    (!id.is_nil()).then_some(id)
}

async fn find<T: Tx>(tx: &mut T, place: VisitPlace, lock: &str) -> Result<FoundVisit, Error> {
    let VisitPlace { tenant, user, ambiente } = place;
    let sql = format!(
        "SELECT seen, newest, visited_at FROM received_visits WHERE tenant_id = $1 AND user_id = $2 AND ambiente = $3 {lock}"
    );
    let rows = tx.query(&sql, &params![tenant, user, words::ambiente(ambiente)]).await?;
    let visit = match rows.into_iter().next() {
        Some(mut row) => Some(InboxVisit { seen: row.read()?, newest: row.read()?, visited_at: row.read()? }),
        None => None,
    };
    let sql = "SELECT id FROM received_notes WHERE tenant_id = $1 AND ambiente = $2 ORDER BY id DESC LIMIT 1";
    let newest = crate::row::first(tx.query(sql, &params![tenant, words::ambiente(ambiente)]).await?)?;
    Ok(FoundVisit { visit, newest: newest.unwrap_or_else(Uuid::nil) })
}

struct ReadVisit {
    place: VisitPlace,
}

impl StoreOperation for ReadVisit {
    type Output = FoundVisit;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<FoundVisit, Error> {
        find(tx, self.place, "").await
    }
}

struct RecordVisit {
    place: VisitPlace,
    now: i64,
}

impl StoreOperation for RecordVisit {
    type Output = Option<Uuid>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<Uuid>, Error> {
        let VisitPlace { tenant, user, ambiente } = self.place;
        let lock = tx.dialect().for_update();
        let found = find(tx, self.place, lock).await?;
        let seen = match found.visit {
            Some(visit) if visit.is_over(self.now) => visit.newest,
            Some(visit) => visit.seen,
            None => Uuid::nil(),
        };
        let sql = "INSERT INTO received_visits (tenant_id, user_id, ambiente, seen, newest, visited_at)
                   VALUES ($1, $2, $3, $4, $5, $6)
                   ON CONFLICT (tenant_id, user_id, ambiente)
                   DO UPDATE SET seen = excluded.seen, newest = excluded.newest, visited_at = excluded.visited_at";
        tx.execute(sql, &params![tenant, user, words::ambiente(ambiente), seen, found.newest, self.now]).await?;
        Ok(some(seen))
    }
}

struct MarkSeen {
    place: VisitPlace,
}

impl StoreOperation for MarkSeen {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let VisitPlace { tenant, user, ambiente } = self.place;
        let sql = "UPDATE received_visits SET seen = newest WHERE tenant_id = $1 AND user_id = $2 AND ambiente = $3";
        tx.execute(sql, &params![tenant, user, words::ambiente(ambiente)]).await.map(drop)
    }
}

crate::dyn_operation::erasable!(ReadVisit, RecordVisit, MarkSeen);
