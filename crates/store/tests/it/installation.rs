//! A database that went back in time: detected by its mark, and no number of a series is given before its authority was
//! queried.

use crate::world::{NOW, World, master_key, on_both, reserve, series};
use store::installation::{KeyCode, RestoredCopy, SeenMark};
use store::jobs::{NumberRequest, RegistrationResult};
use store::numbers::NumberState::{Reserved, Used};
use store::numbers::restored::NumberAnswer;
use store::vault::MasterKey;
use store::{Error, Store};
use uuid::Uuid;

fn asked(numero: u64, chave: Option<&str>) -> NumberAnswer {
    let found = chave.map(|chave| (chave.to_owned(), None));
    NumberAnswer { numero, found, ahead: 2, now: NOW, until: NOW + 60 }
}

/// Queries every number until the series is cleared; returns the order of the queries.
async fn cleared(world: &World, known: &[u64]) -> Vec<u64> {
    let mut standing = world.store.hold_restored(world.tenant, series(), NOW, NOW + 60).await.unwrap();
    let mut order = Vec::new();
    while !standing.is_cleared {
        let numero = standing.next_query();
        order.push(numero);
        let answer = asked(numero, known.contains(&numero).then_some("CHAVE"));
        standing = world.store.record_number_answer(world.tenant, series(), answer).await.unwrap();
    }
    order
}

async fn states(world: &World) -> Vec<(u64, store::numbers::NumberState)> {
    world.store.ledger(world.tenant, series()).await.unwrap().iter().map(|row| (row.numero, row.state)).collect()
}

async fn code(store: &Store, job: uuid::Uuid) -> u32 {
    store.key_code(job, &series()).unwrap().of(7).unwrap()
}

on_both! {
    async fn a_master_key_is_not_rotated_while_a_process_serves(world) {
        let (store, process) = (&world.store, Uuid::now_v7());
        let fresh = || MasterKey::new([9; 32]);
        store.record_heartbeat(process, NOW).await.unwrap();
        store.record_heartbeat(process, NOW + 10).await.unwrap();
        assert!(matches!(store.rotate_master_key(fresh(), NOW + 20).await, Err(Error::InUse)));
        // Nothing was changed: another process opens it with the old key.
        world.open_again().await.installation().await.unwrap();
        store.end_serving(process).await.unwrap();
        let late = world.open_again().await;
        store.rotate_master_key(fresh(), NOW + 20).await.unwrap();
        // A process that opened the store before and begins to serve now would continue with the old key.
        assert!(matches!(late.record_heartbeat(Uuid::now_v7(), NOW + 20).await, Err(Error::Sealed)));
        // A dead process still counts for a while.
        store.record_heartbeat(process, NOW + 30).await.unwrap();
        assert!(matches!(store.rotate_master_key(MasterKey::new([8; 32]), NOW + 74).await, Err(Error::InUse)));
        store.rotate_master_key(MasterKey::new([8; 32]), NOW + 75).await.unwrap();
    }

    async fn a_mark_that_was_seen_higher_shows_that_a_copy_was_put_back(world) {
        let first = world.store.raise_mark(None, NOW).await.unwrap();
        let second = world.store.raise_mark(Some(SeenMark { id: first.id, mark: first.mark }), NOW + 10).await.unwrap();
        assert_eq!((second.id, second.mark, second.restored), (first.id, first.mark + 1, None));
        let ahead = SeenMark { id: first.id, mark: second.mark + 5 };
        let back = world.store.raise_mark(Some(ahead), NOW + 500).await.unwrap();
        assert_eq!(back.restored, Some(RestoredCopy { copia_de: NOW + 10, restaurado_em: NOW + 500 }));
        assert_eq!(back.mark, ahead.mark + 1);
        let again = world.store.raise_mark(Some(SeenMark { id: back.id, mark: back.mark }), NOW + 510).await.unwrap();
        assert_eq!((again.restored, world.store.installation().await.unwrap()), (back.restored, again));
    }

    async fn the_mark_of_another_installation_says_nothing(world) {
        let stranger = SeenMark { id: uuid::Uuid::now_v7(), mark: 1_000_000 };
        assert_eq!(world.store.raise_mark(Some(stranger), NOW).await.unwrap().restored, None);
    }

    async fn what_is_open_when_a_copy_is_put_back_came_with_it_whatever_its_clock_said(world) {
        let by_a_clock_ahead = world.store.register(world.job(), NOW + 90_000).await.unwrap();
        world.store.record_restored(NOW - 600, NOW).await.unwrap();
        let after = world.store.register(world.job(), NOW + 1).await.unwrap();
        let mut copied = Vec::new();
        for registered in [by_a_clock_ahead, after] {
            let RegistrationResult::New(job) = registered else { panic!("a replay") };
            copied.push(world.store.job(store::Visibility::whole(world.tenant), job.id).await.unwrap().is_copied);
        }
        assert_eq!(copied, [true, false]);
    }

    async fn an_operator_says_that_a_copy_was_put_back_and_ends_it(world) {
        let restored = world.store.record_restored(NOW - 600, NOW).await.unwrap().restored;
        assert_eq!(restored, Some(RestoredCopy { copia_de: NOW - 600, restaurado_em: NOW }));
        assert!(world.store.is_uncleared(world.tenant, series()).await.unwrap());
        assert_eq!(world.store.end_restored().await.unwrap().restored, None);
        assert!(!world.store.is_uncleared(world.tenant, series()).await.unwrap());
    }

    async fn codes_survive_another_process_and_another_master_key(world) {
        let job = uuid::Uuid::now_v7();
        let before = code(&world.store, job).await;
        assert_eq!(code(&world.open_again().await, job).await, before);
        world.store.rotate_master_key(MasterKey::new([9; 32]), NOW).await.unwrap();
        let rotated = Store::open(&world.place.location(), MasterKey::new([9; 32])).await.unwrap();
        assert_eq!(code(&rotated, job).await, before);
        assert!(matches!(Store::open(&world.place.location(), master_key()).await, Err(Error::Sealed)));
    }

    async fn a_reserved_document_has_the_code_of_its_job_and_number(world) {
        let lease = world.begun().await;
        let codes = world.store.key_code(lease.job_id, &series()).unwrap();
        let keyed = NumberRequest { codigo_aleatorio: KeyCode::ByNumber(codes.clone()), ..reserve(None) };
        let document = world.store.reserve(lease, keyed, NOW).await.unwrap();
        assert_eq!(document.codigo_aleatorio, codes.of(document.numero).unwrap());
        let stored = world.store.job(store::Visibility::whole(world.tenant), lease.job_id).await.unwrap().document.unwrap();
        assert_eq!(stored.codigo_aleatorio, document.codigo_aleatorio);
    }

    async fn every_number_that_may_have_been_used_since_the_copy_is_asked(world) {
        let (first, _) = world.numbered(None).await;
        world.numbered(None).await;
        world.sending().await;
        world.store.settle(first, crate::world::outcome(fiscal::lifecycle::DocumentState::Rejected), NOW, Vec::new()).await.unwrap();
        world.store.record_restored(NOW - 600, NOW).await.unwrap();
        assert_eq!(cleared(&world, &[1, 5, 6]).await, [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(states(&world).await, [(1, Used), (2, Reserved), (3, Reserved), (5, Used), (6, Used)]);
        assert_eq!(world.numbered(None).await.1, 7);
        let listed = world.store.restored_series().await.unwrap().remove(0);
        assert_eq!((listed.progress.is_cleared, listed.found, listed.unclaimed), (true, 3, 3));
    }

    async fn no_new_number_leaves_an_uncleared_series(world) {
        world.numbered(None).await;
        world.store.record_restored(NOW - 600, NOW).await.unwrap();
        let lease = world.begun().await;
        let fresh = NumberRequest { fresh: true, ..reserve(None) };
        assert!(matches!(world.store.reserve(lease, fresh.clone(), NOW).await, Err(Error::SeriesUncleared)));
        assert!(world.store.is_uncleared(world.tenant, series()).await.unwrap());
        cleared(&world, &[2]).await;
        assert_eq!(world.store.reserve(lease, fresh, NOW).await.unwrap().numero, 3);
    }

    async fn an_operator_may_answer_for_a_series_that_cannot_be_asked(world) {
        world.numbered(None).await;
        world.store.record_restored(NOW - 600, NOW).await.unwrap();
        world.store.clear_restored(world.tenant, series(), 40, NOW).await.unwrap();
        assert!(!world.store.is_uncleared(world.tenant, series()).await.unwrap());
        assert_eq!(world.numbered(None).await.1, 40);
    }

    async fn one_process_asks_at_a_time(world) {
        let held = world.store.hold_restored(world.tenant, series(), NOW, NOW + 60).await.unwrap();
        assert!(!held.is_held);
        assert!(world.store.hold_restored(world.tenant, series(), NOW + 1, NOW + 61).await.unwrap().is_held);
        assert!(!world.store.hold_restored(world.tenant, series(), NOW + 61, NOW + 121).await.unwrap().is_held);
        let late = world.store.record_number_answer(world.tenant, series(), asked(99, Some("CHAVE"))).await.unwrap();
        assert_eq!((late.next, late.unknown), (1, 0));
    }

    async fn a_found_number_goes_to_the_one_job_that_recognises_it(world) {
        let (numbered, _) = world.numbered(None).await;
        let (owner, other) = (world.begun().await, world.begun().await);
        world.store.record_restored(NOW - 600, NOW).await.unwrap();
        cleared(&world, &[1, 2]).await;
        let found = world.store.found_numbers(world.tenant, series(), owner.job_id).await.unwrap();
        assert_eq!(found.iter().map(|one| one.numero).collect::<Vec<_>>(), [1, 2]);
        // Number 1 was another's by then: the document that only had the number is deleted.
        assert!(world.store.claim_found(owner, series(), 1).await.unwrap());
        assert!(!world.store.claim_found(other, series(), 1).await.unwrap());
        assert_eq!(world.store.reserve(owner, reserve(Some(1)), NOW).await.unwrap().numero, 1);
        assert_eq!(world.store.found_numbers(world.tenant, series(), other.job_id).await.unwrap().len(), 1);
        assert_eq!(world.store.reserve(numbered, reserve(None), NOW).await.unwrap().numero, 3);
        assert_eq!(states(&world).await, [(1, Reserved), (2, Used), (3, Reserved)]);
    }

    async fn a_numbered_document_whose_number_is_anothers_is_forgotten(world) {
        let (lease, _) = world.numbered(None).await;
        world.store.record_restored(NOW - 600, NOW).await.unwrap();
        cleared(&world, &[1]).await;
        world.store.drop_numbered(lease, series(), 1).await.unwrap();
        assert_eq!(states(&world).await, [(1, Used)]);
        assert_eq!(world.store.reserve(lease, reserve(None), NOW).await.unwrap().numero, 2);
        let (kept, numero) = world.numbered(None).await;
        world.store.drop_numbered(kept, series(), numero).await.unwrap();
        assert_eq!(states(&world).await, [(1, Used), (2, Reserved), (3, Reserved)]);
        assert!(matches!(world.store.reserve(kept, reserve(Some(3)), NOW).await, Ok(document) if document.numero == 3));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_timeline_shows_that_a_copy_was_put_back() {
    let world = World::postgres().await;
    world.store.raise_mark(None, NOW).await.unwrap();
    world.place.run("UPDATE installation SET timeline = timeline + 1").await;
    let back = world.store.raise_mark(None, NOW + 10).await.unwrap();
    assert_eq!(back.restored, Some(RestoredCopy { copia_de: NOW, restaurado_em: NOW + 10 }));
    assert_eq!(world.store.raise_mark(None, NOW + 20).await.unwrap().restored, back.restored);
}
