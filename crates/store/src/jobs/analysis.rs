//! Events that other systems registered on a note of ours: the município's answer to a request for analysis, its own
//! cancellation, a substitution made elsewhere. The note is updated in one transaction with at most one webhook event.

use super::act::EventAct;
use super::files::{save_file, save_file_once};
use super::operation::Operacao;
use crate::notes::counts;
use crate::row::{Row, first, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::webhooks::{self, EventBody, EventTargets, Evento};
use crate::{Error, Store, mail, words};
use fiscal::lifecycle::DocumentState;
use fiscal::value::{Chave, CnpjCpf, TpAmb};
use uuid::Uuid;

/// An event as its authority has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignEvent {
    /// Key, kind, sequence number.
    pub act: EventAct,
    pub xml: String,
    /// `true` if it cancels the document.
    pub cancels: bool,
    /// The note that substitutes the document by it.
    pub substituta: Option<Chave>,
}

/// All events registered on a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignEvents {
    /// Key of the document.
    pub chave: Chave,
    pub events: Vec<ForeignEvent>,
    /// State of the request for analysis after these events.
    pub analysis: Option<&'static str>,
}

/// A note whose request for analysis is unanswered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueAnalysis {
    pub tenant: Uuid,
    /// Company.
    pub cpf_cnpj: CnpjCpf,
    /// Environment of the note.
    pub ambiente: TpAmb,
    /// Key of the note.
    pub chave: Chave,
}

impl Store {
    /// Records events that were registered by others; returns the number of new ones. A document that is not ours
    /// changes nothing.
    pub async fn record_foreign_events(&self, tenant: Uuid, learned: ForeignEvents, now: i64) -> Result<usize, Error> {
        let (fresh, told) =
            self.write(RecordForeignEvents { event_body: self.event_body(), tenant, learned, now }).await?;
        self.announce_enqueued(told);
        Ok(fresh)
    }

    /// Returns the note whose query is due longest, and sets its next query to `next_at`.
    pub async fn claim_due_analysis(&self, now: i64, next_at: i64) -> Result<Option<DueAnalysis>, Error> {
        if !self.read(IsAnalysisDue(now)).await? {
            return Ok(None);
        }
        self.write(ClaimDueAnalysis { now, next_at }).await
    }
}

/// Sets the analysis state of the document that the job acts on; its query is due at once.
pub(super) fn set_target_analysis(tenant: Uuid, job: Uuid, word: &str, now: i64) -> SqlStep<'static> {
    let sql = "UPDATE documents SET analise_fiscal = $3, analise_em = $4 WHERE tenant_id = $1
               AND job_id = (SELECT alvo FROM jobs WHERE tenant_id = $1 AND id = $2) AND analise_fiscal IS NULL";
    SqlStep::new(sql, params![tenant, job, word, now])
}

struct RecordForeignEvents {
    event_body: EventBody,
    tenant: Uuid,
    learned: ForeignEvents,
    now: i64,
}

/// State of the document before the events.
struct DocumentSnapshot {
    job: Uuid,
    state: String,
    analysis: Option<String>,
}

impl StoreOperation for RecordForeignEvents {
    type Output = (usize, bool);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(usize, bool), Error> {
        let RecordForeignEvents { event_body, tenant, learned, now } = self;
        record_events(tx, event_body, *tenant, learned, *now).await
    }
}

/// Records events inside a transaction; returns the number of new ones and whether a webhook event was enqueued.
pub(crate) async fn record_events<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    tenant: Uuid,
    learned: &ForeignEvents,
    now: i64,
) -> Result<(usize, bool), Error> {
    EventRecorder { event_body, tenant, learned, now }.run(tx).await
}

/// The recording of one document's events.
struct EventRecorder<'l> {
    event_body: &'l EventBody,
    tenant: Uuid,
    learned: &'l ForeignEvents,
    now: i64,
}

impl EventRecorder<'_> {
    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(usize, bool), Error> {
        let EventRecorder { event_body, tenant, learned, now } = self;
        let Some(standing) = self.lock_document(tx).await? else { return Ok((0, false)) };
        let cancelled = standing.state == words::state(DocumentState::Authorized)
            && learned.events.iter().any(|event| event.cancels);
        // A running cancellation of ours decides, and the next query sees its result: one cancellation is delivered
        // once.
        if cancelled && self.is_being_cancelled(tx).await? {
            return Ok((0, false));
        }
        let mut fresh = Vec::new();
        for event in &learned.events {
            if self.is_new(tx, event).await? {
                fresh.push(event);
            }
        }
        let answered = learned.analysis.is_some() && learned.analysis != standing.analysis.as_deref();
        let counted = counts::NoteCountSql::of(tx);
        let mut steps = Vec::new();
        if let Some(word) = learned.analysis.filter(|_| answered) {
            let sql = "UPDATE documents SET analise_fiscal = $3, analise_em = $4 WHERE tenant_id = $1 AND job_id = $2";
            steps.push(SqlStep::new(sql, params![*tenant, standing.job, word, *now]));
        }
        if cancelled {
            steps.extend(self.cancel(counted, standing.job));
            steps.extend(mail::enqueue_document_mail(*tenant, standing.job, DocumentState::Cancelled, *now));
        }
        // A note that another one substituted was cancelled without its event.
        let cancelling = learned.events.iter().find(|event| event.cancels);
        if standing.state == words::state(DocumentState::Cancelled)
            && let Some(event) = cancelling
        {
            steps.push(save_file_once(*tenant, standing.job, "cancelled", &event.xml));
        }
        if let Some(last) = fresh.iter().rfind(|event| !event.cancels) {
            steps.push(save_file(*tenant, standing.job, "proc_event", &last.xml));
        }
        let steps: Vec<SqlStep<'_>> = EventTargets::steps(*tenant, standing.job).into_iter().chain(steps).collect();
        let targets = EventTargets::read_first(tx.query_all(&steps).await?)?;
        let evento = match (cancelled, answered) {
            (true, _) => Evento::Cancelada,
            (false, true) => Evento::EventoRegistrado,
            (false, false) => return Ok((fresh.len(), false)),
        };
        let told = webhooks::enqueue_event(tx, event_body, (*tenant, standing.job), evento, &targets, *now).await?;
        Ok((fresh.len(), told))
    }
}

impl EventRecorder<'_> {
    /// Reads the document and locks its row until the commit.
    async fn lock_document<T: Tx>(&self, tx: &mut T) -> Result<Option<DocumentSnapshot>, Error> {
        let lock = tx.dialect().for_update();
        let sql = format!(
            "SELECT job_id, state, analise_fiscal FROM documents WHERE tenant_id = $1 AND chave = $2
             AND state IN ('authorized', 'cancelled') {lock}"
        );
        let row = tx.query(&sql, &params![self.tenant, self.learned.chave.as_str()]).await?.into_iter().next();
        row.map(|mut row| Ok(DocumentSnapshot { job: row.read()?, state: row.read()?, analysis: row.read()? }))
            .transpose()
    }

    async fn is_new<T: Tx>(&self, tx: &mut T, event: &ForeignEvent) -> Result<bool, Error> {
        let sql = "INSERT INTO events (tenant_id, chave, tpEvento, nSeqEvento, job_id, state, nProt, dhRegEvento)
                   VALUES ($1, $2, $3, $4, NULL, 'registered', $5, $6)
                   ON CONFLICT (tenant_id, chave, tpEvento, nSeqEvento) DO NOTHING RETURNING nSeqEvento";
        let EventAct { chave, tpEvento, nSeqEvento, nProt, dhRegEvento } = &event.act;
        let row = params![self.tenant, chave.as_str(), tpEvento, *nSeqEvento, nProt.as_ref(), dhRegEvento.as_ref()];
        Ok(!tx.query(sql, &row).await?.is_empty())
    }

    /// `true` if an unfinished job of ours cancels the document.
    async fn is_being_cancelled<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let sql = "SELECT COUNT(*) FROM acting a JOIN jobs j ON j.tenant_id = a.tenant_id AND j.id = a.job_id
                   WHERE a.tenant_id = $1 AND a.chave = $2 AND a.kind = $3 AND j.status = 'pending'";
        let kind = Operacao::Cancelamento.word();
        let count = tx.query(sql, &params![self.tenant, self.learned.chave.as_str(), kind]).await?;
        Ok(first::<i64>(count)?.unwrap_or_default() > 0)
    }

    fn cancel(&self, counted: &'static counts::NoteCountSql, job: Uuid) -> Vec<SqlStep<'static>> {
        let by = self.learned.events.iter().find(|event| event.cancels);
        let substituta = by.and_then(|event| event.substituta.as_ref()).map(Chave::as_str);
        let sql = "UPDATE documents SET state = 'cancelled', substituida_por = COALESCE($3, substituida_por)
                   WHERE tenant_id = $1 AND job_id = $2";
        let mut steps = Vec::from(counts::uncount_steps(counted, self.tenant, job));
        steps.push(SqlStep::new(sql, params![self.tenant, job, substituta]));
        steps.extend(counts::count_steps(counted, self.tenant, job));
        steps.extend(by.map(|event| save_file(self.tenant, job, "cancelled", &event.xml)));
        steps
    }
}

struct IsAnalysisDue(i64);

impl StoreOperation for IsAnalysisDue {
    type Output = bool;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let sql = "SELECT MIN(analise_em) FROM documents WHERE analise_fiscal = 'pendente' AND state = 'authorized'";
        let next: Option<i64> = first(tx.query(sql, &[]).await?)?.flatten();
        Ok(next.is_some_and(|next| next <= self.0))
    }
}

struct ClaimDueAnalysis {
    now: i64,
    next_at: i64,
}

impl StoreOperation for ClaimDueAnalysis {
    type Output = Option<DueAnalysis>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Self::Output, Error> {
        let sql = format!(
            "SELECT tenant_id, job_id, cpf_cnpj, ambiente, chave FROM documents
             WHERE analise_fiscal = 'pendente' AND state = 'authorized' AND analise_em <= $1 ORDER BY analise_em LIMIT 1 {}",
            tx.dialect().skip_locked()
        );
        let Some(mut row) = tx.query(&sql, &params![self.now]).await?.into_iter().next() else { return Ok(None) };
        let (tenant, job): (Uuid, Uuid) = (row.read()?, row.read()?);
        let due = read(tenant, &mut row)?;
        let sql = "UPDATE documents SET analise_em = $3 WHERE tenant_id = $1 AND job_id = $2";
        tx.execute(sql, &params![tenant, job, self.next_at]).await?;
        Ok(Some(due))
    }
}

fn read(tenant: Uuid, row: &mut Row) -> Result<DueAnalysis, Error> {
    let (cpf_cnpj, ambiente) = (words::read_cpf_cnpj(row.read()?)?, words::read_ambiente(row.read()?)?);
    let chave: String = row.read()?;
    let chave = Chave::parse(&chave).map_err(|_| Error::Corrupt("a chave de uma nota em análise é ilegível"))?;
    Ok(DueAnalysis { tenant, cpf_cnpj, ambiente, chave })
}

crate::dyn_operation::erasable!(RecordForeignEvents, IsAnalysisDue, ClaimDueAnalysis);
