//! Events that exclude other events.
//!
//! Law: anexo II, the matrix of events against events.

use super::kinds::{self, NationalEventKind};
use crate::nfse::notes::{NfseEvent, StoredNfse};

/// Name of a registered event that excludes the requested kind.
pub(super) fn hindrance(note: &StoredNfse, wanted: &NationalEventKind) -> Option<&'static str> {
    if is_blocked(note, wanted.tipo) {
        return kinds::of("305102").map(|kind| kind.xDesc);
    }
    let blocking = note.eventos.iter().find(|event| blocks(note, event, wanted.tipo))?;
    kinds::of(&blocking.tipo).map(|kind| kind.xDesc)
}

/// True when an event excludes another kind.
fn blocks(note: &StoredNfse, event: &NfseEvent, wanted: &str) -> bool {
    let of_the_issuer = matches!(wanted, "101101" | "101103");
    let answers = matches!(wanted, "105104" | "105105");
    match event.tipo.as_str() {
        "101101" | "105102" | "105104" | "305101" => true,
        "101103" => has_pending_analysis(note) && (of_the_issuer || matches!(wanted, "105102" | "305101")),
        "105105" => of_the_issuer || answers || wanted == "105102",
        "202201" | "203202" | "204203" => of_the_issuer || answers || wanted == "205204" || wanted == event.tipo,
        "205204" => {
            matches!(wanted, "101101" | "205204" | "205208") || wanted.starts_with("20") && !wanted.starts_with("205")
        }
        "202205" | "203206" | "204207" => wanted == "205204" || wanted == event.tipo,
        "205208" => wanted == "101101",
        _ => false,
    }
}

/// True when the município has not answered a requested analysis.
pub(in crate::nfse) fn has_pending_analysis(note: &StoredNfse) -> bool {
    note.has("101103") && !note.has("105104") && !note.has("105105")
}

/// True when the município blocked a kind and did not unblock it.
pub(in crate::nfse) fn is_blocked(note: &StoredNfse, tipo: &str) -> bool {
    let times = |code: &str| {
        let events = note.eventos.iter().filter(|event| event.tipo == code);
        events.filter(|event| event.sobre.as_deref() == Some(tipo)).count()
    };
    times("305102") > times("305103")
}
