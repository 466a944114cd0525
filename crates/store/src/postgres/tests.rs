//! Behaviour of PostgreSQL alone: retried transactions, durable and non-durable commits, TLS by URL. For TLS: a
//! listener that answers PostgreSQL's `SSLRequest`, uses an untrusted certificate, and returns the bytes received
//! through the tunnel.

use super::{Postgres, address, transaction};
use crate::Error;
use crate::dyn_operation::DynOperation;
use crate::row::{first, params};
use crate::tx::{StoreOperation, Tx};
use openssl::asn1::Asn1Time;
use openssl::hash::MessageDigest;
use openssl::pkey::{PKey, Private};
use openssl::rsa::Rsa;
use openssl::ssl::{SslAcceptor, SslMethod};
use openssl::x509::extension::SubjectAlternativeName;
use openssl::x509::{X509, X509NameBuilder};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use tokio::sync::Barrier;

/// Runs on a new database, dropped at the end.
pub(crate) async fn on_a_new_database<S: Future<Output = ()>>(story: impl FnOnce(Postgres, String) -> S) {
    let server = std::env::var("TEST_DATABASE_URL").expect("TEST_DATABASE_URL is not set: a PostgreSQL for tests");
    let (base, _) = server.rsplit_once('/').unwrap();
    let name = format!("carimbo_{}", uuid::Uuid::now_v7().simple());
    let (admin, driver) = tokio_postgres::connect(&server, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(driver);
    admin.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
    let url = format!("{base}/{name}");
    story(Postgres::open(&url, Arc::default()).await.unwrap(), url).await;
    admin.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)")).await.unwrap();
}

pub(crate) async fn write<O: StoreOperation>(database: &Postgres, operation: O) -> Result<O::Output, Error> {
    database.write(DynOperation::new(operation)).await.and_then(DynOperation::output::<O>)
}

pub(crate) async fn read<O: StoreOperation>(database: &Postgres, operation: O) -> Result<O::Output, Error> {
    database.read(DynOperation::new(operation)).await.and_then(DynOperation::output::<O>)
}

/// Takes two locks. With another that takes them in the opposite order PostgreSQL must roll one back.
struct Cross {
    locks: [i64; 2],
    both_hold_one: Arc<Barrier>,
    runs: Arc<AtomicU32>,
}

impl StoreOperation for Cross {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = "SELECT pg_advisory_xact_lock($1) IS NULL";
        tx.query(sql, &params![self.locks[0]]).await?;
        if self.runs.fetch_add(1, Ordering::SeqCst) < 2 {
            self.both_hold_one.wait().await;
        }
        tx.query(sql, &params![self.locks[1]]).await.map(drop)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transaction_undone_by_a_deadlock_is_tried_again() {
    on_a_new_database(|database, _| async move {
        let (both_hold_one, runs) = (Arc::new(Barrier::new(2)), Arc::new(AtomicU32::new(0)));
        let cross = |locks| Cross { locks, both_hold_one: Arc::clone(&both_hold_one), runs: Arc::clone(&runs) };
        let (one, other) = tokio::join!(write(&database, cross([1, 2])), write(&database, cross([2, 1])));
        one.unwrap();
        other.unwrap();
        assert_eq!(runs.load(Ordering::SeqCst), 3);
    })
    .await;
}

struct Durable;
struct Carried;

async fn synchronous_commit<T: Tx>(tx: &mut T) -> Result<String, Error> {
    first(tx.query("SELECT current_setting('synchronous_commit')", &[]).await?)?.ok_or(Error::NotFound)
}

impl StoreOperation for Durable {
    type Output = String;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<String, Error> {
        synchronous_commit(tx).await
    }
}

impl StoreOperation for Carried {
    type Output = String;
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<String, Error> {
        synchronous_commit(tx).await
    }
}

#[tokio::test]
async fn only_what_a_later_commit_carries_does_not_wait_for_the_disk() {
    on_a_new_database(|database, _| async move {
        for _ in 0..3 {
            assert_eq!(write(&database, Carried).await.unwrap(), "off");
            assert_eq!(write(&database, Durable).await.unwrap(), "on");
        }
    })
    .await;
}

fn certificate(host: &str) -> (X509, PKey<Private>) {
    let key = PKey::from_rsa(Rsa::generate(2048).unwrap()).unwrap();
    let mut name = X509NameBuilder::new().unwrap();
    name.append_entry_by_text("CN", "PostgreSQL de teste").unwrap();
    let name = name.build();
    let mut builder = X509::builder().unwrap();
    builder.set_version(2).unwrap();
    builder.set_subject_name(&name).unwrap();
    builder.set_issuer_name(&name).unwrap();
    builder.set_pubkey(&key).unwrap();
    builder.set_not_before(&Asn1Time::days_from_now(0).unwrap()).unwrap();
    builder.set_not_after(&Asn1Time::days_from_now(2).unwrap()).unwrap();
    let alternative = SubjectAlternativeName::new().dns(host).build(&builder.x509v3_context(None, None)).unwrap();
    builder.append_extension(alternative).unwrap();
    builder.sign(&key, MessageDigest::sha256()).unwrap();
    (builder.build(), key)
}

/// The `SSLRequest` of the protocol, "Message Formats".
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// Accepts one connection; returns the bytes received inside the tunnel, or `None` without one.
fn serve(listener: TcpListener, certificate: X509, key: PKey<Private>) -> JoinHandle<Option<Vec<u8>>> {
    std::thread::spawn(move || {
        let (mut plain, _) = listener.accept().ok()?;
        let mut request = [0; 8];
        plain.read_exact(&mut request).ok()?;
        assert_eq!(request, SSL_REQUEST, "the password would go in clear text");
        plain.write_all(b"S").ok()?;
        let mut acceptor = SslAcceptor::mozilla_intermediate_v5(SslMethod::tls_server()).unwrap();
        acceptor.set_private_key(&key).unwrap();
        acceptor.set_certificate(&certificate).unwrap();
        let mut tunnel = acceptor.build().accept::<TcpStream>(plain).ok()?;
        let mut startup = [0; 512];
        let length = tunnel.read(&mut startup).ok()?;
        Some(startup[..length].to_vec())
    })
}

/// Returns the bytes received by the server through the tunnel, and the client's error.
async fn connect(mode: &str, host: &str, trusted: bool) -> (Option<Vec<u8>>, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (certificate, key) = certificate(host);
    let root = std::env::temp_dir().join(format!("carimbo-root-{}.pem", uuid::Uuid::now_v7()));
    std::fs::write(&root, certificate.to_pem().unwrap()).unwrap();
    let server = serve(listener, certificate, key);
    let root_parameter = if trusted { format!("&sslrootcert={}", root.display()) } else { String::new() };
    let url = format!("postgres://ana:s3nh4@localhost:{port}/db?sslmode={mode}{root_parameter}");
    let address = address::parse(&url).unwrap();
    let failure = match address.config.connect(address.tls).await {
        // The listener is no PostgreSQL: it closes the connection.
        Ok(_) => panic!("it cannot have logged in"),
        Err(cause) => transaction::error(cause).to_string(),
    };
    std::fs::remove_file(root).unwrap();
    (server.join().unwrap(), failure)
}

#[tokio::test]
async fn require_speaks_inside_the_tunnel_only() {
    let (heard, _) = connect("require", "localhost", false).await;
    let heard = heard.expect("a tunnel");
    assert!(heard.windows(3).any(|word| word == b"ana"));
}

#[tokio::test]
async fn verify_full_refuses_a_server_that_nobody_vouches_for_and_says_so() {
    let (heard, failure) = connect("verify-full", "localhost", false).await;
    assert_eq!(heard, None);
    assert!(failure.contains("certificate verify failed"), "{failure}");
}

#[tokio::test]
async fn verify_full_speaks_to_the_named_server_under_the_given_root() {
    assert!(connect("verify-full", "localhost", true).await.0.is_some());
    let (heard, failure) = connect("verify-full", "banco.exemplo.com.br", true).await;
    assert_eq!(heard, None);
    assert!(failure.to_lowercase().contains("hostname mismatch"), "{failure}");
}

#[tokio::test]
async fn verify_ca_asks_for_the_root_and_not_for_the_name() {
    assert!(connect("verify-ca", "banco.exemplo.com.br", true).await.0.is_some());
    assert_eq!(connect("verify-ca", "banco.exemplo.com.br", false).await.0, None);
}
