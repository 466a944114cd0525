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

    fn lock(&self) -> MutexGuard<'_, HashMap<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::BoundedCache;

    #[test]
    fn a_full_cache_is_emptied_before_the_next_entry() {
        let recent = BoundedCache::<u8, u8, 2>::default();
        for name in [1, 2, 2, 3] {
            recent.insert(name, name);
        }
        assert_eq!((recent.find(&1), recent.find(&2), recent.find(&3)), (None, None, Some(3)));
    }
}
