//! Secrets of a document type: the CSC of the NFC-e, the credentials at a municipal provider. Sealed; opened only when
//! used.

use crate::row::{Params, only, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::vault::{AssociatedData, Vault};
use crate::words;
use crate::{Error, Store};
use fiscal::value::{CnpjCpf, TpAmb};
use uuid::Uuid;
use zeroize::Zeroizing;

/// Key of a company's secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanySecret {
    pub tipo: &'static str,
    pub ambiente: TpAmb,
    /// `csc`, `login`, …
    pub nome: &'static str,
}

impl Store {
    /// Opens a secret; `NotFound` when it is not set.
    pub async fn open_company_secret(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        secret: CompanySecret,
    ) -> Result<Zeroizing<String>, Error> {
        self.read(OpenCompanySecret { vault: self.shared.vault.clone(), tenant, cpf_cnpj, secret }).await
    }
}

/// Stores secrets in place of older ones, or erases them (`None`).
pub(super) async fn save_secrets<T: Tx>(
    tx: &mut T,
    vault: &Vault,
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    changes: &[(CompanySecret, Option<Zeroizing<String>>)],
) -> Result<(), Error> {
    if changes.is_empty() {
        return Ok(());
    }
    let data_key = vault.data_key(tx, tenant).await?;
    let mut steps = Vec::new();
    for (secret, given) in changes {
        let erase = "DELETE FROM company_secrets WHERE tenant_id = $1 AND cpf_cnpj = $2 AND tipo = $3 AND ambiente = $4
                     AND nome = $5";
        steps.push(SqlStep::new(erase, key(tenant, cpf_cnpj, secret)));
        if let Some(plain) = given {
            let id = Uuid::now_v7();
            let mut params = key(tenant, cpf_cnpj, secret);
            params.extend(params![id, data_key.seal(plain.as_bytes(), &secret_place(tenant, id))?]);
            let sql = "INSERT INTO company_secrets (tenant_id, cpf_cnpj, tipo, ambiente, nome, id, segredo)
                       VALUES ($1, $2, $3, $4, $5, $6, $7)";
            steps.push(SqlStep::new(sql, params));
        }
    }
    tx.query_all(&steps).await.map(drop)
}

struct OpenCompanySecret {
    vault: Vault,
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    secret: CompanySecret,
}

impl StoreOperation for OpenCompanySecret {
    type Output = Zeroizing<String>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Zeroizing<String>, Error> {
        let sql = "SELECT s.id, s.segredo, d.wrapped FROM company_secrets s
                   JOIN data_keys d ON d.tenant_id = s.tenant_id
                   WHERE s.tenant_id = $1 AND s.cpf_cnpj = $2 AND s.tipo = $3 AND s.ambiente = $4 AND s.nome = $5";
        let mut row = only(tx.query(sql, &key(self.tenant, self.cpf_cnpj, &self.secret)).await?)?;
        let (id, sealed, wrapped): (Uuid, Vec<u8>, Vec<u8>) = (row.read()?, row.read()?, row.read()?);
        let plain = self.vault.unwrap(self.tenant, &wrapped)?.open(&sealed, &secret_place(self.tenant, id))?;
        let text = std::str::from_utf8(&plain).map_err(|_| Error::Sealed)?;
        Ok(Zeroizing::new(text.to_owned()))
    }
}

/// `$1` … `$5` of every statement about a secret.
fn key(tenant: Uuid, cpf_cnpj: CnpjCpf, secret: &CompanySecret) -> Params {
    params![tenant, cpf_cnpj.as_str(), secret.tipo, words::ambiente(secret.ambiente), secret.nome]
}

fn secret_place(tenant: Uuid, row: Uuid) -> AssociatedData {
    AssociatedData { tenant, column: "company_secrets.segredo", row }
}

crate::dyn_operation::erasable!(OpenCompanySecret);
