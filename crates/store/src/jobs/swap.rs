//! Swap of a sale's two documents when the second is refused and the first is authorised: the sale's job gets the valid
//! document, and the first one's job keeps the refused one with its number.
//!
//! Law: MOC 7.0, anexo IV, 5 (of two documents of a sale one stays). The engine decides when to swap.

use super::finish::{
    DocumentOutcome, JobEnd, end_steps, enqueue_end_event, leave_queue, read_number, settle_document,
    settle_number_steps,
};
use super::job::Lease;
use super::lease::{LOST, lock_lease};
use super::log::{self, LogLine};
use super::superseded::move_files;
use super::withdraw::{self, WaitingJobs};
use crate::notes::counts;
use crate::numbers::ledger::LedgerNumber;
use crate::row::{first, params};
use crate::tx::{Lane, SqlStep, StoreOperation, Tx};
use crate::webhooks::{self, EventBody, EventTargets, Evento};
use crate::{Error, Store, mail, words};
use fiscal::lifecycle::DocumentState;
use uuid::Uuid;

impl Store {
    /// Swaps the documents in one transaction: settles the refusal in the superseded document's job, gives that job's
    /// document to the sale, and withdraws its cancellation. `false` when the superseded document is not authorised or
    /// its cancellation is under way.
    pub async fn swap_documents(
        &self,
        lease: Lease,
        superseded: Uuid,
        refusal: DocumentOutcome,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<bool, Error> {
        let exchange = SwapDocuments { event_body: self.event_body(), lease, twin: superseded, refusal, now, log };
        let told = self.write(exchange).await?;
        self.announce_enqueued(told.unwrap_or_default());
        Ok(told.is_some())
    }
}

struct SwapDocuments {
    event_body: EventBody,
    lease: Lease,
    twin: Uuid,
    refusal: DocumentOutcome,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for SwapDocuments {
    type Output = Option<bool>;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<bool>, Error> {
        let SwapDocuments { event_body, lease, twin, refusal, now, log } = self;
        let (tenant, sale) = (lease.tenant_id, lease.job_id);
        let Some(first_number) = self.lock_first(tx).await? else { return Ok(None) };
        let (tentativas, rows) = leave_queue(tx, lease, vec![settle_document(lease, refusal)?]).await?;
        let number = read_number(lease, rows)?.ok_or(LOST)?;
        let counted = counts::NoteCountSql::of(tx);
        let mut steps =
            end_steps(lease, JobEnd { status: "completed", tentativas, erro: None, event: None, now: *now }, log)?;
        steps.extend(counts::count_steps(counted, tenant, sale));
        steps.extend(log::append(tenant, *twin, log)?);
        steps.extend(settle_number_steps(refusal, number.clone(), sale));
        steps.extend([number.transfer_to(*twin), first_number.transfer_to(sale)]);
        steps.extend(swap_steps(tenant, sale, *twin));
        steps.extend(mail::enqueue_document_mail(tenant, sale, DocumentState::Authorized, *now));
        let rows = tx.query_all(&steps).await?;
        let told = enqueue_end_event(tx, event_body, lease, Some(Evento::Autorizada), rows, *now).await?;
        let targets = EventTargets::find(tx, tenant, *twin).await?;
        let refused =
            webhooks::enqueue_event(tx, event_body, (tenant, *twin), Evento::Rejeitada, &targets, *now).await?;
        Ok(Some(told || refused))
    }
}

impl SwapDocuments {
    /// Locks the first document and returns its number, if the document is authorised and no cancellation is under way.
    async fn lock_first<T: Tx>(&self, tx: &mut T) -> Result<Option<LedgerNumber>, Error> {
        let SwapDocuments { event_body, lease, twin, now, log, .. } = self;
        let tenant = lease.tenant_id;
        lock_lease(tx, lease, Vec::new()).await?;
        let waiting = "SELECT q.job_id FROM queue q JOIN jobs j ON j.tenant_id = q.tenant_id AND j.id = q.job_id
                       WHERE j.tenant_id = $1 AND j.alvo = $2 AND j.operacao = 'cancelamento'";
        let key = params![tenant, *twin];
        for mut row in tx.query(waiting, &key).await? {
            withdraw::withdraw_jobs(tx, event_body, tenant, WaitingJobs::Job(row.read()?), *now, log).await?;
        }
        if first::<Uuid>(tx.query(waiting, &key).await?)?.is_some() {
            return Ok(None);
        }
        let lock = tx.dialect().for_update();
        let sql = format!(
            "SELECT {} FROM documents WHERE tenant_id = $1 AND job_id = $2 AND state = '{}' {lock}",
            LedgerNumber::COLUMNS,
            words::state(DocumentState::Authorized)
        );
        let row = tx.query(&sql, &key).await?.into_iter().next();
        row.map(|mut row| LedgerNumber::read(tenant, &mut row)).transpose()
    }
}

/// Documents and files are swapped through a temporary job id, since a job has at most one document at every moment.
fn swap_steps(tenant: Uuid, sale: Uuid, twin: Uuid) -> Vec<SqlStep<'static>> {
    let aside = Uuid::now_v7();
    let document = "UPDATE documents SET job_id = $3 WHERE tenant_id = $1 AND job_id = $2";
    let moves = [(sale, aside), (twin, sale), (aside, twin)];
    let moved = moves.into_iter().flat_map(|(from, to)| {
        [SqlStep::new(document, params![tenant, from, to])].into_iter().chain(move_files(tenant, from, to))
    });
    let mails = mail::move_document_mails(tenant, twin, sale);
    let single = SqlStep::new("UPDATE jobs SET act = NULL WHERE tenant_id = $1 AND id = $2", params![tenant, sale]);
    moved.chain([mails, single]).collect()
}

crate::dyn_operation::erasable!(SwapDocuments);
