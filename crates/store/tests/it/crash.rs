//! A process killed at any moment has lost nothing that it answered. The test starts itself again as the child to be
//! killed.

use crate::world::{NOW, chave_of, master_key, prepared, series};
use crate::world::{Place, World, claim_request, outcome, reserve};
use fiscal::lifecycle::DocumentState;
use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use store::Visibility;
use store::jobs::{JobStatus, SignedDocument};
use store::numbers::NumberState;
use store::{Location, Store};
use uuid::Uuid;

const ROLE: &str = "CARIMBO_CRASH_CHILD";
const CLOCK: &str = "CARIMBO_CRASH_CLOCK";
const TEST: &str = "crash::everything_answered_is_there_after_a_kill";
const ROUNDS: u64 = 15;
const SEED: u64 = 20_261_120;
const TENANT: Uuid = Uuid::from_u128(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_answered_is_there_after_a_kill() {
    if let Some(folder) = std::env::var_os(ROLE) {
        return child(PathBuf::from(folder)).await;
    }
    let world = World::sqlite().await;
    world.store.close().await;
    let Place::Folder(folder) = &*world.place else { panic!("not a folder") };
    let mut answered = Answered::default();
    for round in 0..ROUNDS {
        let lines = until_killed(folder, round, 1 + (SEED * (round + 1)) % 397);
        assert!(!lines.is_empty());
        answered.read(lines);
        answered.check(&world.open_again().await).await;
    }
    println!(
        "seed {SEED}: {ROUNDS} kills, {} registrations and {} settlements answered, all there",
        answered.registered.len(),
        answered.settled.len()
    );
    assert!(answered.registered.len() > 100 && answered.settled.len() > 20);
}

/// Starts the child, reads so many lines of answers, kills it, and returns all its answers.
fn until_killed(folder: &Path, round: u64, answers: u64) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", TEST, "--nocapture"])
        .env(ROLE, folder)
        .env(CLOCK, (NOW + 1000 * i64::try_from(round).unwrap()).to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let answer = |line: &String| line.starts_with("registered ") || line.starts_with("settled ");
    let mut lines: Vec<String> = Vec::new();
    while (lines.len() as u64) < answers {
        lines.extend(output.next().expect("the child ended by itself").ok().filter(answer));
    }
    child.kill().unwrap();
    // The last line may be cut in the middle; that answer was not given.
    lines.extend(output.map_while(Result::ok).filter(answer).filter(|line| line.ends_with('.')));
    child.wait().unwrap();
    lines
}

#[derive(Default)]
struct Answered {
    registered: HashSet<Uuid>,
    settled: HashMap<Uuid, u64>,
}

impl Answered {
    fn read(&mut self, lines: Vec<String>) {
        for line in lines {
            let words: Vec<&str> = line.trim_end_matches('.').split(' ').collect();
            let id = Uuid::parse_str(words[1]).unwrap();
            match words[0] {
                "registered" => drop(self.registered.insert(id)),
                _ => drop(self.settled.insert(id, words[2].parse().unwrap())),
            }
        }
    }

    async fn check(&self, store: &Store) {
        for id in &self.registered {
            store.job(Visibility::whole(TENANT), *id).await.expect("a registration that was answered");
        }
        let ledger = store.ledger(TENANT, series()).await.unwrap();
        let used: HashMap<u64, Option<Uuid>> =
            ledger.iter().filter(|row| row.state == NumberState::Used).map(|row| (row.numero, row.job_id)).collect();
        for (id, numero) in &self.settled {
            let job = store.job(Visibility::whole(TENANT), *id).await.unwrap();
            assert_eq!((job.status, job.document.unwrap().state), (JobStatus::Completed, DocumentState::Authorized));
            assert_eq!(used.get(numero), Some(&Some(*id)), "number {numero}");
        }
        let numbers: Vec<u64> = ledger.iter().map(|row| row.numero).collect();
        assert_eq!(numbers, (1..=u64::try_from(numbers.len()).unwrap()).collect::<Vec<_>>(), "no gap in the ledger");
        store.close().await;
    }
}

/// Registers and settles jobs as fast as it can, prints each answer, and never ends by itself.
async fn child(folder: PathBuf) {
    let location = Location::Sqlite(folder.join("carimbo.db"));
    let store = Store::open(&location, master_key()).await.unwrap();
    let world = Arc::new(World { store, tenant: TENANT, place: Arc::new(Place::Elsewhere(location)) });
    for _ in 0..24 {
        let world = Arc::clone(&world);
        tokio::spawn(async move {
            loop {
                say(&format!("registered {}.\n", world.register(world.job()).await));
            }
        });
    }
    // Later in every round, so that the leases of an earlier child are over.
    let now = std::env::var(CLOCK).unwrap().parse().unwrap();
    loop {
        let claimed = world.store.claim(claim_request(now, 16)).await.unwrap();
        if claimed.is_empty() {
            world.store.wait_for_work(Duration::from_millis(20)).await;
        }
        let settling: Vec<_> =
            claimed.into_iter().map(|claim| tokio::spawn(settle(Arc::clone(&world), claim))).collect();
        for settled in settling {
            settled.await.unwrap();
        }
    }
}

async fn settle(world: Arc<World>, claim: store::jobs::ClaimedJob) {
    let id = claim.job.id;
    let document = world.store.reserve(claim.lease, reserve(None), NOW).await.unwrap();
    // An earlier child may have sent it already: then the same key is given again.
    let sent = SignedDocument { numero: document.numero, ..prepared(chave_of(id)) };
    world.store.begin_sending(claim.lease, sent, NOW, Vec::new()).await.unwrap();
    world.store.settle(claim.lease, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
    say(&format!("settled {id} {}.\n", document.numero));
}

/// Writes each line with a single call, so that lines of several threads do not mix.
fn say(line: &str) {
    std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
}
