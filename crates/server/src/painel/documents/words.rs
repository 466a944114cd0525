//! Words of a document's state, for addresses, classes and people.

use maud::{Markup, html};
use store::emissions::{BoundedCount, EmissionState};

use crate::painel::words::decimal;

/// Word of a state, its name, and its meaning for a person.
pub(in crate::painel) struct StateWords {
    pub(in crate::painel) state: EmissionState,
    /// In addresses and classes.
    pub(in crate::painel) word: &'static str,
    pub(in crate::painel) name: &'static str,
}

const fn row(state: EmissionState, word: &'static str, name: &'static str) -> StateWords {
    StateWords { state, word, name }
}

/// Every state, in the order of a document's life.
pub(in crate::painel) const STATES: [StateWords; 9] = [
    row(EmissionState::Pending, "pendente", "em andamento"),
    row(EmissionState::InDoubt, "em_duvida", "em dúvida"),
    row(EmissionState::Contingency, "contingencia", "em contingência"),
    row(EmissionState::Authorized, "autorizada", "autorizada"),
    row(EmissionState::Rejected, "rejeitada", "rejeitada"),
    row(EmissionState::Denied, "denegada", "denegada"),
    row(EmissionState::Cancelled, "cancelada", "cancelada"),
    row(EmissionState::Failed, "erro", "com erro"),
    row(EmissionState::Withdrawn, "retirada", "retirada antes do envio"),
];

/// Words of a state.
pub(in crate::painel) fn of(state: EmissionState) -> &'static StateWords {
    STATES.iter().find(|row| row.state == state).unwrap_or(&STATES[0])
}

/// A state with its colour.
pub(in crate::painel) fn label(state: EmissionState) -> Markup {
    let words = of(state);
    html! { span class={ "estado " (words.word) } { (words.name) } }
}

/// A count in few letters; a list that goes on is `1.000+`.
pub(in crate::painel) fn short_count(count: BoundedCount) -> String {
    let number = decimal(&count.n.to_string());
    if count.or_more { format!("{number}+") } else { number }
}
