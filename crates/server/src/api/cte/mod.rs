//! What can be done with a CT-e alone: its corrections and its other events, and those that others issued.

pub(crate) mod carta_correcao;
pub(crate) mod eventos;
pub(crate) mod recebidos;
