//! The open sessions of a user: listed, and ended one by one or all others at once.

use fiscal::value::TpAmb;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::audit::{self, Actor, AuditAct};
use crate::row::params;
use crate::tx::{StoreOperation, Tx};
use crate::words;
use crate::{Error, Store};

/// An open session, as its user sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenUserSession {
    pub id: Uuid,
    pub ambiente: TpAmb,
    /// `true` for a session of the panel, `false` for one of the API.
    pub is_panel: bool,
    /// Begin, seconds since 1970.
    pub criado_em: i64,
    /// Last use; of a session of the API it is not recorded.
    pub visto_em: Option<i64>,
    pub expira_em: i64,
    /// Address of the login.
    pub endereco: Option<String>,
    /// Name of the program that logged in, as it sent it.
    pub navegador: Option<String>,
    /// `true` when a provider vouched for the user.
    pub is_external: bool,
}

impl Store {
    /// Lists the open sessions of a user, the newest first, at most a hundred. Sessions of the panel without a use for
    /// `idle_s` seconds have ended.
    pub async fn user_sessions(
        &self,
        tenant: Uuid,
        user: Uuid,
        idle_s: i64,
        now: i64,
    ) -> Result<Vec<OpenUserSession>, Error> {
        self.read(ListUserSessions { tenant, user, idle_s, now }).await
    }
    /// Ends one open session of a user. Returns `NotFound` for one of another user.
    pub async fn end_user_session(
        &self,
        tenant: Uuid,
        user: Uuid,
        id: Uuid,
        actor: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        let (ended, actor) = (EndedSessions::One(id), actor.clone());
        match self.write(EndUserSessions { tenant, user, ended, actor, now }).await? {
            0 => Err(Error::NotFound),
            _ => Ok(()),
        }
    }
    /// Ends all open sessions of a user but one; returns their number.
    pub async fn end_other_sessions(
        &self,
        tenant: Uuid,
        user: Uuid,
        current: Uuid,
        actor: &Actor,
        now: i64,
    ) -> Result<u64, Error> {
        let (ended, actor) = (EndedSessions::AllBut(current), actor.clone());
        self.write(EndUserSessions { tenant, user, ended, actor, now }).await
    }
}

struct ListUserSessions {
    tenant: Uuid,
    user: Uuid,
    idle_s: i64,
    now: i64,
}

impl StoreOperation for ListUserSessions {
    type Output = Vec<OpenUserSession>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<OpenUserSession>, Error> {
        let sql = "SELECT s.id, k.ambiente, s.porta, s.criado_em, s.visto_em, s.expira_em, s.endereco, s.navegador,
                   s.entrada FROM sessions s
                   JOIN api_keys k ON k.tenant_id = s.tenant_id AND k.id = s.api_key_id AND k.revogado_em IS NULL
                   WHERE s.tenant_id = $1 AND s.user_id = $2 AND s.revogado_em IS NULL AND s.expira_em > $3
                   AND (s.porta <> 'painel' OR COALESCE(s.visto_em, s.criado_em) > $4)
                   ORDER BY s.criado_em DESC, s.id DESC LIMIT 100";
        let rows = tx.query(sql, &params![self.tenant, self.user, self.now, self.now - self.idle_s]).await?;
        let read = |mut row: crate::row::Row| {
            let (id, ambiente) = (row.read()?, words::read_ambiente(row.read()?)?);
            let is_panel = row.read::<String>()? == "painel";
            let (criado_em, seen, expira_em) = (row.read()?, row.read::<Option<i64>>()?, row.read()?);
            let visto_em = seen.filter(|_| is_panel);
            let (endereco, navegador) = (row.read()?, row.read()?);
            let is_external = row.read::<Option<String>>()?.is_some();
            Ok(OpenUserSession {
                id,
                ambiente,
                is_panel,
                criado_em,
                visto_em,
                expira_em,
                endereco,
                navegador,
                is_external,
            })
        };
        rows.into_iter().map(read).collect()
    }
}

#[derive(Clone, Copy)]
enum EndedSessions {
    One(Uuid),
    AllBut(Uuid),
}

struct EndUserSessions {
    tenant: Uuid,
    user: Uuid,
    ended: EndedSessions,
    actor: Actor,
    now: i64,
}

impl StoreOperation for EndUserSessions {
    type Output = u64;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<u64, Error> {
        let EndUserSessions { tenant, user, ended, actor, now } = self;
        let (which, id) = match ended {
            EndedSessions::One(id) => ("id = $4", id),
            EndedSessions::AllBut(id) => ("id <> $4", id),
        };
        let sql = format!(
            "UPDATE sessions SET revogado_em = $3
             WHERE tenant_id = $1 AND user_id = $2 AND revogado_em IS NULL AND expira_em > $3 AND {which}"
        );
        let count = tx.execute(&sql, &params![*tenant, *user, *now, *id]).await?;
        if count > 0 {
            let (alvo, detalhes) = match ended {
                EndedSessions::One(id) => (id.to_string(), Value::Null),
                EndedSessions::AllBut(_) => (user.to_string(), json!({ "sessoes": count })),
            };
            audit::append(tx, *tenant, actor, AuditAct::SessaoEncerrada, &alvo, detalhes, *now).await?;
        }
        Ok(count)
    }
}

crate::dyn_operation::erasable!(ListUserSessions, EndUserSessions);
