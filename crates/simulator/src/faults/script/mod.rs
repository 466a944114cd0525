//! The script of a simulator's faults, repeatable from a seed.
//!
//! Faults are drawn once per request, in the order in which they were added: every latency that applies is summed, and
//! of the other kinds the first that applies wins.

use super::{DrawnFaults, Fault, FaultTarget, FaultType, SeededRandom};
use crate::magic::FaultArrivals;
use serde::Serialize;
use std::sync::{Mutex, PoisonError};

/// A fault with its counts.
#[derive(Debug, Clone, Serialize)]
pub struct ScriptedFault {
    /// Number, by which it is removed.
    pub id: u64,
    #[serde(flatten)]
    pub fault: Fault,
    /// Number of times it happened.
    pub ocorrencias: u64,
    /// Number of times it may still happen; absent when without end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restantes: Option<u64>,
}

struct ScriptEntry {
    scripted: ScriptedFault,
    to_pass: u64,
    chance: SeededRandom,
}

#[derive(Default)]
struct ScriptState {
    entries: Vec<ScriptEntry>,
    last_id: u64,
}

/// The script of a simulator.
pub struct FaultScript {
    script: Mutex<ScriptState>,
    arrivals: FaultArrivals,
    seed: u64,
}

impl FaultScript {
    pub(crate) fn new(seed: u64) -> FaultScript {
        FaultScript { script: Mutex::default(), arrivals: FaultArrivals::default(), seed }
    }

    /// Adds a fault to the end of the script and returns its number.
    pub fn add(&self, fault: Fault) -> u64 {
        let mut script = self.script();
        script.last_id += 1;
        let id = script.last_id;
        let restantes = match (fault.vezes, &fault.probabilidade) {
            (Some(times), _) => Some(times),
            (None, Some(_)) => None,
            (None, None) => Some(1),
        };
        let chance = SeededRandom::new(fault.semente.unwrap_or(self.seed.wrapping_add(id)));
        let to_pass = fault.apos.unwrap_or(0);
        script.entries.push(ScriptEntry {
            scripted: ScriptedFault { id, fault, ocorrencias: 0, restantes },
            to_pass,
            chance,
        });
        id
    }

    /// Removes a fault; `false` when there is none of that number.
    pub fn remove(&self, id: u64) -> bool {
        let mut script = self.script();
        let before = script.entries.len();
        script.entries.retain(|entry| entry.scripted.id != id);
        script.entries.len() < before
    }

    pub fn clear(&self) {
        self.script().entries.clear();
        self.arrivals.clear();
    }

    /// The script, exhausted faults included.
    pub fn list(&self) -> Vec<ScriptedFault> {
        self.script().entries.iter().map(|entry| entry.scripted.clone()).collect()
    }

    /// Draws for a request of a service.
    pub(crate) fn draw(&self, target: impl Into<FaultTarget>, body: &[u8]) -> DrawnFaults {
        let target = target.into();
        let mut drawn = DrawnFaults::default();
        for entry in &mut self.script().entries {
            let fault = &entry.scripted.fault;
            if matches!(fault.tipo, FaultType::Refuse | FaultType::TlsFailure)
                || (drawn.fault.is_some() && fault.tipo != FaultType::Latency)
                || !fault.applies(target, body)
                || !entry.happens()
            {
                continue;
            }
            drawn.apply_fault(entry.scripted.fault.clone());
        }
        if let Some(fault) = self.arrivals.fault(target, body)
            && (drawn.fault.is_none() || fault.tipo == FaultType::Latency)
        {
            drawn.apply_fault(fault);
        }
        drawn
    }

    /// Draws for a connection, before anything is known of it.
    pub(crate) fn draw_connection(&self) -> Option<FaultType> {
        let mut script = self.script();
        let mut connection = script
            .entries
            .iter_mut()
            .filter(|entry| matches!(entry.scripted.fault.tipo, FaultType::Refuse | FaultType::TlsFailure));
        connection.find_map(|entry| entry.happens().then_some(entry.scripted.fault.tipo))
    }

    fn script(&self) -> std::sync::MutexGuard<'_, ScriptState> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ScriptEntry {
    fn happens(&mut self) -> bool {
        if self.scripted.restantes == Some(0) {
            return false;
        }
        if self.to_pass > 0 {
            self.to_pass -= 1;
            return false;
        }
        if let Some(probability) = self.scripted.fault.probabilidade
            && !self.chance.happens(probability)
        {
            return false;
        }
        self.scripted.ocorrencias += 1;
        self.scripted.restantes = self.scripted.restantes.map(|left| left - 1);
        true
    }
}

#[cfg(test)]
mod tests;
