//! Invitations of people to an account, by a link that is valid once.
//!
//! Law: docs/concepts/permissions.md, "Roles". Only the hash of the link's secret is kept.
//! Must not know: the address of the link.

use fiscal::value::CnpjCpf;
use serde_json::json;
use uuid::Uuid;

use crate::accounts::Permissao;
use crate::audit::{self, Actor, ActorKind, AuditAct};
use crate::row::{Row, first, only, params};
use crate::tx::{StoreOperation, Tx};
use crate::users::{self, NewUser};
use crate::{Error, Store, roles, words};

/// An invitation to be made.
#[derive(Debug, Clone)]
pub struct NewInvitation {
    pub email: String,
    pub nome: Option<String>,
    pub role: Permissao,
    /// Empty for every company.
    pub companies: Vec<CnpjCpf>,
    /// SHA-256 of the link's secret.
    pub token_hash: [u8; 32],
    /// Seconds since 1970.
    pub expira_em: i64,
    /// Most people and open invitations of an account.
    pub most: u32,
}

/// A registered invitation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvitationRecord {
    pub tenant: Uuid,
    pub id: Uuid,
    pub email: String,
    pub nome: Option<String>,
    pub role: Permissao,
    /// Empty for every company.
    pub companies: Vec<CnpjCpf>,
    /// E-mail of the person who invited.
    pub convidado_por: Option<String>,
    pub criado_em: i64,
    pub expira_em: i64,
    /// Name of the account.
    pub tenant_nome: String,
}

impl Store {
    /// Registers an invitation in place of an open one to the same address. `Conflict` when the address is a user's of
    /// the account, `NotFound` for an unknown company, `AccountFull` above the bound.
    pub async fn invite(&self, tenant: Uuid, new: NewInvitation, actor: &Actor, now: i64) -> Result<Uuid, Error> {
        self.write(CreateInvitation { tenant, id: Uuid::now_v7(), new, actor: actor.clone(), now }).await
    }
    /// Lists the open invitations of a tenant, newest first.
    pub async fn open_invitations(&self, tenant: Uuid, now: i64) -> Result<Vec<InvitationRecord>, Error> {
        self.read(ListInvitations { tenant, now }).await
    }
    /// Returns the open invitation of a link; `NotFound` for one that is used, revoked, expired, or of a user who does
    /// not administer the account any more.
    pub async fn invitation_of(&self, token_hash: [u8; 32], now: i64) -> Result<InvitationRecord, Error> {
        self.read(FindInvitation { token_hash, now }).await
    }
    /// Revokes an open invitation; `NotFound` for any other.
    pub async fn revoke_invitation(&self, tenant: Uuid, id: Uuid, actor: &Actor, now: i64) -> Result<(), Error> {
        self.write(RevokeInvitation { tenant, id, actor: actor.clone(), now }).await
    }
    /// Makes the user of an open invitation, with the role, and uses the invitation up. `NotFound` unless it is open,
    /// `Conflict` when the address has become a user's of any account. The new user is the actor; the kind of `actor`
    /// is ignored.
    pub async fn accept_invitation(
        &self,
        token_hash: [u8; 32],
        senha_hash: String,
        actor: &Actor,
        now: i64,
    ) -> Result<Uuid, Error> {
        let user = Uuid::now_v7();
        self.write(AcceptInvitation { token_hash, senha_hash, user, actor: actor.clone(), now }).await
    }
}

/// Refusal of an address that has a user.
pub const KNOWN_ADDRESS: &str = "e-mail já cadastrado";

const INVITATION: &str =
    "SELECT i.tenant_id, i.id, i.email, i.nome, i.papel, i.empresas, i.convidado_por, i.criado_em, i.expira_em,
    t.nome FROM invitations i JOIN tenants t ON t.id = i.tenant_id";
/// Condition of an open invitation; the instant is the parameter `$2`. Of a user who administers the account no more,
/// none is open.
const OPEN: &str = "i.usado_em IS NULL AND i.revogado_em IS NULL AND i.expira_em > $2
    AND (i.convidado_por_id IS NULL OR EXISTS (SELECT 1 FROM role_grants g WHERE g.tenant_id = i.tenant_id
         AND g.user_id = i.convidado_por_id AND g.cpf_cnpj = '' AND g.papel = 'administrador'))";

fn read_invitation(mut row: Row) -> Result<InvitationRecord, Error> {
    let (tenant, id, email, nome) = (row.read()?, row.read()?, row.read()?, row.read()?);
    let role = Permissao::read(&row.read::<String>()?)?;
    let companies: Vec<String> = words::read_json(row.read()?)?;
    Ok(InvitationRecord {
        tenant,
        id,
        email,
        nome,
        role,
        companies: companies.into_iter().map(words::read_cpf_cnpj).collect::<Result<_, _>>()?,
        convidado_por: row.read()?,
        criado_em: row.read()?,
        expira_em: row.read()?,
        tenant_nome: row.read()?,
    })
}

struct CreateInvitation {
    tenant: Uuid,
    id: Uuid,
    new: NewInvitation,
    actor: Actor,
    now: i64,
}

impl StoreOperation for CreateInvitation {
    type Output = Uuid;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Uuid, Error> {
        let CreateInvitation { tenant, id, new, actor, now } = self;
        let email = new.email.to_lowercase();
        roles::lock(tx, *tenant).await?;
        roles::require_companies(tx, *tenant, new.companies.iter().copied()).await?;
        let sql = "SELECT 1 FROM users WHERE tenant_id = $1 AND email = $2";
        if !tx.query(sql, &params![*tenant, &email]).await?.is_empty() {
            return Err(Error::Conflict(KNOWN_ADDRESS));
        }
        let sql = "UPDATE invitations SET revogado_em = $3
                   WHERE tenant_id = $1 AND email = $2 AND usado_em IS NULL AND revogado_em IS NULL";
        tx.execute(sql, &params![*tenant, &email, *now]).await?;
        // rows of the past week count, so that revoking does not allow invitations without end
        let sql = "SELECT (SELECT COUNT(*) FROM users WHERE tenant_id = $1)
                       + (SELECT COUNT(*) FROM invitations WHERE tenant_id = $1 AND usado_em IS NULL AND expira_em > $2)";
        let count: i64 = first(tx.query(sql, &params![*tenant, *now]).await?)?.unwrap_or_default();
        if count >= i64::from(new.most) {
            return Err(Error::AccountFull { most: new.most });
        }
        let companies: Vec<&str> = new.companies.iter().map(CnpjCpf::as_str).collect();
        let (by, inviter) = match actor.kind {
            ActorKind::User(user) => {
                let sql = "SELECT email FROM users WHERE tenant_id = $1 AND id = $2";
                (first::<String>(tx.query(sql, &params![*tenant, user]).await?)?, Some(user))
            }
            _ => (None, None),
        };
        let sql = "INSERT INTO invitations
                       (tenant_id, id, token_hash, email, nome, papel, empresas, convidado_por, criado_em, expira_em,
                        convidado_por_id)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        let params = params![
            *tenant,
            *id,
            &new.token_hash,
            &email,
            new.nome.as_deref(),
            new.role.word(),
            words::json(&companies)?,
            by.as_deref(),
            *now,
            new.expira_em,
            inviter
        ];
        tx.execute(sql, &params).await?;
        let detalhes = json!({ "email": email, "papel": new.role.word(), "empresas": companies });
        audit::append(tx, *tenant, actor, AuditAct::ConviteCriado, &id.to_string(), detalhes, *now).await?;
        Ok(*id)
    }
}

struct ListInvitations {
    tenant: Uuid,
    now: i64,
}

impl StoreOperation for ListInvitations {
    type Output = Vec<InvitationRecord>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<InvitationRecord>, Error> {
        let sql = format!("{INVITATION} WHERE i.tenant_id = $1 AND {OPEN} ORDER BY i.id DESC");
        tx.query(&sql, &params![self.tenant, self.now]).await?.into_iter().map(read_invitation).collect()
    }
}

struct FindInvitation {
    token_hash: [u8; 32],
    now: i64,
}

impl StoreOperation for FindInvitation {
    type Output = InvitationRecord;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<InvitationRecord, Error> {
        let sql = format!("{INVITATION} WHERE i.token_hash = $1 AND {OPEN}");
        read_invitation(only(tx.query(&sql, &params![&self.token_hash, self.now]).await?)?)
    }
}

struct RevokeInvitation {
    tenant: Uuid,
    id: Uuid,
    actor: Actor,
    now: i64,
}

impl StoreOperation for RevokeInvitation {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let RevokeInvitation { tenant, id, actor, now } = self;
        let sql = "UPDATE invitations SET revogado_em = $3
                   WHERE tenant_id = $1 AND id = $2 AND usado_em IS NULL AND revogado_em IS NULL AND expira_em > $3
                   RETURNING email";
        let email: String = only(tx.query(sql, &params![*tenant, *id, *now]).await?)?.read()?;
        let detalhes = json!({ "email": email });
        audit::append(tx, *tenant, actor, AuditAct::ConviteRevogado, &id.to_string(), detalhes, *now).await
    }
}

struct AcceptInvitation {
    token_hash: [u8; 32],
    senha_hash: String,
    user: Uuid,
    actor: Actor,
    now: i64,
}

impl StoreOperation for AcceptInvitation {
    type Output = Uuid;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Uuid, Error> {
        let AcceptInvitation { token_hash, senha_hash, user, actor, now } = self;
        // of two that accept at once, the second one finds it used
        let sql = format!(
            "UPDATE invitations AS i SET usado_em = $2 WHERE i.token_hash = $1 AND {OPEN}
             RETURNING tenant_id, id, email, nome, papel, empresas"
        );
        let mut row = only(tx.query(&sql, &params![token_hash, *now]).await?)?;
        let (tenant, id): (Uuid, Uuid) = (row.read()?, row.read()?);
        let new = NewUser { email: row.read()?, nome: row.read()?, senha_hash: senha_hash.clone() };
        let role = Permissao::read(&row.read::<String>()?)?;
        let companies: Vec<String> = words::read_json(row.read()?)?;
        users::insert(tx, tenant, *user, &new, *now).await?;
        if companies.is_empty() {
            roles::insert(tx, tenant, *user, role, None).await?;
        }
        for company in companies {
            roles::insert(tx, tenant, *user, role, Some(words::read_cpf_cnpj(company)?)).await?;
        }
        let actor = Actor { kind: ActorKind::User(*user), ..actor.clone() };
        let detalhes = json!({ "email": new.email, "papel": role.word(), "usuario": user });
        audit::append(tx, tenant, &actor, AuditAct::ConviteAceito, &id.to_string(), detalhes, *now).await?;
        Ok(*user)
    }
}

crate::dyn_operation::erasable!(CreateInvitation, ListInvitations, FindInvitation, RevokeInvitation, AcceptInvitation);
