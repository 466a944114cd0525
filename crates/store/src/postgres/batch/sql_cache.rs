//! Cache of batch texts, one for each kind of connection.

use super::sql::{fill_rows, rewrite_over_rows};
use crate::tx::BatchMode;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio_postgres::Statement;

/// Cache of batch texts.
#[derive(Default)]
pub(crate) struct BatchSqlCache {
    /// By the statement's own text; `None` when each is sent.
    by_statement: Mutex<HashMap<String, Option<Arc<str>>>>,
    /// PostgreSQL rejected a batch text, which is a bug: from then on every statement is sent by itself.
    misspelled: AtomicBool,
}

impl BatchSqlCache {
    /// `true` until PostgreSQL rejects a batch text.
    pub(super) fn is_usable(&self) -> bool {
        !self.misspelled.load(Ordering::Relaxed)
    }

    /// Returns the text that does the work of this statement for many rows of parameters.
    pub(super) fn of(&self, sql: &str, batch_mode: BatchMode, one: &Statement) -> Option<Arc<str>> {
        let text = || match batch_mode {
            BatchMode::PerRow => rewrite_over_rows(sql, one.params()),
            BatchMode::BatchSql(many) => Some(fill_rows(many, one.params())),
            BatchMode::Never | BatchMode::Identical | BatchMode::Covered => None,
        };
        let mut known = self.by_statement.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(sql) {
            return known.clone();
        }
        known.entry(sql.to_owned()).or_insert(text().map(Arc::from)).clone()
    }

    /// Number of batch texts in use.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.by_statement.lock().unwrap_or_else(PoisonError::into_inner).values().flatten().count()
    }

    pub(super) fn record_rejection(&self, sql: &str, cause: &tokio_postgres::Error) {
        // Class 42: syntax errors, and names or types that do not exist.
        if cause.code().is_some_and(|code| code.code().starts_with("42")) {
            tracing::error!(sql, %cause, "what this statement is for many cannot be prepared");
            self.misspelled.store(true, Ordering::Relaxed);
        }
    }
}
