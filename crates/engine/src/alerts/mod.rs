//! Background search for facts that no request reports: certificates before their expiry, and gaps in numbering.
//!
//! Any number of processes may run this: an alert is recorded once, with its deliveries, in one transaction.
//! Must not know: the recipients of an alert.

use crate::Engine;
use crate::process::background_task::{BackgroundTask, idle};
use crate::process::crash::crash_point;
use crate::process::outage_log::OutageLog;
use std::time::Duration;
use tokio::sync::watch;

/// Pause between two searches that found nothing.
const REST: Duration = Duration::from_secs(5);
/// Certificates and sequences of one search.
const CERTIFICATES: u32 = 50;
const SEQUENCES: u32 = 20;
/// Seconds between two checks of a sequence.
pub(crate) const GAP_CHECK_S: i64 = 3_600;
/// Newest numbers of a sequence that a check reads, and most gaps that it reports.
const NUMBERS: u32 = 1_000;
const MOST_GAPS: u32 = 100;

/// The running search.
pub struct AlertSweeper(BackgroundTask);

impl AlertSweeper {
    /// Starts it on the current runtime.
    pub fn start(engine: Engine) -> AlertSweeper {
        AlertSweeper(BackgroundTask::start(|stopped| run(engine, stopped)))
    }

    /// Waits at most `grace` for the running search to end, and stops.
    pub async fn stop(self, grace: Duration) {
        if !self.0.stop(grace).await {
            tracing::warn!("the search for alerts is still running after the grace period; the next start repeats it");
        }
    }
}

async fn run(engine: Engine, mut stopped: watch::Receiver<bool>) {
    let mut trouble = OutageLog::with("record alerts");
    while !*stopped.borrow() && stopped.has_changed().is_ok() {
        match engine.sweep_alerts().await {
            Ok(true) => trouble.record_recovery(),
            Ok(false) => {
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

impl Engine {
    /// Records what is due; `true` if there may be more.
    async fn sweep_alerts(&self) -> Result<bool, store::Error> {
        crash_point("alerts.before");
        let certificates = self.store().alert_certificates(self.now_s(), CERTIFICATES).await?;
        if certificates > 0 {
            crash_point("alerts.certificates");
        }
        Ok(self.check_gaps().await? || certificates == CERTIFICATES as usize)
    }

    /// Looks for gaps in the sequences that are due; `true` if there were any.
    async fn check_gaps(&self) -> Result<bool, store::Error> {
        let now = self.now_s();
        let checks = self.store().claim_gap_checks(now, now.saturating_add(GAP_CHECK_S), SEQUENCES).await?;
        for check in &checks {
            // A declaration has no number that the law asks for.
            if check.series.counted.modelo().is_none() {
                continue;
            }
            // Whether a number is unused is not known of a restored series before its authority was asked.
            if self.restored().is_some() && self.store().is_uncleared(check.tenant, check.series).await? {
                continue;
            }
            let gaps = self.store().recent_gaps(check.tenant, check.series, NUMBERS, MOST_GAPS).await?;
            self.store().record_gaps(*check, gaps, now).await?;
        }
        Ok(!checks.is_empty())
    }
}
