//! Alerts of gaps in numbering: the sequences are looked at one after the other, each once an interval.

use super::record;
use crate::alerts::{AccountAlert, AlertEvent};
use crate::numbers::{NumberedKind, SequenceRange, Series};
use crate::row::{Row, params};
use crate::tx::{StoreOperation, Tx, steps_for_each};
use crate::{Error, Store, words};
use serde_json::json;
use uuid::Uuid;

/// A sequence whose numbers are due to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GapCheck {
    pub tenant: Uuid,
    pub series: Series,
}

impl Store {
    /// Takes at most `most` sequences that are due; each is due again at `again_at`. A check that is lost with its
    /// process is made then.
    pub async fn claim_gap_checks(&self, now: i64, again_at: i64, most: u32) -> Result<Vec<GapCheck>, Error> {
        if !self.read(IsGapCheckDue(now)).await? {
            return Ok(Vec::new());
        }
        self.write(ClaimGapChecks { now, again_at, most }).await
    }

    /// Records the alerts of gaps that were found; returns how many are new.
    pub async fn record_gaps(&self, check: GapCheck, gaps: Vec<SequenceRange>, now: i64) -> Result<usize, Error> {
        if gaps.is_empty() {
            return Ok(0);
        }
        let recorded = self.write(RecordGaps { check, gaps, now }).await?;
        self.announce_alerts(recorded);
        Ok(recorded)
    }
}

struct IsGapCheckDue(i64);

impl StoreOperation for IsGapCheckDue {
    type Output = bool;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let sql = "SELECT 1 FROM sequences WHERE lacunas_em <= $1 LIMIT 1";
        Ok(!tx.query(sql, &params![self.0]).await?.is_empty())
    }
}

struct ClaimGapChecks {
    now: i64,
    again_at: i64,
    most: u32,
}

impl StoreOperation for ClaimGapChecks {
    type Output = Vec<GapCheck>;
    // A lost claim is made again.
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<GapCheck>, Error> {
        // A sequence that is giving out a number is looked at the next time: nothing waits for this.
        let due = format!(
            "SELECT tenant_id, cpf_cnpj, counted, serie, ambiente FROM sequences WHERE lacunas_em <= $1
             ORDER BY lacunas_em LIMIT $2 {}",
            tx.dialect().skip_locked()
        );
        let rows = tx.query(&due, &params![self.now, self.most]).await?;
        let checks = rows.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let sql = "UPDATE sequences SET lacunas_em = $6
                   WHERE tenant_id = $1 AND cpf_cnpj = $2 AND counted = $3 AND serie = $4 AND ambiente = $5";
        let of = |GapCheck { tenant, series }: &GapCheck| {
            params![
                *tenant,
                series.cpf_cnpj.as_str(),
                series.counted.word(),
                series.serie.as_str(),
                words::ambiente(series.ambiente),
                self.again_at
            ]
        };
        tx.query_all(&steps_for_each(sql, checks.iter().map(of).collect())).await?;
        Ok(checks)
    }
}

fn read(mut row: Row) -> Result<GapCheck, Error> {
    let tenant = row.read()?;
    let cpf_cnpj = words::read_cpf_cnpj(row.read()?)?;
    let counted = NumberedKind::read(&row.read::<String>()?)?;
    let serie = words::read_serie(row.read()?)?;
    Ok(GapCheck { tenant, series: Series { cpf_cnpj, counted, serie, ambiente: words::read_ambiente(row.read()?)? } })
}

struct RecordGaps {
    check: GapCheck,
    gaps: Vec<SequenceRange>,
    now: i64,
}

impl StoreOperation for RecordGaps {
    type Output = usize;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<usize, Error> {
        let mut recorded = 0;
        for gap in &self.gaps {
            recorded += usize::from(record(tx, &alert(&self.check, gap, self.now)).await?);
        }
        Ok(recorded)
    }
}

fn alert(GapCheck { tenant, series }: &GapCheck, gap: &SequenceRange, now: i64) -> AccountAlert {
    let Series { cpf_cnpj, counted, serie, ambiente } = series;
    let (cpf_cnpj, serie, environment) = (*cpf_cnpj, serie.as_str(), words::ambiente(*ambiente));
    AccountAlert {
        tenant: *tenant,
        ambiente: Some(*ambiente),
        cpf_cnpj,
        evento: AlertEvent::NumeracaoLacuna,
        // The end may shrink when numbers are voided: the gap stays the one that was reported.
        assunto: format!("{}/{}/{serie}/{environment}/{}", cpf_cnpj.as_str(), counted.word(), gap.from),
        dados: json!({
            "cpf_cnpj": cpf_cnpj.as_str(),
            "modelo": counted.modelo(),
            "serie": serie,
            "numero_inicial": gap.from,
            "numero_final": gap.until,
            "quantidade": gap.until - gap.from + 1,
        }),
        criado_em: now,
    }
}

crate::dyn_operation::erasable!(IsGapCheckDue, ClaimGapChecks, RecordGaps);
