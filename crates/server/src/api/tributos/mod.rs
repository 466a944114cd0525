//! `/v1/tributos`: rates that the law makes of tables, with their arithmetic. None enters a document by itself.

pub(crate) mod simples;
