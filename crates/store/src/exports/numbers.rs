//! Numbers of a series one after the other, with what became of each.

use crate::numbers::number_state::NumberState;
use crate::numbers::sequence::{SEQUENCE, Sequence, Series};
use crate::row::{Row, first, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, words};
use fiscal::lifecycle::DocumentState;
use std::ops::RangeInclusive;
use uuid::Uuid;

/// A number that something happened to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberUse {
    pub numero: u64,
    pub state: NumberState,
    /// State of the document that has it; `None` when this service has no such document.
    pub document: Option<DocumentState>,
}

impl Store {
    /// Returns the highest number below `numero` that a document has used.
    pub async fn number_used_before(&self, tenant: Uuid, series: Series, numero: u64) -> Result<Option<u64>, Error> {
        self.read(ReadNumberBefore { sequence: Sequence { tenant, series }, numero }).await
    }

    /// Returns the first numbers of a range that have a row. An absent number was never taken.
    pub async fn number_uses(
        &self,
        tenant: Uuid,
        series: Series,
        range: RangeInclusive<u64>,
        limit: u32,
    ) -> Result<Vec<NumberUse>, Error> {
        self.read(ReadNumbers { sequence: Sequence { tenant, series }, range, limit }).await
    }
}

struct ReadNumberBefore {
    sequence: Sequence,
    numero: u64,
}

impl StoreOperation for ReadNumberBefore {
    type Output = Option<u64>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<u64>, Error> {
        let sql = format!(
            "SELECT numero FROM numbers WHERE {SEQUENCE} AND numero < $6 AND state = 'used' ORDER BY numero DESC LIMIT 1"
        );
        first(tx.query(&sql, &self.sequence.with(params![self.numero])).await?)
    }
}

struct ReadNumbers {
    sequence: Sequence,
    range: RangeInclusive<u64>,
    limit: u32,
}

impl StoreOperation for ReadNumbers {
    type Output = Vec<NumberUse>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<NumberUse>, Error> {
        let params = self.sequence.with(params![*self.range.start(), *self.range.end(), self.limit]);
        let sql = format!(
            "SELECT n.numero, n.state, d.state
             FROM (SELECT numero, state, job_id FROM numbers WHERE {SEQUENCE} AND numero >= $6 AND numero <= $7
                   ORDER BY numero LIMIT $8) n
             LEFT JOIN documents d ON d.tenant_id = $1 AND d.job_id = n.job_id AND d.numero = n.numero ORDER BY n.numero"
        );
        tx.query(&sql, &params).await?.into_iter().map(read).collect()
    }
}

fn read(mut row: Row) -> Result<NumberUse, Error> {
    Ok(NumberUse {
        numero: row.read()?,
        state: NumberState::read(&row.read::<String>()?)?,
        document: row.read::<Option<String>>()?.map(|word| words::read_state(&word)).transpose()?,
    })
}

crate::dyn_operation::erasable!(ReadNumberBefore, ReadNumbers);
