//! RSA keys of test certificates, cached on disk for later runs: generating a key takes longer than most tests.

use openssl::pkey::{PKey, Private};
use openssl::rsa::Rsa;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of cached keys; a process gets each once before any is repeated.
const KEPT: usize = 32;
static GIVEN: AtomicUsize = AtomicUsize::new(0);

/// Gives one of the keys in `folder`, the scratch folder of a test target (`CARGO_TARGET_TMPDIR`).
pub fn rsa(folder: &str) -> PKey<Private> {
    let number = GIVEN.fetch_add(1, Ordering::Relaxed) % KEPT;
    let folder = Path::new(folder).join("chaves");
    let file = folder.join(format!("{number}.key"));
    if let Ok(pem) = std::fs::read(&file) {
        return PKey::private_key_from_pem(&pem).unwrap();
    }
    let key = PKey::from_rsa(Rsa::generate(2048).unwrap()).unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    // written whole by a rename: another process may be reading
    let part = folder.join(format!(".{number}.{}", std::process::id()));
    std::fs::write(&part, key.private_key_to_pem_pkcs8().unwrap()).unwrap();
    std::fs::rename(&part, &file).unwrap();
    key
}
