//! Destinations do not wait for each other.

use super::receiver::Receiver;
use super::{app_and_receiver, attempted, deliveries, ended_as, issue};
use crate::support::body::NUMERIC;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_does_not_answer_delays_nobody_else() {
    let (app, slow) = app_and_receiver(&[]).await;
    slow.hold(true);
    let quick = Receiver::https(&[]).await;
    let (one, other) = (app.issuer(NUMERIC).await, app.issuer(NUMERIC).await);
    let mut held = Vec::new();
    // more than one host may have at once
    for _ in 0..10 {
        held.push(issue(&one.test, &slow.url("/")).await);
    }
    for tenant in [&one, &other] {
        let job = issue(&tenant.test, &quick.url("/")).await;
        ended_as(&tenant.test, &job, "entregue").await;
    }
    assert_eq!(quick.heard().len(), 2);
    slow.hold(false);
    // deliveries that were given up meanwhile are repeated
    for job in &held {
        loop {
            let some =
                deliveries(&one.test, job, |found| found.first().is_some_and(|one| one["tentativas"] != 0)).await;
            if some[0]["status"] == "entregue" {
                break;
            }
            app.clock.forward(60);
            let next = some[0]["tentativas"].as_u64().unwrap() + 1;
            attempted(&one.test, job, next).await;
        }
    }
    app.finish().await;
}
