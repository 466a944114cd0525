//! Removal of a company. Unsent documents are cancelled in the same transaction; those that may have been sent are
//! still settled; issued documents stay readable, and the numbering continues if the company is registered again.

use super::{certificate, change};
use crate::audit::{self, Actor, AuditAct};
use crate::jobs::log::LogLine;
use crate::jobs::withdraw::{self, WaitingJobs};
use crate::row::{first, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::webhooks::EventBody;
use crate::{Error, Store};
use fiscal::value::CnpjCpf;
use serde_json::json;
use uuid::Uuid;

/// Effect of a removal on the company's jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompanyRemoval {
    /// Waiting jobs that were cancelled.
    pub cancelled: u64,
    /// Jobs that are leased or whose document may have been sent; they run to their end.
    pub in_flight: u64,
}

impl Store {
    /// Removes a company in one transaction: deletes its configurations and secrets, sets its waiting jobs to
    /// `cancelled` and frees their numbers, and erases its certificate or keeps it for the documents in flight (see
    /// `erase_retired_certificates`).
    pub async fn remove_company(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        by: &Actor,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<CompanyRemoval, Error> {
        let removal = RemoveCompany { event_body: self.event_body(), tenant, cpf_cnpj, by: by.clone(), now, log };
        let (removed, told) = self.write(removal).await?;
        self.announce_enqueued(told);
        Ok(removed)
    }
}

struct RemoveCompany {
    event_body: EventBody,
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    by: Actor,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for RemoveCompany {
    type Output = (CompanyRemoval, bool);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(CompanyRemoval, bool), Error> {
        let RemoveCompany { event_body, tenant, cpf_cnpj, by, now, log } = self;
        let number = cpf_cnpj.as_str();
        change::lock_whole_company(tx, *tenant, *cpf_cnpj, by, *now).await?;
        let (cancelled, told) =
            withdraw::withdraw_jobs(tx, event_body, *tenant, WaitingJobs::OfCompany(*cpf_cnpj), *now, log).await?;
        let company = params![*tenant, number];
        let sql = "SELECT COUNT(*) FROM queue WHERE tenant_id = $1 AND cpf_cnpj = $2";
        let in_flight = first::<i64>(tx.query(sql, &company).await?)?.unwrap_or_default().unsigned_abs();
        let mut steps = certificate::retire(*tenant, *cpf_cnpj, in_flight > 0);
        for sql in [
            "DELETE FROM company_secrets WHERE tenant_id = $1 AND cpf_cnpj = $2",
            // Received documents and the cursor stay: a company that is registered again continues from there.
            "UPDATE distribution SET ativa = 0 WHERE tenant_id = $1 AND cpf_cnpj = $2",
            "DELETE FROM certificate_offers WHERE tenant_id = $1 AND cpf_cnpj = $2",
            "DELETE FROM logos WHERE tenant_id = $1 AND cpf_cnpj = $2",
            "DELETE FROM mail_choices WHERE tenant_id = $1 AND cpf_cnpj = $2",
            "DELETE FROM company_settings WHERE tenant_id = $1 AND cpf_cnpj = $2",
            "DELETE FROM companies WHERE tenant_id = $1 AND cpf_cnpj = $2",
        ] {
            steps.push(SqlStep::new(sql, company.clone()));
        }
        tx.query_all(&steps).await?;
        let detail = json!({ "jobs_cancelados": cancelled, "jobs_em_andamento": in_flight });
        audit::append(tx, *tenant, by, AuditAct::EmpresaRemovida, number, detail, *now).await?;
        Ok((CompanyRemoval { cancelled, in_flight }, told))
    }
}

crate::dyn_operation::erasable!(RemoveCompany);
