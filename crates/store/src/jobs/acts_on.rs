//! Acts on a document, and the author of a job.

use super::job::Job;
use super::record;
use crate::row::{Row, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, Visibility};
use uuid::Uuid;

/// The user or key that ordered a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobAuthor {
    /// E-mail of the user.
    User(String),
    /// Name of the key.
    ApiKey(String),
    /// A user who was removed.
    Removed,
}

impl Store {
    /// Returns the jobs that act on the document of a job, newest first, in the form of lists.
    pub async fn acts_on(&self, sight: Visibility, target: Uuid, most: u32) -> Result<Vec<Job>, Error> {
        let mut acts = self.read(ReadActs { tenant: sight.tenant(), target, most: most.into() }).await?;
        acts.retain(|job| sight.is_visible(job.ambiente));
        Ok(acts)
    }
    /// Returns the author of a job; `None` for a job of the service itself.
    pub async fn job_author(&self, tenant: Uuid, job: Uuid) -> Result<Option<JobAuthor>, Error> {
        self.read(ReadAuthor { tenant, job }).await
    }
}

struct ReadActs {
    tenant: Uuid,
    target: Uuid,
    most: i64,
}

impl StoreOperation for ReadActs {
    type Output = Vec<Job>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<Job>, Error> {
        let sql = record::listed(ACTS);
        tx.query(&sql, &params![self.tenant, self.target, self.most]).await?.into_iter().map(record::read_job).collect()
    }
}

const ACTS: &str =
    "SELECT i.id AS job_id FROM jobs i WHERE i.tenant_id = $1 AND i.alvo = $2 ORDER BY i.id DESC LIMIT $3";

struct ReadAuthor {
    tenant: Uuid,
    job: Uuid,
}

impl StoreOperation for ReadAuthor {
    type Output = Option<JobAuthor>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<JobAuthor>, Error> {
        let sql = "SELECT j.ordered_by, u.email, k.nome FROM jobs j
                   LEFT JOIN users u ON u.tenant_id = j.tenant_id AND u.id = j.ordered_by
                   LEFT JOIN api_keys k ON k.tenant_id = j.tenant_id AND k.id = j.ordered_by
                   WHERE j.tenant_id = $1 AND j.id = $2";
        let row = tx.query(sql, &params![self.tenant, self.job]).await?.into_iter().next();
        row.map(read_author).transpose().map(Option::flatten)
    }
}

fn read_author(mut row: Row) -> Result<Option<JobAuthor>, Error> {
    let id: Option<Uuid> = row.read()?;
    let (email, nome): (Option<String>, Option<String>) = (row.read()?, row.read()?);
    let named = email.map(JobAuthor::User).or(nome.map(JobAuthor::ApiKey));
    Ok(id.map(|_| named.unwrap_or(JobAuthor::Removed)))
}

crate::dyn_operation::erasable!(ReadActs, ReadAuthor);

#[cfg(test)]
pub(super) fn question() -> String {
    record::listed(ACTS)
}
