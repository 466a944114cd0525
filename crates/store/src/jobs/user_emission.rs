//! Record of an emission by a user: an entry in the trail, and lines in the histories of the job and of the earlier
//! document that it began with.

use super::log::{self, LogLine};
use crate::audit::{self, Actor, AuditAct};
use crate::row::{only, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store};
use serde_json::json;
use uuid::Uuid;

impl Store {
    /// Records that a user issued a job's document, in one transaction. `earlier` is the job that it began with, and
    /// the line for its history.
    pub async fn record_emission_by_user(
        &self,
        tenant: Uuid,
        job: Uuid,
        line: String,
        earlier: Option<(Uuid, String)>,
        by: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(RecordUserEmission { tenant, job, line, earlier, by: by.clone(), now }).await
    }
}

struct RecordUserEmission {
    tenant: Uuid,
    job: Uuid,
    line: String,
    earlier: Option<(Uuid, String)>,
    by: Actor,
    now: i64,
}

impl StoreOperation for RecordUserEmission {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let RecordUserEmission { tenant, job, line, earlier, by, now } = self;
        let lines = [(*job, line)].into_iter().chain(earlier.iter().map(|(job, line)| (*job, line)));
        for (job, text) in lines {
            let sql = "SELECT 1 FROM jobs WHERE tenant_id = $1 AND id = $2";
            only(tx.query(sql, &params![*tenant, job]).await?)?;
            let line = LogLine { at_ms: now.saturating_mul(1_000), text: text.clone() };
            let steps = log::append(*tenant, job, &[line])?;
            tx.query_all(steps.as_slice()).await?;
        }
        let detail = json!({ "a_partir_de": earlier.as_ref().map(|(job, _)| job) });
        audit::append(tx, *tenant, by, AuditAct::EmissaoNoPainel, &job.to_string(), detail, *now).await
    }
}

crate::dyn_operation::erasable!(RecordUserEmission);
