//! `/v1/empresas`.

mod cadastro;
pub(crate) mod certificado;
mod certificados;
mod configurar;
mod logo;
mod logo_bombs;
mod numeracao;
mod regimes;
mod remover;
