//! Secret of an invitation: 256 random bits in its link. The store has the hash alone.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::api::error::ApiError;

/// A secret with its hash.
pub(super) struct InvitationSecret {
    pub(super) text: String,
    pub(super) hash: [u8; 32],
}

impl InvitationSecret {
    pub(super) fn random() -> Result<InvitationSecret, ApiError> {
        let mut bits = [0_u8; 32];
        getrandom::fill(&mut bits).map_err(|error| ApiError::broken(&error))?;
        let text = URL_SAFE_NO_PAD.encode(bits);
        let hash = hash(&text);
        Ok(InvitationSecret { text, hash })
    }
}

/// Hash under which the invitation of a secret is stored.
pub(super) fn hash(text: &str) -> [u8; 32] {
    openssl::sha::sha256(text.as_bytes())
}

/// Time that an invitation is open, seconds.
pub(super) const LASTS_S: i64 = 7 * 86_400;
