//! 610110, 610111: the taker of the service disagrees with it, or no longer does.
//!
//! Law: MOC CT-e 4.00 anexo I, O01 to O05 of 610110 and O01 to O03 of 610111.

use super::{CteEventCase, CteEventKind, broken, cancel, deliver};
use crate::clock::seconds_between;
use crate::ledger::{Ledger, LedgerDocument};
use crate::sefaz::Refusal;
use crate::sefaz::cte::document::{self, SUBSTITUTE};

/// 218, 664, 787, 866.
pub(super) fn against(
    kind: CteEventKind,
    case: &CteEventCase<'_>,
    ledger: &Ledger,
    stored: &LedgerDocument,
) -> Vec<Refusal> {
    let late = seconds_between(stored.received_at, case.request.now) > LIMIT;
    let undoes = kind == CteEventKind::CancelamentoDesacordo;
    let mut all: Vec<Refusal> = cancel::cancelled(stored).into_iter().collect();
    all.extend(broken([
        (664, document::successors(ledger, stored, SUBSTITUTE).next().is_some()),
        (787, !undoes && late),
        (866, undoes && !deliver::is_open(case, stored, "nProtEvPrestDes", "610110", "610111")),
    ]));
    all
}

/// 45 days.
const LIMIT: i64 = 45 * 86_400;
