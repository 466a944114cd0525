//! Swap of a sale's two documents when the second is refused and the first is authorised: the sale's job gets the valid
//! document, and the first one's job keeps the refused one with its number.
//!
//! Law: MOC 7.0, anexo IV, 5 (of two documents of a sale one stays). The engine decides when to swap.

use super::finish::{End, end, leave_queue, number_after, read_number, settle_document, tell_end};
use super::lease::{LOST, hold};
use super::twin::take_files;
use super::withdraw::{self, Waiting};
use super::{Lease, LogLine, Outcome, log, words};
use crate::notes::counts;
use crate::numbers::ledger::Number;
use crate::row::{first, params};
use crate::tx::{Lane, Operation, Step, Tx};
use crate::webhooks::{self, EventBody, Evento};
use crate::{Error, Store};
use fiscal::lifecycle::State;
use uuid::Uuid;

impl Store {
    /// Swaps the documents in one transaction: settles the refusal in the superseded document's job, gives that job's
    /// document to the sale, and withdraws its cancellation. `false` when the superseded document is not authorised or
    /// its cancellation is under way.
    pub async fn exchange(
        &self,
        lease: Lease,
        twin: Uuid,
        refusal: Outcome,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<bool, Error> {
        let exchange = Exchange { event_body: self.event_body(), lease, twin, refusal, now, log };
        let told = self.write(exchange).await?;
        self.announce_told(told.unwrap_or_default());
        Ok(told.is_some())
    }
}

struct Exchange {
    event_body: EventBody,
    lease: Lease,
    twin: Uuid,
    refusal: Outcome,
    now: i64,
    log: Vec<LogLine>,
}

impl Operation for Exchange {
    type Output = Option<bool>;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<bool>, Error> {
        let Exchange { event_body, lease, twin, refusal, now, log } = self;
        let (tenant, sale) = (lease.tenant_id, lease.job_id);
        let Some(first_number) = self.first(tx).await? else { return Ok(None) };
        let (tentativas, rows) = leave_queue(tx, lease, vec![settle_document(lease, refusal)?]).await?;
        let number = read_number(lease, rows)?.ok_or(LOST)?;
        let counted = counts::Sql::of(tx);
        let mut steps = end(lease, End { status: "completed", tentativas, erro: None, event: None, now: *now }, log)?;
        steps.extend(counts::entered(counted, tenant, sale));
        steps.extend(log::append(tenant, *twin, log)?);
        steps.extend(number_after(refusal, number.clone(), sale));
        steps.extend([number.held_by(*twin), first_number.held_by(sale)]);
        steps.extend(exchanged(tenant, sale, *twin));
        let rows = tx.query_all(&steps).await?;
        let told = tell_end(tx, event_body, lease, Some(Evento::Autorizada), rows, *now).await?;
        if told && let Some(url) = self.url_of_twin(tx).await? {
            webhooks::tell(tx, event_body, (tenant, *twin), Evento::Rejeitada, &url, *now).await?;
        }
        Ok(Some(told))
    }
}

impl Exchange {
    /// Locks the first document and returns its number, if the document is authorised and no cancellation is under way.
    async fn first<T: Tx>(&self, tx: &mut T) -> Result<Option<Number>, Error> {
        let Exchange { event_body, lease, twin, now, log, .. } = self;
        let tenant = lease.tenant_id;
        hold(tx, lease, Vec::new()).await?;
        let waiting = "SELECT q.job_id FROM queue q JOIN jobs j ON j.tenant_id = q.tenant_id AND j.id = q.job_id
                       WHERE j.tenant_id = $1 AND j.alvo = $2 AND j.operacao = 'cancelamento'";
        let key = params![tenant, *twin];
        for mut row in tx.query(waiting, &key).await? {
            withdraw::all(tx, event_body, tenant, Waiting::Job(row.take()?), *now, log).await?;
        }
        if first::<Uuid>(tx.query(waiting, &key).await?)?.is_some() {
            return Ok(None);
        }
        let lock = tx.dialect().for_update();
        let sql = format!(
            "SELECT {} FROM documents WHERE tenant_id = $1 AND job_id = $2 AND state = '{}' {lock}",
            Number::COLUMNS,
            words::state(State::Authorized)
        );
        let row = tx.query(&sql, &key).await?.into_iter().next();
        row.map(|mut row| Number::read(tenant, &mut row)).transpose()
    }

    async fn url_of_twin<T: Tx>(&self, tx: &mut T) -> Result<Option<String>, Error> {
        let sql = "SELECT webhook_url FROM jobs WHERE tenant_id = $1 AND id = $2";
        Ok(first::<Option<String>>(tx.query(sql, &params![self.lease.tenant_id, self.twin]).await?)?.flatten())
    }
}

/// Documents and files are swapped through a temporary job id, since a job has at most one document at every moment.
fn exchanged(tenant: Uuid, sale: Uuid, twin: Uuid) -> Vec<Step<'static>> {
    let aside = Uuid::now_v7();
    let document = "UPDATE documents SET job_id = $3 WHERE tenant_id = $1 AND job_id = $2";
    let moves = [(sale, aside), (twin, sale), (aside, twin)];
    let moved = moves.into_iter().flat_map(|(from, to)| {
        [Step::new(document, params![tenant, from, to])].into_iter().chain(take_files(tenant, from, to))
    });
    let single = Step::new("UPDATE jobs SET act = NULL WHERE tenant_id = $1 AND id = $2", params![tenant, sale]);
    moved.chain([single]).collect()
}

crate::erased::erasable!(Exchange);
