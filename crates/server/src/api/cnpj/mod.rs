//! Companies by their CNPJ.

pub(crate) mod consultar;
