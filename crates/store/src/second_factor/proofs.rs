//! Proofs of the second factor: consumed in the transaction of the act that needs them, and wrong codes counted.

use serde_json::Value;
use uuid::Uuid;

use super::FactorProof;
use crate::Error;
use crate::audit::{self, Actor, AuditAct};
use crate::row::{first, params};
use crate::tx::{StoreOperation, Tx};

/// Result of consuming a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FactorCheck {
    Passed,
    Missing,
    Refused,
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
        FactorProof::Step { factor, step } => {
            let sql = "UPDATE second_factors SET ultimo_passo = $4, erros = 0
                       WHERE tenant_id = $1 AND user_id = $2 AND id = $3 AND ultimo_passo < $4";
            tx.execute(sql, &params![tenant, user, *factor, *step]).await?
        }
        FactorProof::Recovery(digest) => {
            let sql = "UPDATE recovery_codes SET usado_em = $4
                       WHERE tenant_id = $1 AND user_id = $2 AND resumo = $3 AND usado_em IS NULL";
            let changed = tx.execute(sql, &params![tenant, user, digest, now]).await?;
            if changed > 0 {
                let sql = "UPDATE second_factors SET erros = 0 WHERE tenant_id = $1 AND user_id = $2";
                tx.execute(sql, &params![tenant, user]).await?;
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

pub(super) struct UseFactorProof {
    pub(super) tenant: Uuid,
    pub(super) user: Uuid,
    pub(super) proof: FactorProof,
    pub(super) actor: Actor,
    pub(super) now: i64,
}

impl StoreOperation for UseFactorProof {
    type Output = bool;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let UseFactorProof { tenant, user, proof, actor, now } = self;
        Ok(consume(tx, *tenant, *user, proof, actor, *now).await? == FactorCheck::Passed)
    }
}

pub(super) struct RecordWrongCode {
    pub(super) tenant: Uuid,
    pub(super) user: Uuid,
    pub(super) now: i64,
}

impl StoreOperation for RecordWrongCode {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = "UPDATE second_factors SET erros = erros + 1, errado_em = $3
                   WHERE tenant_id = $1 AND user_id = $2 AND confirmado_em IS NOT NULL";
        tx.execute(sql, &params![self.tenant, self.user, self.now]).await.map(drop)
    }
}

crate::dyn_operation::erasable!(UseFactorProof, RecordWrongCode);
