//! The ledger of numbers: reserved, used, released, voided; per company, model, series and environment.
//!
//! Law: docs/contract.md, "Emission" (number).
//! Must not know: the reason of a rejection.

pub(crate) mod ledger;
mod listing;
pub(crate) mod number_state;
pub(crate) mod numbered_kind;
pub mod restored;
pub(crate) mod sequence;
pub(crate) mod void;

pub use listing::SequenceNumbers;
pub use number_state::NumberState;
pub use numbered_kind::NumberedKind;
use sequence::Sequence;
pub use sequence::{SequenceRange, Series};

use crate::row::Row;
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store};
use uuid::Uuid;

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
