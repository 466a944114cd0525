//! Copies of a database that a test puts back: a file beside it, or a database of PostgreSQL of its name.

use std::path::Path;

/// Beside a file of SQLite that nothing has open.
pub(crate) fn take_file(file: &Path) {
    let copy = format!("VACUUM INTO '{}'", file.with_extension("copia").display());
    rusqlite::Connection::open(file).unwrap().execute_batch(&copy).unwrap();
}

/// Puts it in the place of the file.
pub(crate) fn put_file_back(file: &Path) {
    for rest in ["db-wal", "db-shm"] {
        // SQLite may have removed them at the end
        let _ = std::fs::remove_file(file.with_extension(rest));
    }
    std::fs::rename(file.with_extension("copia"), file).unwrap();
}

/// Statements of an administrator, one after the other.
pub(crate) fn take_database(name: &str) -> [String; 2] {
    [
        format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"),
        format!("CREATE DATABASE {name}_copia TEMPLATE {name}"),
    ]
}

/// Likewise.
pub(crate) fn put_database_back(name: &str) -> [String; 2] {
    [format!("DROP DATABASE {name} WITH (FORCE)"), format!("ALTER DATABASE {name}_copia RENAME TO {name}")]
}
