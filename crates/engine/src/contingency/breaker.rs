//! When an authority is left, and when it is tried again: one pure function. Times come in as arguments.
//!
//! Law: `design.md` §3.5; MOC 7.0, anexo III, 2.1.3 (a contingency begins when the normal environment does not work,
//! and the status service says so where it can). What an authority says of itself is believed at once; silence only
//! after a while, since answers come from many machines, and one of them, or the way there, may be ill for a moment.

use store::authorities::{Circuit, CircuitKey, CircuitState};

/// When to open and how long to stay so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thresholds {
    /// Failures in a row that open a circuit by themselves. Five: a machine behind a balancer that is being replaced
    /// fails two or three calls in a row.
    pub failures: u32,
    /// And for how long they must have gone on, seconds. Ten: a burst of parallel calls that one hiccup cuts is no
    /// outage, and a customer at a till waits no longer.
    pub failing_for_s: i64,
    /// An open circuit stays so for this long whatever is heard, seconds. A minute: an authority that comes and goes
    /// must not make every document change its way.
    pub least_open_s: i64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds { failures: 5, failing_for_s: 10, least_open_s: 60 }
    }
}

/// What was heard of an authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// It judged a document.
    Worked,
    /// A document got no judgement: no connection, no reply, 108 or 109.
    Failed,
    /// A question about a document got no answer: no connection, no reply, HTTP 5xx, 108 or 109.
    QueryFailed,
    /// A question about a document got an answer, which says nothing of whether documents are judged.
    QueryAnswered,
    /// Its status service says that it works (107).
    StatusUp,
    /// Its status service says that it does not (108, 109).
    StatusDown,
    /// Its status service did not answer.
    StatusSilent,
}

/// Failures in a row, as one process counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// How many.
    pub(crate) failures: u32,
    /// When the first was.
    pub(crate) since: i64,
    /// Failed questions alone: an answer to one ends the row.
    pub(crate) queries_only: bool,
}

impl Tally {
    fn count(&mut self, signal: Signal, now: i64) {
        self.queries_only = signal == Signal::QueryFailed && (self.queries_only || self.failures == 0);
        // a clock that came back must not put the first failure into the future
        if self.failures == 0 || self.since > now {
            self.since = now;
        }
        self.failures = self.failures.saturating_add(1);
    }

    fn is_an_outage(self, now: i64, thresholds: &Thresholds) -> bool {
        self.failures >= thresholds.failures && now - self.since >= thresholds.failing_for_s
    }
}

/// A circuit of which nothing is known yet.
pub(crate) fn unknown(key: CircuitKey) -> Circuit {
    Circuit {
        key,
        state: CircuitState::Closed,
        since: 0,
        opened_at: None,
        reason: None,
        polled_at: 0,
        told: None,
        told_at: None,
        version: 0,
    }
}

/// The circuit after a signal; `None` when it stays as it is.
pub(crate) fn next(
    circuit: &Circuit,
    tally: &mut Tally,
    signal: Signal,
    why: &str,
    now: i64,
    thresholds: &Thresholds,
) -> Option<Circuit> {
    let suspected = tally.failures > 0;
    match signal {
        Signal::Worked => *tally = Tally::default(),
        Signal::Failed | Signal::QueryFailed | Signal::StatusSilent => tally.count(signal, now),
        Signal::QueryAnswered if tally.queries_only => *tally = Tally::default(),
        Signal::QueryAnswered | Signal::StatusUp | Signal::StatusDown => {}
    }
    // an instant ahead of now was written by a clock that has come back since
    let rested = !(0..thresholds.least_open_s).contains(&(now - circuit.since));
    let state = match (circuit.state, signal) {
        (CircuitState::Closed, Signal::StatusDown) => CircuitState::Open,
        (CircuitState::Closed, Signal::Failed | Signal::QueryFailed | Signal::StatusSilent)
            if tally.is_an_outage(now, thresholds) =>
        {
            CircuitState::Open
        }
        (CircuitState::HalfOpen, Signal::Failed | Signal::QueryFailed | Signal::StatusDown | Signal::StatusSilent) => {
            CircuitState::Open
        }
        (CircuitState::Open, Signal::StatusUp) if rested => CircuitState::HalfOpen,
        // a call of before that was answered late
        (CircuitState::Open, Signal::Worked) if rested => CircuitState::HalfOpen,
        (CircuitState::HalfOpen, Signal::Worked) => CircuitState::Closed,
        (CircuitState::Closed | CircuitState::Open | CircuitState::HalfOpen, _) => return None,
    };
    let reason = if state == CircuitState::Open { Some(why.to_owned()) } else { circuit.reason.clone() };
    let opened_at = match state {
        CircuitState::Closed => None,
        _ => circuit.opened_at.or(Some(now)),
    };
    // it began when the first call failed, not when we were sure of it
    let opened_at = opened_at.map(|at| if suspected && circuit.opened_at.is_none() { at.min(tally.since) } else { at });
    Some(Circuit { state, since: now, opened_at, reason, ..circuit.clone() })
}

#[cfg(test)]
mod tests;
