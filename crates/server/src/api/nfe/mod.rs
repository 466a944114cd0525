//! `/v1/nfe` and `/v1/nfce`: issue, query, files, and what is done to a document that exists.

pub(crate) mod ator_interessado;
pub(crate) mod cancelar;
pub(crate) mod carta_correcao;
mod choices;
pub(crate) mod confirmar;
pub(crate) mod consulta;
pub(crate) mod consultar;
pub(crate) mod emitir;
pub(in crate::api) mod evento;
pub(crate) mod eventos;
pub(crate) mod family;
pub(crate) mod file;
pub(crate) mod inutilizar;
pub(crate) mod manifestar;
pub(crate) mod preparar;
pub(crate) mod previa;
pub(crate) mod recebidas;
mod said;
pub(crate) mod verificar;
pub(in crate::api) mod wrapper;
