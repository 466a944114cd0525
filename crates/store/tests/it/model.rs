//! What a test's own database begins as: a copy of the model that `cargo xtask test` makes once for a run
//! (`examples/model.rs`), else nothing. What a model saves is going through all migrations once more; who tests them
//! does not ask here. Other crates' tests take this file as theirs.

use std::path::Path;

/// The statement that makes a database of PostgreSQL.
pub(crate) fn create_database(name: &str) -> String {
    // `TEMPLATE modelo STRATEGY FILE_COPY`, as the example printed it
    format!("CREATE DATABASE {name} {}", std::env::var("TEST_MODEL_POSTGRES").unwrap_or_default())
}

/// Puts the file of SQLite there, or leaves it to be made.
pub(crate) fn create_file(path: &Path) {
    if let Some(model) = std::env::var_os("TEST_MODEL_SQLITE") {
        std::fs::copy(model, path).unwrap();
    }
}
