//! Migration of a database to this binary's schema: numbered SQL files, each applied once, in one transaction, by one
//! process at a time.

use crate::Error;
use crate::row::{first, params};
use crate::tx::{StoreOperation, Tx};

/// All steps in order; the position in the list, from 1, is the version.
const STEPS: &[(&str, &str)] = &[
    ("0001_foundation", include_str!("../migrations/0001_foundation.sql")),
    ("0002_accounts", include_str!("../migrations/0002_accounts.sql")),
    ("0003_reports", include_str!("../migrations/0003_reports.sql")),
    ("0004_quotas", include_str!("../migrations/0004_quotas.sql")),
    ("0005_webhooks", include_str!("../migrations/0005_webhooks.sql")),
    ("0006_lookups", include_str!("../migrations/0006_lookups.sql")),
    ("0007_note_days", include_str!("../migrations/0007_note_days.sql")),
    ("0008_confirmations", include_str!("../migrations/0008_confirmations.sql")),
    ("0009_contingency", include_str!("../migrations/0009_contingency.sql")),
    ("0010_received", include_str!("../migrations/0010_received.sql")),
    ("0011_nfce_code", include_str!("../migrations/0011_nfce_code.sql")),
    ("0012_events", include_str!("../migrations/0012_events.sql")),
    ("0013_voids", include_str!("../migrations/0013_voids.sql")),
    ("0014_forms", include_str!("../migrations/0014_forms.sql")),
    ("0015_outages", include_str!("../migrations/0015_outages.sql")),
    ("0016_request_id", include_str!("../migrations/0016_request_id.sql")),
    ("0017_probe", include_str!("../migrations/0017_probe.sql")),
    ("0018_exchanges", include_str!("../migrations/0018_exchanges.sql")),
    ("0019_acting", include_str!("../migrations/0019_acting.sql")),
    ("0020_widths", include_str!("../migrations/0020_widths.sql")),
    ("0021_received_types", include_str!("../migrations/0021_received_types.sql")),
    ("0022_services", include_str!("../migrations/0022_services.sql")),
    ("0023_analysis", include_str!("../migrations/0023_analysis.sql")),
    ("0024_received_services", include_str!("../migrations/0024_received_services.sql")),
    ("0025_municipal_services", include_str!("../migrations/0025_municipal_services.sql")),
    ("0026_lots", include_str!("../migrations/0026_lots.sql")),
    ("0027_permissions", include_str!("../migrations/0027_permissions.sql")),
    ("0028_written_once", include_str!("../migrations/0028_written_once.sql")),
    ("0029_packed", include_str!("../migrations/0029_packed.sql")),
    ("0030_ended_in_place", include_str!("../migrations/0030_ended_in_place.sql")),
    ("0031_same_order", include_str!("../migrations/0031_same_order.sql")),
    ("0032_transmissions", include_str!("../migrations/0032_transmissions.sql")),
    ("0033_distribution_reset", include_str!("../migrations/0033_distribution_reset.sql")),
    ("0034_installation", include_str!("../migrations/0034_installation.sql")),
    ("0035_copied_jobs", include_str!("../migrations/0035_copied_jobs.sql")),
    ("0036_login_marks", include_str!("../migrations/0036_login_marks.sql")),
    ("0037_serving", include_str!("../migrations/0037_serving.sql")),
    ("0038_prepared_acts", include_str!("../migrations/0038_prepared_acts.sql")),
    ("0039_emission_lists", include_str!("../migrations/0039_emission_lists.sql")),
    ("0040_job_authors", include_str!("../migrations/0040_job_authors.sql")),
    ("0041_exports", include_str!("../migrations/0041_exports.sql")),
    ("0042_received_inbox", include_str!("../migrations/0042_received_inbox.sql")),
    ("0043_certificate_offers", include_str!("../migrations/0043_certificate_offers.sql")),
    ("0044_roles", include_str!("../migrations/0044_roles.sql")),
    ("0045_signin", include_str!("../migrations/0045_signin.sql")),
    ("0046_webhook_accounts", include_str!("../migrations/0046_webhook_accounts.sql")),
    ("0047_mails", include_str!("../migrations/0047_mails.sql")),
    ("0048_export_leftovers", include_str!("../migrations/0048_export_leftovers.sql")),
];

/// Versions before and after; equal when no step was missing.
pub(crate) struct MigratedVersions {
    from: usize,
    to: usize,
}

impl MigratedVersions {
    /// Logs the migration, once after its commit.
    pub(crate) fn log_steps(&self) {
        if self.from < self.to {
            tracing::info!(from = self.from, to = self.to, "database migrated");
        }
    }
}

/// Applies the missing steps; refuses a database that a newer binary has changed.
pub(crate) struct MigrateDatabase;

impl StoreOperation for MigrateDatabase {
    type Output = MigratedVersions;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<MigratedVersions, Error> {
        tx.script(tx.dialect().lock_migrations()).await?;
        let table =
            "CREATE TABLE IF NOT EXISTS migrations (version {int} NOT NULL PRIMARY KEY, name TEXT NOT NULL) {heap};";
        tx.script(&tx.dialect().expand_migration(table)).await?;
        let applied: i64 =
            first(tx.query("SELECT COALESCE(MAX(version), 0) FROM migrations", &[]).await?)?.unwrap_or_default();
        let done = usize::try_from(applied).unwrap_or(usize::MAX);
        if done > STEPS.len() {
            return Err(Error::Conflict("este banco foi migrado por uma versão mais nova do carimbo"));
        }
        for ((name, text), version) in STEPS.iter().zip(1_i64..).skip(done) {
            tx.script(&tx.dialect().expand_migration(text)).await?;
            tx.execute("INSERT INTO migrations (version, name) VALUES ($1, $2)", &params![version, *name]).await?;
        }
        Ok(MigratedVersions { from: done, to: STEPS.len() })
    }
}

#[cfg(test)]
mod tests;
