//! PostgreSQL's connections: lost ones are replaced, abandoned transactions leave nothing behind, TLS is used when the
//! URL asks for it.

use crate::world::{NOW, World, claim_request, on_both};
use std::time::Duration;
use store::jobs::{NewJob, RegistrationResult};
use uuid::Uuid;

const TERMINATE: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_connection_is_replaced_before_the_caller_notices() {
    let world = World::postgres().await;
    for _ in 0..5 {
        world.place.run(TERMINATE).await;
        let calls: Vec<_> = (0..8)
            .map(|_| {
                let (store, job) = (world.store.clone(), world.job());
                tokio::spawn(async move { store.register(job, NOW).await })
            })
            .collect();
        for call in calls {
            assert!(matches!(call.await.unwrap().unwrap(), RegistrationResult::New(_)));
        }
        world.place.run(TERMINATE).await;
        world.store.ping().await.unwrap();
    }
    assert_eq!(world.claim(100).await.len(), 40);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_lost_connection_the_work_of_others_is_heard_again() {
    let world = World::postgres().await;
    let other = world.open_again().await;
    assert!(other.claim(claim_request(NOW, 1)).await.unwrap().is_empty());
    world.place.run(TERMINATE).await;
    world.register(world.job()).await;
    let found = async {
        // Starts to wait first: only a notification ends the wait in time.
        other.wait_for_work(Duration::from_secs(600)).await;
        while other.claim(claim_request(NOW, 1)).await.unwrap().is_empty() {
            other.wait_for_work(Duration::from_secs(600)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), found).await.expect("it listens no more");
}

on_both! {
    async fn a_caller_that_goes_away_leaves_all_or_nothing(world) {
        for step in 0..40_u64 {
            let job = NewJob { referencia: Some(format!("R{step}")), ..world.job() };
            let call = world.store.register(job, NOW);
            // Abandoned at the point it has reached by then.
            drop(tokio::time::timeout(Duration::from_micros(step * 100), call).await);
        }
        let mut registered = 0;
        for step in 0..40 {
            let again = NewJob { id: Uuid::now_v7(), referencia: Some(format!("R{step}")), ..world.job() };
            // The first call was completed or not done at all: either way there is now one job, and it can be claimed.
            match world.store.register(again, NOW).await.unwrap() {
                RegistrationResult::New(_) | RegistrationResult::Replay { divergent: false, .. } => registered += 1,
                RegistrationResult::Replay { .. } => panic!("another payload"),
            }
        }
        assert_eq!((registered, world.claim(100).await.len()), (40, 40));
    }
}
