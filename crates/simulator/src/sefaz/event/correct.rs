//! 110110: carta de correção.
//!
//! Law: MOC 7.0 visão geral, 5.10 (784, 594 above 20, 720 hours); where the text leaves the order of rules open, it is
//! ours.

use super::super::Refusal;
use super::{NfeEventCase, broken, cancel};
use crate::clock::seconds_between;
use crate::ledger::LedgerDocument;

/// 784.
pub(super) fn fields(case: &NfeEventCase<'_>) -> Vec<Refusal> {
    broken([(784, case.asked.key(20..22) != "55")])
}

/// 501, 580, 577, 579.
pub(super) fn against(case: &NfeEventCase<'_>, stored: &LedgerDocument) -> Vec<Refusal> {
    let mut all = broken([(501, seconds_between(stored.received_at, case.request.now) > LIMIT)]);
    all.extend(cancel::standing(case, stored));
    all
}

/// 720 hours.
const LIMIT: i64 = 720 * 3_600;
