//! 110111: cancellation by the issuer, and the rules shared by every event on a stored document (580, 577, 579, 222).
//!
//! Law: MOC 7.0 visão geral, 5.9; where the text leaves the order of rules open, it is ours.

use super::super::Refusal;
use super::{NfeEventCase, broken};
use crate::clock::seconds_between;
use crate::ledger::{LedgerDocument, LedgerStatus};
use jiff::Timestamp;

/// 501, 580, 577, 579, 222, 221, 690, 219, 304, 939, 940.
pub(super) fn against(case: &NfeEventCase<'_>, stored: &LedgerDocument) -> Vec<Refusal> {
    let tolerated = case.settings.cancelamento_tardio && stored.modelo == 55;
    let mut all = broken([(501, is_late(stored, case.request.now) && !tolerated)]);
    all.extend(standing(case, stored));
    all.extend(broken([(222, case.detail("nProt") != Some(stored.nProt.as_str()))]));
    all.extend(in_use(stored));
    all
}

/// 580, 577, 579.
pub(super) fn standing(case: &NfeEventCase<'_>, stored: &LedgerDocument) -> Vec<Refusal> {
    let mut all = broken([(580, stored.situacao != LedgerStatus::Autorizada)]);
    all.extend(dates(case, stored));
    all
}

/// 577, 579.
pub(super) fn dates(case: &NfeEventCase<'_>, stored: &LedgerDocument) -> Vec<Refusal> {
    let before = |at: Option<Timestamp>| match (case.dhEvento(), at) {
        (Some(event), Some(at)) => event.as_second() < at.as_second(),
        _ => false,
    };
    let received = stored.received_at.as_second() - TOLERANCE;
    let early = case.dhEvento().is_some_and(|event| event.as_second() < received);
    broken([(577, before(stored.issued_at)), (579, stored.tpEmis == 1 && early)])
}

/// 24 hours after the authorisation of a NF-e, 30 minutes after that of a NFC-e.
pub(super) fn is_late(stored: &LedgerDocument, now: Timestamp) -> bool {
    let limit = if stored.modelo == 55 { 24 * 3_600 } else { 30 * 60 };
    seconds_between(stored.received_at, now) > limit
}

/// 221 confirmed by the addressee, 690 on a transport document, 219 seen on the road, 304 seen by SUFRAMA. Each of
/// those events is undone by another. 939 the export was registered, 940 an institution holds its instalments.
pub(super) fn in_use(stored: &LedgerDocument) -> Vec<Refusal> {
    let kinds = || stored.eventos.iter().map(|event| &event.tpEvento).chain(&stored.registros);
    let count = |codes: &[&str]| kinds().filter(|kind| codes.contains(&kind.as_str())).count();
    let open = |made: &[&str], undone: &[&str]| count(made) > count(undone);
    let manifested = ["210200", "210220", "210240"];
    let last = kinds().rfind(|kind| manifested.contains(&kind.as_str()));
    broken([
        (221, last.is_some_and(|kind| kind == "210200")),
        (690, open(&["610600", "610610", "610614"], &["610601", "610611", "610615"])),
        (219, open(&["610500", "610510", "610514", "610550", "610552", "610554"], &["610501", "610511", "610515"])),
        (304, count(&["990900", "990910"]) > 0),
        (939, count(&["790700"]) > 0),
        (940, count(&FINANCIAL) > 0),
    ])
}

/// Events of financial institutions (NT 2020.005 v1.21, 4P15-34); the texts available do not name the events that undo
/// them.
const FINANCIAL: [&str; 5] = ["990100", "900120", "900140", "900138", "900110"];

/// The clocks of author and authority may differ by five minutes (2P13-14).
const TOLERANCE: i64 = 5 * 60;
