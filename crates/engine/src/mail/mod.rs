//! E-mails: the mailer claims the mails that the store wrote with each change, composes and sends them by SMTP.
//!
//! Law: docs/contract.md, "E-mails". Reasons: docs/decisions/engine.md, "A mail whose end is unknown". Each mail is sent
//! by one attempt at a time; the content leaves once the store has the mark of it.
//! Must not know: pages, routes.

mod address;
mod attempt;
mod compose;
mod interval;
mod mailer;
mod settings;
mod smtp;
mod text;

pub use address::{AddressFault, addresses, single_address};
pub(crate) use attempt::start_counters;
pub use mailer::Mailer;
pub use settings::{MailSettings, SmtpPassword, SmtpTls};

/// Kinds of alerts that users choose among, with their words for people.
pub const ALERTS: &[(&str, &str)] = &[
    ("certificado.expira_em", "Um certificado digital vence em 30, 15, 7 ou 1 dia"),
    ("certificado.expirado", "Um certificado digital venceu"),
    ("numeracao.lacuna", "Falta um número na sequência das notas"),
    ("recebida.nova", "Chegou uma nota emitida por um fornecedor"),
];
