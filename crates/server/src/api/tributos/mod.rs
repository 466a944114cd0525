//! `/v1/tributos`: rates that the law makes of tables, shown with their arithmetic. Nothing here enters a document by itself.

pub(crate) mod simples;
