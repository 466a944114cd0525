//! Enqueueing of webhook events. An event row exists if and only if the change was committed.

use super::{ATTEMPTS, DeliveryStatus, Evento, destino};
use crate::companies::read::{Company, find_company};
use crate::jobs::document::JobDocument;
use crate::jobs::job::Job;
use crate::jobs::record::find_job;
use crate::row::params;
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

/// Enqueues the event of a job for its URL. The job's end must be written before.
pub(crate) async fn enqueue_event<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    (tenant, job): (Uuid, Uuid),
    evento: Evento,
    url: &str,
    now: i64,
) -> Result<(), Error> {
    let job = find_job(tx, tenant, job).await?;
    let document = match (&job.document, job.alvo) {
        (None, Some(alvo)) => find_job(tx, tenant, alvo).await?.document,
        (document, _) => document.clone(),
    };
    let company = find_company(tx, tenant, job.cpf_cnpj).await?;
    let (id, evento) = (Uuid::now_v7(), format!("{}.{}", job.tipo, evento.word()));
    let told = WebhookFacts {
        id,
        evento: &evento,
        at: now,
        job: &job,
        document: document.as_ref(),
        company: company.as_ref(),
    };
    let corpo = (event_body.0)(&told);
    let delivery = SqlStep::new(
        "INSERT INTO deliveries (tenant_id, id, job_id, ambiente, evento, url, corpo, status, tentativas, criado_em,
                  proxima_em)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $9)",
        params![
            tenant,
            id,
            job.id,
            words::ambiente(job.ambiente),
            &evento,
            url,
            corpo,
            DeliveryStatus::Pendente.word(),
            now
        ],
    );
    tx.query_all(&[delivery, queue_attempts(tenant, id, url, now)]).await.map(drop)
}

/// Enqueues the event of an act for its own URL, and, when it cancels the document, the document's event for the
/// document's URL; the same URL gets one event. Returns whether any was enqueued.
pub(crate) async fn enqueue_event_pair<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    event: (Uuid, Uuid),
    evento: Evento,
    own_url: Option<&str>,
    cancelled: Option<&(Uuid, Option<String>)>,
    now: i64,
) -> Result<bool, Error> {
    if let Some(url) = own_url {
        enqueue_event(tx, event_body, event, evento, url, now).await?;
    }
    let documents = cancelled.and_then(|(job, url)| Some((*job, url.as_deref()?)));
    if let Some((job, url)) = documents.filter(|(_, url)| own_url != Some(*url)) {
        enqueue_event(tx, event_body, (event.0, job), Evento::Cancelada, url, now).await?;
    }
    Ok(own_url.is_some() || documents.is_some())
}

/// Queues a new series of attempts.
pub(super) fn queue_attempts(tenant: Uuid, delivery: Uuid, url: &str, now: i64) -> SqlStep<'static> {
    let sql = "INSERT INTO delivery_queue (tenant_id, delivery_id, destino, ready_at, restantes)
               VALUES ($1, $2, $3, $4, $5)";
    SqlStep::new(sql, params![tenant, delivery, destino(tenant, url), now, ATTEMPTS])
}
