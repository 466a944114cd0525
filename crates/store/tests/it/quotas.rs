//! Quotas: counts and refusals, and exactly the allowed number of concurrent debits.

use crate::world::{NOW, World, on_both};
use fiscal::value::TpAmb::{self, Homologacao, Producao};
use store::Error;
use store::Visibility;
use store::audit::Actor;
use store::jobs::{NewJob, RegistrationResult};
use store::quotas::Familia::{self, Cep, Nfe};
use uuid::Uuid;

/// 32 days later it is another month.
const NEXT_MONTH: i64 = NOW + 32 * 86_400;

async fn used_at(world: &World, ambiente: TpAmb, familia: Familia, now: i64) -> u64 {
    let quotas = world.store.quotas(world.tenant, ambiente, now).await.unwrap();
    assert_eq!(quotas.iter().map(|quota| quota.familia).collect::<Vec<_>>(), Familia::ALL);
    quotas.into_iter().find(|quota| quota.familia == familia).unwrap().consumo
}

async fn used(world: &World, familia: Familia) -> u64 {
    used_at(world, Homologacao, familia, NOW).await
}

async fn limit(world: &World, familia: Familia, limite: Option<u32>) {
    world.store.set_quota(world.tenant, Homologacao, familia, limite, &Actor::operator(), NOW).await.unwrap();
}

on_both! {
    async fn a_new_job_is_counted_and_a_replay_is_not(world) {
        let job = NewJob { referencia: Some("PED1".to_owned()), ..world.job() };
        world.register(job.clone()).await;
        let again = world.store.register(NewJob { id: Uuid::now_v7(), ..job }, NOW).await.unwrap();
        assert!(matches!(again, RegistrationResult::Replay { .. }));
        world.register(NewJob { cota: None, ..world.job() }).await;
        assert_eq!((used(&world, Nfe).await, used(&world, Cep).await), (1, 0));
        assert_eq!(used_at(&world, Producao, Nfe, NOW).await, 0);
        assert_eq!(used_at(&world, Homologacao, Nfe, NEXT_MONTH).await, 0);
    }

    async fn what_is_beyond_the_quota_is_not_registered_and_the_next_month_begins_anew(world) {
        limit(&world, Nfe, Some(2)).await;
        for _ in 0..2 {
            world.register(world.job()).await;
        }
        let refused = NewJob { referencia: Some("PED3".to_owned()), ..world.job() };
        let Err(Error::QuotaExceeded(exceeded)) = world.store.register(refused.clone(), NOW).await else {
            panic!("the third was registered");
        };
        assert_eq!((exceeded.familia, exceeded.limite), (Nfe, 2));
        assert!((28..=31).contains(&(exceeded.janela_s / 86_400)) && exceeded.renova_em_s <= exceeded.janela_s);
        assert!(matches!(world.store.job(Visibility::whole(world.tenant), refused.id).await, Err(Error::NotFound)));
        assert_eq!((used(&world, Nfe).await, world.claim(10).await.len()), (2, 2));
        // Nothing of the refused one is left: its reference is free.
        assert!(matches!(world.store.register(refused, NEXT_MONTH).await.unwrap(), RegistrationResult::New(_)));
        limit(&world, Nfe, None).await;
        world.register(world.job()).await;
        limit(&world, Nfe, Some(0)).await;
        assert!(matches!(world.store.register(world.job(), NOW).await, Err(Error::QuotaExceeded(_))));
    }

    async fn a_replay_is_answered_when_the_quota_is_used_up(world) {
        limit(&world, Nfe, Some(1)).await;
        let job = NewJob { referencia: Some("PED1".to_owned()), ..world.job() };
        world.register(job.clone()).await;
        let again = world.store.register(NewJob { id: Uuid::now_v7(), ..job }, NOW).await.unwrap();
        assert!(matches!(again, RegistrationResult::Replay { .. }));
    }

    async fn a_lookup_is_debited_by_itself(world) {
        limit(&world, Cep, Some(1)).await;
        world.store.debit(world.tenant, Homologacao, Cep, NOW).await.unwrap();
        let refused = world.store.debit(world.tenant, Homologacao, Cep, NOW).await;
        assert!(matches!(refused, Err(Error::QuotaExceeded(exceeded)) if exceeded.familia == Cep));
        world.store.debit(world.tenant, Producao, Cep, NOW).await.unwrap();
        world.store.debit(Uuid::now_v7(), Homologacao, Cep, NOW).await.unwrap();
        assert_eq!(used(&world, Cep).await, 1);
    }

    async fn of_fifty_at_once_exactly_the_quota_is_registered(world) {
        limit(&world, Nfe, Some(10)).await;
        let stores = [world.store.clone(), world.open_again().await, world.open_again().await];
        let calls: Vec<_> = (0..50).map(|call| {
            let (store, job) = (stores[call % stores.len()].clone(), world.job());
            tokio::spawn(async move { store.register(job, NOW).await })
        }).collect();
        let mut registered = 0;
        for call in calls {
            match call.await.unwrap() {
                Ok(_) => registered += 1,
                Err(Error::QuotaExceeded(_)) => {}
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!((registered, used(&world, Nfe).await), (10, 10));
        assert_eq!(world.claim(50).await.len(), 10);
    }

    async fn of_many_at_once_without_a_quota_every_one_is_counted(world) {
        let stores = [world.store.clone(), world.open_again().await, world.open_again().await];
        let calls: Vec<_> = (0..200).map(|call| {
            let (store, tenant) = (stores[call % stores.len()].clone(), world.tenant);
            tokio::spawn(async move { store.debit(tenant, Homologacao, Cep, NOW).await.unwrap() })
        }).collect();
        for call in calls {
            call.await.unwrap();
        }
        assert_eq!(used(&world, Cep).await, 200);
    }
}
