//! Loop of the mailer: claim, attempt, rest; one mail at a time and so many in a minute as the operator allows. Mails
//! of a process that died are found again by their leases.

use super::attempt::{MailContext, lease_s};
use super::settings::MailSettings;
use crate::Engine;
use crate::process::background_task::{BackgroundTask, idle};
use crate::process::outage_log::OutageLog;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;
use uuid::Uuid;

/// Pause when nothing is due.
const REST: Duration = Duration::from_secs(1);

/// The running mailer.
pub struct Mailer(BackgroundTask);

impl Mailer {
    /// Starts it on the current runtime.
    pub fn start(engine: Engine, settings: Arc<MailSettings>) -> Mailer {
        let context = MailContext { engine, settings };
        Mailer(BackgroundTask::start(|stopped| run(context, stopped)))
    }

    /// Begins no mail, waits at most `grace` for the one under way, and stops.
    pub async fn stop(self, grace: Duration) {
        if !self.0.stop(grace).await {
            tracing::warn!("a mail is still being sent after the grace period; it will be shown as in doubt");
        }
    }
}

async fn run(context: MailContext, mut stopped: watch::Receiver<bool>) {
    let (mut trouble, mut after) = (OutageLog::with("claim mails"), Uuid::nil());
    let pace = Duration::from_mins(1) / context.settings.per_minute.max(1);
    while !*stopped.borrow() && stopped.has_changed().is_ok() {
        let (now, began) = (context.engine.now_s(), Instant::now());
        let claimed = context.engine.store().claim_mail(now, now + lease_s(&context.settings), after).await;
        match claimed {
            Ok(Some(claimed)) => {
                trouble.record_recovery();
                after = claimed.lease.tenant;
                context.attempt(claimed).await;
                idle(pace.saturating_sub(began.elapsed()), &mut stopped).await;
            }
            Ok(None) => {
                trouble.record_recovery();
                idle(REST, &mut stopped).await;
            }
            Err(error) => {
                trouble.record_failure(&error);
                idle(REST, &mut stopped).await;
            }
        }
    }
}
