//! `/v1/nfe/recebidas`: NF-e issued by others to the companies of the account. `api::recebidos` holds the parts shared
//! with other types.

pub(crate) mod detalhar;
pub(crate) mod listar;
pub(crate) mod view;
