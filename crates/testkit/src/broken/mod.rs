//! Documents that break each rule of a family, beside documents that break none.

pub mod cte;
pub mod nfse;
