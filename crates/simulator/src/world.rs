//! State of a simulator, behind short locks: settings (read by every request), the ledger, and the parts beside it.
//!
//! Parsing, signatures and rules run outside of the locks.

use crate::abrasf;
use crate::clock::Clock;
use crate::credential::Examiner;
use crate::desk::Desk;
use crate::faults::Faults;
use crate::late::LateQueue;
use crate::ledger::Ledger;
use crate::limits::Limits;
use crate::lost::LostBook;
use crate::nfse::{Notes, Witness};
use crate::pki::Pki;
use crate::settings::Settings;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

pub(crate) struct World {
    pub(crate) clock: Clock,
    pub(crate) faults: Faults,
    pub(crate) late: LateQueue,
    pub(crate) examiner: Examiner,
    address: Mutex<String>,
    settings: Mutex<Arc<Settings>>,
    ledger: Mutex<Ledger>,
    limits: Mutex<Limits>,
    desk: Mutex<Desk>,
    nfse: Mutex<Notes>,
    municipal: Mutex<abrasf::Notes>,
    pub(crate) pki: Pki,
    /// Log of the national NFS-e.
    pub(crate) witness: Witness,
    /// Changes when open connections must be closed.
    hang_up: watch::Sender<u64>,
}

impl World {
    pub(crate) fn new(pki: &Pki, seed: u64) -> anyhow::Result<World> {
        Ok(World {
            clock: Clock::default(),
            faults: Faults::new(seed),
            late: LateQueue::default(),
            examiner: Examiner::new(pki)?,
            address: Mutex::default(),
            settings: Mutex::default(),
            ledger: Mutex::new(Ledger::new(seed)),
            limits: Mutex::default(),
            desk: Mutex::default(),
            nfse: Mutex::new(Notes::new(seed)),
            municipal: Mutex::new(abrasf::Notes::new(seed)),
            pki: pki.clone(),
            witness: Witness::default(),
            hang_up: watch::Sender::new(0),
        })
    }
    /// A snapshot of the settings; later changes are not in it.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        Arc::clone(&locked(&self.settings))
    }
    /// The settings under their lock, to change them.
    pub(crate) fn settings_mut(&self) -> Changing<'_> {
        Changing(locked(&self.settings))
    }
    pub(crate) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        locked(&self.ledger)
    }
    pub(crate) fn limits(&self) -> MutexGuard<'_, Limits> {
        locked(&self.limits)
    }
    /// Locked after the ledger, never before it.
    pub(crate) fn desk(&self) -> MutexGuard<'_, Desk> {
        locked(&self.desk)
    }
    /// Memory of the Sefin; locked alone.
    pub(crate) fn nfse(&self) -> MutexGuard<'_, Notes> {
        locked(&self.nfse)
    }
    /// Memory of the municipal providers; locked alone, or before the settings.
    pub(crate) fn municipal(&self) -> MutexGuard<'_, abrasf::Notes> {
        locked(&self.municipal)
    }
    pub(crate) fn address(&self) -> String {
        locked(&self.address).clone()
    }
    pub(crate) fn set_address(&self, address: String) {
        *locked(&self.address) = address;
    }
    /// Restores the first state; faults, clock and settings included.
    pub(crate) fn reset(&self) {
        self.faults.clear();
        self.late.clear();
        self.clock.run(crate::clock::Running::Real);
        *self.settings_mut() = Settings::default();
        self.limits().clear();
        self.ledger().clear();
        *self.desk() = Desk::default();
        self.nfse().clear();
        self.municipal().clear();
    }
    /// Makes everything registered visible to queries; returns the number of hidden documents.
    pub(crate) fn reveal(&self) -> usize {
        let documents = self.ledger().reveal();
        let notes = self.nfse().reveal();
        documents + notes + self.municipal().reveal()
    }
    /// Removes documents and notes; returns their number.
    pub(crate) fn forget(&self, lost: &LostBook) -> usize {
        let documents = self.ledger().forget(|document| lost.has(document));
        let notes = self.nfse().forget(|note| lost.has_nfse(note));
        documents + notes + self.municipal().forget(|note| lost.has_municipal(note))
    }
    /// Number of documents and notes that are hidden from queries.
    pub(crate) fn hidden(&self) -> usize {
        let documents = self.ledger().hidden();
        let notes = self.nfse().hidden();
        documents + notes + self.municipal().hidden()
    }
    /// Closes connections that wait for a request.
    pub(crate) fn hang_up(&self) {
        self.hang_up.send_modify(|times| *times += 1);
    }
    pub(crate) fn hang_ups(&self) -> watch::Receiver<u64> {
        self.hang_up.subscribe()
    }
}

/// Settings under change. A snapshot that a reader holds keeps the old values: the settings are copied then.
pub(crate) struct Changing<'a>(MutexGuard<'a, Arc<Settings>>);

impl Deref for Changing<'_> {
    type Target = Settings;

    fn deref(&self) -> &Settings {
        &self.0
    }
}

impl DerefMut for Changing<'_> {
    fn deref_mut(&mut self) -> &mut Settings {
        Arc::make_mut(&mut self.0)
    }
}

/// Ignores poisoning: a panic in one request must not end the others.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
