//! State of a simulator, behind short locks: settings (read by every request), the ledger, and the parts beside it.
//!
//! Parsing, signatures and rules run outside of the locks.

use crate::abrasf::notes::MunicipalNotes;
use crate::clock::SimulatedClock;
use crate::credential::CertificateReader;
use crate::distribution_queue::DistributionQueues;
use crate::faults::script::FaultScript;
use crate::late_queue::LateQueue;
use crate::ledger::Ledger;
use crate::limits::CallLimits;
use crate::lost_book::LostBook;
use crate::nfse::notes::NationalNotes;
use crate::nfse::traffic_log::TrafficLog;
use crate::pki::Pki;
use crate::settings::SimulatorSettings;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Processes a late message.
pub(crate) type LateWork = Box<dyn FnOnce(&SimulatorState) + Send>;

pub(crate) struct SimulatorState {
    pub(crate) clock: SimulatedClock,
    pub(crate) faults: FaultScript,
    pub(crate) late: LateQueue<LateWork>,
    pub(crate) examiner: CertificateReader,
    address: Mutex<String>,
    settings: Mutex<Arc<SimulatorSettings>>,
    ledger: Mutex<Ledger>,
    limits: Mutex<CallLimits>,
    distribution_queues: Mutex<DistributionQueues>,
    nfse: Mutex<NationalNotes>,
    municipal: Mutex<MunicipalNotes>,
    pub(crate) pki: Pki,
    /// Log of the national NFS-e.
    pub(crate) traffic_log: TrafficLog,
    /// Changes when open connections must be closed.
    hang_up: watch::Sender<u64>,
}

impl SimulatorState {
    pub(crate) fn new(pki: &Pki, seed: u64) -> anyhow::Result<SimulatorState> {
        Ok(SimulatorState {
            clock: SimulatedClock::default(),
            faults: FaultScript::new(seed),
            late: LateQueue::default(),
            examiner: CertificateReader::new(pki)?,
            address: Mutex::default(),
            settings: Mutex::default(),
            ledger: Mutex::new(Ledger::new(seed)),
            limits: Mutex::default(),
            distribution_queues: Mutex::default(),
            nfse: Mutex::new(NationalNotes::new(seed)),
            municipal: Mutex::new(MunicipalNotes::new(seed)),
            pki: pki.clone(),
            traffic_log: TrafficLog::default(),
            hang_up: watch::Sender::new(0),
        })
    }
    /// A snapshot of the settings; later changes are not in it.
    pub(crate) fn settings(&self) -> Arc<SimulatorSettings> {
        Arc::clone(&locked(&self.settings))
    }
    /// The settings under their lock, to change them.
    pub(crate) fn settings_mut(&self) -> SettingsGuard<'_> {
        SettingsGuard(locked(&self.settings))
    }
    pub(crate) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        locked(&self.ledger)
    }
    pub(crate) fn limits(&self) -> MutexGuard<'_, CallLimits> {
        locked(&self.limits)
    }
    /// Locked after the ledger, never before it.
    pub(crate) fn distribution_queues(&self) -> MutexGuard<'_, DistributionQueues> {
        locked(&self.distribution_queues)
    }
    /// Memory of the Sefin; locked alone.
    pub(crate) fn nfse(&self) -> MutexGuard<'_, NationalNotes> {
        locked(&self.nfse)
    }
    /// Memory of the municipal providers; locked alone, or before the settings.
    pub(crate) fn municipal(&self) -> MutexGuard<'_, MunicipalNotes> {
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
        self.clock.set_mode(crate::clock::ClockMode::Real);
        *self.settings_mut() = SimulatorSettings::default();
        self.limits().clear();
        self.ledger().clear();
        *self.distribution_queues() = DistributionQueues::default();
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
    pub(crate) fn close_idle_connections(&self) {
        self.hang_up.send_modify(|times| *times += 1);
    }
    pub(crate) fn closing_signal(&self) -> watch::Receiver<u64> {
        self.hang_up.subscribe()
    }
}

/// Settings under change. A snapshot that a reader holds keeps the old values: the settings are copied then.
pub(crate) struct SettingsGuard<'a>(MutexGuard<'a, Arc<SimulatorSettings>>);

impl Deref for SettingsGuard<'_> {
    type Target = SimulatorSettings;

    fn deref(&self) -> &SimulatorSettings {
        &self.0
    }
}

impl DerefMut for SettingsGuard<'_> {
    fn deref_mut(&mut self) -> &mut SimulatorSettings {
        Arc::make_mut(&mut self.0)
    }
}

/// Ignores poisoning: a panic in one request must not end the others.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
