//! A full disk: writes fail with an error to the caller, nothing is lost, and the service continues when there is space
//! again.
//!
//! The kernel refuses the writes of a real process (`RLIMIT_FSIZE`, set by `prlimit`), as root or not. SQLite's own
//! `SQLITE_FULL` is a test of the store's writer; a PostgreSQL server writes its files itself.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::app::ended;
use crate::support::authorities::{company, simulator, with_simulator};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::installation::{Installation, Running};

/// From here on no file of the process may be written beyond so many bytes.
fn room(service: &Running, bytes: &str) {
    let limit = format!("--fsize={bytes}:unlimited");
    let set = Command::new("prlimit").args(["--pid", &service.id().to_string(), &limit]).status().unwrap();
    assert!(set.success());
}

/// Returns the command in a shell that ignores SIGXFSZ, as a full disk sends none.
fn unkillable(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(command.get_program()).args(command.get_args());
    shell.current_dir(command.get_current_dir().unwrap());
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell
}

/// Waits until `/status` reports this state of the whole; returns the answer.
async fn status(client: &Client, whole: &str) -> Value {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let answer = client.get("/status").await;
        let (code, body) = (answer.status.as_u16(), answer.json());
        if body["status"] == whole {
            assert_eq!(code, if whole == "fora_do_ar" { 503 } else { 200 }, "{body}");
            return body;
        }
        assert!(Instant::now() < deadline, "never {whole}: {body}");
        // the service tries a write every few seconds only
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_full_disk_is_told_loses_nothing_and_passes() {
    if matches!(std::env::var("TEST_STORE").as_deref(), Ok("postgres")) {
        return;
    }
    let installation = Installation::new().await;
    let (key, log) = (installation.account(), installation.dir.join("log"));
    let simulator = simulator(&installation.dir).await;
    let service = Running::start(unkillable(&with_simulator(installation.command(&["serve"]))), &log);
    let client = Client::new(service.base_url()).with_key(&key);
    company(&client, &simulator).await;
    status(&client, "operacional").await;
    let first = ended(&client, &client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202)).await;

    room(&service, "4096");
    let mut request = body::emission(NUMERIC);
    request["referencia_externa"] = json!("DISCOCHEIO");
    let refused = client.post("/v1/nfe/emitir", &request).await;
    assert_eq!(refused.header("retry-after"), "5");
    refused.refused(503, "indisponivel");
    let told = status(&client, "fora_do_ar").await;
    let parts = &told["componentes"]["banco_de_dados"];
    assert_eq!(
        (&parts["status"], &parts["leitura"], &parts["escrita"]),
        (&"fora".into(), &"ok".into(), &"fora".into())
    );
    client.get("/health").await.ok(200);
    assert_eq!(client.get(first["consulta"].as_str().unwrap()).await.ok(200)["nota"]["status"], "autorizada");

    room(&service, "unlimited");
    status(&client, "operacional").await;
    let second = ended(&client, &client.post("/v1/nfe/emitir", &request).await.ok(202)).await;
    assert_eq!(second["nota"]["status"], "autorizada", "{second}");
    let numbers = |job: &Value| job["nota"]["numero"].as_u64().unwrap();
    assert_eq!(numbers(&second), numbers(&first) + 1, "the refused one used no number");
    assert_eq!(client.get("/v1/notas").await.ok(200)["total"], 2);
    service.terminate();
    simulator.stop().await;
    installation.finish().await;
}
