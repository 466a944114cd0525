//! What the national system told of a município, and when: the same for every tenant.

use super::cache::{Cached, Find, Keep};
use crate::{Error, Store};

/// The word of these answers among those of all registers.
const FAMILY: &str = "municipio";

impl Store {
    /// The last answer about a município, by a key that names environment, code and question.
    pub async fn municipal(&self, key: &str) -> Result<Option<Cached>, Error> {
        self.read(Find { family: FAMILY, key: key.to_owned() }).await
    }
    /// Keeps an answer in the place of the one before.
    pub async fn keep_municipal(&self, key: &str, answer: Cached) -> Result<(), Error> {
        self.write(Keep { family: FAMILY, key: key.to_owned(), answer }).await
    }
}
