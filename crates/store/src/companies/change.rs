//! Registration and changes of companies. A change starts from the record as it stands inside the transaction, so that
//! two concurrent changes never undo each other.

use super::read::{self, Company};
use super::secret::{self, CompanySecret};
use crate::audit::{self, Actor, AuditAct};
use crate::dyn_operation::{DynOperation, IntoDynOperation};
use crate::jobs::missing_endpoint;
use crate::numbers::ledger;
use crate::numbers::sequence::{Sequence, Series};
use crate::row::{first, params};
use crate::tx::{StoreOperation, Tx};
use crate::vault::Vault;
use crate::{Error, Store};
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::{Value, json};
use std::convert::Infallible;
use uuid::Uuid;
use zeroize::Zeroizing;

/// A change of a company.
pub enum CompanyChange {
    /// Replaces the record.
    Record(Value),
    /// Replaces the configuration of a document type.
    Configuration(CompanyConfiguration),
}

/// A configuration with its secrets and sequences.
pub struct CompanyConfiguration {
    pub tipo: &'static str,
    /// Complete JSON, without secrets.
    pub configuracao: Value,
    /// Secrets to store, or to erase (`None`).
    pub secrets: Vec<(CompanySecret, Option<Zeroizing<String>>)>,
    /// The sequences in use with the lowest next automatic number; never below a number already used.
    pub sequences: Vec<(Series, u64)>,
}

impl Store {
    /// Registers a company without a bound on their number; `Conflict` when it exists.
    pub async fn create_company(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        dados: Value,
        by: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.create_company_within(tenant, None, cpf_cnpj, dados, by, now).await
    }

    /// Registers a company; `Conflict` when it exists, `AccountFull` when the account has `most` others.
    pub async fn create_company_within(
        &self,
        tenant: Uuid,
        most: Option<u32>,
        cpf_cnpj: CnpjCpf,
        dados: Value,
        by: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(CreateCompany { tenant, most, cpf_cnpj, dados: dados.to_string(), by: by.clone(), now }).await
    }

    /// Replaces the configuration of a document type, without secrets and numbers.
    pub async fn configure_company(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        tipo: &'static str,
        configuracao: Value,
        by: &Actor,
        now: i64,
    ) -> Result<Company, Error> {
        let made = move |_: &Company| {
            let (configuracao, secrets) = (configuracao.clone(), Vec::new());
            Ok(CompanyChange::Configuration(CompanyConfiguration {
                tipo,
                configuracao,
                secrets,
                sequences: Vec::new(),
            }))
        };
        let changed: Result<Company, Infallible> = self.change_company(tenant, cpf_cnpj, by, now, made).await?;
        changed.map_err(|never| match never {})
    }

    /// Passes the company as it stands to `change` and applies the result. Returns the refusal of `change`, or the
    /// company after the change.
    pub async fn change_company<E, F>(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        by: &Actor,
        now: i64,
        change: F,
    ) -> Result<Result<Company, E>, Error>
    where
        E: Send + 'static,
        F: Fn(&Company) -> Result<CompanyChange, E> + Send + Sync + 'static,
    {
        let vault = self.shared.vault.clone();
        let changed = self.write(EditCompany { vault, tenant, cpf_cnpj, by: by.clone(), now, change }).await?;
        // A job may have waited for this change.
        self.announce_work();
        Ok(changed)
    }
}

struct CreateCompany {
    tenant: Uuid,
    most: Option<u32>,
    cpf_cnpj: CnpjCpf,
    dados: String,
    by: Actor,
    now: i64,
}

impl StoreOperation for CreateCompany {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let (tenant, company) = (self.tenant, self.cpf_cnpj.as_str());
        let sql = "INSERT INTO companies (tenant_id, cpf_cnpj, dados, criado_em, atualizado_em)
                   VALUES ($1, $2, $3, $4, $4) ON CONFLICT (tenant_id, cpf_cnpj) DO NOTHING";
        if tx.execute(sql, &params![tenant, company, &self.dados, self.now]).await? == 0 {
            return Err(Error::Conflict("empresa já cadastrada"));
        }
        if let Some(most) = self.most {
            // Counted after the insert, which locks the account: otherwise two concurrent registrations would both see
            // the last slot as free.
            let lock = tx.dialect().for_update();
            tx.query(&format!("SELECT 1 FROM tenants WHERE id = $1 {lock}"), &params![tenant]).await?;
            let sql = "SELECT COUNT(*) FROM companies WHERE tenant_id = $1";
            let count: i64 = first(tx.query(sql, &params![tenant]).await?)?.unwrap_or_default();
            if count > i64::from(most) {
                return Err(Error::AccountFull { most });
            }
        }
        audit::append(tx, tenant, &self.by, AuditAct::EmpresaCriada, company, Value::Null, self.now).await
    }
}

struct EditCompany<F> {
    vault: Vault,
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    by: Actor,
    now: i64,
    change: F,
}

/// Compiled at each use: the caller's closure is part of the operation.
impl<E, F> IntoDynOperation for EditCompany<F>
where
    E: Send + 'static,
    F: Fn(&Company) -> Result<CompanyChange, E> + Send + Sync + 'static,
{
    fn into_dyn(self) -> DynOperation {
        DynOperation::new(self)
    }
}

impl<E, F> StoreOperation for EditCompany<F>
where
    E: Send + 'static,
    F: Fn(&Company) -> Result<CompanyChange, E> + Send + Sync + 'static,
{
    type Output = Result<Company, E>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Result<Company, E>, Error> {
        let (tenant, number) = (self.tenant, self.cpf_cnpj.as_str());
        let company = lock_company(tx, tenant, self.cpf_cnpj, self.now).await?;
        let change = match (self.change)(&company) {
            Ok(change) => change,
            Err(refused) => return Ok(Err(refused)),
        };
        if change.touches_production(&company) {
            may_act_in_production(&company, &self.by)?;
        }
        match change {
            CompanyChange::Record(dados) => {
                let sql = "UPDATE companies SET dados = $3 WHERE tenant_id = $1 AND cpf_cnpj = $2";
                tx.execute(sql, &params![tenant, number, dados.to_string()]).await?;
                let detail = json!({ "campos": changed_members(&company.dados, &dados) });
                audit::append(tx, tenant, &self.by, AuditAct::EmpresaAlterada, number, detail, self.now).await?;
            }
            CompanyChange::Configuration(made) => self.configure(tx, &company, made).await?,
        }
        read::require_company(tx, tenant, self.cpf_cnpj).await.map(Ok)
    }
}

impl<F: Send + Sync> EditCompany<F> {
    async fn configure<T: Tx>(&self, tx: &mut T, company: &Company, made: CompanyConfiguration) -> Result<(), Error> {
        let (tenant, number) = (self.tenant, self.cpf_cnpj.as_str());
        let sql = "INSERT INTO company_settings (tenant_id, cpf_cnpj, tipo, configuracao) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (tenant_id, cpf_cnpj, tipo) DO UPDATE SET configuracao = excluded.configuracao";
        tx.execute(sql, &params![tenant, number, made.tipo, made.configuracao.to_string()]).await?;
        secret::save_secrets(tx, &self.vault, tenant, self.cpf_cnpj, &made.secrets).await?;
        for (series, next) in made.sequences {
            ledger::set_next(tx, &Sequence { tenant, series }, next).await?;
        }
        let before = company.configuracoes.get(made.tipo).cloned().unwrap_or_default();
        let mut fields = changed_members(&before, &made.configuracao);
        fields.extend(made.secrets.iter().map(|(secret, _)| secret.nome.to_owned()));
        let detail = json!({ "tipo": made.tipo, "ambiente": made.configuracao["ambiente"], "campos": fields });
        missing_endpoint::retry_jobs_without_endpoint(tx, tenant, self.cpf_cnpj, self.now).await?;
        audit::append(tx, tenant, &self.by, AuditAct::ConfiguracaoAlterada, number, detail, self.now).await
    }
}

/// Locks the company's row until the commit and sets its change instant; `NotFound` when there is no such company.
async fn lock_company<T: Tx>(tx: &mut T, tenant: Uuid, cpf_cnpj: CnpjCpf, now: i64) -> Result<Company, Error> {
    let sql = "UPDATE companies SET atualizado_em = $3 WHERE tenant_id = $1 AND cpf_cnpj = $2";
    match tx.execute(sql, &params![tenant, cpf_cnpj.as_str(), now]).await? {
        0 => Err(Error::NotFound),
        _ => read::require_company(tx, tenant, cpf_cnpj).await,
    }
}

/// Locks the company for a change that affects all environments: the certificate, the logo, the company itself.
pub(super) async fn lock_whole_company<T: Tx>(
    tx: &mut T,
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    by: &Actor,
    now: i64,
) -> Result<(), Error> {
    let company = lock_company(tx, tenant, cpf_cnpj, now).await?;
    may_act_in_production(&company, by)
}

/// Law: docs/contract.md, "Environments": once a company issues in production, a credential of homologação changes
/// nothing that production uses.
fn may_act_in_production(company: &Company, by: &Actor) -> Result<(), Error> {
    let live = company.configuracoes.values().any(issues_in_production);
    if live && by.ambiente == TpAmb::Homologacao { Err(Error::ProductionOnly) } else { Ok(()) }
}

fn issues_in_production(configuracao: &Value) -> bool {
    configuracao["ambiente"] == 1
}

impl CompanyChange {
    /// The record fills the notes of both environments; a configuration concerns production if it did before or does
    /// after the change.
    fn touches_production(&self, company: &Company) -> bool {
        match self {
            CompanyChange::Record(_) => true,
            CompanyChange::Configuration(made) => {
                issues_in_production(&made.configuracao)
                    || company.configuracoes.get(made.tipo).is_some_and(issues_in_production)
            }
        }
    }
}

/// Names of the members that differ. Their values stay out of the trail.
fn changed_members(before: &Value, after: &Value) -> Vec<String> {
    let Some(after) = after.as_object() else { return Vec::new() };
    after.iter().filter(|(name, value)| before.get(name) != Some(value)).map(|(name, _)| name.clone()).collect()
}

crate::dyn_operation::erasable!(CreateCompany);
