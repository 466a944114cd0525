//! A database of the test's own, of the kind `TEST_STORE` asks for.

use std::path::Path;

use store::Location;
use uuid::Uuid;

/// A database that lives as long as the test.
pub(crate) struct Database {
    pub(crate) location: Location,
    name: Option<String>,
}

impl Database {
    pub(crate) async fn create(dir: &Path) -> Database {
        match std::env::var("TEST_STORE").as_deref() {
            Err(_) | Ok("" | "sqlite") => Database { location: Location::Sqlite(dir.join("carimbo.db")), name: None },
            Ok("postgres") => {
                let name = format!("carimbo_{}", Uuid::new_v4().simple());
                administer(&format!("CREATE DATABASE {name}")).await;
                let (server, _) =
                    server_url().rsplit_once('/').map(|(server, rest)| (server.to_owned(), rest.to_owned())).unwrap();
                Database { location: Location::Postgres(format!("{server}/{name}")), name: Some(name) }
            }
            Ok(other) => panic!("TEST_STORE is sqlite or postgres, not {other}"),
        }
    }

    /// Gone, whoever still holds it open.
    pub(crate) async fn drop(&self) {
        if let Some(name) = &self.name {
            administer(&format!("DROP DATABASE {name} WITH (FORCE)")).await;
        }
    }
}

fn server_url() -> String {
    std::env::var("TEST_DATABASE_URL").expect("TEST_STORE=postgres needs TEST_DATABASE_URL; `cargo xtask test` sets it")
}

async fn administer(statement: &str) {
    let (client, connection) = tokio_postgres::connect(&server_url(), tokio_postgres::NoTls).await.unwrap();
    let running = tokio::spawn(connection);
    client.batch_execute(statement).await.unwrap();
    drop(client);
    running.await.unwrap().unwrap();
}
