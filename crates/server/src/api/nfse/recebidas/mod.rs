//! `/v1/nfse/recebidas`: NFS-e in which a company of the account is prestador, tomador or intermediário.
//! `api::recebidos` holds the parts shared with other types.

pub(crate) mod detalhar;
pub(crate) mod listar;
pub(crate) mod view;
