//! Public registers (NCM, CEP, CNPJ) as imported, and the answers of outside sources. Shared by all tenants.
//!
//! Law: the comments of the migration.
//! Must not know: file formats, sources, the meaning of a register's fields.

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
    /// The word as stored and shown.
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

    /// The tables that a bulk import of the register replaces.
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
