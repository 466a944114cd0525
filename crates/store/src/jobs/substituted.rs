//! Substitution of a note (`subst` of a DPS): its authority cancels it when it authorises the new one, and no answer to
//! us reports that. Both change in one transaction, each with its own webhook event.

use super::document::AuthorityNote;
use super::job::Lease;
use crate::notes::counts;
use crate::row::{first, params};
use crate::tx::{SqlStep, Tx};
use crate::webhooks::{self, EventBody, EventTargets, Evento};
use crate::{Error, mail};
use fiscal::lifecycle::DocumentState;
use uuid::Uuid;

/// Cancels the substituted note, if it is ours and authorised; returns whether a webhook event was enqueued.
pub(super) async fn cancel_substituted<T: Tx>(
    tx: &mut T,
    event_body: &EventBody,
    lease: &Lease,
    written: Option<&AuthorityNote>,
    now: i64,
) -> Result<bool, Error> {
    let Some((written, substitui)) = written.and_then(|note| Some((note, note.substitui.as_ref()?))) else {
        return Ok(false);
    };
    let tenant = lease.tenant_id;
    let lock = tx.dialect().for_update();
    let sql =
        format!("SELECT job_id FROM documents WHERE tenant_id = $1 AND chave = $2 AND state = 'authorized' {lock}");
    let Some(old) = first::<Uuid>(tx.query(&sql, &params![tenant, substitui.as_str()]).await?)? else {
        // The ADN reported the cancellation before.
        let sql = "UPDATE documents SET substituida_por = COALESCE(substituida_por, $3)
                   WHERE tenant_id = $1 AND chave = $2 AND state = 'cancelled'";
        tx.execute(sql, &params![tenant, substitui.as_str(), written.chave.as_str()]).await?;
        return Ok(false);
    };
    let cancel = "UPDATE documents SET state = 'cancelled', substituida_por = $3 WHERE tenant_id = $1 AND job_id = $2";
    let counted = counts::NoteCountSql::of(tx);
    let mut steps = Vec::from(EventTargets::steps(tenant, old));
    steps.extend(counts::uncount_steps(counted, tenant, old));
    steps.push(SqlStep::new(cancel, params![tenant, old, written.chave.as_str()]));
    steps.extend(counts::count_steps(counted, tenant, old));
    steps.extend(mail::enqueue_document_mail(tenant, old, DocumentState::Cancelled, now));
    let targets = EventTargets::read_first(tx.query_all(&steps).await?)?;
    webhooks::enqueue_event(tx, event_body, (tenant, old), Evento::Cancelada, &targets, now).await
}
