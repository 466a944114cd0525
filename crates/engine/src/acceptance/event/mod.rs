//! What is done to a document that exists: it is cancelled, corrected, opened to somebody else. Each is a job of its
//! own.
//!
//! Law: `spec/not-shown.md` §4 (202 and a job), `reference/nfe.md` §10. `steps::event` carries the job.

pub(crate) mod act;
pub(crate) mod kind;
pub(crate) mod manifestation;
pub(crate) mod municipal;
pub(crate) mod ordered;
mod register;
pub(crate) mod services;
pub(crate) mod transport;

pub use act::Act;
pub(crate) use register::CheckedOrder;

use crate::family::issuer::NotIssuer;
use fiscal::finding::Violation;
use fiscal::layout::Fault;
use fiscal::tipo::Tipo;
use fiscal::value::CnpjCpf;
use serde::{Deserialize, Serialize};
use store::jobs::Job;
use uuid::Uuid;

/// What to do to which document.
#[derive(Serialize, Deserialize)]
pub struct EventRequest {
    /// Company.
    pub cpf_cnpj: CnpjCpf,
    /// Whose route was called.
    pub tipo: Tipo,
    /// The document.
    pub target: Target,
    /// Other names that the caller gave it: nothing is done unless they name the same.
    pub also: Vec<Target>,
    /// The substitute's key, where the caller named it by its job too: nothing is done unless they name the same.
    #[serde(default)]
    pub substitute_key: Option<String>,
    /// What is done.
    pub act: Act,
    /// Caller's unique id. No part of what is kept of a prepared act, whose row has it.
    #[serde(skip)]
    pub referencia: Option<String>,
    /// Where to notify.
    pub webhook_url: Option<String>,
}

/// A document, named either way.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Target {
    /// By emission job.
    Job(Uuid),
    /// By key.
    Chave(String),
    /// By the number that its city hall gave it.
    Numero(u64),
}

impl Target {
    /// Whether it names the document of this job.
    fn names(&self, job: &Job) -> bool {
        let document = job.document.as_ref();
        match self {
            Target::Job(id) => job.id == *id,
            Target::Chave(chave) => document.and_then(|it| it.chave.as_ref()).is_some_and(|own| own.as_str() == chave),
            Target::Numero(numero) => document.and_then(|it| it.numero_nota) == Some(*numero),
        }
    }

    /// The member of the interface that says it.
    fn member(&self) -> &'static str {
        match self {
            Target::Job(_) => "job_id",
            Target::Chave(_) => "chave",
            Target::Numero(_) => "numero",
        }
    }
}

/// Why nothing was registered.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// What this member names is not the document that another one names.
    #[error("{0} é de outro documento")]
    Disagreeing(&'static str),
    /// No such document of this tenant, company and type.
    #[error("nota não encontrada")]
    UnknownDocument,
    /// No such document to take the place of the cancelled one.
    #[error("nota substituta não encontrada")]
    UnknownSubstitute,
    /// Not authorised (or cancelled already).
    #[error("a nota não está autorizada")]
    NotAuthorized,
    /// Documents of this model have no such event.
    #[error("o modelo da nota não tem este evento")]
    WrongModel,
    /// The note has as many events of this kind as it may.
    #[error("a nota já tem o máximo de eventos deste tipo")]
    Exhausted,
    /// The document's own history, or the calendar, forbids it: Portuguese, with the authority's code.
    #[error("{0}")]
    Forbidden(String),
    /// No such company, of an event that needs no document of ours.
    #[error("empresa não encontrada")]
    UnknownCompany,
    /// No configuration that says the environment, likewise.
    #[error("empresa sem configuração de CT-e nem de NF-e")]
    NotConfigured,
    /// The layout of the event refuses what was given.
    #[error("o evento não pode ser montado")]
    Invalid(Vec<Fault>),
    /// The same, member by member.
    #[error("o evento não pode ser montado")]
    Refused(Vec<Violation>),
    /// Store.
    #[error(transparent)]
    Store(store::Error),
}

impl From<NotIssuer> for EventError {
    fn from(why: NotIssuer) -> EventError {
        match why {
            NotIssuer::UnknownCompany => EventError::UnknownCompany,
            NotIssuer::NotConfigured => EventError::NotConfigured,
            NotIssuer::Store(error) => EventError::Store(error),
        }
    }
}

impl From<store::Error> for EventError {
    fn from(error: store::Error) -> EventError {
        match error {
            store::Error::EventsExhausted => EventError::Exhausted,
            error => EventError::Store(error),
        }
    }
}
