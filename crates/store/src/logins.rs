//! Failed logins: how often a pair of e-mail and address failed lately, over all processes of the service.
//!
//! Law: spec not-shown §6. Must not know: how many failures are many, or how a pair is made; both come in.

use std::num::NonZeroU32;

use serde_json::json;
use uuid::Uuid;

use crate::audit::{self, Act, Actor};
use crate::row::{first, params};
use crate::tx::{Operation, Tx};
use crate::{Error, Store};

/// A pair and how often it may fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    /// Digest of e-mail and address.
    pub pair: [u8; 32],
    /// Failures within the window that slow the pair down.
    pub most: NonZeroU32,
    /// Length of the window, seconds.
    pub window_s: i64,
}

/// Whose password was wrong, when the e-mail is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Tenant.
    pub tenant_id: Uuid,
    /// User.
    pub user_id: Uuid,
}

impl Store {
    /// Seconds until the pair may try again; `None` when it may now.
    pub async fn login_wait(&self, guard: Guard, now: i64) -> Result<Option<i64>, Error> {
        self.read(Wait { guard, now }).await
    }
    /// Notes a failure. The one that reaches the limit for a known user enters the audit trail.
    pub async fn login_failed(
        &self,
        guard: Guard,
        target: Option<Target>,
        actor: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(Failed { guard, target, actor: actor.clone(), now }).await
    }
}

struct Wait {
    guard: Guard,
    now: i64,
}

impl Operation for Wait {
    type Output = Option<i64>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<i64>, Error> {
        wait(tx, &self.guard, self.now).await
    }
}

/// The oldest of the last `most` failures decides: when it leaves the window, one more attempt is free.
pub(crate) async fn wait<T: Tx>(tx: &mut T, guard: &Guard, now: i64) -> Result<Option<i64>, Error> {
    let sql = "SELECT em FROM login_failures WHERE pair = $1 AND em > $2 ORDER BY em DESC LIMIT 1 OFFSET $3";
    let params = params![&guard.pair, now - guard.window_s, guard.most.get() - 1];
    let decisive: Option<i64> = first(tx.query(sql, &params).await?)?;
    Ok(decisive.map(|em| (em + guard.window_s - now).max(1)))
}

/// The pair has shown the right password.
pub(crate) async fn forget<T: Tx>(tx: &mut T, guard: &Guard) -> Result<(), Error> {
    tx.execute("DELETE FROM login_failures WHERE pair = $1", &params![&guard.pair]).await.map(drop)
}

struct Failed {
    guard: Guard,
    target: Option<Target>,
    actor: Actor,
    now: i64,
}

impl Operation for Failed {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let Failed { guard, target, actor, now } = self;
        let sql = "DELETE FROM login_failures WHERE em <= $1";
        tx.execute(sql, &params![now - guard.window_s]).await?;
        let was_slowed = wait(tx, guard, *now).await?.is_some();
        let sql = "INSERT INTO login_failures (pair, id, em) VALUES ($1, $2, $3)";
        tx.execute(sql, &params![&guard.pair, Uuid::now_v7(), *now]).await?;
        let Some(target) = target.filter(|_| !was_slowed) else { return Ok(()) };
        let Some(wait) = wait(tx, guard, *now).await? else { return Ok(()) };
        let (alvo, detalhes) = (target.user_id.to_string(), json!({ "segundos": wait }));
        audit::append(tx, target.tenant_id, actor, Act::LoginBloqueado, &alvo, detalhes, *now).await
    }
}
