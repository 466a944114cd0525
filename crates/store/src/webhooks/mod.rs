//! Webhooks: events written in the transaction that changed the state, their deliveries by lease, and the secrets that
//! sign them.
//!
//! Law: `spec/interface.md` Events, `spec/not-shown.md` §9. Must not know: how a body looks, how a delivery travels,
//! when it is tried again.

mod claim;
mod outcome;
mod read;
mod secret;
mod tell;

pub use read::DeliveryFilter;
pub use secret::{OpenSecret, SecretText};
pub use tell::{EventBody, Told};
pub(crate) use tell::{tell, tell_both};

use crate::Error;
use crate::row::unexpected;
use fiscal::lifecycle::State;
use fiscal::value::TpAmb;
use std::collections::BTreeSet;
use uuid::Uuid;

/// What happened, as the part of `evento` after the document's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the contract's words")]
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
    /// Every event, with its word.
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

    /// The contract's word.
    pub fn word(self) -> &'static str {
        Evento::ALL.iter().find(|(_, evento)| *evento == self).map_or("", |(word, _)| word)
    }

    /// The event of a document that ended in this state; none while it has not.
    pub fn of(state: State) -> Option<Evento> {
        match state {
            State::Authorized => Some(Evento::Autorizada),
            State::Rejected => Some(Evento::Rejeitada),
            State::Denied => Some(Evento::Denegada),
            State::Cancelled => Some(Evento::Cancelada),
            State::Failed => Some(Evento::Falhou),
            State::Accepted | State::Issued | State::Sending | State::InDoubt => None,
        }
    }
}

/// How a delivery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryStatus {
    /// It waits, for the first attempt or a further one.
    Pendente,
    /// The receiver took it.
    Entregue,
    /// All attempts failed.
    Perdida,
}

impl DeliveryStatus {
    /// Every status, with its word.
    pub const ALL: [(&'static str, DeliveryStatus); 3] = [
        ("pendente", DeliveryStatus::Pendente),
        ("entregue", DeliveryStatus::Entregue),
        ("perdida", DeliveryStatus::Perdida),
    ];

    /// The word.
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

/// A delivery as listed, without its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryRecord {
    /// The event's id, the same in every attempt.
    pub id: Uuid,
    /// Job it tells of.
    pub job_id: Uuid,
    /// Environment of the document, which chooses the secret.
    pub ambiente: TpAmb,
    /// `nfe.autorizada`, …
    pub evento: String,
    /// Where it goes.
    pub url: String,
    /// How it stands.
    pub status: DeliveryStatus,
    /// Attempts made.
    pub tentativas: u32,
    /// When the state changed, seconds since 1970.
    pub criado_em: i64,
    /// When it is tried next.
    pub proxima_em: Option<i64>,
    /// When it was taken or lost.
    pub concluido_em: Option<i64>,
    /// All attempts, oldest first.
    pub historico: Vec<Attempt>,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// From 1; a resend by hand counts on.
    pub tentativa: u32,
    /// When it began, seconds since 1970.
    pub em: i64,
    /// Status of the answer, when there was one.
    pub codigo_http: Option<u16>,
    /// How long it took.
    pub duracao_ms: u32,
    /// What went wrong, Portuguese.
    pub erro: Option<String>,
    /// Beginning of the answer.
    pub resposta: Option<String>,
}

/// A claimed delivery. While the lease lasts nobody else makes this attempt.
#[derive(Debug, Clone)]
pub struct ClaimedDelivery {
    /// Proof of the claim.
    pub lease: DeliveryLease,
    /// Job it tells of.
    pub job_id: Uuid,
    /// Environment of the document.
    pub ambiente: TpAmb,
    /// `nfe.autorizada`, …
    pub evento: String,
    /// Where it goes.
    pub url: String,
    /// The body without `tentativa`: a JSON object.
    pub corpo: String,
    /// Attempts made before.
    pub tentativas: u32,
    /// Attempts left, this one included.
    pub restantes: u32,
}

/// Proof of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryLease {
    /// Tenant.
    pub tenant_id: Uuid,
    /// Delivery.
    pub delivery_id: Uuid,
    /// Random, changes with every claim.
    pub token: Uuid,
}

/// Which deliveries to take.
#[derive(Debug, Clone, Default)]
pub struct DeliveryClaim {
    /// Now.
    pub now: i64,
    /// End of the lease.
    pub lease_until: i64,
    /// At most this many.
    pub limit: u32,
    /// Tenants that are at their limit: none of theirs.
    pub except_tenants: BTreeSet<Uuid>,
    /// Hosts that are at their limit: nothing to them.
    pub except_hosts: BTreeSet<String>,
}

/// What follows an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// The receiver took it.
    Delivered,
    /// Tried again at this second.
    Again(i64),
    /// That was the last attempt.
    Lost,
}

/// Host and port of a URL, as it groups deliveries.
pub fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default().to_ascii_lowercase()
}

/// Tenant and host, as one word that sorts.
fn destino(tenant: Uuid, url: &str) -> String {
    format!("{tenant}/{}", host(url))
}

/// Attempts of one series: the first, or one begun by hand.
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
