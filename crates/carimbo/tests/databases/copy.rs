//! Copies of a database that a test restores: a file beside it, or another PostgreSQL database named after it.

use std::path::Path;

/// Copies a SQLite file that no process has open.
pub(crate) fn take_file(file: &Path) {
    let copy = format!("VACUUM INTO '{}'", file.with_extension("copia").display());
    rusqlite::Connection::open(file).unwrap().execute_batch(&copy).unwrap();
}

/// Replaces the file by its copy.
pub(crate) fn put_file_back(file: &Path) {
    for rest in ["db-wal", "db-shm"] {
        // SQLite may have removed them on close
        let _ = std::fs::remove_file(file.with_extension(rest));
    }
    std::fs::rename(file.with_extension("copia"), file).unwrap();
}

/// Returns an administrator's statements that copy a database.
pub(crate) fn take_database(name: &str) -> [String; 2] {
    [
        format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"),
        format!("CREATE DATABASE {name}_copia TEMPLATE {name}"),
    ]
}

/// Returns an administrator's statements that replace a database by its copy.
pub(crate) fn put_database_back(name: &str) -> [String; 2] {
    [format!("DROP DATABASE {name} WITH (FORCE)"), format!("ALTER DATABASE {name}_copia RENAME TO {name}")]
}
