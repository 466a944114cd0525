//! The end of a claimed job, or its return to the queue. Each end is one transaction: document, files, number, job,
//! log, and the job's webhook event.

use super::document::{AuthorityNote, RefusalReason};
use super::files::ArchivedDocument;
use super::job::{JobFailure, Lease};
use super::lease::LOST;
use super::log::LogLine;
use super::{company_queue, log, substituted};
use crate::notes::counts;
use crate::numbers::ledger::LedgerNumber;
use crate::numbers::number_state::NumberState;
use crate::numbers::void;
use crate::received::own_notes;
use crate::row::{Row, first, params};
use crate::tx::{Lane, SqlStep, StoreOperation, Tx};
use crate::webhooks::{self, EventBody, EventTargets, Evento};
use crate::{Error, Store, events, mail, words};
use fiscal::lifecycle::DocumentState;
use fiscal::value::Codigo;
use std::sync::LazyLock;
use uuid::Uuid;

/// Result of a document at the authority.
#[derive(Debug, Clone)]
pub struct DocumentOutcome {
    /// `Authorized`, `Rejected`, `Denied` or `Cancelled`; from `lifecycle::next`.
    pub state: DocumentState,
    pub nProt: Option<String>,
    pub dhRecbto: Option<String>,
    pub codigo: Codigo,
    pub xMotivo: String,
    pub campo: Option<String>,
    /// All reasons, when it was refused for several.
    pub rejeicoes: Vec<RefusalReason>,
    /// Note written by the authority itself.
    pub written: Option<AuthorityNote>,
    /// procNFe, when authorised or denied with protocol.
    pub xml: Option<ArchivedDocument>,
    /// `true` if the authority has the number under another key, or voided: a rejection must not release it, or the
    /// next note would be rejected likewise, for ever.
    pub number_is_gone: bool,
    /// `true` if the document was given out in contingency before its rejection: its number waits for the note in its
    /// place.
    pub number_is_kept: bool,
}

impl Store {
    /// Settles the document in one transaction: state, protocol, files, number ledger (used or released), job
    /// `completed`.
    pub async fn settle(
        &self,
        lease: Lease,
        outcome: DocumentOutcome,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        let told = self.write(SettleDocument { event_body: self.event_body(), lease, outcome, now, log }).await?;
        self.announce_enqueued(told);
        Ok(())
    }
    /// Requeues the job for `run_at`, with the failure for display.
    pub async fn retry_at(
        &self,
        lease: Lease,
        run_at: i64,
        failure: Option<JobFailure>,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        self.write(RetryJob { lease, run_at, failure, now, log }).await?;
        if run_at <= now {
            self.announce_work();
        }
        Ok(())
    }
    /// Ends the job as `failed`. A number of a document that was never sent is released in the same transaction
    /// (`document_state` `Failed`), otherwise it stays reserved.
    pub async fn fail_job(
        &self,
        lease: Lease,
        failure: JobFailure,
        document_state: Option<DocumentState>,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        let told =
            self.write(FailJob { event_body: self.event_body(), lease, failure, document_state, now, log }).await?;
        self.announce_enqueued(told);
        Ok(())
    }

    pub(crate) fn announce_enqueued(&self, told: bool) {
        if told {
            self.announce_deliveries();
        }
    }
}

/// Deletes the job's queue entry and returns its attempts; `LeaseLost` when the lease is lost. The steps `after` run in
/// the same round trip.
pub(super) async fn leave_queue<T: Tx>(
    tx: &mut T,
    lease: &Lease,
    after: Vec<SqlStep<'_>>,
) -> Result<(u32, Vec<Vec<Row>>), Error> {
    let sql = "DELETE FROM queue WHERE tenant_id = $1 AND job_id = $2 AND token = $3 RETURNING tentativas";
    let mut steps = vec![SqlStep::per_row(sql, params![lease.tenant_id, lease.job_id, lease.token])];
    steps.extend(after);
    let mut rows = tx.query_all(&steps).await?;
    Ok((first(rows.remove(0))?.ok_or(LOST)?, rows))
}

/// Columns of the job's own row at its end.
pub(super) struct JobEnd<'e> {
    pub(super) status: &'static str,
    pub(super) tentativas: u32,
    pub(super) erro: Option<&'e JobFailure>,
    pub(super) event: Option<(&'e Codigo, &'e str)>,
    pub(super) now: i64,
}

/// Steps that end the job. The first two return the addresses of its webhook events.
pub(super) fn end_steps(lease: &Lease, end: JobEnd<'_>, lines: &[LogLine]) -> Result<Vec<SqlStep<'static>>, Error> {
    let sql = "UPDATE jobs SET status = $3, tentativas = $4, erro = $5, event_codigo = $6, event_xMotivo = $7,
                   atualizado_em = $8, concluido_em = $8, erro_codigo = $9 WHERE tenant_id = $1 AND id = $2
                   RETURNING webhook_url, ambiente";
    let params = params![
        lease.tenant_id,
        lease.job_id,
        end.status,
        end.tentativas,
        end.erro.map(words::json).transpose()?,
        end.event.map(|(codigo, _)| codigo.as_str()),
        end.event.map(|(_, xMotivo)| xMotivo),
        end.now,
        end.erro.map(|failure| failure.codigo.as_str()),
    ];
    let mut steps = vec![SqlStep::per_row(sql, params), webhooks::account_targets_step(lease.tenant_id)];
    steps.extend(log::append(lease.tenant_id, lease.job_id, lines)?);
    Ok(steps)
}

/// Enqueues the webhook event of a job that ended, from the results of `end_steps`; returns whether it has any address.
pub(super) async fn enqueue_end_event<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    lease: &Lease,
    evento: Option<Evento>,
    rows: Vec<Vec<Row>>,
    now: i64,
) -> Result<bool, Error> {
    let Some(evento) = evento else { return Ok(false) };
    let targets = EventTargets::read_first(rows)?;
    webhooks::enqueue_event(tx, event_body, (lease.tenant_id, lease.job_id), evento, &targets, now).await
}

struct SettleDocument {
    event_body: EventBody,
    lease: Lease,
    outcome: DocumentOutcome,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for SettleDocument {
    type Output = bool;
    const LANE: Lane = Lane::Urgent;

    fn lock_order(&self) -> Option<String> {
        // A note written by its authority may cancel another one, which another transaction may be cancelling too.
        self.outcome.written.is_none().then(|| self.lease.job_id.to_string())
    }

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let SettleDocument { event_body, lease, outcome, now, log } = self;
        settle(tx, event_body, lease, outcome, *now, log).await
    }
}

/// Settles a document inside a transaction; returns whether a webhook event was enqueued.
pub(super) async fn settle<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    lease: &Lease,
    outcome: &DocumentOutcome,
    now: i64,
    log: &[LogLine],
) -> Result<bool, Error> {
    let mut steps = vec![settle_document(lease, outcome)?];
    steps.extend(outcome.xml.as_ref().map(|xml| xml.save_step(lease.tenant_id, lease.job_id)));
    // Comes last: the number is read from the first result.
    let written = outcome.written.as_ref();
    steps.extend(written.and_then(|note| own_notes::lock_note(tx.dialect(), lease.tenant_id, note.chave.as_str())));
    let (tentativas, rows) = leave_queue(tx, lease, steps).await?;
    let number = read_number(lease, rows)?.ok_or(Error::NotFound)?;
    let end_as = JobEnd { status: "completed", tentativas, erro: None, event: None, now };
    let counted = counts::NoteCountSql::of(tx);
    let mut steps = end_steps(lease, end_as, log)?;
    steps.extend(counts::count_steps(counted, lease.tenant_id, lease.job_id));
    steps.extend(settle_number_steps(outcome, number, lease.job_id));
    steps.extend(mail::enqueue_document_mail(lease.tenant_id, lease.job_id, outcome.state, now));
    let rows = tx.query_all(&steps).await?;
    let told = enqueue_end_event(tx, event_body, lease, Evento::of(outcome.state), rows, now).await?;
    let replaced = substituted::cancel_substituted(tx, event_body, lease, written, now).await?;
    // Its events may have been distributed before it was known here.
    let followed = match written {
        Some(note) => own_notes::apply_distributed(tx, event_body, lease.tenant_id, note.chave.as_str(), now).await?,
        None => false,
    };
    Ok(told || replaced || followed)
}

/// Reads the number that the first statement returned with the changed document.
pub(super) fn read_number(lease: &Lease, rows: Vec<Vec<Row>>) -> Result<Option<LedgerNumber>, Error> {
    let changed = rows.into_iter().next().and_then(|rows| rows.into_iter().next());
    changed.map(|mut row| LedgerNumber::read(lease.tenant_id, &mut row)).transpose()
}

/// Steps for the number of a settled document.
pub(super) fn settle_number_steps(outcome: &DocumentOutcome, number: LedgerNumber, job: Uuid) -> Vec<SqlStep<'static>> {
    match number_state_in(outcome.state) {
        _ if outcome.number_is_gone => number.mark_used_elsewhere(job),
        _ if outcome.number_is_kept => number.hold_for_replacement(job),
        Some(state) => number.settle(job, state),
        None => Vec::new(),
    }
}

/// State of a document's number; `None` when it stays reserved.
fn number_state_in(state: DocumentState) -> Option<NumberState> {
    match state {
        DocumentState::Authorized | DocumentState::Denied | DocumentState::Cancelled => Some(NumberState::Used),
        DocumentState::Rejected | DocumentState::Failed => Some(NumberState::Released),
        DocumentState::Accepted | DocumentState::Issued | DocumentState::Sending | DocumentState::InDoubt => None,
    }
}

pub(super) fn settle_document(lease: &Lease, outcome: &DocumentOutcome) -> Result<SqlStep<'static>, Error> {
    static NAMED_BY_US: LazyLock<String> = LazyLock::new(|| settle_document_sql(""));
    static WRITTEN: LazyLock<String> = LazyLock::new(|| {
        settle_document_sql(", chave = $10, numero_nota = $11, valor_liquido = $12, codigo_verificacao = $13")
    });
    let mut params = params![
        lease.tenant_id,
        lease.job_id,
        words::state(outcome.state),
        outcome.nProt.as_ref(),
        outcome.dhRecbto.as_ref(),
        outcome.codigo.as_str(),
        &outcome.xMotivo,
        outcome.campo.as_ref(),
        Some(&outcome.rejeicoes).filter(|said| !said.is_empty()).map(words::json).transpose()?,
    ];
    let Some(AuthorityNote { chave, numero, valor_liquido, substitui: _, codigo_verificacao }) = &outcome.written
    else {
        return Ok(SqlStep::per_row(&NAMED_BY_US, params));
    };
    params.extend(params![chave.as_str(), *numero, valor_liquido.as_ref(), codigo_verificacao.as_ref()]);
    Ok(SqlStep::per_row(&WRITTEN, params))
}

/// SQLite rewrites the index entries of every column that the statement names, changed or not; so an unchanged key is
/// not named.
fn settle_document_sql(written: &str) -> String {
    format!(
        "UPDATE documents SET state = $3, nProt = $4, dhRecbto = $5, codigo = $6, xMotivo = $7, campo = $8, rejeicoes = $9{written}
         WHERE tenant_id = $1 AND job_id = $2 RETURNING {}",
        LedgerNumber::COLUMNS
    )
}

struct RetryJob {
    lease: Lease,
    run_at: i64,
    failure: Option<JobFailure>,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for RetryJob {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let RetryJob { lease, run_at, failure, now, log } = self;
        let Lease { tenant_id, job_id, token } = *lease;
        let sql = "UPDATE queue SET token = NULL, ready_at = $4 WHERE tenant_id = $1 AND job_id = $2 AND token = $3
                   RETURNING tenant_id, cpf_cnpj, authority";
        let rows = tx.query(sql, &params![tenant_id, job_id, token, *run_at]).await?;
        let line = company_queue::CompanyQueue::read(rows.into_iter().next().ok_or(LOST)?)?;
        let erro = failure.as_ref().map(words::json).transpose()?;
        let sql = "UPDATE jobs SET erro = COALESCE($3, erro), atualizado_em = $4 WHERE tenant_id = $1 AND id = $2";
        let mut steps = vec![SqlStep::new(sql, params![tenant_id, job_id, erro, *now])];
        steps.extend(log::append(tenant_id, job_id, log)?);
        company_queue::mark_ready(tx, steps, &line, *run_at).await
    }
}

struct FailJob {
    event_body: EventBody,
    lease: Lease,
    failure: JobFailure,
    document_state: Option<DocumentState>,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for FailJob {
    type Output = bool;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let FailJob { event_body, lease, failure, document_state, now, log } = self;
        let tenant = lease.tenant_id;
        let sql = format!(
            "UPDATE documents SET state = $3 WHERE tenant_id = $1 AND job_id = $2 RETURNING {}",
            LedgerNumber::COLUMNS
        );
        let document = document_state.map(|state| {
            let params = params![lease.tenant_id, lease.job_id, words::state(state)];
            SqlStep::new(&sql, params)
        });
        let (tentativas, rows) = leave_queue(tx, lease, document.into_iter().collect()).await?;
        let acted_on = own_notes::lock_targets(tx, tenant, "($2)", &params![tenant, lease.job_id]).await?;
        let end_as = JobEnd { status: "failed", tentativas, erro: Some(failure), event: None, now: *now };
        let mut steps = end_steps(lease, end_as, log)?;
        steps.push(events::free_event_number(tenant, lease.job_id));
        let [forget, free] = void::release(tx.dialect());
        steps.extend([&forget, &free].map(|sql| SqlStep::new(sql, params![tenant, lease.job_id])));
        if let (Some(number), Some(state)) = (read_number(lease, rows)?, document_state.and_then(number_state_in)) {
            steps.extend(number.settle(lease.job_id, state));
        }
        let rows = tx.query_all(&steps).await?;
        let told = enqueue_end_event(tx, event_body, lease, Some(Evento::Falhou), rows, *now).await?;
        Ok(own_notes::apply_distributed_all(tx, event_body, tenant, &acted_on, *now).await? || told)
    }
}

crate::dyn_operation::erasable!(SettleDocument, RetryJob, FailJob);
