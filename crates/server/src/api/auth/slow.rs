//! The slow-down of failing logins: 5 failures in 15 minutes for a pair of e-mail and address.
//!
//! Law: `spec/not-shown.md` §6. The failures are in the store, so that the count holds over all processes.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;

use store::audit::Who;
use store::logins::{Guard, Target};

use crate::api::code;
use crate::api::error::{ApiError, BEARER_CHALLENGE};
use crate::api::origin::Origin;
use crate::app::App;

/// The pair of an attempt.
pub(super) struct Pair {
    guard: Guard,
    origin: Origin,
}

impl Pair {
    /// E-mail and address, as one digest: what was typed as an e-mail may be a password.
    pub(super) fn of(email: &str, origin: Origin) -> Pair {
        let place = origin.address.map(household).map_or_else(String::new, |address| address.to_string());
        let pair = openssl::sha::sha256(format!("{}\0{place}", email.to_lowercase()).as_bytes());
        Pair { guard: Guard { pair, most: MOST, window_s: WINDOW_S }, origin }
    }

    /// What the store counts by.
    pub(super) fn guard(&self) -> Guard {
        self.guard
    }

    /// Refuses while the pair is slowed down.
    pub(super) async fn check(&self, app: &App) -> Result<(), ApiError> {
        match app.store().login_wait(self.guard, app.now()).await? {
            Some(wait_s) => Err(slowed(wait_s)),
            None => Ok(()),
        }
    }

    /// Notes a failure; the refusal to answer with is the same whoever it was.
    pub(super) async fn failed(&self, app: &App, target: Option<Target>) -> Result<ApiError, ApiError> {
        // nobody has proven to be the user: the trail names the address
        let actor = self.origin.clone().actor(Who::Anonymous);
        app.store().login_failed(self.guard, target, &actor, app.now()).await?;
        Ok(wrong())
    }
}

/// The one refusal of every wrong pair of e-mail and password.
pub(super) fn wrong() -> ApiError {
    let detail = "E-mail ou senha não conferem. Confira os dois e tente de novo.";
    ApiError::new(&code::CREDENCIAIS_INVALIDAS, detail).challenged(BEARER_CHALLENGE)
}

/// Too many failures; says when the next attempt is taken.
pub(super) fn slowed(wait_s: i64) -> ApiError {
    let detail = format!(
        "Houve {MOST} tentativas de login sem sucesso em {} minutos para este e-mail, deste endereço. \
         Espere {wait_s} segundos e tente de novo.",
        WINDOW_S / 60
    );
    ApiError::too_many(detail, wait_s)
}

/// One IPv6 subscriber has a whole /64 to choose addresses from.
fn household(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
    }
}

const MOST: NonZeroU32 = NonZeroU32::new(5).unwrap();
const WINDOW_S: i64 = 15 * 60;
