//! Alerts are recorded once, by whatever number of processes, with the deliveries to the account's address; attempts
//! after the contract's three are marked.

use crate::world::{CNPJ, NOW, World, chave, on_both, outcome, prepared, series};
use fiscal::lifecycle::DocumentState;
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::audit::Actor;
use store::companies::{CertificateRecord, NewCertificate};
use store::jobs::{NewJob, SignedDocument};
use store::webhooks::{
    AttemptOutcome, ClaimedDelivery, DeliveryAttempt, DeliveryClaim, DeliveryFilter, DeliveryStatus, WebhookAccount,
};
use store::{Error, Store, Visibility};
use zeroize::Zeroizing;

const URL: &str = "https://erp.exemplo.com.br/conta";
const OWN_URL: &str = "https://loja.exemplo.com.br/pedido";
const DAY: i64 = 86_400;

fn cnpj() -> CnpjCpf {
    CnpjCpf::parse(CNPJ).unwrap()
}

async fn address(world: &World, ambiente: TpAmb, eventos: Option<&[&str]>, tentativas: u32) {
    let account = WebhookAccount {
        url: Some(URL.to_owned()),
        eventos: eventos.map(|words| words.iter().map(|word| (*word).to_owned()).collect()),
        tentativas,
        atualizado_em: None,
    };
    world.store.set_webhook_account(world.tenant, ambiente, account, Actor::operator(), NOW).await.unwrap();
}

async fn certificate(world: &World, valido_ate: i64) {
    let record = CertificateRecord {
        titular: "PADARIA".to_owned(),
        emissor: "AC Teste".to_owned(),
        numero_serie: "0a1b".to_owned(),
        valido_de: NOW - DAY,
        valido_ate,
    };
    let (pfx, senha) = (Zeroizing::new(vec![1, 2, 3]), Zeroizing::new("senha".to_owned()));
    let new = NewCertificate { pfx, senha, record };
    world.store.save_certificate(world.tenant, cnpj(), new, &Actor::operator(), NOW).await.unwrap();
}

async fn with_company(world: &World) {
    world.store.create_company(world.tenant, cnpj(), json!({}), &Actor::operator(), NOW).await.unwrap();
}

async fn take(store: &Store, now: i64) -> Vec<ClaimedDelivery> {
    let claim = DeliveryClaim { now, lease_until: now + 25, limit: 50, ..DeliveryClaim::default() };
    store.claim_deliveries(claim).await.unwrap()
}

async fn events(world: &World) -> Vec<String> {
    let filter = DeliveryFilter::default();
    let (found, _) = world.store.deliveries(Visibility::whole(world.tenant), filter, 100, 0).await.unwrap();
    found.into_iter().rev().map(|one| one.evento).collect()
}

async fn authorised(world: &World, url: Option<&str>) {
    world.register(NewJob { webhook_url: url.map(str::to_owned), ..world.job() }).await;
    let lease = world.claim(1).await.pop().unwrap().lease;
    let numero = world.store.reserve(lease, crate::world::reserve(None), NOW).await.unwrap().numero;
    let sent = SignedDocument { numero, ..prepared(chave(numero)) };
    world.store.begin_sending(lease, sent, NOW, Vec::new()).await.unwrap();
    world.store.settle(lease, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
}

async fn failed(store: &Store, delivery: &ClaimedDelivery, after: AttemptOutcome) {
    let attempt = DeliveryAttempt {
        tentativa: delivery.tentativas + 1,
        em: NOW,
        codigo_http: Some(500),
        duracao_ms: 3,
        erro: Some("O destino respondeu HTTP 500.".to_owned()),
        resposta: None,
        estendida: delivery.restantes == 0,
    };
    store.delivery_attempted(delivery.lease, delivery.job_id, attempt, after, Vec::new()).await.unwrap();
}

on_both! {
    async fn a_certificate_has_an_alert_at_each_stage_and_one_process_records_it(world) {
        with_company(&world).await;
        for ambiente in [TpAmb::Homologacao, TpAmb::Producao] {
            address(&world, ambiente, None, 3).await;
        }
        let end = NOW + 100 * DAY;
        certificate(&world, end).await;
        let stores = [world.store.clone(), world.open_again().await];
        assert_eq!(stores[0].alert_certificates(end - 31 * DAY, 10).await.unwrap(), 0);
        for before in [30, 20, 15, 7, 1, 0, -5] {
            let calls: Vec<_> = (0..8).map(|call| {
                let store = stores[call % 2].clone();
                tokio::spawn(async move { store.alert_certificates(end - before * DAY, 10).await.unwrap() })
            }).collect();
            for call in calls {
                call.await.unwrap();
            }
        }
        let found = events(&world).await;
        let count = |word: &str| found.iter().filter(|evento| evento.as_str() == word).count();
        // to the addresses of both environments
        assert_eq!((count("certificado.expira_em"), count("certificado.expirado"), found.len()), (8, 2, 10));
        let taken = take(&world.store, end).await;
        let body: Value = serde_json::from_str(&taken.iter().find(|one| one.evento == "certificado.expira_em").unwrap().corpo).unwrap();
        assert_eq!((&body["evento"], &body["cpf_cnpj"], &body["ambiente"]), (&json!("certificado.expira_em"), &json!(CNPJ), &Value::Null));
        assert!(taken.iter().all(|one| one.job_id.is_none()));
        let days: BTreeSet<i64> = taken.iter().filter_map(|one| serde_json::from_str::<Value>(&one.corpo).unwrap()["dados"]["dias"].as_i64()).collect();
        assert_eq!(days, BTreeSet::from([1, 7, 15, 30]));
        // a new certificate begins anew
        certificate(&world, end + 300 * DAY).await;
        assert_eq!(stores[1].alert_certificates(end, 10).await.unwrap(), 0);
        assert_eq!(stores[1].alert_certificates(end + 280 * DAY, 10).await.unwrap(), 1);
    }

    async fn a_gap_is_reported_once_and_a_sequence_is_looked_at_once_an_interval(world) {
        with_company(&world).await;
        address(&world, TpAmb::Homologacao, Some(&["numeracao.lacuna"]), 3).await;
        world.numbered(Some(1)).await;
        world.numbered(Some(5)).await;
        let other = world.open_again().await;
        let (one, two) = tokio::join!(
            world.store.claim_gap_checks(NOW, NOW + 3_600, 10), other.claim_gap_checks(NOW, NOW + 3_600, 10)
        );
        let claimed: Vec<_> = one.unwrap().into_iter().chain(two.unwrap()).collect();
        assert_eq!(claimed.len(), 1, "one process has it");
        assert!(world.store.claim_gap_checks(NOW + 3_599, NOW + 9_000, 10).await.unwrap().is_empty());
        let gaps = world.store.recent_gaps(world.tenant, series(), 1_000, 10).await.unwrap();
        assert_eq!((gaps[0].from, gaps[0].until), (2, 4));
        let recorded = [&world.store, &other].map(|store| store.record_gaps(claimed[0], gaps.clone(), NOW));
        let [first, second] = recorded;
        let (first, second) = tokio::join!(first, second);
        assert_eq!(first.unwrap() + second.unwrap(), 1);
        assert_eq!(events(&world).await, ["numeracao.lacuna"]);
    }

    async fn the_accounts_address_gets_the_events_of_jobs_beside_their_own(world) {
        address(&world, TpAmb::Homologacao, Some(&["nfe.*"]), 3).await;
        authorised(&world, None).await;
        authorised(&world, Some(OWN_URL)).await;
        authorised(&world, Some(URL)).await;
        let filter = DeliveryFilter::default();
        let (found, _) = world.store.deliveries(Visibility::whole(world.tenant), filter, 10, 0).await.unwrap();
        let mut shown: Vec<_> = found.iter().map(|one| (one.url.as_str(), one.is_for_account)).collect();
        shown.sort_unstable();
        assert_eq!(shown, [(URL, false), (URL, true), (URL, true), (OWN_URL, false)]);
        address(&world, TpAmb::Homologacao, Some(&["nfce.*"]), 3).await;
        authorised(&world, None).await;
        assert_eq!(events(&world).await.len(), 4, "an event that the address does not want");
    }

    async fn attempts_after_the_contracts_are_counted_apart_and_may_be_cut_short_by_hand(world) {
        address(&world, TpAmb::Homologacao, None, 5).await;
        authorised(&world, None).await;
        let mut seen = Vec::new();
        for round in 0..5 {
            let taken = take(&world.store, NOW + round * 100).await.pop().unwrap();
            seen.push((taken.restantes, taken.estendidas, taken.extra));
            failed(&world.store, &taken, AttemptOutcome::RetryAt(NOW + (round + 1) * 100)).await;
        }
        assert_eq!(seen, [(3, 0, 2), (2, 0, 2), (1, 0, 2), (0, 0, 2), (0, 1, 2)]);
        let (mut found, _) = world.store.deliveries(Visibility::whole(world.tenant), DeliveryFilter::default(), 1, 0).await.unwrap();
        let record = found.remove(0);
        let extended: Vec<bool> = record.historico.iter().map(|attempt| attempt.estendida).collect();
        assert_eq!((extended, record.status), (vec![false, false, false, true, true], DeliveryStatus::Pendente));
        world.store.resend_delivery(world.tenant, record.id, Actor::operator(), NOW + 600).await.unwrap();
        let again = world.store.resend_delivery(world.tenant, record.id, Actor::operator(), NOW + 600).await;
        assert!(matches!(again, Err(Error::Conflict(_))), "the contract's series is not cut short");
        assert_eq!(take(&world.store, NOW + 600).await.pop().unwrap().restantes, 3);
    }

    async fn a_test_event_needs_an_address_and_has_one_attempt(world) {
        let none = world.store.send_test_event(world.tenant, TpAmb::Homologacao, NOW).await;
        assert!(matches!(none, Err(Error::NotFound)));
        address(&world, TpAmb::Homologacao, Some(&["nfe.*"]), 12).await;
        let id = world.store.send_test_event(world.tenant, TpAmb::Homologacao, NOW).await.unwrap();
        let taken = take(&world.store, NOW).await.pop().unwrap();
        assert_eq!((taken.lease.delivery_id, taken.evento.as_str(), taken.restantes, taken.extra), (id, "webhook.teste", 1, 0));
    }
}
