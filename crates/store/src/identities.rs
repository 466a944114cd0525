//! Identities of users at a provider of OpenID Connect, and the sessions that they open.
//!
//! Law: OpenID Connect Core 1.0 §5.7: issuer and subject together name a person, an e-mail does not.
//! Must not know: how an identity is proven.

use fiscal::value::TpAmb;
use serde_json::json;
use uuid::Uuid;

use crate::audit::{self, Actor, ActorKind, AuditAct};
use crate::row::{only, params};
use crate::sessions::{self, SessionCaller, SessionKind, SessionOfUser};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, second_factor};

/// A person at a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalIdentity {
    pub issuer: String,
    pub subject: String,
    /// Shown to the user; of no effect.
    pub email: Option<String>,
}

/// A session that an identity opens.
#[derive(Debug, Clone)]
pub struct NewExternalSession {
    pub identity: ExternalIdentity,
    /// A verified e-mail that may link a user without an identity.
    pub matched_email: Option<String>,
    /// Expiry, seconds since 1970.
    pub expira_em: i64,
    /// Name of the program that logs in, as it sends it.
    pub navegador: Option<String>,
}

/// Result of opening a session by an identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExternalOpening {
    /// Opened.
    Session(SessionCaller),
    /// No user has the identity or its e-mail.
    Unknown,
    /// The user of the e-mail must link the identity first: a second factor or another identity protects the user.
    Unlinked,
    /// The tenant has no active key.
    NoActiveKey,
}

impl Store {
    /// Opens a panel session for the user of an identity; links a user by the e-mail first, if allowed.
    pub async fn open_external_session(
        &self,
        new: NewExternalSession,
        actor: &Actor,
        now: i64,
    ) -> Result<ExternalOpening, Error> {
        self.write(OpenExternalSession { id: Uuid::now_v7(), new, actor: actor.clone(), now }).await
    }
    /// Returns the identity of a user.
    pub async fn identity_of(&self, tenant: Uuid, user: Uuid) -> Result<Option<ExternalIdentity>, Error> {
        self.read(ReadIdentity { tenant, user }).await
    }
    /// Links a user to an identity. Returns `Conflict` when either has another link.
    pub async fn link_identity(
        &self,
        tenant: Uuid,
        user: Uuid,
        identity: ExternalIdentity,
        actor: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(LinkIdentity { tenant, user, identity, actor: actor.clone(), now }).await
    }
    /// Removes the link of a user. There may be none.
    pub async fn unlink_identity(&self, tenant: Uuid, user: Uuid, actor: &Actor, now: i64) -> Result<(), Error> {
        self.write(UnlinkIdentity { tenant, user, actor: actor.clone(), now }).await
    }
}

/// Deletes the identity of a user; returns whether there was one.
pub(crate) async fn erase<T: Tx>(tx: &mut T, tenant: Uuid, user: Uuid) -> Result<bool, Error> {
    let sql = "DELETE FROM external_identities WHERE tenant_id = $1 AND user_id = $2";
    Ok(tx.execute(sql, &params![tenant, user]).await? > 0)
}

async fn insert<T: Tx>(
    tx: &mut T,
    tenant: Uuid,
    user: Uuid,
    identity: &ExternalIdentity,
    actor: &Actor,
    now: i64,
) -> Result<bool, Error> {
    let sql = "INSERT INTO external_identities (issuer, subject, tenant_id, user_id, email, criado_em)
               VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
    let ExternalIdentity { issuer, subject, email } = identity;
    if tx.execute(sql, &params![issuer, subject, tenant, user, email.as_deref(), now]).await? == 0 {
        return Ok(false);
    }
    let detalhes = json!({ "emissor": issuer, "email": email });
    audit::append(tx, tenant, actor, AuditAct::IdentidadeVinculada, &user.to_string(), detalhes, now).await?;
    Ok(true)
}

struct OpenExternalSession {
    id: Uuid,
    new: NewExternalSession,
    actor: Actor,
    now: i64,
}

impl OpenExternalSession {
    fn actor_of(&self, user: Uuid) -> Actor {
        Actor { kind: ActorKind::User(user), ..self.actor.clone() }
    }

    /// Tenant and user of the identity; links the user of the e-mail. `Err` is the refusal.
    async fn user<T: Tx>(&self, tx: &mut T) -> Result<Result<(Uuid, Uuid), ExternalOpening>, Error> {
        let ExternalIdentity { issuer, subject, .. } = &self.new.identity;
        let lock = tx.dialect().for_update();
        let sql = format!(
            "SELECT u.tenant_id, u.id FROM users u WHERE EXISTS (SELECT 1 FROM external_identities e
             WHERE e.issuer = $1 AND e.subject = $2 AND e.tenant_id = u.tenant_id AND e.user_id = u.id) {lock}"
        );
        if let Some(mut row) = tx.query(&sql, &params![issuer, subject]).await?.into_iter().next() {
            return Ok(Ok((row.read()?, row.read()?)));
        }
        let Some(email) = &self.new.matched_email else { return Ok(Err(ExternalOpening::Unknown)) };
        let sql = format!("SELECT tenant_id, id FROM users WHERE email = $1 {lock}");
        let Ok(mut row) = only(tx.query(&sql, &params![&email.to_lowercase()]).await?) else {
            return Ok(Err(ExternalOpening::Unknown));
        };
        let (tenant, user): (Uuid, Uuid) = (row.read()?, row.read()?);
        let is_free = !second_factor::is_on(tx, tenant, user).await?;
        let actor = self.actor_of(user);
        if is_free && insert(tx, tenant, user, &self.new.identity, &actor, self.now).await? {
            return Ok(Ok((tenant, user)));
        }
        Ok(Err(ExternalOpening::Unlinked))
    }
}

impl StoreOperation for OpenExternalSession {
    type Output = ExternalOpening;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<ExternalOpening, Error> {
        let (tenant_id, user_id) = match self.user(tx).await? {
            Ok(found) => found,
            Err(refused) => return Ok(refused),
        };
        let begun = SessionOfUser {
            id: self.id,
            tenant_id,
            user_id,
            ambiente: None::<TpAmb>,
            kind: SessionKind::Painel,
            expira_em: self.new.expira_em,
            navegador: self.new.navegador.as_deref(),
            entrada: Some("oidc"),
        };
        let opened = sessions::begin(tx, &begun, &self.actor_of(user_id), self.now).await?;
        Ok(opened.map_or(ExternalOpening::NoActiveKey, ExternalOpening::Session))
    }
}

struct ReadIdentity {
    tenant: Uuid,
    user: Uuid,
}

impl StoreOperation for ReadIdentity {
    type Output = Option<ExternalIdentity>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<ExternalIdentity>, Error> {
        let sql = "SELECT issuer, subject, email FROM external_identities WHERE tenant_id = $1 AND user_id = $2";
        let Some(mut row) = tx.query(sql, &params![self.tenant, self.user]).await?.into_iter().next() else {
            return Ok(None);
        };
        Ok(Some(ExternalIdentity { issuer: row.read()?, subject: row.read()?, email: row.read()? }))
    }
}

struct LinkIdentity {
    tenant: Uuid,
    user: Uuid,
    identity: ExternalIdentity,
    actor: Actor,
    now: i64,
}

impl StoreOperation for LinkIdentity {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let LinkIdentity { tenant, user, identity, actor, now } = self;
        // A removed user must not keep an identity.
        let lock = tx.dialect().for_update();
        let sql = format!("SELECT 1 FROM users WHERE tenant_id = $1 AND id = $2 {lock}");
        only(tx.query(&sql, &params![*tenant, *user]).await?)?;
        if insert(tx, *tenant, *user, identity, actor, *now).await? {
            return Ok(());
        }
        Err(Error::Conflict("identidade já vinculada"))
    }
}

struct UnlinkIdentity {
    tenant: Uuid,
    user: Uuid,
    actor: Actor,
    now: i64,
}

impl StoreOperation for UnlinkIdentity {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let UnlinkIdentity { tenant, user, actor, now } = self;
        if erase(tx, *tenant, *user).await? {
            let (act, none) = (AuditAct::IdentidadeDesvinculada, serde_json::Value::Null);
            audit::append(tx, *tenant, actor, act, &user.to_string(), none, *now).await?;
        }
        Ok(())
    }
}

crate::dyn_operation::erasable!(OpenExternalSession, ReadIdentity, LinkIdentity, UnlinkIdentity);
