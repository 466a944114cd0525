//! The readable history of a job. One row per append holds all its lines, so that a step costs one insert.

use crate::row::{params, unexpected};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store, words};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::io::{Read as _, Write as _};
use uuid::Uuid;

/// A line of the job's readable history.
#[derive(Debug, Clone)]
pub struct LogLine {
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// Portuguese, without secrets.
    pub text: String,
}

impl Store {
    /// Returns the history of a job, oldest first.
    pub async fn log(&self, tenant: Uuid, job: Uuid) -> Result<Vec<LogLine>, Error> {
        self.read(ReadLog { tenant, job }).await
    }
    /// Appends to the history; writes with a `log` argument do so themselves.
    pub async fn append_log(&self, tenant: Uuid, job: Uuid, log: Vec<LogLine>) -> Result<(), Error> {
        self.write(AppendLog { tenant, job, log }).await
    }
}

/// Makes the step that adds lines; `None` without lines.
pub(crate) fn append(tenant: Uuid, job: Uuid, log: &[LogLine]) -> Result<Option<SqlStep<'static>>, Error> {
    if log.is_empty() {
        return Ok(None);
    }
    let lines: Vec<(i64, &str)> = log.iter().map(|line| (line.at_ms, line.text.as_str())).collect();
    let (lines, packed) = packed(words::json(&lines)?)?;
    let sql = "INSERT INTO job_log (tenant_id, job_id, id, lines, packed) VALUES ($1, $2, $3, $4, $5)";
    Ok(Some(SqlStep::per_row(sql, params![tenant, job, Uuid::now_v7(), lines, packed])))
}

/// Smallest text worth deflating: the deflater's tables alone are a quarter of a megabyte, allocated each time. An
/// ordinary document writes less; verbatim answers of an authority are longer.
const WORTH_PACKING: usize = 2_048;
/// Largest unpacked size of a row: far above what one step writes.
const MOST_UNPACKED: u64 = 16 << 20;

/// Returns the stored form: the text in its own column, or deflated in the other.
fn packed(lines: String) -> Result<(String, Option<Vec<u8>>), Error> {
    if lines.len() < WORTH_PACKING {
        return Ok((lines, None));
    }
    let mut packing = DeflateEncoder::new(Vec::with_capacity(lines.len() / 2), Compression::fast());
    let packed = packing.write_all(lines.as_bytes()).and_then(|()| packing.finish()).map_err(|_| unexpected())?;
    Ok((String::new(), Some(packed)))
}

fn unpacked(packed: &[u8]) -> Result<String, Error> {
    let mut lines = String::new();
    DeflateDecoder::new(packed).take(MOST_UNPACKED).read_to_string(&mut lines).map_err(|_| unexpected())?;
    Ok(lines)
}

struct ReadLog {
    tenant: Uuid,
    job: Uuid,
}

impl StoreOperation for ReadLog {
    type Output = Vec<LogLine>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<LogLine>, Error> {
        let sql = "SELECT l.lines, l.packed FROM jobs j
                   LEFT JOIN job_log l ON l.tenant_id = j.tenant_id AND l.job_id = j.id
                   WHERE j.tenant_id = $1 AND j.id = $2 ORDER BY l.id";
        let rows = tx.query(sql, &params![self.tenant, self.job]).await?;
        if rows.is_empty() {
            return Err(Error::NotFound);
        }
        let mut log = Vec::new();
        for mut row in rows {
            let Some(lines) = row.read::<Option<String>>()? else { continue };
            let lines = row.read::<Option<Vec<u8>>>()?.map_or(Ok(lines), |packed| unpacked(&packed))?;
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

impl StoreOperation for AppendLog {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = "SELECT 1 FROM jobs WHERE tenant_id = $1 AND id = $2";
        crate::row::only(tx.query(sql, &params![self.tenant, self.job]).await?)?;
        let steps = append(self.tenant, self.job, &self.log)?;
        tx.query_all(steps.as_slice()).await.map(drop)
    }
}

crate::dyn_operation::erasable!(ReadLog, AppendLog);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_history_is_kept_deflated_and_read_back_whole() {
        let long = format!("[[1,\"{}\"]]", "<retEnviNFe>Autorizado o uso da NF-e</retEnviNFe>".repeat(80));
        let (lines, kept) = packed(long.clone()).unwrap();
        let kept = kept.unwrap();
        assert!(lines.is_empty() && kept.len() < long.len() / 4, "{}", kept.len());
        assert_eq!(unpacked(&kept).unwrap(), long);
        assert_eq!(packed("[]".to_owned()).unwrap(), ("[]".to_owned(), None));
        assert!(unpacked(b"no such thing").is_err());
    }
}
