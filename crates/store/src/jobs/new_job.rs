//! A job to register, and the result of its registration.

use super::act::NewAct;
use super::job::Job;
use super::operation::Operacao;
use super::packed::LongText;
use crate::audit::Actor;
use crate::emissions::addressees::NewAddressee;
use crate::quotas::Familia;
use fiscal::finding::Notice;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use uuid::Uuid;

/// A job to register.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// UUID v7 made by the engine.
    pub id: Uuid,
    pub tenant_id: Uuid,
    /// Type of the document that it concerns.
    pub tipo: Tipo,
    pub operacao: Operacao,
    pub cpf_cnpj: CnpjCpf,
    /// Environment that it is sent to.
    pub ambiente: TpAmb,
    /// Caller's unique id.
    pub referencia: Option<String>,
    /// The order as the engine writes it (JSON text).
    pub payload: LongText,
    /// URL of the webhook.
    pub webhook_url: Option<String>,
    /// Notices given with the 202.
    pub notices: Vec<Notice>,
    /// The document's job, for an event.
    pub alvo: Option<Uuid>,
    /// Act other than issuing.
    pub act: Option<NewAct>,
    /// `{uf}:{authority}` style word used by concurrency limits, e.g. `SP`.
    pub authority: String,
    /// Quota that the registration debits; `None` when it is free.
    pub cota: Option<Familia>,
    /// CNPJ or CPF of the addressee, by which the job is found before its document exists.
    pub destinatario: Option<String>,
    /// Name of the addressee, by whose words the job is found; without a number of the addressee it is not written.
    pub addressee: Option<NewAddressee>,
    /// Total as decimal text with two decimals, for the same search.
    pub valor: Option<String>,
    /// Id of the HTTP request that registers it, for logs; `None` for a job of the service itself.
    pub request_id: Option<String>,
    /// Author of that request; an order of a user has an entry in the audit trail.
    pub author: Option<Actor>,
    /// Present when that user wrote the document in the panel.
    pub by_hand: Option<HandEmission>,
}

/// An emission that a user wrote in the panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandEmission {
    /// Line for the history of its job.
    pub line: String,
    pub earlier: Option<EarlierDocument>,
}

/// Job of the document that an emission began with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierDocument {
    pub job: Uuid,
    /// Line for its history, before the id of the new job.
    pub line: String,
}

/// Result of a registration.
#[derive(Debug, Clone)]
pub enum RegistrationResult {
    /// A new job.
    New(Job),
    /// The tenant used this reference before: the first job in its present state.
    Replay {
        /// First job.
        job: Job,
        /// `true` if its payload is a different order.
        divergent: bool,
    },
}
