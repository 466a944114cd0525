//! `/v1/empresas`.

mod cadastro;
mod certificado;
mod certificados;
mod configurar;
mod numeracao;
mod remover;
