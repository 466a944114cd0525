//! The second factor of users: the sealed secret of the codes, the last step whose code was accepted, recovery codes.
//!
//! Law: RFC 6238 §5.2 (a code is accepted once); `docs/concepts/permissions.md`.
//! Must not know: how a code or a digest is computed.

use serde_json::Value;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::audit::{self, Actor, AuditAct};
use crate::row::{first, params};
use crate::tx::{StoreOperation, Tx};
use crate::vault::{AssociatedData, Vault};
use crate::{Error, Store};

/// Proof of the second factor, checked by the caller and consumed by the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactorProof {
    /// None was given.
    Absent,
    /// The code of this step was right.
    Step(i64),
    /// Digest of a recovery code.
    Recovery([u8; 32]),
    /// An open session of the user vouches for it.
    InSession,
}

/// Result of consuming a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FactorCheck {
    Passed,
    Missing,
    Refused,
}

/// The second factor of a user.
pub struct SecondFactor {
    /// Changes with the secret.
    pub id: Uuid,
    pub secret: Zeroizing<Vec<u8>>,
    /// Seconds since 1970; `None` until a code has confirmed it.
    pub confirmado_em: Option<i64>,
    /// Codes of steps up to this one are not accepted.
    pub last_step: i64,
    /// Recovery codes that are left.
    pub recovery_left: u32,
}

// The secret is not printed.
impl std::fmt::Debug for SecondFactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecondFactor").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Store {
    /// Returns the second factor of a user, confirmed or not.
    pub async fn second_factor(&self, tenant: Uuid, user: Uuid) -> Result<Option<SecondFactor>, Error> {
        self.read(ReadSecondFactor { vault: self.shared.vault.clone(), tenant, user }).await
    }
    /// Stores a secret that waits for its confirmation, in place of an earlier one. Returns `Conflict` when a second
    /// factor is on.
    pub async fn begin_second_factor(
        &self,
        tenant: Uuid,
        user: Uuid,
        secret: Zeroizing<Vec<u8>>,
        now: i64,
    ) -> Result<(), Error> {
        let (vault, id) = (self.shared.vault.clone(), Uuid::now_v7());
        self.write(BeginSecondFactor { vault, id, tenant, user, secret, now }).await
    }
    /// Turns the second factor on, with these recovery codes. Returns `Conflict` when its secret has changed or it is
    /// on.
    pub async fn confirm_second_factor(
        &self,
        confirmed: ConfirmedFactor,
        actor: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(ConfirmSecondFactor { confirmed, actor: actor.clone(), now }).await
    }
    /// Turns the second factor off; `false` when the proof was used before. `None` is the operator, who needs no proof.
    pub async fn remove_second_factor(
        &self,
        tenant: Uuid,
        user: Uuid,
        proof: Option<FactorProof>,
        actor: &Actor,
        now: i64,
    ) -> Result<bool, Error> {
        self.write(RemoveSecondFactor { tenant, user, proof, actor: actor.clone(), now }).await
    }
}

/// A second factor whose first code was right.
#[derive(Debug, Clone)]
pub struct ConfirmedFactor {
    pub tenant_id: Uuid,
    pub user_id: Uuid,
    pub factor_id: Uuid,
    /// Step of that code, which is not accepted again.
    pub step: i64,
    /// Digests of the recovery codes.
    pub recovery: Vec<[u8; 32]>,
}

/// Consumes a proof: its step or recovery code is not accepted again.
pub(crate) async fn consume<T: Tx>(
    tx: &mut T,
    tenant: Uuid,
    user: Uuid,
    proof: &FactorProof,
    actor: &Actor,
    now: i64,
) -> Result<FactorCheck, Error> {
    if !is_on(tx, tenant, user).await? {
        return Ok(FactorCheck::Passed);
    }
    let changed = match proof {
        FactorProof::InSession => return Ok(FactorCheck::Passed),
        FactorProof::Absent => return Ok(FactorCheck::Missing),
        FactorProof::Step(step) => {
            let sql = "UPDATE second_factors SET ultimo_passo = $3
                       WHERE tenant_id = $1 AND user_id = $2 AND ultimo_passo < $3";
            tx.execute(sql, &params![tenant, user, *step]).await?
        }
        FactorProof::Recovery(digest) => {
            let sql = "UPDATE recovery_codes SET usado_em = $4
                       WHERE tenant_id = $1 AND user_id = $2 AND resumo = $3 AND usado_em IS NULL";
            let changed = tx.execute(sql, &params![tenant, user, digest, now]).await?;
            if changed > 0 {
                let (act, alvo) = (AuditAct::CodigoRecuperacaoUsado, user.to_string());
                audit::append(tx, tenant, actor, act, &alvo, Value::Null, now).await?;
            }
            changed
        }
    };
    Ok(if changed > 0 { FactorCheck::Passed } else { FactorCheck::Refused })
}

/// `true` when a confirmed second factor protects the user.
pub(crate) async fn is_on<T: Tx>(tx: &mut T, tenant: Uuid, user: Uuid) -> Result<bool, Error> {
    let sql = "SELECT confirmado_em FROM second_factors
               WHERE tenant_id = $1 AND user_id = $2 AND confirmado_em IS NOT NULL";
    Ok(first::<i64>(tx.query(sql, &params![tenant, user]).await?)?.is_some())
}

/// Deletes secret and recovery codes of a user; returns whether there was a secret.
pub(crate) async fn erase<T: Tx>(tx: &mut T, tenant: Uuid, user: Uuid) -> Result<bool, Error> {
    let sql = "DELETE FROM recovery_codes WHERE tenant_id = $1 AND user_id = $2";
    tx.execute(sql, &params![tenant, user]).await?;
    let sql = "DELETE FROM second_factors WHERE tenant_id = $1 AND user_id = $2";
    Ok(tx.execute(sql, &params![tenant, user]).await? > 0)
}

fn secret_place(tenant: Uuid, row: Uuid) -> AssociatedData {
    AssociatedData { tenant, column: "second_factors.segredo", row }
}

struct ReadSecondFactor {
    vault: Vault,
    tenant: Uuid,
    user: Uuid,
}

impl StoreOperation for ReadSecondFactor {
    type Output = Option<SecondFactor>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<SecondFactor>, Error> {
        let sql = "SELECT f.id, f.segredo, d.wrapped, f.confirmado_em, f.ultimo_passo,
                   (SELECT COUNT(*) FROM recovery_codes r
                    WHERE r.tenant_id = f.tenant_id AND r.user_id = f.user_id AND r.usado_em IS NULL)
                   FROM second_factors f JOIN data_keys d ON d.tenant_id = f.tenant_id
                   WHERE f.tenant_id = $1 AND f.user_id = $2";
        let Some(mut row) = tx.query(sql, &params![self.tenant, self.user]).await?.into_iter().next() else {
            return Ok(None);
        };
        let (id, sealed, wrapped): (Uuid, Vec<u8>, Vec<u8>) = (row.read()?, row.read()?, row.read()?);
        let secret = self.vault.unwrap(self.tenant, &wrapped)?.open(&sealed, &secret_place(self.tenant, id))?;
        let (confirmado_em, last_step) = (row.read()?, row.read()?);
        let recovery_left = u32::try_from(row.read::<i64>()?).unwrap_or_default();
        Ok(Some(SecondFactor { id, secret, confirmado_em, last_step, recovery_left }))
    }
}

struct BeginSecondFactor {
    vault: Vault,
    id: Uuid,
    tenant: Uuid,
    user: Uuid,
    secret: Zeroizing<Vec<u8>>,
    now: i64,
}

impl StoreOperation for BeginSecondFactor {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let BeginSecondFactor { vault, id, tenant, user, secret, now } = self;
        let key = vault.data_key(tx, *tenant).await?;
        let sealed = key.seal(secret, &secret_place(*tenant, *id))?;
        let sql = "INSERT INTO second_factors (tenant_id, user_id, id, segredo, criado_em, ultimo_passo)
                   VALUES ($1, $2, $3, $4, $5, 0)
                   ON CONFLICT (tenant_id, user_id) DO UPDATE
                   SET id = excluded.id, segredo = excluded.segredo, criado_em = excluded.criado_em
                   WHERE second_factors.confirmado_em IS NULL";
        match tx.execute(sql, &params![*tenant, *user, *id, sealed, *now]).await? {
            0 => Err(Error::Conflict("o segundo fator já está ligado")),
            _ => Ok(()),
        }
    }
}

struct ConfirmSecondFactor {
    confirmed: ConfirmedFactor,
    actor: Actor,
    now: i64,
}

impl StoreOperation for ConfirmSecondFactor {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let ConfirmSecondFactor { confirmed, actor, now } = self;
        let ConfirmedFactor { tenant_id: tenant, user_id: user, factor_id, step, recovery } = confirmed;
        let sql = "UPDATE second_factors SET confirmado_em = $4, ultimo_passo = $5
                   WHERE tenant_id = $1 AND user_id = $2 AND id = $3 AND confirmado_em IS NULL";
        if tx.execute(sql, &params![*tenant, *user, *factor_id, *now, *step]).await? == 0 {
            return Err(Error::Conflict("o segundo fator mudou"));
        }
        for digest in recovery {
            let sql = "INSERT INTO recovery_codes (tenant_id, user_id, resumo) VALUES ($1, $2, $3)";
            tx.execute(sql, &params![*tenant, *user, digest]).await?;
        }
        let act = AuditAct::SegundoFatorLigado;
        audit::append(tx, *tenant, actor, act, &user.to_string(), Value::Null, *now).await
    }
}

struct RemoveSecondFactor {
    tenant: Uuid,
    user: Uuid,
    proof: Option<FactorProof>,
    actor: Actor,
    now: i64,
}

impl StoreOperation for RemoveSecondFactor {
    type Output = bool;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let RemoveSecondFactor { tenant, user, proof, actor, now } = self;
        if let Some(proof) = proof
            && consume(tx, *tenant, *user, proof, actor, *now).await? != FactorCheck::Passed
        {
            return Ok(false);
        }
        if erase(tx, *tenant, *user).await? {
            let act = AuditAct::SegundoFatorDesligado;
            audit::append(tx, *tenant, actor, act, &user.to_string(), Value::Null, *now).await?;
        }
        Ok(true)
    }
}

crate::dyn_operation::erasable!(ReadSecondFactor, BeginSecondFactor, ConfirmSecondFactor, RemoveSecondFactor);
