//! Alerts: facts of an account that no job of its own causes, each recorded once, with its webhook deliveries in the
//! transaction of the fact.
//!
//! Must not know: the recipients beyond the account's webhook address and the users who asked for mails.

mod certificates;
mod gaps;

pub use certificates::DAYS_BEFORE;
pub(crate) use certificates::first_alert_at;
pub use gaps::GapCheck;

use crate::mail::{self, AlertNews};
use crate::row::{first, params};
use crate::tx::Tx;
use crate::webhooks::{ATTEMPTS, AccountTarget, NewDelivery, account_targets};
use crate::{Error, Store, words};
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::json;
use uuid::Uuid;

/// Kind of an alert, as its event's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AlertEvent {
    /// A certificate expires within 30, 15, 7 or 1 days.
    CertificadoExpiraEm,
    CertificadoExpirado,
    /// Numbers that no document has, below one that was used.
    NumeracaoLacuna,
    /// A document that others issued arrived.
    RecebidaNova,
}

impl AlertEvent {
    /// Every event with its word.
    pub const ALL: [(&'static str, AlertEvent); 4] = [
        ("certificado.expira_em", AlertEvent::CertificadoExpiraEm),
        ("certificado.expirado", AlertEvent::CertificadoExpirado),
        ("numeracao.lacuna", AlertEvent::NumeracaoLacuna),
        ("recebida.nova", AlertEvent::RecebidaNova),
    ];

    pub fn word(self) -> &'static str {
        AlertEvent::ALL.iter().find(|(_, evento)| *evento == self).map_or("", |(word, _)| word)
    }
}

/// An alert to record.
#[derive(Debug, Clone, PartialEq)]
pub struct Alert {
    pub tenant: Uuid,
    /// `None` when it concerns both environments.
    pub ambiente: Option<TpAmb>,
    pub cpf_cnpj: CnpjCpf,
    pub evento: AlertEvent,
    /// Name of the thing among those of the event; a second alert with it is not recorded.
    pub assunto: String,
    /// Facts of the event for programs and people: a JSON object.
    pub dados: serde_json::Value,
    /// Seconds since 1970.
    pub criado_em: i64,
}

/// Records an alert with its deliveries; `false` when it was recorded before. Every alert passes here, in the
/// transaction of its fact.
pub(crate) async fn record<T: Tx>(tx: &mut T, alert: &Alert) -> Result<bool, Error> {
    let Alert { tenant, ambiente, cpf_cnpj, evento, assunto, dados, criado_em } = alert;
    let sql = "INSERT INTO alerts (tenant_id, id, ambiente, cpf_cnpj, evento, assunto, dados, criado_em)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
               ON CONFLICT (tenant_id, evento, assunto) DO NOTHING RETURNING id";
    let row = params![
        *tenant,
        Uuid::now_v7(),
        ambiente.map(words::ambiente),
        cpf_cnpj.as_str(),
        evento.word(),
        assunto,
        dados.to_string(),
        *criado_em
    ];
    if first::<Uuid>(tx.query(sql, &row).await?)?.is_none() {
        return Ok(false);
    }
    let targets = account_targets(tx, *tenant).await?;
    let is_asked =
        |target: &&AccountTarget| ambiente.is_none_or(|only| only == target.ambiente) && target.wants(evento.word());
    for target in targets.iter().filter(is_asked) {
        enqueue(tx, alert, target).await?;
    }
    let news =
        AlertNews { tenant: *tenant, ambiente: *ambiente, cpf_cnpj, evento: evento.word(), dados, now: *criado_em };
    mail::enqueue_alert(tx, &news).await?;
    Ok(true)
}

/// Enqueues an alert for an address of its account.
async fn enqueue<T: Tx>(tx: &mut T, alert: &Alert, target: &AccountTarget) -> Result<(), Error> {
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
