//! The readable history of a job. One row per append holds all its lines, so that a step costs one insert.

use super::{LogLine, words};
use crate::row::params;
use crate::tx::{Operation, Step, Tx};
use crate::{Error, Store};
use uuid::Uuid;

impl Store {
    /// The history of a job, oldest first.
    pub async fn log(&self, tenant: Uuid, job: Uuid) -> Result<Vec<LogLine>, Error> {
        self.read(ReadLog { tenant, job }).await
    }
    /// Appends to the history (also done by the writes below through their `log` argument).
    pub async fn append_log(&self, tenant: Uuid, job: Uuid, log: Vec<LogLine>) -> Result<(), Error> {
        self.write(AppendLog { tenant, job, log }).await
    }
}

/// Adds lines; nothing to do when there are none.
pub(crate) fn append(tenant: Uuid, job: Uuid, log: &[LogLine]) -> Result<Option<Step<'static>>, Error> {
    if log.is_empty() {
        return Ok(None);
    }
    let lines: Vec<(i64, &str)> = log.iter().map(|line| (line.at_ms, line.text.as_str())).collect();
    let sql = "INSERT INTO job_log (tenant_id, job_id, id, lines) VALUES ($1, $2, $3, $4)";
    Ok(Some(Step { sql, params: params![tenant, job, Uuid::now_v7(), words::json(&lines)?] }))
}

struct ReadLog {
    tenant: Uuid,
    job: Uuid,
}

impl Operation for ReadLog {
    type Output = Vec<LogLine>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<LogLine>, Error> {
        let sql = "SELECT l.lines FROM jobs j
                   LEFT JOIN job_log l ON l.tenant_id = j.tenant_id AND l.job_id = j.id
                   WHERE j.tenant_id = $1 AND j.id = $2 ORDER BY l.id";
        let rows = tx.query(sql, &params![self.tenant, self.job]).await?;
        if rows.is_empty() {
            return Err(Error::NotFound);
        }
        let mut log = Vec::new();
        for mut row in rows {
            let Some(lines) = row.take::<Option<String>>()? else { continue };
            let lines: Vec<(i64, String)> = words::read_json(lines)?;
            log.extend(lines.into_iter().map(|(at_ms, text)| LogLine { at_ms, text }));
        }
        Ok(log)
    }
}

struct AppendLog {
    tenant: Uuid,
    job: Uuid,
    log: Vec<LogLine>,
}

impl Operation for AppendLog {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = "SELECT 1 FROM jobs WHERE tenant_id = $1 AND id = $2";
        crate::row::only(tx.query(sql, &params![self.tenant, self.job]).await?)?;
        let steps = append(self.tenant, self.job, &self.log)?;
        tx.query_all(steps.as_slice()).await.map(drop)
    }
}
