//! Alerts: facts of an account that no job of its own causes, each recorded once, with its webhook deliveries in the
//! transaction of the fact.
//!
//! Must not know: the recipients beyond the account's webhook address and the users who asked for mails.

mod certificates;
mod gaps;

pub use certificates::DAYS_BEFORE;
pub(crate) use certificates::first_alert_at;
pub use gaps::GapCheck;

use crate::row::{first, params};
use crate::tx::Tx;
use crate::webhooks::{AccountTarget, account_targets, enqueue_account_alert};
use crate::{Error, Store, mail, words};
use fiscal::value::{CnpjCpf, TpAmb};
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
        enqueue_account_alert(tx, alert, target).await?;
    }
    mail::enqueue_alert(tx, alert).await?;
    Ok(true)
}

impl Store {
    /// Signals the deliveries of committed alerts.
    pub(crate) fn announce_alerts(&self, recorded: usize) {
        self.announce_enqueued(recorded > 0);
    }
}

/// An instant in the official time of Brasília, as RFC 3339.
pub(crate) fn instant(at: i64) -> String {
    let offset = jiff::tz::Offset::constant(-3);
    let Ok(at) = jiff::Timestamp::from_second(at) else { return String::new() };
    at.display_with_offset(offset).to_string()
}
