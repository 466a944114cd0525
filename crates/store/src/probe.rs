//! Whether the database takes writes. A question says nothing of that: a full disk, or a server that became a replica,
//! answers all of them.

use crate::row::params;
use crate::tx::{Operation, Tx};
use crate::{Error, Store, vault};

/// As much as a small document: a last free page must not pass for room.
const BYTES: usize = 8 << 10;

impl Store {
    /// Writes the one row that is there for it, through the same door and as durably as everything else.
    pub async fn probe(&self, now: i64) -> Result<(), Error> {
        self.write(Probe { now, content: vault::random::<BYTES>()?.to_vec() }).await
    }
}

struct Probe {
    now: i64,
    content: Vec<u8>,
}

impl Operation for Probe {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = "INSERT INTO probe (id, escrito_em, content) VALUES (1, $1, $2)
                   ON CONFLICT (id) DO UPDATE SET escrito_em = excluded.escrito_em, content = excluded.content";
        tx.execute(sql, &params![self.now, self.content.clone()]).await.map(drop)
    }
}

crate::erased::erasable!(Probe);
