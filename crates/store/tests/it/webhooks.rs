//! Events are written with the change that causes them; deliveries are claimed fairly, by lease; secrets overlap while
//! they rotate.

use crate::world::{NOW, World, cancelled, chave_of, line, not_cancelled, on_both, outcome, prepared};
use fiscal::lifecycle::DocumentState;
use fiscal::value::TpAmb;
use std::collections::BTreeSet;
use store::Error;
use store::Visibility;
use store::audit::Actor;
use store::jobs::{JobFailure, Lease, NewJob, Operacao, SignedDocument};
use store::webhooks::{
    AttemptOutcome, ClaimedDelivery, DeliveryAttempt, DeliveryClaim, DeliveryFilter, DeliveryStatus, EventBody,
    SecretText,
};
use uuid::Uuid;

const URL: &str = "https://erp.exemplo.com.br/notas";

fn claim(now: i64, limit: u32) -> DeliveryClaim {
    DeliveryClaim { now, lease_until: now + 25, limit, ..DeliveryClaim::default() }
}

async fn take(world: &World, now: i64, limit: u32) -> Vec<ClaimedDelivery> {
    world.store.claim_deliveries(claim(now, limit)).await.unwrap()
}

fn attempt(tentativa: u32, codigo_http: u16) -> DeliveryAttempt {
    let erro = (codigo_http != 200).then(|| format!("O destino respondeu HTTP {codigo_http}."));
    DeliveryAttempt {
        tentativa,
        em: NOW,
        codigo_http: Some(codigo_http),
        duracao_ms: 12,
        erro,
        resposta: Some("oi".into()),
        estendida: false,
    }
}

/// A claimed job with a webhook, whose document is being sent.
async fn sending(world: &World, job: NewJob) -> Lease {
    world.register(job).await;
    let lease = world.claim(1).await.pop().unwrap().lease;
    let numero = world.store.reserve(lease, crate::world::reserve(None), NOW).await.unwrap().numero;
    let sent = SignedDocument { numero, ..prepared(chave_of(lease.job_id)) };
    world.store.begin_sending(lease, sent, NOW, Vec::new()).await.unwrap();
    lease
}

async fn told(world: &World, url: &str) -> Lease {
    let lease = sending(world, NewJob { webhook_url: Some(url.to_owned()), ..world.job() }).await;
    world.store.settle(lease, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
    lease
}

fn failure() -> JobFailure {
    JobFailure {
        codigo: "certificado_expirado".to_owned(),
        etapa: "assinatura".to_owned(),
        mensagem: "O certificado expirou.".to_owned(),
        repetivel: true,
        proxima_tentativa_em: None,
    }
}

on_both! {
    async fn the_end_of_a_job_is_told_as_it_stands_at_that_moment(world) {
        world.store.set_event_body(EventBody::new(|told| {
            let state = told.document.map(|document| format!("{:?}", document.state));
            format!("{} {} {:?} {state:?}", told.evento, told.at, told.job.status)
        }));
        for (state, evento) in [
            (DocumentState::Authorized, "nfe.autorizada"),
            (DocumentState::Rejected, "nfe.rejeitada"),
            (DocumentState::Denied, "nfe.denegada"),
            (DocumentState::Cancelled, "nfe.cancelada"),
        ] {
            let lease = sending(&world, NewJob { webhook_url: Some(URL.to_owned()), ..world.job() }).await;
            world.store.settle(lease, outcome(state), NOW + 3, Vec::new()).await.unwrap();
            let delivery = take(&world, NOW + 3, 10).await.pop().unwrap();
            assert_eq!((delivery.job_id, delivery.url.as_str(), delivery.ambiente), (Some(lease.job_id), URL, TpAmb::Homologacao));
            assert_eq!(delivery.corpo, format!("{evento} {} Completed Some(\"{state:?}\")", NOW + 3));
            assert_eq!((delivery.evento.as_str(), delivery.tentativas, delivery.restantes), (evento, 0, 3));
        }
    }

    async fn a_job_that_fails_is_told_and_one_without_address_is_not(world) {
        world.register(NewJob { webhook_url: Some(URL.to_owned()), ..world.job() }).await;
        let lease = world.claim(1).await.pop().unwrap().lease;
        world.store.fail_job(lease, failure(), None, NOW, Vec::new()).await.unwrap();
        assert_eq!(take(&world, NOW, 10).await.pop().unwrap().evento, "nfe.falhou");
        let silent = sending(&world, world.job()).await;
        world.store.settle(silent, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
        assert!(take(&world, NOW, 10).await.is_empty());
        assert_eq!(world.store.deliveries(Visibility::whole(world.tenant), DeliveryFilter::default(), 10, 0).await.unwrap().1, 1);
    }

    async fn a_lost_lease_tells_nothing(world) {
        let lease = sending(&world, NewJob { webhook_url: Some(URL.to_owned()), ..world.job() }).await;
        let stolen = Lease { token: Uuid::now_v7(), ..lease };
        assert!(world.store.settle(stolen, outcome(DocumentState::Authorized), NOW, Vec::new()).await.is_err());
        assert!(world.store.fail_job(stolen, failure(), None, NOW, Vec::new()).await.is_err());
        assert!(take(&world, NOW, 10).await.is_empty());
    }

    async fn a_cancellation_tells_its_own_address_and_the_notes_once_each(world) {
        for (own, note, expected) in [
            (None, None, vec![]),
            (Some("https://a.example/"), None, vec!["https://a.example/"]),
            (None, Some("https://b.example/"), vec!["https://b.example/"]),
            (Some("https://a.example/"), Some("https://b.example/"), vec!["https://a.example/", "https://b.example/"]),
            (Some("https://a.example/"), Some("https://a.example/"), vec!["https://a.example/"]),
        ] {
            let emission = sending(&world, NewJob { webhook_url: note.map(str::to_owned), ..world.job() }).await;
            world.store.settle(emission, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
            take(&world, NOW, 10).await;
            let job = NewJob {
                operacao: Operacao::Cancelamento,
                alvo: Some(emission.job_id),
                webhook_url: own.map(str::to_owned),
                ..world.job()
            };
            let id = world.register(job).await;
            let lease = world.claim(1).await.pop().unwrap().lease;
            let event = cancelled(chave_of(lease.job_id));
            world.store.settle_event(lease, event, NOW, Vec::new()).await.unwrap();
            let mut taken = take(&world, NOW, 10).await;
            taken.sort_by(|one, other| one.url.cmp(&other.url));
            assert_eq!(taken.iter().map(|delivery| delivery.url.as_str()).collect::<Vec<_>>(), expected);
            for delivery in taken {
                assert_eq!(delivery.evento, "nfe.cancelada");
                let of = if own == Some(delivery.url.as_str()) { id } else { emission.job_id };
                assert_eq!(delivery.job_id, Some(of), "each address hears of its own job");
            }
        }
    }

    async fn a_note_that_two_cancellations_find_cancelled_is_told_of_once(world) {
        let emission = told(&world, URL).await;
        take(&world, NOW, 10).await;
        for expected in [1, 0] {
            let job = NewJob { operacao: Operacao::Cancelamento, alvo: Some(emission.job_id), ..world.job() };
            world.register(job).await;
            let lease = world.claim(1).await.pop().unwrap().lease;
            let event = cancelled(chave_of(lease.job_id));
            world.store.settle_event(lease, event, NOW, Vec::new()).await.unwrap();
            assert_eq!(take(&world, NOW, 10).await.len(), expected);
        }
    }

    async fn a_refused_cancellation_is_told_to_its_own_address_only(world) {
        let emission = told(&world, "https://b.example/").await;
        take(&world, NOW, 10).await;
        let job = NewJob {
            operacao: Operacao::Cancelamento,
            alvo: Some(emission.job_id),
            webhook_url: Some(URL.to_owned()),
            ..world.job()
        };
        world.register(job).await;
        let lease = world.claim(1).await.pop().unwrap().lease;
        world.store.settle_event(lease, not_cancelled(), NOW, Vec::new()).await.unwrap();
        let taken = take(&world, NOW, 10).await;
        assert_eq!(taken.len(), 1);
        assert_eq!((taken[0].evento.as_str(), taken[0].url.as_str()), ("nfe.cancelamento_rejeitado", URL));
    }

    async fn a_delivery_is_tried_again_when_due_and_ends_taken_or_lost(world) {
        let lease = told(&world, URL).await;
        let first = take(&world, NOW, 10).await.pop().unwrap();
        assert!(take(&world, NOW + 24, 10).await.is_empty(), "leased");
        let history = line("Webhook recusado.");
        world.store.delivery_attempted(first.lease, first.job_id, attempt(1, 500), AttemptOutcome::RetryAt(NOW + 30), history).await.unwrap();
        assert!(take(&world, NOW + 29, 10).await.is_empty(), "not due yet");
        let second = take(&world, NOW + 30, 10).await.pop().unwrap();
        assert_eq!((second.tentativas, second.restantes, second.corpo), (1, 2, first.corpo));
        world.store.delivery_attempted(second.lease, second.job_id, attempt(2, 404), AttemptOutcome::Lost, Vec::new()).await.unwrap();
        let record = world.store.delivery(Visibility::whole(world.tenant), first.lease.delivery_id).await.unwrap();
        assert_eq!((record.status, record.tentativas, record.proxima_em), (DeliveryStatus::Perdida, 2, None));
        assert_eq!(record.historico, [attempt(1, 500), attempt(2, 404)]);
        let log = world.store.log(world.tenant, lease.job_id).await.unwrap();
        assert_eq!(log.last().unwrap().text, "Webhook recusado.");

        world.store.resend_delivery(world.tenant, record.id, Actor::operator(), NOW + 500).await.unwrap();
        let again = world.store.resend_delivery(world.tenant, record.id, Actor::operator(), NOW + 500).await;
        assert!(matches!(again, Err(Error::Conflict(_))), "one series at a time");
        let third = take(&world, NOW + 500, 10).await.pop().unwrap();
        assert_eq!((third.tentativas, third.restantes, third.lease.delivery_id), (2, 3, record.id));
        world.store.delivery_attempted(third.lease, third.job_id, attempt(3, 200), AttemptOutcome::Delivered, Vec::new()).await.unwrap();
        let record = world.store.delivery(Visibility::whole(world.tenant), record.id).await.unwrap();
        assert_eq!((record.status, record.tentativas, record.concluido_em), (DeliveryStatus::Entregue, 3, Some(NOW)));
        assert!(take(&world, NOW + 9000, 10).await.is_empty());
        assert_eq!(world.store.delivery_backlog(NOW).await.unwrap(), (0, 0));
    }

    async fn whoever_lost_the_lease_of_a_delivery_writes_nothing(world) {
        told(&world, URL).await;
        let first = take(&world, NOW, 10).await.pop().unwrap();
        let taken_over = take(&world, NOW + 25, 10).await.pop().unwrap();
        assert_eq!((taken_over.tentativas, taken_over.restantes), (0, 3), "an attempt nobody saw the end of is not counted");
        let late = world.store.delivery_attempted(first.lease, first.job_id, attempt(1, 200), AttemptOutcome::Delivered, line("x")).await;
        assert!(matches!(late, Err(Error::LeaseLost)));
        let record = world.store.delivery(Visibility::whole(world.tenant), first.lease.delivery_id).await.unwrap();
        assert_eq!((record.status, record.historico.len()), (DeliveryStatus::Pendente, 0));
    }

    async fn every_destination_gets_its_share(world) {
        for _ in 0..12 {
            told(&world, "https://lento.example/a").await;
        }
        told(&world, "https://outro.example/b").await;
        let taken = take(&world, NOW, 4).await;
        let urls: BTreeSet<&str> = taken.iter().map(|delivery| delivery.url.as_str()).collect();
        assert_eq!((taken.len(), urls.len()), (3, 2), "two each, and the other has only one");
        let full = DeliveryClaim { except_hosts: BTreeSet::from(["lento.example".to_owned()]), ..claim(NOW, 4) };
        assert!(world.store.claim_deliveries(full).await.unwrap().is_empty());
        let full = DeliveryClaim { except_tenants: BTreeSet::from([world.tenant]), ..claim(NOW, 4) };
        assert!(world.store.claim_deliveries(full).await.unwrap().is_empty());
        assert_eq!(take(&world, NOW, 100).await.len(), 10);
    }

    async fn two_processes_never_take_one_delivery(world) {
        for _ in 0..20 {
            told(&world, URL).await;
        }
        let other = world.open_again().await;
        let mut taken = Vec::new();
        while taken.len() < 20 {
            let (here, there) = tokio::join!(world.store.claim_deliveries(claim(NOW, 3)), other.claim_deliveries(claim(NOW, 3)));
            taken.extend(here.unwrap().into_iter().chain(there.unwrap()).map(|delivery| delivery.lease.delivery_id));
        }
        let different: BTreeSet<Uuid> = taken.iter().copied().collect();
        assert_eq!((taken.len(), different.len()), (20, 20));
    }

    async fn deliveries_are_listed_by_job_status_and_event_for_their_tenant_only(world) {
        let one = told(&world, URL).await;
        let two = told(&world, URL).await;
        let find = async |filter| world.store.deliveries(Visibility::whole(world.tenant), filter, 10, 0).await.unwrap();
        let (all, total) = find(DeliveryFilter::default()).await;
        assert_eq!((all[0].job_id, all[1].job_id, total), (Some(two.job_id), Some(one.job_id), 2));
        assert_eq!(find(DeliveryFilter { job_id: Some(one.job_id), ..DeliveryFilter::default() }).await.1, 1);
        assert_eq!(find(DeliveryFilter { status: Some(DeliveryStatus::Perdida), ..DeliveryFilter::default() }).await.1, 0);
        let filter = DeliveryFilter { evento: Some("nfe.autorizada".to_owned()), ..DeliveryFilter::default() };
        assert_eq!(world.store.deliveries(Visibility::whole(world.tenant), filter.clone(), 1, 1).await.unwrap().0.len(), 1);
        let other = Uuid::now_v7();
        assert_eq!(world.store.deliveries(Visibility::whole(other), filter, 10, 0).await.unwrap(), (Vec::new(), 0));
        assert!(matches!(world.store.delivery(Visibility::whole(other), all[0].id).await, Err(Error::NotFound)));
        assert!(matches!(world.store.resend_delivery(other, all[0].id, Actor::operator(), NOW).await, Err(Error::NotFound)));
    }

    async fn a_secret_is_made_once_and_the_one_before_signs_for_its_grace(world) {
        let ask = async |ambiente, fresh: &str, now| {
            let fresh = SecretText::new(fresh.to_owned());
            let known = world.store.webhook_secrets(world.tenant, ambiente, || Ok(fresh), now).await.unwrap();
            known.into_iter().map(|secret| (secret.text.expose().to_owned(), secret.vale_ate)).collect::<Vec<_>>()
        };
        assert_eq!(ask(TpAmb::Homologacao, "whsec_a", NOW).await, [("whsec_a".to_owned(), None)]);
        assert_eq!(ask(TpAmb::Homologacao, "whsec_b", NOW).await, [("whsec_a".to_owned(), None)]);
        assert_eq!(ask(TpAmb::Producao, "whsec_p", NOW).await, [("whsec_p".to_owned(), None)]);
        let rotate = async |fresh: &str, until| {
            let fresh = SecretText::new(fresh.to_owned());
            world.store.rotate_webhook_secret(world.tenant, TpAmb::Homologacao, fresh, until, Actor::operator(), NOW).await.unwrap().len()
        };
        assert_eq!(rotate("whsec_c", NOW + 10).await, 2);
        let both = [("whsec_c".to_owned(), None), ("whsec_a".to_owned(), Some(NOW + 10))];
        assert_eq!(ask(TpAmb::Homologacao, "whsec_x", NOW + 9).await, both);
        assert_eq!(ask(TpAmb::Homologacao, "whsec_x", NOW + 10).await, [("whsec_c".to_owned(), None)]);
        assert_eq!(rotate("whsec_d", NOW).await, 1, "without grace only the new one signs");
        assert_eq!(ask(TpAmb::Producao, "whsec_x", NOW).await, [("whsec_p".to_owned(), None)]);
    }
}
