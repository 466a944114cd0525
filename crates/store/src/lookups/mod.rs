//! Public registers (NCM, CEP, CNPJ) as imported, and the answers of outside sources. Shared by all tenants.
//!
//! Law: the comments of the migration.
//! Must not know: file formats, sources, the meaning of a register's fields.

mod bulk;
mod cache;
mod parameters;
mod registers;

pub use bulk::{BulkTable, LoadFile, LoadProgress, LoadRecord, LoadState, NewLoad, RowBatch};
pub use cache::CachedLookup;
pub use registers::{CepRow, CepSearch, CnpjRecord};

/// A public register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PublicRegister {
    /// Nomenclature.
    Ncm,
    /// Postal codes.
    Cep,
    /// Companies.
    Cnpj,
}

impl PublicRegister {
    /// The word as stored and shown.
    pub fn word(self) -> &'static str {
        match self {
            PublicRegister::Ncm => "ncm",
            PublicRegister::Cep => "cep",
            PublicRegister::Cnpj => "cnpj",
        }
    }

    fn from_word(word: &str) -> Option<PublicRegister> {
        [PublicRegister::Ncm, PublicRegister::Cep, PublicRegister::Cnpj]
            .into_iter()
            .find(|register| register.word() == word)
    }

    /// The tables that a bulk import of the register replaces.
    fn tables(self) -> &'static [BulkTable] {
        match self {
            PublicRegister::Ncm => &[],
            PublicRegister::Cep => &[BulkTable::Ceps],
            PublicRegister::Cnpj => &[
                BulkTable::Establishments,
                BulkTable::Companies,
                BulkTable::Simples,
                BulkTable::Partners,
                BulkTable::Domains,
            ],
        }
    }
}
