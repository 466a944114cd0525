//! Search of jobs: many by their ids, or by business attributes. Returned in the form of lists.

use super::job::Job;
use super::record;
use crate::conditions::{Conditions, ListWindow, Period};
use crate::row::params;
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, Visibility, words};
use fiscal::value::CnpjCpf;
use std::collections::HashMap;
use uuid::Uuid;

/// Business attributes. At least one of the first three is needed, or the search reads every job of the period.
#[derive(Debug, Clone)]
pub struct JobSearch {
    /// Issuing company.
    pub emitente: Option<CnpjCpf>,
    /// Addressee.
    pub destinatario: Option<CnpjCpf>,
    /// Total as decimal text with two decimals.
    pub valor: Option<String>,
    /// Period of the jobs' registration.
    pub periodo: Period,
}

impl Store {
    /// Returns the visible ones of these jobs, each once, in the order of the ids.
    pub async fn jobs(&self, sight: Visibility, ids: Vec<Uuid>) -> Result<Vec<Job>, Error> {
        let mut jobs = self.read(ReadJobs { sight, ids }).await?;
        jobs.retain(|job| sight.is_visible(job.ambiente));
        Ok(jobs)
    }
    /// Returns a page of the jobs with these attributes, newest first.
    pub async fn find_jobs(&self, sight: Visibility, search: JobSearch, window: ListWindow) -> Result<Vec<Job>, Error> {
        self.read(FindJobs { visibility: sight, search, window }).await
    }
}

struct ReadJobs {
    sight: Visibility,
    ids: Vec<Uuid>,
}

impl StoreOperation for ReadJobs {
    type Output = Vec<Job>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<Job>, Error> {
        let asked: Vec<String> = self.ids.iter().map(|id| id.simple().to_string()).collect();
        let mut params = params![self.sight.tenant(), words::json(&asked)?];
        let ids = tx.dialect().ids_in("$2");
        let sql = match self.sight.reach() {
            None => record::listed(&ids),
            Some(reach) => {
                params.push(reach.user().into());
                let within = reach.term("i.cpf_cnpj", "$3");
                record::listed(&format!(
                    "SELECT asked.job_id FROM ({ids}) asked
                     JOIN jobs i ON i.tenant_id = $1 AND i.id = asked.job_id WHERE {within}"
                ))
            }
        };
        let rows = tx.query(&sql, &params).await?;
        let mut found = HashMap::new();
        for job in rows.into_iter().map(record::read_job) {
            let job = job?;
            found.insert(job.id, job);
        }
        Ok(self.ids.iter().filter_map(|id| found.remove(id)).collect())
    }
}

struct FindJobs {
    visibility: Visibility,
    search: JobSearch,
    window: ListWindow,
}

impl StoreOperation for FindJobs {
    type Output = Vec<Job>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<Job>, Error> {
        let mut conditions = Conditions::of_tenant("i.tenant_id", self.visibility.tenant());
        conditions.and_optional("i.ambiente =", self.visibility.only_environment().map(words::ambiente));
        conditions.and_within("i.cpf_cnpj", self.visibility.reach());
        conditions.and_optional("i.destinatario =", self.search.destinatario.as_ref().map(CnpjCpf::as_str));
        conditions.and_optional("i.valor =", self.search.valor.as_ref());
        conditions.and_optional("i.cpf_cnpj =", self.search.emitente.as_ref().map(CnpjCpf::as_str));
        conditions.and_made_within("i.id", &self.search.periodo);
        let (limit, params) = conditions.with_params(self.window.params());
        let page = format!(
            "SELECT i.id AS job_id FROM jobs i {} WHERE {} ORDER BY i.id DESC LIMIT ${limit} OFFSET ${}",
            tx.dialect().index_hint(self.search.index()),
            conditions.text(),
            limit + 1
        );
        tx.query(&record::listed(&page), &params).await?.into_iter().map(record::read_job).collect()
    }
}

impl JobSearch {
    fn index(&self) -> &'static str {
        match self {
            _ if self.destinatario.is_some() => "jobs_by_addressee",
            _ if self.valor.is_some() => "jobs_by_value",
            _ if self.emitente.is_some() => "jobs_by_company",
            _ => "sqlite_autoindex_jobs_1",
        }
    }
}

crate::dyn_operation::erasable!(ReadJobs, FindJobs);
