//! Issuing companies, their configurations per document type, their certificates (sealed).
//!
//! Law: spec not-shown §7, design §7. Must not know: what a configuration means, what a certificate is.

use crate::jobs::words;
use crate::row::{Row, first, only, params};
use crate::tx::{Operation, Tx, each};
use crate::vault::{Place, Vault};
use crate::{Error, Store};
use fiscal::value::CnpjCpf;
use serde_json::Value;
use std::collections::HashMap;
use uuid::Uuid;

/// A company record. `dados` is the API's JSON (see `spec/not-shown.md` §7) without `configuracoes` and `certificado`.
#[derive(Debug, Clone, PartialEq)]
pub struct Company {
    /// Identity.
    pub cpf_cnpj: CnpjCpf,
    /// Everything else the caller keeps.
    pub dados: Value,
    /// Per document type (`nfe`, `nfce`, …): the JSON of its configuration, secrets excluded.
    pub configuracoes: serde_json::Map<String, Value>,
    /// Listing fields of the active certificate.
    pub certificado: Option<CertificateRecord>,
    /// Seconds since 1970.
    pub criado_em: i64,
    /// Seconds since 1970.
    pub atualizado_em: i64,
}

/// What may be shown of a certificate.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CertificateRecord {
    /// Holder.
    pub titular: String,
    /// Issuer.
    pub emissor: String,
    /// Hexadecimal.
    pub numero_serie: String,
    /// Seconds since 1970.
    pub valido_de: i64,
    /// Seconds since 1970.
    pub valido_ate: i64,
}

/// A certificate to keep: sealed before it touches the disk, wiped from memory on drop.
pub struct NewCertificate {
    /// PFX bytes.
    pub pfx: zeroize::Zeroizing<Vec<u8>>,
    /// Its password.
    pub senha: zeroize::Zeroizing<String>,
    /// What may be shown.
    pub record: CertificateRecord,
}

/// An opened certificate file.
pub struct OpenedCertificate {
    /// Changes with every upload: a cache key.
    pub id: Uuid,
    /// PFX bytes.
    pub pfx: zeroize::Zeroizing<Vec<u8>>,
    /// Its password.
    pub senha: zeroize::Zeroizing<String>,
}

impl Store {
    /// Registers; `Conflict` when it exists.
    pub async fn create_company(&self, tenant: Uuid, cpf_cnpj: CnpjCpf, dados: Value, now: i64) -> Result<(), Error> {
        self.write(Create { tenant, cpf_cnpj, dados: dados.to_string(), now }).await
    }
    /// Replaces `dados`.
    pub async fn update_company(&self, tenant: Uuid, cpf_cnpj: CnpjCpf, dados: Value, now: i64) -> Result<(), Error> {
        self.write(Update { tenant, cpf_cnpj, dados: dados.to_string(), now }).await
    }
    /// Reads.
    pub async fn company(&self, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<Company, Error> {
        self.read(Read { tenant, cpf_cnpj: Some(cpf_cnpj) }).await?.pop().ok_or(Error::NotFound)
    }
    /// `dados` of those of these companies that the tenant has.
    pub async fn company_records(
        &self,
        tenant: Uuid,
        companies: Vec<CnpjCpf>,
    ) -> Result<HashMap<CnpjCpf, Value>, Error> {
        self.read(ReadRecords { tenant, companies }).await
    }
    /// All companies of a tenant, by number.
    pub async fn list_companies(&self, tenant: Uuid) -> Result<Vec<Company>, Error> {
        self.read(Read { tenant, cpf_cnpj: None }).await
    }
    /// Replaces the configuration of a document type.
    pub async fn configure_company(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        tipo: &str,
        configuracao: Value,
        now: i64,
    ) -> Result<(), Error> {
        let (tipo, configuracao) = (tipo.to_owned(), configuracao.to_string());
        self.write(Configure { tenant, cpf_cnpj, tipo, configuracao, now }).await
    }
    /// Seals and keeps the one active certificate.
    pub async fn put_certificate(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        certificate: NewCertificate,
        now: i64,
    ) -> Result<(), Error> {
        let vault = self.shared.vault.clone();
        self.write(PutCertificate { vault, id: Uuid::now_v7(), tenant, cpf_cnpj, certificate, now }).await
    }
    /// Opens the active certificate; `NotFound` when there is none.
    pub async fn open_certificate(&self, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<OpenedCertificate, Error> {
        self.read(OpenCertificate { vault: self.shared.vault.clone(), tenant, cpf_cnpj }).await
    }
    /// Id of the active certificate without opening it (to check a cache).
    pub async fn certificate_id(&self, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<Uuid, Error> {
        self.read(CertificateId { tenant, cpf_cnpj }).await
    }
}

struct ReadRecords {
    tenant: Uuid,
    companies: Vec<CnpjCpf>,
}

impl Operation for ReadRecords {
    type Output = HashMap<CnpjCpf, Value>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<HashMap<CnpjCpf, Value>, Error> {
        let sql = "SELECT dados FROM companies WHERE tenant_id = $1 AND cpf_cnpj = $2";
        let keys = self.companies.iter().map(|company| params![self.tenant, company.as_str()]).collect();
        let mut records = HashMap::new();
        for (company, rows) in self.companies.iter().zip(tx.query_all(&each(sql, keys)).await?) {
            if let Some(dados) = first::<String>(rows)? {
                records.insert(*company, words::read_json(dados)?);
            }
        }
        Ok(records)
    }
}

/// A company inside another operation's transaction.
pub(crate) async fn find<T: Tx>(tx: &mut T, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<Option<Company>, Error> {
    Ok(Read { tenant, cpf_cnpj: Some(cpf_cnpj) }.run(tx).await?.pop())
}

struct Create {
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    dados: String,
    now: i64,
}

impl Operation for Create {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = "INSERT INTO companies (tenant_id, cpf_cnpj, dados, criado_em, atualizado_em)
                   VALUES ($1, $2, $3, $4, $4) ON CONFLICT (tenant_id, cpf_cnpj) DO NOTHING";
        match tx.execute(sql, &params![self.tenant, self.cpf_cnpj.as_str(), &self.dados, self.now]).await? {
            0 => Err(Error::Conflict("empresa já cadastrada")),
            _ => Ok(()),
        }
    }
}

struct Update {
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    dados: String,
    now: i64,
}

impl Operation for Update {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = "UPDATE companies SET dados = $3, atualizado_em = $4 WHERE tenant_id = $1 AND cpf_cnpj = $2";
        match tx.execute(sql, &params![self.tenant, self.cpf_cnpj.as_str(), &self.dados, self.now]).await? {
            0 => Err(Error::NotFound),
            _ => Ok(()),
        }
    }
}

/// One company, or all of a tenant.
struct Read {
    tenant: Uuid,
    cpf_cnpj: Option<CnpjCpf>,
}

impl Operation for Read {
    type Output = Vec<Company>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<Company>, Error> {
        let rows = match &self.cpf_cnpj {
            Some(one) => {
                let sql = format!("{COMPANY} WHERE c.tenant_id = $1 AND c.cpf_cnpj = $2 ORDER BY s.tipo");
                tx.query(&sql, &params![self.tenant, one.as_str()]).await?
            }
            None => {
                let sql = format!("{COMPANY} WHERE c.tenant_id = $1 ORDER BY c.cpf_cnpj, s.tipo");
                tx.query(&sql, &params![self.tenant]).await?
            }
        };
        let mut companies: Vec<Company> = Vec::new();
        for mut row in rows {
            let cpf_cnpj = words::read_cpf_cnpj(row.take()?)?;
            if companies.last().is_none_or(|last| last.cpf_cnpj != cpf_cnpj) {
                companies.push(read_company(cpf_cnpj, &mut row)?);
            } else {
                read_company(cpf_cnpj, &mut row)?;
            }
            let setting: (Option<String>, Option<String>) = (row.take()?, row.take()?);
            if let (Some(company), (Some(tipo), Some(configuracao))) = (companies.last_mut(), setting) {
                company.configuracoes.insert(tipo, words::read_json(configuracao)?);
            }
        }
        Ok(companies)
    }
}

/// A row per configuration; the company's own columns repeat.
const COMPANY: &str = "SELECT c.cpf_cnpj, c.dados, c.criado_em, c.atualizado_em,
        k.titular, k.emissor, k.numero_serie, k.valido_de, k.valido_ate, s.tipo, s.configuracao
    FROM companies c
    LEFT JOIN certificates k ON k.tenant_id = c.tenant_id AND k.cpf_cnpj = c.cpf_cnpj
    LEFT JOIN company_settings s ON s.tenant_id = c.tenant_id AND s.cpf_cnpj = c.cpf_cnpj";

fn read_company(cpf_cnpj: CnpjCpf, row: &mut Row) -> Result<Company, Error> {
    Ok(Company {
        cpf_cnpj,
        dados: words::read_json(row.take()?)?,
        criado_em: row.take()?,
        atualizado_em: row.take()?,
        certificado: read_certificate(row)?,
        configuracoes: serde_json::Map::new(),
    })
}

fn read_certificate(row: &mut Row) -> Result<Option<CertificateRecord>, Error> {
    let (titular, emissor, numero_serie) = (row.take()?, row.take()?, row.take()?);
    let (valido_de, valido_ate) = (row.take()?, row.take()?);
    let (Some(titular), Some(emissor), Some(numero_serie)) = (titular, emissor, numero_serie) else { return Ok(None) };
    let (Some(valido_de), Some(valido_ate)) = (valido_de, valido_ate) else { return Ok(None) };
    Ok(Some(CertificateRecord { titular, emissor, numero_serie, valido_de, valido_ate }))
}

struct Configure {
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    tipo: String,
    configuracao: String,
    now: i64,
}

impl Operation for Configure {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        touch(tx, self.tenant, self.cpf_cnpj, self.now).await?;
        let sql = "INSERT INTO company_settings (tenant_id, cpf_cnpj, tipo, configuracao) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (tenant_id, cpf_cnpj, tipo) DO UPDATE SET configuracao = excluded.configuracao";
        let params = params![self.tenant, self.cpf_cnpj.as_str(), &self.tipo, &self.configuracao];
        tx.execute(sql, &params).await.map(drop)
    }
}

/// The company changed; `NotFound` when it is not there.
async fn touch<T: Tx>(tx: &mut T, tenant: Uuid, cpf_cnpj: CnpjCpf, now: i64) -> Result<(), Error> {
    let sql = "UPDATE companies SET atualizado_em = $3 WHERE tenant_id = $1 AND cpf_cnpj = $2";
    match tx.execute(sql, &params![tenant, cpf_cnpj.as_str(), now]).await? {
        0 => Err(Error::NotFound),
        _ => Ok(()),
    }
}

struct PutCertificate {
    vault: Vault,
    id: Uuid,
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    certificate: NewCertificate,
    now: i64,
}

impl Operation for PutCertificate {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let (tenant, company) = (self.tenant, self.cpf_cnpj.as_str());
        touch(tx, tenant, self.cpf_cnpj, self.now).await?;
        let key = self.vault.data_key(tx, tenant).await?;
        let pfx = key.seal(&self.certificate.pfx, &pfx_place(tenant, self.id))?;
        let senha = key.seal(self.certificate.senha.as_bytes(), &senha_place(tenant, self.id))?;
        tx.execute("DELETE FROM certificates WHERE tenant_id = $1 AND cpf_cnpj = $2", &params![tenant, company])
            .await?;
        let sql = "INSERT INTO certificates (tenant_id, cpf_cnpj, id, pfx, senha,
                       titular, emissor, numero_serie, valido_de, valido_ate, criado_em)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
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
            self.now
        ];
        tx.execute(sql, &params).await.map(drop)
    }
}

struct OpenCertificate {
    vault: Vault,
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
}

impl Operation for OpenCertificate {
    type Output = OpenedCertificate;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<OpenedCertificate, Error> {
        let sql = "SELECT k.id, k.pfx, k.senha, d.wrapped FROM certificates k
                   JOIN data_keys d ON d.tenant_id = k.tenant_id WHERE k.tenant_id = $1 AND k.cpf_cnpj = $2";
        let mut row = only(tx.query(sql, &params![self.tenant, self.cpf_cnpj.as_str()]).await?)?;
        let (id, pfx, senha, wrapped): (Uuid, Vec<u8>, Vec<u8>, Vec<u8>) =
            (row.take()?, row.take()?, row.take()?, row.take()?);
        let key = self.vault.unwrap(self.tenant, &wrapped)?;
        let senha = key.open(&senha, &senha_place(self.tenant, id))?;
        let senha = std::str::from_utf8(&senha).map_err(|_| Error::Sealed)?;
        Ok(OpenedCertificate {
            id,
            pfx: key.open(&pfx, &pfx_place(self.tenant, id))?,
            senha: zeroize::Zeroizing::new(senha.to_owned()),
        })
    }
}

fn pfx_place(tenant: Uuid, row: Uuid) -> Place {
    Place { tenant, column: "certificates.pfx", row }
}

fn senha_place(tenant: Uuid, row: Uuid) -> Place {
    Place { tenant, column: "certificates.senha", row }
}

struct CertificateId {
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
}

impl Operation for CertificateId {
    type Output = Uuid;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Uuid, Error> {
        let sql = "SELECT id FROM certificates WHERE tenant_id = $1 AND cpf_cnpj = $2";
        first(tx.query(sql, &params![self.tenant, self.cpf_cnpj.as_str()]).await?)?.ok_or(Error::NotFound)
    }
}
