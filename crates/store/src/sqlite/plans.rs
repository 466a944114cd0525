//! Plans of SQLite for the tests of indexes: a migrated, empty database without statistics.

use super::SqliteTx;
use crate::migrate::MigrateDatabase;
use crate::tx::{StoreOperation, poll_once};
use rusqlite::Connection;

/// A migrated, empty database in memory.
pub(crate) fn database() -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    poll_once(MigrateDatabase.run(&mut SqliteTx::new(&mut connection))).unwrap().unwrap();
    connection
}

/// Steps of the plan of a statement.
pub(crate) fn steps(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", sql.replace('$', "?"))).unwrap();
    let rows = statement.raw_query().mapped(|row| row.get::<_, String>(3));
    rows.collect::<Result<_, _>>().unwrap()
}

/// The plan of a statement, a line per step.
pub(crate) fn plan(connection: &Connection, sql: &str) -> String {
    steps(connection, sql).join("\n")
}
