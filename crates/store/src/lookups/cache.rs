//! Cache of the answers of outside sources.

use super::PublicRegister;
use crate::row::params;
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store};

/// An answer of an outside source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedLookup {
    /// Name of the source.
    pub source: String,
    /// JSON in our own shape; `None` when the source has no entry.
    pub body: Option<String>,
    /// Seconds since 1970.
    pub fetched_at: i64,
}

impl Store {
    /// Returns the last answer about a key.
    pub async fn cached_lookup(&self, register: PublicRegister, key: &str) -> Result<Option<CachedLookup>, Error> {
        self.read(FindLookup { family: register.word(), key: key.to_owned() }).await
    }
    /// Stores an answer in place of the former one.
    pub async fn cache_lookup(&self, register: PublicRegister, key: &str, answer: CachedLookup) -> Result<(), Error> {
        self.write(SaveLookup { family: register.word(), key: key.to_owned(), answer }).await
    }
}

pub(super) struct FindLookup {
    pub(super) family: &'static str,
    pub(super) key: String,
}

impl StoreOperation for FindLookup {
    type Output = Option<CachedLookup>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<CachedLookup>, Error> {
        let sql = "SELECT source, body, fetched_at FROM lookup_cache WHERE family = $1 AND lookup_key = $2";
        let found = tx.query(sql, &params![self.family, &self.key]).await?.into_iter().next();
        found
            .map(|mut row| Ok(CachedLookup { source: row.read()?, body: row.read()?, fetched_at: row.read()? }))
            .transpose()
    }
}

pub(super) struct SaveLookup {
    pub(super) family: &'static str,
    pub(super) key: String,
    pub(super) answer: CachedLookup,
}

impl StoreOperation for SaveLookup {
    type Output = ();
    /// An entry lost in a crash is fetched again.
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let CachedLookup { source, body, fetched_at } = self.answer.clone();
        tx.execute(
            "INSERT INTO lookup_cache (family, lookup_key, source, body, fetched_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (family, lookup_key) DO UPDATE \
             SET source = excluded.source, body = excluded.body, fetched_at = excluded.fetched_at",
            &params![self.family, &self.key, source, body, fetched_at],
        )
        .await
        .map(drop)
    }
}

crate::dyn_operation::erasable!(FindLookup, SaveLookup);
