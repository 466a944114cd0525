//! Checker of a run: records every answer given to callers, and compares it at the end with the documents of the
//! authorities.

use crate::authority::{AuthorityModel, HeldDocument};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use store::MemoryDatabase;
use store::webhooks::EventBody;

/// A promise that a run broke.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PromiseBreach {
    /// Name of the promise.
    pub promise: &'static str,
    /// The finding, for the report.
    pub detail: String,
}

/// Fields of a job that its caller is shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct JobAnswer {
    /// Label by order of appearance: ids differ from run to run.
    job: String,
    status: String,
    state: String,
    key: String,
    numero: String,
    codigo: String,
    erro: String,
    referencia: String,
    /// Receipt of an authority that accepted the document and answers later.
    receipt: String,
}

/// Longest wait of a retail sale for its document once nothing is answered: the status service is queried every three
/// minutes.
const MOST_WAIT_MS: u64 = 15 * 60_000;

/// Digits of an access key.
const KEY: usize = 44;

const ANSWERS: &str = "SELECT hex(j.id), j.status, d.state, d.asked_by, d.numero, d.codigo,
    COALESCE(j.erro_codigo, json_extract(j.erro, '$.codigo')), j.referencia, COALESCE(d.nRec, '')
    FROM jobs j LEFT JOIN documents d ON d.tenant_id = j.tenant_id AND d.job_id = j.id
    WHERE j.operacao = 'emissao' ORDER BY j.id";

/// A webhook event.
#[derive(Debug, Clone)]
struct WebhookRecord {
    evento: String,
    key: String,
    referencia: String,
}

/// True when a job of this reference is of a document's sale. The job of a superseded document has no reference; a
/// number that was released may come under the same identity for another sale.
fn is_of_sale(referencia: &str, document: &HeldDocument) -> bool {
    referencia.is_empty() || referencia == document.sale.replace(' ', "-")
}

/// All answers given so far, with the promises broken.
#[derive(Default)]
pub struct PromiseChecker {
    last: BTreeMap<String, JobAnswer>,
    labels: BTreeMap<String, String>,
    given: Vec<(u64, JobAnswer)>,
    breaches: BTreeSet<PromiseBreach>,
    /// Sales that were in the database, and are not in the copy that was restored.
    lost_sales: BTreeSet<String>,
    /// Time of the restore; `events_before` counts the webhook events until then.
    restored_at_ms: Option<u64>,
    events_before: usize,
    events: Arc<Mutex<Vec<WebhookRecord>>>,
}

impl PromiseChecker {
    /// Returns a maker of webhook bodies that records each event.
    pub fn event_body(&self) -> EventBody {
        let events = Arc::clone(&self.events);
        EventBody::new(move |told| {
            let key = told.document.and_then(|document| document.asked_by.clone()).unwrap_or_default();
            let referencia = told.job.referencia.clone().unwrap_or_default();
            let event = WebhookRecord { evento: told.evento.to_owned(), key, referencia };
            events.lock().unwrap_or_else(PoisonError::into_inner).push(event);
            "{}".to_owned()
        })
    }

    /// Reads every job, records changed answers, and returns lines for the trace.
    pub fn read_answers(&mut self, database: &MemoryDatabase, at_ms: u64) -> Result<Vec<String>, store::Error> {
        let mut lines = Vec::new();
        for row in database.rows(ANSWERS)? {
            let mut row = row.into_iter();
            let mut next = || row.next().unwrap_or_default();
            let answer = JobAnswer {
                job: self.label(&next()),
                status: next(),
                state: next(),
                key: next(),
                numero: next(),
                codigo: next(),
                erro: next(),
                referencia: next(),
                receipt: next(),
            };
            let before = self.last.get(&answer.job);
            if before == Some(&answer) {
                continue;
            }
            self.check_transition(before.cloned(), &answer);
            lines.push(answer.line());
            self.last.insert(answer.job.clone(), answer.clone());
            self.given.push((at_ms, answer));
        }
        Ok(lines)
    }

    /// Label of a job, by order of appearance.
    fn label(&mut self, id: &str) -> String {
        let next = format!("J{}", self.labels.len() + 1);
        self.labels.entry(id.to_owned()).or_insert(next).clone()
    }

    /// Forgets the last answers: after a restore the next answer of a job need not follow from the last one.
    pub fn record_restore(&mut self, at_ms: u64) {
        self.last.clear();
        self.restored_at_ms = Some(at_ms);
        self.events_before = self.events.lock().unwrap_or_else(PoisonError::into_inner).len();
    }

    /// Checks that every retail sale has a document, issued off-line, some time after its authority stopped answering.
    pub fn check_retail_waits(&mut self, since_ms: u64, now_ms: u64) {
        let began = |answer: &JobAnswer| {
            let first = self.given.iter().find(|(_, given)| given.job == answer.job);
            first.map_or(now_ms, |(at_ms, _)| *at_ms)
        };
        let began_ms = |answer: &JobAnswer| began(answer).max(since_ms);
        // A document issued off-line is already with the buyer.
        let is_online = |key: &str| key.get(34..35) == Some("1");
        let is_retail = |answer: &&JobAnswer| {
            answer.key.get(20..22) == Some("65") && is_online(&answer.key) && !answer.referencia.is_empty()
        };
        let waits = |answer: &&JobAnswer| {
            let undecided = matches!(answer.state.as_str(), "sending" | "in_doubt") && answer.receipt.is_empty();
            undecided && answer.status == "pending" && answer.erro != "consumo_indevido"
        };
        // A sale of the restored copy may have been issued again already, which shows only when its authority answers.
        let is_copied = |answer: &JobAnswer| self.restored_at_ms.is_some_and(|at| began(answer) < at);
        let late = |answer: &&JobAnswer| !is_copied(answer) && now_ms.saturating_sub(began_ms(answer)) > MOST_WAIT_MS;
        let found = self.last.values().filter(is_retail).filter(waits).filter(late).map(JobAnswer::line);
        let found: Vec<String> = found.collect();
        found.into_iter().for_each(|line| self.breach("retail_does_not_wait", format!("{line} since {since_ms} ms")));
    }

    fn check_transition(&mut self, before: Option<JobAnswer>, after: &JobAnswer) {
        let Some(before) = before else { return };
        let allowed: &[&str] = match before.state.as_str() {
            "authorized" => &["authorized", "cancelled"],
            "rejected" => &["rejected"],
            "cancelled" => &["cancelled"],
            _ => return,
        };
        // Two jobs of a sale may have exchanged their documents: each is checked at the end, where it is then.
        let has_another = !after.key.is_empty() && after.key != before.key;
        if !has_another && !allowed.contains(&after.state.as_str()) {
            self.breach("went_back", format!("{} after {}", after.line(), before.line()));
        }
    }

    /// Records a sale that the restored copy does not hold.
    pub fn record_lost_sale(&mut self, mark: &str) {
        self.lost_sales.insert(mark.to_owned());
    }

    /// True for a sale that was in the database, and is not in the restored copy.
    pub fn is_lost(&self, mark: &str) -> bool {
        self.lost_sales.contains(mark)
    }

    /// Records a sale without a job. For a sale that was lost with the database this is no breach: its caller may have
    /// been answered that nothing is certain.
    pub fn record_missing_job(&mut self, mark: &str) {
        if !self.lost_sales.contains(mark) {
            self.breach("every_sale_has_a_job", mark.to_owned());
        }
    }

    fn breach(&mut self, promise: &'static str, detail: String) {
        self.breaches.insert(PromiseBreach { promise, detail });
    }

    /// Checks a run that has come to rest.
    pub fn broken_promises(
        mut self,
        database: &MemoryDatabase,
        authorities: &AuthorityModel,
    ) -> Result<Vec<PromiseBreach>, store::Error> {
        let held: Vec<(&str, &HeldDocument)> = authorities.documents().collect();
        self.one_live_document(&held);
        self.every_document_is_known(&held);
        self.no_false_refusal(&held);
        self.no_false_authorisation(&held);
        self.numbers(database, &held)?;
        self.every_job_has_ended(database, &held)?;
        Ok(self.breaches.into_iter().collect())
    }

    /// True for a document issued in contingency after the restored copy was taken: the operator finds it by the
    /// numbers that no job claims.
    fn is_lost_contingency(&self, document: &HeldDocument) -> bool {
        let is_contingency = document.chave.get(34..35).is_some_and(|tpEmis| tpEmis != "1");
        let is_known = self.last.values().any(|answer| answer.key == document.chave);
        self.restored_at_ms.is_some() && document.chave.len() == KEY && is_contingency && !is_known
    }

    /// True for a document of a sale that is left to its caller: one of its documents is, or may be, another one at the
    /// authority. A sale that is ordered again after a restore may have a document that is unknown here.
    fn is_left_to_people(&self, document: &HeldDocument) -> bool {
        let of_sale = |answer: &&JobAnswer| !answer.referencia.is_empty() && is_of_sale(&answer.referencia, document);
        self.last.values().filter(of_sale).any(JobAnswer::is_left_to_people)
    }

    fn one_live_document(&mut self, held: &[(&str, &HeldDocument)]) {
        let mut live: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let here = |document: &HeldDocument| {
            document.is_live() && !self.is_lost_contingency(document) && !self.is_left_to_people(document)
        };
        for (authority, document) in held.iter().filter(|(_, document)| here(document)) {
            live.entry(&document.sale).or_default().push(format!("{authority} {}", document.chave));
        }
        let twice: Vec<_> = live.into_iter().filter(|(_, documents)| documents.len() > 1).collect();
        for (sale, documents) in twice {
            self.breach("one_live_document", format!("{sale}: {}", documents.join(", ")));
        }
    }

    fn every_document_is_known(&mut self, held: &[(&str, &HeldDocument)]) {
        let expected: Vec<_> = held.iter().filter(|(_, document)| !self.is_lost_contingency(document)).collect();
        for (authority, document) in expected {
            let of_key = self
                .last
                .values()
                .find(|answer| answer.key == document.chave && is_of_sale(&answer.referencia, document));
            let known = of_key.map_or("unknown", |answer| answer.state.as_str());
            let left_to_people = of_key.is_some_and(JobAnswer::is_left_to_people) || self.is_left_to_people(document);
            let went_lost = of_key.is_none() && self.lost_sales.contains(&document.sale);
            if !matches!(known, "authorized" | "cancelled") && !left_to_people && !went_lost {
                let line = of_key.map(JobAnswer::line).unwrap_or_default();
                let detail = format!("{authority} has {} of {}, here {known} {line}", document.chave, document.sale);
                self.breach("every_document_is_known", detail);
            }
        }
    }

    fn no_false_refusal(&mut self, held: &[(&str, &HeldDocument)]) {
        let by_key = |key: &str, referencia: &str| {
            held.iter().find(|(_, document)| document.chave == key && is_of_sale(referencia, document))
        };
        let live_of = |sale: &str| held.iter().find(|(_, document)| document.is_live() && document.sale == sale);
        // A document refused before a restore may be sent again after it, and both answers are true.
        let came_later = |document: &HeldDocument| self.restored_at_ms.is_some_and(|at| document.registered_ms > at);
        let is_before = |at_ms: u64| self.restored_at_ms.is_some_and(|at| at_ms < at);
        let mut found = Vec::new();
        for (at_ms, answer) in &self.given {
            let refused = answer.state == "rejected" || answer.status == "cancelled" && answer.state == "failed";
            if !refused {
                continue;
            }
            let sale = answer.referencia.replace('-', " ");
            // The job of a superseded document reports that document, not the sale.
            let is_of_sale = answer.state == "rejected" && !sale.is_empty();
            let live = if is_of_sale { live_of(&sale) } else { None };
            let held = by_key(&answer.key, &answer.referencia).or(live);
            if let Some((authority, document)) = held.filter(|(_, it)| !(is_before(*at_ms) && came_later(it))) {
                let detail = format!("at {at_ms} ms {}, but {authority} has {}", answer.line(), document.chave);
                let promise =
                    if answer.state == "rejected" { "no_false_refusal" } else { "no_document_is_dropped_alive" };
                found.push((promise, detail));
            }
        }
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let refusals = events.iter().enumerate().filter(|(_, it)| it.evento.ends_with(".rejeitada"));
        for (place, WebhookRecord { evento, key, referencia }) in refusals {
            let is_before = place < self.events_before;
            let held = by_key(key, referencia).filter(|(_, it)| !(is_before && came_later(it)));
            if let Some((authority, _)) = held {
                found.push(("no_false_refusal", format!("webhook {evento} of {key}, but {authority} has it")));
            }
        }
        found.into_iter().for_each(|(promise, detail)| self.breach(promise, detail));
    }

    fn no_false_authorisation(&mut self, held: &[(&str, &HeldDocument)]) {
        let mut found = Vec::new();
        for (at_ms, answer) in self.given.iter().filter(|(_, answer)| answer.state == "authorized") {
            if !held.iter().any(|(_, document)| document.chave == answer.key) {
                found.push(format!("at {at_ms} ms {}", answer.line()));
            }
        }
        found.into_iter().for_each(|detail| self.breach("no_false_authorisation", detail));
    }

    fn numbers(&mut self, database: &MemoryDatabase, held: &[(&str, &HeldDocument)]) -> Result<(), store::Error> {
        let sql = "SELECT n.counted, n.serie, n.numero, n.state, COALESCE(q.ready_at, ''), COALESCE(d.state, '')
            FROM numbers n LEFT JOIN queue q ON q.job_id = n.job_id LEFT JOIN documents d ON d.job_id = n.job_id";
        let cleared = database.rows("SELECT counted, serie FROM restored_series WHERE cleared_at IS NOT NULL")?;
        let cleared: BTreeSet<(&String, &String)> =
            cleared.iter().filter_map(|row| Some((row.first()?, row.get(1)?))).collect();
        for row in database.rows(sql)? {
            let [counted, serie, numero, state, waits, document] = &row[..] else { continue };
            let of_number = |it: &HeldDocument| match counted.as_str() {
                "dps" => it.chave.get(3..).is_some_and(|id| id.ends_with(&format!("{serie:0>5}{numero:0>15}"))),
                "rps" => it.chave.split('-').skip(3).take(2).eq([serie.as_str(), numero.as_str()]),
                modelo => it.chave.get(20..34) == Some(&format!("{modelo}{serie:0>3}{numero:0>9}")),
            };
            let there = held.iter().find(|(_, it)| of_number(it));
            let line = format!("{counted} {numero} is {state} (document {document})");
            match (state.as_str(), there) {
                // Until the series is cleared with the authority, the states of its numbers are those of the copy.
                ("released", Some(_)) if self.restored_at_ms.is_some() && !cleared.contains(&(counted, serie)) => {}
                ("released", Some((authority, it))) => {
                    self.breach("no_freed_number_is_used", format!("{line}, but {authority} has {}", it.chave));
                }
                ("used", None) => self.breach("every_used_number_is_there", line),
                ("reserved", _) if waits.is_empty() && document != "in_doubt" => {
                    self.breach("every_number_is_explained", line);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn every_job_has_ended(
        &mut self,
        database: &MemoryDatabase,
        held: &[(&str, &HeldDocument)],
    ) -> Result<(), store::Error> {
        let sql = "SELECT COALESCE(j.erro_codigo, json_extract(j.erro, '$.codigo'), ''), COALESCE(d.state, ''),
            COALESCE(j.referencia, ''), j.tipo, j.operacao, hex(j.id), COALESCE(j.erro, '')
            FROM queue q JOIN jobs j ON j.id = q.job_id LEFT JOIN documents d ON d.job_id = j.id";
        let is_shown = |document: &HeldDocument| self.last.values().any(|answer| answer.key == document.chave);
        let unshown: Vec<_> = held.iter().map(|(_, it)| it).filter(|it| !is_shown(it)).collect();
        let people_look = self.last.values().any(JobAnswer::is_left_to_people);
        let waits_for_people = |row: &[String]| {
            let [codigo, state, referencia, ..] = row else { return false };
            match codigo.as_str() {
                // The authority holds a document of the sale that cannot be built again from the copy.
                "registro_incerto" => unshown.iter().any(|document| is_of_sale(referencia, document)),
                // The cancellation of a superseded document, while the second one is left to the operator.
                "substituta_nao_autorizada" => people_look,
                // A second document that is not signed before the operator has resolved the first one.
                "em_duvida" => people_look && matches!(state.as_str(), "" | "accepted"),
                _ => false,
            }
        };
        let waiting = database.rows(sql)?;
        let unended: Vec<String> =
            waiting.iter().filter(|row| !waits_for_people(row)).map(|row| row.join(" ")).collect();
        unended.into_iter().for_each(|detail| self.breach("every_job_ends", detail));
        let undecided: Vec<String> =
            self.last.values().filter(|answer| answer.is_undecided()).map(JobAnswer::line).collect();
        undecided.into_iter().for_each(|line| self.breach("no_document_stays_in_doubt", line));
        Ok(())
    }
}

impl JobAnswer {
    fn line(&self) -> String {
        let JobAnswer { job, status, state, key, numero, codigo, erro, referencia, receipt: _ } = self;
        let key = key.get(20..).unwrap_or(key);
        format!("{job} {referencia} {status}/{state} nº {numero} key …{key} code {codigo} error {erro}")
    }

    fn is_undecided(&self) -> bool {
        self.status == "failed" && self.state == "in_doubt" && !self.is_left_to_people()
    }

    /// True when the caller was answered that the authority has something else, or that the first document of the sale
    /// must be resolved first; both are left to people.
    fn is_left_to_people(&self) -> bool {
        let waits_for_the_first = self.state.is_empty() && self.status == "pending" && self.erro == "em_duvida";
        let is_its_own = self.state == "in_doubt"
            && matches!(
                self.erro.as_str(),
                "protocolo_divergente" | "chave_repetida" | "em_duvida" | "registro_incerto"
            );
        waits_for_the_first || is_its_own
    }
}
