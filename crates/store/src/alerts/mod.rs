//! Alerts: facts of an account that no job of its own causes, as plain values, each stored once.
//!
//! Must not know: the recipients of an alert.

use crate::row::{first, params};
use crate::tx::Tx;
use crate::{Error, words};
use fiscal::value::{CnpjCpf, TpAmb};
use uuid::Uuid;

/// Days before the expiry of a certificate at which an alert is due, the first one first.
pub const DAYS_BEFORE: [i64; 4] = [30, 15, 7, 1];
pub(crate) const DAY_S: i64 = 86_400;

/// Instant of the first alert of a certificate.
pub(crate) const fn first_alert_at(valido_ate: i64) -> i64 {
    valido_ate - DAYS_BEFORE[0] * DAY_S
}

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
pub struct AccountAlert {
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

/// Inserts an alert; `false` when it was stored before.
pub(crate) async fn insert<T: Tx>(tx: &mut T, alert: &AccountAlert) -> Result<bool, Error> {
    let AccountAlert { tenant, ambiente, cpf_cnpj, evento, assunto, dados, criado_em } = alert;
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
    Ok(first::<Uuid>(tx.query(sql, &row).await?)?.is_some())
}
