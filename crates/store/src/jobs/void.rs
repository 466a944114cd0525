//! Steps of a job that voids numbers. Each is one transaction that checks the lease first.

use super::act::{self, JobAct, VoidAct};
use super::files::save_file;
use super::finish::{JobEnd, end_steps, enqueue_end_event, leave_queue};
use super::job::Lease;
use super::lease::lock_lease;
use super::log::LogLine;
use crate::numbers::number_state::NumberState;
use crate::numbers::sequence::{Sequence, SequenceRange, Series};
use crate::numbers::void;
use crate::row::params;
use crate::tx::{Lane, SqlStep, StoreOperation, Tx};
use crate::webhooks::{EventBody, Evento};
use crate::{Error, Store};
use fiscal::value::Codigo;
use uuid::Uuid;

/// Result of voiding numbers at the authority.
#[derive(Debug, Clone)]
pub struct VoidOutcome {
    pub codigo: Codigo,
    /// Text, verbatim.
    pub xMotivo: String,
    pub end: VoidEnd,
}

/// State of the numbers afterwards.
#[derive(Debug, Clone)]
pub enum VoidEnd {
    /// Voided, with the authority's data and the ProcInutNFe if it returned one.
    Voided(VoidAct, Option<String>),
    /// Refused: the numbers return to their former state.
    Refused,
    /// Refused because the numbers were used elsewhere: they are not given again.
    Gone(NumberState),
}

impl Store {
    /// Holds the job's range, if it does not hold it yet: a job that was given up has lost it.
    pub async fn hold_range(&self, lease: Lease, series: Series, range: SequenceRange) -> Result<(), Error> {
        self.write(HoldRange { lease, sequence: Sequence { tenant: lease.tenant_id, series }, range }).await
    }
    /// Settles the voiding in one transaction: result on the job (`completed`), its numbers voided or back in their
    /// former state.
    pub async fn settle_void(
        &self,
        lease: Lease,
        outcome: VoidOutcome,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        let told = self.write(SettleVoid { event_body: self.event_body(), lease, outcome, now, log }).await?;
        self.announce_enqueued(told);
        Ok(())
    }
}

struct HoldRange {
    lease: Lease,
    sequence: Sequence,
    range: SequenceRange,
}

impl StoreOperation for HoldRange {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        lock_lease(tx, &self.lease, Vec::new()).await?;
        void::hold_void_range(tx, &self.sequence, self.range, self.lease.job_id).await
    }
}

struct SettleVoid {
    event_body: EventBody,
    lease: Lease,
    outcome: VoidOutcome,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for SettleVoid {
    type Output = bool;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let SettleVoid { event_body, lease, outcome, now, log } = self;
        let (tenant, job) = (lease.tenant_id, lease.job_id);
        let (tentativas, _) = leave_queue(tx, lease, Vec::new()).await?;
        let event = Some((&outcome.codigo, outcome.xMotivo.as_str()));
        let mut steps =
            end_steps(lease, JobEnd { status: "completed", tentativas, erro: None, event, now: *now }, log)?;
        let [forget, free] = void::release(tx.dialect());
        let evento = match &outcome.end {
            VoidEnd::Voided(act, proc_inut) => {
                steps.push(void::end_voiding(tenant, job, NumberState::Voided));
                steps.push(act::save_act(tenant, job, &JobAct::Void(act.clone()))?);
                steps.push(list_range_step(tenant, job, act));
                steps.extend(proc_inut.iter().map(|xml| save_file(tenant, job, "proc_event", xml)));
                Evento::Inutilizada
            }
            VoidEnd::Refused => {
                steps.extend([&forget, &free].map(|sql| SqlStep::new(sql, params![tenant, job])));
                Evento::InutilizacaoRejeitada
            }
            VoidEnd::Gone(state) => {
                steps.push(void::end_voiding(tenant, job, *state));
                Evento::InutilizacaoRejeitada
            }
        };
        let rows = tx.query_all(&steps).await?;
        enqueue_end_event(tx, event_body, lease, Some(evento), rows, *now).await
    }
}

/// Adds the range to the lists of voided ranges.
fn list_range_step(tenant: Uuid, job: Uuid, act: &VoidAct) -> SqlStep<'static> {
    let sql = "INSERT INTO voids (tenant_id, job_id, cpf_cnpj, tipo, ambiente, serie, nNFIni, nNFFin)
               SELECT tenant_id, id, cpf_cnpj, tipo, ambiente, CAST($3 AS TEXT), CAST($4 AS BIGINT), CAST($5 AS BIGINT)
               FROM jobs WHERE tenant_id = $1 AND id = $2";
    SqlStep::new(sql, params![tenant, job, act.serie.to_string(), act.nNFIni, act.nNFFin])
}

crate::dyn_operation::erasable!(HoldRange, SettleVoid);
