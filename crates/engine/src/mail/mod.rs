//! E-mails: the mailer claims the mails that the store wrote with each change, composes and sends them by SMTP.
//!
//! Law: docs/contract.md, "E-mails". Reasons: docs/decisions/store.md, "A mail whose end is unknown waits for a person".
//! Each mail is sent by one attempt at a time; the content leaves once the store has the mark of it.
//! Must not know: pages, routes.

mod address;
mod attempt;
mod compose;
mod interval;
mod mailer;
mod pace;
mod settings;
mod smtp;
#[cfg(test)]
mod smtp_sessions;
mod text;

pub use address::{AddressFault, addresses, single_address};
pub(crate) use attempt::start_counters;
pub use mailer::MailWorker;
pub use settings::{MailSettings, SmtpPassword, SmtpTls};

use store::alerts::AlertEvent;

/// Sentence about an alert, for people.
pub const fn alert_words(evento: AlertEvent) -> &'static str {
    match evento {
        AlertEvent::CertificadoExpiraEm => "Um certificado digital está para vencer",
        AlertEvent::CertificadoExpirado => "Um certificado digital venceu",
        AlertEvent::NumeracaoLacuna => "Falta um número na sequência de documentos",
        AlertEvent::RecebidaNova => "Chegou um documento emitido por outra empresa",
    }
}
