//! Queries of companies: one, a page, their certificates. Each is one statement, however many companies there are.

use crate::conditions::Conditions;
use crate::row::{Row, first, params};
use crate::tx::{SqlStep, StoreOperation, Tx, query_step};
use crate::{Error, Store, Visibility, words};
use fiscal::value::CnpjCpf;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::LazyLock;
use uuid::Uuid;

/// Displayable fields of a certificate.
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

/// A company record. `dados` is the API's JSON (docs/contract.md, "Companies") without `configuracoes` and
/// `certificado`.
#[derive(Debug, Clone, PartialEq)]
pub struct Company {
    pub cpf_cnpj: CnpjCpf,
    /// All other data of the caller.
    pub dados: Value,
    /// JSON of the configuration by document type (`nfe`, `nfce`, …), without secrets.
    pub configuracoes: serde_json::Map<String, Value>,
    /// Displayable fields of the active certificate.
    pub certificado: Option<CertificateRecord>,
    /// Id of the active certificate; a replacement has another id.
    pub certificate_id: Option<Uuid>,
    /// Seconds since 1970.
    pub criado_em: i64,
    /// Seconds since 1970.
    pub atualizado_em: i64,
}

/// A company in the listing of certificates.
#[derive(Debug, Clone, PartialEq)]
pub struct CompanyCertificate {
    pub cpf_cnpj: CnpjCpf,
    /// The company's record.
    pub dados: Value,
    /// Active certificate, if any.
    pub certificado: Option<CertificateRecord>,
}

impl Store {
    pub async fn company(&self, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<Company, Error> {
        self.read(ReadCompany { tenant, cpf_cnpj }).await
    }
    /// Returns `dados` of those of the given companies that the tenant has.
    pub async fn company_records(
        &self,
        tenant: Uuid,
        companies: Vec<CnpjCpf>,
    ) -> Result<HashMap<CnpjCpf, Value>, Error> {
        self.read(ReadRecords { tenant, companies }).await
    }
    /// Returns a page of the visible companies, newest first, and their number.
    pub async fn list_companies(
        &self,
        sight: Visibility,
        limit: usize,
        offset: usize,
    ) -> Result<(Vec<Company>, u64), Error> {
        let small = |number| i64::try_from(number).unwrap_or(i64::MAX);
        self.read(ReadPage { sight, limit: small(limit), offset: small(offset) }).await
    }
    /// Lists all visible companies with their certificates: the first to expire first, those without one last.
    pub async fn list_certificates(&self, sight: Visibility) -> Result<Vec<CompanyCertificate>, Error> {
        self.read(ReadCompanyCertificates(sight)).await
    }
}

struct ReadCompany {
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
}

impl StoreOperation for ReadCompany {
    type Output = Company;
    const IS_SMALL: bool = true;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Company, Error> {
        require_company(tx, self.tenant, self.cpf_cnpj).await
    }
}

/// Reads a company in this transaction; `NotFound` when there is none.
pub(super) async fn require_company<T: Tx>(tx: &mut T, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<Company, Error> {
    let found =
        from_rows(query_step(tx, SqlStep::per_row(single_company_sql(), params![tenant, cpf_cnpj.as_str()])).await?)?;
    found.into_iter().next().ok_or(Error::NotFound)
}

/// Selects the company `$2` of the tenant `$1`; the rows are parsed by `from_rows`.
pub(crate) fn single_company_sql() -> &'static str {
    static SQL: LazyLock<String> = LazyLock::new(|| {
        format!("{} WHERE c.tenant_id = $1 AND c.cpf_cnpj = $2 ORDER BY s.tipo", company_sql("companies c"))
    });
    &SQL
}

/// Reads a company inside another operation's transaction.
pub(crate) async fn find_company<T: Tx>(tx: &mut T, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<Option<Company>, Error> {
    match require_company(tx, tenant, cpf_cnpj).await {
        Ok(company) => Ok(Some(company)),
        Err(Error::NotFound) => Ok(None),
        Err(other) => Err(other),
    }
}

struct ReadRecords {
    tenant: Uuid,
    companies: Vec<CnpjCpf>,
}

impl StoreOperation for ReadRecords {
    type Output = HashMap<CnpjCpf, Value>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<HashMap<CnpjCpf, Value>, Error> {
        let asked: Vec<&str> = self.companies.iter().map(CnpjCpf::as_str).collect();
        // SQLite runs a CROSS JOIN in the written order: first the few requested companies.
        let sql = format!(
            "SELECT c.cpf_cnpj, c.dados FROM {} asked CROSS JOIN companies c WHERE c.tenant_id = $1 AND c.cpf_cnpj = asked.value",
            tx.dialect().values_in("$2")
        );
        let rows = tx.query(&sql, &params![self.tenant, words::json(&asked)?]).await?;
        let read = |mut row: Row| Ok((words::read_cpf_cnpj(row.read()?)?, words::read_json(row.read()?)?));
        rows.into_iter().map(read).collect()
    }
}

struct ReadPage {
    sight: Visibility,
    limit: i64,
    offset: i64,
}

impl StoreOperation for ReadPage {
    type Output = (Vec<Company>, u64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(Vec<Company>, u64), Error> {
        let mut conditions = Conditions::of_tenant("tenant_id", self.sight.tenant());
        conditions.and_within("cpf_cnpj", self.sight.reach());
        let sql = format!("SELECT COUNT(*) FROM companies WHERE {}", conditions.text());
        let total: i64 = first(tx.query(&sql, conditions.params()).await?)?.unwrap_or_default();
        let (limit, params) = conditions.with_params(params![self.limit, self.offset]);
        let page = format!(
            "(SELECT * FROM companies WHERE {} ORDER BY criado_em DESC, cpf_cnpj DESC LIMIT ${limit} OFFSET ${}) c",
            conditions.text(),
            limit + 1
        );
        let sql = format!("{} ORDER BY c.criado_em DESC, c.cpf_cnpj DESC, s.tipo", company_sql(&page));
        let page = from_rows(tx.query(&sql, &params).await?)?;
        Ok((page, total.unsigned_abs()))
    }
}

/// Selects a row per configuration; the company's own columns repeat.
fn company_sql(from: &str) -> String {
    format!(
        "SELECT c.cpf_cnpj, c.dados, c.criado_em, c.atualizado_em,
             k.id, k.titular, k.emissor, k.numero_serie, k.valido_de, k.valido_ate, s.tipo, s.configuracao
         FROM {from}
         LEFT JOIN certificates k ON k.tenant_id = c.tenant_id AND k.cpf_cnpj = c.cpf_cnpj
         LEFT JOIN company_settings s ON s.tenant_id = c.tenant_id AND s.cpf_cnpj = c.cpf_cnpj"
    )
}

/// Parses the rows of `company_sql`; rows of one company are adjacent.
pub(crate) fn from_rows(rows: Vec<Row>) -> Result<Vec<Company>, Error> {
    let mut companies: Vec<Company> = Vec::new();
    for mut row in rows {
        let (cpf_cnpj, dados): (String, String) = (row.read()?, row.read()?);
        let known = companies.last().is_some_and(|last| last.cpf_cnpj.as_str() == cpf_cnpj);
        // The company's columns repeat in each row; its record is parsed once.
        let dados = if known { Value::Null } else { words::read_json(dados)? };
        let company = read_company(words::read_cpf_cnpj(cpf_cnpj)?, dados, &mut row)?;
        if !known {
            companies.push(company);
        }
        let setting: (Option<String>, Option<String>) = (row.read()?, row.read()?);
        if let (Some(company), (Some(tipo), Some(configuracao))) = (companies.last_mut(), setting) {
            company.configuracoes.insert(tipo, words::read_json(configuracao)?);
        }
    }
    Ok(companies)
}

/// Reads the remaining columns of a row, up to its configuration.
fn read_company(cpf_cnpj: CnpjCpf, dados: Value, row: &mut Row) -> Result<Company, Error> {
    Ok(Company {
        cpf_cnpj,
        dados,
        criado_em: row.read()?,
        atualizado_em: row.read()?,
        certificate_id: row.read()?,
        certificado: read_certificate(row)?,
        configuracoes: serde_json::Map::new(),
    })
}

fn read_certificate(row: &mut Row) -> Result<Option<CertificateRecord>, Error> {
    let (titular, emissor, numero_serie) = (row.read()?, row.read()?, row.read()?);
    let (valido_de, valido_ate) = (row.read()?, row.read()?);
    let (Some(titular), Some(emissor), Some(numero_serie)) = (titular, emissor, numero_serie) else { return Ok(None) };
    let (Some(valido_de), Some(valido_ate)) = (valido_de, valido_ate) else { return Ok(None) };
    Ok(Some(CertificateRecord { titular, emissor, numero_serie, valido_de, valido_ate }))
}

struct ReadCompanyCertificates(Visibility);

impl StoreOperation for ReadCompanyCertificates {
    type Output = Vec<CompanyCertificate>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<CompanyCertificate>, Error> {
        let mut conditions = Conditions::of_tenant("c.tenant_id", self.0.tenant());
        conditions.and_within("c.cpf_cnpj", self.0.reach());
        let sql = format!(
            "SELECT c.cpf_cnpj, c.dados, k.titular, k.emissor, k.numero_serie, k.valido_de, k.valido_ate
             FROM companies c LEFT JOIN certificates k ON k.tenant_id = c.tenant_id AND k.cpf_cnpj = c.cpf_cnpj
             WHERE {}
             ORDER BY CASE WHEN k.valido_ate IS NULL THEN 1 ELSE 0 END, k.valido_ate, c.cpf_cnpj",
            conditions.text()
        );
        tx.query(&sql, conditions.params()).await?.into_iter().map(read_holder).collect()
    }
}

fn read_holder(mut row: Row) -> Result<CompanyCertificate, Error> {
    Ok(CompanyCertificate {
        cpf_cnpj: words::read_cpf_cnpj(row.read()?)?,
        dados: words::read_json(row.read()?)?,
        certificado: read_certificate(&mut row)?,
    })
}

crate::dyn_operation::erasable!(ReadCompany, ReadRecords, ReadPage, ReadCompanyCertificates);
