//! Webhooks: events written in the transaction that changes the state, their deliveries by lease, and the secrets that
//! sign them.
//!
//! Law: docs/contract.md, "Webhooks".
//! Must not know: the content of a body, the transport of a delivery.

mod account;
mod claim;
mod event_queue;
mod outcome;
mod read;
mod secret;

pub(crate) use account::{AccountTarget, NewDelivery, account_targets, account_targets_step};
pub use account::{MOST_ATTEMPTS, MOST_EXTENDED, TEST_EVENT, WebhookAccount};
pub use event_queue::{EventBody, WebhookFacts};
pub(crate) use event_queue::{EventTargets, enqueue_event, enqueue_event_pair};
pub use read::DeliveryFilter;
pub use secret::{OpenedSecret, SecretText};

use crate::Error;
use crate::row::unexpected;
use fiscal::lifecycle::DocumentState;
use fiscal::value::TpAmb;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Kind of change, as the part of `evento` after the document's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Evento {
    Autorizada,
    Rejeitada,
    Denegada,
    Falhou,
    Cancelada,
    CancelamentoRejeitado,
    EventoRegistrado,
    EventoRejeitado,
    Inutilizada,
    InutilizacaoRejeitada,
    Contingencia,
    PrazoContingencia,
}

impl Evento {
    /// Every event with its word.
    pub const ALL: [(&'static str, Evento); 12] = [
        ("autorizada", Evento::Autorizada),
        ("rejeitada", Evento::Rejeitada),
        ("denegada", Evento::Denegada),
        ("falhou", Evento::Falhou),
        ("cancelada", Evento::Cancelada),
        ("cancelamento_rejeitado", Evento::CancelamentoRejeitado),
        ("evento_registrado", Evento::EventoRegistrado),
        ("evento_rejeitado", Evento::EventoRejeitado),
        ("inutilizada", Evento::Inutilizada),
        ("inutilizacao_rejeitada", Evento::InutilizacaoRejeitada),
        ("contingencia", Evento::Contingencia),
        ("prazo_contingencia", Evento::PrazoContingencia),
    ];

    /// Returns the contract's word.
    pub fn word(self) -> &'static str {
        Evento::ALL.iter().find(|(_, evento)| *evento == self).map_or("", |(word, _)| word)
    }

    /// Returns the event of a document that ended in this state; `None` for a state that is not final.
    pub fn of(state: DocumentState) -> Option<Evento> {
        match state {
            DocumentState::Authorized => Some(Evento::Autorizada),
            DocumentState::Rejected => Some(Evento::Rejeitada),
            DocumentState::Denied => Some(Evento::Denegada),
            DocumentState::Cancelled => Some(Evento::Cancelada),
            DocumentState::Failed => Some(Evento::Falhou),
            DocumentState::Accepted | DocumentState::Issued | DocumentState::Sending | DocumentState::InDoubt => None,
        }
    }
}

/// State of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryStatus {
    /// Waiting for its first or a further attempt.
    Pendente,
    /// Accepted by the receiver.
    Entregue,
    /// All attempts failed.
    Perdida,
}

impl DeliveryStatus {
    /// Every status with its word.
    pub const ALL: [(&'static str, DeliveryStatus); 3] = [
        ("pendente", DeliveryStatus::Pendente),
        ("entregue", DeliveryStatus::Entregue),
        ("perdida", DeliveryStatus::Perdida),
    ];

    pub const fn word(self) -> &'static str {
        match self {
            DeliveryStatus::Pendente => "pendente",
            DeliveryStatus::Entregue => "entregue",
            DeliveryStatus::Perdida => "perdida",
        }
    }

    fn read(word: &str) -> Result<DeliveryStatus, Error> {
        DeliveryStatus::ALL.iter().find(|(known, _)| *known == word).map(|(_, status)| *status).ok_or_else(unexpected)
    }
}

/// A delivery in a listing, without its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryRecord {
    /// Id of the event, the same in every attempt.
    pub id: Uuid,
    /// Job of the event; `None` for an alert.
    pub job_id: Option<Uuid>,
    /// `true` for the account's address, `false` for one given with a request.
    pub is_for_account: bool,
    /// Environment of the document, which selects the secret.
    pub ambiente: TpAmb,
    /// `nfe.autorizada`, …
    pub evento: String,
    pub url: String,
    pub status: DeliveryStatus,
    /// Attempts made.
    pub tentativas: u32,
    /// Instant of the change of state, seconds since 1970.
    pub criado_em: i64,
    /// Next attempt, seconds since 1970.
    pub proxima_em: Option<i64>,
    /// Instant of delivery or loss, seconds since 1970.
    pub concluido_em: Option<i64>,
    /// All attempts, oldest first.
    pub historico: Vec<DeliveryAttempt>,
}

/// An attempt of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryAttempt {
    /// From 1; a manual resend continues the count.
    pub tentativa: u32,
    /// Beginning, seconds since 1970.
    pub em: i64,
    /// Status of the answer, if any.
    pub codigo_http: Option<u16>,
    pub duracao_ms: u32,
    /// Error text in Portuguese.
    pub erro: Option<String>,
    /// Beginning of the answer.
    pub resposta: Option<String>,
    /// `true` for an attempt after the contract's three of a series.
    pub estendida: bool,
}

/// A claimed delivery. While the lease lasts no other process makes this attempt.
#[derive(Debug, Clone)]
pub struct ClaimedDelivery {
    /// Proof of the claim.
    pub lease: DeliveryLease,
    /// Job of the event; `None` for an alert.
    pub job_id: Option<Uuid>,
    /// Environment of the document.
    pub ambiente: TpAmb,
    /// `nfe.autorizada`, …
    pub evento: String,
    pub url: String,
    /// The body without `tentativa`: a JSON object.
    pub corpo: String,
    /// Attempts made before.
    pub tentativas: u32,
    /// Contract's attempts left, including this one; 0 in an attempt after them.
    pub restantes: u32,
    /// Attempts of the series made before, after the contract's.
    pub estendidas: u32,
    /// Attempts after the contract's that the account has chosen.
    pub extra: u32,
}

/// Proof of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryLease {
    pub tenant_id: Uuid,
    pub delivery_id: Uuid,
    /// Random; changes with every claim.
    pub token: Uuid,
}

/// Parameters of a claim of deliveries.
#[derive(Debug, Clone, Default)]
pub struct DeliveryClaim {
    pub now: i64,
    /// End of the leases.
    pub lease_until: i64,
    /// Most deliveries to claim.
    pub limit: u32,
    /// Tenants at their limit; none of their deliveries is claimed.
    pub except_tenants: BTreeSet<Uuid>,
    /// Hosts at their limit; none of their deliveries is claimed.
    pub except_hosts: BTreeSet<String>,
}

/// Step after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// Accepted by the receiver.
    Delivered,
    /// Next attempt at this second.
    RetryAt(i64),
    /// No attempt is left.
    Lost,
}

/// Host and port of a URL, by which deliveries are grouped.
pub fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default().to_ascii_lowercase()
}

/// Job of a delivery; nil is stored for none.
fn stored_job(id: Uuid) -> Option<Uuid> {
    Some(id).filter(|id| !id.is_nil())
}

/// Tenant and host as one sortable word.
fn destino(tenant: Uuid, url: &str) -> String {
    format!("{tenant}/{}", host(url))
}

/// Attempts of a series: the first, or one begun by hand.
pub const ATTEMPTS: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deliveries_are_grouped_by_host_and_port() {
        assert_eq!(host("https://ERP.exemplo.com.br:8443/a?b"), "erp.exemplo.com.br:8443");
        assert_eq!(host("https://exemplo.com.br?b"), "exemplo.com.br");
        assert_eq!(host("http://[::1]:80"), "[::1]:80");
    }

    #[test]
    fn every_word_reads_back() {
        for (word, status) in DeliveryStatus::ALL {
            assert_eq!((status.word(), DeliveryStatus::read(word).unwrap()), (word, status));
        }
        for (word, evento) in Evento::ALL {
            assert_eq!(evento.word(), word);
        }
    }
}
