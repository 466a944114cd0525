//! Acts on a document that exists: cancellation, correction, access for a third party. Each is a job of its own.
//!
//! Law: `docs/contract.md`, "Jobs" (202 and a job); MOC 7.0 and the technical note of each event. `steps::event`
//! runs the job.

pub(crate) mod act;
pub(crate) mod cte;
pub(crate) mod event_inputs;
pub(crate) mod event_type;
pub(crate) mod manifestation;
pub(crate) mod municipal;
pub(crate) mod national;
mod register;

pub use act::DocumentAct;
pub(crate) use register::CheckedOrder;

use crate::family::issuer::NotIssuer;
use fiscal::finding::Violation;
use fiscal::layout::LayoutFault;
use fiscal::tipo::Tipo;
use fiscal::value::CnpjCpf;
use serde::{Deserialize, Serialize};
use store::jobs::Job;
use uuid::Uuid;

/// Request for an act on a document.
#[derive(Serialize, Deserialize)]
pub struct ActRequest {
    pub cpf_cnpj: CnpjCpf,
    /// Document type of the route.
    pub tipo: Tipo,
    pub target: DocumentTarget,
    /// Other identifiers that the caller gave: the request fails unless all name the same document.
    pub also: Vec<DocumentTarget>,
    /// The substitute's key, where the caller named it by its job too: the request fails unless both name the same
    /// document.
    #[serde(default)]
    pub substitute_key: Option<String>,
    pub act: DocumentAct,
    /// Caller's unique id. Not stored in the payload of a prepared act, whose row has it.
    #[serde(skip)]
    pub referencia: Option<String>,
    /// Address of the webhook.
    pub webhook_url: Option<String>,
}

/// Identifier of a document.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum DocumentTarget {
    /// Id of the job that emitted it.
    Job(Uuid),
    /// Key.
    Chave(String),
    /// Number that its municipal provider gave it.
    Numero(u64),
}

impl DocumentTarget {
    /// `true` if it names the document of this job.
    fn names(&self, job: &Job) -> bool {
        let document = job.document.as_ref();
        match self {
            DocumentTarget::Job(id) => job.id == *id,
            DocumentTarget::Chave(chave) => {
                document.and_then(|it| it.chave.as_ref()).is_some_and(|own| own.as_str() == chave)
            }
            DocumentTarget::Numero(numero) => document.and_then(|it| it.numero_nota) == Some(*numero),
        }
    }

    /// Name of the member in the interface.
    fn member(&self) -> &'static str {
        match self {
            DocumentTarget::Job(_) => "job_id",
            DocumentTarget::Chave(_) => "chave",
            DocumentTarget::Numero(_) => "numero",
        }
    }
}

/// Reason why nothing was registered.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// This member names another document than the rest of the request.
    #[error("{0} é de outro documento")]
    Disagreeing(&'static str),
    /// The tenant has no such document of this company and type.
    #[error("nota não encontrada")]
    UnknownDocument,
    /// The substitute was not found.
    #[error("nota substituta não encontrada")]
    UnknownSubstitute,
    /// Not authorised, or cancelled already.
    #[error("a nota não está autorizada")]
    NotAuthorized,
    /// Documents of this model have no such event.
    #[error("o modelo da nota não tem este evento")]
    WrongModel,
    /// The note has its full count of events of this type.
    #[error("a nota já tem o máximo de eventos deste tipo")]
    Exhausted,
    /// The document's own history, or a deadline, forbids it; Portuguese, with the authority's code.
    #[error("{0}")]
    Forbidden(String),
    /// No such company, of an event that needs no document of ours.
    #[error("empresa não encontrada")]
    UnknownCompany,
    /// No configuration that decides the environment, of such an event.
    #[error("empresa sem configuração de CT-e nem de NF-e")]
    NotConfigured,
    /// The layout of the event refuses the request.
    #[error("o evento não pode ser montado")]
    Invalid(Vec<LayoutFault>),
    /// The layout refuses the request, member by member.
    #[error("o evento não pode ser montado")]
    Refused(Vec<Violation>),
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
