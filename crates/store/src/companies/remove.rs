//! Removing a company. What has not left us is cancelled in the same transaction; what may have left is still settled;
//! what was issued stays readable, and the numbers go on where they were if the company comes back.

use super::{certificate, change};
use crate::audit::{self, Act, Actor};
use crate::jobs::LogLine;
use crate::jobs::withdraw::{self, Waiting};
use crate::row::{first, params};
use crate::tx::{Operation, Step, Tx};
use crate::webhooks::EventBody;
use crate::{Error, Store};
use fiscal::value::CnpjCpf;
use serde_json::json;
use uuid::Uuid;

/// What a removal left and took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// Jobs that waited and are cancelled now.
    pub cancelled: u64,
    /// Jobs that somebody works on, or whose document may have left us: they go on to their end.
    pub in_flight: u64,
}

impl Store {
    /// One transaction: the company, its configurations and secrets are gone, its waiting jobs are `cancelled` and
    /// their numbers free, its certificate is erased, or kept aside for the documents in flight (see
    /// `erase_retired_certificates`).
    pub async fn remove_company(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        by: &Actor,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<Removed, Error> {
        let removal = Remove { event_body: self.event_body(), tenant, cpf_cnpj, by: by.clone(), now, log };
        let (removed, told) = self.write(removal).await?;
        self.announce_told(told);
        Ok(removed)
    }
}

struct Remove {
    event_body: EventBody,
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    by: Actor,
    now: i64,
    log: Vec<LogLine>,
}

impl Operation for Remove {
    type Output = (Removed, bool);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(Removed, bool), Error> {
        let Remove { event_body, tenant, cpf_cnpj, by, now, log } = self;
        let number = cpf_cnpj.as_str();
        change::hold_whole(tx, *tenant, *cpf_cnpj, by, *now).await?;
        let (cancelled, told) = withdraw::all(tx, event_body, *tenant, Waiting::Of(*cpf_cnpj), *now, log).await?;
        let company = params![*tenant, number];
        let sql = "SELECT COUNT(*) FROM queue WHERE tenant_id = $1 AND cpf_cnpj = $2";
        let in_flight = first::<i64>(tx.query(sql, &company).await?)?.unwrap_or_default().unsigned_abs();
        let mut steps = certificate::retire(*tenant, *cpf_cnpj, in_flight > 0);
        for sql in [
            "DELETE FROM company_secrets WHERE tenant_id = $1 AND cpf_cnpj = $2",
            // what was received stays, and the cursor: a company that comes back goes on where it was
            "UPDATE distribution SET ativa = 0 WHERE tenant_id = $1 AND cpf_cnpj = $2",
            "DELETE FROM logos WHERE tenant_id = $1 AND cpf_cnpj = $2",
            "DELETE FROM company_settings WHERE tenant_id = $1 AND cpf_cnpj = $2",
            "DELETE FROM companies WHERE tenant_id = $1 AND cpf_cnpj = $2",
        ] {
            steps.push(Step::new(sql, company.clone()));
        }
        tx.query_all(&steps).await?;
        let detail = json!({ "jobs_cancelados": cancelled, "jobs_em_andamento": in_flight });
        audit::append(tx, *tenant, by, Act::EmpresaRemovida, number, detail, *now).await?;
        Ok((Removed { cancelled, in_flight }, told))
    }
}

crate::erased::erasable!(Remove);
