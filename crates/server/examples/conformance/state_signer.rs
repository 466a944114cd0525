//! Signed state that a client returns between two rounds; the signature shows a change.

use std::fmt::Write as _;

use openssl::hash::MessageDigest;
use openssl::pkey::{PKey, Private};
use openssl::sign::Signer;

/// Signs states with a key of this process.
#[derive(Clone)]
pub(crate) struct StateSigner(PKey<Private>);

impl StateSigner {
    pub(crate) fn new() -> anyhow::Result<StateSigner> {
        let mut key = [0_u8; 32];
        openssl::rand::rand_bytes(&mut key)?;
        Ok(StateSigner(PKey::hmac(&key)?))
    }

    /// `words.signature`
    pub(crate) fn sign_state(&self, words: &str) -> Option<String> {
        let mut signer = Signer::new(MessageDigest::sha256(), &self.0).ok()?;
        let signature = signer.sign_oneshot_to_vec(words.as_bytes()).ok()?;
        let mut text = format!("{words}.");
        for byte in signature {
            let _ = write!(text, "{byte:02x}");
        }
        Some(text)
    }

    /// True when `state` is these words under our signature.
    pub(crate) fn is(&self, state: &str, words: &str) -> bool {
        let ours = self.sign_state(words).unwrap_or_default();
        ours.len() == state.len() && openssl::memcmp::eq(ours.as_bytes(), state.as_bytes())
    }
}
