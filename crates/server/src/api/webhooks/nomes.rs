//! Names of webhook events.

use store::alerts::AlertEvent;
use store::webhooks::{Evento, TEST_EVENT};

/// Beginnings of the names of documents' events.
const TIPOS: [&str; 4] = ["nfe", "nfce", "nfse", "cte"];

/// `true` for the name of an event that some delivery may have.
pub(crate) fn is_event(text: &str) -> bool {
    if text == TEST_EVENT || AlertEvent::ALL.iter().any(|(word, _)| *word == text) {
        return true;
    }
    let Some((tipo, fato)) = text.split_once('.') else { return false };
    TIPOS.contains(&tipo) && Evento::ALL.iter().any(|(word, _)| *word == fato)
}

/// `true` for the name of an event, or of all events of a kind: `nfe.*`.
pub(crate) fn is_event_choice(text: &str) -> bool {
    let Some(kind) = text.strip_suffix(".*") else { return is_event(text) && text != TEST_EVENT };
    kinds().any(|known| known == kind)
}

/// Kinds of events, in the order in which people choose them.
pub(crate) fn kinds() -> impl Iterator<Item = &'static str> {
    TIPOS.into_iter().chain(["certificado", "numeracao", "recebida"])
}
