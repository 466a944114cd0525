//! Change of the emission mode of an unsent document: another tipo_emissao and so another key, under the same number or
//! a fresh one.
//!
//! Law: MOC 7.0, anexo III, 2.1.3.5; MOC CT-e 4.00, 11.5.3 (another number). The engine decides when this is safe, and
//! the new mode.

use super::contingency::drop_event;
use super::document::{Contingencia, JobDocument};
use super::job::Lease;
use super::lease::record_change;
use super::log::LogLine;
use super::number_request::NumberRequest;
use super::transmissions;
use crate::numbers::ledger::{self, LedgerNumber, WantedNumber};
use crate::numbers::number_state::NumberState;
use crate::numbers::sequence::{Sequence, Series};
use crate::row::{only, params};
use crate::tx::{Lane, SqlStep, StoreOperation, Tx};
use crate::{Error, Store, words};
use fiscal::lifecycle::DocumentState;

/// Change of the emission mode of a document that was not sent: it is made anew, under the same number or another.
#[derive(Debug, Clone)]
pub struct EmissionModeChange {
    /// From `lifecycle::next`.
    pub state: DocumentState,
    pub tipo_emissao: u8,
    pub dhEmi: String,
    pub contingencia: Option<Contingencia>,
    /// Sequence of the new number, which was never given, where the document may not keep its own.
    pub renumbered_in: Option<Series>,
}

impl Store {
    /// Clears the document's key and sets its new emission mode, in one transaction; `begin_sending` sets the next key.
    /// Returns the document's number.
    pub async fn change_emission_mode(
        &self,
        lease: Lease,
        reroute: EmissionModeChange,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<u64, Error> {
        self.write(ChangeEmissionMode { lease, reroute, now, log }).await
    }
}

struct ChangeEmissionMode {
    lease: Lease,
    reroute: EmissionModeChange,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for ChangeEmissionMode {
    type Output = u64;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<u64, Error> {
        let ChangeEmissionMode { lease, reroute, now, log } = self;
        let sql =
            "UPDATE documents SET state = $3, tipo_emissao = $4, dhEmi = $5, contingencia = $6, asked_by = NULL, chave = NULL, digest = NULL,
                       first_sent_at = NULL, last_sent_at = NULL, refusal = NULL
                   WHERE tenant_id = $1 AND job_id = $2 AND state IN ('accepted', 'issued', 'sending') RETURNING numero";
        let params = params![
            lease.tenant_id,
            lease.job_id,
            words::state(reroute.state),
            reroute.tipo_emissao,
            &reroute.dhEmi,
            reroute.contingencia.as_ref().map(words::json).transpose()?,
        ];
        // A refused EPEC is void, so its signed event is dropped.
        let mut steps = Vec::from(transmissions::archive_transmission(lease, *now));
        steps.extend([SqlStep::new(sql, params), drop_event(lease)]);
        let updated = record_change(tx, lease, *now, log, steps).await?.into_iter().nth(UPDATE_POSITION);
        let updated = updated.and_then(|rows| rows.into_iter().next());
        let numero = updated.ok_or(Error::Conflict("o documento já pode ter sido enviado"))?.read()?;
        match reroute.renumbered_in {
            Some(series) => renumber(tx, lease, series).await,
            None => Ok(numero),
        }
    }
}

/// Position of the document's own statement among those of the change.
const UPDATE_POSITION: usize = 3;

/// Replaces the document's number by one that was never given, and releases the old one for normal emission.
async fn renumber<T: Tx>(tx: &mut T, lease: &Lease, series: Series) -> Result<u64, Error> {
    let sql = format!("SELECT {} FROM documents WHERE tenant_id = $1 AND job_id = $2", LedgerNumber::COLUMNS);
    let mut row = only(tx.query(&sql, &params![lease.tenant_id, lease.job_id]).await?)?;
    let before = LedgerNumber::read(lease.tenant_id, &mut row)?;
    let sequence = Sequence { tenant: lease.tenant_id, series };
    let choice = ledger::choose(tx, &sequence, WantedNumber::Fresh).await?;
    let mut steps = before.settle(lease.job_id, NumberState::Released);
    let sql = "UPDATE documents SET numero = $3 WHERE tenant_id = $1 AND job_id = $2";
    steps.push(SqlStep::new(sql, params![lease.tenant_id, lease.job_id, choice.numero]));
    ledger::reserve(tx, &sequence, &choice, lease.job_id, steps).await?;
    Ok(choice.numero)
}

/// Sets the present emission mode of a document that has only a number.
pub(super) async fn set_present_mode<T: Tx>(
    tx: &mut T,
    lease: &Lease,
    reserve: &NumberRequest,
    document: JobDocument,
) -> Result<JobDocument, Error> {
    let sql = "UPDATE documents SET tipo_emissao = $3, dhEmi = $4, contingencia = $5
               WHERE tenant_id = $1 AND job_id = $2 AND state = 'accepted'";
    let contingencia = reserve.contingencia.as_ref().map(words::json).transpose()?;
    let params = params![lease.tenant_id, lease.job_id, reserve.tipo_emissao, &reserve.dhEmi, contingencia];
    tx.execute(sql, &params).await?;
    // The company may use another series by now; the document stays in its own.
    let own = Series { counted: document.counted, serie: document.serie, ..reserve.series };
    let numero = match reserve.fresh && reserve.asked_numero.is_none() {
        true => renumber(tx, lease, own).await?,
        false => document.numero,
    };
    let NumberRequest { tipo_emissao, dhEmi, contingencia, .. } = reserve.clone();
    Ok(JobDocument { numero, tipo_emissao, dhEmi, contingencia, ..document })
}

crate::dyn_operation::erasable!(ChangeEmissionMode);
