//! RSA keys of certificates: newly made, or taken from a folder in which an earlier process stored its own.
//!
//! Making a key is two thirds of the cost of a small test, so the processes of a suite share a folder. Keys are taken
//! in their order; a process gets none twice before it got all `MOST_SHARED_KEYS`. A certificate that outlives its
//! process must not take its key from there: the next process gets the same key.

use super::write_whole;
use anyhow::Context;
use openssl::pkey::{PKey, Private};
use openssl::rsa::Rsa;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Most keys in a folder.
const MOST_SHARED_KEYS: usize = 32;

/// Number of keys taken by this process, for any chain.
static TAKEN_KEYS: AtomicUsize = AtomicUsize::new(0);

/// Source of the keys of a chain.
#[derive(Default)]
pub(super) struct KeySource {
    folder: Option<PathBuf>,
}

impl KeySource {
    pub(super) fn kept_in(folder: PathBuf) -> anyhow::Result<KeySource> {
        fs::create_dir_all(&folder).with_context(|| format!("não foi possível criar {}", folder.display()))?;
        Ok(KeySource { folder: Some(folder) })
    }

    pub(super) fn next(&self) -> anyhow::Result<PKey<Private>> {
        let Some(folder) = &self.folder else { return make() };
        let name = format!("{}.key", TAKEN_KEYS.fetch_add(1, Ordering::Relaxed) % MOST_SHARED_KEYS);
        if let Ok(pem) = fs::read(folder.join(&name)) {
            return Ok(PKey::private_key_from_pem(&pem)?);
        }
        let key = make()?;
        // Another process may be making this key: the last file stays, and each process has its own key.
        write_whole(folder, &name, &key.private_key_to_pem_pkcs8()?, 0o600)?;
        Ok(key)
    }
}

pub(super) fn make() -> anyhow::Result<PKey<Private>> {
    Ok(PKey::from_rsa(Rsa::generate(2048)?)?)
}
