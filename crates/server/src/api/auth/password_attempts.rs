//! Login attempts: bounds of failures in 15 minutes (5 of an e-mail from one address; more of an e-mail, from an
//! address and of all, [`LoginLimits`](crate::limits::LoginLimits)), and the place of an attempt in the hash queue.
//!
//! Law: `docs/contract.md`, "Accounts". An attempt is counted before its password is verified: in a burst of guesses
//! the right one is refused with the same answer as the others. The counts are in the store and hold over all
//! processes. An address with a recent login of the e-mail is bounded by the count of its pair only (`store::logins`):
//! guesses from thousands of addresses slow down new addresses and lock out no known one.

use fiscal::value::TpAmb;
use std::num::NonZeroU32;

use store::audit::ActorKind;
use store::logins::{self, FailureCounter, FailureTarget, LoginBound, LoginDelay, LoginFailure, LoginGuard};
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::api::error::{ApiError, BEARER_CHALLENGE};
use crate::api::error_code;
use crate::api::origin::RequestOrigin;
use crate::app::App;
use crate::limits::LoginLimits;
use crate::password::{self, HashQueueFull};

/// An admitted attempt, with its place in the hash queue and in the count of its pair.
pub(crate) struct AdmittedAttempt {
    guard: LoginGuard,
    counted: logins::LoginSlots,
    queued: password::HashPermit,
    origin: RequestOrigin,
    email_digest: String,
}

impl AdmittedAttempt {
    /// Admits an anonymous attempt.
    pub(crate) async fn begin_attempt(
        app: &App,
        email: &str,
        origin: RequestOrigin,
    ) -> Result<AdmittedAttempt, ApiError> {
        let queued = app.passwords().admit_attempt(origin.counted_address()).map_err(queue_refusal)?;
        let guard = login_guard(app, email, &origin);
        AdmittedAttempt::counted(app, email, guard, origin, queued).await
    }

    /// Admits an attempt of a session, which is counted too: a stolen token must not allow guessing the password.
    pub(crate) async fn begin_session_attempt(
        app: &App,
        email: &str,
        origin: RequestOrigin,
    ) -> Result<AdmittedAttempt, ApiError> {
        let queued = app.passwords().reserve_in_session(origin.counted_address()).map_err(queue_refusal)?;
        // guesses from elsewhere must not keep a user from changing the password
        let guard = LoginGuard { is_proven: true, ..login_guard(app, email, &origin) };
        AdmittedAttempt::counted(app, email, guard, origin, queued).await
    }

    async fn counted(
        app: &App,
        email: &str,
        guard: LoginGuard,
        origin: RequestOrigin,
        queued: password::HashPermit,
    ) -> Result<AdmittedAttempt, ApiError> {
        match app.store().login_attempt(guard, app.now()).await? {
            logins::LoginAttempt::Taken(counted) => {
                let email_digest = email_digest(app, email)?;
                Ok(AdmittedAttempt { guard, counted, queued, origin, email_digest })
            }
            logins::LoginAttempt::Slowed(slowdown) => Err(delay_refusal(&guard, slowdown)),
        }
    }

    /// The counters, which a right password clears.
    pub(crate) fn guard(&self) -> LoginGuard {
        self.guard
    }

    /// Id of the attempt in the counters.
    pub(crate) fn id(&self) -> Uuid {
        self.counted.id()
    }

    /// Verifies the password.
    pub(crate) async fn verify(
        &self,
        app: &App,
        senha: Zeroizing<String>,
        stored: Option<String>,
    ) -> Result<bool, ApiError> {
        self.release_if_refused(app, self.queued.verify(senha, stored).await).await
    }

    /// Hashes a new password after the old one was verified.
    pub(crate) async fn hash(&self, app: &App, senha: Zeroizing<String>) -> Result<String, ApiError> {
        self.release_if_refused(app, self.queued.hash(senha).await).await
    }

    /// Result of a hash or verification; an attempt that the hash queue refused is taken out of the counts.
    async fn release_if_refused<T>(
        &self,
        app: &App,
        look: anyhow::Result<Result<T, HashQueueFull>>,
    ) -> Result<T, ApiError> {
        match look.map_err(|error| ApiError::broken(&error))? {
            Ok(found) => Ok(found),
            Err(full) => {
                app.store().login_released(self.counted).await?;
                Err(queue_refusal(full))
            }
        }
    }

    /// Takes an attempt out of the counts that proved neither right nor wrong.
    pub(crate) async fn release(&self, app: &App) -> Result<(), ApiError> {
        Ok(app.store().login_released(self.counted).await?)
    }

    /// Records a wrong password and returns the refusal, which is equal for known and unknown e-mails.
    pub(crate) async fn record_wrong_password(
        &self,
        app: &App,
        target: Option<FailureTarget>,
    ) -> Result<ApiError, ApiError> {
        self.record_failure(app, target).await?;
        Ok(wrong_credentials())
    }

    /// Records a refused code of the second factor and returns the refusal.
    pub(crate) async fn record_refused_code(
        &self,
        app: &App,
        target: FailureTarget,
        detail: &str,
    ) -> Result<ApiError, ApiError> {
        self.record_failure(app, Some(target)).await?;
        Ok(ApiError::new(&error_code::SEGUNDO_FATOR_EXIGIDO, detail).challenged(BEARER_CHALLENGE))
    }

    async fn record_failure(&self, app: &App, target: Option<FailureTarget>) -> Result<(), ApiError> {
        // no user is proven: the audit trail names the address
        let actor = self.origin.clone().actor(ActorKind::Anonymous, TpAmb::Homologacao);
        let failure = LoginFailure { target, email_digest: self.email_digest.clone() };
        let reached = app.store().login_failed(self.counted, failure, &actor, app.now()).await?;
        let address = self.origin.address.map(tracing::field::display);
        tracing::warn!(client.address = address, email.digest = %self.email_digest, "login failed");
        if let Some(LoginDelay { bound, wait_s }) = reached {
            let (limit, email) = (bound.word(), &self.email_digest);
            tracing::warn!(client.address = address, email.digest = %email, limit, wait_s, "failed logins reached a limit");
        }
        Ok(())
    }
}

/// Counters of an attempt, by digest: the text sent as an e-mail may be a password.
fn login_guard(app: &App, email: &str, origin: &RequestOrigin) -> LoginGuard {
    let place = origin.address.map_or_else(String::new, |_| origin.counted_address().to_string());
    let email = email.to_lowercase();
    let counter = |counted: String, most| FailureCounter { digest: openssl::sha::sha256(counted.as_bytes()), most };
    let LoginLimits { of_an_email, of_an_address, in_all } = app.limits().logins;
    LoginGuard {
        pair: counter(format!("{email}\0{place}"), MOST),
        // two separators: no pair has this form
        email: counter(format!("\0email\0{email}"), of_an_email),
        address: counter(format!("\0endereco\0{place}"), of_an_address),
        all: counter("\0todos".to_owned(), in_all),
        window_s: WINDOW_S,
        is_proven: false,
    }
}

/// Digest of the e-mail for log and audit trail: equal for equal e-mails, and not reversible without our key.
fn email_digest(app: &App, email: &str) -> Result<String, ApiError> {
    let proof = app.tokens().keyed_digest(&format!("email {}", email.to_lowercase()));
    let mut digest = proof.map_err(|error| ApiError::broken(&error))?;
    digest.truncate(DIGEST_LETTERS);
    Ok(digest)
}

/// Refusal of every wrong pair of e-mail and password.
fn wrong_credentials() -> ApiError {
    let detail = "E-mail ou senha não conferem. Confira os dois e tente de novo.";
    ApiError::new(&error_code::CREDENCIAIS_INVALIDAS, detail).challenged(BEARER_CHALLENGE)
}

/// Refusal after too many failures, with the seconds until the next attempt is accepted.
fn delay_refusal(guard: &LoginGuard, LoginDelay { bound, wait_s }: LoginDelay) -> ApiError {
    let (most, whose) = match bound {
        LoginBound::Pair => (guard.pair.most, "para este e-mail, deste endereço"),
        LoginBound::Email => (guard.email.most, "para este e-mail, de vários endereços"),
        LoginBound::Address => (guard.address.most, "deste endereço, para vários e-mails"),
        LoginBound::All => (guard.all.most, "de vários endereços, para vários e-mails"),
    };
    let known = if bound == LoginBound::Pair {
        ""
    } else {
        " De onde este e-mail entrou nos últimos 30 dias ele continua a entrar."
    };
    let detail = format!(
        "Houve {most} tentativas de login sem sucesso em {} minutos {whose}. Espere {wait_s} segundos e tente de novo.{known}",
        WINDOW_S / 60
    );
    ApiError::too_many(detail, wait_s)
}

/// Refusal when the hash queue is full, before the password is verified.
fn queue_refusal(full: HashQueueFull) -> ApiError {
    match full {
        HashQueueFull::Address => {
            let detail = "Há logins demais deste endereço à espera. Espere 2 segundos e tente de novo, um por vez.";
            ApiError::too_many(detail, 2)
        }
        HashQueueFull::All => {
            let detail = "Há logins demais à espera neste momento. Espere 5 segundos e tente de novo.";
            ApiError::busy(detail, 5)
        }
    }
}

const MOST: NonZeroU32 = NonZeroU32::new(5).unwrap();
const WINDOW_S: i64 = 15 * 60;
/// Characters of the digest that are shown.
const DIGEST_LETTERS: usize = 16;
