//! Exports for accounting: the documents of a company and a period, page by page, and the files made of them.
//!
//! Law: docs/contract.md, "Exports". A period is of emission dates (`dhEmi`), as they stand in the documents.
//! Must not know: ZIP, CSV.

mod documents;
mod file_parts;
mod lease;
mod leftovers;
mod numbers;
mod orders;

pub use documents::{ExportCursor, ExportDocument, ExportEvent};
pub use lease::{ClaimedExport, ExportLease, ExportProgress};
pub use numbers::NumberUse;
pub use orders::{ExportForms, ExportRow, ExportState, NewExport};

use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use uuid::Uuid;

/// Documents of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportScope {
    pub tenant: Uuid,
    pub ambiente: TpAmb,
    pub cpf_cnpj: CnpjCpf,
    /// First date included, as in `2026-11-01`.
    pub from: String,
    /// First date excluded.
    pub until: String,
    /// Types of documents; empty for all.
    pub tipos: Vec<Tipo>,
}

impl ExportScope {
    /// Condition of the types. Their words are ours, no parameter.
    fn of_tipos(&self, column: &str) -> String {
        let words: Vec<String> = self.tipos.iter().map(|tipo| format!("'{}'", tipo.word())).collect();
        match words.is_empty() {
            true => String::new(),
            false => format!("AND {column} IN ({})", words.join(", ")),
        }
    }
}
