//! A bounded cache by name. A full cache is emptied before the next entry.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A cache of at most `MOST` entries.
pub(crate) struct BoundedCache<K, V, const MOST: usize>(Mutex<HashMap<K, V>>);

impl<K, V, const MOST: usize> Default for BoundedCache<K, V, MOST> {
    fn default() -> BoundedCache<K, V, MOST> {
        BoundedCache(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone, const MOST: usize> BoundedCache<K, V, MOST> {
    pub(crate) fn find(&self, name: &K) -> Option<V> {
        self.lock().get(name).cloned()
    }

    /// Inserts an entry; empties a full cache first.
    pub(crate) fn insert(&self, name: K, made: V) {
        let mut known = self.lock();
        if known.len() >= MOST && !known.contains_key(&name) {
            known.clear();
        }
        known.insert(name, made);
    }

    /// Returns the cached entry or makes it now; two concurrent callers both make it.
    pub(crate) fn get_or_make<E>(&self, name: K, make: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        if let Some(known) = self.find(&name) {
            return Ok(known);
        }
        let made = make()?;
        self.insert(name, made.clone());
        Ok(made)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::BoundedCache;

    #[test]
    fn is_made_once_while_there_is_room_and_what_cannot_be_made_is_not_remembered() {
        let recent = BoundedCache::<u8, u8, 2>::default();
        let made = |name, value: Result<u8, ()>| recent.get_or_make(name, || value);
        assert_eq!((made(1, Ok(1)), made(1, Ok(9)), made(2, Err(())), made(2, Ok(2))), (Ok(1), Ok(1), Err(()), Ok(2)));
        assert_eq!(made(3, Ok(3)), Ok(3));
        assert_eq!((recent.find(&1), recent.find(&2), recent.find(&3)), (None, None, Some(3)));
    }
}
