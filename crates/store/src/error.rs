//! Errors of the store that a caller can act on.

use crate::jobs::operation::Operacao;
use crate::numbers::number_state::NumberState;
use crate::quotas::QuotaUsedUp;
use fiscal::tipo::Tipo;
use uuid::Uuid;

/// Errors that a caller can act on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No such row, or a row of another tenant.
    #[error("não encontrado")]
    NotFound,
    /// Refused by a uniqueness rule or a guard: the row exists already or its state has changed.
    #[error("conflito: {0}")]
    Conflict(&'static str),
    /// The lease is lost: another process has the work, or it has ended.
    #[error("arrendamento perdido")]
    LeaseLost,
    /// Another document of the series has the requested number.
    #[error("o número {numero} já foi utilizado nesta série")]
    NumberTaken {
        /// The requested number.
        numero: u64,
    },
    /// The series has no number left.
    #[error("a série esgotou seus números")]
    SeriesExhausted,
    /// A copy of the database was restored, and the authority has not yet been asked which numbers of the series it
    /// has.
    #[error("a série aguarda a autoridade dizer até onde foi usada")]
    SeriesUncleared,
    /// A company that issues in production is changed only by a production credential.
    #[error("a empresa está em produção")]
    ProductionOnly,
    /// The stored data contradict each other: a bug, or a change from outside the service. A retry fails likewise.
    #[error("dados inconsistentes: {0}")]
    Corrupt(&'static str),
    /// A quota is used up; nothing was registered.
    #[error("cota excedida")]
    QuotaExceeded(QuotaUsedUp),
    /// A service has the database open; nothing was done.
    #[error("um serviço está no ar com este banco")]
    InUse,
    /// The account has reached a bound; nothing was registered.
    #[error("a conta já tem o máximo, {most}")]
    AccountFull {
        /// The bound.
        most: u32,
    },
    /// The document has the most events of this kind that it may have; nothing was registered.
    #[error("a nota já tem o máximo de eventos deste tipo")]
    EventsExhausted,
    /// Another unfinished job performs this kind of act on the document; nothing was registered.
    #[error("o job {job} já está fazendo isto com a nota")]
    UnderWay {
        /// The other job.
        job: Uuid,
        /// Its document type.
        tipo: Tipo,
    },
    /// The reference belongs to a job of another operation; nothing was registered.
    #[error("a referência é do job {job}, de outra operação")]
    ReferenceTaken {
        /// The job of the reference.
        job: Uuid,
        /// Its document type.
        tipo: Tipo,
        /// Its operation.
        operacao: Operacao,
    },
    /// The reference belongs to a job of a company out of the caller's reach; nothing was registered.
    #[error("a referência é de outro pedido da conta")]
    ReferenceHidden,
    /// A number of a range to be voided is not free; nothing was registered.
    #[error("o número {numero} não está livre")]
    NumberHeld {
        /// The lowest such number.
        numero: u64,
        /// Its state.
        state: NumberState,
    },
    /// The database cannot be reached or failed; a later call may succeed.
    #[error("banco de dados indisponível: {0}")]
    Unavailable(String),
    /// A stored secret cannot be opened with this master key.
    #[error("segredo ilegível: a chave mestra é outra?")]
    Sealed,
}
