//! Roles of people: which user has which role, in one company or in every one; and the companies that a caller reaches
//! by its roles.
//!
//! Law: docs/concepts/permissions.md, "Roles". An account keeps an administrator of every company. Must not know: the
//! needs that a role meets.

use fiscal::value::CnpjCpf;
use serde_json::json;
use uuid::Uuid;

use crate::audit::{self, Actor, AuditAct};
use crate::permissao::Permissao;
use crate::row::{Row, first, only, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, Visibility, words};

/// A set of roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RoleSet(u8);

/// Roles of a user that count for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrantedRoles {
    user: Uuid,
    /// Roles in every company of the account.
    everywhere: RoleSet,
    /// Roles in at least one company.
    somewhere: RoleSet,
}

/// Companies in which a user has one of some roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompanyReach {
    user: Uuid,
    roles: RoleSet,
}

/// A role of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleGrant {
    /// `None` for every company, those of later too.
    pub company: Option<CnpjCpf>,
    pub role: Permissao,
}

/// A person of an account with the roles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonRecord {
    pub id: Uuid,
    pub email: String,
    pub nome: Option<String>,
    /// Seconds since 1970.
    pub criado_em: i64,
    pub grants: Vec<RoleGrant>,
}

impl RoleSet {
    fn bit(role: Permissao) -> u8 {
        Permissao::ROLES.iter().position(|known| *known == role).map_or(0, |place| 1 << place)
    }

    fn of(roles: impl Iterator<Item = Permissao>) -> RoleSet {
        RoleSet(roles.fold(0, |set, role| set | RoleSet::bit(role)))
    }

    fn iter(self) -> impl Iterator<Item = Permissao> {
        Permissao::ROLES.into_iter().filter(move |role| self.0 & RoleSet::bit(*role) != 0)
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn retain(self, keeps: impl Fn(Permissao) -> bool) -> RoleSet {
        RoleSet::of(self.iter().filter(|role| keeps(*role)))
    }
}

impl GrantedRoles {
    /// The roles that meet a need, which is one of the whole account or of a company; `None` when none does.
    pub fn narrow(self, whole_account: bool, meets: impl Fn(Permissao) -> bool) -> Option<GrantedRoles> {
        let everywhere = self.everywhere.retain(&meets);
        let somewhere = if whole_account { RoleSet::default() } else { self.somewhere.retain(&meets) };
        let left = GrantedRoles { user: self.user, everywhere, somewhere };
        left.strongest().map(|_| left)
    }

    /// The most powerful role.
    pub fn strongest(self) -> Option<Permissao> {
        RoleSet(self.everywhere.0 | self.somewhere.0).iter().next()
    }

    /// `true` if a role holds in every company.
    pub fn is_everywhere(self) -> bool {
        !self.everywhere.is_empty()
    }

    /// Bound of the companies; `None` for every one.
    pub(crate) fn reach(self) -> Option<CompanyReach> {
        (!self.is_everywhere()).then_some(CompanyReach { user: self.user, roles: self.somewhere })
    }
}

impl CompanyReach {
    pub(crate) fn user(self) -> Uuid {
        self.user
    }

    /// Condition that a column holds a company within reach. `$1` is the tenant, `user` the place of the user.
    pub(crate) fn term(self, column: &str, user: &str) -> String {
        let roles: Vec<String> = self.roles.iter().map(|role| format!("'{}'", role.word())).collect();
        // the user is a parameter of the statement even when no company is within reach
        let roles = if roles.is_empty() { "''".to_owned() } else { roles.join(", ") };
        format!(
            "{column} IN (SELECT g.cpf_cnpj FROM role_grants g
                 WHERE g.tenant_id = $1 AND g.user_id = {user} AND g.papel IN ({roles}))"
        )
    }
}

impl Store {
    /// `true` if a company is within the reach of a caller; it need not exist.
    pub async fn reaches(&self, sight: Visibility, company: CnpjCpf) -> Result<bool, Error> {
        match sight.reach() {
            None => Ok(true),
            Some(reach) => self.read(ReadReach { tenant: sight.tenant(), reach, company }).await,
        }
    }
    /// Fails with `NotFound` unless a company is within reach.
    pub async fn require_reach(&self, sight: Visibility, company: CnpjCpf) -> Result<(), Error> {
        if self.reaches(sight, company).await? { Ok(()) } else { Err(Error::NotFound) }
    }
    /// Lists the people of a tenant by e-mail.
    pub async fn people(&self, tenant: Uuid) -> Result<Vec<PersonRecord>, Error> {
        self.read(ListPeople { tenant, only: None }).await
    }
    /// Returns a person of a tenant.
    pub async fn person(&self, tenant: Uuid, id: Uuid) -> Result<PersonRecord, Error> {
        self.read(ListPeople { tenant, only: Some(id) }).await?.pop().ok_or(Error::NotFound)
    }
    /// Gives a person a role in a company or in every one, in place of the former role there. `Conflict` when the
    /// account would be left without an administrator; `NotFound` for an unknown person or company.
    pub async fn put_grant(
        &self,
        tenant: Uuid,
        user: Uuid,
        grant: RoleGrant,
        actor: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(PutGrant { tenant, user, grant, actor: actor.clone(), now }).await
    }
    /// Takes a person's role in a company, or the one in every company. `Conflict` for the last administrator of the
    /// account, and for the only role of a person.
    pub async fn remove_grant(
        &self,
        tenant: Uuid,
        user: Uuid,
        company: Option<CnpjCpf>,
        actor: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(RemoveGrant { tenant, user, company, actor: actor.clone(), now }).await
    }
}

/// Text of every company in the column of a grant.
const EVERY_COMPANY: &str = "";
/// Refusal of a change that leaves an account without an administrator.
pub const LAST_ADMINISTRATOR: &str = "é a última pessoa administradora da conta";
/// Refusal of a person without a role.
pub const ONLY_ROLE: &str = "é o único papel da pessoa";

fn column(company: Option<CnpjCpf>) -> String {
    company.map_or_else(|| EVERY_COMPANY.to_owned(), |company| company.as_str().to_owned())
}

fn read_company(text: String) -> Result<Option<CnpjCpf>, Error> {
    if text == EVERY_COMPANY { Ok(None) } else { words::read_cpf_cnpj(text).map(Some) }
}

/// Roles of a user.
pub(crate) async fn read<T: Tx>(tx: &mut T, tenant: Uuid, user: Uuid) -> Result<GrantedRoles, Error> {
    let sql = "SELECT DISTINCT papel, CASE WHEN cpf_cnpj = '' THEN 1 ELSE 0 END FROM role_grants
               WHERE tenant_id = $1 AND user_id = $2";
    let mut roles = GrantedRoles { user, everywhere: RoleSet::default(), somewhere: RoleSet::default() };
    for mut row in tx.query(sql, &params![tenant, user]).await? {
        let bit = RoleSet::bit(Permissao::read(&row.read::<String>()?)?);
        let set = if row.read::<i64>()? == 1 { &mut roles.everywhere } else { &mut roles.somewhere };
        set.0 |= bit;
    }
    Ok(roles)
}

/// Inserts or replaces a role.
pub(crate) async fn insert<T: Tx>(
    tx: &mut T,
    tenant: Uuid,
    user: Uuid,
    role: Permissao,
    company: Option<CnpjCpf>,
) -> Result<(), Error> {
    let sql = "INSERT INTO role_grants (tenant_id, user_id, cpf_cnpj, papel) VALUES ($1, $2, $3, $4)
               ON CONFLICT (tenant_id, user_id, cpf_cnpj) DO UPDATE SET papel = excluded.papel";
    tx.execute(sql, &params![tenant, user, column(company), role.word()]).await.map(drop)
}

/// Locks an account's people until the commit: of two changes at once, one sees what the other left.
pub(crate) async fn lock<T: Tx>(tx: &mut T, tenant: Uuid) -> Result<(), Error> {
    let lock = tx.dialect().for_update();
    only(tx.query(&format!("SELECT 1 FROM tenants WHERE id = $1 {lock}"), &params![tenant]).await?).map(drop)
}

/// Refuses a change after which an account has no administrator.
pub(crate) async fn require_administrator<T: Tx>(tx: &mut T, tenant: Uuid) -> Result<(), Error> {
    let sql = "SELECT COUNT(*) FROM role_grants WHERE tenant_id = $1 AND cpf_cnpj = '' AND papel = 'administrador'";
    match first::<i64>(tx.query(sql, &params![tenant]).await?)? {
        None | Some(0) => Err(Error::Conflict(LAST_ADMINISTRATOR)),
        Some(_) => Ok(()),
    }
}

/// Refuses a company that the account does not have.
pub(crate) async fn require_companies<T: Tx>(
    tx: &mut T,
    tenant: Uuid,
    companies: impl Iterator<Item = CnpjCpf>,
) -> Result<(), Error> {
    for company in companies {
        let sql = "SELECT 1 FROM companies WHERE tenant_id = $1 AND cpf_cnpj = $2";
        only(tx.query(sql, &params![tenant, company.as_str()]).await?)?;
    }
    Ok(())
}

struct ReadReach {
    tenant: Uuid,
    reach: CompanyReach,
    company: CnpjCpf,
}

impl StoreOperation for ReadReach {
    type Output = bool;
    const IS_SMALL: bool = true;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        is_within(tx, self.tenant, Some(self.reach), self.company.as_str()).await
    }
}

/// `true` if a company is within a bound, inside another operation's transaction.
pub(crate) async fn is_within<T: Tx>(
    tx: &mut T,
    tenant: Uuid,
    reach: Option<CompanyReach>,
    company: &str,
) -> Result<bool, Error> {
    let Some(reach) = reach else { return Ok(true) };
    let sql = format!("SELECT 1 FROM tenants t WHERE t.id = $1 AND {}", reach.term("$3", "$2"));
    Ok(!tx.query(&sql, &params![tenant, reach.user(), company]).await?.is_empty())
}

struct ListPeople {
    tenant: Uuid,
    only: Option<Uuid>,
}

impl StoreOperation for ListPeople {
    type Output = Vec<PersonRecord>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<PersonRecord>, Error> {
        let mut params = params![self.tenant];
        let one = self.only.map_or("", |id| {
            params.push(id.into());
            "AND u.id = $2"
        });
        let sql = format!(
            "SELECT u.id, u.email, u.nome, u.criado_em, g.cpf_cnpj, g.papel FROM users u
             LEFT JOIN role_grants g ON g.tenant_id = u.tenant_id AND g.user_id = u.id
             WHERE u.tenant_id = $1 {one} ORDER BY u.email, g.cpf_cnpj"
        );
        let mut people: Vec<PersonRecord> = Vec::new();
        for mut row in tx.query(&sql, &params).await? {
            let (id, email, nome, criado_em) = (row.read()?, row.read()?, row.read()?, row.read()?);
            let grant = read_grant(row)?;
            match people.last_mut() {
                Some(last) if last.id == id => last.grants.extend(grant),
                _ => people.push(PersonRecord { id, email, nome, criado_em, grants: grant.into_iter().collect() }),
            }
        }
        Ok(people)
    }
}

fn read_grant(mut row: Row) -> Result<Option<RoleGrant>, Error> {
    let (company, role): (Option<String>, Option<String>) = (row.read()?, row.read()?);
    let Some((company, role)) = company.zip(role) else { return Ok(None) };
    Ok(Some(RoleGrant { company: read_company(company)?, role: Permissao::read(&role)? }))
}

struct PutGrant {
    tenant: Uuid,
    user: Uuid,
    grant: RoleGrant,
    actor: Actor,
    now: i64,
}

impl StoreOperation for PutGrant {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let PutGrant { tenant, user, grant, actor, now } = self;
        lock(tx, *tenant).await?;
        let email = email(tx, *tenant, *user).await?;
        require_companies(tx, *tenant, grant.company.into_iter()).await?;
        insert(tx, *tenant, *user, grant.role, grant.company).await?;
        require_administrator(tx, *tenant).await?;
        let detalhes = json!({ "email": email, "papel": grant.role.word(), "empresa": grant.company });
        audit::append(tx, *tenant, actor, AuditAct::PapelDado, &user.to_string(), detalhes, *now).await
    }
}

struct RemoveGrant {
    tenant: Uuid,
    user: Uuid,
    company: Option<CnpjCpf>,
    actor: Actor,
    now: i64,
}

impl StoreOperation for RemoveGrant {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let RemoveGrant { tenant, user, company, actor, now } = self;
        lock(tx, *tenant).await?;
        let email = email(tx, *tenant, *user).await?;
        let sql = "DELETE FROM role_grants WHERE tenant_id = $1 AND user_id = $2 AND cpf_cnpj = $3";
        if tx.execute(sql, &params![*tenant, *user, column(*company)]).await? == 0 {
            return Err(Error::NotFound);
        }
        require_administrator(tx, *tenant).await?;
        let sql = "SELECT COUNT(*) FROM role_grants WHERE tenant_id = $1 AND user_id = $2";
        if first::<i64>(tx.query(sql, &params![*tenant, *user]).await?)?.unwrap_or_default() == 0 {
            return Err(Error::Conflict(ONLY_ROLE));
        }
        let detalhes = json!({ "email": email, "empresa": company });
        audit::append(tx, *tenant, actor, AuditAct::PapelRetirado, &user.to_string(), detalhes, *now).await
    }
}

async fn email<T: Tx>(tx: &mut T, tenant: Uuid, user: Uuid) -> Result<String, Error> {
    let sql = "SELECT email FROM users WHERE tenant_id = $1 AND id = $2";
    only(tx.query(sql, &params![tenant, user]).await?)?.read()
}

crate::dyn_operation::erasable!(ReadReach, ListPeople, PutGrant, RemoveGrant);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_need_of_the_account_counts_roles_in_every_company_only() {
        let granted = GrantedRoles {
            user: Uuid::nil(),
            everywhere: RoleSet::of([Permissao::Contador].into_iter()),
            somewhere: RoleSet::of([Permissao::Administrador].into_iter()),
        };
        let administers = |role| role == Permissao::Administrador;
        assert_eq!(granted.narrow(true, administers), None);
        let of_companies = granted.narrow(false, administers).unwrap();
        assert_eq!(of_companies.strongest(), Some(Permissao::Administrador));
        assert!(of_companies.reach().is_some() && granted.reach().is_none());
    }
}
