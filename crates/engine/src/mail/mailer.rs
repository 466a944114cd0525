//! Loop of the mailer: claim, attempt, rest; one mail at a time, and as many in a minute as the operator allows in all
//! and for one account. Mails of a process that died are found again by their leases. Old mails are removed here, by a
//! service without a server too.

use super::attempt::{MailContext, lease_s};
use super::pace::AccountPace;
use super::settings::MailSettings;
use crate::Engine;
use crate::process::background_task::{BackgroundTask, idle};
use crate::process::outage_log::OutageLog;
use std::sync::Arc;
use std::time::Duration;
use store::mail::ClaimedMail;
use tokio::sync::watch;
use tokio::time::Instant;
use uuid::Uuid;

/// Pause when nothing is due.
const REST: Duration = Duration::from_secs(1);
/// Accounts that one search tries; the next search continues after them.
const ACCOUNTS: u32 = 100;
/// Seconds for which a mail and its attempts are kept after its last series of attempts began.
const KEPT_S: i64 = 180 * 86_400;
/// Seconds between two removals of old mails.
const SWEEP_S: i64 = 600;

/// The running mailer.
pub struct MailWorker(BackgroundTask);

impl MailWorker {
    /// Starts it on the current runtime; without settings it sends nothing.
    pub fn start(engine: Engine, settings: Option<Arc<MailSettings>>) -> MailWorker {
        let sender = settings.map(|settings| MailSender {
            pace: AccountPace::new(settings.per_minute_of_account),
            after: Uuid::nil(),
            context: MailContext { engine: engine.clone(), settings },
        });
        MailWorker(BackgroundTask::start(|stopped| run(engine, sender, stopped)))
    }

    /// Begins no mail, waits at most `grace` for the one under way, and stops.
    pub async fn stop(self, grace: Duration) {
        if !self.0.stop(grace).await {
            tracing::warn!("a mail is still being sent after the grace period; it will be shown as in doubt");
        }
    }
}

async fn run(engine: Engine, mut sender: Option<MailSender>, mut stopped: watch::Receiver<bool>) {
    let (mut trouble, mut swept_at) = (OutageLog::with("claim mails"), 0);
    while !*stopped.borrow() && stopped.has_changed().is_ok() {
        let began = Instant::now();
        let claimed = next_mail(&engine, sender.as_mut(), &mut swept_at).await;
        match (claimed, &mut sender) {
            (Ok(Some(claimed)), Some(sender)) => {
                trouble.record_recovery();
                sender.context.attempt(claimed).await;
                let pace = Duration::from_mins(1) / sender.context.settings.per_minute.max(1);
                idle(pace.saturating_sub(began.elapsed()), &mut stopped).await;
            }
            (Ok(_), _) => {
                trouble.record_recovery();
                idle(REST, &mut stopped).await;
            }
            (Err(error), _) => {
                trouble.record_failure(&error);
                idle(REST, &mut stopped).await;
            }
        }
    }
}

/// Removes old mails if that is due, and claims the next mail.
async fn next_mail(
    engine: &Engine,
    sender: Option<&mut MailSender>,
    swept_at: &mut i64,
) -> Result<Option<ClaimedMail>, store::Error> {
    let now = engine.now_s();
    if now >= swept_at.saturating_add(SWEEP_S) {
        let (_, has_more) = engine.store().expire_mails(now - KEPT_S).await?;
        *swept_at = if has_more { *swept_at } else { now };
    }
    match sender {
        Some(sender) => sender.claim(now).await,
        None => Ok(None),
    }
}

/// Settings and place of the loop among the accounts.
struct MailSender {
    context: MailContext,
    pace: AccountPace,
    /// Account of the last mail.
    after: Uuid,
}

impl MailSender {
    /// Claims a mail of the next account that may send one.
    async fn claim(&mut self, now: i64) -> Result<Option<ClaimedMail>, store::Error> {
        let store = self.context.engine.store();
        let lease_until = now.saturating_add(lease_s(&self.context.settings));
        for _ in 0..ACCOUNTS {
            let Some(account) = store.next_mail_account(now, self.after).await? else { return Ok(None) };
            let is_again = account == self.after;
            self.after = account;
            if self.pace.may_send(account, Instant::now()) {
                let claimed = store.claim_mail(account, now, lease_until).await?;
                if claimed.is_some() {
                    self.pace.count(account, Instant::now());
                    return Ok(claimed);
                }
            }
            if is_again {
                return Ok(None);
            }
        }
        Ok(None)
    }
}
