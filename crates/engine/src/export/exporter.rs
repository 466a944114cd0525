//! Background work of exports: claims one after the other, writes the file in parts to the store, removes old files.
//!
//! An attempt that is lost with its process is begun anew when its lease has run out; parts of a lost attempt are
//! served to no caller.

use super::{ExportCount, ExportError, ExportRequest, ExportSink};
use crate::Engine;
use crate::process::background_task::{BackgroundTask, idle};
use crate::process::crash::crash_point;
use crate::process::outage_log::OutageLog;
use jiff::civil::Date;
use std::time::Duration;
use store::Store;
use store::exports::{ClaimedExport, ExportLease, ExportProgress, ExportRow, ExportScope};
use tokio::sync::watch;

/// Pause when nothing is due.
const REST: Duration = Duration::from_secs(1);
/// Seconds of a lease, and pause between two extensions.
const LEASE_S: i64 = 60;
const RENEWAL: Duration = Duration::from_secs(20);
/// Seconds before an attempt that failed is repeated, and attempts before the export fails.
const AGAIN_S: i64 = 15;
const ATTEMPTS: u32 = 5;
/// Seconds for which a file is kept.
const KEPT_S: i64 = 7 * 86_400;
/// Seconds between two removals of old files.
const SWEEP_S: i64 = 60;
/// Bytes of a part.
const PART: usize = 1 << 20;
/// Largest file.
const LARGEST: u64 = 4 << 30;

/// The running work.
pub struct ExportWorker(BackgroundTask);

impl ExportWorker {
    /// Starts it on the current runtime.
    pub fn start(engine: Engine) -> ExportWorker {
        ExportWorker(BackgroundTask::start(|stopped| run(engine, stopped)))
    }

    /// Gives the running attempt back and stops; waits at most `grace`.
    pub async fn stop(self, grace: Duration) {
        if !self.0.stop(grace).await {
            tracing::warn!("an export is still being made after the grace period; its lease will run out");
        }
    }
}

async fn run(engine: Engine, mut stopped: watch::Receiver<bool>) {
    let (mut trouble, mut swept_at, mut clears) = (OutageLog::with("make exports"), 0, false);
    while !*stopped.borrow() && stopped.has_changed().is_ok() {
        let now = engine.now_s();
        let is_due = now >= swept_at + SWEEP_S;
        let worked = async {
            if is_due {
                engine.store().expire_exports(now).await?;
                swept_at = now;
            }
            // a step at a time: the writer of SQLite belongs to documents meanwhile
            if is_due || clears {
                clears = engine.store().clear_export_parts().await?;
            }
            Ok(engine.make_next_export(&mut stopped).await? || clears)
        };
        match worked.await {
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
    /// Makes the export that waits longest; `false` if there was none.
    async fn make_next_export(&self, stopped: &mut watch::Receiver<bool>) -> Result<bool, store::Error> {
        let now = self.now_s();
        let Some(ClaimedExport { lease, export }) = self.store().claim_export(now, now + LEASE_S).await? else {
            return Ok(false);
        };
        crash_point("export.claimed");
        // attempts that ended with their process count too
        let made = match export.tentativas > ATTEMPTS {
            true => Err(ExportError::Broken),
            false => tokio::select! {
                made = self.make_export(lease, &export) => made,
                lost = self.keep_export(lease) => Err(lost.into()),
                _ = stopped.changed() => {
                    self.store().return_export(lease).await?;
                    return Ok(true);
                }
            },
        };
        match self.end_export(lease, &export, made).await {
            Ok(()) | Err(store::Error::LeaseLost) => Ok(true),
            Err(error) => Err(error),
        }
    }

    async fn end_export(
        &self,
        lease: ExportLease,
        export: &ExportRow,
        made: Result<(), ExportError>,
    ) -> Result<(), store::Error> {
        let now = self.now_s();
        match made {
            Ok(()) => {
                crash_point("export.before_end");
                self.store().finish_export(lease, now, now + KEPT_S).await?;
                crash_point("export.ended");
                Ok(())
            }
            // removed meanwhile, or begun anew by another process
            Err(ExportError::Store(store::Error::LeaseLost)) => Ok(()),
            Err(error) if export.tentativas < ATTEMPTS && !matches!(error, ExportError::TooLarge { .. }) => {
                tracing::warn!(export.id = %export.id, %error, "an export failed; it is begun again");
                self.store().release_export(lease, now + AGAIN_S).await
            }
            Err(error) => {
                tracing::error!(export.id = %export.id, %error, "an export failed");
                self.store().fail_export(lease, now, error.to_string()).await
            }
        }
    }

    /// Extends the lease until that fails; a page of forms may take longer than a lease.
    async fn keep_export(&self, lease: ExportLease) -> store::Error {
        loop {
            tokio::time::sleep(RENEWAL).await;
            if let Err(error) = self.store().renew_export(lease, self.now_s() + LEASE_S).await {
                return error;
            }
        }
    }

    async fn make_export(&self, lease: ExportLease, export: &ExportRow) -> Result<(), ExportError> {
        let request = ExportRequest { scope: scope(export)?, forms: export.forms };
        let progress = ExportProgress::default();
        let mut sink = StoreSink { engine: self, lease, progress, rest: Vec::new() };
        let count = self.export(&request, &mut sink).await?;
        sink.flush(count).await
    }
}

/// Scope of a registered export.
fn scope(export: &ExportRow) -> Result<ExportScope, ExportError> {
    let last: Date = export.ate.parse().map_err(|_| ExportError::Period)?;
    let until = last.tomorrow().map_err(|_| ExportError::Period)?;
    Ok(ExportScope {
        tenant: export.tenant,
        ambiente: export.ambiente,
        cpf_cnpj: export.cpf_cnpj,
        from: export.de.clone(),
        until: until.to_string(),
        tipos: export.tipos.clone(),
    })
}

/// Parts in the store.
struct StoreSink<'e> {
    engine: &'e Engine,
    lease: ExportLease,
    progress: ExportProgress,
    /// Bytes that do not fill a part yet.
    rest: Vec<u8>,
}

impl StoreSink<'_> {
    fn store(&self) -> &Store {
        self.engine.store()
    }

    async fn write_part(&mut self, part: Vec<u8>) -> Result<(), ExportError> {
        if !part.is_empty() {
            self.progress.partes += 1;
            self.progress.bytes += part.len() as u64;
        }
        if self.progress.bytes > LARGEST {
            return Err(ExportError::TooLarge { most: LARGEST });
        }
        let until = self.engine.now_s() + LEASE_S;
        self.store().append_export_part(self.lease, part, self.progress, until).await?;
        crash_point("export.part");
        Ok(())
    }

    async fn flush(&mut self, count: ExportCount) -> Result<(), ExportError> {
        self.progress = ExportProgress { feitas: count.feitas, total: count.total, ..self.progress };
        let rest = std::mem::take(&mut self.rest);
        self.write_part(rest).await
    }
}

impl ExportSink for StoreSink<'_> {
    async fn append(&mut self, bytes: Vec<u8>, count: ExportCount) -> Result<(), ExportError> {
        self.progress = ExportProgress { feitas: count.feitas, total: count.total, ..self.progress };
        self.rest.extend_from_slice(&bytes);
        let mut written = false;
        while self.rest.len() >= PART {
            let rest = self.rest.split_off(PART);
            let part = std::mem::replace(&mut self.rest, rest);
            self.write_part(part).await?;
            written = true;
        }
        // extends the lease and shows the progress
        if written { Ok(()) } else { self.write_part(Vec::new()).await }
    }
}
