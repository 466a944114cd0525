//! A database from which the tests' databases are copied: migrated and empty. Made once per run of `cargo xtask test`,
//! where otherwise each of a thousand tests would run all migrations.
//!
//! ```sh
//! cargo run -p store --example model -- /tmp/model.db
//! cargo run -p store --example model -- postgres://…/model
//! ```

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use store::vault::MasterKey;
use store::{Location, Store};
use tokio_postgres::SimpleQueryMessage;

type ModelResult = Result<(), Box<dyn Error>>;

/// Rows written for the key that the store was opened with: each copy of the model has its own key.
const FORGET: &str = "DELETE FROM master_key; DELETE FROM installation";

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Some(place) = std::env::args().nth(1) else {
        eprintln!("which database?");
        return ExitCode::FAILURE;
    };
    let made = match place.strip_prefix("postgres://").and_then(|rest| rest.rsplit_once('/')) {
        Some((server, name)) => database(server, name).await,
        None => file(&place).await,
    };
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn file(path: &str) -> ModelResult {
    migrate(&Location::Sqlite(PathBuf::from(path))).await?;
    // The last connection to close leaves all data in the one file.
    Ok(rusqlite::Connection::open(path)?.execute_batch(FORGET)?)
}

/// Prints the clauses with which `CREATE DATABASE` copies it.
async fn database(server: &str, name: &str) -> ModelResult {
    let (all, url) = (format!("postgres://{server}/postgres"), format!("postgres://{server}/{name}"));
    execute(&all, &format!("CREATE DATABASE {name}")).await?;
    migrate(&Location::Postgres(url.clone())).await?;
    execute(&url, FORGET).await?;
    let version = execute(&all, "SHOW server_version_num").await?.first().and_then(|text| text.parse::<u32>().ok());
    // A copy page by page through the log, the default since PostgreSQL 15, costs twice the processor time of copying
    // the files.
    let strategy = if version >= Some(150_000) { " STRATEGY FILE_COPY" } else { "" };
    println!("TEMPLATE {name}{strategy}");
    Ok(())
}

async fn migrate(location: &Location) -> ModelResult {
    Store::open(location, MasterKey::new([0; 32])).await?.close().await;
    Ok(())
}

/// Returns the first column.
async fn execute(url: &str, statement: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
    let running = tokio::spawn(connection);
    let rows = client.simple_query(statement).await?;
    drop(client);
    running.await??;
    Ok(rows.into_iter().filter_map(first_column).collect())
}

fn first_column(message: SimpleQueryMessage) -> Option<String> {
    if let SimpleQueryMessage::Row(row) = message { row.get(0).map(str::to_owned) } else { None }
}
