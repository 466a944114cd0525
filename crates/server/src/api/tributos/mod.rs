//! `/v1/tributos`: rates that the law defines by tables, with the calculation. None enters a document by itself.

pub(crate) mod simples;
