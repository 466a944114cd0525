//! Retry of jobs that wait for a change of their company's configuration.

use super::company_queue::{self, CompanyQueue};
use crate::Error;
use crate::row::params;
use crate::tx::Tx;
use fiscal::value::CnpjCpf;
use uuid::Uuid;

/// Pattern of a stored failure that a configuration resolves: the authority has no known endpoint.
const MISSING_ENDPOINT: &str = "%\"codigo\":\"autoridade_sem_endereco\"%";

/// Makes the jobs of a company that failed for a missing endpoint claimable now. Called when the company is configured.
pub(crate) async fn retry_jobs_without_endpoint<T: Tx>(
    tx: &mut T,
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    now: i64,
) -> Result<(), Error> {
    let sql = "UPDATE queue SET ready_at = $3 WHERE tenant_id = $1 AND cpf_cnpj = $2 AND token IS NULL AND ready_at > $3
                   AND EXISTS (SELECT 1 FROM jobs WHERE jobs.tenant_id = queue.tenant_id AND jobs.id = queue.job_id AND jobs.erro LIKE $4)
               RETURNING tenant_id, cpf_cnpj, authority";
    let rows = tx.query(sql, &params![tenant, cpf_cnpj.as_str(), now, MISSING_ENDPOINT]).await?;
    let mut lines: Vec<CompanyQueue> = Vec::new();
    for row in rows {
        let line = CompanyQueue::read(row)?;
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    for line in &lines {
        company_queue::mark_ready(tx, Vec::new(), line, now).await?;
    }
    Ok(())
}
