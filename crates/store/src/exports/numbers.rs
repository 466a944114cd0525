//! Numbers of a series one after the other, with what became of each.

use super::ExportScope;
use crate::numbers::number_state::NumberState;
use crate::numbers::numbered_kind::NumberedKind;
use crate::row::{Params, Row, first, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, words};
use fiscal::lifecycle::DocumentState;
use fiscal::value::Serie;
use std::ops::RangeInclusive;

/// Series of numbers of a company, in the environment of a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberSeries {
    pub counted: NumberedKind,
    pub serie: Serie,
}

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
    pub async fn number_used_before(
        &self,
        scope: &ExportScope,
        series: &NumberSeries,
        numero: u64,
    ) -> Result<Option<u64>, Error> {
        self.read(ReadNumberBefore { scope: scope.clone(), series: series.clone(), numero }).await
    }

    /// Returns the first numbers of a range that have a row. An absent number was never taken.
    pub async fn number_uses(
        &self,
        scope: &ExportScope,
        series: &NumberSeries,
        range: RangeInclusive<u64>,
        limit: u32,
    ) -> Result<Vec<NumberUse>, Error> {
        self.read(ReadNumbers { scope: scope.clone(), series: series.clone(), range, limit }).await
    }
}

fn series_params(scope: &ExportScope, series: &NumberSeries) -> Params {
    params![
        scope.tenant,
        scope.cpf_cnpj.as_str(),
        series.counted.word(),
        series.serie.as_str(),
        words::ambiente(scope.ambiente)
    ]
}

const OF_SERIES: &str = "n.tenant_id = $1 AND n.cpf_cnpj = $2 AND n.counted = $3 AND n.serie = $4 AND n.ambiente = $5";

struct ReadNumberBefore {
    scope: ExportScope,
    series: NumberSeries,
    numero: u64,
}

impl StoreOperation for ReadNumberBefore {
    type Output = Option<u64>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<u64>, Error> {
        let mut params = series_params(&self.scope, &self.series);
        params.extend(params![self.numero]);
        let sql = format!(
            "SELECT n.numero FROM numbers n WHERE {OF_SERIES} AND n.numero < $6 AND n.state = 'used'
             ORDER BY n.numero DESC LIMIT 1"
        );
        first(tx.query(&sql, &params).await?)
    }
}

struct ReadNumbers {
    scope: ExportScope,
    series: NumberSeries,
    range: RangeInclusive<u64>,
    limit: u32,
}

impl StoreOperation for ReadNumbers {
    type Output = Vec<NumberUse>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<NumberUse>, Error> {
        let mut params = series_params(&self.scope, &self.series);
        params.extend(params![*self.range.start(), *self.range.end(), self.limit]);
        let sql = format!(
            "SELECT n.numero, n.state, d.state FROM numbers n
             LEFT JOIN documents d ON d.tenant_id = n.tenant_id AND d.job_id = n.job_id AND d.numero = n.numero
             WHERE {OF_SERIES} AND n.numero >= $6 AND n.numero <= $7 ORDER BY n.numero LIMIT $8"
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
