//! `/v1/nfse/recebidas`: the notes in which the companies of the account render a service, take it or stand between.
//! What it shares with other types stands in `api::recebidos`.

pub(crate) mod detalhar;
pub(crate) mod listar;
pub(crate) mod view;
