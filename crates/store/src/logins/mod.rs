//! Login attempts: failures within a window, over all processes of the service, in four counts: an e-mail from an
//! address, an e-mail from any address, an address with any e-mail, and all.
//!
//! An attempt takes a slot in each count before the password is checked, so that of any number of concurrent attempts
//! no more are checked than may fail; the right password releases the slots. A pair that logged in recently is held by
//! the first count alone, so that guesses from other addresses do not lock a user out of the usual one.
//!
//! Law: docs/contract.md, "Accounts" (login).
//! Must not know: how many failures are too many, the making of a digest; the caller passes both.

mod marks;

use std::num::NonZeroU32;

use serde_json::json;
use uuid::Uuid;

use crate::audit::{self, Actor, AuditAct};
use crate::row::{Row, first, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store};
use marks::{KNOWN_S, MarkKind};

/// A count and its bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureCounter {
    /// Digest of the counted e-mail, address or pair.
    pub digest: [u8; 32],
    /// Failures within the window after which the next attempt waits.
    pub most: NonZeroU32,
}

/// The counts of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoginGuard {
    /// The e-mail from this address.
    pub pair: FailureCounter,
    /// The e-mail from any address.
    pub email: FailureCounter,
    /// The address with any e-mail.
    pub address: FailureCounter,
    /// All e-mails and addresses.
    pub all: FailureCounter,
    /// Length of the window, seconds.
    pub window_s: i64,
    /// `true` when the attempt comes from an open session of the user: only the count of the pair holds it.
    pub is_proven: bool,
}

/// Kinds of counts, from the narrowest to the widest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginBound {
    /// The e-mail from this address.
    Pair,
    /// The e-mail from any address.
    Email,
    /// The address with any e-mail.
    Address,
    /// All e-mails and addresses.
    All,
}

impl LoginBound {
    /// Word of the bound in the trail and in the log.
    pub fn word(self) -> &'static str {
        match self {
            LoginBound::Pair => "par",
            LoginBound::Email => "email",
            LoginBound::Address => "endereco",
            LoginBound::All => "todos",
        }
    }
}

impl LoginGuard {
    fn counters(&self) -> [(LoginBound, FailureCounter); 4] {
        let LoginGuard { pair, email, address, all, .. } = *self;
        [(LoginBound::Pair, pair), (LoginBound::Email, email), (LoginBound::Address, address), (LoginBound::All, all)]
    }

    fn counter(&self, bound: LoginBound) -> FailureCounter {
        match bound {
            LoginBound::Pair => self.pair,
            LoginBound::Email => self.email,
            LoginBound::Address => self.address,
            LoginBound::All => self.all,
        }
    }
}

/// A count that lets no more attempts through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoginDelay {
    pub bound: LoginBound,
    /// Seconds until the next attempt is accepted.
    pub wait_s: i64,
}

/// The slots of an attempt in its counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoginSlots {
    guard: LoginGuard,
    id: Uuid,
    /// The widest count whose last slot this attempt took.
    closes: Option<LoginDelay>,
}

impl LoginSlots {
    /// Id of the attempt.
    pub fn id(&self) -> Uuid {
        self.id
    }
}

/// Result of requesting a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginAttempt {
    /// The password may be checked.
    Taken(LoginSlots),
    /// Too many attempts failed.
    Slowed(LoginDelay),
}

/// The user of a wrong password, when the e-mail is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureTarget {
    pub tenant_id: Uuid,
    pub user_id: Uuid,
}

/// A wrong password.
#[derive(Debug, Clone)]
pub struct LoginFailure {
    /// `None` when no user has the e-mail.
    pub target: Option<FailureTarget>,
    /// Keyed digest of the e-mail, for the trail.
    pub email_digest: String,
}

impl Store {
    /// Takes a slot in every count that holds the attempt, if each has a free one.
    pub async fn login_attempt(&self, guard: LoginGuard, now: i64) -> Result<LoginAttempt, Error> {
        // A refusal costs a read and no commit.
        match self.read(ReadLoginDelay { guard, now }).await? {
            Some(slowdown) => Ok(LoginAttempt::Slowed(slowdown)),
            None => self.write(TakeLoginSlots { id: Uuid::now_v7(), guard, now }).await,
        }
    }
    /// Records a failed attempt: its slots stay taken. The first attempt in a window that takes the last slot of a
    /// count is recorded in the audit trail, of the user's account or of every account with a failure in that count,
    /// and returned.
    pub async fn login_failed(
        &self,
        slots: LoginSlots,
        failure: LoginFailure,
        actor: &Actor,
        now: i64,
    ) -> Result<Option<LoginDelay>, Error> {
        if slots.closes.is_none() && failure.target.is_none() {
            return Ok(None);
        }
        self.write(FailureRecord { place: slots, failure, actor: actor.clone(), now }).await
    }
    /// Releases the slots of an attempt whose password was not checked.
    pub async fn login_released(&self, place: LoginSlots) -> Result<(), Error> {
        self.write(ReleaseLoginSlots { slots: place }).await
    }
}

struct ReadLoginDelay {
    guard: LoginGuard,
    now: i64,
}

impl StoreOperation for ReadLoginDelay {
    type Output = Option<LoginDelay>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<LoginDelay>, Error> {
        let held = holding_counters(tx, &self.guard, self.now).await?;
        slowdown(tx, &self.guard, &held, self.now).await
    }
}

/// The counts that hold an attempt. A known pair is held by its own count only; a known address is not held by the
/// count of all.
async fn holding_counters<T: Tx>(
    tx: &mut T,
    guard: &LoginGuard,
    now: i64,
) -> Result<Vec<(LoginBound, FailureCounter)>, Error> {
    let after = now - KNOWN_S;
    let widest = if guard.is_proven || marks::is_marked(tx, MarkKind::KnownPair, &guard.pair.digest, after).await? {
        1
    } else if marks::is_marked(tx, MarkKind::KnownAddress, &guard.address.digest, after).await? {
        3
    } else {
        4
    };
    Ok(guard.counters().into_iter().take(widest).collect())
}

/// The first count without a free slot.
async fn slowdown<T: Tx>(
    tx: &mut T,
    guard: &LoginGuard,
    held: &[(LoginBound, FailureCounter)],
    now: i64,
) -> Result<Option<LoginDelay>, Error> {
    for (bound, counter) in held {
        if let Some(wait_s) = slot_wait(tx, counter, guard.window_s, now).await? {
            return Ok(Some(LoginDelay { bound: *bound, wait_s }));
        }
    }
    Ok(None)
}

/// The oldest of the last `most` attempts decides: a slot is free when it leaves the window.
async fn slot_wait<T: Tx>(tx: &mut T, counter: &FailureCounter, window_s: i64, now: i64) -> Result<Option<i64>, Error> {
    let sql = "SELECT em FROM login_failures WHERE pair = $1 AND em > $2 ORDER BY em DESC LIMIT 1 OFFSET $3";
    let params = params![&counter.digest, now - window_s, counter.most.get() - 1];
    let decisive: Option<i64> = first(tx.query(sql, &params).await?)?;
    Ok(decisive.map(|em| (em + window_s - now).max(1)))
}

struct TakeLoginSlots {
    id: Uuid,
    guard: LoginGuard,
    now: i64,
}

impl StoreOperation for TakeLoginSlots {
    type Output = LoginAttempt;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<LoginAttempt, Error> {
        let TakeLoginSlots { id, guard, now } = self;
        let held = holding_counters(tx, guard, *now).await?;
        if let Some(alone) = tx.dialect().exclusive_lock() {
            // Without the locks two concurrent counts would both see the last slot as free. Taken in the order of the
            // bounds.
            for (_, counter) in &held {
                tx.query(alone, &params![counter_lock_name(counter)]).await?;
            }
        }
        let sql = "DELETE FROM login_failures WHERE em <= $1";
        tx.execute(sql, &params![now - guard.window_s]).await?;
        if let Some(slowdown) = slowdown(tx, guard, &held, *now).await? {
            return Ok(LoginAttempt::Slowed(slowdown));
        }
        let mut closes = None;
        for (bound, counter) in &held {
            let sql = "INSERT INTO login_failures (pair, id, em) VALUES ($1, $2, $3)";
            tx.execute(sql, &params![&counter.digest, *id, *now]).await?;
            let full = slot_wait(tx, counter, guard.window_s, *now).await?;
            closes = full.map(|wait_s| LoginDelay { bound: *bound, wait_s }).or(closes);
        }
        Ok(LoginAttempt::Taken(LoginSlots { guard: *guard, id: *id, closes }))
    }
}

/// Name of the lock of a count.
fn counter_lock_name(counter: &FailureCounter) -> String {
    counter.digest.iter().fold("login ".to_owned(), |name, byte| format!("{name}{byte:02x}"))
}

/// Clears the failures of the pair, releases the slots of the attempt, and marks the pair and its address as known.
pub(crate) async fn login_succeeded<T: Tx>(
    tx: &mut T,
    guard: &LoginGuard,
    attempt: Uuid,
    now: i64,
) -> Result<(), Error> {
    tx.execute("DELETE FROM login_failures WHERE pair = $1", &params![&guard.pair.digest]).await?;
    release_slots(tx, guard, attempt).await?;
    marks::mark(tx, MarkKind::KnownPair, &guard.pair.digest, now).await?;
    marks::mark(tx, MarkKind::KnownAddress, &guard.address.digest, now).await
}

async fn release_slots<T: Tx>(tx: &mut T, guard: &LoginGuard, attempt: Uuid) -> Result<(), Error> {
    for (_, counter) in guard.counters() {
        let sql = "DELETE FROM login_failures WHERE pair = $1 AND id = $2";
        tx.execute(sql, &params![&counter.digest, attempt]).await?;
    }
    Ok(())
}

struct ReleaseLoginSlots {
    slots: LoginSlots,
}

impl StoreOperation for ReleaseLoginSlots {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        release_slots(tx, &self.slots.guard, self.slots.id).await
    }
}

struct FailureRecord {
    place: LoginSlots,
    failure: LoginFailure,
    actor: Actor,
    now: i64,
}

impl StoreOperation for FailureRecord {
    type Output = Option<LoginDelay>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<LoginDelay>, Error> {
        let FailureRecord { place: LoginSlots { guard, id, closes }, failure, now, .. } = self;
        if let Some(target) = failure.target {
            for (_, counter) in guard.counters() {
                let sql = "UPDATE login_failures SET tenant_id = $3 WHERE pair = $1 AND id = $2";
                tx.execute(sql, &params![&counter.digest, *id, target.tenant_id]).await?;
            }
        }
        let Some(slowdown) = *closes else { return Ok(None) };
        let digest = guard.counter(slowdown.bound).digest;
        if marks::is_marked(tx, MarkKind::BoundReached, &digest, now - guard.window_s).await? {
            // Every attempt that takes a single freed slot closes the count again.
            return Ok(None);
        }
        marks::mark(tx, MarkKind::BoundReached, &digest, *now).await?;
        self.append(tx, slowdown).await?;
        Ok(Some(slowdown))
    }
}

impl FailureRecord {
    /// Appends the entries of the trail.
    async fn append<T: Tx>(&self, tx: &mut T, slowdown: LoginDelay) -> Result<(), Error> {
        let FailureRecord { place, failure, actor, now } = self;
        let LoginDelay { bound, wait_s } = slowdown;
        let detail =
            json!({ "segundos": wait_s, "limite": bound.word(), "email_resumo": failure.email_digest.as_str() });
        match (bound, failure.target) {
            (LoginBound::Pair | LoginBound::Email, Some(FailureTarget { tenant_id, user_id })) => {
                let act = AuditAct::LoginBloqueado;
                audit::append(tx, tenant_id, actor, act, &user_id.to_string(), detail, *now).await
            }
            (LoginBound::Pair | LoginBound::Email, None) => Ok(()),
            (LoginBound::Address | LoginBound::All, _) => {
                let digest = place.guard.counter(bound).digest;
                let sql = "SELECT DISTINCT tenant_id FROM login_failures WHERE pair = $1 AND tenant_id IS NOT NULL";
                let rows = tx.query(sql, &params![&digest]).await?;
                let tenants: Result<Vec<Uuid>, Error> = rows.into_iter().map(|mut row: Row| row.read()).collect();
                for tenant in tenants? {
                    let act = AuditAct::LoginsLimitados;
                    audit::append(tx, tenant, actor, act, bound.word(), detail.clone(), *now).await?;
                }
                Ok(())
            }
        }
    }
}

crate::dyn_operation::erasable!(ReadLoginDelay, TakeLoginSlots, ReleaseLoginSlots, FailureRecord);
