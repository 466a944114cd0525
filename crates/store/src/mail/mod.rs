//! E-mails: rows written in the transaction that changes a document's state, their attempts by lease, the choices of
//! companies and users, and the addresses that get none.
//!
//! Law: docs/contract.md, "E-mails". SMTP knows no repetition by id: an attempt that gave the content to the server and
//! has no outcome may have arrived. `transmitido_em` is on disk before the content leaves; a mail that is found with it
//! and without an outcome ends as `em_duvida`, and only a person sends it again.
//! Must not know: SMTP, the text of a mail.

mod alerts;
mod blocks;
mod choice;
mod claim;
mod enqueue;
mod expire;
mod outcome;
mod read;

pub use blocks::MailBlock;
pub use choice::MailChoice;
pub use enqueue::NewMail;
pub use outcome::{AttemptEnd, MailOutcome};
pub use read::MailFilter;

pub(crate) use alerts::enqueue_alert;
pub(crate) use enqueue::{enqueue_document_mail, enqueue_export_mail, move_document_mails};

use crate::words::word_table;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use uuid::Uuid;

/// Reason of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MailKind {
    /// An authorised document, with its files.
    Nota,
    /// Notice of a cancellation.
    Cancelamento,
    /// A test of a person.
    Teste,
    /// The end of an export.
    Exportacao,
    /// An alert that a user asked for.
    Alerta,
}

impl MailKind {
    pub const ALL: [MailKind; 5] =
        [MailKind::Nota, MailKind::Cancelamento, MailKind::Teste, MailKind::Exportacao, MailKind::Alerta];
}

word_table!(pub MailKind {
    Nota => "nota",
    Cancelamento => "cancelamento",
    Teste => "teste",
    Exportacao => "exportacao",
    Alerta => "alerta",
});

/// State of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MailStatus {
    /// Waits for its first or a further attempt, or is being sent.
    Pendente,
    /// Accepted by the server.
    Enviado,
    /// Given to the server, which did not answer: it may have arrived.
    EmDuvida,
    /// Refused for good.
    Recusado,
    /// No attempt reached the server in time.
    Falhou,
    /// Its address is on the account's block list.
    Bloqueado,
    /// The document names no address.
    SemEndereco,
}

impl MailStatus {
    pub const ALL: [MailStatus; 7] = [
        MailStatus::Pendente,
        MailStatus::Enviado,
        MailStatus::EmDuvida,
        MailStatus::Recusado,
        MailStatus::Falhou,
        MailStatus::Bloqueado,
        MailStatus::SemEndereco,
    ];
}

word_table!(pub MailStatus {
    Pendente => "pendente",
    Enviado => "enviado",
    EmDuvida => "em_duvida",
    Recusado => "recusado",
    Falhou => "falhou",
    Bloqueado => "bloqueado",
    SemEndereco => "sem_endereco",
});

/// A mail without its attempts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailRecord {
    pub tenant: Uuid,
    pub id: Uuid,
    pub ambiente: TpAmb,
    pub kind: MailKind,
    /// Emission of the document.
    pub job: Option<Uuid>,
    pub export: Option<Uuid>,
    pub cpf_cnpj: Option<CnpjCpf>,
    pub tipo: Option<Tipo>,
    /// Address; `None` until the document was read.
    pub para: Option<String>,
    pub copia_para: Option<String>,
    pub responder_para: Option<String>,
    /// Subject; `None` until composed.
    pub assunto: Option<String>,
    /// JSON object of an alert: its event and its facts.
    pub corpo: Option<String>,
    pub status: MailStatus,
    /// Attempts that were begun and recorded.
    pub tentativas: u32,
    pub criado_em: i64,
    /// Begin of the present series of attempts: the order, or the last resend.
    pub serie_em: i64,
    /// Next attempt, or the end of the lease of the one under way.
    pub proxima_em: Option<i64>,
    pub concluido_em: Option<i64>,
    /// Instant at which the content was given to the server.
    pub transmitido_em: Option<i64>,
    /// True while an attempt has it.
    pub claimed: bool,
}

/// A recorded attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailAttempt {
    /// From 1; a resend continues the count.
    pub tentativa: u32,
    pub em: i64,
    /// Step of SMTP that it reached, Portuguese.
    pub etapa: String,
    /// Code of the server's answer.
    pub codigo: Option<u16>,
    /// Text of the answer or of the failure.
    pub resposta: String,
}

/// Proof of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailLease {
    pub tenant: Uuid,
    pub mail: Uuid,
    token: Uuid,
}

/// A claimed mail.
#[derive(Debug, Clone)]
pub struct ClaimedMail {
    pub lease: MailLease,
    pub mail: MailRecord,
}
