//! Steps of a job that registers an event. Each is one transaction that checks the lease first.

use super::contingency::drop_event;
use super::files::keep_file;
use super::finish::{End, end, leave_queue, read_url};
use super::lease::{change, hold};
use super::{Act, EventAct, Failure, Lease, LogLine, act, analysis, words};
use crate::events::{self, NewEvent};
use crate::notes::counts;
use crate::received::{self, follow};
use crate::row::{first, only, params};
use crate::tx::{Lane, Operation, Step, Tx};
use crate::webhooks::{self, EventBody, Evento};
use crate::{Error, Store};
use fiscal::event::TpEvento;
use fiscal::lifecycle::State;
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
    pub erro: Option<Failure>,
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
        self.write(Hold { lease, event, foreign: false }).await
    }
    /// Drops the signed event, whose sequence number is used by another system's event, and gives the job the next
    /// number.
    pub async fn renumber_event(&self, lease: Lease, event: NewEvent) -> Result<u16, Error> {
        self.write(Hold { lease, event, foreign: true }).await
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
        self.announce_told(told);
        Ok(())
    }
}

struct Hold {
    lease: Lease,
    event: NewEvent,
    foreign: bool,
}

impl Operation for Hold {
    type Output = u16;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<u16, Error> {
        let Hold { lease, event, foreign } = self;
        let (tenant, job) = (lease.tenant_id, lease.job_id);
        let mut steps = Vec::new();
        if *foreign {
            steps.push(events::foreign(tenant, job));
            steps.push(drop_event(lease));
        }
        hold(tx, lease, steps).await?;
        let nSeqEvento = events::hold(tx, tenant, job, event).await?;
        let (chave, tpEvento) = (event.chave, event.tpEvento.clone());
        let held = Act::Event(EventAct { chave, tpEvento, nSeqEvento, nProt: None, dhRegEvento: None });
        tx.query_all(&[act::keep(tenant, job, &held)?]).await?;
        Ok(nSeqEvento)
    }
}

struct BeginEvent {
    lease: Lease,
    event_xml: String,
    now: i64,
    log: Vec<LogLine>,
}

impl Operation for BeginEvent {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let BeginEvent { lease, event_xml, now, log } = self;
        let steps = vec![keep_file(lease.tenant_id, lease.job_id, words::EVENT, event_xml)];
        change(tx, lease, *now, log, steps).await.map(drop)
    }
}

struct SettleEvent {
    event_body: EventBody,
    lease: Lease,
    outcome: EventOutcome,
    now: i64,
    log: Vec<LogLine>,
}

impl Operation for SettleEvent {
    type Output = bool;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let SettleEvent { event_body, lease, outcome, now, log } = self;
        let (tenant, job) = (lease.tenant_id, lease.job_id);
        let EventOutcome { codigo, xMotivo, registered, evento, erro } = outcome;
        let said = registered.as_ref().map(|event| &event.act).filter(|act| is_manifestation(&act.tpEvento));
        // The received note it refers to may be arriving at this moment.
        let held = said.and_then(|act| follow::hold(tx.dialect(), tenant, act.chave.as_str()));
        let (tentativas, _) = leave_queue(tx, lease, held.into_iter().collect()).await?;
        // An event that cancels nothing may have been refused because another system's event cancelled the document.
        let acted_on = if registered.as_ref().is_some_and(|event| event.cancels) {
            BTreeSet::new()
        } else {
            follow::hold_targets(tx, tenant, "($2)", &params![tenant, job]).await?
        };
        let cancelled = match registered {
            Some(RegisteredEvent { cancels: true, proc_evento, .. }) => {
                Some(cancel_target(tx, lease, proc_evento.as_deref()).await?)
            }
            _ => None,
        };
        let event = Some((codigo, xMotivo.as_str()));
        let status = if erro.is_some() { "failed" } else { "completed" };
        let mut steps = end(lease, End { status, tentativas, erro: erro.as_ref(), event, now: *now }, log)?;
        match registered {
            Some(registered) => {
                steps.push(events::registered(tenant, job, &registered.act));
                steps.push(act::keep(tenant, job, &Act::Event(registered.act.clone()))?);
                steps.extend(said.map(|act| received::said(tenant, act.chave.as_str(), *now)));
                let own = registered.proc_evento.as_ref().filter(|_| !registered.cancels);
                steps.extend(own.map(|xml| keep_file(tenant, job, "proc_event", xml)));
                steps.extend(registered.analysis.map(|word| analysis::of_target(tenant, job, word, *now)));
            }
            None => steps.push(events::release(tenant, job)),
        }
        let url = read_url(tx.query_all(&steps).await?)?;
        let told =
            webhooks::tell_both(tx, event_body, (tenant, job), *evento, url.as_deref(), cancelled.as_ref(), *now)
                .await?;
        Ok(follow::notes(tx, event_body, tenant, &acted_on, *now).await? || told)
    }
}

/// `true` for an event by which the receiver states its position on a document.
fn is_manifestation(code: &str) -> bool {
    TpEvento::from_code(code).is_some_and(TpEvento::is_manifestation) || nfse::event::is_manifestation(code)
}

/// Cancels the target document; returns its emission job and webhook URL. No URL when the document was cancelled
/// before, since it is cancelled once.
async fn cancel_target<T: Tx>(
    tx: &mut T,
    lease: &Lease,
    proc_evento: Option<&str>,
) -> Result<(Uuid, Option<String>), Error> {
    let lock = tx.dialect().for_update();
    let sql = format!(
        "SELECT job_id, state FROM documents WHERE tenant_id = $1
         AND job_id = (SELECT alvo FROM jobs WHERE tenant_id = $1 AND id = $2) {lock}"
    );
    let mut row = only(tx.query(&sql, &params![lease.tenant_id, lease.job_id]).await?)?;
    let (target, before): (Uuid, String) = (row.take()?, row.take()?);
    let cancel = "UPDATE documents SET state = 'cancelled' WHERE tenant_id = $1 AND job_id = $2";
    let address = "SELECT webhook_url FROM jobs WHERE tenant_id = $1 AND id = $2";
    let counted = counts::Sql::of(tx);
    let mut steps = vec![Step::new(address, params![lease.tenant_id, target])];
    steps.extend(counts::leaves(counted, lease.tenant_id, target));
    steps.push(Step::new(cancel, params![lease.tenant_id, target]));
    steps.extend(counts::entered(counted, lease.tenant_id, target));
    steps.extend(proc_evento.map(|xml| keep_file(lease.tenant_id, target, "cancelled", xml)));
    let url = first::<Option<String>>(tx.query_all(&steps).await?.into_iter().next().unwrap_or_default())?.flatten();
    Ok((target, url.filter(|_| before != words::state(State::Cancelled))))
}

crate::erased::erasable!(Hold, BeginEvent, SettleEvent);
