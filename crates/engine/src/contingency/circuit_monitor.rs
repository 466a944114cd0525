//! Circuits and blocks as this process sees them: a copy of the store's state, at most a second old, and its own count
//! of failures.
//!
//! A circuit's state belongs to the installation: a change is written over the version that was read, so that several
//! processes agree and a restart forgets nothing. The count before that is each process's own.

use super::breaker::{self, CircuitSignal, FailureStreak};
use super::{ContingencyOptions, role_name};
use crate::Engine;
use crate::authorities::health::Channel;
use authority::table::{AuthorityRole, AuthorityService};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::authorities::{AuthorityStates, Circuit, CircuitKey, CircuitState};

/// Greatest age of the copy, in seconds.
const COPY_LIFETIME_S: i64 = 1;
/// Seconds between two trials of a half-open circuit by one process.
const TRIAL_EVERY_S: i64 = 5;
/// Attempts to apply a signal while other processes change the same circuit.
const ATTEMPTS: usize = 3;

/// State of the circuits in this process.
pub(crate) struct CircuitMonitor {
    pub(crate) options: ContingencyOptions,
    seen: Mutex<CircuitSnapshot>,
}

#[derive(Default)]
struct CircuitSnapshot {
    overview: Arc<AuthorityStates>,
    read_at: Option<i64>,
    tallies: HashMap<CircuitKey, FailureStreak>,
    trials: HashMap<CircuitKey, i64>,
}

impl CircuitMonitor {
    pub(crate) fn new(options: ContingencyOptions) -> CircuitMonitor {
        CircuitMonitor { options, seen: Mutex::default() }
    }

    fn seen(&self) -> MutexGuard<'_, CircuitSnapshot> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the next read go to the store.
    pub(super) fn invalidate(&self) {
        self.seen().read_at = None;
    }

    pub(super) fn failures_in_row(&self, key: &CircuitKey) -> u32 {
        self.seen().tallies.get(key).map_or(0, |tally| tally.failures)
    }

    /// `true` if this caller may try a half-open circuit now.
    pub(super) fn take_trial(&self, key: &CircuitKey, now: i64) -> bool {
        let mut seen = self.seen();
        let last = seen.trials.get(key).copied();
        let free = last.is_none_or(|last| (now - last).abs() >= TRIAL_EVERY_S);
        if free {
            seen.trials.insert(key.clone(), now);
        }
        free
    }
}

impl Engine {
    /// Circuits and blocks, as any process of this installation last wrote them.
    pub(crate) async fn authority_overview(&self) -> Result<Arc<AuthorityStates>, store::Error> {
        let now = self.now_s();
        {
            let seen = self.inner.circuit_monitor.seen();
            if seen.read_at.is_some_and(|at| (now - at).abs() < COPY_LIFETIME_S) {
                return Ok(Arc::clone(&seen.overview));
            }
        }
        let overview = Arc::new(self.store().authorities(now).await?);
        self.inner.undue_use.merge_blocks(&overview.blocks);
        let mut seen = self.inner.circuit_monitor.seen();
        seen.overview = Arc::clone(&overview);
        seen.read_at = Some(now);
        Ok(overview)
    }

    /// Writes the blocks that were recorded since the last write.
    pub(crate) async fn store_blocks(&self) -> Result<(), store::Error> {
        let mut unwritten = self.inner.undue_use.take_unwritten();
        while let Some(block) = unwritten.last() {
            if let Err(error) = self.store().save_block(block.clone()).await {
                self.inner.undue_use.restore_unwritten(unwritten);
                return Err(error);
            }
            self.inner.circuit_monitor.invalidate();
            unwritten.pop();
        }
        Ok(())
    }

    pub(crate) async fn circuit(&self, key: &CircuitKey) -> Result<Circuit, store::Error> {
        let overview = self.authority_overview().await?;
        let known = overview.circuits.iter().find(|circuit| circuit.key == *key);
        Ok(known.cloned().unwrap_or_else(|| breaker::unknown(key.clone())))
    }

    /// Key of the circuit of a channel's authority in a role.
    pub(crate) fn circuit_key(&self, channel: &Channel, role: AuthorityRole) -> Option<CircuitKey> {
        // without a status service no answer would close the circuit again: each document tries by itself
        channel.family.wire.official(AuthorityService::StatusServico)?;
        let authority = role_name(&self.inner.table, channel, role)?;
        Some(CircuitKey { authority, modelo: channel.family.modelo, ambiente: channel.ambiente })
    }

    /// Applies a signal to a circuit. A store that does not answer loses it: the next one comes soon.
    pub(crate) async fn record_signal(&self, key: &CircuitKey, signal: CircuitSignal, why: &str) {
        for _ in 0..ATTEMPTS {
            match self.apply_signal(key, signal, why).await {
                Ok(true) => return,
                Ok(false) => self.inner.circuit_monitor.invalidate(),
                Err(error) => return tracing::warn!(%error, "a circuit's change could not be kept"),
            }
        }
    }

    /// Applies a signal once; `false` when another process changed the circuit meanwhile.
    async fn apply_signal(&self, key: &CircuitKey, signal: CircuitSignal, why: &str) -> Result<bool, store::Error> {
        let (now, thresholds) = (self.now_s(), self.inner.circuit_monitor.options.thresholds);
        let circuit = self.circuit(key).await?;
        let (next, before) = {
            let mut seen = self.inner.circuit_monitor.seen();
            let tally = seen.tallies.entry(key.clone()).or_default();
            let before = *tally;
            (breaker::next(&circuit, tally, signal, why, now, &thresholds), before)
        };
        let Some(next) = next else { return Ok(true) };
        if !self.store().change_circuit(next.clone()).await? {
            // the signal is applied again, over the state that the other process wrote
            self.inner.circuit_monitor.seen().tallies.insert(key.clone(), before);
            return Ok(false);
        }
        self.inner.circuit_monitor.invalidate();
        log_transition(&circuit, &next);
        if next.state != CircuitState::Open {
            // jobs that wait for this authority need not wait their time out
            self.store().release_waiting(&key.authority, now).await?;
        }
        Ok(true)
    }
}

fn log_transition(before: &Circuit, after: &Circuit) {
    let state = word(after.state);
    metrics::counter!("carimbo_circuit_changes_total", "authority" => after.key.authority.clone(), "state" => state)
        .increment(1);
    let (authority, modelo, ambiente) = (&after.key.authority, after.key.modelo, after.key.ambiente.word());
    let (from, cause) = (word(before.state), after.reason.as_deref().unwrap_or_default());
    match after.state {
        CircuitState::Closed => {
            tracing::info!(
                authority.name = authority,
                modelo,
                ambiente,
                from,
                to = state,
                "circuit closed: the authority works"
            );
        }
        CircuitState::Open | CircuitState::HalfOpen => {
            tracing::warn!(
                authority.name = authority,
                modelo,
                ambiente,
                from,
                to = state,
                error.cause = cause,
                "circuit changed"
            );
        }
    }
}

/// Portuguese word of a state, as operators see it.
pub const fn word(state: CircuitState) -> &'static str {
    match state {
        CircuitState::Closed => "fechado",
        CircuitState::Open => "aberto",
        CircuitState::HalfOpen => "meio_aberto",
    }
}
