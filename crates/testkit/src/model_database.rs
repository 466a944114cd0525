//! The initial state of a test's database: a copy of the model that `cargo xtask test` makes once per run
//! (`crates/store/examples/model.rs`), or else empty. The model saves running all migrations; tests of the migrations
//! do not use it.

use std::path::Path;

/// The statement that creates a database of PostgreSQL.
pub fn create_database(name: &str) -> String {
    // `TEMPLATE modelo STRATEGY FILE_COPY`, as the example printed it.
    format!("CREATE DATABASE {name} {}", std::env::var("TEST_MODEL_POSTGRES").unwrap_or_default())
}

/// Copies the file of SQLite, or leaves it to be created.
pub fn create_file(path: &Path) {
    if let Some(model) = std::env::var_os("TEST_MODEL_SQLITE") {
        std::fs::copy(model, path).unwrap();
    }
}
