//! Undue use: limits on equal calls of a transmitter (cStat 656).
//!
//! Law: MOC 7.0 visão geral, 4 (consumo indevido): the block lasts an hour, and every call inside it starts the hour
//! again.

use crate::dialect::ServiceKind;
use std::collections::{HashMap, VecDeque};

const HOUR: i64 = 3_600;
/// Most subjects counted; the counts are cleared beyond it, so that a load test does not fill the memory.
const SUBJECTS: usize = 200_000;

/// Subject of a count: transmitter, service, object.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct CallSubject {
    pub(crate) transmitter: String,
    pub(crate) service: ServiceKind,
    /// Key, receipt, or key and code of a rejection; empty for the service as a whole.
    pub(crate) about: String,
}

#[derive(Debug, Default)]
struct CallCount {
    calls: VecDeque<i64>,
    blocked_until: i64,
}

#[derive(Debug, Default)]
pub(crate) struct CallLimits(HashMap<CallSubject, CallCount>);

/// Calls of one subject allowed in an hour.
pub(crate) fn allowed(service: ServiceKind) -> usize {
    match service {
        ServiceKind::Autorizacao => 30,
        ServiceKind::ConsultaProtocolo => 10,
        ServiceKind::Inutilizacao | ServiceKind::RecepcaoEvento => 20,
        // The distribution has counts of its own, see `distribution_queue`.
        ServiceKind::RetAutorizacao
        | ServiceKind::StatusServico
        | ServiceKind::ConsultaCadastro
        | ServiceKind::DistribuicaoDFe => 40,
    }
}

impl CallLimits {
    /// Counts a call; true when it is one too many.
    pub(crate) fn exceeded(&mut self, subject: CallSubject, now: i64) -> bool {
        let allowed = allowed(subject.service);
        if self.0.len() >= SUBJECTS {
            self.0.clear();
        }
        let count = self.0.entry(subject).or_default();
        if now < count.blocked_until {
            count.blocked_until = now + HOUR;
            return true;
        }
        while count.calls.front().is_some_and(|at| *at <= now - HOUR) {
            count.calls.pop_front();
        }
        count.calls.push_back(now);
        if count.calls.len() > allowed {
            count.calls.clear();
            count.blocked_until = now + HOUR;
            return true;
        }
        false
    }
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query() -> CallSubject {
        CallSubject {
            transmitter: "11222333000181".into(),
            service: ServiceKind::ConsultaProtocolo,
            about: "chave".into(),
        }
    }

    #[test]
    fn the_eleventh_query_of_a_key_in_an_hour_is_undue() {
        let mut limits = CallLimits::default();
        assert!((0..10).all(|second| !limits.exceeded(query(), second)));
        assert!(limits.exceeded(query(), 10));
        assert!(!limits.exceeded(CallSubject { about: "outra".into(), ..query() }, 10));
    }

    #[test]
    fn a_call_inside_the_block_starts_the_hour_again() {
        let mut limits = CallLimits::default();
        assert_eq!((0..11).filter(|_| limits.exceeded(query(), 0)).count(), 1);
        assert!(limits.exceeded(query(), 3_599));
        assert!(limits.exceeded(query(), 3_700));
        assert!(!limits.exceeded(query(), 3_700 + 3_600));
    }

    #[test]
    fn calls_spread_over_hours_are_never_undue() {
        let mut limits = CallLimits::default();
        assert!((0..100).all(|call| !limits.exceeded(query(), call * 400)));
    }
}
