//! Prepared emissions: the token is used once, whoever asks at the same time, and a refusal uses nothing up.

use crate::world::{NOW, World, on_both};
use fiscal::value::TpAmb::Homologacao;
use store::Error;
use store::accounts::NewAccount;
use store::audit::Actor;
use store::confirmations::{Confirmed, NewConfirmation};
use store::jobs::{NewJob, Registered};
use store::quotas::Familia::Nfe;
use uuid::Uuid;

const TOKEN: [u8; 32] = [7; 32];

async fn prepared(world: &World, token_hash: [u8; 32], now: i64) {
    let new = NewConfirmation {
        tenant_id: world.tenant,
        token_hash,
        ambiente: Homologacao,
        destino: Homologacao,
        referencia: None,
        payload: "{\"nota\":{}}".to_owned(),
        payload_hash: [1; 32],
        expira_em: now + 600,
    };
    world.store.prepare(new, now).await.unwrap();
}

on_both! {
    async fn of_fifty_confirmations_of_one_token_exactly_one_registers(world) {
        prepared(&world, TOKEN, NOW).await;
        let stores = [world.store.clone(), world.open_again().await, world.open_again().await];
        let calls: Vec<_> = (0..50).map(|call| {
            let (store, job) = (stores[call % stores.len()].clone(), world.job());
            tokio::spawn(async move { store.confirm(TOKEN, job, 100, NOW).await.unwrap() })
        }).collect();
        let (mut registered, mut used) = (Vec::new(), Vec::new());
        for call in calls {
            match call.await.unwrap() {
                Confirmed::Registered(Registered::New(job)) => registered.push(job.id),
                Confirmed::Used(job) => used.push(job),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!((registered.len(), used.len()), (1, 49));
        assert!(used.iter().all(|job| *job == registered[0]));
        assert_eq!(world.claim(50).await.len(), 1);
        let quotas = world.store.quotas(world.tenant, Homologacao, NOW).await.unwrap();
        assert_eq!(quotas.iter().find(|quota| quota.familia == Nfe).unwrap().consumo, 1);
        // the payload is the job's now
        let kept = world.store.confirmation(world.tenant, TOKEN).await.unwrap();
        assert_eq!((kept.payload.as_str(), kept.job_id), ("", Some(registered[0])));
    }

    async fn a_token_is_of_its_tenant_and_ends(world) {
        prepared(&world, TOKEN, NOW).await;
        let stranger = NewJob { tenant_id: Uuid::now_v7(), ..world.job() };
        assert!(matches!(world.store.confirm(TOKEN, stranger, 100, NOW).await, Err(Error::NotFound)));
        assert!(matches!(world.store.confirmation(Uuid::now_v7(), TOKEN).await, Err(Error::NotFound)));
        assert!(matches!(world.store.confirm(TOKEN, world.job(), 100, NOW + 600).await.unwrap(), Confirmed::Expired));
        // swept away by what is prepared a day later, and not before
        prepared(&world, [8; 32], NOW + 86_400).await;
        assert!(world.store.confirmation(world.tenant, TOKEN).await.is_ok());
        prepared(&world, [9; 32], NOW + 600 + 86_400).await;
        assert!(matches!(world.store.confirmation(world.tenant, TOKEN).await, Err(Error::NotFound)));
        assert!(world.store.confirmation(world.tenant, [8; 32]).await.is_ok());
    }

    async fn a_refusal_by_ceiling_or_quota_uses_nothing_up(world) {
        let account = NewAccount { nome: "Conta".to_owned(), email: "a@b.c".to_owned(), senha_hash: "x".to_owned() };
        let tenant = world.store.create_account(account, NOW).await.unwrap();
        let world = World { tenant, ..world };
        prepared(&world, TOKEN, NOW).await;
        let by = Actor::operator();
        world.store.set_ceiling(tenant, Some(99), &by, NOW).await.unwrap();
        assert_eq!(world.store.ceiling(tenant).await.unwrap(), Some(99));
        let above = world.store.confirm(TOKEN, world.job(), 100, NOW).await.unwrap();
        assert!(matches!(above, Confirmed::AboveCeiling(99)));
        world.store.set_ceiling(tenant, Some(100), &by, NOW).await.unwrap();
        world.store.set_quota(tenant, Homologacao, Nfe, Some(0), &by, NOW).await.unwrap();
        assert!(matches!(world.store.confirm(TOKEN, world.job(), 100, NOW).await, Err(Error::QuotaExceeded(_))));
        world.store.set_quota(tenant, Homologacao, Nfe, None, &by, NOW).await.unwrap();
        let at_last = world.store.confirm(TOKEN, world.job(), 100, NOW).await.unwrap();
        assert!(matches!(at_last, Confirmed::Registered(Registered::New(_))));
        assert!(matches!(world.store.set_ceiling(Uuid::now_v7(), None, &by, NOW).await, Err(Error::NotFound)));
    }
}
