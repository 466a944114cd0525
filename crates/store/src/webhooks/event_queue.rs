//! Enqueueing of webhook events. An event row exists if and only if the change was committed.

use super::account::{AccountTarget, NewDelivery, account_targets_step, read_account_targets};
use super::{ATTEMPTS, Evento};
use crate::companies::read::{Company, find_company};
use crate::jobs::document::JobDocument;
use crate::jobs::job::Job;
use crate::jobs::record::find_job;
use crate::row::{Row, params};
use crate::tx::{SqlStep, Tx};
use crate::{Error, Store, words};
use std::sync::Arc;
use uuid::Uuid;

/// Facts of an event at the commit of its transaction.
#[derive(Debug)]
pub struct WebhookFacts<'t> {
    /// Id of the event.
    pub id: Uuid,
    /// `nfe.autorizada`, …
    pub evento: &'t str,
    /// Seconds since 1970.
    pub at: i64,
    pub job: &'t Job,
    /// Document of the job, or of the job it acts on.
    pub document: Option<&'t JobDocument>,
    /// Company of the job, if still registered.
    pub company: Option<&'t Company>,
}

/// Makes the body of an event: a JSON object without `tentativa`. Must be pure: a transaction may run twice.
#[derive(Clone)]
pub struct EventBody(Arc<dyn Fn(&WebhookFacts<'_>) -> String + Send + Sync>);

impl EventBody {
    pub fn new(body: impl Fn(&WebhookFacts<'_>) -> String + Send + Sync + 'static) -> EventBody {
        EventBody(Arc::new(body))
    }
}

impl Default for EventBody {
    /// A body with the job's id only, for a store without an API.
    fn default() -> EventBody {
        EventBody::new(|told| {
            format!("{{\"id\":\"{}\",\"evento\":\"{}\",\"job_id\":\"{}\"}}", told.id, told.evento, told.job.id)
        })
    }
}

impl Store {
    /// Sets the function that makes the bodies of events. A second call has no effect.
    pub fn set_event_body(&self, event_body: EventBody) {
        // The first function stays.
        let _ = self.shared.event_body.set(event_body);
    }

    pub(crate) fn event_body(&self) -> EventBody {
        self.shared.event_body.get().cloned().unwrap_or_default()
    }

    /// Signals that new deliveries were committed.
    pub(crate) fn announce_deliveries(&self) {
        self.shared.delivery_signal.signal();
    }
}

/// Addresses that get the events of a job.
#[derive(Debug, Default)]
pub(crate) struct EventTargets {
    /// Address given with the request.
    own: Option<String>,
    account: Option<AccountTarget>,
}

impl EventTargets {
    /// Steps that find the addresses of a job.
    pub(crate) fn steps(tenant: Uuid, job: Uuid) -> [SqlStep<'static>; 2] {
        let sql = "SELECT webhook_url, ambiente FROM jobs WHERE tenant_id = $1 AND id = $2";
        [SqlStep::new(sql, params![tenant, job]), account_targets_step(tenant)]
    }

    /// Reads the addresses from the job's `webhook_url` and `ambiente`, and those of its account.
    pub(crate) fn read(job: Vec<Row>, accounts: Vec<Row>) -> Result<EventTargets, Error> {
        let Some(mut job) = job.into_iter().next() else { return Ok(EventTargets::default()) };
        let (own, ambiente) = (job.read()?, words::read_ambiente(job.read()?)?);
        let account = read_account_targets(accounts)?.into_iter().find(|target| target.ambiente == ambiente);
        Ok(EventTargets { own, account })
    }

    /// Reads the addresses from the results of steps that begin with those of a job.
    pub(crate) fn read_first(rows: Vec<Vec<Row>>) -> Result<EventTargets, Error> {
        let mut rows = rows.into_iter();
        EventTargets::read(rows.next().unwrap_or_default(), rows.next().unwrap_or_default())
    }

    /// Finds the addresses of a job.
    pub(crate) async fn find<T: Tx>(tx: &mut T, tenant: Uuid, job: Uuid) -> Result<EventTargets, Error> {
        EventTargets::read_first(tx.query_all(&EventTargets::steps(tenant, job)).await?)
    }

    /// Addresses of the document's event in a pair: without those that get the act's.
    fn without(self, act: &EventTargets) -> EventTargets {
        EventTargets { own: self.own.filter(|own| act.own.as_ref() != Some(own)), account: None }
    }

    /// Addresses that get an event, each once, and whether it is the account's.
    fn of(&self, evento: &str) -> Vec<(&str, bool)> {
        let own = self.own.as_deref();
        let account = self.account.as_ref().filter(|target| target.wants(evento)).map(|target| target.url.as_str());
        let account = account.filter(|url| own != Some(*url));
        own.map(|url| (url, false)).into_iter().chain(account.map(|url| (url, true))).collect()
    }
}

/// Enqueues the event of a job for each of its addresses; returns whether there was any. The job's end must be written
/// before.
pub(crate) async fn enqueue_event<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    (tenant, job): (Uuid, Uuid),
    evento: Evento,
    targets: &EventTargets,
    now: i64,
) -> Result<bool, Error> {
    if targets.own.is_none() && targets.account.is_none() {
        return Ok(false);
    }
    let job = find_job(tx, tenant, job).await?;
    let evento = format!("{}.{}", job.tipo, evento.word());
    let urls = targets.of(&evento);
    if urls.is_empty() {
        return Ok(false);
    }
    let document = match (&job.document, job.alvo) {
        (None, Some(alvo)) => find_job(tx, tenant, alvo).await?.document,
        (document, _) => document.clone(),
    };
    let company = find_company(tx, tenant, job.cpf_cnpj).await?;
    for (url, is_for_account) in urls {
        let (id, document, company) = (Uuid::now_v7(), document.as_ref(), company.as_ref());
        let facts = WebhookFacts { id, evento: &evento, at: now, job: &job, document, company };
        let delivery = NewDelivery {
            tenant,
            id,
            job: job.id,
            ambiente: job.ambiente,
            evento: &evento,
            url,
            corpo: (event_body.0)(&facts),
            is_for_account,
            attempts: ATTEMPTS,
            now,
        };
        delivery.insert(tx).await?;
    }
    Ok(true)
}

/// Enqueues the event of an act for its own URL, and, when it cancels the document, the document's event for the
/// document's URL; an address gets one event. Returns whether any was enqueued.
pub(crate) async fn enqueue_event_pair<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    event: (Uuid, Uuid),
    evento: Evento,
    targets: EventTargets,
    cancelled: Option<(Uuid, EventTargets)>,
    now: i64,
) -> Result<bool, Error> {
    let own = enqueue_event(tx, event_body, event, evento, &targets, now).await?;
    let Some((job, of_document)) = cancelled else { return Ok(own) };
    let of_document = of_document.without(&targets);
    let document = enqueue_event(tx, event_body, (event.0, job), Evento::Cancelada, &of_document, now).await?;
    Ok(own || document)
}
