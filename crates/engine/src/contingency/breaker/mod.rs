//! Circuit breaker of an authority: one pure function that decides when it opens and closes. Times are arguments.
//!
//! Law: MOC 7.0, anexo III, 2.1.3 (a contingency begins when the normal environment does not work, which its status
//! service reports where it can). An authority's own report is believed at once; missing answers count only after a
//! while, since answers come from many machines, and one of them, or the network, may fail for a moment.

use store::authorities::{Circuit, CircuitKey, CircuitState};

/// Conditions that open a circuit, and its shortest time open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CircuitThresholds {
    /// Failures in a row that open a circuit by themselves. Five: a machine behind a balancer that is being replaced
    /// fails two or three calls in a row.
    pub failures: u32,
    /// Shortest duration of those failures, in seconds. Ten: a burst of parallel calls that one hiccup cuts is no
    /// outage, and a customer at a till waits no longer.
    pub failing_for_s: i64,
    /// Seconds for which an open circuit stays open whatever the signals. A minute: an authority that comes and goes
    /// must not reroute every document.
    pub least_open_s: i64,
}

impl Default for CircuitThresholds {
    fn default() -> CircuitThresholds {
        CircuitThresholds { failures: 5, failing_for_s: 10, least_open_s: 60 }
    }
}

/// Observation about an authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CircuitSignal {
    /// A document was judged.
    Worked,
    /// A document got no judgement: no connection, no reply, 108 or 109.
    Failed,
    /// A query about a document got no answer: no connection, no reply, HTTP 5xx, 108 or 109.
    QueryFailed,
    /// A query about a document got an answer, which does not prove that documents are judged.
    QueryAnswered,
    /// The status service reports that it works (107).
    StatusUp,
    /// The status service reports that it does not (108, 109).
    StatusDown,
    /// The status service did not answer.
    StatusSilent,
}

/// Failures in a row, as one process counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FailureStreak {
    /// Count of failures.
    pub(crate) failures: u32,
    /// Instant of the first one, in seconds since 1970.
    pub(crate) since: i64,
    /// True while only queries failed: an answer to one then ends the row.
    pub(crate) queries_only: bool,
}

impl FailureStreak {
    fn count(&mut self, signal: CircuitSignal, now: i64) {
        self.queries_only = signal == CircuitSignal::QueryFailed && (self.queries_only || self.failures == 0);
        // a clock that came back must not put the first failure into the future
        if self.failures == 0 || self.since > now {
            self.since = now;
        }
        self.failures = self.failures.saturating_add(1);
    }

    fn is_an_outage(self, now: i64, thresholds: &CircuitThresholds) -> bool {
        self.failures >= thresholds.failures && now - self.since >= thresholds.failing_for_s
    }
}

/// A closed circuit without history.
pub(crate) fn unknown(key: CircuitKey) -> Circuit {
    Circuit {
        key,
        state: CircuitState::Closed,
        since: 0,
        opened_at: None,
        reason: None,
        polled_at: 0,
        status_answer: None,
        status_answered_at: None,
        version: 0,
    }
}

/// Returns the circuit after a signal; `None` when it stays unchanged.
pub(crate) fn next(
    circuit: &Circuit,
    tally: &mut FailureStreak,
    signal: CircuitSignal,
    why: &str,
    now: i64,
    thresholds: &CircuitThresholds,
) -> Option<Circuit> {
    let suspected = tally.failures > 0;
    match signal {
        CircuitSignal::Worked => *tally = FailureStreak::default(),
        CircuitSignal::Failed | CircuitSignal::QueryFailed | CircuitSignal::StatusSilent => tally.count(signal, now),
        CircuitSignal::QueryAnswered if tally.queries_only => *tally = FailureStreak::default(),
        CircuitSignal::QueryAnswered | CircuitSignal::StatusUp | CircuitSignal::StatusDown => {}
    }
    // an instant ahead of now was written by a clock that has come back since
    let rested = !(0..thresholds.least_open_s).contains(&(now - circuit.since));
    let state = match (circuit.state, signal) {
        (CircuitState::Closed, CircuitSignal::StatusDown) => CircuitState::Open,
        (CircuitState::Closed, CircuitSignal::Failed | CircuitSignal::QueryFailed | CircuitSignal::StatusSilent)
            if tally.is_an_outage(now, thresholds) =>
        {
            CircuitState::Open
        }
        (
            CircuitState::HalfOpen,
            CircuitSignal::Failed
            | CircuitSignal::QueryFailed
            | CircuitSignal::StatusDown
            | CircuitSignal::StatusSilent,
        ) => CircuitState::Open,
        (CircuitState::Open, CircuitSignal::StatusUp) if rested => CircuitState::HalfOpen,
        // an answer to a call from before the outage came late
        (CircuitState::Open, CircuitSignal::Worked) if rested => CircuitState::HalfOpen,
        (CircuitState::HalfOpen, CircuitSignal::Worked) => CircuitState::Closed,
        (CircuitState::Closed | CircuitState::Open | CircuitState::HalfOpen, _) => return None,
    };
    let reason = if state == CircuitState::Open { Some(why.to_owned()) } else { circuit.reason.clone() };
    let opened_at = match state {
        CircuitState::Closed => None,
        _ => circuit.opened_at.or(Some(now)),
    };
    // the outage began with the first failed call, not with the decision
    let opened_at = opened_at.map(|at| if suspected && circuit.opened_at.is_none() { at.min(tally.since) } else { at });
    Some(Circuit { state, since: now, opened_at, reason, ..circuit.clone() })
}

#[cfg(test)]
mod tests;
