//! `/v1/empresas`: the issuing companies of an account.

pub(crate) mod atualizar;
pub(crate) mod certificado;
pub(crate) mod certificados;
mod change;
pub(crate) mod configurar;
pub(crate) mod criar;
pub(crate) mod detalhar;
pub(crate) mod distribuicao;
pub(crate) mod listar;
pub(crate) mod logo;
pub(crate) mod numeracao;
mod record;
mod record_problems;
pub(crate) mod regimes;
pub(crate) mod remover;
pub(crate) mod settings;
pub(crate) mod view;

pub(crate) use view::{number, unknown};
