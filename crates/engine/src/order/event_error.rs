//! Refusal of an act on a document.

use fiscal::finding::Violation;
use fiscal::layout::LayoutFault;

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

impl From<store::Error> for EventError {
    fn from(error: store::Error) -> EventError {
        match error {
            store::Error::EventsExhausted => EventError::Exhausted,
            error => EventError::Store(error),
        }
    }
}
