//! Addresses: by CEP, and CEPs by street.

pub(crate) mod buscar;
pub(crate) mod consultar;
pub(crate) mod view;
