//! The public verifier: the `standardwebhooks` package of PyPI checks a receiver's deliveries.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::receiver::Heard;
use super::{app_and_receiver, ended_as, issue};
use crate::support::body::NUMERIC;

/// Reads `{secret, body, headers}` and prints if the package accepts it; the package refuses by an exception.
const JUDGE: &str = r#"
import json, sys
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
case = json.load(sys.stdin)
try:
    Webhook(case["secret"]).verify(case["body"], case["headers"])
    print("taken")
except WebhookVerificationError as error:
    print("refused:", error)
"#;

/// The package, installed by `cargo xtask test`.
fn package() -> &'static Path {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/standardwebhooks"));
    assert!(path.join("standardwebhooks").exists(), "falta {}: rode `cargo xtask test tools`", path.display());
    path
}

pub(super) fn judged(secret: &str, heard: &Heard, body: &str) -> String {
    let case = json!({ "secret": secret, "body": body, "headers": heard.headers });
    let mut child = Command::new("python3")
        .args(["-c", JUDGE])
        .env("PYTHONPATH", package())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    serde_json::to_writer(child.stdin.take().unwrap(), &case).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_public_verifier_takes_what_we_send_and_nothing_else() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let tenant = app.issuer(NUMERIC).await;
    let secret = |answer: &Value| answer["segredo"].as_str().unwrap().to_owned();
    let old = secret(&tenant.test.get("/v1/webhooks/segredo").await.ok(200));
    let job = issue(&tenant.test, &receiver.url("/")).await;
    ended_as(&tenant.test, &job, "entregue").await;
    let heard = receiver.heard().remove(0);
    let body = String::from_utf8(heard.raw.to_vec()).unwrap();
    assert_eq!(judged(&old, &heard, &body), "taken");
    assert!(judged(&old, &heard, &body.replace("autorizada", "rejeitada")).starts_with("refused"));
    let live = secret(&tenant.live.get("/v1/webhooks/segredo").await.ok(200));
    assert!(judged(&live, &heard, &body).starts_with("refused"));

    // during a rotation a receiver with either secret accepts it
    let new = secret(&tenant.test.post("/v1/webhooks/segredo", &json!({})).await.ok(200));
    let job = issue(&tenant.test, &receiver.url("/")).await;
    ended_as(&tenant.test, &job, "entregue").await;
    let heard = receiver.heard().remove(1);
    let body = String::from_utf8(heard.raw.to_vec()).unwrap();
    assert_eq!((judged(&old, &heard, &body), judged(&new, &heard, &body)), ("taken".to_owned(), "taken".to_owned()));
    app.finish().await;
}
