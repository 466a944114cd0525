//! Steps of a job that registers an event. Each is one transaction that checks the lease first.

use super::act::{EventAct, JobAct};
use super::contingency::drop_event;
use super::files::{SIGNED_EVENT, save_file};
use super::finish::{JobEnd, end_steps, leave_queue};
use super::job::{JobFailure, Lease};
use super::lease::{lock_lease, record_change};
use super::log::LogLine;
use super::{act, analysis};
use crate::events::new_event::NewEvent;
use crate::notes::counts;
use crate::received::{self, own_notes};
use crate::row::{only, params};
use crate::tx::{Lane, SqlStep, StoreOperation, Tx};
use crate::webhooks::{self, EventBody, EventTargets, Evento};
use crate::{Error, Store, events, mail, words};
use fiscal::event::NfeEventKind;
use fiscal::lifecycle::DocumentState;
use fiscal::nfse;
use fiscal::value::Codigo;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Result of an event at the authority.
#[derive(Debug, Clone)]
pub struct EventOutcome {
    pub codigo: Codigo,
    /// Text, verbatim.
    pub xMotivo: String,
    /// The registered event; `None` when it was refused.
    pub registered: Option<RegisteredEvent>,
    /// Webhook event of the job.
    pub evento: Evento,
    /// Failure of the job, for a refusal that is more than an answer.
    pub erro: Option<JobFailure>,
}

/// An event that the authority has registered.
#[derive(Debug, Clone)]
pub struct RegisteredEvent {
    /// Key, kind, sequence number, protocol.
    pub act: EventAct,
    /// procEventoNFe; absent when the authority confirms the event without returning it.
    pub proc_evento: Option<String>,
    /// `true` if it cancels the document.
    pub cancels: bool,
    /// State of the fiscal analysis that it requests from the município.
    pub analysis: Option<&'static str>,
}

impl Store {
    /// Returns the sequence number of the job's event. A job that was given up has lost its number and gets the next
    /// one.
    pub async fn hold_event(&self, lease: Lease, event: NewEvent) -> Result<u16, Error> {
        self.write(HoldEventNumber { lease, event, foreign: false }).await
    }
    /// Drops the signed event, whose sequence number is used by another system's event, and gives the job the next
    /// number.
    pub async fn renumber_event(&self, lease: Lease, event: NewEvent) -> Result<u16, Error> {
        self.write(HoldEventNumber { lease, event, foreign: true }).await
    }
    /// Stores the signed event before it is sent.
    pub async fn begin_event(&self, lease: Lease, event_xml: String, now: i64, log: Vec<LogLine>) -> Result<(), Error> {
        self.write(BeginEvent { lease, event_xml, now, log }).await
    }
    /// Settles the event in one transaction: result on the job (`completed`), sequence number registered or freed. A
    /// document that it cancels becomes `Cancelled` and gets the procEventoNFe; otherwise the job keeps it.
    pub async fn settle_event(
        &self,
        lease: Lease,
        outcome: EventOutcome,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        let told = self.write(SettleEvent { event_body: self.event_body(), lease, outcome, now, log }).await?;
        self.announce_enqueued(told);
        Ok(())
    }
}

struct HoldEventNumber {
    lease: Lease,
    event: NewEvent,
    foreign: bool,
}

impl StoreOperation for HoldEventNumber {
    type Output = u16;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<u16, Error> {
        let HoldEventNumber { lease, event, foreign } = self;
        let (tenant, job) = (lease.tenant_id, lease.job_id);
        let mut steps = Vec::new();
        if *foreign {
            steps.push(events::mark_foreign(tenant, job));
            steps.push(drop_event(lease));
        }
        lock_lease(tx, lease, steps).await?;
        let nSeqEvento = events::hold_event_number(tx, tenant, job, event).await?;
        let (chave, tpEvento) = (event.chave, event.tpEvento.clone());
        let held = JobAct::Event(EventAct { chave, tpEvento, nSeqEvento, nProt: None, dhRegEvento: None });
        tx.query_all(&[act::save_act(tenant, job, &held)?]).await?;
        Ok(nSeqEvento)
    }
}

struct BeginEvent {
    lease: Lease,
    event_xml: String,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for BeginEvent {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let BeginEvent { lease, event_xml, now, log } = self;
        let steps = vec![save_file(lease.tenant_id, lease.job_id, SIGNED_EVENT, event_xml)];
        record_change(tx, lease, *now, log, steps).await.map(drop)
    }
}

struct SettleEvent {
    event_body: EventBody,
    lease: Lease,
    outcome: EventOutcome,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for SettleEvent {
    type Output = bool;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let SettleEvent { event_body, lease, outcome, now, log } = self;
        let (tenant, job) = (lease.tenant_id, lease.job_id);
        let EventOutcome { codigo, xMotivo, registered, evento, erro } = outcome;
        let said = registered.as_ref().map(|event| &event.act).filter(|act| is_manifestation(&act.tpEvento));
        // The received note it refers to may be arriving at this moment.
        let held = said.and_then(|act| own_notes::lock_note(tx.dialect(), tenant, act.chave.as_str()));
        let (tentativas, _) = leave_queue(tx, lease, held.into_iter().collect()).await?;
        // An event that cancels nothing may have been refused because another system's event cancelled the document.
        let acted_on = if registered.as_ref().is_some_and(|event| event.cancels) {
            BTreeSet::new()
        } else {
            own_notes::lock_targets(tx, tenant, "($2)", &params![tenant, job]).await?
        };
        let cancelled = match registered {
            Some(RegisteredEvent { cancels: true, proc_evento, .. }) => {
                Some(cancel_target_document(tx, lease, proc_evento.as_deref(), *now).await?)
            }
            _ => None,
        };
        let event = Some((codigo, xMotivo.as_str()));
        let status = if erro.is_some() { "failed" } else { "completed" };
        let mut steps = end_steps(lease, JobEnd { status, tentativas, erro: erro.as_ref(), event, now: *now }, log)?;
        match registered {
            Some(registered) => {
                steps.push(events::record_registered(tenant, job, &registered.act));
                steps.push(act::save_act(tenant, job, &JobAct::Event(registered.act.clone()))?);
                steps.extend(said.map(|act| received::update_manifestation(tenant, act.chave.as_str(), *now)));
                let own = registered.proc_evento.as_ref().filter(|_| !registered.cancels);
                steps.extend(own.map(|xml| save_file(tenant, job, "proc_event", xml)));
                steps.extend(registered.analysis.map(|word| analysis::set_target_analysis(tenant, job, word, *now)));
            }
            None => steps.push(events::free_event_number(tenant, job)),
        }
        let targets = EventTargets::read_first(tx.query_all(&steps).await?)?;
        let told =
            webhooks::enqueue_event_pair(tx, event_body, (tenant, job), *evento, targets, cancelled, *now).await?;
        Ok(own_notes::apply_distributed_all(tx, event_body, tenant, &acted_on, *now).await? || told)
    }
}

/// `true` for an event by which the receiver states its position on a document.
fn is_manifestation(code: &str) -> bool {
    NfeEventKind::from_code(code).is_some_and(NfeEventKind::is_manifestation) || nfse::event::is_manifestation(code)
}

/// Cancels the target document; returns its emission job and the addresses of its events. None when the document was
/// cancelled before, since it is cancelled once.
async fn cancel_target_document<T: Tx>(
    tx: &mut T,
    lease: &Lease,
    proc_evento: Option<&str>,
    now: i64,
) -> Result<(Uuid, EventTargets), Error> {
    let lock = tx.dialect().for_update();
    let sql = format!(
        "SELECT job_id, state FROM documents WHERE tenant_id = $1
         AND job_id = (SELECT alvo FROM jobs WHERE tenant_id = $1 AND id = $2) {lock}"
    );
    let mut row = only(tx.query(&sql, &params![lease.tenant_id, lease.job_id]).await?)?;
    let (target, before): (Uuid, String) = (row.read()?, row.read()?);
    let cancel = "UPDATE documents SET state = 'cancelled' WHERE tenant_id = $1 AND job_id = $2";
    let counted = counts::NoteCountSql::of(tx);
    let mut steps = Vec::from(EventTargets::steps(lease.tenant_id, target));
    steps.extend(counts::uncount_steps(counted, lease.tenant_id, target));
    steps.push(SqlStep::new(cancel, params![lease.tenant_id, target]));
    steps.extend(counts::count_steps(counted, lease.tenant_id, target));
    steps.extend(proc_evento.map(|xml| save_file(lease.tenant_id, target, "cancelled", xml)));
    let is_first = before != words::state(DocumentState::Cancelled);
    if is_first {
        steps.extend(mail::enqueue_document_mail(lease.tenant_id, target, DocumentState::Cancelled, now));
    }
    let targets = EventTargets::read_first(tx.query_all(&steps).await?)?;
    Ok((target, if is_first { targets } else { EventTargets::default() }))
}

crate::dyn_operation::erasable!(HoldEventNumber, BeginEvent, SettleEvent);
