//! Facts of the last handshake with a server: protocol, cipher and verified chain. For diagnosis; nothing is decided by
//! them.

use openssl::nid::Nid;
use openssl::ssl::SslRef;
use openssl::x509::{X509NameRef, X509Ref};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The last TLS handshake with a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handshake {
    /// Host and port.
    pub server: String,
    /// `TLSv1.2`.
    pub protocol: &'static str,
    /// Name in OpenSSL.
    pub cipher: String,
    /// From the server's own certificate up to the trust anchor.
    pub chain: Vec<ChainCertificate>,
}

/// A certificate of the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainCertificate {
    /// Common name of its subject.
    pub subject: String,
    /// Common name of its issuer.
    pub issuer: String,
    /// Seconds since 1970.
    pub valid_until: Option<i64>,
}

/// Last handshakes by host and port.
#[derive(Default)]
pub(super) struct HandshakeLog(Mutex<HashMap<String, Arc<Handshake>>>);

impl HandshakeLog {
    pub(super) fn of(&self, server: &str) -> Option<Arc<Handshake>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(server).cloned()
    }

    pub(super) fn record_handshake(&self, handshake: Handshake) {
        // the map is never left half changed, so a poisoned lock is usable
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(handshake.server.clone(), Arc::new(handshake));
    }
}

/// Reads a completed handshake.
pub(super) fn read(server: String, ssl: &SslRef) -> Handshake {
    let chain = ssl.verified_chain().map(|chain| chain.iter().map(chain_certificate).collect());
    Handshake {
        server,
        protocol: ssl.version_str(),
        cipher: ssl.current_cipher().map(|cipher| cipher.name().to_owned()).unwrap_or_default(),
        chain: chain.unwrap_or_default(),
    }
}

fn chain_certificate(certificate: &X509Ref) -> ChainCertificate {
    ChainCertificate {
        subject: common_name(certificate.subject_name()),
        issuer: common_name(certificate.issuer_name()),
        valid_until: valid_until(certificate),
    }
}

fn common_name(name: &X509NameRef) -> String {
    let named = name.entries_by_nid(Nid::COMMONNAME).next().or_else(|| name.entries().last());
    named.and_then(|entry| entry.data().to_string().ok()).unwrap_or_default()
}

fn valid_until(certificate: &X509Ref) -> Option<i64> {
    let epoch = openssl::asn1::Asn1Time::from_unix(0).ok()?;
    let since = epoch.diff(certificate.not_after()).ok()?;
    Some(i64::from(since.days) * 86_400 + i64::from(since.secs))
}
