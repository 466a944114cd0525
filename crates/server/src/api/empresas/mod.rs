//! `/v1/empresas`: the issuing companies of an account.

pub(crate) mod atualizar;
pub(crate) mod certificado;
pub(crate) mod criar;
pub(crate) mod detalhar;
pub(crate) mod listar;
pub(crate) mod nfe;
mod record;
mod view;
