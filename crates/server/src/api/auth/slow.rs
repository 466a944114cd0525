//! Looking at a password: how often a pair of e-mail and address may fail (5 in 15 minutes), and who is looked at when.
//!
//! Law: `spec/not-shown.md` §6. An attempt takes its place in the count before its password is looked at: in a burst of guesses
//! the right one is refused with the same words as the others. The count is in the store, so that it holds over all processes.

use fiscal::value::TpAmb;
use std::num::NonZeroU32;

use store::audit::Who;
use store::logins::{self, Guard, Target};
use zeroize::Zeroizing;

use crate::api::code;
use crate::api::error::{ApiError, BEARER_CHALLENGE};
use crate::api::origin::Origin;
use crate::app::App;
use crate::password::{self, Crowded};

/// An attempt that was let in: it has a place in the queue of passwords and one in the count of its pair.
pub(super) struct Attempt {
    guard: Guard,
    counted: logins::Slot,
    queued: password::Ticket,
    origin: Origin,
}

impl Attempt {
    /// Lets an anonymous attempt in.
    pub(super) async fn begin(app: &App, email: &str, origin: Origin) -> Result<Attempt, ApiError> {
        let queued = app.passwords().place(origin.household()).map_err(crowded)?;
        Attempt::counted(app, email, origin, queued).await
    }

    /// Lets in what a session attempts: a stolen token is no licence to guess the password.
    pub(super) async fn begin_in_session(app: &App, email: &str, origin: Origin) -> Result<Attempt, ApiError> {
        let queued = app.passwords().place_in_session(origin.household()).map_err(crowded)?;
        Attempt::counted(app, email, origin, queued).await
    }

    async fn counted(app: &App, email: &str, origin: Origin, queued: password::Ticket) -> Result<Attempt, ApiError> {
        let guard = guard(email, &origin);
        match app.store().login_attempt(guard, app.now()).await? {
            logins::Attempt::Taken(counted) => Ok(Attempt { guard, counted, queued, origin }),
            logins::Attempt::Slowed(wait_s) => Err(slowed(wait_s)),
        }
    }

    /// The pair, whose failures a right password makes forgotten.
    pub(super) fn guard(&self) -> Guard {
        self.guard
    }

    /// Looks at the password.
    pub(super) async fn verify(
        &self,
        app: &App,
        senha: Zeroizing<String>,
        stored: Option<String>,
    ) -> Result<bool, ApiError> {
        self.looked(app, self.queued.verify(senha, stored).await).await
    }

    /// The hash of a new password, whose old one was right.
    pub(super) async fn hash(&self, app: &App, senha: Zeroizing<String>) -> Result<String, ApiError> {
        self.looked(app, self.queued.hash(senha).await).await
    }

    /// What a look came to; where nobody came to look, the attempt does not count.
    async fn looked<T>(&self, app: &App, look: anyhow::Result<Result<T, Crowded>>) -> Result<T, ApiError> {
        match look.map_err(|error| ApiError::broken(&error))? {
            Ok(found) => Ok(found),
            Err(full) => {
                app.store().login_released(self.counted).await?;
                Err(crowded(full))
            }
        }
    }

    /// The password was wrong; the refusal to answer with is the same whoever it was.
    pub(super) async fn failed(&self, app: &App, target: Option<Target>) -> Result<ApiError, ApiError> {
        // nobody has proven to be the user: the trail names the address
        let actor = self.origin.clone().actor(Who::Anonymous, TpAmb::Homologacao);
        app.store().login_failed(self.counted, target, &actor, app.now()).await?;
        Ok(wrong())
    }
}

/// E-mail and address, as one digest: what was typed as an e-mail may be a password.
fn guard(email: &str, origin: &Origin) -> Guard {
    let place = origin.address.map_or_else(String::new, |_| origin.household().to_string());
    let pair = openssl::sha::sha256(format!("{}\0{place}", email.to_lowercase()).as_bytes());
    Guard { pair, most: MOST, window_s: WINDOW_S }
}

/// The one refusal of every wrong pair of e-mail and password.
fn wrong() -> ApiError {
    let detail = "E-mail ou senha não conferem. Confira os dois e tente de novo.";
    ApiError::new(&code::CREDENCIAIS_INVALIDAS, detail).challenged(BEARER_CHALLENGE)
}

/// Too many failures; says when the next attempt is taken.
fn slowed(wait_s: i64) -> ApiError {
    let detail = format!(
        "Houve {MOST} tentativas de login sem sucesso em {} minutos para este e-mail, deste endereço. \
         Espere {wait_s} segundos e tente de novo.",
        WINDOW_S / 60
    );
    ApiError::too_many(detail, wait_s)
}

/// No place in the queue: said before anything is known of the password.
fn crowded(full: Crowded) -> ApiError {
    match full {
        Crowded::Address => {
            let detail = "Há logins demais deste endereço à espera. Espere 2 segundos e tente de novo, um por vez.";
            ApiError::too_many(detail, 2)
        }
        Crowded::All => {
            let detail = "Há logins demais à espera neste momento. Espere 5 segundos e tente de novo.";
            ApiError::busy(detail, 5)
        }
    }
}

const MOST: NonZeroU32 = NonZeroU32::new(5).unwrap();
const WINDOW_S: i64 = 15 * 60;
