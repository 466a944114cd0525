//! Users: the people of a tenant who log in.
//!
//! Law: docs/contract.md, "Accounts".
//! Must not know: how a password is hashed.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::accounts::Permissao;
use crate::audit::{self, Actor, AuditAct};
use crate::row::{Row, only, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, identities, roles, second_factor, sessions};

/// A user, for checking a login.
#[derive(Clone)]
pub struct User {
    pub id: Uuid,
    pub tenant_id: Uuid,
    /// E-mail of the login.
    pub email: String,
    /// Name of the user, or else of the account.
    pub nome: String,
    /// Name of the account.
    pub tenant_nome: String,
    /// Argon2id PHC string.
    pub senha_hash: String,
}

/// A user to add to a tenant.
#[derive(Clone)]
pub struct NewUser {
    /// E-mail of the login.
    pub email: String,
    /// Display name.
    pub nome: Option<String>,
    /// Argon2id PHC string, computed by the caller.
    pub senha_hash: String,
}

// Hashes are not printed: a weak password is found from its hash.

impl std::fmt::Debug for User {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("User").field("id", &self.id).field("tenant_id", &self.tenant_id).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for NewUser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewUser").field("email", &self.email).finish_non_exhaustive()
    }
}

impl Store {
    /// Finds a user and the password hash by e-mail, without regard to case.
    pub async fn user_by_email(&self, email: &str) -> Result<User, Error> {
        self.read(UserByEmail(email.to_lowercase())).await
    }
    /// Returns a user of a tenant.
    pub async fn user(&self, tenant: Uuid, id: Uuid) -> Result<User, Error> {
        self.read(UserById { tenant, id }).await
    }
    /// Lists all users of a tenant by e-mail.
    pub async fn list_users(&self, tenant: Uuid) -> Result<Vec<User>, Error> {
        self.read(ListUsers(tenant)).await
    }
    /// Adds a user, an administrator of every company. Returns `Conflict` when the e-mail is taken in any tenant.
    pub async fn create_user(&self, tenant: Uuid, user: NewUser, actor: &Actor, now: i64) -> Result<Uuid, Error> {
        self.write(CreateUser { tenant, id: Uuid::now_v7(), user, actor: actor.clone(), now }).await
    }
    /// Removes a user and ends its sessions. Returns `Conflict` for the last user or administrator of a tenant.
    pub async fn remove_user(&self, tenant: Uuid, id: Uuid, actor: &Actor, now: i64) -> Result<(), Error> {
        self.write(RemoveUser { tenant, id, actor: actor.clone(), now }).await
    }
    /// Changes the display name.
    pub async fn rename_user(&self, tenant: Uuid, id: Uuid, nome: &str, actor: &Actor, now: i64) -> Result<(), Error> {
        self.write(RenameUser { tenant, id, nome: nome.to_owned(), actor: actor.clone(), now }).await
    }
    /// Replaces the password and ends all sessions of the user.
    pub async fn change_password(
        &self,
        tenant: Uuid,
        id: Uuid,
        senha_hash: String,
        actor: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(ChangePassword { tenant, id, senha_hash, actor: actor.clone(), now }).await
    }
}

const USER: &str = "SELECT u.id, u.tenant_id, u.email, COALESCE(u.nome, t.nome), t.nome, u.senha_hash
    FROM users u JOIN tenants t ON t.id = u.tenant_id";

fn read_user(mut row: Row) -> Result<User, Error> {
    Ok(User {
        id: row.read()?,
        tenant_id: row.read()?,
        email: row.read()?,
        nome: row.read()?,
        tenant_nome: row.read()?,
        senha_hash: row.read()?,
    })
}

struct UserByEmail(String);

impl StoreOperation for UserByEmail {
    type Output = User;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<User, Error> {
        let sql = format!("{USER} WHERE u.email = $1");
        read_user(only(tx.query(&sql, &params![&self.0]).await?)?)
    }
}

struct UserById {
    tenant: Uuid,
    id: Uuid,
}

impl StoreOperation for UserById {
    type Output = User;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<User, Error> {
        let sql = format!("{USER} WHERE u.tenant_id = $1 AND u.id = $2");
        read_user(only(tx.query(&sql, &params![self.tenant, self.id]).await?)?)
    }
}

struct ListUsers(Uuid);

impl StoreOperation for ListUsers {
    type Output = Vec<User>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<User>, Error> {
        let sql = format!("{USER} WHERE u.tenant_id = $1 ORDER BY u.email");
        tx.query(&sql, &params![self.0]).await?.into_iter().map(read_user).collect()
    }
}

struct CreateUser {
    tenant: Uuid,
    id: Uuid,
    user: NewUser,
    actor: Actor,
    now: i64,
}

impl StoreOperation for CreateUser {
    type Output = Uuid;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Uuid, Error> {
        let CreateUser { tenant, id, user, actor, now } = self;
        only(tx.query("SELECT 1 FROM tenants WHERE id = $1", &params![*tenant]).await?)?;
        insert(tx, *tenant, *id, user, *now).await?;
        roles::insert(tx, *tenant, *id, Permissao::Administrador, None).await?;
        let detalhes = json!({ "email": user.email.to_lowercase() });
        audit::append(tx, *tenant, actor, AuditAct::UsuarioCriado, &id.to_string(), detalhes, *now).await?;
        Ok(*id)
    }
}

/// Inserts a user without a role.
pub(crate) async fn insert<T: Tx>(tx: &mut T, tenant: Uuid, id: Uuid, user: &NewUser, now: i64) -> Result<(), Error> {
    let sql = "INSERT INTO users (tenant_id, id, email, nome, senha_hash, criado_em) VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (email) DO NOTHING";
    let params = params![tenant, id, user.email.to_lowercase(), user.nome.as_deref(), &user.senha_hash, now];
    match tx.execute(sql, &params).await? {
        0 => Err(Error::Conflict("e-mail já cadastrado")),
        _ => Ok(()),
    }
}

struct RemoveUser {
    tenant: Uuid,
    id: Uuid,
    actor: Actor,
    now: i64,
}

impl StoreOperation for RemoveUser {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let RemoveUser { tenant, id, actor, now } = self;
        // Locks all users, so that of two concurrent removals one sees the last user.
        let lock = tx.dialect().for_update();
        let sql = format!("SELECT id, email FROM users WHERE tenant_id = $1 ORDER BY id {lock}");
        let mut email = None;
        let rows = tx.query(&sql, &params![*tenant]).await?;
        let count = rows.len();
        for mut row in rows {
            if row.read::<Uuid>()? == *id {
                email = Some(row.read::<String>()?);
            }
        }
        let email = email.ok_or(Error::NotFound)?;
        if count == 1 {
            return Err(Error::Conflict("é o único usuário da conta"));
        }
        roles::lock(tx, *tenant).await?;
        tx.execute("DELETE FROM role_grants WHERE tenant_id = $1 AND user_id = $2", &params![*tenant, *id]).await?;
        roles::require_administrator(tx, *tenant).await?;
        tx.execute("DELETE FROM users WHERE tenant_id = $1 AND id = $2", &params![*tenant, *id]).await?;
        tx.execute("DELETE FROM mail_alerts WHERE tenant_id = $1 AND user_id = $2", &params![*tenant, *id]).await?;
        let visits = "DELETE FROM received_visits WHERE tenant_id = $1 AND user_id = $2";
        tx.execute(visits, &params![*tenant, *id]).await?;
        sessions::end_user_sessions(tx, *tenant, *id, *now).await?;
        second_factor::erase(tx, *tenant, *id).await?;
        identities::erase(tx, *tenant, *id).await?;
        let detalhes = json!({ "email": email });
        audit::append(tx, *tenant, actor, AuditAct::UsuarioRemovido, &id.to_string(), detalhes, *now).await
    }
}

struct RenameUser {
    tenant: Uuid,
    id: Uuid,
    nome: String,
    actor: Actor,
    now: i64,
}

impl StoreOperation for RenameUser {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let RenameUser { tenant, id, nome, actor, now } = self;
        let sql = "UPDATE users SET nome = $3 WHERE tenant_id = $1 AND id = $2";
        if tx.execute(sql, &params![*tenant, *id, nome]).await? == 0 {
            return Err(Error::NotFound);
        }
        audit::append(tx, *tenant, actor, AuditAct::NomeAlterado, &id.to_string(), Value::Null, *now).await
    }
}

struct ChangePassword {
    tenant: Uuid,
    id: Uuid,
    senha_hash: String,
    actor: Actor,
    now: i64,
}

impl StoreOperation for ChangePassword {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let ChangePassword { tenant, id, senha_hash, actor, now } = self;
        let sql = "UPDATE users SET senha_hash = $3 WHERE tenant_id = $1 AND id = $2";
        if tx.execute(sql, &params![*tenant, *id, senha_hash]).await? == 0 {
            return Err(Error::NotFound);
        }
        sessions::end_user_sessions(tx, *tenant, *id, *now).await?;
        audit::append(tx, *tenant, actor, AuditAct::SenhaAlterada, &id.to_string(), Value::Null, *now).await
    }
}

crate::dyn_operation::erasable!(UserByEmail, UserById, ListUsers, CreateUser, RemoveUser, RenameUser, ChangePassword);
