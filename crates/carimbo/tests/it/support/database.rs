//! A database of the test's own, of the kind `TEST_STORE` asks for.

use std::path::Path;

use rusqlite::types::ValueRef;
use store::Location;
use uuid::Uuid;

use crate::support::copy;
use testkit::model_database;

/// A database that lives as long as the test.
pub(crate) struct Database {
    pub(crate) location: Location,
    name: Option<String>,
}

impl Database {
    /// With nothing in it, as an installation begins.
    pub(crate) async fn create(dir: &Path) -> Database {
        Database::by(dir, |name| format!("CREATE DATABASE {name}")).await
    }

    /// Returns a database after a first start, which most tests do not examine.
    pub(crate) async fn as_a_rule(dir: &Path) -> Database {
        let database = Database::by(dir, model_database::create_database).await;
        if let Location::Sqlite(file) = &database.location {
            model_database::create_file(file);
        }
        database
    }

    async fn by(dir: &Path, create: impl FnOnce(&str) -> String) -> Database {
        match std::env::var("TEST_STORE").as_deref() {
            Err(_) | Ok("" | "sqlite") => Database::sqlite(dir),
            Ok("postgres") => {
                let name = format!("carimbo_{}", Uuid::new_v4().simple());
                administer(&create(&name)).await;
                let (server, _) =
                    server_url().rsplit_once('/').map(|(server, rest)| (server.to_owned(), rest.to_owned())).unwrap();
                Database { location: Location::Postgres(format!("{server}/{name}")), name: Some(name) }
            }
            Ok(other) => panic!("TEST_STORE is sqlite or postgres, not {other}"),
        }
    }

    /// SQLite, whatever the suite runs on, in the file that is the default.
    pub(crate) fn sqlite(dir: &Path) -> Database {
        Database { location: Location::Sqlite(dir.join("carimbo.db")), name: None }
    }

    /// Copies the database, which no process has open.
    pub(crate) async fn copy(&self) {
        match (&self.location, &self.name) {
            (Location::Sqlite(file), _) => copy::take_file(file),
            (Location::Postgres(_), name) => {
                for sql in copy::take_database(name.as_ref().unwrap()) {
                    administer(&sql).await;
                }
            }
        }
    }

    /// Replaces the database by the copy.
    pub(crate) async fn put_back(&self) {
        match (&self.location, &self.name) {
            (Location::Sqlite(file), _) => copy::put_file_back(file),
            (Location::Postgres(_), name) => {
                for sql in copy::put_database_back(name.as_ref().unwrap()) {
                    administer(&sql).await;
                }
            }
        }
    }

    /// All rows of all tables as text, bytes in hexadecimal.
    pub(crate) async fn dump(&self) -> String {
        match &self.location {
            Location::Sqlite(path) => sqlite_rows(path),
            Location::Postgres(url) => postgres_rows(url).await,
        }
    }

    /// Changes the database from outside the service.
    pub(crate) async fn damage(&self, sql: &str) {
        match &self.location {
            Location::Sqlite(path) => rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap(),
            Location::Postgres(url) => execute(url, sql).await,
        }
    }

    /// Drops the database, open connections included.
    pub(crate) async fn drop(&self) {
        if let Some(name) = &self.name {
            administer(&format!("DROP DATABASE {name} WITH (FORCE)")).await;
        }
    }
}

fn sqlite_rows(path: &Path) -> String {
    let connection = rusqlite::Connection::open(path).unwrap();
    let mut tables = connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").unwrap();
    let tables: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let mut text = String::new();
    for table in tables {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for column in 0..columns {
                match row.get_ref(column).unwrap() {
                    ValueRef::Null => {}
                    ValueRef::Integer(number) => text.push_str(&number.to_string()),
                    ValueRef::Real(number) => text.push_str(&number.to_string()),
                    ValueRef::Text(bytes) => text.push_str(&String::from_utf8_lossy(bytes)),
                    ValueRef::Blob(bytes) => bytes.iter().for_each(|byte| text.push_str(&format!("{byte:02x}"))),
                }
                text.push('|');
            }
            text.push('\n');
        }
    }
    text
}

async fn postgres_rows(url: &str) -> String {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    let running = tokio::spawn(connection);
    let tables = client.query("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'", &[]).await.unwrap();
    let mut text = String::new();
    for table in tables {
        let table: String = table.get(0);
        for row in client.query(&format!("SELECT t::text FROM {table} t"), &[]).await.unwrap() {
            text.push_str(row.get(0));
            text.push('\n');
        }
    }
    drop(client);
    running.await.unwrap().unwrap();
    text
}

/// The server of the private PostgreSQL.
pub(crate) fn server_url() -> String {
    std::env::var("TEST_DATABASE_URL")
        .expect("this needs TEST_DATABASE_URL; `cargo xtask test` sets it, `cargo xtask postgres` prints one")
}

/// A statement for that server.
pub(crate) async fn administer(statement: &str) {
    execute(&server_url(), statement).await;
}

async fn execute(url: &str, statement: &str) {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    let running = tokio::spawn(connection);
    client.batch_execute(statement).await.unwrap();
    drop(client);
    running.await.unwrap().unwrap();
}
