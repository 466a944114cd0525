//! Steps of documents in contingency: a registered or refused EPEC, the warning before a deadline, and the note in
//! place of one that was given out and then rejected.
//!
//! Law: MOC 7.0, anexo III, 2.1.4 and 2.3.2, anexo IV, 5; NT 2014.001. The engine decides when each step is due.

use super::document::Contingencia;
use super::files::{SIGNED_EVENT, save_file};
use super::job::{Job, Lease};
use super::lease::{enqueue_job_event, lock_lease, record_change};
use super::log::{self, LogLine};
use super::number_request::NumberRequest;
use super::record::{self, DOCUMENT, read_document};
use crate::conditions::Conditions;
use crate::installation::KeyCode;
use crate::row::{only, params};
use crate::tx::{Lane, SqlStep, StoreOperation, Tx};
use crate::webhooks::{EventBody, Evento};
use crate::{Error, Store, Visibility, words};
use fiscal::value::Chave;
use uuid::Uuid;

/// An EPEC that the Ambiente Nacional has registered.
#[derive(Debug, Clone)]
pub struct RegisteredEpec {
    /// With the protocol.
    pub contingencia: Contingencia,
    /// procEventoNFe; absent when the authority confirms the event without returning it.
    pub proc_evento: Option<String>,
}

impl Store {
    /// Records the registered EPEC of a document, stores it with the job and enqueues the webhook event, in one
    /// transaction. The document may then be given out.
    pub async fn epec_registered(
        &self,
        lease: Lease,
        epec: RegisteredEpec,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        let told = self.write(SaveEpec { event_body: self.event_body(), lease, announced: epec, now, log }).await?;
        self.announce_enqueued(told);
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
        self.write(SaveEpecRefusal { lease, contingencia, now, log }).await
    }
    /// Enqueues the webhook event for a near deadline, once per document, in one transaction; `false` when it was
    /// enqueued before.
    pub async fn warn_of_deadline(&self, lease: Lease, now: i64, log: Vec<LogLine>) -> Result<bool, Error> {
        let (first, told) = self.write(WarnOfDeadline { event_body: self.event_body(), lease, now, log }).await?;
        self.announce_enqueued(told);
        Ok(first)
    }
    /// Lists unfinished emissions in contingency or in doubt, oldest first, at most `limit`, in the form of lists.
    pub async fn unsettled(&self, sight: Visibility, limit: u32) -> Result<Vec<Job>, Error> {
        self.read(ListUnsettled { visibility: sight, limit }).await
    }
}

/// Gives a note the number, code and instant, and so the key, of a rejected note that was given out: the printed form
/// leads to the new note. The rejected note loses its key.
pub(super) async fn take_rejected_key<T: Tx>(
    tx: &mut T,
    lease: &Lease,
    reserve: &NumberRequest,
    keeper: Uuid,
    now: i64,
) -> Result<NumberRequest, Error> {
    let sql = format!("{DOCUMENT} WHERE tenant_id = $1 AND job_id = $2");
    let rows = tx.query(&sql, &params![lease.tenant_id, keeper]).await?;
    let rejected = read_document(only(rows)?)?.ok_or(Error::NotFound)?;
    let take = "UPDATE documents SET asked_by = NULL, chave = NULL WHERE tenant_id = $1 AND job_id = $2";
    let mut steps = vec![SqlStep::new(take, params![lease.tenant_id, keeper])];
    let chave = rejected.chave.as_ref().map_or("", Chave::as_str);
    let text = format!("Número e chave {chave} passam à nota do job {}.", lease.job_id);
    let line = LogLine { at_ms: now.saturating_mul(1_000), text };
    steps.extend(log::append(lease.tenant_id, keeper, &[line])?);
    tx.query_all(&steps).await?;
    let contingencia =
        rejected.contingencia.map(|contingencia| Contingencia { no_lugar_de: Some(keeper), ..contingencia });
    Ok(NumberRequest {
        codigo_aleatorio: KeyCode::Fixed(rejected.codigo_aleatorio),
        tipo_emissao: rejected.tipo_emissao,
        dhEmi: rejected.dhEmi,
        contingencia,
        ..reserve.clone()
    })
}

struct SaveEpec {
    event_body: EventBody,
    lease: Lease,
    announced: RegisteredEpec,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for SaveEpec {
    type Output = bool;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let SaveEpec { event_body, lease, announced, now, log } = self;
        let mut steps = vec![update_issued(lease, &announced.contingencia)?];
        let file = announced.proc_evento.as_ref();
        steps.extend(file.map(|xml| save_file(lease.tenant_id, lease.job_id, "proc_event", xml)));
        match record_change(tx, lease, *now, log, steps).await?.first() {
            Some(updated) if !updated.is_empty() => {
                enqueue_job_event(tx, event_body, lease, Evento::Contingencia, *now).await
            }
            _ => Err(NOT_WAITING),
        }
    }
}

const NOT_WAITING: Error = Error::Conflict("o documento não espera por um EPEC");

/// Returns a row if the document waits for its EPEC.
fn update_issued(lease: &Lease, contingencia: &Contingencia) -> Result<SqlStep<'static>, Error> {
    let sql = "UPDATE documents SET contingencia = $3 WHERE tenant_id = $1 AND job_id = $2 AND state = 'issued'
               RETURNING numero";
    Ok(SqlStep::new(sql, params![lease.tenant_id, lease.job_id, words::json(contingencia)?]))
}

struct SaveEpecRefusal {
    lease: Lease,
    contingencia: Contingencia,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for SaveEpecRefusal {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let SaveEpecRefusal { lease, contingencia, now, log } = self;
        let steps = vec![update_issued(lease, contingencia)?, drop_event(lease)];
        match record_change(tx, lease, *now, log, steps).await?.first() {
            Some(updated) if !updated.is_empty() => Ok(()),
            _ => Err(NOT_WAITING),
        }
    }
}

/// Deletes the signed event of a job.
pub(super) fn drop_event(lease: &Lease) -> SqlStep<'static> {
    let sql = "DELETE FROM files WHERE tenant_id = $1 AND job_id = $2 AND kind = $3";
    SqlStep::new(sql, params![lease.tenant_id, lease.job_id, SIGNED_EVENT])
}

struct WarnOfDeadline {
    event_body: EventBody,
    lease: Lease,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for WarnOfDeadline {
    type Output = (bool, bool);
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(bool, bool), Error> {
        let WarnOfDeadline { event_body, lease, now, log } = self;
        let sql =
            "UPDATE documents SET prazo_avisado = $3 WHERE tenant_id = $1 AND job_id = $2 AND prazo_avisado IS NULL
                   RETURNING numero";
        let steps = vec![SqlStep::new(sql, params![lease.tenant_id, lease.job_id, *now])];
        let warned = lock_lease(tx, lease, steps).await?.first().is_some_and(|rows| !rows.is_empty());
        if !warned {
            return Ok((false, false));
        }
        record_change(tx, lease, *now, log, Vec::new()).await?;
        Ok((true, enqueue_job_event(tx, event_body, lease, Evento::PrazoContingencia, *now).await?))
    }
}

struct ListUnsettled {
    visibility: Visibility,
    limit: u32,
}

impl StoreOperation for ListUnsettled {
    type Output = Vec<Job>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<Job>, Error> {
        let mut conditions = Conditions::of_tenant("u.tenant_id", self.visibility.tenant());
        conditions.and("(k.contingencia IS NOT NULL OR k.state = 'in_doubt')");
        conditions.and_optional("k.ambiente =", self.visibility.only_environment().map(words::ambiente));
        conditions.and_within("k.cpf_cnpj", self.visibility.reach());
        let (limit, params) = conditions.with_params(params![self.limit]);
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

crate::dyn_operation::erasable!(SaveEpec, SaveEpecRefusal, WarnOfDeadline, ListUnsettled);
