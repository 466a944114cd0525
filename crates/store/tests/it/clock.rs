//! A clock that jumped ahead and was set back: nothing waits for the future instant.

use crate::world::{NOW, on_both, unreadable};
use fiscal::value::TpAmb;
use store::authorities::{BudgetedCall, CircuitKey, CompanyBlock};
use store::clock::InstantLimits;

pub(crate) const LONGEST: InstantLimits = InstantLimits {
    job: 3_700,
    lease: 600,
    delivery: 120,
    extended_delivery: 86_400,
    gap_check: 3_600,
    block: 3_600,
    distribution: 3_700,
    session: 3_600,
    confirmation: 600,
};

on_both! {
    async fn what_a_clock_ahead_wrote_is_brought_back(world) {
        let day = 86_400;
        let lease = world.begun().await;
        let failure = unreadable();
        world.store.retry_at(lease, NOW + day + 30, Some(failure), NOW + day, Vec::new()).await.unwrap();
        let key = CircuitKey {
            authority: "SP".to_owned(), modelo: 55, ambiente: TpAmb::Homologacao,
        };
        assert!(world.store.claim_poll(key.clone(), NOW + day, 180).await.unwrap());
        let block = CompanyBlock {
            transmissor: "11222333".to_owned(), authority: "SP".to_owned(), until: NOW + day + 3_600,
        };
        world.store.save_block(block).await.unwrap();
        let spending = |now: i64| BudgetedCall {
            transmissor: "11222333".to_owned(), servico: "SP NFeConsultaProtocolo4".to_owned(), sobre: "x".to_owned(),
            most: 1, quick: 1, apart_ms: 0, window_ms: 3_600_000, now_ms: now * 1_000,
        };
        assert_eq!(world.store.spend_budget(spending(NOW + day)).await.unwrap(), None);
        assert!(world.claim_at(NOW + 3_600, 10).await.is_empty(), "as it was: until tomorrow");

        assert!(world.store.clamp_future_instants(NOW, LONGEST).await.unwrap() > 0);
        assert_eq!(world.claim_at(NOW, 10).await.len(), 1);
        assert!(world.store.claim_poll(key, NOW + 180, 180).await.unwrap());
        assert_eq!(world.store.authorities(NOW).await.unwrap().blocks[0].until, NOW + 3_600);
        // The call still counts, for an hour and no longer.
        assert!(world.store.spend_budget(spending(NOW + 10)).await.unwrap().is_some_and(|ms| ms <= 3_600_000));
        assert_eq!(world.store.spend_budget(spending(NOW + 3_602)).await.unwrap(), None);
        assert_eq!(world.store.clamp_future_instants(NOW + 3_602, LONGEST).await.unwrap(), 0, "a right clock changes nothing");
    }

    async fn what_lies_within_its_bounds_stays(world) {
        let lease = world.begun().await;
        let failure = unreadable();
        world.store.retry_at(lease, NOW + 3_600, Some(failure), NOW, Vec::new()).await.unwrap();
        world.store.clamp_future_instants(NOW, LONGEST).await.unwrap();
        assert!(world.claim_at(NOW, 10).await.is_empty());
        assert_eq!(world.store.clamp_future_instants(NOW, LONGEST).await.unwrap(), 0, "a line waits as long as its job may");
        assert!(world.claim_at(NOW + 3_599, 10).await.is_empty());
        assert_eq!(world.claim_at(NOW + 3_600, 10).await.len(), 1);
    }
}
