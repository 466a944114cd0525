//! Number and value of documents by type and state.

use crate::lifecycle::DocumentState;
use crate::tipo::Tipo;
use crate::value;
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// Number and value of documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DocumentSum {
    pub documentos: u64,
    pub valor: Decimal,
}

/// Sums by type and by cancelled or not.
#[derive(Debug, Clone, Default)]
pub struct DocumentTotals {
    rows: BTreeMap<(&'static str, bool), DocumentSum>,
}

impl DocumentTotals {
    /// Adds a document of a decimal value.
    pub fn add(&mut self, tipo: Tipo, state: DocumentState, valor: &str) {
        let sum = self.rows.entry((tipo.word(), state == DocumentState::Cancelled)).or_default();
        sum.documentos += 1;
        sum.valor += value::amount(valor).unwrap_or_default();
    }

    /// Rows by type, the cancelled ones last: the type's word, `true` for cancelled ones, and the sum.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, bool, &DocumentSum)> {
        self.rows.iter().map(|((tipo, cancelled), sum)| (*tipo, *cancelled, sum))
    }
}
