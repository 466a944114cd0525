//! Routes of the CT-e alone: corrections, other events, received CT-e.

pub(crate) mod carta_correcao;
pub(crate) mod eventos;
pub(crate) mod recebidos;
