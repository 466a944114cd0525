//! `/v1/empresas`.

mod cadastro;
mod certificado;
mod nfe;
