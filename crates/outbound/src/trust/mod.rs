//! Whom TLS trusts besides what a caller adds, and why a server was not trusted, in words an operator can act on.
//!
//! The transport to the authorities uses this too: there is one reading of a refused chain.

mod verdict;

pub use verdict::Verdict;

use openssl::error::ErrorStack;
use openssl::ssl::ErrorCode;
use openssl::x509::X509;
use openssl::x509::store::X509StoreBuilder;

/// Adds the platform's roots.
pub fn add_platform_roots(store: &mut X509StoreBuilder) -> Result<(), ErrorStack> {
    // honours SSL_CERT_FILE and SSL_CERT_DIR; a vendored OpenSSL has no other path that exists
    store.set_default_paths()?;
    platform_bundle().into_iter().try_for_each(|root| store.add_cert(root))
}

/// The system's bundle where distributions keep it, unless the operator named another by SSL_CERT_FILE.
fn platform_bundle() -> Vec<X509> {
    if std::env::var_os("SSL_CERT_FILE").is_some() {
        return Vec::new();
    }
    let bundle = BUNDLES.iter().find_map(|path| std::fs::read(path).ok());
    bundle.and_then(|pem| X509::stack_from_pem(&pem).ok()).unwrap_or_default()
}

/// Debian and Alpine, Fedora, SUSE, macOS and BSD.
const BUNDLES: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// Why a handshake or a record failed: the peer's alert, if it sent one.
pub fn tls_reason(error: &openssl::ssl::Error) -> String {
    if let Some(io) = error.io_error() {
        return io.to_string();
    }
    let reasons = error
        .ssl_error()
        .map(|stack| stack.errors().iter().filter_map(openssl::error::Error::reason).collect::<Vec<_>>());
    match reasons {
        Some(reasons) if !reasons.is_empty() => reasons.join(", "),
        _ if error.code() == ErrorCode::ZERO_RETURN || error.code() == ErrorCode::SYSCALL => {
            "o servidor fechou a conexão".to_owned()
        }
        _ => error.to_string(),
    }
}
