//! Certificates of companies, sealed: the one active certificate, and after a company's removal the certificate that
//! its documents in flight still need.

use super::change;
use super::read::CertificateRecord;
use crate::alerts::first_alert_at;
use crate::audit::{self, Actor, AuditAct};
use crate::row::{first, only, params};
use crate::tx::{SqlStep, StoreOperation, Tx, query_step};
use crate::vault::{AssociatedData, Vault};
use crate::{Error, Store};
use fiscal::value::CnpjCpf;
use serde_json::json;
use uuid::Uuid;
use zeroize::Zeroizing;

/// A certificate to store: sealed before it is written to disk, wiped from memory on drop.
pub struct NewCertificate {
    /// PFX bytes.
    pub pfx: Zeroizing<Vec<u8>>,
    /// Password of the PFX.
    pub senha: Zeroizing<String>,
    pub record: CertificateRecord,
}

/// An opened certificate file.
pub struct OpenedCertificate {
    /// PFX bytes.
    pub pfx: Zeroizing<Vec<u8>>,
    /// Password of the PFX.
    pub senha: Zeroizing<String>,
}

impl Store {
    /// Seals and stores the active certificate in place of an older one.
    pub async fn save_certificate(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        certificate: NewCertificate,
        by: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        let vault = self.shared.vault.clone();
        self.write(SaveCertificate { vault, id: Uuid::now_v7(), tenant, cpf_cnpj, certificate, by: by.clone(), now })
            .await
    }
    /// Opens the active certificate; `NotFound` when there is none.
    pub async fn open_certificate(&self, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<OpenedCertificate, Error> {
        let (vault, from) = (self.shared.vault.clone(), ACTIVE);
        self.read(OpenCertificate { vault, from, tenant, cpf_cnpj }).await
    }
    /// Returns the id of the active certificate without opening it: the key of a cache, since each upload has its own.
    pub async fn certificate_id(&self, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<Uuid, Error> {
        self.read(CertificateId { from: ACTIVE, tenant, cpf_cnpj }).await
    }
    /// Opens the certificate of a removed company, kept until its documents in flight are settled; `NotFound`
    /// afterwards.
    pub async fn open_retired_certificate(&self, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<OpenedCertificate, Error> {
        let (vault, from) = (self.shared.vault.clone(), RETIRED);
        self.read(OpenCertificate { vault, from, tenant, cpf_cnpj }).await
    }
    /// Returns the id of a removed company's certificate.
    pub async fn retired_certificate_id(&self, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<Uuid, Error> {
        self.read(CertificateId { from: RETIRED, tenant, cpf_cnpj }).await
    }
    /// Erases the certificates of removed companies whose last document in flight has been settled; returns their
    /// number.
    pub async fn erase_retired_certificates(&self) -> Result<u64, Error> {
        // Almost always there is none, and then no writing transaction is spent.
        if self.read(CountRetired).await? == 0 { Ok(0) } else { self.write(EraseRetired).await }
    }
}

/// Retires the active certificate with its company: kept for documents in flight if they need it, erased otherwise.
pub(super) fn retire(tenant: Uuid, cpf_cnpj: CnpjCpf, is_needed: bool) -> Vec<SqlStep<'static>> {
    let company = params![tenant, cpf_cnpj.as_str()];
    let erase = SqlStep::new("DELETE FROM certificates WHERE tenant_id = $1 AND cpf_cnpj = $2", company.clone());
    if !is_needed {
        return vec![erase];
    }
    let keep = "INSERT INTO retired_certificates (tenant_id, cpf_cnpj, id, pfx, senha)
                SELECT tenant_id, cpf_cnpj, id, pfx, senha FROM certificates WHERE tenant_id = $1 AND cpf_cnpj = $2
                ON CONFLICT (tenant_id, cpf_cnpj) DO UPDATE
                SET id = excluded.id, pfx = excluded.pfx, senha = excluded.senha";
    vec![SqlStep::new(keep, company), erase]
}

struct SaveCertificate {
    vault: Vault,
    id: Uuid,
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    certificate: NewCertificate,
    by: Actor,
    now: i64,
}

impl StoreOperation for SaveCertificate {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let (tenant, company) = (self.tenant, self.cpf_cnpj.as_str());
        change::lock_whole_company(tx, tenant, self.cpf_cnpj, &self.by, self.now).await?;
        let key = self.vault.data_key(tx, tenant).await?;
        let pfx = key.seal(&self.certificate.pfx, &pfx_place(tenant, self.id))?;
        let senha = key.seal(self.certificate.senha.as_bytes(), &senha_place(tenant, self.id))?;
        tx.execute("DELETE FROM certificates WHERE tenant_id = $1 AND cpf_cnpj = $2", &params![tenant, company])
            .await?;
        let sql = "INSERT INTO certificates (tenant_id, cpf_cnpj, id, pfx, senha,
                       titular, emissor, numero_serie, valido_de, valido_ate, criado_em, alerta_em)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
        let CertificateRecord { titular, emissor, numero_serie, valido_de, valido_ate } = &self.certificate.record;
        let params = params![
            tenant,
            company,
            self.id,
            pfx,
            senha,
            titular,
            emissor,
            numero_serie,
            *valido_de,
            *valido_ate,
            self.now,
            first_alert_at(*valido_ate)
        ];
        tx.execute(sql, &params).await?;
        let detail = json!({ "titular": titular, "numero_serie": numero_serie, "valido_ate": valido_ate });
        audit::append(tx, tenant, &self.by, AuditAct::CertificadoEnviado, company, detail, self.now).await
    }
}

const ACTIVE: &str = "certificates";
const RETIRED: &str = "retired_certificates";

struct OpenCertificate {
    vault: Vault,
    from: &'static str,
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
}

impl StoreOperation for OpenCertificate {
    type Output = OpenedCertificate;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<OpenedCertificate, Error> {
        let sql = format!(
            "SELECT k.id, k.pfx, k.senha, d.wrapped FROM {} k
             JOIN data_keys d ON d.tenant_id = k.tenant_id WHERE k.tenant_id = $1 AND k.cpf_cnpj = $2",
            self.from
        );
        let mut row = only(tx.query(&sql, &params![self.tenant, self.cpf_cnpj.as_str()]).await?)?;
        let (id, pfx, senha, wrapped): (Uuid, Vec<u8>, Vec<u8>, Vec<u8>) =
            (row.read()?, row.read()?, row.read()?, row.read()?);
        let key = self.vault.unwrap(self.tenant, &wrapped)?;
        let senha = key.open(&senha, &senha_place(self.tenant, id))?;
        let senha = std::str::from_utf8(&senha).map_err(|_| Error::Sealed)?;
        Ok(OpenedCertificate {
            pfx: key.open(&pfx, &pfx_place(self.tenant, id))?,
            senha: Zeroizing::new(senha.to_owned()),
        })
    }
}

pub(super) fn pfx_place(tenant: Uuid, row: Uuid) -> AssociatedData {
    AssociatedData { tenant, column: "certificates.pfx", row }
}

pub(super) fn senha_place(tenant: Uuid, row: Uuid) -> AssociatedData {
    AssociatedData { tenant, column: "certificates.senha", row }
}

struct CertificateId {
    from: &'static str,
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
}

impl StoreOperation for CertificateId {
    type Output = Uuid;
    const IS_SMALL: bool = true;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Uuid, Error> {
        let sql = format!("SELECT id FROM {} WHERE tenant_id = $1 AND cpf_cnpj = $2", self.from);
        first(query_step(tx, SqlStep::per_row(&sql, params![self.tenant, self.cpf_cnpj.as_str()])).await?)?
            .ok_or(Error::NotFound)
    }
}

struct CountRetired;

impl StoreOperation for CountRetired {
    type Output = i64;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<i64, Error> {
        Ok(first(tx.query("SELECT COUNT(*) FROM retired_certificates", &[]).await?)?.unwrap_or_default())
    }
}

struct EraseRetired;

impl StoreOperation for EraseRetired {
    type Output = u64;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<u64, Error> {
        let sql = "DELETE FROM retired_certificates WHERE NOT EXISTS (SELECT 1 FROM queue q
                   WHERE q.tenant_id = retired_certificates.tenant_id AND q.cpf_cnpj = retired_certificates.cpf_cnpj)";
        tx.execute(sql, &[]).await
    }
}

crate::dyn_operation::erasable!(SaveCertificate, OpenCertificate, CertificateId, CountRetired, EraseRetired);
