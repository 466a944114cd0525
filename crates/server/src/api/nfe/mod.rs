//! What only the NF-e has, or it and the NFC-e: assisted emission, corrections, actors, voided numbers, received notes,
//! registers.

pub(crate) mod ator_interessado;
pub(crate) mod carta_correcao;
pub(crate) mod confirmar;
pub(crate) mod consulta;
pub(crate) mod inutilizar;
pub(crate) mod manifestar;
pub(crate) mod preparar;
pub(crate) mod recebidas;
