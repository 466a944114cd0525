//! `/v1/notas`: documents that an authority decided.
//!
//! Law: `spec/interface.md`, Notes and jobs, Pagination shapes; `spec/not-shown.md` §1.

pub(crate) mod detalhar;
pub(crate) mod filter;
pub(crate) mod listar;
