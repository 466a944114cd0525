//! Concurrent operations: unique results stay unique.

use crate::hand::Hand;
use crate::world::{
    NOW, OTHER_CNPJ, World, chave_of, claim_request, line, on_both, outcome, prepared, reserve, series,
};
use fiscal::lifecycle::DocumentState;
use fiscal::value::{CnpjCpf, Serie, TpAmb};
use std::collections::{HashMap, HashSet};
use store::audit::Actor;
use store::jobs::{ClaimedJob, Lease, NewJob, NumberRequest, RegistrationResult, SignedDocument};
use store::notes::{ListWindow, NoteFilter};
use store::numbers::{NumberState, NumberedKind, Series};
use store::{Error, Store, Visibility};
use uuid::Uuid;

/// The world's store and two more on the same location: three processes as far as the database can see.
async fn processes(world: &World) -> [Store; 3] {
    [world.store.clone(), world.open_again().await, world.open_again().await]
}

/// Two jobs of two companies that wait until `until`; the bound of the first one's queue is `looked`.
async fn waiting(world: &World, looked: i64, until: i64) -> [Uuid; 2] {
    let mut jobs = [world.register(world.job_of(OTHER_CNPJ)).await, world.register(world.job()).await];
    for claimed in world.claim(5).await {
        world.store.retry_at(claimed.lease, until, None, NOW, Vec::new()).await.unwrap();
    }
    assert!(world.claim_at(looked - 1, 5).await.is_empty(), "the lines rest");
    world.place.run(&format!("UPDATE lines SET next_at = {looked} WHERE cpf_cnpj <> '{OTHER_CNPJ}'")).await;
    jobs.sort_unstable();
    jobs
}

/// A transaction that brings all jobs forward has changed the jobs and is blocked on the queue row of one company when
/// a claim runs. Returns the jobs claimed then and after it.
async fn claimed_as_they_come_forward(
    world: &World,
    now: i64,
    forward: impl Future<Output = Result<(), store::Error>> + Send + 'static,
) -> Vec<Uuid> {
    let hand = Hand::of(world, &format!("SELECT 1 FROM lines WHERE cpf_cnpj = '{OTHER_CNPJ}' FOR UPDATE")).await;
    let bringing = tokio::spawn(forward);
    hand.until_waiting(1, &bringing).await;
    let store = world.store.clone();
    let claiming = tokio::spawn(async move { store.claim(claim_request(now, 5)).await.unwrap() });
    hand.until_waiting(2, &claiming).await;
    hand.lets_go().await;
    bringing.await.unwrap().unwrap();
    let mut claimed = claiming.await.unwrap();
    claimed.extend(world.claim_at(now + 1, 5).await);
    let mut jobs: Vec<Uuid> = claimed.into_iter().map(|claim| claim.job.id).collect();
    jobs.sort_unstable();
    jobs
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_in_the_middle_of_a_release_pushes_no_line_back() {
    let world = World::postgres().await;
    let now = NOW + 130;
    let jobs = waiting(&world, now, NOW + 900).await;
    let store = world.store.clone();
    let claimed =
        claimed_as_they_come_forward(&world, now, async move { store.release_waiting("SP", now).await }).await;
    assert_eq!(claimed, jobs, "every job that was released can be taken");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nor_one_while_a_clock_that_was_ahead_is_set_right() {
    let world = World::postgres().await;
    let now = NOW + 130;
    let jobs = waiting(&world, now, NOW + 86_400).await;
    let store = world.store.clone();
    let right = async move { store.clamp_future_instants(now, crate::clock::LONGEST).await.map(drop) };
    assert_eq!(claimed_as_they_come_forward(&world, now, right).await, jobs);
}

/// Series of two companies and two kinds of notes.
fn all_series() -> [Series; 4] {
    let company = |cpf_cnpj| CnpjCpf::parse(cpf_cnpj).unwrap();
    let own = Series { serie: Serie::from(2), ..series() };
    [
        series(),
        own,
        Series { cpf_cnpj: company(OTHER_CNPJ), ..series() },
        Series { counted: NumberedKind::Nfce, ..series() },
    ]
}

/// Registers 120 jobs, a third of them twice, in three processes; then claims all of them, each with its series.
async fn register_at_once(world: &World, round: usize) -> Vec<(ClaimedJob, Series)> {
    let stores = processes(world).await;
    let mut series_of = HashMap::new();
    let mut calls = Vec::new();
    for (call, series) in (0..120).zip(all_series().into_iter().cycle()) {
        let referencia = Some(format!("R{round}-{call}"));
        let job = NewJob { referencia, ..world.job_of(series.cpf_cnpj.as_str()) };
        for store in &stores[..if call % 3 == 0 { 2 } else { 1 }] {
            let job = NewJob { id: Uuid::now_v7(), ..job.clone() };
            series_of.insert(job.id, series);
            let store = store.clone();
            calls.push(tokio::spawn(async move { store.register(job, NOW).await.unwrap() }));
        }
    }
    let mut replays = 0;
    for call in calls {
        replays += usize::from(matches!(call.await.unwrap(), RegistrationResult::Replay { divergent: false, .. }));
    }
    assert_eq!(replays, 40);
    let claimed = world.claim(200).await;
    claimed.into_iter().map(|claim| (series_of[&claim.job.id], claim)).map(|(series, claim)| (claim, series)).collect()
}

/// Ends each job by its own path: every fifth is rejected, and of every eleventh another worker has taken the lease
/// meanwhile. Returns each result.
async fn end_at_once(world: &World, claimed: Vec<(ClaimedJob, Series)>) -> Vec<(Series, DocumentState)> {
    let stores = processes(world).await;
    let ends: Vec<_> = claimed
        .into_iter()
        .enumerate()
        .map(|(call, (claim, series))| {
            let store = stores[call % stores.len()].clone();
            tokio::spawn(async move {
                let state = if call % 5 == 0 { DocumentState::Rejected } else { DocumentState::Authorized };
                if call % 11 == 0 {
                    let lost = Lease { token: Uuid::now_v7(), ..claim.lease };
                    let reserved = store.reserve(lost, NumberRequest { series, ..reserve(None) }, NOW).await;
                    assert!(matches!(reserved, Err(Error::LeaseLost)), "{reserved:?}");
                }
                let numero =
                    store.reserve(claim.lease, NumberRequest { series, ..reserve(None) }, NOW).await.unwrap().numero;
                let chave = chave_of(claim.job.id);
                let sent = SignedDocument { numero, ..prepared(chave) };
                store.begin_sending(claim.lease, sent, NOW, line("enviando")).await.unwrap();
                store.settle(claim.lease, outcome(state), NOW, line("respondida")).await.unwrap();
                let job = store.job(Visibility::whole(claim.job.tenant_id), claim.job.id).await.unwrap();
                let document = job.document.unwrap();
                assert_eq!((document.numero, document.state, document.chave), (numero, state, Some(chave)));
                let log = store.log(claim.job.tenant_id, claim.job.id).await.unwrap();
                assert_eq!(log.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), ["enviando", "respondida"]);
                (series, state)
            })
        })
        .collect();
    let mut ended = Vec::new();
    for end in ends {
        ended.push(end.await.unwrap());
    }
    ended
}

on_both! {
    async fn one_reference_fifty_times_at_once_is_one_job(world) {
        let stores = processes(&world).await;
        for round in 0..5 {
            let calls: Vec<_> = (0..50).map(|call| {
                let referencia = Some(format!("PED{round}"));
                let job = NewJob { id: Uuid::now_v7(), referencia, ..world.job() };
                let store = stores[call % stores.len()].clone();
                tokio::spawn(async move { store.register(job, NOW).await.unwrap() })
            }).collect();
            let (mut new, mut replayed) = (Vec::new(), Vec::new());
            for call in calls {
                match call.await.unwrap() {
                    RegistrationResult::New(job) => new.push(job.id),
                    RegistrationResult::Replay { job, divergent } => {
                        assert!(!divergent);
                        replayed.push(job.id);
                    }
                }
            }
            assert_eq!((new.len(), replayed.len()), (1, 49));
            assert!(replayed.iter().all(|id| *id == new[0]));
        }
        assert_eq!(world.claim(100).await.len(), 5);
    }

    async fn eight_claimers_never_take_one_job_twice_and_leave_none(world) {
        let stores = processes(&world).await;
        for number in 0..200 {
            let job = if number % 4 == 0 { world.job_of(OTHER_CNPJ) } else { world.job() };
            world.register(job).await;
        }
        let claimers: Vec<_> = (0..8).map(|claimer| {
            let store = stores[claimer % stores.len()].clone();
            tokio::spawn(async move {
                let mut taken = Vec::new();
                // Other claims may hold the rest for a moment: only several empty claims mean that nothing is left.
                let mut empty = 0;
                while empty < 20 {
                    let claimed = store.claim(claim_request(NOW, 7)).await.unwrap();
                    empty = if claimed.is_empty() { empty + 1 } else { 0 };
                    taken.extend(claimed.into_iter().map(|claim| claim.job.id));
                }
                taken
            })
        }).collect();
        let mut taken = Vec::new();
        for claimer in claimers {
            taken.extend(claimer.await.unwrap());
        }
        assert_eq!(taken.len(), 200);
        assert_eq!(taken.iter().collect::<HashSet<_>>().len(), 200);
    }

    async fn jobs_registered_while_lines_run_empty_are_all_found(world) {
        let stores = processes(&world).await;
        let registering: Vec<_> = (0..4).map(|writer| {
            let store = stores[writer % stores.len()].clone();
            let jobs: Vec<_> = (0..50).map(|_| world.job()).collect();
            tokio::spawn(async move {
                for job in jobs {
                    store.register(job, NOW).await.unwrap();
                }
            })
        }).collect();
        let store = stores[2].clone();
        let claiming = tokio::spawn(async move {
            let mut taken = HashSet::new();
            while taken.len() < 200 {
                let claimed = store.claim(claim_request(NOW, 64)).await.unwrap();
                if claimed.is_empty() {
                    tokio::task::yield_now().await;
                }
                taken.extend(claimed.into_iter().map(|claim| claim.job.id));
            }
        });
        for writer in registering {
            writer.await.unwrap();
        }
        // A queue pushed back during a registration would leave that job waiting for ever.
        tokio::time::timeout(std::time::Duration::from_secs(60), claiming).await.expect("a job was forgotten").unwrap();
    }

    async fn two_hundred_reservations_at_once_are_two_hundred_numbers(world) {
        let stores = processes(&world).await;
        for _ in 0..200 {
            world.register(world.job()).await;
        }
        let claimed = world.claim(200).await;
        assert_eq!(claimed.len(), 200);
        let reserving: Vec<_> = claimed.into_iter().zip(0_usize..).map(|(claim, call)| {
            let store = stores[call % stores.len()].clone();
            tokio::spawn(async move {
                let numero = store.reserve(claim.lease, reserve(None), NOW).await.unwrap().numero;
                // Some are rejected while others reserve: their numbers are reused.
                if call % 5 == 0 {
                    store.settle(claim.lease, outcome(DocumentState::Rejected), NOW, Vec::new()).await.unwrap();
                    return None;
                }
                Some(numero)
            })
        }).collect();
        let mut held = Vec::new();
        for reservation in reserving {
            held.extend(reservation.await.unwrap());
        }
        assert_eq!(held.len(), 160);
        assert_eq!(held.iter().collect::<HashSet<_>>().len(), 160);
        let ledger = world.store.ledger(world.tenant, series()).await.unwrap();
        let numbers: Vec<u64> = ledger.iter().map(|row| row.numero).collect();
        assert_eq!(numbers, (1..=u64::try_from(numbers.len()).unwrap()).collect::<Vec<_>>(), "no gap");
        assert!(numbers.len() <= 200);
        let reserved: HashSet<u64> =
            ledger.iter().filter(|row| row.state == NumberState::Reserved).map(|row| row.numero).collect();
        assert_eq!(reserved, held.into_iter().collect(), "a number that nobody's document has is held");
    }

    async fn a_hundred_and_twenty_notes_of_four_series_at_once_end_each_in_its_own_way(world) {
        let mut kinds = Vec::new();
        // In the second round released numbers are among those to reserve.
        for round in 0..2 {
            let claimed = register_at_once(&world, round).await;
            assert_eq!(claimed.len(), 120);
            kinds.extend(end_at_once(&world, claimed).await);
        }
        for series in all_series() {
            let ledger = world.store.ledger(world.tenant, series).await.unwrap();
            let numbers: Vec<u64> = ledger.iter().map(|row| row.numero).collect();
            assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "no gap in {series:?}");
            let used = ledger.iter().filter(|row| row.state == NumberState::Used).count();
            let authorised = kinds.iter().filter(|kind| **kind == (series, DocumentState::Authorized)).count();
            assert_eq!(used, authorised);
            assert!(ledger.len() < kinds.iter().filter(|kind| kind.0 == series).count(), "none was taken again");
        }
        for state in [DocumentState::Authorized, DocumentState::Rejected] {
            let filter = NoteFilter { state: Some(state), ..NoteFilter::default() };
            let window = ListWindow { limit: 1, skip: 0 };
            let (_, total) = world.store.notes(Visibility::whole(world.tenant), filter, window).await.unwrap();
            assert_eq!(total, kinds.iter().filter(|kind| kind.1 == state).count() as u64);
        }
        let quotas = world.store.quotas(world.tenant, TpAmb::Homologacao, NOW).await.unwrap();
        assert_eq!(quotas.iter().map(|quota| quota.consumo).sum::<u64>(), 240);
    }

    async fn one_certificate_uploaded_twice_at_once_is_one_key(world) {
        let tenants: Vec<Uuid> = (0..10).map(|_| Uuid::now_v7()).collect();
        let stores = processes(&world).await;
        let company = world.job().cpf_cnpj;
        for tenant in tenants {
            world.store.create_company(tenant, company, serde_json::json!({}), &Actor::operator(), NOW).await.unwrap();
            let uploads: Vec<_> = stores.iter().cloned().map(|store| {
                tokio::spawn(async move {
                    let record = store::companies::CertificateRecord {
                        titular: String::new(),
                        emissor: String::new(),
                        numero_serie: String::new(),
                        valido_de: 0,
                        valido_ate: 0,
                    };
                    let (pfx, senha) = (b"pfx".to_vec().into(), "senha".to_owned().into());
                    let certificate = store::companies::NewCertificate { pfx, senha, record };
                    store.save_certificate(tenant, company, certificate, &Actor::operator(), NOW).await.unwrap();
                })
            }).collect();
            for upload in uploads {
                upload.await.unwrap();
            }
            assert_eq!(world.store.open_certificate(tenant, company).await.unwrap().pfx.as_slice(), b"pfx");
        }
    }
}
