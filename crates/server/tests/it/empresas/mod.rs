//! `/v1/empresas`.

mod cadastro;
mod certificado;
mod certificados;
mod configurar;
mod logo;
mod numeracao;
mod remover;
