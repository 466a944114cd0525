//! Steps of documents in contingency: a registered or refused EPEC, the warning before a deadline, and the note in
//! place of one that was given out and then rejected.
//!
//! Law: MOC 7.0, anexo III, 2.1.4 and 2.3.2, anexo IV, 5; NT 2014.001. The engine decides when each step is due.

use super::files::keep_file;
use super::lease::{change, hold};
use super::record::{self, DOCUMENT, read_document};
use super::{Contingencia, Job, Lease, LogLine, Reserve, log, words};
use crate::conditions::Conditions;
use crate::installation::KeyCode;
use crate::row::{first, only, params};
use crate::tx::{Lane, Operation, Step, Tx};
use crate::webhooks::{self, EventBody, Evento};
use crate::{Error, Sight, Store};
use fiscal::value::Chave;
use uuid::Uuid;

/// An EPEC that the Ambiente Nacional has registered.
#[derive(Debug, Clone)]
pub struct Announced {
    /// With the protocol.
    pub contingencia: Contingencia,
    /// procEventoNFe; absent when the authority confirms the event without returning it.
    pub proc_evento: Option<String>,
}

impl Store {
    /// Records the registered EPEC of a document, stores it with the job and enqueues the webhook event, in one
    /// transaction. The document may then be given out.
    pub async fn announced(
        &self,
        lease: Lease,
        announced: Announced,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        let told = self.write(KeepAnnounced { event_body: self.event_body(), lease, announced, now, log }).await?;
        self.announce_told(told);
        Ok(())
    }
    /// Records the refusal of a document's EPEC and deletes the signed event, in one transaction.
    pub async fn epec_refused(
        &self,
        lease: Lease,
        contingencia: Contingencia,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        self.write(KeepRefused { lease, contingencia, now, log }).await
    }
    /// Enqueues the webhook event for a near deadline, once per document, in one transaction; `false` when it was
    /// enqueued before.
    pub async fn warn_of_deadline(&self, lease: Lease, now: i64, log: Vec<LogLine>) -> Result<bool, Error> {
        let (first, told) = self.write(Warn { event_body: self.event_body(), lease, now, log }).await?;
        self.announce_told(told);
        Ok(first)
    }
    /// Lists unfinished emissions in contingency or in doubt, oldest first, at most `limit`, in the form of lists.
    pub async fn unsettled(&self, sight: Sight, limit: u32) -> Result<Vec<Job>, Error> {
        self.read(Unsettled { sight, limit }).await
    }
}

/// Enqueues the webhook event of a job's document, if the job has a URL; returns whether it did.
pub(super) async fn tell<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    lease: &Lease,
    evento: Evento,
    now: i64,
) -> Result<bool, Error> {
    let sql = "SELECT webhook_url FROM jobs WHERE tenant_id = $1 AND id = $2";
    let rows = tx.query(sql, &params![lease.tenant_id, lease.job_id]).await?;
    let Some(url) = first::<Option<String>>(rows)?.flatten() else { return Ok(false) };
    webhooks::tell(tx, event_body, (lease.tenant_id, lease.job_id), evento, &url, now).await?;
    Ok(true)
}

/// Gives a note the number, code and instant, and so the key, of a rejected note that was given out: the printed form
/// leads to the new note. The rejected note loses its key.
pub(super) async fn in_place_of<T: Tx>(
    tx: &mut T,
    lease: &Lease,
    reserve: &Reserve,
    keeper: Uuid,
    now: i64,
) -> Result<Reserve, Error> {
    let sql = format!("{DOCUMENT} WHERE tenant_id = $1 AND job_id = $2");
    let rows = tx.query(&sql, &params![lease.tenant_id, keeper]).await?;
    let rejected = read_document(only(rows)?)?.ok_or(Error::NotFound)?;
    let take = "UPDATE documents SET asked_by = NULL, chave = NULL WHERE tenant_id = $1 AND job_id = $2";
    let mut steps = vec![Step::new(take, params![lease.tenant_id, keeper])];
    let chave = rejected.chave.as_ref().map_or("", Chave::as_str);
    let text = format!("Número e chave {chave} passam à nota do job {}.", lease.job_id);
    let line = LogLine { at_ms: now.saturating_mul(1_000), text };
    steps.extend(log::append(lease.tenant_id, keeper, &[line])?);
    tx.query_all(&steps).await?;
    let contingencia =
        rejected.contingencia.map(|contingencia| Contingencia { no_lugar_de: Some(keeper), ..contingencia });
    Ok(Reserve {
        codigo_aleatorio: KeyCode::Fixed(rejected.codigo_aleatorio),
        tipo_emissao: rejected.tipo_emissao,
        dhEmi: rejected.dhEmi,
        contingencia,
        ..reserve.clone()
    })
}

struct KeepAnnounced {
    event_body: EventBody,
    lease: Lease,
    announced: Announced,
    now: i64,
    log: Vec<LogLine>,
}

impl Operation for KeepAnnounced {
    type Output = bool;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let KeepAnnounced { event_body, lease, announced, now, log } = self;
        let mut steps = vec![say_of_issued(lease, &announced.contingencia)?];
        let file = announced.proc_evento.as_ref();
        steps.extend(file.map(|xml| keep_file(lease.tenant_id, lease.job_id, "proc_event", xml)));
        match change(tx, lease, *now, log, steps).await?.first() {
            Some(updated) if !updated.is_empty() => tell(tx, event_body, lease, Evento::Contingencia, *now).await,
            _ => Err(NOT_WAITING),
        }
    }
}

const NOT_WAITING: Error = Error::Conflict("o documento não espera por um EPEC");

/// Returns a row if the document waits for its EPEC.
fn say_of_issued(lease: &Lease, contingencia: &Contingencia) -> Result<Step<'static>, Error> {
    let sql = "UPDATE documents SET contingencia = $3 WHERE tenant_id = $1 AND job_id = $2 AND state = 'issued'
               RETURNING numero";
    Ok(Step::new(sql, params![lease.tenant_id, lease.job_id, words::json(contingencia)?]))
}

struct KeepRefused {
    lease: Lease,
    contingencia: Contingencia,
    now: i64,
    log: Vec<LogLine>,
}

impl Operation for KeepRefused {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let KeepRefused { lease, contingencia, now, log } = self;
        let steps = vec![say_of_issued(lease, contingencia)?, drop_event(lease)];
        match change(tx, lease, *now, log, steps).await?.first() {
            Some(updated) if !updated.is_empty() => Ok(()),
            _ => Err(NOT_WAITING),
        }
    }
}

/// Deletes the signed event of a job.
pub(super) fn drop_event(lease: &Lease) -> Step<'static> {
    let sql = "DELETE FROM files WHERE tenant_id = $1 AND job_id = $2 AND kind = $3";
    Step::new(sql, params![lease.tenant_id, lease.job_id, words::EVENT])
}

struct Warn {
    event_body: EventBody,
    lease: Lease,
    now: i64,
    log: Vec<LogLine>,
}

impl Operation for Warn {
    type Output = (bool, bool);
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(bool, bool), Error> {
        let Warn { event_body, lease, now, log } = self;
        let sql =
            "UPDATE documents SET prazo_avisado = $3 WHERE tenant_id = $1 AND job_id = $2 AND prazo_avisado IS NULL
                   RETURNING numero";
        let steps = vec![Step::new(sql, params![lease.tenant_id, lease.job_id, *now])];
        let warned = hold(tx, lease, steps).await?.first().is_some_and(|rows| !rows.is_empty());
        if !warned {
            return Ok((false, false));
        }
        change(tx, lease, *now, log, Vec::new()).await?;
        Ok((true, tell(tx, event_body, lease, Evento::PrazoContingencia, *now).await?))
    }
}

struct Unsettled {
    sight: Sight,
    limit: u32,
}

impl Operation for Unsettled {
    type Output = Vec<Job>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<Job>, Error> {
        let mut conditions = Conditions::of_tenant("u.tenant_id", self.sight.tenant());
        conditions.and("(k.contingencia IS NOT NULL OR k.state = 'in_doubt')");
        conditions.and_given("k.ambiente =", self.sight.only().map(words::ambiente));
        let (limit, params) = conditions.with(params![self.limit]);
        let page = format!(
            "SELECT u.job_id FROM queue u JOIN documents k ON k.tenant_id = u.tenant_id AND k.job_id = u.job_id
             WHERE {} ORDER BY u.job_id LIMIT ${limit}",
            conditions.text()
        );
        let rows = tx.query(&record::listed(&page), &params).await?;
        let mut jobs: Vec<Job> = rows.into_iter().map(record::read_job).collect::<Result<_, _>>()?;
        jobs.reverse();
        Ok(jobs)
    }
}

crate::erased::erasable!(KeepAnnounced, KeepRefused, Warn, Unsettled);
