//! Trust anchors of TLS besides those a caller adds, and the reasons against a server's chain, in words for the
//! operator.
//!
//! The transport to the authorities shares this module, so both report chains alike.

mod chain_fault;

pub use chain_fault::ChainFault;

use crate::reason;
use openssl::error::ErrorStack;
use openssl::ssl::{ErrorCode, SslFiletype};
use openssl::x509::X509;
use openssl::x509::store::{X509Lookup, X509StoreBuilder};
use std::sync::LazyLock;

/// Adds the platform's roots.
pub fn add_platform_roots(store: &mut X509StoreBuilder) -> Result<(), ErrorStack> {
    match PLATFORM.as_ref() {
        Some(platform) => platform.add_to(store),
        // honours SSL_CERT_FILE and SSL_CERT_DIR; a vendored OpenSSL has no other path that exists
        None => store.set_default_paths(),
    }
}

/// Roots of the system's bundle, unless the operator named another by SSL_CERT_FILE. They are read once and shared by
/// all stores of a process: OpenSSL would read a hundred and forty certificates for each, in half a million
/// allocations.
static PLATFORM: LazyLock<Option<PlatformRoots>> =
    LazyLock::new(|| std::env::var_os("SSL_CERT_FILE").is_none().then(PlatformRoots::read).flatten());

struct PlatformRoots {
    roots: Vec<X509>,
    /// Folders where an operator may have added a root under its hash; OpenSSL takes several, separated by colons.
    directories: String,
}

impl PlatformRoots {
    /// Reads the first bundle found at the distributions' paths.
    fn read() -> Option<PlatformRoots> {
        PLACES.iter().find_map(|(bundle, directory)| {
            let roots = X509::stack_from_pem(&std::fs::read(bundle).ok()?).ok()?;
            let directories = std::env::var("SSL_CERT_DIR").unwrap_or_else(|_unset| (*directory).to_owned());
            Some(PlatformRoots { roots, directories })
        })
    }

    fn add_to(&self, store: &mut X509StoreBuilder) -> Result<(), ErrorStack> {
        store.add_lookup(X509Lookup::hash_dir())?.add_dir(&self.directories, SslFiletype::PEM)?;
        self.roots.iter().try_for_each(|root| store.add_cert(root.clone()))
    }
}

/// Bundle and folder of hashes on Debian and Alpine, Fedora, SUSE, macOS and BSD.
const PLACES: [(&str, &str); 4] = [
    ("/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/certs"),
    ("/etc/pki/tls/certs/ca-bundle.crt", "/etc/pki/tls/certs"),
    ("/etc/ssl/ca-bundle.pem", "/etc/ssl/certs"),
    ("/etc/ssl/cert.pem", "/etc/ssl/certs"),
];

/// Cause of a failed handshake or record: the peer's alert, if it sent one.
pub fn tls_reason(error: &openssl::ssl::Error) -> String {
    if let Some(io) = error.io_error() {
        return reason::of_io(io);
    }
    let reasons = error
        .ssl_error()
        .map(|stack| stack.errors().iter().filter_map(openssl::error::Error::reason).collect::<Vec<_>>());
    match reasons {
        Some(reasons) if !reasons.is_empty() => reason::of_tls(&reasons.join(", ")),
        _ if error.code() == ErrorCode::ZERO_RETURN || error.code() == ErrorCode::SYSCALL => {
            "o servidor fechou a conexão".to_owned()
        }
        _ => reason::of_tls(&error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use openssl::stack::Stack;
    use openssl::x509::X509StoreContext;

    #[test]
    fn every_store_trusts_the_roots_of_the_platform() {
        let platform = PlatformRoots::read().expect("no bundle on this machine");
        let root = platform.roots.last().unwrap();
        for _ in 0..2 {
            let mut store = X509StoreBuilder::new().unwrap();
            platform.add_to(&mut store).unwrap();
            let (store, chain) = (store.build(), Stack::new().unwrap());
            let trusted = X509StoreContext::new().unwrap().init(&store, root, &chain, |context| context.verify_cert());
            assert!(trusted.unwrap(), "{:?}", root.subject_name());
        }
        assert!(add_platform_roots(&mut X509StoreBuilder::new().unwrap()).is_ok());
    }
}
