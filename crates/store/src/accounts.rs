//! Tenants, users, API keys.
//!
//! Law: spec not-shown §6. Must not know: how a password is hashed or a key is made.

use crate::jobs::words;
use crate::row::{Row, first, only, params};
use crate::tx::{Operation, Tx};
use crate::{Error, Store};
use fiscal::value::TpAmb;
use uuid::Uuid;

/// Who is calling, found by the hash of an API key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Tenant.
    pub tenant_id: Uuid,
    /// Key used.
    pub api_key_id: Uuid,
    /// Environment the key belongs to.
    pub ambiente: TpAmb,
}

/// A new tenant with its first user.
#[derive(Clone)]
pub struct NewAccount {
    /// Name of the account.
    pub nome: String,
    /// Login.
    pub email: String,
    /// Argon2id PHC string (hashed by the caller).
    pub senha_hash: String,
}

/// A new API key; only its hash and the first characters are kept.
#[derive(Clone)]
pub struct NewApiKey {
    /// For people.
    pub nome: String,
    /// Environment.
    pub ambiente: TpAmb,
    /// First 12 characters, for people.
    pub prefixo: String,
    /// SHA-256 of the whole key.
    pub hash: [u8; 32],
}

/// A tenant as listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Tenant.
    pub id: Uuid,
    /// Name.
    pub nome: String,
    /// E-mails of its users.
    pub emails: Vec<String>,
}

/// A user, to check a login.
#[derive(Clone)]
pub struct User {
    /// User.
    pub id: Uuid,
    /// Tenant.
    pub tenant_id: Uuid,
    /// Login.
    pub email: String,
    /// Argon2id PHC string.
    pub senha_hash: String,
}

/// An API key as listed: never its secret, nor its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Key.
    pub id: Uuid,
    /// For people.
    pub nome: String,
    /// Environment.
    pub ambiente: TpAmb,
    /// First characters.
    pub prefixo: String,
    /// Seconds since 1970.
    pub criado_em: i64,
    /// Last use, to the minute.
    pub ultimo_uso_em: Option<i64>,
    /// When it was revoked.
    pub revogado_em: Option<i64>,
}

// hashes are not printed: a weak password is found from its hash

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

impl std::fmt::Debug for User {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("User").field("id", &self.id).field("tenant_id", &self.tenant_id).finish_non_exhaustive()
    }
}

impl Store {
    /// Makes a tenant and its first user; `Conflict` when the e-mail is taken.
    pub async fn create_account(&self, account: NewAccount, now: i64) -> Result<Uuid, Error> {
        self.write(CreateAccount { account, tenant: Uuid::now_v7(), user: Uuid::now_v7(), now }).await
    }
    /// All tenants.
    pub async fn list_accounts(&self) -> Result<Vec<Account>, Error> {
        self.read(ListAccounts).await
    }
    /// Tenant of a user, by e-mail.
    pub async fn account_by_email(&self, email: &str) -> Result<Uuid, Error> {
        Ok(self.user_by_email(email).await?.tenant_id)
    }
    /// A user with the hash of the password, by e-mail.
    pub async fn user_by_email(&self, email: &str) -> Result<User, Error> {
        self.read(UserByEmail(email.to_lowercase())).await
    }
    /// Adds a key.
    pub async fn create_api_key(&self, tenant: Uuid, key: NewApiKey, now: i64) -> Result<Uuid, Error> {
        self.write(CreateApiKey { tenant, id: Uuid::now_v7(), key, now }).await
    }
    /// All keys of a tenant, revoked ones too, newest first.
    pub async fn list_api_keys(&self, tenant: Uuid) -> Result<Vec<ApiKey>, Error> {
        self.read(ListApiKeys(tenant)).await
    }
    /// Revokes a key; once revoked it stays so, from the first time.
    pub async fn revoke_api_key(&self, tenant: Uuid, id: Uuid, now: i64) -> Result<(), Error> {
        self.write(RevokeApiKey { tenant, id, now }).await
    }
    /// The caller of a key; `NotFound` when unknown, `Conflict("revogada")` when revoked.
    pub async fn caller(&self, hash: &[u8; 32]) -> Result<Caller, Error> {
        self.read(FindCaller(*hash)).await
    }
    /// Notes the use of a key, at most once a minute; returns whether it was written. The caller should ask no more often
    /// than that either: an unnecessary call is still a transaction.
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

impl Operation for CreateAccount {
    type Output = Uuid;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Uuid, Error> {
        let CreateAccount { account, tenant, user, now } = self;
        let sql = "INSERT INTO users (tenant_id, id, email, senha_hash, criado_em) VALUES ($1, $2, $3, $4, $5)
                   ON CONFLICT (email) DO NOTHING";
        let email = account.email.to_lowercase();
        if tx.execute(sql, &params![*tenant, *user, email, &account.senha_hash, *now]).await? == 0 {
            return Err(Error::Conflict("e-mail já cadastrado"));
        }
        let sql = "INSERT INTO tenants (id, nome, criado_em) VALUES ($1, $2, $3)";
        tx.execute(sql, &params![*tenant, &account.nome, *now]).await?;
        Ok(*tenant)
    }
}

struct ListAccounts;

impl Operation for ListAccounts {
    type Output = Vec<Account>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<Account>, Error> {
        let sql = "SELECT t.id, t.nome, u.email FROM tenants t LEFT JOIN users u ON u.tenant_id = t.id
                   ORDER BY t.nome, t.id, u.email";
        let mut accounts: Vec<Account> = Vec::new();
        for mut row in tx.query(sql, &[]).await? {
            let (id, nome, email) = (row.take()?, row.take()?, row.take::<Option<String>>()?);
            match accounts.last_mut() {
                Some(last) if last.id == id => last.emails.extend(email),
                _ => accounts.push(Account { id, nome, emails: email.into_iter().collect() }),
            }
        }
        Ok(accounts)
    }
}

struct UserByEmail(String);

impl Operation for UserByEmail {
    type Output = User;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<User, Error> {
        let sql = "SELECT id, tenant_id, email, senha_hash FROM users WHERE email = $1";
        let mut row = only(tx.query(sql, &params![&self.0]).await?)?;
        Ok(User { id: row.take()?, tenant_id: row.take()?, email: row.take()?, senha_hash: row.take()? })
    }
}

struct CreateApiKey {
    tenant: Uuid,
    id: Uuid,
    key: NewApiKey,
    now: i64,
}

impl Operation for CreateApiKey {
    type Output = Uuid;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Uuid, Error> {
        let CreateApiKey { tenant, id, key, now } = self;
        only(tx.query("SELECT 1 FROM tenants WHERE id = $1", &params![*tenant]).await?)?;
        let sql = "INSERT INTO api_keys (tenant_id, id, nome, ambiente, prefixo, hash, criado_em)
                   VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let ambiente = words::ambiente(key.ambiente);
        tx.execute(sql, &params![*tenant, *id, &key.nome, ambiente, &key.prefixo, &key.hash, *now]).await?;
        Ok(*id)
    }
}

struct ListApiKeys(Uuid);

impl Operation for ListApiKeys {
    type Output = Vec<ApiKey>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<ApiKey>, Error> {
        let sql = "SELECT id, nome, ambiente, prefixo, criado_em, ultimo_uso_em, revogado_em FROM api_keys
                   WHERE tenant_id = $1 ORDER BY id DESC";
        tx.query(sql, &params![self.0]).await?.into_iter().map(read_api_key).collect()
    }
}

fn read_api_key(mut row: Row) -> Result<ApiKey, Error> {
    Ok(ApiKey {
        id: row.take()?,
        nome: row.take()?,
        ambiente: words::read_ambiente(row.take()?)?,
        prefixo: row.take()?,
        criado_em: row.take()?,
        ultimo_uso_em: row.take()?,
        revogado_em: row.take()?,
    })
}

struct RevokeApiKey {
    tenant: Uuid,
    id: Uuid,
    now: i64,
}

impl Operation for RevokeApiKey {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = "UPDATE api_keys SET revogado_em = COALESCE(revogado_em, $3) WHERE tenant_id = $1 AND id = $2";
        match tx.execute(sql, &params![self.tenant, self.id, self.now]).await? {
            0 => Err(Error::NotFound),
            _ => Ok(()),
        }
    }
}

struct FindCaller([u8; 32]);

impl Operation for FindCaller {
    type Output = Caller;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Caller, Error> {
        let sql = "SELECT tenant_id, id, ambiente, revogado_em FROM api_keys WHERE hash = $1";
        let mut row = only(tx.query(sql, &params![&self.0]).await?)?;
        let (tenant_id, api_key_id) = (row.take()?, row.take()?);
        let ambiente = words::read_ambiente(row.take()?)?;
        match row.take::<Option<i64>>()? {
            Some(_) => Err(Error::Conflict("revogada")),
            None => Ok(Caller { tenant_id, api_key_id, ambiente }),
        }
    }
}

struct TouchApiKey {
    tenant: Uuid,
    id: Uuid,
    now: i64,
}

impl Operation for TouchApiKey {
    type Output = bool;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let sql = "UPDATE api_keys SET ultimo_uso_em = $3 WHERE tenant_id = $1 AND id = $2
                   AND (ultimo_uso_em IS NULL OR ultimo_uso_em + 60 <= $3) RETURNING ultimo_uso_em";
        Ok(first::<i64>(tx.query(sql, &params![self.tenant, self.id, self.now]).await?)?.is_some())
    }
}
