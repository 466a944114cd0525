//! `/v1/notas`: documents decided by an authority.
//!
//! Law: `docs/contract.md`, "Documents" and "Responses".

pub(crate) mod detalhar;
pub(crate) mod filter;
pub(crate) mod listar;
