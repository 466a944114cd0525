//! `/v1/cte/recebidos`: the CT-e and CT-e OS in which a company of the account has a role. What it shares with other
//! types stands in `api::recebidos`.

pub(crate) mod detalhar;
pub(crate) mod listar;
pub(crate) mod view;
