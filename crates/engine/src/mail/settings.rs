//! Settings of the SMTP server and of the sender.

use std::fmt;
use std::time::Duration;
use zeroize::Zeroizing;

/// Encryption of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpTls {
    /// TLS from the first byte (port 465).
    Implicit,
    /// STARTTLS, required (port 587).
    StartTls,
    /// None; for a server on this machine.
    Absent,
}

/// Password of the SMTP user; never printed.
#[derive(Clone)]
pub struct SmtpPassword(Zeroizing<String>);

impl SmtpPassword {
    pub fn new(text: Zeroizing<String>) -> SmtpPassword {
        SmtpPassword(text)
    }

    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SmtpPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SmtpPassword")
    }
}

/// Settings of the mailer.
#[derive(Debug, Clone)]
pub struct MailSettings {
    pub host: String,
    pub port: u16,
    pub tls: SmtpTls,
    /// User and password, if the server asks for them.
    pub login: Option<(String, SmtpPassword)>,
    /// Address of the sender.
    pub from: String,
    /// Name of the sender.
    pub from_name: Option<String>,
    /// Longest wait for each answer of the server.
    pub timeout: Duration,
    /// Most mails in a minute, in this process.
    pub per_minute: u32,
    /// Most mails of one account in a minute, in this process.
    pub per_minute_of_account: u32,
    /// PEM with further trust anchors.
    pub extra_anchors_pem: Option<Vec<u8>>,
    /// Public address of the panel, for links.
    pub panel_url: Option<String>,
}

impl MailSettings {
    /// Domain of the sender's address.
    pub(super) fn domain(&self) -> &str {
        self.from.rsplit_once('@').map_or("localhost", |(_, domain)| domain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_printed() {
        let login = ("dono".to_owned(), SmtpPassword::new(Zeroizing::new("s3gredo".to_owned())));
        assert!(!format!("{login:?}").contains("s3gredo"));
    }
}
