//! The second factor of users: the sealed secret of the codes, the last step whose code was accepted, recovery codes.
//!
//! Law: RFC 6238 §5.2 (a code is accepted once); `docs/concepts/permissions.md`.
//! Must not know: how a code or a digest is computed, how many wrong codes are too many.

mod enrolment;
mod proofs;

use uuid::Uuid;
use zeroize::Zeroizing;

use crate::audit::Actor;
use crate::row::params;
use crate::tx::{StoreOperation, Tx};
use crate::vault::{AssociatedData, Vault};
use crate::{Error, Store};
pub(crate) use enrolment::erase;
use enrolment::{BeginSecondFactor, ConfirmSecondFactor, RemoveSecondFactor, ReplaceRecoveryCodes};
pub(crate) use proofs::{FactorCheck, consume, is_on};
use proofs::{RecordWrongCode, UseFactorProof};

/// Time in which a secret waits for its first code, seconds. Afterwards there is none.
pub const CONFIRM_WITHIN_S: i64 = 900;

/// Proof of the second factor, checked by the caller and consumed by the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactorProof {
    /// None was given.
    Absent,
    /// The code of this step was right, by the secret of this second factor.
    Step { factor: Uuid, step: i64 },
    /// Digest of a recovery code.
    Recovery([u8; 32]),
    /// An open session of the user vouches for it.
    InSession,
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
    /// Wrong codes since the last accepted one.
    pub wrong_codes: i64,
    /// Instant of the last wrong code, seconds since 1970.
    pub wrong_at: i64,
}

// The secret is not printed.
impl std::fmt::Debug for SecondFactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecondFactor").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Store {
    /// Returns the second factor of a user, confirmed or not; none whose time to be confirmed is over.
    pub async fn second_factor(&self, tenant: Uuid, user: Uuid, now: i64) -> Result<Option<SecondFactor>, Error> {
        self.read(ReadSecondFactor { vault: self.shared.vault.clone(), tenant, user, now }).await
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
    /// Turns the second factor on, with these recovery codes. Returns `Conflict` when its secret has changed, its time
    /// is over or it is on.
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
    /// Replaces all recovery codes; `false` when the proof was used before, or none is on.
    pub async fn replace_recovery_codes(
        &self,
        tenant: Uuid,
        user: Uuid,
        proof: FactorProof,
        recovery: Vec<[u8; 32]>,
        actor: &Actor,
        now: i64,
    ) -> Result<bool, Error> {
        self.write(ReplaceRecoveryCodes { tenant, user, proof, recovery, actor: actor.clone(), now }).await
    }
    /// Consumes a proof for an act that the store does not do; `false` when it was used before.
    pub async fn use_factor_proof(
        &self,
        tenant: Uuid,
        user: Uuid,
        proof: FactorProof,
        actor: &Actor,
        now: i64,
    ) -> Result<bool, Error> {
        self.write(UseFactorProof { tenant, user, proof, actor: actor.clone(), now }).await
    }
    /// Counts a wrong code.
    pub async fn record_wrong_code(&self, tenant: Uuid, user: Uuid, now: i64) -> Result<(), Error> {
        self.write(RecordWrongCode { tenant, user, now }).await
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

fn secret_place(tenant: Uuid, row: Uuid) -> AssociatedData {
    AssociatedData { tenant, column: "second_factors.segredo", row }
}

struct ReadSecondFactor {
    vault: Vault,
    tenant: Uuid,
    user: Uuid,
    now: i64,
}

impl StoreOperation for ReadSecondFactor {
    type Output = Option<SecondFactor>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<SecondFactor>, Error> {
        let sql =
            "SELECT f.id, f.segredo, d.wrapped, f.confirmado_em, f.ultimo_passo, f.erros, COALESCE(f.errado_em, 0),
                   (SELECT COUNT(*) FROM recovery_codes r
                    WHERE r.tenant_id = f.tenant_id AND r.user_id = f.user_id AND r.usado_em IS NULL)
                   FROM second_factors f JOIN data_keys d ON d.tenant_id = f.tenant_id
                   WHERE f.tenant_id = $1 AND f.user_id = $2 AND (f.confirmado_em IS NOT NULL OR f.criado_em > $3)";
        let params = params![self.tenant, self.user, self.now - CONFIRM_WITHIN_S];
        let Some(mut row) = tx.query(sql, &params).await?.into_iter().next() else {
            return Ok(None);
        };
        let (id, sealed, wrapped): (Uuid, Vec<u8>, Vec<u8>) = (row.read()?, row.read()?, row.read()?);
        let secret = self.vault.unwrap(self.tenant, &wrapped)?.open(&sealed, &secret_place(self.tenant, id))?;
        let (confirmado_em, last_step) = (row.read()?, row.read()?);
        let (wrong_codes, wrong_at) = (row.read()?, row.read()?);
        let recovery_left = u32::try_from(row.read::<i64>()?).unwrap_or_default();
        Ok(Some(SecondFactor { id, secret, confirmado_em, last_step, recovery_left, wrong_codes, wrong_at }))
    }
}

crate::dyn_operation::erasable!(ReadSecondFactor);
