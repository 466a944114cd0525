//! RSA keys of certificates: each newly made, or taken from a folder in which an earlier process kept its own.
//!
//! Making a key is two thirds of what a small test costs: the processes of a suite share a folder. It gives them its
//! keys in their order; a process is given none twice before it was given [`KEPT`]. A certificate that outlives its
//! process must not take its key from there: the next process is given the same.

use super::write_whole;
use anyhow::Context;
use openssl::pkey::{PKey, Private};
use openssl::rsa::Rsa;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many keys a folder holds at most.
const KEPT: usize = 32;

/// How many keys this process was given, whichever chain they were for.
static GIVEN: AtomicUsize = AtomicUsize::new(0);

/// Where a chain takes its keys from.
#[derive(Default)]
pub(super) struct Keys {
    folder: Option<PathBuf>,
}

impl Keys {
    pub(super) fn kept_in(folder: PathBuf) -> anyhow::Result<Keys> {
        fs::create_dir_all(&folder).with_context(|| format!("não foi possível criar {}", folder.display()))?;
        Ok(Keys { folder: Some(folder) })
    }

    pub(super) fn next(&self) -> anyhow::Result<PKey<Private>> {
        let Some(folder) = &self.folder else { return make() };
        let name = format!("{}.key", GIVEN.fetch_add(1, Ordering::Relaxed) % KEPT);
        if let Ok(pem) = fs::read(folder.join(&name)) {
            return Ok(PKey::private_key_from_pem(&pem)?);
        }
        let key = make()?;
        // another process may be making the same one: the last stays, and each has its own
        write_whole(folder, &name, &key.private_key_to_pem_pkcs8()?, 0o600)?;
        Ok(key)
    }
}

pub(super) fn make() -> anyhow::Result<PKey<Private>> {
    Ok(PKey::from_rsa(Rsa::generate(2048)?)?)
}
