//! Routes of the NF-e alone, or of NF-e and NFC-e: assisted emission, corrections, actors, voided numbers, received
//! NF-e, registers.

pub(crate) mod ator_interessado;
pub(crate) mod carta_correcao;
pub(crate) mod confirmar;
pub(crate) mod consulta;
pub(crate) mod inutilizar;
pub(crate) mod manifestar;
pub(crate) mod preparar;
pub(crate) mod recebidas;
