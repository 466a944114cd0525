//! A sequence of numbers, its lock, and the conditions by which statements find it.

use super::numbered_kind::NumberedKind;
use crate::row::{Params, params};
use crate::words;
use fiscal::value::{CnpjCpf, Serie, TpAmb};
use uuid::Uuid;

/// A sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Series {
    pub cpf_cnpj: CnpjCpf,
    /// Kind of document.
    pub counted: NumberedKind,
    pub serie: Serie,
    pub ambiente: TpAmb,
}

impl Series {
    /// Sort key of lists: by company, model, series and environment, with numeric series in numeric order; kinds
    /// without a model come last.
    pub(super) fn sort_key(&self) -> (&str, u8, &str, usize, &str, u8) {
        let modelo = self.counted.modelo().unwrap_or(u8::MAX);
        let (word, serie) = (self.counted.word(), self.serie.as_str());
        (self.cpf_cnpj.as_str(), modelo, word, serie.len(), serie, words::ambiente(self.ambiente))
    }
}

/// A sequence with its tenant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sequence {
    pub(crate) tenant: Uuid,
    pub(crate) series: Series,
}

impl Sequence {
    /// `$1` … `$5` of every statement about a sequence.
    pub(super) fn key(&self) -> Params {
        let Series { cpf_cnpj, counted, serie, ambiente } = self.series;
        params![self.tenant, cpf_cnpj.as_str(), counted.word(), serie.as_str(), words::ambiente(ambiente)]
    }

    pub(crate) fn with(&self, more: Params) -> Params {
        let mut params = self.key();
        params.extend(more);
        params
    }
}

/// A range of a sequence, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SequenceRange {
    pub from: u64,
    pub until: u64,
}

/// Locks the sequence until the commit and returns its next number.
pub(super) const LOCK: &str =
    "INSERT INTO sequences (tenant_id, cpf_cnpj, counted, serie, ambiente, next) VALUES ($1, $2, $3, $4, $5, 1)
    ON CONFLICT (tenant_id, cpf_cnpj, counted, serie, ambiente) DO UPDATE SET next = sequences.next RETURNING next";

pub(crate) const SEQUENCE: &str = "tenant_id = $1 AND cpf_cnpj = $2 AND counted = $3 AND serie = $4 AND ambiente = $5";

/// Returns a row when the sequence is uncleared; `$1` to `$5` identify it.
pub(super) fn uncleared_sql() -> String {
    format!(
        "SELECT id FROM installation WHERE restaurado_em IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM restored_series WHERE {SEQUENCE} AND cleared_at IS NOT NULL)"
    )
}
