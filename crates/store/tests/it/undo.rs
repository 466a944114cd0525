//! Withdrawal from the queue, and requeueing.

use crate::world::{NOW, World, line, on_both, outcome, series};
use fiscal::lifecycle::DocumentState;
use store::Error;
use store::Visibility;
use store::jobs::{ClaimedJob, JobFailure, JobStatus, NewJob, Operacao, WithdrawalResult};
use store::numbers::NumberState;
use uuid::Uuid;

fn failure() -> JobFailure {
    JobFailure {
        codigo: "certificado_expirado".to_owned(),
        etapa: "assinatura".to_owned(),
        mensagem: "Expirou.".to_owned(),
        repetivel: true,
        proxima_tentativa_em: None,
    }
}

async fn withdraw(world: &World, id: Uuid) -> WithdrawalResult {
    world.store.withdraw(world.tenant, id, NOW + 1, line("Cancelado."), None).await.unwrap()
}

async fn put_back(world: &World, claimed: store::jobs::Lease) {
    world.store.retry_at(claimed, NOW, None, NOW, Vec::new()).await.unwrap();
}

on_both! {
    async fn a_waiting_job_is_cancelled_and_never_claimed(world) {
        let id = world.register(NewJob { referencia: Some("PED1".to_owned()), ..world.job() }).await;
        assert!(matches!(world.store.withdraw(Uuid::now_v7(), id, NOW, Vec::new(), None).await, Err(Error::NotFound)));
        assert_eq!(withdraw(&world, id).await, WithdrawalResult::Cancelled);
        let job = world.store.job(Visibility::whole(world.tenant), id).await.unwrap();
        assert_eq!((job.status, job.concluido_em), (JobStatus::Cancelled, Some(NOW + 1)));
        assert!(world.claim(10).await.is_empty());
        assert_eq!(withdraw(&world, id).await, WithdrawalResult::NotPending);
        assert_eq!(world.store.job_by_reference(Visibility::whole(world.tenant), "PED1").await.unwrap().id, id);
        assert_eq!(world.store.log(world.tenant, id).await.unwrap()[0].text, "Cancelado.");
    }

    async fn a_job_in_hand_or_ended_is_not_cancelled(world) {
        let (lease, _) = world.sending().await;
        assert_eq!(withdraw(&world, lease.job_id).await, WithdrawalResult::NotPending);
        world.store.settle(lease, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
        assert_eq!(withdraw(&world, lease.job_id).await, WithdrawalResult::NotPending);
    }

    async fn a_job_whose_document_may_have_left_is_not_cancelled(world) {
        let (lease, numero) = world.sending().await;
        put_back(&world, lease).await;
        assert_eq!(withdraw(&world, lease.job_id).await, WithdrawalResult::MayHaveLeft);
        assert_eq!(world.store.job(Visibility::whole(world.tenant), lease.job_id).await.unwrap().status, JobStatus::Pending);
        let ledger = world.store.ledger(world.tenant, series()).await.unwrap();
        assert_eq!((ledger[0].numero, ledger[0].state), (numero, NumberState::Reserved));
        assert_eq!(world.claim(1).await.len(), 1, "it is still in line");
    }

    async fn an_event_that_may_have_left_is_not_cancelled(world) {
        let job = NewJob { operacao: Operacao::Cancelamento, alvo: Some(Uuid::now_v7()), ..world.job() };
        let id = world.register(job.clone()).await;
        let lease = world.claim(1).await.pop().unwrap().lease;
        world.store.begin_event(lease, "<evento/>".to_owned(), NOW, Vec::new()).await.unwrap();
        put_back(&world, lease).await;
        assert_eq!(withdraw(&world, id).await, WithdrawalResult::MayHaveLeft);
        let unsent = world.register(NewJob { id: Uuid::now_v7(), ..job }).await;
        assert_eq!(withdraw(&world, unsent).await, WithdrawalResult::Cancelled);
    }

    async fn a_cancelled_job_gives_its_number_back(world) {
        let (lease, numero) = world.numbered(None).await;
        put_back(&world, lease).await;
        assert_eq!(withdraw(&world, lease.job_id).await, WithdrawalResult::Cancelled);
        let ledger = world.store.ledger(world.tenant, series()).await.unwrap();
        assert_eq!((ledger[0].numero, ledger[0].state), (numero, NumberState::Released));
        assert_eq!(world.numbered(None).await.1, numero, "the next note takes it");
    }

    async fn cancelling_and_claiming_at_once_each_job_has_one_of_them(world) {
        let mut ids = Vec::new();
        for _ in 0..40 {
            ids.push(world.register(world.job()).await);
        }
        let claims = (0..4).map(|_| {
            let store = world.store.clone();
            tokio::spawn(async move {
                let mut taken: Vec<ClaimedJob> = Vec::new();
                for _ in 0..10 {
                    taken.extend(store.claim(crate::world::claim_request(NOW, 1)).await.unwrap());
                }
                taken
            })
        });
        let claims: Vec<_> = claims.collect();
        let withdrawals: Vec<_> = ids.iter().map(|id| {
            let (store, tenant, id) = (world.store.clone(), world.tenant, *id);
            tokio::spawn(async move { (id, store.withdraw(tenant, id, NOW, Vec::new(), None).await.unwrap()) })
        }).collect();
        let mut taken = Vec::new();
        for claim in claims {
            taken.extend(claim.await.unwrap().into_iter().map(|claimed| claimed.job.id));
        }
        for withdrawal in withdrawals {
            let (id, withdrawn) = withdrawal.await.unwrap();
            assert_eq!(withdrawn == WithdrawalResult::Cancelled, !taken.contains(&id), "{id}: {withdrawn:?}");
            let status = world.store.job(Visibility::whole(world.tenant), id).await.unwrap().status;
            let expected = if taken.contains(&id) { JobStatus::Processing } else { JobStatus::Cancelled };
            assert_eq!(status, expected);
        }
        assert!(world.claim(50).await.is_empty());
    }

    async fn a_failed_job_goes_back_into_line_once(world) {
        let (lease, numero) = world.numbered(None).await;
        world.store.fail_job(lease, failure(), Some(DocumentState::Failed), NOW, Vec::new()).await.unwrap();
        let requeue = |seen| world.store.requeue(world.tenant, lease.job_id, seen, NOW, line("De novo."), None);
        assert!(matches!(requeue(None).await, Err(Error::Conflict(_))), "it has a document");
        assert!(matches!(requeue(Some(DocumentState::InDoubt)).await, Err(Error::Conflict(_))));
        requeue(Some(DocumentState::Failed)).await.unwrap();
        assert!(matches!(requeue(Some(DocumentState::Failed)).await, Err(Error::Conflict(_))), "it is pending");
        let job = world.store.job(Visibility::whole(world.tenant), lease.job_id).await.unwrap();
        assert_eq!((job.status, job.concluido_em, job.tentativas, job.erro), (JobStatus::Pending, None, 1, None));
        let claimed = world.claim(5).await;
        assert_eq!((claimed.len(), claimed[0].job.tentativas), (1, 2));
        let again = world.store.reserve(claimed[0].lease, crate::world::reserve(None), NOW).await.unwrap();
        assert_eq!((again.numero, again.state), (numero, DocumentState::Accepted));
    }

    async fn what_did_not_fail_cannot_go_back(world) {
        let id = world.register(world.job()).await;
        let refused = world.store.requeue(world.tenant, id, None, NOW, Vec::new(), None).await;
        assert!(matches!(refused, Err(Error::Conflict(_))));
        withdraw(&world, id).await;
        let refused = world.store.requeue(world.tenant, id, None, NOW, Vec::new(), None).await;
        assert!(matches!(refused, Err(Error::Conflict(_))), "cancelled is final");
    }
}
