//! Tenants and their API keys.
//!
//! Law: docs/contract.md, "Accounts".
//! Must not know: how a password is hashed or a key is made.

use crate::audit::{self, Actor, AuditAct};
use crate::roles::{self, GrantedRoles};
use crate::row::{Row, first, only, params};
use crate::tx::{SqlStep, StoreOperation, Tx, query_step};
use crate::words;
use crate::{Error, Store};
use fiscal::value::TpAmb;
use serde_json::{Value, json};
use uuid::Uuid;

pub use crate::permissao::Permissao;

/// The caller of a request, found by the hash of its API key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub tenant_id: Uuid,
    pub api_key_id: Uuid,
    /// Environment of the key.
    pub ambiente: TpAmb,
    /// Permission of the key, or a role of the user in a session.
    pub permissao: Permissao,
    /// Roles of the user in a session; `None` for a key, which reaches every company.
    pub granted: Option<GrantedRoles>,
}

impl Caller {
    /// The caller of a session that is bound to a key. Without a role it has the permission of the least one, which no
    /// need counts.
    pub(crate) fn of_user(granted: GrantedRoles, tenant_id: Uuid, api_key_id: Uuid, ambiente: TpAmb) -> Caller {
        let permissao = granted.strongest().unwrap_or(Permissao::Contador);
        Caller { tenant_id, api_key_id, ambiente, permissao, granted: Some(granted) }
    }
}

/// A new tenant with its first user.
#[derive(Clone)]
pub struct NewAccount {
    pub nome: String,
    /// E-mail of the login.
    pub email: String,
    /// Argon2id PHC string, computed by the caller.
    pub senha_hash: String,
}

/// A new API key. Only its hash and its first characters are stored.
#[derive(Clone)]
pub struct NewApiKey {
    /// Display name.
    pub nome: String,
    pub ambiente: TpAmb,
    pub permissao: Permissao,
    /// First 12 characters, for display.
    pub prefixo: String,
    /// SHA-256 of the whole key.
    pub hash: [u8; 32],
}

/// A tenant in a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: Uuid,
    pub nome: String,
    pub emails: Vec<String>,
}

/// An API key in a listing, without its secret and its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    pub id: Uuid,
    /// Display name.
    pub nome: String,
    pub ambiente: TpAmb,
    pub permissao: Permissao,
    /// First 12 characters.
    pub prefixo: String,
    /// Seconds since 1970.
    pub criado_em: i64,
    /// Last use, to the minute, in seconds since 1970.
    pub ultimo_uso_em: Option<i64>,
    /// Instant of revocation, in seconds since 1970; one to come is the end of a key that was replaced.
    pub revogado_em: Option<i64>,
}

impl ApiKey {
    /// `true` while calls with it are accepted.
    pub fn is_valid(&self, now: i64) -> bool {
        self.revogado_em.is_none_or(|at| at > now)
    }
}

/// A key that takes the place of another.
#[derive(Debug, Clone)]
pub struct KeyReplacement {
    pub old: Uuid,
    /// Last instant at which the old one is accepted, in seconds since 1970.
    pub old_until: i64,
    /// Bound of the account's keys.
    pub most: Option<u32>,
    pub key: NewApiKey,
}

// Hashes are not printed: a weak password is found from its hash.

impl std::fmt::Debug for NewAccount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewAccount").field("nome", &self.nome).field("email", &self.email).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for NewApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewApiKey").field("nome", &self.nome).field("prefixo", &self.prefixo).finish_non_exhaustive()
    }
}

impl Store {
    /// Creates a tenant and its first user. Returns `Conflict` when the e-mail is taken.
    pub async fn create_account(&self, account: NewAccount, now: i64) -> Result<Uuid, Error> {
        self.write(CreateAccount { account, tenant: Uuid::now_v7(), user: Uuid::now_v7(), now }).await
    }
    /// `true` if there is a tenant; without one no call can authenticate.
    pub async fn has_accounts(&self) -> Result<bool, Error> {
        self.read(HasAccounts).await
    }

    pub async fn list_accounts(&self) -> Result<Vec<Account>, Error> {
        self.read(ListAccounts { only: None }).await
    }
    /// Finds the tenant of a user by e-mail.
    pub async fn account_by_email(&self, email: &str) -> Result<Uuid, Error> {
        Ok(self.user_by_email(email).await?.tenant_id)
    }
    /// Returns a tenant with its users.
    pub async fn account(&self, tenant: Uuid) -> Result<Account, Error> {
        self.read(ListAccounts { only: Some(tenant) }).await?.pop().ok_or(Error::NotFound)
    }
    /// Adds a key without a bound on their number.
    pub async fn create_api_key(&self, tenant: Uuid, key: NewApiKey, actor: &Actor, now: i64) -> Result<Uuid, Error> {
        self.create_api_key_within(tenant, None, key, actor, now).await
    }
    /// Adds a key. Returns `AccountFull` when `most` keys are active or were revoked within a day; without the second
    /// condition each revocation would allow one more row, without end.
    pub async fn create_api_key_within(
        &self,
        tenant: Uuid,
        most: Option<u32>,
        key: NewApiKey,
        actor: &Actor,
        now: i64,
    ) -> Result<Uuid, Error> {
        self.write(CreateApiKey { tenant, id: Uuid::now_v7(), most, key, actor: actor.clone(), now }).await
    }
    /// Adds a key in place of another, which stays valid until an instant. Returns `Conflict` when the other one is
    /// revoked or was replaced before.
    pub async fn replace_api_key(
        &self,
        tenant: Uuid,
        replacement: KeyReplacement,
        actor: &Actor,
        now: i64,
    ) -> Result<Uuid, Error> {
        let KeyReplacement { old, old_until, most, key } = replacement;
        let created = CreateApiKey { tenant, id: Uuid::now_v7(), most, key, actor: actor.clone(), now };
        self.write(ReplaceApiKey { created, old, old_until }).await
    }
    /// Lists all keys of a tenant, newest first, including revoked ones.
    pub async fn list_api_keys(&self, tenant: Uuid) -> Result<Vec<ApiKey>, Error> {
        self.read(ListApiKeys(tenant)).await
    }
    /// Returns one key of a tenant.
    pub async fn api_key(&self, tenant: Uuid, id: Uuid) -> Result<Option<ApiKey>, Error> {
        self.read(FindApiKey { tenant, id }).await
    }
    /// Revokes a key at once. An earlier revocation instant stays. Sessions bound to the key end with it.
    pub async fn revoke_api_key(&self, tenant: Uuid, id: Uuid, actor: &Actor, now: i64) -> Result<(), Error> {
        self.write(RevokeApiKey { tenant, id, actor: actor.clone(), now }).await
    }
    /// Returns the caller of a key: `NotFound` when unknown, `Conflict("revogada")` when revoked.
    pub async fn caller(&self, hash: &[u8; 32], now: i64) -> Result<Caller, Error> {
        self.read(FindCaller { hash: *hash, now }).await
    }
    /// Records the use of a key, at most once a minute; returns whether it was written. Callers should limit their
    /// calls likewise: an unnecessary call is still a transaction.
    pub async fn touch_api_key(&self, caller: &Caller, now: i64) -> Result<bool, Error> {
        self.write(TouchApiKey { tenant: caller.tenant_id, id: caller.api_key_id, now }).await
    }
}

struct CreateAccount {
    account: NewAccount,
    tenant: Uuid,
    user: Uuid,
    now: i64,
}

impl StoreOperation for CreateAccount {
    type Output = Uuid;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Uuid, Error> {
        let CreateAccount { account, tenant, user, now } = self;
        let sql = "INSERT INTO users (tenant_id, id, email, senha_hash, criado_em) VALUES ($1, $2, $3, $4, $5)
                   ON CONFLICT (email) DO NOTHING";
        let email = email_of(account);
        if tx.execute(sql, &params![*tenant, *user, email, &account.senha_hash, *now]).await? == 0 {
            return Err(Error::Conflict("e-mail já cadastrado"));
        }
        let sql = "INSERT INTO tenants (id, nome, criado_em) VALUES ($1, $2, $3)";
        tx.execute(sql, &params![*tenant, &account.nome, *now]).await?;
        roles::insert(tx, *tenant, *user, Permissao::Administrador, None).await?;
        let (operator, detalhes) = (Actor::operator(), json!({ "nome": account.nome, "email": email_of(account) }));
        audit::append(tx, *tenant, &operator, AuditAct::ContaCriada, &tenant.to_string(), detalhes, *now).await?;
        Ok(*tenant)
    }
}

fn email_of(account: &NewAccount) -> String {
    account.email.to_lowercase()
}

struct HasAccounts;

impl StoreOperation for HasAccounts {
    type Output = bool;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        Ok(!tx.query("SELECT 1 FROM tenants LIMIT 1", &[]).await?.is_empty())
    }
}

/// Lists all tenants, or one.
struct ListAccounts {
    only: Option<Uuid>,
}

impl StoreOperation for ListAccounts {
    type Output = Vec<Account>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<Account>, Error> {
        let all = "SELECT t.id, t.nome, u.email FROM tenants t LEFT JOIN users u ON u.tenant_id = t.id";
        let rows = match self.only {
            Some(tenant) => tx.query(&format!("{all} WHERE t.id = $1 ORDER BY u.email"), &params![tenant]).await?,
            None => tx.query(&format!("{all} ORDER BY t.nome, t.id, u.email"), &[]).await?,
        };
        let mut accounts: Vec<Account> = Vec::new();
        for mut row in rows {
            let (id, nome, email) = (row.read()?, row.read()?, row.read::<Option<String>>()?);
            match accounts.last_mut() {
                Some(last) if last.id == id => last.emails.extend(email),
                _ => accounts.push(Account { id, nome, emails: email.into_iter().collect() }),
            }
        }
        Ok(accounts)
    }
}

struct CreateApiKey {
    tenant: Uuid,
    id: Uuid,
    most: Option<u32>,
    key: NewApiKey,
    actor: Actor,
    now: i64,
}

impl StoreOperation for CreateApiKey {
    type Output = Uuid;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Uuid, Error> {
        let CreateApiKey { tenant, id, most, key, actor, now } = self;
        let lock = tx.dialect().for_update();
        // Locks the row until the commit: two transactions that count at the same moment would both see the last slot
        // as free.
        only(tx.query(&format!("SELECT 1 FROM tenants WHERE id = $1 {lock}"), &params![*tenant]).await?)?;
        if let Some(most) = most {
            let sql =
                "SELECT COUNT(*) FROM api_keys WHERE tenant_id = $1 AND (revogado_em IS NULL OR revogado_em > $2)";
            let count: i64 =
                first(tx.query(sql, &params![*tenant, now - REVOKED_COUNTS_S]).await?)?.unwrap_or_default();
            if count >= i64::from(*most) {
                return Err(Error::AccountFull { most: *most });
            }
        }
        let sql = "INSERT INTO api_keys (tenant_id, id, nome, ambiente, permissao, prefixo, hash, criado_em)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let (ambiente, permissao) = (words::ambiente(key.ambiente), key.permissao.word());
        tx.execute(sql, &params![*tenant, *id, &key.nome, ambiente, permissao, &key.prefixo, &key.hash, *now]).await?;
        let detalhes = json!({
            "nome": key.nome,
            "ambiente": key.ambiente.word(),
            "permissao": permissao,
            "prefixo": key.prefixo,
        });
        audit::append(tx, *tenant, actor, AuditAct::ChaveCriada, &id.to_string(), detalhes, *now).await?;
        Ok(*id)
    }
}

struct ReplaceApiKey {
    created: CreateApiKey,
    old: Uuid,
    old_until: i64,
}

impl StoreOperation for ReplaceApiKey {
    type Output = Uuid;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Uuid, Error> {
        let ReplaceApiKey { created, old, old_until } = self;
        let CreateApiKey { tenant, actor, now, .. } = created;
        let id = created.run(tx).await?;
        let sql = "UPDATE api_keys SET revogado_em = $3 WHERE tenant_id = $1 AND id = $2 AND revogado_em IS NULL";
        if tx.execute(sql, &params![*tenant, *old, *old_until]).await? == 0 {
            let sql = "SELECT 1 FROM api_keys WHERE tenant_id = $1 AND id = $2";
            only(tx.query(sql, &params![*tenant, *old]).await?)?;
            return Err(Error::Conflict("revogada"));
        }
        let detalhes = json!({ "substituida_por": id, "vale_ate": words::brasilia_instant(*old_until) });
        audit::append(tx, *tenant, actor, AuditAct::ChaveRevogada, &old.to_string(), detalhes, *now).await?;
        Ok(id)
    }
}

struct ListApiKeys(Uuid);

impl StoreOperation for ListApiKeys {
    type Output = Vec<ApiKey>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<ApiKey>, Error> {
        let sql = format!("{API_KEY} WHERE tenant_id = $1 ORDER BY id DESC");
        tx.query(&sql, &params![self.0]).await?.into_iter().map(read_api_key).collect()
    }
}

struct FindApiKey {
    tenant: Uuid,
    id: Uuid,
}

impl StoreOperation for FindApiKey {
    type Output = Option<ApiKey>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<ApiKey>, Error> {
        let sql = format!("{API_KEY} WHERE tenant_id = $1 AND id = $2");
        tx.query(&sql, &params![self.tenant, self.id]).await?.into_iter().next().map(read_api_key).transpose()
    }
}

/// Period in which a revoked key counts against the bound of keys, in seconds.
const REVOKED_COUNTS_S: i64 = 86_400;
const API_KEY: &str =
    "SELECT id, nome, ambiente, permissao, prefixo, criado_em, ultimo_uso_em, revogado_em FROM api_keys";

fn read_api_key(mut row: Row) -> Result<ApiKey, Error> {
    Ok(ApiKey {
        id: row.read()?,
        nome: row.read()?,
        ambiente: words::read_ambiente(row.read()?)?,
        permissao: Permissao::read(&row.read::<String>()?)?,
        prefixo: row.read()?,
        criado_em: row.read()?,
        ultimo_uso_em: row.read()?,
        revogado_em: row.read()?,
    })
}

struct RevokeApiKey {
    tenant: Uuid,
    id: Uuid,
    actor: Actor,
    now: i64,
}

impl StoreOperation for RevokeApiKey {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let RevokeApiKey { tenant, id, actor, now } = self;
        let sql = "UPDATE api_keys SET revogado_em = $3
                   WHERE tenant_id = $1 AND id = $2 AND (revogado_em IS NULL OR revogado_em > $3)";
        if tx.execute(sql, &params![*tenant, *id, *now]).await? == 0 {
            let sql = "SELECT 1 FROM api_keys WHERE tenant_id = $1 AND id = $2";
            return only(tx.query(sql, &params![*tenant, *id]).await?).map(drop);
        }
        audit::append(tx, *tenant, actor, AuditAct::ChaveRevogada, &id.to_string(), Value::Null, *now).await
    }
}

struct FindCaller {
    hash: [u8; 32],
    now: i64,
}

impl StoreOperation for FindCaller {
    type Output = Caller;
    const IS_SMALL: bool = true;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Caller, Error> {
        let sql = "SELECT tenant_id, id, ambiente, permissao, revogado_em FROM api_keys WHERE hash = $1";
        let mut row = only(query_step(tx, SqlStep::per_row(sql, params![&self.hash])).await?)?;
        let (tenant_id, api_key_id) = (row.read()?, row.read()?);
        let ambiente = words::read_ambiente(row.read()?)?;
        let permissao = Permissao::read(&row.read::<String>()?)?;
        match row.read::<Option<i64>>()? {
            Some(at) if at <= self.now => Err(Error::Conflict("revogada")),
            _ => Ok(Caller { tenant_id, api_key_id, ambiente, permissao, granted: None }),
        }
    }
}

struct TouchApiKey {
    tenant: Uuid,
    id: Uuid,
    now: i64,
}

impl StoreOperation for TouchApiKey {
    type Output = bool;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let sql = "UPDATE api_keys SET ultimo_uso_em = $3 WHERE tenant_id = $1 AND id = $2
                   AND (ultimo_uso_em IS NULL OR ultimo_uso_em + 60 <= $3) RETURNING ultimo_uso_em";
        Ok(first::<i64>(tx.query(sql, &params![self.tenant, self.id, self.now]).await?)?.is_some())
    }
}

crate::dyn_operation::erasable!(
    CreateAccount,
    HasAccounts,
    ListAccounts,
    CreateApiKey,
    ReplaceApiKey,
    ListApiKeys,
    FindApiKey,
    RevokeApiKey,
    FindCaller,
    TouchApiKey
);
