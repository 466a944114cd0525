//! `/v1/cte/recebidos`: the CT-e and CT-e OS in which a company of the account has a role. `api::recebidos` holds the
//! parts shared with other types.

pub(crate) mod detalhar;
pub(crate) mod listar;
pub(crate) mod view;
