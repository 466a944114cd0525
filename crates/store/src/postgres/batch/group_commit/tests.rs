//! Group commit: operations share a transaction, each gets its own answer, and none is undone by another's failure.

use crate::Error;
use crate::postgres::Postgres;
use crate::postgres::tests::{on_a_new_database, write};
use crate::row::{first, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Records its transaction. A second one of the same name conflicts, and one of a forbidden name fails in our code.
#[derive(Clone)]
struct Note {
    name: &'static str,
    runs: Arc<AtomicU32>,
}

impl StoreOperation for Note {
    type Output = i64;

    fn lock_order(&self) -> Option<String> {
        Some(self.name.to_owned())
    }

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<i64, Error> {
        self.runs.fetch_add(1, Ordering::SeqCst);
        let sql = "INSERT INTO written VALUES ($1, txid_current()) RETURNING CAST(by AS BIGINT)";
        let by = first(tx.query(sql, &params![self.name]).await?)?.ok_or(Error::NotFound)?;
        // Other operations run between the two.
        tx.query("SELECT 1 FROM written WHERE name = $1", &params![self.name]).await?;
        match self.name {
            "forbidden" => Err(Error::LeaseLost),
            "bug" => panic!("a bug in an operation"),
            _ => Ok(by),
        }
    }
}

fn note(name: &'static str) -> Note {
    Note { name, runs: Arc::default() }
}

/// Keeps a transaction under way, so that later operations form a batch.
struct Slow;

impl StoreOperation for Slow {
    type Output = ();

    fn lock_order(&self) -> Option<String> {
        Some(String::new())
    }

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        tx.query("SELECT pg_sleep(0.2) IS NULL", &[]).await.map(drop)
    }
}

/// `statements` has a row for each statement that wrote to `written`.
const TABLES: &str = "CREATE TABLE written (name TEXT PRIMARY KEY, by BIGINT NOT NULL);
    CREATE TABLE statements (event TEXT NOT NULL);
    CREATE FUNCTION count_statement() RETURNS TRIGGER LANGUAGE plpgsql
        AS 'BEGIN INSERT INTO statements VALUES (TG_OP); RETURN NULL; END';
    CREATE TRIGGER counted AFTER INSERT OR UPDATE ON written FOR EACH STATEMENT EXECUTE FUNCTION count_statement();";

async fn with_a_table<S: Future<Output = ()>>(story: impl FnOnce(Arc<Postgres>) -> S) {
    on_a_new_database(|database, url| async move {
        let (client, driver) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(driver);
        client.batch_execute(TABLES).await.unwrap();
        story(Arc::new(database)).await;
    })
    .await;
}

/// Returns the answer of each operation of a batch that formed behind a running one.
async fn told<O: StoreOperation + Clone>(database: &Arc<Postgres>, notes: &[O]) -> Vec<Result<O::Output, String>> {
    let slow = tokio::spawn({
        let database = Arc::clone(database);
        async move { write(&database, Slow).await }
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    let spawned = notes.iter().map(|note| {
        let (database, note) = (Arc::clone(database), note.clone());
        tokio::spawn(async move { write(&database, note).await })
    });
    let spawned: Vec<_> = spawned.collect();
    let mut told = Vec::new();
    for answer in spawned {
        told.push(
            answer.await.map_err(|_| "panic".to_owned()).and_then(|answer| answer.map_err(|why| why.to_string())),
        );
    }
    slow.await.unwrap().unwrap();
    told
}

#[tokio::test]
async fn what_waits_travels_in_one_transaction() {
    with_a_table(|database| async move {
        let told = told(&database, &[note("a"), note("b"), note("c")]).await;
        let by: Vec<i64> = told.into_iter().map(Result::unwrap).collect();
        assert!(by.iter().all(|it| *it == by[0]), "{by:?}");
        assert_ne!(write(&database, note("d")).await.unwrap(), by[0], "whoever comes later has one of its own");
    })
    .await;
}

#[tokio::test]
async fn one_that_fails_takes_nobody_along() {
    with_a_table(|database| async move {
        write(&database, note("taken")).await.unwrap();
        let notes = [note("a"), note("forbidden"), note("taken"), note("b")];
        let told = told(&database, &notes).await;
        let mut by: HashMap<&str, i64> = HashMap::new();
        for (note, told) in notes.iter().zip(told) {
            match note.name {
                "forbidden" => assert_eq!(told, Err(Error::LeaseLost.to_string())),
                "taken" => assert_eq!(told, Err(Error::Conflict("registro já existe").to_string())),
                name => drop(by.insert(name, told.unwrap())),
            }
        }
        assert_eq!(by["a"], by["b"], "still together");
        let runs = notes.each_ref().map(|note| note.runs.load(Ordering::SeqCst));
        // Of two that fail, the second is seen without the first.
        assert_eq!(runs, [3, 3, 2, 3], "together, without those that fail, and those alone");
    })
    .await;
}

#[tokio::test]
async fn an_error_of_one_that_travels_alone_is_told_at_once() {
    with_a_table(|database| async move {
        let forbidden = note("forbidden");
        assert!(matches!(write(&database, forbidden.clone()).await, Err(Error::LeaseLost)));
        assert_eq!(forbidden.runs.load(Ordering::SeqCst), 1);
        assert!(write(&database, note("forbidden")).await.is_err(), "nothing of it was kept");
    })
    .await;
}

#[tokio::test]
async fn a_bug_in_one_is_its_own_and_the_way_is_driven_on() {
    with_a_table(|database| async move {
        let told = told(&database, &[note("a"), note("bug"), note("b")]).await;
        assert_eq!(told[1], Err("panic".to_owned()));
        assert!(told[0].is_ok() && told[2].is_ok(), "{told:?}");
        assert!(write(&database, note("c")).await.is_ok());
    })
    .await;
}

#[tokio::test]
async fn a_runtime_that_ends_in_the_middle_leaves_the_way_to_the_next() {
    with_a_table(|database| async move {
        let other = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let slow = Arc::clone(&database);
        let left = other.spawn(async move { write(&slow, Slow).await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        other.shutdown_background();
        assert!(left.await.is_err(), "it was under way");
        assert!(write(&database, note("a")).await.is_ok());
    })
    .await;
}

/// Writes its own row and changes it; one of a forbidden name fails in our code in between.
#[derive(Clone)]
struct Row {
    name: &'static str,
}

impl StoreOperation for Row {
    type Output = (String, i64);

    fn lock_order(&self) -> Option<String> {
        Some(self.name.to_owned())
    }

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(String, i64), Error> {
        let common =
            SqlStep::identical("SELECT CAST(COUNT(*) AS BIGINT) FROM written WHERE name = $1", params!["taken"]);
        let own = SqlStep::per_row("INSERT INTO written (name, by) VALUES ($1, 1)", params![self.name]);
        let taken: Option<i64> = first(tx.query_all(&[common, own]).await?.remove(0))?;
        if self.name == "forbidden" {
            return Err(Error::LeaseLost);
        }
        let sql = "UPDATE written SET by = by + $2 WHERE name = $1 RETURNING name";
        let changed = tx.query_all(&[SqlStep::per_row(sql, params![self.name, 1_i64])]).await?.remove(0);
        Ok((first(changed)?.ok_or(Error::NotFound)?, taken.unwrap_or_default()))
    }
}

fn row(name: &'static str) -> Row {
    Row { name }
}

/// Statements that wrote to the table since the last call.
async fn statements(database: &Postgres) -> Vec<String> {
    struct Statements;

    impl StoreOperation for Statements {
        type Output = Vec<String>;

        async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<String>, Error> {
            tx.query("DELETE FROM statements RETURNING event", &[])
                .await?
                .into_iter()
                .map(|mut row| row.read())
                .collect()
        }
    }
    write(database, Statements).await.unwrap()
}

#[tokio::test]
async fn what_several_write_alike_is_one_statement_and_each_is_answered_its_own() {
    with_a_table(|database| async move {
        let names = ["a", "b", "c", "d"];
        let told = told(&database, &names.map(row)).await;
        assert_eq!(told, names.map(|name| Ok((name.to_owned(), 0))));
        assert_eq!(statements(&database).await, ["INSERT", "UPDATE"]);
        write(&database, row("e")).await.unwrap();
        assert_eq!(statements(&database).await, ["INSERT", "UPDATE"], "alone");
    })
    .await;
}

#[tokio::test]
async fn a_statement_of_several_that_fails_is_tried_for_each() {
    with_a_table(|database| async move {
        write(&database, row("taken")).await.unwrap();
        statements(&database).await;
        let told = told(&database, &["a", "taken", "forbidden", "b"].map(row)).await;
        let refused = [Error::Conflict("registro já existe"), Error::LeaseLost].map(|error| Err(error.to_string()));
        assert_eq!(told[1..3], refused);
        assert_eq!([&told[0], &told[3]], [&Ok(("a".to_owned(), 1)), &Ok(("b".to_owned(), 1))]);
        assert_eq!(
            statements(&database).await,
            ["INSERT", "UPDATE"],
            "both together, and what failed has left nothing"
        );
    })
    .await;
}
