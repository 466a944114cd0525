//! Public registers (NCM, CEP, CNPJ) as imported, and what outside sources answered. Shared by all tenants: nothing
//! here is theirs.
//!
//! Law: the migration's comments. Must not know: file formats, sources, what the fields of a register mean.

mod bulk;
mod cache;
mod parameters;
mod registers;

pub use bulk::{Batch, BulkTable, Load, LoadFile, LoadRecord, LoadState, NewLoad};
pub use cache::Cached;
pub use registers::{CepRow, CepSearch, CnpjRecord};

/// A public register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Register {
    /// Nomenclature.
    Ncm,
    /// Postal codes.
    Cep,
    /// Companies.
    Cnpj,
}

impl Register {
    /// As stored and shown.
    pub fn word(self) -> &'static str {
        match self {
            Register::Ncm => "ncm",
            Register::Cep => "cep",
            Register::Cnpj => "cnpj",
        }
    }

    fn from_word(word: &str) -> Option<Register> {
        [Register::Ncm, Register::Cep, Register::Cnpj].into_iter().find(|register| register.word() == word)
    }

    /// The tables that a bulk import of it replaces.
    fn tables(self) -> &'static [BulkTable] {
        match self {
            Register::Ncm => &[],
            Register::Cep => &[BulkTable::Ceps],
            Register::Cnpj => &[
                BulkTable::Establishments,
                BulkTable::Companies,
                BulkTable::Simples,
                BulkTable::Partners,
                BulkTable::Domains,
            ],
        }
    }
}
