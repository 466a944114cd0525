//! Signing secrets: created at their first use, shown to their tenant, rotated with a grace period in which both sign.

use crate::Engine;
use crate::process::randomness;
use fiscal::value::TpAmb;
use openssl::base64;
use store::audit::Actor;
use store::webhooks::{OpenedSecret, SecretText};
use uuid::Uuid;
use zeroize::Zeroizing;

/// Hours for which the secret before a rotation continues to sign, unless the request gives another number.
pub const DEFAULT_GRACE_H: u16 = 24;
/// Longest grace period in hours.
pub const LONGEST_GRACE_H: u16 = 168;

impl Engine {
    /// Returns the secrets that sign now, the one in use first.
    pub async fn webhook_secrets(&self, tenant: Uuid, ambiente: TpAmb) -> Result<Vec<OpenedSecret>, store::Error> {
        self.store().webhook_secrets(tenant, ambiente, new_secret, self.now_s()).await
    }

    /// Puts a new secret in use; the one before it signs too for these hours.
    pub async fn rotate_webhook_secret(
        &self,
        tenant: Uuid,
        ambiente: TpAmb,
        grace_h: u16,
        actor: Actor,
    ) -> Result<Vec<OpenedSecret>, store::Error> {
        let now = self.now_s();
        let until = now.saturating_add(i64::from(grace_h) * 3600);
        self.store().rotate_webhook_secret(tenant, ambiente, new_secret()?, until, actor, now).await
    }
}

/// `whsec_` and 32 random bytes in base64 (Standard Webhooks: 24 to 64 bytes).
fn new_secret() -> Result<SecretText, store::Error> {
    let bytes = randomness::secret().map_err(|error| store::Error::Unavailable(error.to_string()))?;
    let text = Zeroizing::new(base64::encode_block(bytes.as_slice()));
    Ok(SecretText::new(format!("{PREFIX}{}", *text)))
}

pub(super) const PREFIX: &str = "whsec_";
