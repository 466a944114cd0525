//! Claims: fair between companies, quick with a backlog, and no job twice.

use crate::world::{CNPJ, NOW, OTHER_CNPJ, World, claim_request, on_both};
use std::collections::HashMap;
use std::time::Duration;
use store::jobs::{ClaimRequest, ClaimedJob, JobStatus, NewJob};
use store::{Error, Visibility};
use uuid::Uuid;

const THIRD_CNPJ: &str = "00000000000191";

fn per_company(claimed: &[ClaimedJob]) -> HashMap<String, usize> {
    let mut count = HashMap::new();
    for claim in claimed {
        *count.entry(claim.job.cpf_cnpj.as_str().to_owned()).or_default() += 1;
    }
    count
}

async fn queue(world: &World, cpf_cnpj: &str, jobs: usize) {
    for _ in 0..jobs {
        world.register(world.job_of(cpf_cnpj)).await;
    }
}

on_both! {
    async fn a_claim_gives_at_most_what_was_asked_oldest_first(world) {
        let mut registered = Vec::new();
        for _ in 0..5 {
            registered.push(world.register(world.job()).await);
        }
        let mut claimed: Vec<Uuid> = world.claim(3).await.iter().map(|claim| claim.job.id).collect();
        claimed.extend(world.claim(3).await.iter().map(|claim| claim.job.id));
        assert_eq!(claimed, registered);
        assert!(world.claim(3).await.is_empty());
    }

    async fn when_an_authority_works_again_the_oldest_go_first_whatever_they_waited_for(world) {
        let mut registered = Vec::new();
        for _ in 0..4 {
            registered.push(world.register(world.job()).await);
        }
        let claimed = world.claim(2).await;
        for (claim, run_at) in claimed.iter().zip([NOW + 180, NOW + 60]) {
            world.store.retry_at(claim.lease, run_at, None, NOW, Vec::new()).await.unwrap();
        }
        world.store.release_waiting(&claimed[0].job.authority, NOW + 5).await.unwrap();
        let again: Vec<Uuid> = world.store.claim(claim_request(NOW + 5, 4)).await.unwrap().iter().map(|claim| claim.job.id).collect();
        assert_eq!(again, registered);
    }

    async fn companies_are_served_in_turn(world) {
        queue(&world, CNPJ, 20).await;
        queue(&world, OTHER_CNPJ, 20).await;
        queue(&world, THIRD_CNPJ, 2).await;
        assert_eq!(per_company(&world.claim(6).await).into_values().collect::<Vec<_>>(), [2, 2, 2]);
        let pairs = per_company(&world.claim(10).await);
        assert_eq!((pairs[CNPJ], pairs[OTHER_CNPJ]), (5, 5));
        let mut turns = HashMap::new();
        for _ in 0..8 {
            for (company, count) in per_company(&world.claim(1).await) {
                *turns.entry(company).or_insert(0) += count;
            }
        }
        assert_eq!((turns[CNPJ], turns[OTHER_CNPJ]), (4, 4));
    }

    async fn a_lone_job_is_served_beside_a_backlog(world) {
        queue(&world, CNPJ, 60).await;
        world.claim(4).await;
        queue(&world, OTHER_CNPJ, 1).await;
        let claimed = per_company(&world.claim(4).await);
        assert_eq!(claimed, HashMap::from([(CNPJ.to_owned(), 3), (OTHER_CNPJ.to_owned(), 1)]));
    }

    async fn authorities_at_their_limit_are_left_out(world) {
        queue(&world, CNPJ, 2).await;
        let mg = world.register(NewJob { authority: "MG".to_owned(), ..world.job() }).await;
        let except = |authorities: &[&str]| ClaimRequest {
            except_authorities: authorities.iter().map(|&authority| authority.to_owned()).collect(),
            ..claim_request(NOW, 10)
        };
        assert!(world.store.claim(except(&["SP", "MG"])).await.unwrap().is_empty());
        let claimed = world.store.claim(except(&["SP", "RS"])).await.unwrap();
        assert_eq!(claimed.iter().map(|claim| claim.job.id).collect::<Vec<_>>(), [mg]);
        assert_eq!(world.store.claim(except(&[])).await.unwrap().len(), 2);
    }

    async fn a_job_whose_lease_ran_out_is_taken_by_another(world) {
        let first = world.begun().await;
        assert!(world.claim_at(NOW + 59, 10).await.is_empty());
        let second = world.claim_at(NOW + 60, 10).await.pop().unwrap();
        assert_eq!((second.job.id, second.job.tentativas), (first.job_id, 2));
    }

    async fn a_lease_is_over_by_its_own_clock_and_a_wait_by_the_clock_of_the_wall(world) {
        let held = world.begun().await;
        let fresh = world.register(world.job()).await;
        let jumped = ClaimRequest { leases_now: NOW + 1, ..claim_request(NOW + 600, 10) };
        let claimed = world.store.claim(jumped.clone()).await.unwrap();
        assert_eq!(claimed.iter().map(|claim| claim.job.id).collect::<Vec<_>>(), [fresh], "what is held stays where it is");
        let over = ClaimRequest { leases_now: NOW + 60, ..jumped };
        let taken = world.store.claim(over).await.unwrap();
        assert_eq!(taken.iter().map(|claim| claim.job.id).collect::<Vec<_>>(), [held.job_id]);
    }

    async fn an_empty_line_does_not_stay_and_comes_back(world) {
        for round in 0..3 {
            let id = world.register(world.job()).await;
            let claimed = world.claim(10).await.pop().unwrap();
            assert_eq!(claimed.job.id, id, "round {round}");
            let failure = store::jobs::JobFailure {
                codigo: "x".to_owned(),
                etapa: "validacao".to_owned(),
                mensagem: "x".to_owned(),
                repetivel: false,
                proxima_tentativa_em: None,
            };
            world.store.fail_job(claimed.lease, failure, None, NOW, Vec::new()).await.unwrap();
            assert!(world.claim_at(NOW + 100, 10).await.is_empty());
        }
    }

    async fn a_job_whose_key_cannot_be_read_ends_and_stops_nobody(world) {
        let (lease, _) = world.sending().await;
        world.place.run("UPDATE documents SET chave = '35'").await;
        let other = world.register(world.job()).await;
        let claimed: Vec<Uuid> = world.claim_at(NOW + 100, 10).await.iter().map(|claim| claim.job.id).collect();
        assert_eq!(claimed, [other]);
        let sight = Visibility::whole(world.tenant);
        assert!(matches!(world.store.job(sight, lease.job_id).await, Err(Error::Corrupt(_))));
        world.place.run("UPDATE documents SET chave = NULL").await;
        let job = world.store.job(sight, lease.job_id).await.unwrap();
        assert_eq!((job.status, job.erro.unwrap().codigo.as_str()), (JobStatus::Failed, "erro_interno"));
    }

    async fn new_work_wakes_whoever_waits(world) {
        assert!(world.claim(1).await.is_empty());
        let waiting = world.store.clone();
        let woken = tokio::spawn(async move { waiting.wait_for_work(Duration::from_secs(600)).await });
        world.register(world.job()).await;
        tokio::time::timeout(Duration::from_secs(30), woken).await.expect("it was not woken").unwrap();
        // Signalled between a claim and the wait: not lost either.
        assert_eq!(world.claim(1).await.len(), 1);
        world.register(world.job()).await;
        tokio::time::timeout(Duration::from_secs(30), world.store.wait_for_work(Duration::from_secs(600))).await.unwrap();
    }

    async fn waiting_ends_without_work_too(world) {
        world.claim(1).await;
        world.store.wait_for_work(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_registered_by_another_process_wakes_this_one() {
    let world = World::postgres().await;
    let other = world.open_again().await;
    // Repeated until a claim succeeds: the listening connection is up from then on.
    for _ in 0..2 {
        let registered = world.register(world.job()).await;
        let found = async {
            loop {
                let claimed = other.claim(claim_request(NOW, 1)).await.unwrap();
                match claimed.first() {
                    Some(claim) => return claim.job.id,
                    None => other.wait_for_work(Duration::from_secs(600)).await,
                }
            }
        };
        let found = tokio::time::timeout(Duration::from_secs(60), found).await.expect("nobody told it");
        assert_eq!(found, registered);
        let waiting = other.clone();
        assert!(other.claim(claim_request(NOW, 1)).await.unwrap().is_empty());
        let woken = tokio::spawn(async move { waiting.wait_for_work(Duration::from_secs(600)).await });
        world.register(world.job()).await;
        tokio::time::timeout(Duration::from_secs(60), woken).await.expect("it was not woken").unwrap();
        assert_eq!(other.claim(claim_request(NOW, 1)).await.unwrap().len(), 1);
    }
}
