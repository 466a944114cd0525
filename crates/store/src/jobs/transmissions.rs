//! Former transmissions of a job: signed bytes that may have been sent before the document was made anew. They are kept
//! so that one that an authority has after all can be recognised.
//!
//! Law: MOC 7.0, visão geral, 4 (a document is its key and its digest). The engine decides when a transmission is given
//! up and when it returns.

use super::job::Lease;
use super::lease::record_change;
use super::log::LogLine;
use super::{company_queue, log};
use crate::numbers::ledger::LedgerNumber;
use crate::numbers::number_state::NumberState;
use crate::row::{Row, first, only, params};
use crate::tx::{Lane, SqlStep, StoreOperation, Tx};
use crate::{Error, Store, words};
use fiscal::lifecycle::DocumentState;
use uuid::Uuid;

/// A former transmission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transmission {
    /// Job that made it.
    pub job_id: Uuid,
    /// Key, or identity of a DPS or RPS.
    pub asked_by: String,
    /// base64 digest of the signed element.
    pub digest: String,
    /// Number that it has.
    pub numero: u64,
}

impl Store {
    /// Returns the former transmissions under a key or identity.
    pub async fn transmissions(&self, tenant: Uuid, asked_by: &str) -> Result<Vec<Transmission>, Error> {
        self.read(ReadTransmissions { tenant, asked_by: asked_by.to_owned() }).await
    }
    /// Makes a former transmission the job's document again, in doubt, with its own key, bytes and number, in one
    /// transaction.
    pub async fn readopt(
        &self,
        lease: Lease,
        transmission: Transmission,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        self.write(ReadoptTransmission { lease, transmission, now, log }).await
    }
    /// Sets a failed or cancelled job's document in doubt again and requeues the job, in one transaction; `false` when
    /// the job or document is in another state.
    pub async fn reopen(&self, tenant: Uuid, job: Uuid, now: i64, log: Vec<LogLine>) -> Result<bool, Error> {
        let reopened = self.write(ReopenJob { tenant, job, now, log }).await?;
        if reopened {
            self.announce_work();
        }
        Ok(reopened)
    }
}

/// File kind of a former transmission.
fn former_kind(digest: &str) -> String {
    format!("{}/{digest}", super::StoredFile::Signed.word())
}

/// Archives the document of a job as a former transmission, if it may have been sent, before its key changes.
pub(super) fn archive_transmission(lease: &Lease, now: i64) -> [SqlStep<'static>; 3] {
    let keep = "INSERT INTO transmissions (tenant_id, asked_by, digest, job_id, chave, numero, codigo_aleatorio, tipo_emissao, dhEmi, contingencia,
                    qrCode, first_sent_at, last_sent_at, set_aside_at)
                SELECT tenant_id, asked_by, digest, job_id, chave, numero, codigo_aleatorio, tipo_emissao, dhEmi, contingencia,
                    qrCode, first_sent_at, last_sent_at, CAST($3 AS BIGINT)
                FROM documents WHERE tenant_id = $1 AND job_id = $2 AND state = 'sending' AND asked_by IS NOT NULL AND digest IS NOT NULL
                ON CONFLICT (tenant_id, asked_by, digest) DO NOTHING";
    // The same bytes may have been archived before.
    let older = "DELETE FROM files WHERE tenant_id = $1 AND job_id = $2 AND kind = 'signed/' || (SELECT d.digest FROM documents d
                     WHERE d.tenant_id = $1 AND d.job_id = $2 AND d.state = 'sending')";
    let files = "UPDATE files SET kind = 'signed/' || (SELECT d.digest FROM documents d WHERE d.tenant_id = $1 AND d.job_id = $2)
                 WHERE tenant_id = $1 AND job_id = $2 AND kind = 'signed' AND EXISTS (SELECT 1 FROM documents d
                     WHERE d.tenant_id = $1 AND d.job_id = $2 AND d.state = 'sending' AND d.digest IS NOT NULL)";
    let key = params![lease.tenant_id, lease.job_id];
    let mut dated = key.clone();
    dated.push(now.into());
    [SqlStep::new(keep, dated), SqlStep::new(older, key.clone()), SqlStep::new(files, key)]
}

struct ReadTransmissions {
    tenant: Uuid,
    asked_by: String,
}

impl StoreOperation for ReadTransmissions {
    type Output = Vec<Transmission>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<Transmission>, Error> {
        let sql = "SELECT job_id, asked_by, digest, numero FROM transmissions
                   WHERE tenant_id = $1 AND asked_by = $2 ORDER BY set_aside_at DESC";
        tx.query(sql, &params![self.tenant, &self.asked_by]).await?.into_iter().map(read).collect()
    }
}

fn read(mut row: Row) -> Result<Transmission, Error> {
    Ok(Transmission { job_id: row.read()?, asked_by: row.read()?, digest: row.read()?, numero: row.read()? })
}

struct ReadoptTransmission {
    lease: Lease,
    transmission: Transmission,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for ReadoptTransmission {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let ReadoptTransmission { lease, transmission, now, log } = self;
        let (tenant, job) = (lease.tenant_id, lease.job_id);
        let lock =
            "SELECT numero FROM documents WHERE tenant_id = $1 AND job_id = $2 AND state IN ('sending', 'in_doubt')";
        let before = record_change(tx, lease, *now, log, vec![SqlStep::new(lock, params![tenant, job])]).await?;
        let before = before.into_iter().next().and_then(|rows| rows.into_iter().next());
        before.ok_or(Error::Conflict("o documento não está mais em dúvida"))?;
        let sql = "UPDATE documents SET (asked_by, digest, chave, numero, codigo_aleatorio, tipo_emissao, dhEmi, contingencia, qrCode) =
                       (SELECT t.asked_by, t.digest, t.chave, t.numero, t.codigo_aleatorio, t.tipo_emissao, t.dhEmi, t.contingencia, t.qrCode
                        FROM transmissions t WHERE t.tenant_id = $1 AND t.asked_by = $3 AND t.digest = $4),
                       state = 'in_doubt', last_sent_at = $5, refusal = NULL, nRec = NULL
                   WHERE tenant_id = $1 AND job_id = $2 AND EXISTS (SELECT 1 FROM transmissions t
                       WHERE t.tenant_id = $1 AND t.asked_by = $3 AND t.digest = $4 AND t.job_id = $2)";
        let named = params![tenant, job, &transmission.asked_by, &transmission.digest];
        let mut dated = named.clone();
        dated.push((*now).into());
        if tx.execute(sql, &dated).await? == 0 {
            return Err(Error::NotFound);
        }
        let file = former_kind(&transmission.digest);
        tx.query_all(&[
            SqlStep::new(
                "DELETE FROM files WHERE tenant_id = $1 AND job_id = $2 AND kind = 'signed'",
                params![tenant, job],
            ),
            SqlStep::new(
                "UPDATE files SET kind = 'signed' WHERE tenant_id = $1 AND job_id = $2 AND kind = $3",
                params![tenant, job, file],
            ),
            SqlStep::new(
                "DELETE FROM transmissions WHERE tenant_id = $1 AND job_id = $2 AND asked_by = $3 AND digest = $4",
                named,
            ),
        ])
        .await?;
        hold_number(tx, tenant, job).await
    }
}

/// Makes the job the holder of its document's number, whatever state the ledger recorded.
async fn hold_number<T: Tx>(tx: &mut T, tenant: Uuid, job: Uuid) -> Result<(), Error> {
    let sql = format!("SELECT {} FROM documents WHERE tenant_id = $1 AND job_id = $2", LedgerNumber::COLUMNS);
    let mut row = only(tx.query(&sql, &params![tenant, job]).await?)?;
    let number = LedgerNumber::read(tenant, &mut row)?;
    let mut steps = vec![number.clone().transfer_to(job)];
    steps.extend(number.settle(job, NumberState::Reserved));
    tx.query_all(&steps).await.map(drop)
}

struct ReopenJob {
    tenant: Uuid,
    job: Uuid,
    now: i64,
    log: Vec<LogLine>,
}

impl StoreOperation for ReopenJob {
    type Output = bool;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let ReopenJob { tenant, job, now, log } = self;
        let key = params![*tenant, *job];
        let ended = "SELECT status FROM jobs WHERE tenant_id = $1 AND id = $2 AND status IN ('cancelled', 'failed') AND operacao = 'emissao'";
        if first::<String>(tx.query(ended, &key).await?)?.is_none() {
            return Ok(false);
        }
        let sql = "UPDATE documents SET state = $3, last_sent_at = $4 WHERE tenant_id = $1 AND job_id = $2
                   AND state = 'failed' AND asked_by IS NOT NULL AND digest IS NOT NULL";
        let in_doubt = words::state(DocumentState::InDoubt);
        if tx.execute(sql, &params![*tenant, *job, in_doubt, *now]).await? == 0 {
            return Ok(false);
        }
        let sql = "UPDATE jobs SET status = 'pending', erro = NULL, erro_codigo = NULL, atualizado_em = $3, concluido_em = NULL
                   WHERE tenant_id = $1 AND id = $2";
        tx.execute(sql, &params![*tenant, *job, *now]).await?;
        let queue = "INSERT INTO queue (tenant_id, job_id, cpf_cnpj, authority, ready_at, tentativas)
                     SELECT tenant_id, id, cpf_cnpj, authority, CAST($3 AS BIGINT), tentativas FROM jobs WHERE tenant_id = $1 AND id = $2
                     RETURNING tenant_id, cpf_cnpj, authority";
        let queued = tx.query(queue, &params![*tenant, *job, *now]).await?.into_iter().next();
        let line = company_queue::CompanyQueue::read(queued.ok_or(Error::NotFound)?)?;
        let lines: Vec<SqlStep<'_>> = log::append(*tenant, *job, log)?.into_iter().collect();
        company_queue::mark_ready(tx, lines, &line, *now).await?;
        Ok(true)
    }
}

crate::dyn_operation::erasable!(ReadTransmissions, ReadoptTransmission, ReopenJob);
