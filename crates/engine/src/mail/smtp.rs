//! SMTP session of a mail, in the two parts between which the store writes its mark: up to the accepted recipients, and
//! the content.
//!
//! lettre implements the protocol (docs/decisions/dependencies.md); its parts are called one by one, because an end
//! before the content may be repeated and one after it may not. Both parts block: they run on threads for blocking work.

use super::settings::{MailSettings, SmtpTls};
use lettre::Address;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{Certificate, SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use lettre::transport::smtp::{Error as SmtpError, response::Response};
use openssl::base64;

/// Step of a session, in words for people.
pub(super) const CONNECT: &str = "conexão";
pub(super) const LOGIN: &str = "autenticação no servidor";
pub(super) const SENDER: &str = "remetente";
pub(super) const RECIPIENT: &str = "destinatário";
pub(super) const CONTENT: &str = "conteúdo";

/// End of a step without success.
#[derive(Debug, Clone)]
pub(super) struct SmtpFailure {
    pub(super) etapa: &'static str,
    /// Code of the server's answer, if it answered.
    pub(super) codigo: Option<u16>,
    pub(super) resposta: String,
    /// Refused address, if the step was that of one.
    pub(super) address: Option<String>,
}

impl SmtpFailure {
    fn of(etapa: &'static str, error: &SmtpError) -> SmtpFailure {
        let text = error.to_string();
        // the code stands in a field of its own
        let answer =
            text.split_once("): ").filter(|_| error.status().is_some()).map_or(text.as_str(), |(_, answer)| answer);
        SmtpFailure { etapa, codigo: error.status().map(Into::into), resposta: excerpt(answer), address: None }
    }

    /// `true` if the server refused for good.
    pub(super) fn is_permanent(&self) -> bool {
        self.codigo.is_some_and(|code| (500..600).contains(&code))
    }

    /// `true` if the refusal is about the address itself, an unknown or closed mailbox, and not about this service or
    /// the content. A server that relays for none of our mails must not empty an account's addresses.
    pub(super) fn blames_address(&self) -> bool {
        let names_mailbox = match enhanced_code(&self.resposta) {
            Some(code) => MAILBOX_CODES.contains(&code),
            // without one only an answer to the address itself can be about it
            None => {
                let is_relay = self.resposta.to_ascii_lowercase().contains("relay");
                self.etapa == RECIPIENT && matches!(self.codigo, Some(550 | 551 | 553)) && !is_relay
            }
        };
        self.is_permanent() && names_mailbox
    }
}

/// Enhanced codes (RFC 3463) of a mailbox or domain that does not exist or takes no mail.
const MAILBOX_CODES: &[&str] = &["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"];

/// First word of an answer that has the form of an enhanced code.
fn enhanced_code(answer: &str) -> Option<&str> {
    let is_number = |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    answer.split_whitespace().find(|word| {
        let parts: Vec<&str> = word.split('.').collect();
        matches!(parts.as_slice(), ["2" | "4" | "5", subject, detail] if is_number(subject) && is_number(detail))
    })
}

/// A session whose recipients were accepted.
pub(super) struct ReadySession {
    connection: SmtpConnection,
    /// Recipients that were refused while others were accepted.
    pub(super) refused: Vec<SmtpFailure>,
}

/// Opens a session and names sender and recipients. Ends without one if none of the first `required` recipients is
/// accepted.
pub(super) fn open_session(
    settings: &MailSettings,
    recipients: &[Address],
    required: usize,
) -> Result<ReadySession, SmtpFailure> {
    let connection = connect(settings)?;
    let mut session = ReadySession { connection, refused: Vec::new() };
    match session.name_parties(settings, recipients, required) {
        Ok(()) => Ok(session),
        Err(failure) => {
            session.connection.abort();
            Err(failure)
        }
    }
}

fn connect(settings: &MailSettings) -> Result<SmtpConnection, SmtpFailure> {
    let failed = |etapa| move |error: SmtpError| SmtpFailure::of(etapa, &error);
    let client = ClientId::Domain(settings.domain().to_owned());
    let tls = match settings.tls {
        SmtpTls::Absent => None,
        SmtpTls::Implicit | SmtpTls::StartTls => Some(tls_parameters(settings).map_err(failed(CONNECT))?),
    };
    let place = (settings.host.as_str(), settings.port);
    let first = tls.as_ref().filter(|_| settings.tls == SmtpTls::Implicit);
    let mut connection =
        SmtpConnection::connect(place, Some(settings.timeout), &client, first, None).map_err(failed(CONNECT))?;
    if let Some(tls) = tls.as_ref().filter(|_| settings.tls == SmtpTls::StartTls) {
        connection.starttls(tls, &client).map_err(failed(CONNECT))?;
    }
    if let Some((user, password)) = &settings.login {
        let credentials = Credentials::new(user.clone(), password.expose().to_owned());
        let entered = connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials);
        if let Err(error) = entered {
            connection.abort();
            let failure = SmtpFailure::of(LOGIN, &error);
            return Err(SmtpFailure {
                resposta: without_secret(&failure.resposta, user, password.expose()),
                ..failure
            });
        }
    }
    Ok(connection)
}

/// Answer to a login without the password: a server may repeat the command, plain or encoded.
fn without_secret(answer: &str, user: &str, password: &str) -> String {
    let encoded = |text: &str| base64::encode_block(text.as_bytes());
    let forms = [encoded(&format!("\0{user}\0{password}")), encoded(password), password.to_owned()];
    forms.iter().fold(answer.to_owned(), |answer, form| answer.replace(form, "…"))
}

/// TLS 1.2 or newer, with the anchors of the platform and those that the operator added.
fn tls_parameters(settings: &MailSettings) -> Result<TlsParameters, SmtpError> {
    let mut builder = TlsParameters::builder(settings.host.clone());
    let pem = settings.extra_anchors_pem.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
    for certificate in pem.split_inclusive(END).filter(|part| part.contains(END)) {
        builder = builder.add_root_certificate(Certificate::from_pem(certificate.trim_start().as_bytes())?);
    }
    builder.build_native()
}

const END: &str = "-----END CERTIFICATE-----";

impl ReadySession {
    fn name_parties(
        &mut self,
        settings: &MailSettings,
        recipients: &[Address],
        required: usize,
    ) -> Result<(), SmtpFailure> {
        let from: Option<Address> = settings.from.parse().ok();
        let plain = from.iter().chain(recipients).all(|address| AsRef::<str>::as_ref(address).is_ascii());
        let mut options = Vec::new();
        if !plain {
            if !self.connection.server_info().supports_feature(Extension::SmtpUtfEight) {
                let resposta = "o servidor não aceita endereços com acentos (SMTPUTF8)".to_owned();
                return Err(SmtpFailure { etapa: RECIPIENT, codigo: None, resposta, address: None });
            }
            options.push(MailParameter::SmtpUtfEight);
        }
        self.connection.command(Mail::new(from, options)).map_err(|error| SmtpFailure::of(SENDER, &error))?;
        let mut accepted = 0;
        for (at, recipient) in recipients.iter().enumerate() {
            match self.connection.command(Rcpt::new(recipient.clone(), Vec::new())) {
                Ok(_) => accepted += usize::from(at < required),
                Err(error) => {
                    let failure = SmtpFailure::of(RECIPIENT, &error);
                    let address = Some(recipient.to_string());
                    self.refused.push(SmtpFailure { address, ..failure });
                }
            }
        }
        if accepted > 0 {
            return Ok(());
        }
        // a refusal that may be lifted counts before one for good: the mail is tried again
        let worst = self.refused.iter().find(|refused| !refused.is_permanent()).or(self.refused.first());
        Err(worst.cloned().unwrap_or_else(|| SmtpFailure {
            etapa: RECIPIENT,
            codigo: None,
            resposta: "nenhum destinatário".to_owned(),
            address: None,
        }))
    }

    /// Sentence about the recipients that get nothing while others do; empty without any.
    pub(super) fn partly_refused(&self) -> String {
        let name =
            |refused: &SmtpFailure| format!("{}: {}", refused.address.as_deref().unwrap_or_default(), refused.resposta);
        match self.refused.iter().map(name).collect::<Vec<_>>().join("; ") {
            none if none.is_empty() => none,
            some => format!("Não foi para {some}. "),
        }
    }

    /// Gives the content to the server. `Unanswered` if its end is unknown.
    pub(super) fn transmit(mut self, content: &[u8]) -> Result<SmtpAnswer, TransmissionFailure> {
        if let Err(error) = self.connection.command(Data) {
            self.connection.abort();
            return Err(TransmissionFailure::Answered(SmtpFailure::of(CONTENT, &error)));
        }
        match self.connection.message(content) {
            Ok(response) => {
                // the mail was accepted; the farewell adds nothing
                let _ = self.connection.quit();
                Ok(SmtpAnswer::of(&response))
            }
            Err(error) => {
                self.connection.abort();
                let failure = SmtpFailure::of(CONTENT, &error);
                Err(match failure.codigo {
                    Some(_) => TransmissionFailure::Answered(failure),
                    None => TransmissionFailure::Unanswered(failure),
                })
            }
        }
    }
}

/// Reason why the content was not accepted.
#[derive(Debug)]
pub(super) enum TransmissionFailure {
    /// The server refused it, or did not ask for it: it was not accepted.
    Answered(SmtpFailure),
    /// The connection ended after it: the server may have it.
    Unanswered(SmtpFailure),
}

/// Acceptance of a content.
#[derive(Debug)]
pub(super) struct SmtpAnswer {
    pub(super) codigo: u16,
    pub(super) resposta: String,
}

impl SmtpAnswer {
    fn of(response: &Response) -> SmtpAnswer {
        let lines: Vec<&str> = response.message().collect();
        SmtpAnswer { codigo: response.code().into(), resposta: excerpt(&lines.join(" ")) }
    }
}

/// Most characters of an answer that are stored.
const ANSWER_CHARS: usize = 500;

/// First characters of an answer in one line.
pub(super) fn excerpt(text: &str) -> String {
    let plain = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    plain.take(ANSWER_CHARS).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(codigo: u16, resposta: &str) -> SmtpFailure {
        SmtpFailure { etapa: RECIPIENT, codigo: Some(codigo), resposta: resposta.to_owned(), address: None }
    }

    #[test]
    fn only_a_refusal_of_the_mailbox_blames_the_address() {
        for (codigo, answer, blames) in [
            (550, "5.1.1 unknown user", true),
            (550, "no such user here", true),
            (553, "mailbox name not allowed", true),
            (554, "5.1.2 bad destination", true),
            (550, "5.7.1 blocked by policy", false),
            (554, "5.7.1 Relay access denied", false),
            (550, "Relaying denied", false),
            (552, "5.3.4 message too big", false),
            (450, "4.2.0 greylisted", false),
            (550, "5.2.2 mailbox full", false),
            (550, "5.1.8 bad sender", false),
        ] {
            assert_eq!(refusal(codigo, answer).blames_address(), blames, "{answer}");
        }
    }

    #[test]
    fn a_refused_content_blames_no_address_without_a_code_of_the_mailbox() {
        let spam = SmtpFailure { etapa: CONTENT, ..refusal(550, "looks like spam, see 45.1.1.9") };
        assert!(!spam.blames_address());
        assert!(SmtpFailure { resposta: "5.1.1 unknown user".to_owned(), ..spam }.blames_address());
    }

    #[test]
    fn an_answer_never_shows_the_password() {
        for answer in ["bad AG5vdGFzAHMzZ3JlZG8=", "bad czNncmVkbw==", "bad s3gredo"] {
            assert_eq!(without_secret(answer, "notas", "s3gredo"), "bad …");
        }
    }

    #[test]
    fn an_answer_is_stored_in_one_line() {
        assert_eq!(excerpt("a\r\nb\u{0}"), "a  b");
        assert_eq!(excerpt(&"x".repeat(600)).len(), ANSWER_CHARS);
    }
}
