//! `/v1/nfse`: what only the national NFS-e has.

pub(crate) mod cancelar;
pub(crate) mod consultar_sefaz;
pub(crate) mod manifestar;
pub(crate) mod recebidas;
pub(crate) mod solicitar_analise;
