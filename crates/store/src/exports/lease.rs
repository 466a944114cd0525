//! Attempts to make the file of an export: one at a time, by lease. An attempt that was lost leaves parts of its own
//! token, which nothing serves and a sweep removes: a file is complete or absent.

use super::leftovers::leave_parts;
use super::orders::{COLUMNS, ExportRow, read_export};
use crate::row::params;
use crate::tx::{StoreOperation, Tx};
use crate::vault::random;
use crate::{Error, Store, mail};
use uuid::Uuid;

/// An attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportLease {
    pub tenant: Uuid,
    pub export: Uuid,
    token: Uuid,
}

/// A claimed export.
#[derive(Debug, Clone)]
pub struct ClaimedExport {
    pub lease: ExportLease,
    pub export: ExportRow,
}

/// Progress of an attempt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExportProgress {
    /// Documents in the file.
    pub feitas: u64,
    /// Documents of the period.
    pub total: u64,
    /// Bytes of the file so far.
    pub bytes: u64,
    /// Parts of the file so far.
    pub partes: u32,
}

impl Store {
    /// Claims the export that waits longest and is not being made; one whose lease ran out is begun anew.
    pub async fn claim_export(&self, now: i64, lease_until: i64) -> Result<Option<ClaimedExport>, Error> {
        self.write(ClaimExport { now, lease_until, token: Uuid::from_bytes(random()?) }).await
    }

    /// Stores the next part of the file, with the progress after it, and extends the lease.
    pub async fn append_export_part(
        &self,
        lease: ExportLease,
        content: Vec<u8>,
        after: ExportProgress,
        lease_until: i64,
    ) -> Result<(), Error> {
        self.write(AppendPart { lease, content, after, lease_until }).await
    }

    /// Extends the lease of an attempt that writes nothing for a while.
    pub async fn renew_export(&self, lease: ExportLease, lease_until: i64) -> Result<(), Error> {
        self.write(RenewExport { lease, lease_until }).await
    }

    /// Ends an attempt whose parts are the whole file.
    pub async fn finish_export(&self, lease: ExportLease, now: i64, expira_em: i64) -> Result<(), Error> {
        self.write(EndExport { lease, now, end: AttemptEnd::Done { expira_em } }).await
    }

    /// Ends the export without a file.
    pub async fn fail_export(&self, lease: ExportLease, now: i64, erro: String) -> Result<(), Error> {
        self.write(EndExport { lease, now, end: AttemptEnd::Failed { erro } }).await
    }

    /// Gives back an attempt that was stopped, as if it had not begun.
    pub async fn return_export(&self, lease: ExportLease) -> Result<(), Error> {
        self.write(EndExport { lease, now: 0, end: AttemptEnd::Returned }).await
    }

    /// Ends a failed attempt; the export waits until `again_at`.
    pub async fn release_export(&self, lease: ExportLease, again_at: i64) -> Result<(), Error> {
        self.write(EndExport { lease, now: again_at, end: AttemptEnd::Released }).await
    }
}

struct ClaimExport {
    now: i64,
    lease_until: i64,
    token: Uuid,
}

impl StoreOperation for ClaimExport {
    type Output = Option<ClaimedExport>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<ClaimedExport>, Error> {
        let due = format!(
            "SELECT tenant_id, id, token FROM exports WHERE state = 'unfinished' AND lease_until <= $1
             ORDER BY lease_until, id LIMIT 1 {}",
            tx.dialect().skip_locked()
        );
        let Some(mut row) = tx.query(&due, &params![self.now]).await?.into_iter().next() else { return Ok(None) };
        let (tenant, export): (Uuid, Uuid) = (row.read()?, row.read()?);
        leave_parts(tx, export, row.read()?).await?;
        let sql = format!(
            "UPDATE exports SET token = $3, lease_until = $4, tentativas = tentativas + 1, feitas = 0, total = 0, bytes = 0, partes = 0
             WHERE tenant_id = $1 AND id = $2 RETURNING {COLUMNS}"
        );
        let claimed = tx.query(&sql, &params![tenant, export, self.token, self.lease_until]).await?;
        let lease = ExportLease { tenant, export, token: self.token };
        let row = claimed.into_iter().next().ok_or(Error::LeaseLost)?;
        Ok(Some(ClaimedExport { lease, export: read_export(row)? }))
    }
}

struct AppendPart {
    lease: ExportLease,
    content: Vec<u8>,
    after: ExportProgress,
    lease_until: i64,
}

impl StoreOperation for AppendPart {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let ExportLease { tenant, export, token } = self.lease;
        let ExportProgress { feitas, total, bytes, partes } = self.after;
        let sql = "UPDATE exports SET feitas = $4, total = $5, bytes = $6, partes = $7, lease_until = $8
                   WHERE tenant_id = $1 AND id = $2 AND token = $3 AND state = 'unfinished'";
        let params = params![tenant, export, token, feitas, total, bytes, partes, self.lease_until];
        if tx.execute(sql, &params).await? == 0 {
            return Err(Error::LeaseLost);
        }
        if self.content.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO export_parts (export_id, token, part, content) VALUES ($1, $2, $3, $4)";
        tx.execute(sql, &params![export, token, partes, self.content.clone()]).await.map(drop)
    }
}

struct RenewExport {
    lease: ExportLease,
    lease_until: i64,
}

impl StoreOperation for RenewExport {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let ExportLease { tenant, export, token } = self.lease;
        let sql = "UPDATE exports SET lease_until = $4
                   WHERE tenant_id = $1 AND id = $2 AND token = $3 AND state = 'unfinished'";
        match tx.execute(sql, &params![tenant, export, token, self.lease_until]).await? {
            0 => Err(Error::LeaseLost),
            _ => Ok(()),
        }
    }
}

enum AttemptEnd {
    Done { expira_em: i64 },
    Failed { erro: String },
    Released,
    Returned,
}

struct EndExport {
    lease: ExportLease,
    now: i64,
    end: AttemptEnd,
}

impl StoreOperation for EndExport {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let ExportLease { tenant, export, token } = self.lease;
        let (change, mut params) = match &self.end {
            AttemptEnd::Done { expira_em } => {
                ("state = 'done', concluido_em = $4, expira_em = $5", params![self.now, *expira_em])
            }
            AttemptEnd::Failed { erro } => ("state = 'failed', concluido_em = $4, erro = $5", params![self.now, erro]),
            AttemptEnd::Released => ("token = NULL, lease_until = $4", params![self.now]),
            AttemptEnd::Returned => ("token = NULL, lease_until = $4, tentativas = tentativas - 1", params![self.now]),
        };
        let sql = format!(
            "UPDATE exports SET {change} WHERE tenant_id = $1 AND id = $2 AND token = $3 AND state = 'unfinished'"
        );
        let mut all = params![tenant, export, token];
        all.append(&mut params);
        if tx.execute(&sql, &all).await? == 0 {
            return Err(Error::LeaseLost);
        }
        match self.end {
            AttemptEnd::Done { .. } => {
                let mail = mail::enqueue_export_mail(tenant, export, self.now);
                tx.query_all(&[mail]).await.map(drop)
            }
            _ => leave_parts(tx, export, Some(token)).await,
        }
    }
}

crate::dyn_operation::erasable!(ClaimExport, AppendPart, RenewExport, EndExport);
