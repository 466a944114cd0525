//! Recording of alerts, each with its webhook deliveries and mails in the transaction of its fact, and the searches for
//! facts that no request reports.
//!
//! Must not know: the recipients beyond the account's webhook address and the users who asked for mails.

mod certificates;
mod gaps;

pub use gaps::GapCheck;

use crate::alerts::{self, AccountAlert};
use crate::tx::Tx;
use crate::webhooks::{ATTEMPTS, AccountTarget, NewDelivery, account_targets};
use crate::{Error, Store, mail, words};
use fiscal::value::TpAmb;
use serde_json::json;
use uuid::Uuid;

/// Records an alert with its deliveries; `false` when it was recorded before. Every alert passes here, in the
/// transaction of its fact.
pub(crate) async fn record<T: Tx>(tx: &mut T, alert: &AccountAlert) -> Result<bool, Error> {
    if !alerts::insert(tx, alert).await? {
        return Ok(false);
    }
    let AccountAlert { tenant, ambiente, evento, .. } = alert;
    let targets = account_targets(tx, *tenant).await?;
    let is_asked =
        |target: &&AccountTarget| ambiente.is_none_or(|only| only == target.ambiente) && target.wants(evento.word());
    for target in targets.iter().filter(is_asked) {
        enqueue(tx, alert, target).await?;
    }
    mail::enqueue_alert(tx, alert).await?;
    Ok(true)
}

/// Enqueues an alert for an address of its account.
async fn enqueue<T: Tx>(tx: &mut T, alert: &AccountAlert, target: &AccountTarget) -> Result<(), Error> {
    let (id, evento) = (Uuid::now_v7(), alert.evento.word());
    let corpo = json!({
        "id": id,
        "evento": evento,
        "timestamp": words::brasilia_instant(alert.criado_em),
        "ambiente": alert.ambiente.map(TpAmb::word),
        "cpf_cnpj": alert.cpf_cnpj.as_str(),
        "dados": alert.dados,
    });
    let delivery = NewDelivery {
        tenant: alert.tenant,
        id,
        job: Uuid::nil(),
        ambiente: target.ambiente,
        evento,
        url: &target.url,
        corpo: corpo.to_string(),
        is_for_account: true,
        attempts: ATTEMPTS,
        now: alert.criado_em,
    };
    delivery.insert(tx).await
}

impl Store {
    /// Signals the deliveries of committed alerts.
    pub(crate) fn announce_alerts(&self, recorded: usize) {
        self.announce_enqueued(recorded > 0);
    }
}
