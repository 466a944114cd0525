//! Promises that must hold in every state, or in every final state.

use crate::state::{Entry, Key, Stage, State, Twin};

const KEYS: [Key; 2] = [Key::First, Key::Second];

/// Returns the promise that a state breaks.
pub(crate) fn broken(state: &State) -> Option<&'static str> {
    let always = [
        ("no_false_refusal", state.sale.stage != Stage::Rejected || !is_any_live(state)),
        ("no_document_is_dropped_alive", state.twin != Twin::Dropped || !is_live(state, Key::First)),
        ("no_false_authorisation", state.sale.stage != Stage::Authorized || is_held(state)),
    ];
    let at_rest = [
        ("one_live_document", untold(state).count() <= 1),
        ("every_document_is_known", untold(state).all(|key| is_known(state, key))),
    ];
    let at_rest = at_rest.into_iter().filter(|_| is_at_rest(state));
    always.into_iter().chain(at_rest).find(|(_, holds)| !holds).map(|(promise, _)| promise)
}

/// True when no message is in flight and no step remains.
pub(crate) fn is_at_rest(state: &State) -> bool {
    let waits_for_people = state.twin == Twin::Uncertain && state.sale.stage == Stage::Accepted;
    let sale_ended = matches!(state.sale.stage, Stage::Authorized | Stage::Rejected | Stage::Uncertain);
    let twin_ended = match state.twin {
        Twin::Watched { .. } => false,
        Twin::Apart => state.sale.stage == Stage::Uncertain,
        _ => true,
    };
    (sale_ended || waits_for_people) && twin_ended && state.air.iter().all(Option::is_none)
}

fn is_live(state: &State, key: Key) -> bool {
    matches!(state.entry(key), Entry::Live(_))
}

fn is_any_live(state: &State) -> bool {
    KEYS.into_iter().any(|key| is_live(state, key))
}

/// True when a register contains the document reported to the caller.
fn is_held(state: &State) -> bool {
    state.entry(state.sale.key) == Entry::Live(state.sale.note)
}

/// Returns the valid documents, except those that an operator was asked to check.
fn untold(state: &State) -> impl Iterator<Item = Key> {
    let is_told = |key: Key| match (state.sale.stage, state.twin) {
        (_, Twin::Uncertain) if key == Key::First => true,
        (Stage::Uncertain, Twin::None) => true,
        (Stage::Uncertain, _) => key == Key::Second,
        _ => false,
    };
    KEYS.into_iter().filter(move |key| is_live(state, *key) && !is_told(*key))
}

/// True when the sale, or the job that watches it, refers to the document.
fn is_known(state: &State, key: Key) -> bool {
    let is_the_sales = state.sale.key == key && state.sale.stage == Stage::Authorized;
    is_the_sales || (key == Key::First && matches!(state.twin, Twin::Apart | Twin::Kept))
}
