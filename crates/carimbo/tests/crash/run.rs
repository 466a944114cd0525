//! The rounds: start, post, kill; then a last start, after which all work must end.

use crate::book::{Book, Candidate, JobKind};
use crate::caller::{Caller, cancellation, correction, emission, municipal, sale, service, transport, voiding};
use crate::chance::Chance;
use crate::child::Process;
use crate::points::{POINTS, Scene, faults};
use crate::verify;
use crate::world::{ANNOUNCER, CNPJ, Database, VOIDERS, World};
use http::StatusCode;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Longest start, on a busy machine.
const START: Duration = Duration::from_secs(60);
/// Longest wait of a round for its crash point.
const ROUND: Duration = Duration::from_secs(6);
/// Interval between two queries of outcomes, and most ids of one.
const LOOK: Duration = Duration::from_millis(150);
const MOST_IDS: usize = 200;
/// Every ninth process is calm: it runs until all work is done, at most for `CALM`.
const CALM_EVERY: u64 = 9;
const CALM: Duration = Duration::from_secs(6);
/// Longest outage at the start of a process; it ends when `TWINS` of the sales were issued again.
const OUTAGE: Duration = Duration::from_secs(6);
const TWINS: usize = 1;
/// Fewest visits of every point in a full run.
const AT_LEAST: u64 = 2;
/// Fewest kills of a full run.
const FULL_RUN: u64 = 100;

struct Run {
    world: World,
    caller: Caller,
    book: Book,
    chance: Chance,
    reached: BTreeMap<&'static str, u64>,
    anytime: u64,
    /// Processes that did not reach their point.
    missed: BTreeMap<&'static str, u64>,
    /// The previous process left documents with unknown outcome, for which the queries of an hour are few.
    rest: bool,
}

/// A whole run on one database.
pub(crate) async fn run(database: Database, kills: u64, seed: u64) {
    println!("queda: banco={database:?} semente={seed} mortes pedidas={kills}");
    let started = Instant::now();
    let world = World::build(database, seed).await;
    let caller = Caller::new(world.api_key());
    let reached = POINTS.iter().map(|point| (point.name, 0)).collect();
    let mut run = Run {
        world,
        caller,
        book: Book::default(),
        chance: Chance::new(seed),
        reached,
        anytime: 0,
        missed: BTreeMap::new(),
        rest: false,
    };
    while run.kills() < kills || (kills >= FULL_RUN && run.least_reached().1 < AT_LEAST && run.kills() < 3 * kills) {
        run.round().await;
    }
    println!(
        "queda: banco={database:?} {} mortes em {} s: {:?}; não alcançados a tempo: {:?}",
        run.kills(),
        started.elapsed().as_secs(),
        run.reached,
        run.missed
    );
    if kills >= FULL_RUN {
        assert!(run.least_reached().1 >= AT_LEAST, "{} was reached too seldom", run.least_reached().0);
    }
    let counts = run.finish().await;
    println!(
        "queda: banco={database:?} semente={seed} mortes={} (em pontos {}, ao acaso {}) em {} s: {counts}",
        run.kills(),
        run.kills() - run.anytime,
        run.anytime,
        started.elapsed().as_secs(),
    );
    run.world.demolish().await;
}

impl Run {
    fn kills(&self) -> u64 {
        self.reached.values().sum::<u64>() + self.anytime
    }

    fn least_reached(&self) -> (&'static str, u64) {
        let least = POINTS.iter().map(|point| (point.name, self.reached[point.name])).min_by_key(|(_, times)| *times);
        least.unwrap_or(("", u64::MAX))
    }

    /// Runs one process. Two in three are killed at the point reached least so far, the others at a random moment.
    async fn round(&mut self) {
        let (point, scene) = self.plan();
        if let Some(outage) = scene.after() {
            self.outage(outage).await;
        }
        self.script(scene);
        let most = if scene.after().is_some() { 1 } else { 2 };
        let trap = point.map(|name| format!("{name}:{}", 1 + self.chance.below(most)));
        if scene.is_outage() {
            self.world.close_circuits().await;
        }
        let process = Process::start(&self.world.environment_of(scene), trap.as_deref(), &self.world.errors());
        let posting = self.post(&process, scene).await;
        match (point, scene) {
            (Some(_), _) => drop(process.when(ROUND, |said| said.point.is_some()).await),
            (None, Scene::Calm) => self.calm(&process).await,
            (None, _) => tokio::time::sleep(Duration::from_millis(self.chance.below(600))).await,
        }
        match process.said().point.and_then(|name| self.reached.get_mut(name.as_str())) {
            Some(times) => *times += 1,
            None => {
                self.anytime += 1;
                if let Some(name) = point {
                    *self.missed.entry(name).or_default() += 1;
                }
            }
        }
        process.kill().await;
        posting.abort_all();
        self.rest = matches!(scene, Scene::Mute | Scene::Dead) || scene.after().is_some();
        if scene.is_outage() {
            // processes are short, and a status may be queried only every three minutes
            self.world.close_circuits().await;
        }
    }

    async fn calm(&self, process: &Process) {
        let Some(base_url) = process.said().base_url else { return };
        let deadline = Instant::now() + CALM;
        while Instant::now() < deadline && !verify::nothing_is_left(&self.caller, &base_url).await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Runs a process that leaves documents with unknown outcome whose sales were issued again.
    async fn outage(&mut self, scene: Scene) {
        self.script(scene);
        self.world.close_circuits().await;
        let process = Process::start(&self.world.environment_of(scene), None, &self.world.errors());
        let before = self.book.jobs_of(JobKind::Sale);
        let posting = self.post(&process, scene).await;
        let base_url = process.said().base_url.unwrap_or_default();
        let deadline = Instant::now() + OUTAGE;
        while Instant::now() < deadline && self.issued_again(&base_url, &before).await < TWINS {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.anytime += 1;
        process.kill().await;
        posting.abort_all();
        self.world.close_circuits().await;
    }

    /// Returns the number of sales of this process with a second document.
    async fn issued_again(&self, base_url: &str, before: &[String]) -> usize {
        let mut found = 0;
        for job_id in self.book.jobs_of(JobKind::Sale).iter().filter(|job_id| !before.contains(job_id)) {
            let job = self.caller.get(base_url, &format!("/v1/nfce/consultar/{job_id}")).await;
            found += usize::from(job.is_some_and(|(_, job)| job["substitui_job_id"].is_string()));
        }
        found
    }

    fn plan(&mut self) -> (Option<&'static str>, Scene) {
        if self.rest || self.kills() % CALM_EVERY == CALM_EVERY - 1 {
            return (None, Scene::Calm);
        }
        if self.chance.one_in(3) {
            return (None, self.chance.pick(POINTS).scene);
        }
        let least = self.least_reached().1;
        let behind: Vec<_> = POINTS.iter().filter(|point| self.reached[point.name] == least).collect();
        let point = self.chance.pick(&behind);
        (Some(point.name), point.scene)
    }

    fn script(&mut self, scene: Scene) {
        self.world.simulator.faults().clear();
        for fault in faults(scene, self.chance.next()) {
            self.world.simulator.add_fault(fault);
        }
    }

    /// Starts the calls of a round, once the process listens; it may reach its point before that.
    async fn post(&mut self, process: &Process, scene: Scene) -> Posting {
        let mut posting = Posting::default();
        let listening = process.when(START, |said| said.base_url.is_some() || said.point.is_some()).await;
        let said = listening.unwrap_or_else(|| panic!("the process did not start:\n{}", self.last_errors()));
        let Some(base_url) = said.base_url else { return posting };
        posting.run(look(self.caller.clone(), base_url.clone(), self.book.clone()));
        for referencia in self.book.unanswered() {
            posting.emit(self.caller.clone(), &base_url, self.book.clone(), self.world.ear.url(), referencia);
        }
        for kind in self.kinds(scene) {
            let referencia = self.book.want(kind);
            posting.emit(self.caller.clone(), &base_url, self.book.clone(), self.world.ear.url(), referencia);
        }
        for referencia in self.book.unanswered_wishes() {
            posting.wish(self.caller.clone(), &base_url, self.book.clone(), referencia);
        }
        let acts = matches!(scene, Scene::Cancel | Scene::CancelLost | Scene::Correct | Scene::CorrectLost);
        for _ in 0..if acts { 3 } else { 0 } {
            let candidates = self.book.untouched();
            if !candidates.is_empty() {
                let chosen = self.chance.pick(&candidates).clone();
                let (caller, base_url, book) = (self.caller.clone(), base_url.clone(), self.book.clone());
                match scene {
                    Scene::Cancel | Scene::CancelLost => {
                        posting.run(cancel(caller, base_url, book, chosen));
                    }
                    _ => posting.run(correct(caller, base_url, book, chosen)),
                }
            }
        }
        if matches!(scene, Scene::Void | Scene::VoidLost) {
            let body = |place: usize| voiding(VOIDERS[place % VOIDERS.len()], place / VOIDERS.len());
            let referencia = self.book.wish("/v1/nfe/inutilizar", body);
            posting.wish(self.caller.clone(), &base_url, self.book.clone(), referencia);
        }
        posting
    }

    fn kinds(&mut self, scene: Scene) -> Vec<JobKind> {
        let mut kinds = vec![JobKind::Good, JobKind::Good, JobKind::Cargo, JobKind::Passengers];
        kinds.extend([JobKind::Service, JobKind::Municipal]);
        if self.chance.one_in(3) {
            kinds.push(JobKind::Rejected);
        }
        match scene {
            Scene::Late | Scene::Odd => kinds.extend([JobKind::Sale, JobKind::Service, JobKind::Municipal]),
            Scene::TakenNumber => kinds.extend([JobKind::TakenNumber, JobKind::TakenNumber]),
            Scene::Plain => kinds.extend([JobKind::Offline, JobKind::Offline, JobKind::Travelling]),
            Scene::Stopped | Scene::Mute | Scene::Dead => {
                kinds.extend([JobKind::Announced, JobKind::Announced, JobKind::Sale, JobKind::Sale]);
                kinds.extend([JobKind::Offline, JobKind::Travelling]);
            }
            _ => {}
        }
        kinds
    }

    /// Runs a process without faults and kills until all work has ended, and compares both sides.
    async fn finish(&mut self) -> verify::Counts {
        self.world.simulator.faults().clear();
        self.world.an_hour_passes().await;
        let process = Process::start(&self.world.environment, None, &self.world.errors());
        let said = process.when(START, |said| said.base_url.is_some()).await.expect("it starts");
        let base_url = said.base_url.unwrap_or_default();
        for referencia in self.book.unanswered() {
            emit(&self.caller, &base_url, &self.book, &self.world.ear.url(), &referencia).await;
        }
        for referencia in self.book.unanswered_wishes() {
            wish(&self.caller, &base_url, &self.book, &referencia).await;
        }
        assert_eq!(self.book.unanswered(), Vec::<String>::new(), "a reference was never accepted");
        assert_eq!(self.book.unanswered_wishes(), Vec::<String>::new(), "a wish was never accepted");
        let ended = verify::all_ended(&self.caller, &base_url, &self.book).await;
        let answers = self.book.pages().given.judge(&ended);
        println!("queda: {answers} respostas diferentes dadas no caminho, todas confirmadas no fim");
        verify::all_told(&self.caller, &base_url, &self.world.ear, &ended).await;
        process.stop().await;
        verify::both_sides_agree(&self.world, &self.book, &ended).await
    }

    fn last_errors(&self) -> String {
        let text = std::fs::read_to_string(self.world.errors()).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }
}

/// Calls under way; they end with the process.
#[derive(Default)]
struct Posting(tokio::task::JoinSet<()>);

impl Posting {
    fn emit(&mut self, caller: Caller, base_url: &str, book: Book, webhook_url: String, referencia: String) {
        let base_url = base_url.to_owned();
        self.0.spawn(async move { emit(&caller, &base_url, &book, &webhook_url, &referencia).await });
    }

    fn wish(&mut self, caller: Caller, base_url: &str, book: Book, referencia: String) {
        let base_url = base_url.to_owned();
        self.0.spawn(async move { wish(&caller, &base_url, &book, &referencia).await });
    }

    fn run(&mut self, call: impl Future<Output = ()> + Send + 'static) {
        self.0.spawn(call);
    }

    fn abort_all(mut self) {
        self.0.abort_all();
    }
}

/// Returns the body for a note of a kind.
pub(crate) fn order(kind: JobKind, referencia: &str, webhook_url: &str) -> Value {
    let mut body = match kind {
        JobKind::Good | JobKind::Rejected | JobKind::TakenNumber => {
            emission(CNPJ, referencia, webhook_url, kind == JobKind::Rejected)
        }
        JobKind::Announced => emission(ANNOUNCER, referencia, webhook_url, false),
        JobKind::Sale | JobKind::Offline => sale(CNPJ, referencia, webhook_url, kind == JobKind::Offline),
        JobKind::Cargo | JobKind::Passengers | JobKind::Travelling => {
            transport(CNPJ, referencia, webhook_url, kind == JobKind::Passengers)
        }
        JobKind::Service => service(CNPJ, referencia, webhook_url),
        JobKind::Municipal => municipal(ANNOUNCER, referencia, webhook_url),
    };
    if kind == JobKind::Travelling {
        body["nota"]["identificacao"]["tpEmis"] = 2.into();
    }
    if kind == JobKind::TakenNumber {
        body["nota"]["identificacao"]["nNF"] = 1.into();
    }
    body
}

async fn emit(caller: &Caller, base_url: &str, book: &Book, webhook_url: &str, referencia: &str) {
    let kind = book.pages().notes[referencia].kind;
    let body = order(kind, referencia, webhook_url);
    let Some((status, answer)) = caller.post(base_url, &kind.route(), &body).await else { return };
    assert!(matches!(status, StatusCode::ACCEPTED | StatusCode::OK), "{referencia}: {status} {answer}");
    let job_id = answer["job_id"].as_str().map(str::to_owned);
    let mut pages = book.pages();
    pages.given.keep(&answer);
    if let Some(note) = pages.notes.get_mut(referencia) {
        note.job_id = job_id;
    }
}

/// Queries notes without an outcome repeatedly, and records the answers.
async fn look(caller: Caller, base_url: String, book: Book) {
    loop {
        tokio::time::sleep(LOOK).await;
        let undecided = book.undecided();
        for ids in undecided.chunks(MOST_IDS) {
            let asked = serde_json::json!({ "job_ids": ids });
            let Some((StatusCode::OK, found)) = caller.post(&base_url, "/v1/jobs/consultar-lote", &asked).await else {
                continue;
            };
            let jobs = found["jobs"].as_array().cloned().unwrap_or_default();
            jobs.iter().for_each(|job| book.pages().given.keep(job));
        }
    }
}

/// Posts the request of a wish, for the first time or again.
async fn wish(caller: &Caller, base_url: &str, book: &Book, referencia: &str) {
    let wish = book.pages().wishes[referencia].clone();
    let Some((status, answer)) = caller.post(base_url, wish.path, &wish.body).await else { return };
    assert!(matches!(status, StatusCode::ACCEPTED | StatusCode::OK), "{referencia}: {status} {answer}");
    if let Some(wish) = book.pages().wishes.get_mut(referencia) {
        wish.job_id = answer["job_id"].as_str().map(str::to_owned);
    }
}

async fn is_authorised(caller: &Caller, base_url: &str, candidate: &Candidate) -> bool {
    let Candidate { job_id, tipo, .. } = candidate;
    let job = caller.get(base_url, &format!("/v1/{tipo}/consultar/{job_id}")).await;
    job.is_some_and(|(_, job)| job["nota"]["status"] == "autorizada")
}

/// Corrects a note that is authorised by now; others are left alone.
async fn correct(caller: Caller, base_url: String, book: Book, candidate: Candidate) {
    if !is_authorised(&caller, &base_url, &candidate).await {
        return;
    }
    let Candidate { referencia, job_id, tipo } = candidate;
    if let Some(correction) = book.correct(&referencia, correction(CNPJ, &job_id, tipo)) {
        wish(&caller, &base_url, &book, &correction).await;
    }
}

/// Cancels a note that is authorised by now; others are left alone.
async fn cancel(caller: Caller, base_url: String, book: Book, candidate: Candidate) {
    if !is_authorised(&caller, &base_url, &candidate).await {
        return;
    }
    let Candidate { referencia, job_id, tipo } = candidate;
    if let Some(note) = book.pages().notes.get_mut(&referencia) {
        note.cancellation_asked = true;
    }
    let body = cancellation(CNPJ, &job_id);
    if let Some((StatusCode::ACCEPTED, answer)) = caller.post(&base_url, &format!("/v1/{tipo}/cancelar"), &body).await {
        book.pages().cancellations.extend(answer["job_id"].as_str().map(|id| (id.to_owned(), tipo)));
    }
}
