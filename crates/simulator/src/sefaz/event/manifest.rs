//! 210200, 210210, 210220, 210240: manifestação do destinatário, at the Ambiente Nacional.
//!
//! Law: NT 2020.001 v1.60, 6.3.7 and 6.3.8 (H01 is the layout's, H02 is `NfeEventKind::most`), 6.3.9 (136). Left out:
//! H07, which the Ambiente Nacional does not ask.

use super::super::Refusal;
use super::{NfeEventCase, RegistrationReply, broken, cancel, event};
use crate::clock::seconds_between;
use crate::ledger::{Ledger, LedgerDocument, LedgerStatus};
use fiscal::event::NfeEventKind;

const DAY: i64 = 86_400;
/// Days from the authorisation on (NT 2020.001 v1.60, 4).
const AWARENESS: i64 = 10;
const CONCLUSION: i64 = 90;

/// 618 (model 55 alone), 496.
pub(super) fn fields(case: &NfeEventCase<'_>) -> Vec<Refusal> {
    let tpEmis = case.asked.key(34..35);
    broken([(618, case.asked.key(20..22) != "55"), (496, !matches!(tpEmis, "1" | "2" | "3" | "4" | "5" | "6" | "7"))])
}

/// 577, 579, 575, 596, 650, 651, 655.
pub(super) fn against(kind: NfeEventKind, case: &NfeEventCase<'_>, stored: &LedgerDocument) -> Vec<Refusal> {
    let ended = stored.situacao != LedgerStatus::Autorizada;
    let days = if kind == NfeEventKind::Ciencia { AWARENESS } else { CONCLUSION };
    let late = seconds_between(stored.received_at, case.request.now) > days * DAY;
    let mut all = cancel::dates(case, stored);
    all.extend(broken([(575, stored.destinatario.as_deref() != Some(case.asked.author.as_str()))]));
    if late {
        all.push(Refusal::with(596, format!(" [{days} dias]")));
    }
    let concluded =
        || stored.eventos.iter().any(|event| matches!(event.tpEvento.as_str(), "210200" | "210220" | "210240"));
    all.extend(broken([
        (650, kind == NfeEventKind::Ciencia && ended),
        (651, kind == NfeEventKind::Desconhecimento && ended),
        (655, kind == NfeEventKind::Ciencia && concluded()),
    ]));
    all
}

/// 136: the note is not stored (yet).
pub(super) fn unbound(
    kind: NfeEventKind,
    case: &NfeEventCase<'_>,
    ledger: &mut Ledger,
    source: &str,
) -> RegistrationReply {
    let (request, asked) = (case.request, case.asked);
    let cUF = asked.key(0..2).parse().unwrap_or(0);
    let nProt = ledger.next_event_protocol(&request.place, cUF, request.now);
    let outcome = Refusal::new(136);
    let xml = asked.registered(request, kind, &outcome, &nProt, None);
    ledger.store_unbound(request.place.ambiente, &asked.chNFe, event(asked, outcome.cStat, nProt, source, &xml));
    RegistrationReply { cStat: outcome.cStat, xml }
}
