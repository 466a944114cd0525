//! `/v1/notas`.

mod detalhar;
pub(crate) mod listar;
