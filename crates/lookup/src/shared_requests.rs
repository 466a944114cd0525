//! At most one request under way per key: later callers with the same key wait for its answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OnceCell;

/// The requests under way, by key. When the first caller is dropped, the next waiter sends the request anew.
pub(crate) struct SharedRequests<T> {
    cells: Mutex<HashMap<String, Arc<OnceCell<T>>>>,
}

impl<T> Default for SharedRequests<T> {
    fn default() -> SharedRequests<T> {
        SharedRequests { cells: Mutex::default() }
    }
}

impl<T: Clone> SharedRequests<T> {
    /// Returns the answer of `ask`, or of the request of this key that is under way.
    pub(crate) async fn join(&self, key: String, ask: impl Future<Output = T>) -> T {
        let cell = Arc::clone(self.lock().entry(key.clone()).or_default());
        let answer = cell.get_or_init(|| ask).await.clone();
        let mut cells = self.lock();
        if cells.get(&key).is_some_and(|current| Arc::ptr_eq(current, &cell)) {
            cells.remove(&key);
        }
        answer
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<OnceCell<T>>>> {
        self.cells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::sync::Notify;

    #[tokio::test]
    async fn many_who_ask_at_once_are_one_request_and_the_next_is_another() {
        let (flights, asked, go) = (SharedRequests::default(), AtomicUsize::new(0), Notify::new());
        let ask = || {
            flights.join("k".to_owned(), async {
                let nth = asked.fetch_add(1, Ordering::SeqCst);
                go.notified().await;
                nth
            })
        };
        let answers = tokio::join!(ask(), ask(), ask(), async { go.notify_one() });
        assert_eq!((answers.0, answers.1, answers.2), (0, 0, 0));
        go.notify_one();
        assert_eq!(ask().await, 1);
        assert!(flights.lock().is_empty());
    }
}
