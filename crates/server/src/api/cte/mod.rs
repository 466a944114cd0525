//! What can be done with a CT-e alone: its corrections and its other events.

pub(crate) mod carta_correcao;
pub(crate) mod eventos;
