//! Attempts of mails: compose, name the recipients, mark, give the content, record.

use super::compose::{ComposeError, MailParts};
use super::interval::{is_late, next_attempt};
use super::settings::MailSettings;
use super::smtp::{self, CONTENT, ReadySession, SmtpFailure, TransmissionFailure};
use crate::Engine;
use crate::process::crash::crash_point;
use std::sync::Arc;
use std::time::Duration;
use store::mail::{AttemptEnd, ClaimedMail, MailOutcome, MailStatus};

/// Steps of a session up to its recipients, each as long as the server's timeout at most.
const SESSION_STEPS: u32 = 14;
/// Steps of giving the content.
const CONTENT_STEPS: u32 = 4;

/// Shared parts of every attempt.
pub(super) struct MailContext {
    pub(super) engine: Engine,
    pub(super) settings: Arc<MailSettings>,
}

/// Longest time between a claim and its mark, and between the mark and the outcome.
pub(super) fn lease_s(settings: &MailSettings) -> i64 {
    let longest = settings.timeout * (SESSION_STEPS + CONTENT_STEPS) + Duration::from_secs(60);
    i64::try_from(longest.as_secs()).unwrap_or(i64::MAX)
}

/// Parts of the end of an attempt.
struct AttemptEnding {
    etapa: &'static str,
    codigo: Option<u16>,
    resposta: String,
    outcome: MailOutcome,
    parties: Option<(String, String)>,
    block: Option<String>,
}

impl AttemptEnding {
    fn without_server(outcome: MailOutcome, resposta: String) -> AttemptEnding {
        AttemptEnding { etapa: "preparação", codigo: None, resposta, outcome, parties: None, block: None }
    }
}

impl MailContext {
    /// Makes one attempt. Nothing is lost if it never ends: the lease runs out, and the mark shows what is known.
    pub(super) async fn attempt(&self, claimed: ClaimedMail) {
        crash_point("mail.claimed");
        let ending = match self.outcome(&claimed).await {
            Ok(ending) => ending,
            Err(error) => {
                let returned = self.engine.store().return_mail(claimed.lease, self.engine.now_s() + 5).await;
                return tracing::error!(error.cause = %error, returned = returned.is_ok(), mail.id = %claimed.mail.id, "a mail could not be attempted");
            }
        };
        crash_point("mail.reply");
        self.record(&claimed, ending).await;
        crash_point("mail.recorded");
    }

    async fn record(&self, claimed: &ClaimedMail, ending: AttemptEnding) {
        let AttemptEnding { etapa, codigo, resposta, outcome, parties, block } = ending;
        count(outcome);
        let result = word(outcome);
        tracing::info!(mail.id = %claimed.mail.id, mail.kind = claimed.mail.kind.word(), mail.attempt = claimed.mail.tentativas + 1,
            result, smtp.code = codigo, "mail attempted");
        let (para, assunto) = parties.unzip();
        let em = self.engine.now_s();
        let end = AttemptEnd { em, etapa, codigo, resposta, outcome, para, assunto, block };
        if let Err(error) = self.engine.store().mail_attempted(claimed.lease, end).await {
            tracing::error!(error.cause = %error, mail.id = %claimed.mail.id, "the outcome of a mail cannot be written");
        }
    }

    async fn outcome(&self, claimed: &ClaimedMail) -> Result<AttemptEnding, store::Error> {
        let (mail, now) = (&claimed.mail, self.engine.now_s());
        if mail.transmitido_em.is_some() {
            let ended = MailOutcome::Ended(MailStatus::EmDuvida);
            return Ok(AttemptEnding { etapa: CONTENT, ..AttemptEnding::without_server(ended, CUT_OFF.to_owned()) });
        }
        if is_late(mail.serie_em, now) {
            let ended = MailOutcome::Ended(MailStatus::Falhou);
            return Ok(AttemptEnding::without_server(
                ended,
                "O prazo de três dias passou sem que ele saísse.".to_owned(),
            ));
        }
        let parts = match MailParts::read(&self.engine, &self.settings, mail).await {
            Ok(parts) => parts,
            Err(ComposeError::Store(error)) => return Err(error),
            Err(error) => return Ok(self.not_composed(claimed, &error)),
        };
        self.send(claimed, parts).await
    }

    fn not_composed(&self, claimed: &ClaimedMail, error: &ComposeError) -> AttemptEnding {
        let outcome = match error {
            ComposeError::NoAddress(_) => MailOutcome::Ended(MailStatus::SemEndereco),
            ComposeError::Later(_) => self.again(claimed),
            ComposeError::Never(_) | ComposeError::Store(_) => MailOutcome::Ended(MailStatus::Falhou),
        };
        AttemptEnding::without_server(outcome, error.to_string())
    }

    /// Next attempt, or the end when the time is over.
    fn again(&self, claimed: &ClaimedMail) -> MailOutcome {
        let next = next_attempt(claimed.mail.serie_em, self.engine.now_s());
        next.map_or(MailOutcome::Ended(MailStatus::Falhou), MailOutcome::RetryAt)
    }

    async fn send(&self, claimed: &ClaimedMail, mut parts: MailParts) -> Result<AttemptEnding, store::Error> {
        let parties = Some((parts.to.join(", "), parts.text.subject.clone()));
        let blocked = self.without_blocked(claimed, &mut parts).await?;
        if parts.to.is_empty() {
            let ended = MailOutcome::Ended(MailStatus::Bloqueado);
            let reason = blocked.unwrap_or_default();
            return Ok(AttemptEnding {
                parties,
                ..AttemptEnding::without_server(ended, format!("Na lista de bloqueio: {reason}"))
            });
        }
        let (recipients, required) = (parts.recipients(), parts.to.len());
        let settings = Arc::clone(&self.settings);
        let now = self.engine.now_s();
        let opened = blocking(self.settings.timeout * SESSION_STEPS, move || {
            let message = parts.message(&settings, now)?;
            Ok(smtp::open_session(&settings, &recipients, required).map(|session| (session, message)))
        });
        let (session, message) = match opened.await {
            None => return Ok(AttemptEnding { parties, ..self.refused(claimed, &unanswered(smtp::CONNECT)) }),
            Some(Err(error)) => return Ok(AttemptEnding { parties, ..self.not_composed(claimed, &error) }),
            Some(Ok(Err(failure))) => return Ok(AttemptEnding { parties, ..self.refused(claimed, &failure) }),
            Some(Ok(Ok(ready))) => ready,
        };
        if let Some(parties) = &parties {
            let now = self.engine.now_s();
            let until = now.saturating_add(lease_s(&self.settings));
            self.engine.store().mail_transmitting(claimed.lease, parties.clone(), now, until).await?;
        }
        crash_point("mail.marked");
        Ok(AttemptEnding { parties, ..self.transmit(claimed, session, message).await })
    }

    async fn transmit(&self, claimed: &ClaimedMail, session: ReadySession, message: Vec<u8>) -> AttemptEnding {
        let partly = session.partly_refused();
        let block = session.refused.iter().find(|refused| refused.blames_address());
        let block = block.and_then(|refused| refused.address.clone());
        let sent = blocking(self.settings.timeout * CONTENT_STEPS, move || session.transmit(&message)).await;
        match sent {
            Some(Ok(answer)) => AttemptEnding {
                etapa: CONTENT,
                codigo: Some(answer.codigo),
                resposta: smtp::excerpt(&format!("{partly}{}", answer.resposta)),
                outcome: MailOutcome::Ended(MailStatus::Enviado),
                parties: None,
                block,
            },
            Some(Err(TransmissionFailure::Answered(failure))) => self.refused(claimed, &failure),
            Some(Err(TransmissionFailure::Unanswered(failure))) => in_doubt(failure),
            None => in_doubt(unanswered(CONTENT)),
        }
    }

    /// Ending of a step that the server refused or that did not reach it, before the content was accepted.
    fn refused(&self, claimed: &ClaimedMail, failure: &SmtpFailure) -> AttemptEnding {
        // a refusal of this service's login or sender is no fault of the address: the operator can mend it
        let is_final = failure.is_permanent() && matches!(failure.etapa, smtp::RECIPIENT | CONTENT);
        let outcome = if is_final { MailOutcome::Ended(MailStatus::Recusado) } else { self.again(claimed) };
        let one = claimed.mail.para.clone();
        let address = failure.address.clone().or(one).filter(|address| !address.contains(','));
        AttemptEnding {
            etapa: failure.etapa,
            codigo: failure.codigo,
            resposta: failure.resposta.clone(),
            outcome,
            parties: None,
            block: address.filter(|_| failure.blames_address()),
        }
    }

    /// Removes blocked addresses; returns the reason of the last one.
    async fn without_blocked(
        &self,
        claimed: &ClaimedMail,
        parts: &mut MailParts,
    ) -> Result<Option<String>, store::Error> {
        let mut reason = None;
        for list in [&mut parts.to, &mut parts.copy] {
            let mut open = Vec::new();
            for address in list.drain(..) {
                match self.engine.store().blocked_address(claimed.mail.tenant, &address).await? {
                    Some(block) => reason = Some(block.motivo),
                    None => open.push(address),
                }
            }
            *list = open;
        }
        Ok(reason)
    }
}

const CUT_OFF: &str = "O serviço parou depois de entregar o conteúdo ao servidor e antes da resposta: o e-mail pode ter chegado. \
                       Ele não é enviado de novo sozinho.";

fn in_doubt(failure: SmtpFailure) -> AttemptEnding {
    AttemptEnding {
        etapa: failure.etapa,
        codigo: None,
        resposta: format!(
            "O servidor não respondeu depois do conteúdo ({}): o e-mail pode ter chegado.",
            failure.resposta
        ),
        outcome: MailOutcome::Ended(MailStatus::EmDuvida),
        parties: None,
        block: None,
    }
}

fn unanswered(etapa: &'static str) -> SmtpFailure {
    SmtpFailure { etapa, codigo: None, resposta: "o servidor não respondeu a tempo".to_owned(), address: None }
}

/// Runs a part of a session on a thread for blocking work; `None` if it does not end in time. Such a thread ends with
/// its connection.
async fn blocking<T: Send + 'static>(within: Duration, part: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::time::timeout(within, tokio::task::spawn_blocking(part)).await.ok()?.ok()
}

fn word(outcome: MailOutcome) -> &'static str {
    match outcome {
        MailOutcome::Ended(status) => status.word(),
        MailOutcome::RetryAt(_) => "nova_tentativa",
    }
}

fn counter(outcome: MailOutcome) -> metrics::Counter {
    metrics::counter!("carimbo_emails_total", "result" => word(outcome))
}

fn count(outcome: MailOutcome) {
    counter(outcome).increment(1);
}

/// Starts the series of every outcome at zero.
pub(crate) fn start_counters() {
    let ended = MailStatus::ALL.into_iter().filter(|status| *status != MailStatus::Pendente).map(MailOutcome::Ended);
    for outcome in ended.chain([MailOutcome::RetryAt(0)]) {
        counter(outcome).increment(0);
    }
}
