//! Attempts to log in: how many a pair of e-mail and address made lately without success, over all processes of the service.
//!
//! An attempt takes its place in the count before the password is looked at, so that however many come at the same moment, no
//! more are looked at than may fail; the right password gives the places back.
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

/// The place of an attempt in the count of its pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    guard: Guard,
    id: Uuid,
    /// Seconds that the pair waits if this attempt fails, when it took the last place.
    closes_for: Option<i64>,
}

/// What came of asking for a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// The password may be looked at.
    Taken(Slot),
    /// The pair failed too often; seconds until it may try again.
    Slowed(i64),
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
    /// Takes a place in the count of a pair, if one is free.
    pub async fn login_attempt(&self, guard: Guard, now: i64) -> Result<Attempt, Error> {
        // who is slowed down costs a look, not a commit
        match self.read(Wait { guard, now }).await? {
            Some(wait_s) => Ok(Attempt::Slowed(wait_s)),
            None => self.write(Take { id: Uuid::now_v7(), guard, now }).await,
        }
    }
    /// The attempt failed, and its place stays taken. The one that took the last place of a known user enters the audit trail.
    pub async fn login_failed(
        &self,
        place: Slot,
        target: Option<Target>,
        actor: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        match (place.closes_for, target) {
            (Some(wait_s), Some(target)) => self.write(Failed { wait_s, target, actor: actor.clone(), now }).await,
            _ => Ok(()),
        }
    }
    /// Gives a place back: the password was not looked at.
    pub async fn login_released(&self, place: Slot) -> Result<(), Error> {
        self.write(Release { place }).await
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

/// The oldest of the last `most` attempts decides: when it leaves the window, one more is free.
async fn wait<T: Tx>(tx: &mut T, guard: &Guard, now: i64) -> Result<Option<i64>, Error> {
    let sql = "SELECT em FROM login_failures WHERE pair = $1 AND em > $2 ORDER BY em DESC LIMIT 1 OFFSET $3";
    let params = params![&guard.pair, now - guard.window_s, guard.most.get() - 1];
    let decisive: Option<i64> = first(tx.query(sql, &params).await?)?;
    Ok(decisive.map(|em| (em + guard.window_s - now).max(1)))
}

struct Take {
    id: Uuid,
    guard: Guard,
    now: i64,
}

impl Operation for Take {
    type Output = Attempt;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Attempt, Error> {
        let Take { id, guard, now } = self;
        if let Some(alone) = tx.dialect().alone() {
            // two that count at the same moment would both find the last place free
            tx.query(alone, &params![name_of(guard)]).await?;
        }
        let sql = "DELETE FROM login_failures WHERE em <= $1";
        tx.execute(sql, &params![now - guard.window_s]).await?;
        if let Some(wait_s) = wait(tx, guard, *now).await? {
            return Ok(Attempt::Slowed(wait_s));
        }
        let sql = "INSERT INTO login_failures (pair, id, em) VALUES ($1, $2, $3)";
        tx.execute(sql, &params![&guard.pair, *id, *now]).await?;
        let closes_for = wait(tx, guard, *now).await?;
        Ok(Attempt::Taken(Slot { guard: *guard, id: *id, closes_for }))
    }
}

/// What the lock of a pair is called.
fn name_of(guard: &Guard) -> String {
    guard.pair.iter().fold("login ".to_owned(), |name, byte| format!("{name}{byte:02x}"))
}

/// The pair has shown the right password.
pub(crate) async fn forget<T: Tx>(tx: &mut T, guard: &Guard) -> Result<(), Error> {
    tx.execute("DELETE FROM login_failures WHERE pair = $1", &params![&guard.pair]).await.map(drop)
}

struct Release {
    place: Slot,
}

impl Operation for Release {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let Slot { guard, id, .. } = self.place;
        let sql = "DELETE FROM login_failures WHERE pair = $1 AND id = $2";
        tx.execute(sql, &params![&guard.pair, id]).await.map(drop)
    }
}

struct Failed {
    wait_s: i64,
    target: Target,
    actor: Actor,
    now: i64,
}

impl Operation for Failed {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let Failed { wait_s, target, actor, now } = self;
        let (alvo, detalhes) = (target.user_id.to_string(), json!({ "segundos": wait_s }));
        audit::append(tx, target.tenant_id, actor, Act::LoginBloqueado, &alvo, detalhes, *now).await
    }
}

crate::erased::erasable!(Wait, Take, Release, Failed);
