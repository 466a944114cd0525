//! `/v1/nfse`: routes of the NFS-e alone.

pub(crate) mod cancelar;
pub(crate) mod consultar;
pub(crate) mod consultar_sefaz;
pub(crate) mod manifestar;
mod motivo;
pub(crate) mod municipios;
pub(crate) mod recebidas;
pub(crate) mod sem_emitir;
pub(crate) mod sincrono;
pub(crate) mod solicitar_analise;
