//! Sessions of users, as rows, so that they can be ended. Each is bound to an active API key, whose environment it
//! works in.
//!
//! Law: docs/contract.md, "Accounts".
//! Must not know: the format of a token.

use fiscal::value::TpAmb;
use serde_json::json;
use uuid::Uuid;

use crate::accounts::Caller;
use crate::audit::{self, Actor, AuditAct};
use crate::logins::{self, LoginGuard};
use crate::row::{first, only, params};
use crate::second_factor::{self, FactorCheck, FactorProof};
use crate::tx::{StoreOperation, Tx};
use crate::words;
use crate::{Error, Store, roles};

/// Interface that a session opens. A session of one kind is not valid on the other interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionKind {
    /// The routes of the API.
    Api,
    /// The pages of the panel; such a session also ends after idle time.
    Painel,
}

impl SessionKind {
    fn word(self) -> &'static str {
        match self {
            SessionKind::Api => "api",
            SessionKind::Painel => "painel",
        }
    }
}

/// The holder of an active session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionCaller {
    pub session_id: Uuid,
    pub user_id: Uuid,
    /// The key that the session is bound to.
    pub caller: Caller,
    pub kind: SessionKind,
}

/// State of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionState {
    /// Valid.
    Active(SessionCaller),
    /// Logged out, replaced, expired, or unknown.
    Ended,
    /// Its key was revoked.
    KeyRevoked,
}

/// A session to open.
#[derive(Clone)]
pub struct NewSession {
    pub tenant_id: Uuid,
    pub user_id: Uuid,
    /// The hash against which the password was checked. It must still be the user's.
    pub senha_hash: String,
    /// The requested environment; without one homologação is preferred.
    pub ambiente: Option<TpAmb>,
    pub kind: SessionKind,
    /// Expiry, seconds since 1970.
    pub expira_em: i64,
    /// The failure counters, which a right password clears.
    pub guard: LoginGuard,
    /// Id of the attempt, whose slots are released.
    pub attempt_id: Uuid,
    /// Proof of the second factor.
    pub factor: FactorProof,
    /// Name of the program that logs in, as it sends it.
    pub navegador: Option<String>,
}

// The hash is not printed: a weak password is found from it.
impl std::fmt::Debug for NewSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewSession").field("user_id", &self.user_id).finish_non_exhaustive()
    }
}

/// Result of opening a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionOpening {
    /// Opened.
    Session(SessionCaller),
    /// The password was changed meanwhile, or the user removed.
    Stale,
    /// The user has a second factor, and no proof of it was given.
    FactorMissing,
    /// The code was used before.
    FactorRefused,
    /// The tenant has no active key (of the requested environment).
    NoActiveKey,
}

impl Store {
    /// Opens a session bound to the oldest active key of its environment, and clears the failures of the pair.
    pub async fn open_session(&self, new: NewSession, actor: &Actor, now: i64) -> Result<SessionOpening, Error> {
        self.write(OpenSession { id: Uuid::now_v7(), new, actor: actor.clone(), now }).await
    }
    /// Returns the state of an API session.
    pub async fn session(&self, tenant: Uuid, id: Uuid, now: i64) -> Result<SessionState, Error> {
        self.read(ReadSession { tenant, id, kind: SessionKind::Api, seen_since: i64::MIN, now }).await
    }
    /// Returns the state of a panel session; one that was idle for `idle_s` seconds has ended. Its use is recorded, at
    /// most once a minute.
    pub async fn panel_session(&self, tenant: Uuid, id: Uuid, idle_s: i64, now: i64) -> Result<SessionState, Error> {
        let read = ReadSession { tenant, id, kind: SessionKind::Painel, seen_since: now - idle_s, now };
        let state = self.read(read).await?;
        if matches!(state, SessionState::Active(_)) {
            self.write(TouchSession { tenant, id, now }).await?;
        }
        Ok(state)
    }
    /// Ends a session for good. It may have ended before.
    pub async fn end_session(&self, tenant: Uuid, id: Uuid, actor: &Actor, now: i64) -> Result<(), Error> {
        self.write(EndSession { tenant, id, actor: actor.clone(), now }).await
    }
    /// Ends a session and opens another of the same user in an environment. Returns `Conflict("sem chave ativa")` when
    /// the tenant has no active key there and `Conflict("sessão encerrada")` when the session has ended; nothing has
    /// changed then.
    pub async fn switch_session(
        &self,
        from: &SessionCaller,
        ambiente: TpAmb,
        expira_em: i64,
        actor: &Actor,
        now: i64,
    ) -> Result<SessionCaller, Error> {
        let (from, actor) = (from.clone(), actor.clone());
        self.write(SwitchSession { id: Uuid::now_v7(), from, ambiente, expira_em, actor, now }).await
    }
}

struct OpenSession {
    id: Uuid,
    new: NewSession,
    actor: Actor,
    now: i64,
}

impl StoreOperation for OpenSession {
    type Output = SessionOpening;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<SessionOpening, Error> {
        let OpenSession { id, new, actor, now } = self;
        let NewSession { tenant_id, user_id, .. } = *new;
        if !password_stands(tx, tenant_id, user_id, &new.senha_hash).await? {
            return Ok(SessionOpening::Stale);
        }
        match second_factor::consume(tx, tenant_id, user_id, &new.factor, actor, *now).await? {
            FactorCheck::Passed => {}
            FactorCheck::Missing => return Ok(SessionOpening::FactorMissing),
            FactorCheck::Refused => return Ok(SessionOpening::FactorRefused),
        }
        // The password was right even if no session can be opened.
        logins::login_succeeded(tx, &new.guard, new.attempt_id, *now).await?;
        let begun = SessionOfUser {
            id: *id,
            tenant_id,
            user_id,
            ambiente: new.ambiente,
            kind: new.kind,
            expira_em: new.expira_em,
            navegador: new.navegador.as_deref(),
            entrada: None,
        };
        Ok(begin(tx, &begun, actor, *now).await?.map_or(SessionOpening::NoActiveKey, SessionOpening::Session))
    }
}

/// A session of a user whose identity is proven.
pub(crate) struct SessionOfUser<'a> {
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) user_id: Uuid,
    pub(crate) ambiente: Option<TpAmb>,
    pub(crate) kind: SessionKind,
    pub(crate) expira_em: i64,
    pub(crate) navegador: Option<&'a str>,
    /// Way in, when it is not the password.
    pub(crate) entrada: Option<&'static str>,
}

/// Opens the session; `None` without an active key.
pub(crate) async fn begin<T: Tx>(
    tx: &mut T,
    new: &SessionOfUser<'_>,
    actor: &Actor,
    now: i64,
) -> Result<Option<SessionCaller>, Error> {
    let tenant = new.tenant_id;
    let key = match new.ambiente {
        Some(ambiente) => active_key(tx, tenant, new.user_id, ambiente).await?,
        None => match active_key(tx, tenant, new.user_id, TpAmb::Homologacao).await? {
            None => active_key(tx, tenant, new.user_id, TpAmb::Producao).await?,
            found => found,
        },
    };
    let Some(caller) = key else { return Ok(None) };
    tx.execute("DELETE FROM sessions WHERE tenant_id = $1 AND expira_em <= $2", &params![tenant, now]).await?;
    let session = SessionCaller { session_id: new.id, user_id: new.user_id, caller, kind: new.kind };
    let origin = SessionOrigin {
        endereco: actor.address.map(|address| address.to_string()),
        navegador: new.navegador.map(str::to_owned),
        entrada: new.entrada.map(str::to_owned),
    };
    insert(tx, &session, &origin, new.expira_em, now).await?;
    let mut detalhes = json!({ "ambiente": session.caller.ambiente.word() });
    if let Some(entrada) = new.entrada {
        detalhes["entrada"] = json!(entrada);
    }
    audit::append(tx, tenant, actor, AuditAct::SessaoIniciada, &new.id.to_string(), detalhes, now).await?;
    Ok(Some(session))
}

/// `true` if a hash is still the user's. Locks the row until the commit, so that a change of the password either comes
/// before and is seen, or comes after and ends the session opened here.
async fn password_stands<T: Tx>(tx: &mut T, tenant: Uuid, user: Uuid, hash: &str) -> Result<bool, Error> {
    let lock = tx.dialect().for_update();
    let sql = format!("SELECT senha_hash FROM users WHERE tenant_id = $1 AND id = $2 {lock}");
    let stored: Option<String> = first(tx.query(&sql, &params![tenant, user]).await?)?;
    Ok(stored.is_some_and(|stored| stored == hash))
}

/// A user as the caller, with the oldest active key. Prefers the tenant's own key to one made for a temporary purpose.
async fn active_key<T: Tx>(tx: &mut T, tenant: Uuid, user: Uuid, ambiente: TpAmb) -> Result<Option<Caller>, Error> {
    let sql =
        "SELECT id FROM api_keys WHERE tenant_id = $1 AND ambiente = $2 AND revogado_em IS NULL ORDER BY id LIMIT 1";
    let Some(id) = first(tx.query(sql, &params![tenant, words::ambiente(ambiente)]).await?)? else { return Ok(None) };
    let granted = roles::read(tx, tenant, user).await?;
    Ok(Some(Caller::of_user(granted, tenant, id, ambiente)))
}

/// Origin of a session, for the list of sessions.
struct SessionOrigin {
    endereco: Option<String>,
    /// Name of the program, as it sent it.
    navegador: Option<String>,
    /// Way in, when it was not the password.
    entrada: Option<String>,
}

async fn insert<T: Tx>(
    tx: &mut T,
    session: &SessionCaller,
    origin: &SessionOrigin,
    expira_em: i64,
    now: i64,
) -> Result<(), Error> {
    let SessionCaller { session_id, user_id, caller, kind: door } = session;
    let SessionOrigin { endereco, navegador, entrada } = origin;
    let sql = "INSERT INTO sessions (tenant_id, id, user_id, api_key_id, porta, criado_em, visto_em, expira_em,
                   endereco, navegador, entrada)
               VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10)";
    let params = params![
        caller.tenant_id,
        *session_id,
        *user_id,
        caller.api_key_id,
        door.word(),
        now,
        expira_em,
        endereco.as_deref(),
        navegador.as_deref(),
        entrada.as_deref()
    ];
    tx.execute(sql, &params).await.map(drop)
}

async fn origin_of<T: Tx>(tx: &mut T, tenant: Uuid, session: Uuid) -> Result<SessionOrigin, Error> {
    let sql = "SELECT endereco, navegador, entrada FROM sessions WHERE tenant_id = $1 AND id = $2";
    let mut row = only(tx.query(sql, &params![tenant, session]).await?)?;
    Ok(SessionOrigin { endereco: row.read()?, navegador: row.read()?, entrada: row.read()? })
}

struct ReadSession {
    tenant: Uuid,
    id: Uuid,
    kind: SessionKind,
    seen_since: i64,
    now: i64,
}

impl StoreOperation for ReadSession {
    type Output = SessionState;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<SessionState, Error> {
        let sql = "SELECT s.user_id, s.api_key_id, k.ambiente, CASE WHEN k.revogado_em <= $3 THEN k.revogado_em END
                   FROM sessions s
                   JOIN api_keys k ON k.tenant_id = s.tenant_id AND k.id = s.api_key_id
                   WHERE s.tenant_id = $1 AND s.id = $2 AND s.revogado_em IS NULL AND s.expira_em > $3
                   AND s.porta = $4 AND COALESCE(s.visto_em, s.criado_em) > $5";
        let params = params![self.tenant, self.id, self.now, self.kind.word(), self.seen_since];
        let rows = tx.query(sql, &params).await?;
        let Ok(mut row) = only(rows) else { return Ok(SessionState::Ended) };
        let (user_id, api_key_id) = (row.read()?, row.read()?);
        let ambiente = words::read_ambiente(row.read()?)?;
        if row.read::<Option<i64>>()?.is_some() {
            return Ok(SessionState::KeyRevoked);
        }
        let granted = roles::read(tx, self.tenant, user_id).await?;
        let caller = Caller::of_user(granted, self.tenant, api_key_id, ambiente);
        Ok(SessionState::Active(SessionCaller { session_id: self.id, user_id, caller, kind: self.kind }))
    }
}

struct TouchSession {
    tenant: Uuid,
    id: Uuid,
    now: i64,
}

impl StoreOperation for TouchSession {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = "UPDATE sessions SET visto_em = $3 WHERE tenant_id = $1 AND id = $2 AND visto_em + 60 <= $3";
        tx.execute(sql, &params![self.tenant, self.id, self.now]).await.map(drop)
    }
}

/// Marks a session as ended; returns whether it was open.
async fn mark_ended<T: Tx>(tx: &mut T, tenant: Uuid, id: Uuid, now: i64) -> Result<bool, Error> {
    let sql = "UPDATE sessions SET revogado_em = $3 WHERE tenant_id = $1 AND id = $2 AND revogado_em IS NULL";
    Ok(tx.execute(sql, &params![tenant, id, now]).await? > 0)
}

/// Ends all sessions of a user.
pub(crate) async fn end_user_sessions<T: Tx>(tx: &mut T, tenant: Uuid, user: Uuid, now: i64) -> Result<(), Error> {
    let sql = "UPDATE sessions SET revogado_em = $3 WHERE tenant_id = $1 AND user_id = $2 AND revogado_em IS NULL";
    tx.execute(sql, &params![tenant, user, now]).await.map(drop)
}

struct EndSession {
    tenant: Uuid,
    id: Uuid,
    actor: Actor,
    now: i64,
}

impl StoreOperation for EndSession {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        if mark_ended(tx, self.tenant, self.id, self.now).await? {
            let alvo = self.id.to_string();
            let none = serde_json::Value::Null;
            audit::append(tx, self.tenant, &self.actor, AuditAct::SessaoEncerrada, &alvo, none, self.now).await?;
        }
        Ok(())
    }
}

struct SwitchSession {
    id: Uuid,
    from: SessionCaller,
    ambiente: TpAmb,
    expira_em: i64,
    actor: Actor,
    now: i64,
}

impl StoreOperation for SwitchSession {
    type Output = SessionCaller;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<SessionCaller, Error> {
        let SwitchSession { id, from, ambiente, expira_em, actor, now } = self;
        let tenant = from.caller.tenant_id;
        let Some(caller) = active_key(tx, tenant, from.user_id, *ambiente).await? else {
            return Err(Error::Conflict("sem chave ativa"));
        };
        if !mark_ended(tx, tenant, from.session_id, *now).await? {
            return Err(Error::Conflict("sessão encerrada"));
        }
        let session = SessionCaller { session_id: *id, user_id: from.user_id, caller, kind: from.kind };
        let origin = origin_of(tx, tenant, from.session_id).await?;
        insert(tx, &session, &origin, *expira_em, *now).await?;
        let detalhes = json!({ "ambiente": ambiente.word(), "sessao_anterior": from.session_id });
        audit::append(tx, tenant, actor, AuditAct::AmbienteTrocado, &id.to_string(), detalhes, *now).await?;
        Ok(session)
    }
}

crate::dyn_operation::erasable!(OpenSession, ReadSession, TouchSession, EndSession, SwitchSession);
