//! Steps of a claimed job before its end. Each checks the lease first and returns `LeaseLost` when it is lost.

use super::document::Contingencia;
use super::files::save_signed;
use super::job::Lease;
use super::log::{self, LogLine};
use super::packed::LongText;
use crate::row::{Row, params};
use crate::tx::{Lane, SqlStep, StoreOperation, Tx};
use crate::webhooks::{self, EventBody, EventTargets, Evento};
use crate::{Error, Store, words};
use fiscal::lifecycle::DocumentState;
use fiscal::value::Chave;

/// Receipt for a document that an authority accepted and has not judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorityReceipt {
    /// Number by which the result is queried.
    pub nRec: String,
    /// Lot number, where lots are numbered; `None` keeps the stored one.
    pub numero_lote: Option<u64>,
}

/// The signed document, about to be sent.
#[derive(Debug, Clone)]
pub struct SignedDocument {
    /// `Sending`, or `Issued` when it is given out first; from `lifecycle::next`.
    pub state: DocumentState,
    /// Number that it was built with.
    pub numero: u64,
    pub asked_by: String,
    pub chave: Option<Chave>,
    pub xml: LongText,
    pub digest: String,
    pub valor: String,
    pub dhEmi: String,
    pub destinatario: Option<String>,
    /// Text of the QR code; model 65 only.
    pub qrCode: Option<String>,
}

impl Store {
    /// Extends a lease; `LeaseLost` when it is lost.
    pub async fn renew(&self, lease: Lease, until: i64) -> Result<(), Error> {
        self.write(RenewLease { lease, until }).await
    }
    /// Stores the signed document and enters `Sending`; bytes may be sent only after this commit. A document that may
    /// have been sent keeps its query identity and its digest: a different one is refused with `Conflict`, as is one
    /// with a number that the job does not hold.
    pub async fn begin_sending(
        &self,
        lease: Lease,
        prepared: SignedDocument,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        let told = self.write(BeginSending { event_body: self.event_body(), lease, prepared, now, log }).await?;
        if told {
            self.announce_deliveries();
        }
        Ok(())
    }
    /// Moves the document to another non-final state (`Sending` ↔ `InDoubt`), with the refusal that is still unproven.
    /// Its bytes may be sent until `now`.
    pub async fn mark_state(
        &self,
        lease: Lease,
        state: DocumentState,
        refusal: Option<String>,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        self.write(MarkState { lease, state, refusal, now, log }).await
    }
    /// Stores or clears the receipt of a document that the authority accepted, with the document's state. The lot
    /// number stays.
    pub async fn mark_receipt(
        &self,
        lease: Lease,
        state: DocumentState,
        receipt: Option<AuthorityReceipt>,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        self.write(MarkReceipt { lease, state, receipt, now, log }).await
    }
}

/// Error for a job that was claimed by another worker or has ended.
pub(super) const LOST: Error = Error::LeaseLost;

/// Locks the lease until the commit. The steps `after` run in the same round trip and are rolled back when the lease is
/// lost.
pub(super) async fn lock_lease<T: Tx>(
    tx: &mut T,
    lease: &Lease,
    after: Vec<SqlStep<'_>>,
) -> Result<Vec<Vec<Row>>, Error> {
    let lock = tx.dialect().for_update();
    let sql = format!("SELECT 1 FROM queue WHERE tenant_id = $1 AND job_id = $2 AND token = $3 {lock}");
    let mut steps = vec![SqlStep::new(&sql, params![lease.tenant_id, lease.job_id, lease.token])];
    steps.extend(after);
    let mut rows = tx.query_all(&steps).await?;
    match rows.remove(0).is_empty() {
        true => Err(LOST),
        false => Ok(rows),
    }
}

/// Locks the lease likewise, sets the job's change instant and appends to its history.
pub(super) async fn record_change<T: Tx>(
    tx: &mut T,
    lease: &Lease,
    now: i64,
    lines: &[LogLine],
    after: Vec<SqlStep<'_>>,
) -> Result<Vec<Vec<Row>>, Error> {
    let sql =
        "UPDATE queue SET changed_at = $4 WHERE tenant_id = $1 AND job_id = $2 AND token = $3 RETURNING changed_at";
    let mut steps = vec![SqlStep::per_row(sql, params![lease.tenant_id, lease.job_id, lease.token, now])];
    steps.extend(after);
    steps.extend(log::append(lease.tenant_id, lease.job_id, lines)?);
    let mut rows = tx.query_all(&steps).await?;
    if rows.remove(0).is_empty() { Err(LOST) } else { Ok(rows) }
}

/// Enqueues the webhook event of a job's document; returns whether it has any address.
pub(super) async fn enqueue_job_event<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    lease: &Lease,
    evento: Evento,
    now: i64,
) -> Result<bool, Error> {
    let targets = EventTargets::find(tx, lease.tenant_id, lease.job_id).await?;
    webhooks::enqueue_event(tx, event_body, (lease.tenant_id, lease.job_id), evento, &targets, now).await
}

struct RenewLease {
    lease: Lease,
    until: i64,
}

impl StoreOperation for RenewLease {
    type Output = ();
    const LANE: Lane = Lane::Urgent;
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = "UPDATE queue SET ready_at = $4 WHERE tenant_id = $1 AND job_id = $2 AND token = $3";
        let Lease { tenant_id, job_id, token } = self.lease;
        match tx.execute(sql, &params![tenant_id, job_id, token, self.until]).await? {
            0 => Err(LOST),
            _ => Ok(()),
        }
    }
}

struct BeginSending {
    event_body: EventBody,
    lease: Lease,
    prepared: SignedDocument,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for BeginSending {
    type Output = bool;
    const LANE: Lane = Lane::Urgent;

    fn lock_order(&self) -> Option<String> {
        Some(self.lease.job_id.to_string())
    }

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let BeginSending { event_body, lease, prepared, now, log } = self;
        let sql = "UPDATE documents SET state = $9, chave = $3, digest = $4, valor = $5, dhEmi = $6, destinatario = $7,
                  qrCode = $8, asked_by = $10, first_sent_at = COALESCE(first_sent_at, $12), last_sent_at = $12
                  WHERE tenant_id = $1 AND job_id = $2 AND numero = $11
                  AND (state = 'accepted' OR (state IN ('issued', 'sending', 'in_doubt') AND asked_by = $10 AND digest = $4))
                  RETURNING contingencia";
        let params = params![
            lease.tenant_id,
            lease.job_id,
            prepared.chave.as_ref().map(Chave::as_str),
            &prepared.digest,
            &prepared.valor,
            &prepared.dhEmi,
            prepared.destinatario.as_ref(),
            prepared.qrCode.as_ref(),
            words::state(prepared.state),
            &prepared.asked_by,
            prepared.numero,
            Some(*now).filter(|_| prepared.state == DocumentState::Sending),
        ];
        let document = SqlStep::per_row(sql, params);
        let steps = vec![document, save_signed(lease.tenant_id, lease.job_id, &prepared.xml)];
        let updated = record_change(tx, lease, *now, log, steps)
            .await?
            .into_iter()
            .next()
            .and_then(|rows| rows.into_iter().next());
        let mut updated = updated
            .ok_or(Error::Conflict("o documento tem outro número, ou já pode ter sido enviado com outra chave"))?;
        let contingencia = updated.read::<Option<String>>()?.map(words::read_json::<Contingencia>).transpose()?;
        match contingencia {
            // A document in EPEC contingency is given out only after the EPEC is registered.
            Some(it) if it.tipo != "epec" => enqueue_job_event(tx, event_body, lease, Evento::Contingencia, *now).await,
            _ => Ok(false),
        }
    }
}

struct MarkState {
    lease: Lease,
    state: DocumentState,
    refusal: Option<String>,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for MarkState {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let MarkState { lease, state, refusal, now, log } = self;
        let sql = "UPDATE documents SET state = $3, first_sent_at = COALESCE(first_sent_at, $4), last_sent_at = $4, refusal = $5
                   WHERE tenant_id = $1 AND job_id = $2 RETURNING numero";
        let params = params![lease.tenant_id, lease.job_id, words::state(*state), *now, refusal.as_ref()];
        let steps = vec![SqlStep::new(sql, params)];
        match record_change(tx, lease, *now, log, steps).await?.first() {
            Some(updated) if !updated.is_empty() => Ok(()),
            _ => Err(Error::NotFound),
        }
    }
}

struct MarkReceipt {
    lease: Lease,
    state: DocumentState,
    receipt: Option<AuthorityReceipt>,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for MarkReceipt {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let MarkReceipt { lease, state, receipt, now, log } = self;
        let (nRec, numero_lote) = (receipt.as_ref().map(|it| &it.nRec), receipt.as_ref().and_then(|it| it.numero_lote));
        let sql =
            "UPDATE documents SET state = $3, nRec = $4, numero_lote = COALESCE($5, numero_lote), last_sent_at = $6
                   WHERE tenant_id = $1 AND job_id = $2 RETURNING numero";
        let params = params![lease.tenant_id, lease.job_id, words::state(*state), nRec, numero_lote, *now];
        let steps = vec![SqlStep::new(sql, params)];
        match record_change(tx, lease, *now, log, steps).await?.first() {
            Some(updated) if !updated.is_empty() => Ok(()),
            _ => Err(Error::NotFound),
        }
    }
}

crate::dyn_operation::erasable!(RenewLease, BeginSending, MarkState, MarkReceipt);
