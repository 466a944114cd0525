//! Leases of the jobs that this process holds, and the end of each by two clocks: wall time, which every process reads
//! and which may jump, and the monotonic clock.
//!
//! A claim of this process takes no job that it already holds. It runs alone (`lock_for_claim`): no lease is renewed
//! meanwhile, so each ends in the store no earlier than this process believes, and those that end by the instant of the
//! claim are renewed before it (`ending_by`). A job that is claimed all the same was lost to another process and came
//! back: its former holder is revoked and has ended before the job goes on.

use crate::Engine;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::Store;
use store::jobs::Lease;
use tokio::sync::{Notify, RwLock, RwLockReadGuard, RwLockWriteGuard, watch};
use tokio::time::{Instant, timeout};
use uuid::Uuid;

/// Shortest lease in seconds: the store counts whole ones.
const LEAST_S: u64 = 2;
/// The store cuts instants to the second, so a lease may end by this much sooner than its length.
const STORE_ROUNDING: Duration = Duration::from_secs(1);

/// Time within which a holder that has written its end leaves.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// Held leases, by job.
#[derive(Default)]
pub(crate) struct LeaseTable {
    held: Mutex<HashMap<Uuid, Arc<HeldLease>>>,
    turn: RwLock<()>,
}

/// End of a lease unless it is renewed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeaseTerm {
    /// Seconds since 1970, as the store has it.
    pub(crate) until: i64,
    deadline: Instant,
}

/// A lease that this process holds.
pub(crate) struct HeldLease {
    pub(crate) lease: Lease,
    length: Duration,
    term: Mutex<LeaseTerm>,
    revoked: Notify,
    ended: watch::Sender<bool>,
}

/// A job that this process holds. Releases it on drop.
pub(crate) struct JobHold {
    pub(crate) held: Arc<HeldLease>,
    before: Option<Arc<HeldLease>>,
    leases: Arc<LeaseTable>,
}

impl LeaseTerm {
    /// Term of a lease that is requested at an instant, given by both clocks.
    pub(crate) fn starting(now: i64, at: Instant, length: Duration) -> LeaseTerm {
        let seconds = length.as_secs().max(LEAST_S);
        let until = now.saturating_add(i64::try_from(seconds).unwrap_or(i64::MAX));
        LeaseTerm {
            until,
            deadline: at.checked_add(Duration::from_secs(seconds).saturating_sub(STORE_ROUNDING)).unwrap_or(at),
        }
    }

    fn is_over(&self, now: i64, at: Instant) -> bool {
        self.until <= now || self.deadline <= at
    }
}

impl HeldLease {
    fn term(&self) -> MutexGuard<'_, LeaseTerm> {
        self.term.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns once the lease was lost to another holder.
    pub(crate) async fn revoked(&self) {
        self.revoked.notified().await;
    }

    /// Writes a new end of the lease; revokes a lease that was lost.
    async fn renew(&self, store: &Store, now: i64, at: Instant) -> Result<(), store::Error> {
        let term = LeaseTerm::starting(now, at, self.length);
        match store.renew(self.lease, term.until).await {
            Ok(()) => {
                *self.term() = term;
                Ok(())
            }
            Err(error) => {
                if matches!(error, store::Error::LeaseLost) {
                    self.revoke();
                }
                Err(error)
            }
        }
    }

    async fn ended(&self) {
        // an error means that the sender, and with it the holder, is gone
        let _ = self.ended.subscribe().wait_for(|ended| *ended).await;
    }

    /// Ends the steps that run under the lease at their next await.
    pub(crate) fn revoke(&self) {
        self.revoked.notify_one();
    }
}

impl JobHold {
    /// Waits until a former holder in this process has ended, so that no job runs twice at once.
    pub(crate) async fn wait_for_former(&mut self) {
        let Some(before) = self.before.take() else { return };
        // nearly always it has written its end already and is about to leave
        if timeout(EXIT_GRACE, before.ended()).await.is_err() {
            before.revoke();
            before.ended().await;
        }
    }
}

impl Drop for JobHold {
    fn drop(&mut self) {
        let mut held = self.leases.held();
        let job = self.held.lease.job_id;
        if held.get(&job).is_some_and(|last| Arc::ptr_eq(last, &self.held)) {
            held.remove(&job);
        }
        self.held.ended.send_replace(true);
    }
}

impl LeaseTable {
    fn held(&self) -> MutexGuard<'_, HashMap<Uuid, Arc<HeldLease>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a claimed job as held.
    pub(crate) fn hold(self: &Arc<LeaseTable>, lease: Lease, length: Duration, term: LeaseTerm) -> JobHold {
        let (revoked, ended) = (Notify::new(), watch::Sender::new(false));
        let held = Arc::new(HeldLease { lease, length, term: Mutex::new(term), revoked, ended });
        let before = self.held().insert(lease.job_id, Arc::clone(&held));
        JobHold { held, before, leases: Arc::clone(self) }
    }

    /// Waits for running renewals and blocks others until dropped.
    pub(crate) async fn lock_for_claim(&self) -> RwLockWriteGuard<'_, ()> {
        self.turn.write().await
    }

    /// Waits for a running claim.
    pub(crate) async fn lock_for_renewal(&self) -> RwLockReadGuard<'_, ()> {
        self.turn.read().await
    }

    /// Held leases that may end in the store by an instant.
    pub(crate) fn ending_by(&self, now: i64) -> Vec<Arc<HeldLease>> {
        self.held().values().filter(|held| held.term().until <= now).map(Arc::clone).collect()
    }

    /// Marks every term as unknown: a clock that went back makes the store end some of them sooner.
    pub(crate) fn invalidate_terms(&self) {
        self.held().values().for_each(|held| held.term().until = i64::MIN);
    }

    fn of(&self, lease: &Lease) -> Option<Arc<HeldLease>> {
        self.held().get(&lease.job_id).filter(|held| held.lease == *lease).map(Arc::clone)
    }

    fn is_held(&self, lease: &Lease, now: i64, at: Instant) -> bool {
        self.of(lease).is_some_and(|held| !held.term().is_over(now, at))
    }
}

impl Engine {
    /// `true` if a lease has time left by both clocks. Makes no query, so it may stand right before bytes leave;
    /// returns `false` in a process that was stopped for minutes or on a machine that slept.
    pub(crate) fn still_holds(&self, lease: &Lease) -> bool {
        let (now, at) = self.both_clocks();
        self.inner.leases.is_held(lease, now, at)
    }

    /// Ensures that a lease is held, right before bytes leave: one with time left by both clocks is held, any other is
    /// renewed first. `LeaseLost` when another process has the job.
    pub(crate) async fn hold(&self, lease: &Lease) -> Result<(), store::Error> {
        if self.still_holds(lease) {
            return Ok(());
        }
        let held = self.inner.leases.of(lease).ok_or(store::Error::LeaseLost)?;
        self.renew_held(&held).await
    }

    /// Renews a lease while no claim runs.
    pub(crate) async fn renew_held(&self, held: &HeldLease) -> Result<(), store::Error> {
        let _turn = self.inner.leases.lock_for_renewal().await;
        self.renew_at_once(held).await
    }

    /// Renews a lease inside a guard that the caller holds.
    pub(crate) async fn renew_at_once(&self, held: &HeldLease) -> Result<(), store::Error> {
        let (now, at) = self.both_clocks();
        held.renew(self.store(), now, at).await
    }

    fn both_clocks(&self) -> (i64, Instant) {
        (self.now_s(), Instant::now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fiscal::tipo::Tipo;
    use fiscal::value::{CnpjCpf, TpAmb};
    use store::jobs::{ClaimRequest, JobFailure, NewJob, Operacao};

    const MINUTE: Duration = Duration::from_secs(60);

    fn lease() -> Lease {
        Lease { tenant_id: Uuid::nil(), job_id: Uuid::from_u128(7), token: Uuid::now_v7() }
    }

    #[test]
    fn a_lease_is_over_by_whichever_clock_says_so_first() {
        let (leases, lease, at) = (Arc::new(LeaseTable::default()), lease(), Instant::now());
        let hold = leases.hold(lease, MINUTE, LeaseTerm::starting(1_000, at, MINUTE));
        assert!(leases.is_held(&lease, 1_059, at + Duration::from_secs(58)));
        assert!(!leases.is_held(&lease, 1_060, at), "the wall jumped");
        assert!(!leases.is_held(&lease, 1_000, at + Duration::from_secs(59)), "the wall went back while time passed");
        assert!(!leases.is_held(&Lease { token: Uuid::nil(), ..lease }, 1_000, at), "the lease of another claim");
        drop(hold);
        assert!(!leases.is_held(&lease, 1_000, at));
    }

    #[test]
    fn what_may_be_over_by_a_claim_is_known_before_it() {
        let (leases, at) = (Arc::new(LeaseTable::default()), Instant::now());
        let _hold = leases.hold(lease(), MINUTE, LeaseTerm::starting(1_000, at, MINUTE));
        assert_eq!((leases.ending_by(1_059).len(), leases.ending_by(1_060).len()), (0, 1));
        leases.invalidate_terms();
        assert_eq!(leases.ending_by(0).len(), 1);
    }

    #[tokio::test]
    async fn a_job_that_comes_twice_waits_for_its_former_holder_to_end() {
        let (leases, at) = (Arc::new(LeaseTable::default()), Instant::now());
        let (lost, again) = (lease(), lease());
        let term = LeaseTerm::starting(1_000, at, MINUTE);
        let former = leases.hold(lost, MINUTE, term);
        let mut latter = leases.hold(again, MINUTE, term);
        let waiting = tokio::spawn(async move {
            latter.wait_for_former().await;
            latter
        });
        former.held.revoked().await;
        assert!(!waiting.is_finished());
        drop(former);
        let latter = waiting.await.unwrap();
        assert!(leases.is_held(&again, 1_000, at), "the former's end does not put the latter down");
        drop(latter);
        assert!(leases.held().is_empty());
    }

    async fn store() -> (Store, std::path::PathBuf) {
        let folder = std::env::temp_dir().join(format!("carimbo-leases-{}", Uuid::now_v7()));
        std::fs::create_dir_all(&folder).unwrap();
        let location = store::Location::Sqlite(folder.join("carimbo.db"));
        (Store::open(&location, store::vault::MasterKey::new([7; 32])).await.unwrap(), folder)
    }

    fn job() -> NewJob {
        NewJob {
            id: Uuid::now_v7(),
            tenant_id: Uuid::now_v7(),
            tipo: Tipo::Nfe,
            operacao: Operacao::Emissao,
            cpf_cnpj: CnpjCpf::parse("11222333000181").unwrap(),
            ambiente: TpAmb::Homologacao,
            referencia: None,
            payload: "{\"nota\":{}}".into(),
            webhook_url: None,
            notices: Vec::new(),
            alvo: None,
            act: None,
            authority: "SP".to_owned(),
            cota: None,
            destinatario: None,
            addressee: None,
            valor: None,
            request_id: None,
            author: None,
            by_hand: None,
        }
    }

    async fn claimed(store: &Store, now: i64) -> Lease {
        let if_unreadable = JobFailure {
            codigo: String::new(),
            etapa: String::new(),
            mensagem: String::new(),
            repetivel: false,
            proxima_tentativa_em: None,
        };
        let (leases_now, lease_until, except_authorities) = (now, now + 60, Vec::new());
        let request = ClaimRequest { now, leases_now, lease_until, limit: 1, except_authorities, if_unreadable };
        store.claim(request).await.unwrap().pop().unwrap().lease
    }

    #[tokio::test]
    async fn a_process_that_was_stopped_keeps_what_is_still_its_own_and_finds_out_what_is_not() {
        let ((store, folder), leases) = (store().await, Arc::new(LeaseTable::default()));
        store.register(job(), 1_000).await.unwrap();
        let (at, lease) = (Instant::now(), claimed(&store, 1_000).await);
        let hold = leases.hold(lease, MINUTE, LeaseTerm::starting(1_000, at, MINUTE));
        let woken = at + Duration::from_secs(300);
        assert!(!leases.is_held(&lease, 1_300, woken));
        hold.held.renew(&store, 1_300, woken).await.unwrap();
        assert!(leases.is_held(&lease, 1_300, woken));
        // stopped again, and meanwhile another process takes the job
        claimed(&store, 1_360).await;
        let lost = hold.held.renew(&store, 1_700, woken).await;
        assert!(matches!(lost, Err(store::Error::LeaseLost)));
        hold.held.revoked().await;
        store.close().await;
        std::fs::remove_dir_all(folder).unwrap();
    }
}
