//! The second factor turned on and off, and its recovery codes replaced.

use serde_json::Value;
use uuid::Uuid;
use zeroize::Zeroizing;

use super::proofs::{FactorCheck, consume, is_on};
use super::{CONFIRM_WITHIN_S, ConfirmedFactor, FactorProof, secret_place};
use crate::Error;
use crate::audit::{self, Actor, AuditAct};
use crate::row::params;
use crate::tx::{StoreOperation, Tx};
use crate::vault::Vault;

/// Deletes secret and recovery codes of a user; returns whether there was a secret.
pub(crate) async fn erase<T: Tx>(tx: &mut T, tenant: Uuid, user: Uuid) -> Result<bool, Error> {
    let sql = "DELETE FROM recovery_codes WHERE tenant_id = $1 AND user_id = $2";
    tx.execute(sql, &params![tenant, user]).await?;
    let sql = "DELETE FROM second_factors WHERE tenant_id = $1 AND user_id = $2";
    Ok(tx.execute(sql, &params![tenant, user]).await? > 0)
}

async fn insert_recovery<T: Tx>(tx: &mut T, tenant: Uuid, user: Uuid, digests: &[[u8; 32]]) -> Result<(), Error> {
    for digest in digests {
        let sql = "INSERT INTO recovery_codes (tenant_id, user_id, resumo) VALUES ($1, $2, $3)";
        tx.execute(sql, &params![tenant, user, digest]).await?;
    }
    Ok(())
}

pub(super) struct BeginSecondFactor {
    pub(super) vault: Vault,
    pub(super) id: Uuid,
    pub(super) tenant: Uuid,
    pub(super) user: Uuid,
    pub(super) secret: Zeroizing<Vec<u8>>,
    pub(super) now: i64,
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

pub(super) struct ConfirmSecondFactor {
    pub(super) confirmed: ConfirmedFactor,
    pub(super) actor: Actor,
    pub(super) now: i64,
}

impl StoreOperation for ConfirmSecondFactor {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let ConfirmSecondFactor { confirmed, actor, now } = self;
        let ConfirmedFactor { tenant_id: tenant, user_id: user, factor_id, step, recovery } = confirmed;
        let sql = "UPDATE second_factors SET confirmado_em = $4, ultimo_passo = $5
                   WHERE tenant_id = $1 AND user_id = $2 AND id = $3 AND confirmado_em IS NULL AND criado_em > $6";
        let params = params![*tenant, *user, *factor_id, *now, *step, *now - CONFIRM_WITHIN_S];
        if tx.execute(sql, &params).await? == 0 {
            return Err(Error::Conflict("o segundo fator mudou"));
        }
        insert_recovery(tx, *tenant, *user, recovery).await?;
        let act = AuditAct::SegundoFatorLigado;
        audit::append(tx, *tenant, actor, act, &user.to_string(), Value::Null, *now).await
    }
}

pub(super) struct RemoveSecondFactor {
    pub(super) tenant: Uuid,
    pub(super) user: Uuid,
    pub(super) proof: Option<FactorProof>,
    pub(super) actor: Actor,
    pub(super) now: i64,
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

pub(super) struct ReplaceRecoveryCodes {
    pub(super) tenant: Uuid,
    pub(super) user: Uuid,
    pub(super) proof: FactorProof,
    pub(super) recovery: Vec<[u8; 32]>,
    pub(super) actor: Actor,
    pub(super) now: i64,
}

impl StoreOperation for ReplaceRecoveryCodes {
    type Output = bool;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let ReplaceRecoveryCodes { tenant, user, proof, recovery, actor, now } = self;
        let is_on = is_on(tx, *tenant, *user).await?;
        if !is_on || consume(tx, *tenant, *user, proof, actor, *now).await? != FactorCheck::Passed {
            return Ok(false);
        }
        let sql = "DELETE FROM recovery_codes WHERE tenant_id = $1 AND user_id = $2";
        tx.execute(sql, &params![*tenant, *user]).await?;
        insert_recovery(tx, *tenant, *user, recovery).await?;
        let act = AuditAct::CodigosRecuperacaoTrocados;
        audit::append(tx, *tenant, actor, act, &user.to_string(), Value::Null, *now).await?;
        Ok(true)
    }
}

crate::dyn_operation::erasable!(BeginSecondFactor, ConfirmSecondFactor, RemoveSecondFactor, ReplaceRecoveryCodes);
