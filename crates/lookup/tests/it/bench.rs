//! A fresh store per test and a folder for its files.

use lookup::{Lookup, LookupOptions};
use std::path::PathBuf;
use store::vault::MasterKey;
use store::{Location, Store};
use testkit::model_database;
use uuid::Uuid;

/// Declares a test twice, once per database.
macro_rules! on_both {
    ($(async fn $fact:ident($world:ident) $story:block)*) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $fact() {
                let world = $crate::bench::LookupBench::sqlite().await;
                super::$fact(&world).await;
                world.end().await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $fact() {
                let world = $crate::bench::LookupBench::postgres().await;
                super::$fact(&world).await;
                world.end().await;
            })*
        }
        $(async fn $fact($world: &$crate::bench::LookupBench) $story)*
    };
}
pub(crate) use on_both;

/// 2026-11-21, noon.
pub(crate) const NOW: i64 = 1_795_273_200;

pub(crate) struct LookupBench {
    pub(crate) store: Store,
    pub(crate) lookup: Lookup,
    pub(crate) folder: PathBuf,
    database: Option<String>,
}

impl LookupBench {
    pub(crate) async fn sqlite() -> LookupBench {
        let folder = folder();
        let file = folder.join("carimbo.db");
        model_database::create_file(&file);
        LookupBench::at(folder, &Location::Sqlite(file), None).await
    }

    pub(crate) async fn postgres() -> LookupBench {
        let name = format!("carimbo_{}", Uuid::now_v7().simple());
        administer(&model_database::create_database(&name)).await;
        let server = server_url();
        let (base, _) = server.rsplit_once('/').expect("a URL with a database");
        LookupBench::at(folder(), &Location::Postgres(format!("{base}/{name}")), Some(name)).await
    }

    async fn at(folder: PathBuf, location: &Location, database: Option<String>) -> LookupBench {
        let store = Store::open(location, MasterKey::new([42; 32])).await.unwrap();
        let client = outbound::OutboundClient::new(outbound::ClientOptions::default()).unwrap();
        let lookup = Lookup::new(store.clone(), client, LookupOptions::default());
        LookupBench { store, lookup, folder, database }
    }

    pub(crate) fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.folder.join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) async fn end(self) {
        self.store.close().await;
        if let Some(name) = &self.database {
            administer(&format!("DROP DATABASE {name} WITH (FORCE)")).await;
        }
        std::fs::remove_dir_all(&self.folder).unwrap();
    }
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("carimbo-lookup-{}", Uuid::now_v7()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn server_url() -> String {
    std::env::var("TEST_DATABASE_URL").expect(
        "TEST_DATABASE_URL is not set: a PostgreSQL on which databases may be made (`cargo xtask test` starts one)",
    )
}

async fn administer(sql: &str) {
    let (client, connection) = tokio_postgres::connect(&server_url(), tokio_postgres::NoTls).await.unwrap();
    let running = tokio::spawn(connection);
    client.batch_execute(sql).await.unwrap();
    drop(client);
    running.await.unwrap().unwrap();
}
