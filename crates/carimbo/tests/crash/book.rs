//! The caller's record: the requested notes and the answers it received. Shared by the calls of a round.

use crate::answers::AnswerLog;
use crate::city_halls;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// The kind of a note, with its expected outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobKind {
    /// An NF-e that ends authorised.
    Good,
    /// An NF-e that ends rejected.
    Rejected,
    /// An NF-e that requests number 1. It ends failed unless it was the first to request it.
    TakenNumber,
    /// An NF-e of the company that uses EPEC while its authority is out.
    Announced,
    /// An NFC-e.
    Sale,
    /// An NFC-e that asks to be offline.
    Offline,
    /// A CT-e.
    Cargo,
    /// A CT-e OS.
    Passengers,
    /// A CT-e that asks to be offline.
    Travelling,
    /// A national NFS-e.
    Service,
    /// An RPS of a city hall that takes lots.
    Municipal,
}

impl JobKind {
    /// Returns the type in its routes and events.
    pub(crate) fn tipo(self) -> &'static str {
        match self {
            JobKind::Good | JobKind::Rejected | JobKind::TakenNumber | JobKind::Announced => "nfe",
            JobKind::Sale | JobKind::Offline => "nfce",
            JobKind::Cargo | JobKind::Passengers | JobKind::Travelling => "cte",
            JobKind::Service | JobKind::Municipal => "nfse",
        }
    }

    /// Returns the path to which it is posted.
    pub(crate) fn route(self) -> String {
        match self {
            JobKind::Municipal => city_halls::ROUTE.to_owned(),
            _ => format!("/v1/{}/emitir", self.tipo()),
        }
    }
}

/// A note the caller wants issued once.
#[derive(Debug, Clone)]
pub(crate) struct Note {
    pub(crate) kind: JobKind,
    /// Set by the 202, or by the 200 of a replay.
    pub(crate) job_id: Option<String>,
    /// The caller requested its cancellation; the outcome of the request may be unknown.
    pub(crate) cancellation_asked: bool,
    /// The reference of its correction, if the caller asked for one.
    pub(crate) correction: Option<String>,
}

/// Another request to be done once: a correction, or a voiding of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    pub(crate) path: &'static str,
    pub(crate) body: Value,
    /// Set by the 202, or by the 200 of a replay.
    pub(crate) job_id: Option<String>,
}

/// A document for an act.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) referencia: String,
    pub(crate) job_id: String,
    pub(crate) tipo: &'static str,
}

#[derive(Debug, Default)]
pub(crate) struct Pages {
    /// By reference.
    pub(crate) notes: BTreeMap<String, Note>,
    /// By reference.
    pub(crate) wishes: BTreeMap<String, Wish>,
    /// Jobs of cancellations that were accepted with a 202, and the type of their document.
    pub(crate) cancellations: Vec<(String, &'static str)>,
    /// All answers about notes.
    pub(crate) given: AnswerLog,
}

impl Note {
    fn is_untouched(&self) -> bool {
        !self.cancellation_asked && self.correction.is_none()
    }
}

impl Pages {
    /// Adds a wish under a reference of its own.
    fn add(&mut self, path: &'static str, mut body: Value) -> String {
        let referencia = format!("QUER{:06}", self.wishes.len());
        body["referencia_externa"] = referencia.clone().into();
        self.wishes.insert(referencia.clone(), Wish { path, body, job_id: None });
        referencia
    }
}

#[derive(Clone, Default)]
pub(crate) struct Book(Arc<Mutex<Pages>>);

impl Book {
    pub(crate) fn pages(&self) -> MutexGuard<'_, Pages> {
        self.0.lock().unwrap()
    }

    /// Adds a note with a reference of its own.
    pub(crate) fn want(&self, kind: JobKind) -> String {
        let mut pages = self.pages();
        let referencia = format!("PED{:06}", pages.notes.len() + 1);
        let note = Note { kind, job_id: None, cancellation_asked: false, correction: None };
        pages.notes.insert(referencia.clone(), note);
        referencia
    }

    /// Adds a wish; `body` gets its position in the book.
    pub(crate) fn wish(&self, path: &'static str, body: impl FnOnce(usize) -> Value) -> String {
        let mut pages = self.pages();
        let body = body(pages.wishes.len());
        pages.add(path, body)
    }

    /// Adds a correction of a note, unless the note has an act already.
    pub(crate) fn correct(&self, note: &str, body: Value) -> Option<String> {
        let mut pages = self.pages();
        let kind = pages.notes.get(note).filter(|note| note.is_untouched())?.kind;
        let path = if kind.tipo() == "cte" { "/v1/cte/carta-correcao" } else { "/v1/nfe/carta-correcao" };
        let referencia = pages.add(path, body);
        pages.notes.get_mut(note)?.correction = Some(referencia.clone());
        Some(referencia)
    }

    /// Returns the references of wishes without an answer.
    pub(crate) fn unanswered_wishes(&self) -> Vec<String> {
        let pages = self.pages();
        let open = pages.wishes.iter().filter(|(_, wish)| wish.job_id.is_none());
        open.map(|(referencia, _)| referencia.clone()).collect()
    }

    /// Returns the references of notes without an answer.
    pub(crate) fn unanswered(&self) -> Vec<String> {
        let pages = self.pages();
        pages.notes.iter().filter(|(_, note)| note.job_id.is_none()).map(|(referencia, _)| referencia.clone()).collect()
    }

    /// Returns the jobs without a final state in the answers so far.
    pub(crate) fn undecided(&self) -> Vec<String> {
        let pages = self.pages();
        let jobs = pages.notes.values().filter_map(|note| note.job_id.clone());
        jobs.filter(|job_id| !pages.given.has_end(job_id)).collect()
    }

    /// Jobs of notes of a kind.
    pub(crate) fn jobs_of(&self, kind: JobKind) -> Vec<String> {
        let pages = self.pages();
        pages.notes.values().filter(|note| note.kind == kind).filter_map(|note| note.job_id.clone()).collect()
    }

    /// Returns good documents that were accepted, with no cancellation or correction requested: the queries allowed for
    /// one key in an hour are few.
    pub(crate) fn untouched(&self) -> Vec<Candidate> {
        let pages = self.pages();
        let acted_on = [JobKind::Good, JobKind::Cargo, JobKind::Passengers];
        let good = pages.notes.iter().filter(|(_, note)| acted_on.contains(&note.kind) && note.is_untouched());
        let found = good.filter_map(|(referencia, note)| {
            Some(Candidate { referencia: referencia.clone(), job_id: note.job_id.clone()?, tipo: note.kind.tipo() })
        });
        found.collect()
    }
}
