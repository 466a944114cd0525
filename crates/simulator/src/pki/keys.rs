//! RSA keys of certificates: each newly made, or, where the chain's directory has a folder `chaves`, taken from there.
//!
//! Making a key is two thirds of what a small test costs. Whoever makes that folder, as the suites do for all their processes, gets the keys that an earlier
//! process made, in their order; a process is given none twice before it was given [`KEPT`].

use super::write_whole;
use openssl::pkey::{PKey, Private};
use openssl::rsa::Rsa;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The folder's name.
pub const FOLDER: &str = "chaves";
/// How many keys it holds at most.
const KEPT: usize = 32;

/// How many keys this process was given, whichever chain they were for.
static GIVEN: AtomicUsize = AtomicUsize::new(0);

/// Where a chain takes its keys from.
pub(super) struct Keys {
    folder: Option<PathBuf>,
}

impl Keys {
    pub(super) fn of(dir: &Path) -> Keys {
        let folder = dir.join(FOLDER);
        Keys { folder: folder.is_dir().then_some(folder) }
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
