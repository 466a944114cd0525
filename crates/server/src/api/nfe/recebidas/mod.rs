//! `/v1/nfe/recebidas`: the notes that others issued to the companies of the account. What it shares with other types
//! stands in `api::recebidos`.

pub(crate) mod detalhar;
pub(crate) mod listar;
pub(crate) mod view;
