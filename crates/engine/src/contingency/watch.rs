//! Circuits and blocks as this process sees them: a copy of the store's state, at most a second old, and its own count
//! of failures.
//!
//! A circuit's state belongs to the installation: a change is written over the version that was read, so that several
//! processes agree and a restart forgets nothing. The count before that is each process's own.

use super::breaker::{self, Signal, Tally};
use super::{Options, role_name};
use crate::Engine;
use crate::authorities::bridge::Channel;
use authority::table::{Role, Service};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::authorities::{Circuit, CircuitKey, CircuitState, Overview};

/// Greatest age of the copy, in seconds.
const FRESH_S: i64 = 1;
/// Seconds between two trials of a half-open circuit by one process.
const TRIAL_EVERY_S: i64 = 5;
/// Attempts to apply a signal while other processes change the same circuit.
const ATTEMPTS: usize = 3;

/// State of the circuits in this process.
pub(crate) struct Watch {
    pub(crate) options: Options,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    overview: Arc<Overview>,
    read_at: Option<i64>,
    tallies: HashMap<CircuitKey, Tally>,
    trials: HashMap<CircuitKey, i64>,
}

impl Watch {
    pub(crate) fn new(options: Options) -> Watch {
        Watch { options, seen: Mutex::default() }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the next read go to the store.
    pub(super) fn stale(&self) {
        self.seen().read_at = None;
    }

    pub(super) fn suspects(&self, key: &CircuitKey) -> u32 {
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
    pub(crate) async fn overview(&self) -> Result<Arc<Overview>, store::Error> {
        let now = self.now_s();
        {
            let seen = self.inner.watch.seen();
            if seen.read_at.is_some_and(|at| (now - at).abs() < FRESH_S) {
                return Ok(Arc::clone(&seen.overview));
            }
        }
        let overview = Arc::new(self.store().authorities(now).await?);
        self.inner.undue_use.learn(&overview.blocks);
        let mut seen = self.inner.watch.seen();
        seen.overview = Arc::clone(&overview);
        seen.read_at = Some(now);
        Ok(overview)
    }

    /// Writes the blocks that were recorded since the last write.
    pub(crate) async fn keep_blocks(&self) -> Result<(), store::Error> {
        let mut unwritten = self.inner.undue_use.unwritten();
        while let Some(block) = unwritten.last() {
            if let Err(error) = self.store().keep_block(block.clone()).await {
                self.inner.undue_use.still_unwritten(unwritten);
                return Err(error);
            }
            self.inner.watch.stale();
            unwritten.pop();
        }
        Ok(())
    }

    pub(crate) async fn circuit(&self, key: &CircuitKey) -> Result<Circuit, store::Error> {
        let overview = self.overview().await?;
        let known = overview.circuits.iter().find(|circuit| circuit.key == *key);
        Ok(known.cloned().unwrap_or_else(|| breaker::unknown(key.clone())))
    }

    /// Key of the circuit of a channel's authority in a role.
    pub(crate) fn circuit_key(&self, channel: &Channel, role: Role) -> Option<CircuitKey> {
        // without a status service no answer would close the circuit again: each document tries by itself
        channel.family.wire.official(Service::StatusServico)?;
        let authority = role_name(&self.inner.table, channel, role)?;
        Some(CircuitKey { authority, modelo: channel.family.modelo, ambiente: channel.ambiente })
    }

    /// Applies a signal to a circuit. A store that does not answer loses it: the next one comes soon.
    pub(crate) async fn heard(&self, key: &CircuitKey, signal: Signal, why: &str) {
        for _ in 0..ATTEMPTS {
            match self.hear(key, signal, why).await {
                Ok(true) => return,
                Ok(false) => self.inner.watch.stale(),
                Err(error) => return tracing::warn!(%error, "a circuit's change could not be kept"),
            }
        }
    }

    /// Applies a signal once; `false` when another process changed the circuit meanwhile.
    async fn hear(&self, key: &CircuitKey, signal: Signal, why: &str) -> Result<bool, store::Error> {
        let (now, thresholds) = (self.now_s(), self.inner.watch.options.thresholds);
        let circuit = self.circuit(key).await?;
        let (next, before) = {
            let mut seen = self.inner.watch.seen();
            let tally = seen.tallies.entry(key.clone()).or_default();
            let before = *tally;
            (breaker::next(&circuit, tally, signal, why, now, &thresholds), before)
        };
        let Some(next) = next else { return Ok(true) };
        if !self.store().change_circuit(next.clone()).await? {
            // the signal is applied again, over the state that the other process wrote
            self.inner.watch.seen().tallies.insert(key.clone(), before);
            return Ok(false);
        }
        self.inner.watch.stale();
        told(&circuit, &next);
        if next.state != CircuitState::Open {
            // jobs that wait for this authority need not wait their time out
            self.store().release_waiting(&key.authority, now).await?;
        }
        Ok(true)
    }
}

fn told(before: &Circuit, after: &Circuit) {
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
