//! Cached answers of the national system about municípios, the same for every tenant.

use super::cache::{CachedLookup, FindLookup, SaveLookup};
use crate::{Error, Store};

/// Register word of these answers in the cache.
const FAMILY: &str = "municipio";

impl Store {
    /// Returns the last answer about a município, by a key of environment, code and query.
    pub async fn municipal(&self, key: &str) -> Result<Option<CachedLookup>, Error> {
        self.read(FindLookup { family: FAMILY, key: key.to_owned() }).await
    }
    /// Stores an answer in place of the former one.
    pub async fn cache_municipal(&self, key: &str, answer: CachedLookup) -> Result<(), Error> {
        self.write(SaveLookup { family: FAMILY, key: key.to_owned(), answer }).await
    }
}
