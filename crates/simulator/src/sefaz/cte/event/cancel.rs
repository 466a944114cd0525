//! 110111: cancellation by the emitter.
//!
//! Law: MOC CT-e 4.00 anexo I, O02 to O14, Q15, Q16.

use super::{CteEventCase, broken};
use crate::clock::seconds_between;
use crate::ledger::{Ledger, LedgerDocument, LedgerStatus};
use crate::sefaz::Refusal;
use crate::sefaz::cte::document::{self, COMPLEMENT, SUBSTITUTE};

/// 203, 240, 218, 220, 222, 219, 574, 576, 660, 523, 528, 862.
pub(super) fn against(case: &CteEventCase<'_>, ledger: &Ledger, stored: &LedgerDocument) -> Vec<Refusal> {
    let listed = case.settings.contribuintes.get(case.author());
    let kinds = || stored.eventos.iter().map(|event| &event.tpEvento).chain(&stored.registros);
    let count = |code: &str| kinds().filter(|kind| *kind == code).count();
    let read = document::read(stored);
    let tpCTe = read.as_ref().and_then(|document| document.text_at("infCte/ide/tpCTe")).unwrap_or("");
    let late = seconds_between(stored.received_at, case.request.now) > LIMIT && count("240170") == 0;
    let named = |group| document::successors(ledger, stored, group).next().is_some();
    let mut all = broken([
        (203, listed.is_some_and(|one| one.nao_credenciado || one.transporte.nao_credenciado)),
        (240, listed.is_some_and(|one| one.emitente_irregular)),
    ]);
    all.extend(cancelled(stored));
    all.extend(broken([
        (220, late),
        (222, case.detail("nProt") != Some(stored.nProt.as_str())),
        (219, count("310620") + count("510620") > 0),
        (574, tpCTe == "3"),
        (576, tpCTe == "0" && named(SUBSTITUTE)),
        (660, tpCTe == "0" && named(COMPLEMENT)),
        (523, count("110110") > 0),
        (528, count("310610") > count("310611")),
        (862, count("110180") > count("110181")),
    ]));
    all
}

/// 218, with the protocol of the cancellation.
pub(super) fn cancelled(stored: &LedgerDocument) -> Option<Refusal> {
    let event = stored.eventos.iter().find(|event| event.tpEvento == "110111");
    let extra = event.map(|event| format!("[nProt:{}]", event.nProt)).unwrap_or_default();
    (stored.situacao == LedgerStatus::Cancelada).then(|| Refusal::with(218, extra))
}

/// 168 hours.
const LIMIT: i64 = 168 * 3_600;
