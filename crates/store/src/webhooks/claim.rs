//! Claiming deliveries by lease, fairly: every destination (a host of a tenant) with due deliveries gives an equal
//! share.
//!
//! The destinations are found by skipping along the index from one to the next, so a claim costs as many lookups as
//! there are destinations with unfinished deliveries, however many wait for each. No row per destination exists on
//! which two transactions could collide: enqueueing an event stays an insert.

use super::{ClaimedDelivery, DeliveryClaim, DeliveryLease};
use crate::dialect::SqlDialect;
use crate::row::{Row, first, params, unexpected};
use crate::tx::{Lane, StoreOperation, Tx, steps_for_each};
use crate::vault::random;
use crate::words;
use crate::{Error, Store};
use std::time::Duration;
use uuid::Uuid;

impl Store {
    /// Claims deliveries that are due (and those whose lease ran out), from the destinations that wait longest.
    pub async fn claim_deliveries(&self, claim: DeliveryClaim) -> Result<Vec<ClaimedDelivery>, Error> {
        self.shared.delivery_signal.claim_begins();
        let token = Uuid::from_bytes(random()?);
        self.write(ClaimDeliveries { claim, token }).await
    }
    /// Waits until deliveries may be due (signalled in this process) or the time has passed.
    pub async fn wait_for_deliveries(&self, at_most: Duration) {
        self.shared.delivery_signal.wait(at_most).await;
    }
    /// Returns the number of unfinished deliveries, and the age in seconds of the oldest due one.
    pub async fn delivery_backlog(&self, now: i64) -> Result<(u64, u64), Error> {
        self.read(CountBacklog { now }).await
    }
}

struct ClaimDeliveries {
    claim: DeliveryClaim,
    token: Uuid,
}

impl StoreOperation for ClaimDeliveries {
    type Output = Vec<ClaimedDelivery>;
    const LANE: Lane = Lane::Urgent;
    // A lost claim is made again.
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<ClaimedDelivery>, Error> {
        let DeliveryClaim { now, lease_until, limit, .. } = self.claim;
        let mut destinations = self.destinations(tx).await?;
        destinations.truncate(limit as usize);
        let Ok(count) = u32::try_from(destinations.len()) else { return Err(unexpected()) };
        if count == 0 {
            return Ok(Vec::new());
        }
        let share = (limit / count).max(1);
        let sql = claim_deliveries_sql(tx.dialect());
        let take = |(tenant, destino): &(Uuid, String)| params![*tenant, destino, now, share, lease_until, self.token];
        let steps = steps_for_each(&sql, destinations.iter().map(take).collect());
        let mut keys = Vec::new();
        for (rows, (tenant, _)) in tx.query_all(&steps).await?.into_iter().zip(&destinations) {
            for mut row in rows {
                keys.push(params![*tenant, row.read::<Uuid>()?]);
            }
        }
        let rows = tx.query_each(DELIVERY, keys).await?;
        rows.into_iter().flatten().map(|row| self.read(row)).collect()
    }
}

const DESTINATIONS: &str = "WITH RECURSIVE destinations(destino) AS (
         SELECT MIN(destino) FROM delivery_queue
         UNION ALL
         SELECT (SELECT MIN(q.destino) FROM delivery_queue q WHERE q.destino > d.destino)
         FROM destinations d WHERE d.destino IS NOT NULL),
     first(destino, ready_at) AS (
         SELECT d.destino, (SELECT MIN(q.ready_at) FROM delivery_queue q WHERE q.destino = d.destino)
         FROM destinations d WHERE d.destino IS NOT NULL)
     SELECT destino FROM first WHERE ready_at <= $1 ORDER BY ready_at, destino";

/// Claims the oldest ready deliveries of a destination that no other process is taking.
fn claim_deliveries_sql(dialect: SqlDialect) -> String {
    let ((place, is_due), skip_locked) = (dialect.selected_rows("delivery_id"), dialect.skip_locked());
    format!(
        "WITH due AS MATERIALIZED (
             SELECT {place} FROM delivery_queue WHERE tenant_id = $1 AND destino = $2 AND ready_at <= $3
             ORDER BY ready_at, delivery_id LIMIT $4 {skip_locked})
         UPDATE delivery_queue SET ready_at = $5, token = $6 WHERE {is_due} RETURNING delivery_id"
    )
}

const DELIVERY: &str =
    "SELECT d.tenant_id, d.id, d.job_id, d.ambiente, d.evento, d.url, d.corpo, d.tentativas, q.restantes
    FROM deliveries d JOIN delivery_queue q ON q.tenant_id = d.tenant_id AND q.delivery_id = d.id
    WHERE d.tenant_id = $1 AND d.id = $2";

impl ClaimDeliveries {
    /// Destinations with due deliveries whose tenant and host are below their limits.
    async fn destinations<T: Tx>(&self, tx: &mut T) -> Result<Vec<(Uuid, String)>, Error> {
        let mut due = Vec::new();
        for mut row in tx.query(DESTINATIONS, &params![self.claim.now]).await? {
            let destino: String = row.read()?;
            let (tenant, host) = destino.split_once('/').ok_or_else(unexpected)?;
            let tenant = Uuid::parse_str(tenant).map_err(|_| unexpected())?;
            if !self.claim.except_tenants.contains(&tenant) && !self.claim.except_hosts.contains(host) {
                due.push((tenant, destino));
            }
        }
        Ok(due)
    }

    fn read(&self, mut row: Row) -> Result<ClaimedDelivery, Error> {
        let lease = DeliveryLease { tenant_id: row.read()?, delivery_id: row.read()?, token: self.token };
        Ok(ClaimedDelivery {
            lease,
            job_id: row.read()?,
            ambiente: words::read_ambiente(row.read()?)?,
            evento: row.read()?,
            url: row.read()?,
            corpo: row.read()?,
            tentativas: row.read()?,
            restantes: row.read()?,
        })
    }
}

struct CountBacklog {
    now: i64,
}

impl StoreOperation for CountBacklog {
    type Output = (u64, u64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(u64, u64), Error> {
        let count: i64 = first(tx.query("SELECT COUNT(*) FROM delivery_queue", &[]).await?)?.unwrap_or_default();
        let sql = "SELECT MIN(ready_at) FROM delivery_queue WHERE token IS NULL";
        let oldest: Option<i64> = first(tx.query(sql, &[]).await?)?.flatten();
        let age = oldest.map_or(0, |ready_at| u64::try_from(self.now - ready_at).unwrap_or(0));
        Ok((count.unsigned_abs(), age))
    }
}

crate::dyn_operation::erasable!(ClaimDeliveries, CountBacklog);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::plans::{database, steps};

    #[test]
    fn a_claim_reads_one_row_per_destination_and_what_it_takes() {
        let connection = database();
        for sql in [DESTINATIONS.to_owned(), claim_deliveries_sql(SqlDialect::Sqlite)] {
            let steps = steps(&connection, &sql);
            // Scans cover only rows that the statement itself has gathered.
            let scans: Vec<&String> =
                steps.iter().filter(|step| step.contains("SCAN") && step.contains("delivery")).collect();
            assert!(scans.is_empty(), "{}", steps.join("\n"));
        }
    }
}
