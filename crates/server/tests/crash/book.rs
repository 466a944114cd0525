//! What the caller knows: which notes it asked for, and what it was told. Shared by the calls of a round.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// What kind of note it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It ends authorised.
    Good,
    /// It ends rejected.
    Rejected,
    /// It asks for number 1: it ends failed, unless it was the first to ask.
    TakenNumber,
}

/// A note the caller wants issued once.
#[derive(Debug, Clone)]
pub(crate) struct Note {
    pub(crate) kind: Kind,
    /// Told with the 202, or with the 200 of a replay.
    pub(crate) job_id: Option<String>,
    /// The caller asked for its cancellation; whether that was heard may be unknown.
    pub(crate) cancellation_asked: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Pages {
    /// By reference.
    pub(crate) notes: BTreeMap<String, Note>,
    /// Jobs of cancellations that were accepted with a 202.
    pub(crate) cancellations: Vec<String>,
}

#[derive(Clone, Default)]
pub(crate) struct Book(Arc<Mutex<Pages>>);

impl Book {
    pub(crate) fn pages(&self) -> MutexGuard<'_, Pages> {
        self.0.lock().unwrap()
    }

    /// A new note with a reference of its own.
    pub(crate) fn want(&self, kind: Kind) -> String {
        let mut pages = self.pages();
        let referencia = format!("PED{:06}", pages.notes.len() + 1);
        pages.notes.insert(referencia.clone(), Note { kind, job_id: None, cancellation_asked: false });
        referencia
    }

    /// References that were never answered.
    pub(crate) fn unanswered(&self) -> Vec<String> {
        let pages = self.pages();
        pages.notes.iter().filter(|(_, note)| note.job_id.is_none()).map(|(referencia, _)| referencia.clone()).collect()
    }

    /// Good notes that were accepted and not asked to be cancelled.
    pub(crate) fn cancellable(&self) -> Vec<(String, String)> {
        let pages = self.pages();
        let good = pages.notes.iter().filter(|(_, note)| note.kind == Kind::Good && !note.cancellation_asked);
        good.filter_map(|(referencia, note)| Some((referencia.clone(), note.job_id.clone()?))).collect()
    }
}
