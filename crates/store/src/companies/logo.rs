//! The logo on a company's printed forms. The caller has checked the picture.
//! Must not know: picture formats.

use super::change;
use crate::audit::{self, Actor, AuditAct};
use crate::row::{only, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store};
use fiscal::value::CnpjCpf;
use serde_json::{Value, json};
use uuid::Uuid;

/// A picture as uploaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    /// `image/png` or `image/jpeg`.
    pub media: String,
    /// Bytes of the file.
    pub picture: Vec<u8>,
}

impl Store {
    /// Stores the logo of a company in place of an older one; `NotFound` when there is no such company.
    pub async fn save_logo(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        logo: Logo,
        by: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(SaveLogo { tenant, cpf_cnpj, logo, by: by.clone(), now }).await
    }

    /// Returns the logo of a company; `NotFound` when it has none.
    pub async fn logo(&self, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<Logo, Error> {
        self.read(ReadLogo { tenant, cpf_cnpj }).await
    }

    /// Removes the logo; `NotFound` when there is none.
    pub async fn remove_logo(&self, tenant: Uuid, cpf_cnpj: CnpjCpf, by: &Actor, now: i64) -> Result<(), Error> {
        self.write(RemoveLogo { tenant, cpf_cnpj, by: by.clone(), now }).await
    }
}

struct SaveLogo {
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    logo: Logo,
    by: Actor,
    now: i64,
}

impl StoreOperation for SaveLogo {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let (tenant, company) = (self.tenant, self.cpf_cnpj.as_str());
        change::lock_whole_company(tx, tenant, self.cpf_cnpj, &self.by, self.now).await?;
        let sql = "INSERT INTO logos (tenant_id, cpf_cnpj, media, picture) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (tenant_id, cpf_cnpj) DO UPDATE SET media = excluded.media, picture = excluded.picture";
        let Logo { media, picture } = &self.logo;
        tx.execute(sql, &params![tenant, company, media, picture.clone()]).await?;
        let detail = json!({ "formato": media, "bytes": picture.len() });
        audit::append(tx, tenant, &self.by, AuditAct::LogotipoEnviado, company, detail, self.now).await
    }
}

struct ReadLogo {
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
}

impl StoreOperation for ReadLogo {
    type Output = Logo;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Logo, Error> {
        let sql = "SELECT media, picture FROM logos WHERE tenant_id = $1 AND cpf_cnpj = $2";
        let mut row = only(tx.query(sql, &params![self.tenant, self.cpf_cnpj.as_str()]).await?)?;
        Ok(Logo { media: row.read()?, picture: row.read()? })
    }
}

struct RemoveLogo {
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    by: Actor,
    now: i64,
}

impl StoreOperation for RemoveLogo {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let (tenant, company) = (self.tenant, self.cpf_cnpj.as_str());
        change::lock_whole_company(tx, tenant, self.cpf_cnpj, &self.by, self.now).await?;
        let sql = "DELETE FROM logos WHERE tenant_id = $1 AND cpf_cnpj = $2";
        if tx.execute(sql, &params![tenant, company]).await? == 0 {
            return Err(Error::NotFound);
        }
        audit::append(tx, tenant, &self.by, AuditAct::LogotipoRemovido, company, Value::Null, self.now).await
    }
}

crate::dyn_operation::erasable!(SaveLogo, ReadLogo, RemoveLogo);
