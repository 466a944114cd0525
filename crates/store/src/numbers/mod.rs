//! The ledger of numbers: reserved, used, released, voided; per company, model, series and environment.
//!
//! Law: docs/contract.md, "Emission" (number).
//! Must not know: the reason of a rejection.

pub(crate) mod ledger;
mod listing;
mod numbered_kind;
pub mod restored;
pub(crate) mod void;

pub use listing::SequenceNumbers;
pub use numbered_kind::NumberedKind;
pub use void::SequenceRange;

use crate::row::params;
use crate::row::{Params, Row};
use crate::tx::{StoreOperation, Tx};
use crate::words::{self, word_table};
use crate::{Error, Store};
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
    fn sort_key(&self) -> (&str, u8, &str, usize, &str, u8) {
        let modelo = self.counted.modelo().unwrap_or(u8::MAX);
        let (word, serie) = (self.counted.word(), self.serie.as_str());
        (self.cpf_cnpj.as_str(), modelo, word, serie.len(), serie, words::ambiente(self.ambiente))
    }
}

/// State of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NumberState {
    /// Reserved by a job.
    Reserved,
    /// Authorised or denied.
    Used,
    /// Its note was rejected or given up: the next note takes it.
    Released,
    /// Being voided at the authority.
    Voiding,
    /// No document will carry it.
    Voided,
    /// Its note was given out in contingency and then rejected: only the note in its place takes it.
    Kept,
}

word_table!(pub(crate) NumberState {
    Reserved => "reserved",
    Used => "used",
    Released => "released",
    Voiding => "voiding",
    Voided => "voided",
    Kept => "kept",
});

/// A row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerRow {
    pub numero: u64,
    pub state: NumberState,
    /// Last job that held it.
    pub job_id: Option<Uuid>,
}

impl Store {
    /// Returns all rows of a sequence, ascending; for reports and the crash test.
    pub async fn ledger(&self, tenant: Uuid, series: Series) -> Result<Vec<LedgerRow>, Error> {
        self.read(ReadLedger(Sequence { tenant, series })).await
    }
    /// Sets the lowest next automatic number (`proximo_numero`). Never goes below a number already used.
    pub async fn set_next_number(&self, tenant: Uuid, series: Series, next: u64) -> Result<(), Error> {
        self.write(SetNext { sequence: Sequence { tenant, series }, next }).await
    }
    /// Returns the job whose note was given out in contingency and then rejected, when a number waits for the note in
    /// its place.
    pub async fn number_holder(&self, tenant: Uuid, series: Series, numero: u64) -> Result<Option<Uuid>, Error> {
        self.read(NumberHolder { sequence: Sequence { tenant, series }, numero }).await
    }
    /// Returns (last used, next automatic number) of a sequence; the latter is `None` when it is used up.
    pub async fn numbering(&self, tenant: Uuid, series: Series) -> Result<(Option<u64>, Option<u64>), Error> {
        self.read(ReadNumbering(Sequence { tenant, series })).await
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
    fn key(&self) -> Params {
        let Series { cpf_cnpj, counted, serie, ambiente } = self.series;
        params![self.tenant, cpf_cnpj.as_str(), counted.word(), serie.as_str(), words::ambiente(ambiente)]
    }

    fn with(&self, more: Params) -> Params {
        let mut params = self.key();
        params.extend(more);
        params
    }
}

struct ReadLedger(Sequence);

impl StoreOperation for ReadLedger {
    type Output = Vec<LedgerRow>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<LedgerRow>, Error> {
        let sql = "SELECT numero, state, job_id FROM numbers WHERE tenant_id = $1 AND cpf_cnpj = $2 AND counted = $3
                   AND serie = $4 AND ambiente = $5 ORDER BY numero";
        tx.query(sql, &self.0.key()).await?.into_iter().map(read_row).collect()
    }
}

fn read_row(mut row: Row) -> Result<LedgerRow, Error> {
    Ok(LedgerRow { numero: row.read()?, state: NumberState::read(&row.read::<String>()?)?, job_id: row.read()? })
}

struct NumberHolder {
    sequence: Sequence,
    numero: u64,
}

impl StoreOperation for NumberHolder {
    type Output = Option<Uuid>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<Uuid>, Error> {
        ledger::find_number_holder(tx, &self.sequence, self.numero).await
    }
}

struct SetNext {
    sequence: Sequence,
    next: u64,
}

impl StoreOperation for SetNext {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        ledger::set_next(tx, &self.sequence, self.next).await
    }
}

struct ReadNumbering(Sequence);

impl StoreOperation for ReadNumbering {
    type Output = (Option<u64>, Option<u64>);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(Option<u64>, Option<u64>), Error> {
        ledger::numbering(tx, &self.0).await
    }
}

crate::dyn_operation::erasable!(ReadLedger, NumberHolder, SetNext, ReadNumbering);
