//! Write probe of the database. A query proves nothing about writes: a full disk, or a server that became a replica,
//! answers queries.

use crate::row::params;
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, vault};

/// Size of a small document: a last free page must not count as room.
const BYTES: usize = 8 << 10;

impl Store {
    /// Writes the one probe row, by the ordinary path and as durably as any write.
    pub async fn probe(&self, now: i64) -> Result<(), Error> {
        self.write(ProbeWrites { now, content: vault::random::<BYTES>()?.to_vec() }).await
    }
}

struct ProbeWrites {
    now: i64,
    content: Vec<u8>,
}

impl StoreOperation for ProbeWrites {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = "INSERT INTO probe (id, escrito_em, content) VALUES (1, $1, $2)
                   ON CONFLICT (id) DO UPDATE SET escrito_em = excluded.escrito_em, content = excluded.content";
        tx.execute(sql, &params![self.now, self.content.clone()]).await.map(drop)
    }
}

crate::dyn_operation::erasable!(ProbeWrites);
