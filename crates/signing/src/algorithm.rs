//! The two algorithm pairs of fiscal signatures. The caller chooses by the kind of document.
//!
//! Law: MOC 7.0, visão geral, 3.2.2 (SHA-1); the schema of the national NFS-e 1.01 leaves the choice open (RFC 4051 for
//! the names of SHA-256).

use openssl::hash::MessageDigest;
use openssl::sha::{Sha1, Sha256};

/// Digest and signature method of a document; RSA PKCS#1 v1.5 in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SigningAlgorithm {
    /// RSA-SHA1 over SHA-1, fixed by the standard of NF-e and CT-e.
    #[default]
    Sha1,
    /// RSA-SHA256 over SHA-256.
    Sha256,
}

impl SigningAlgorithm {
    pub const ALL: [SigningAlgorithm; 2] = [SigningAlgorithm::Sha1, SigningAlgorithm::Sha256];

    /// URI of the signature method.
    pub(crate) fn method(self) -> &'static str {
        match self {
            SigningAlgorithm::Sha1 => RSA_SHA1,
            SigningAlgorithm::Sha256 => RSA_SHA256,
        }
    }
    /// URI of the digest method.
    pub(crate) fn digest_method(self) -> &'static str {
        match self {
            SigningAlgorithm::Sha1 => SHA1,
            SigningAlgorithm::Sha256 => SHA256,
        }
    }
    pub(crate) fn message_digest(self) -> MessageDigest {
        match self {
            SigningAlgorithm::Sha1 => MessageDigest::sha1(),
            SigningAlgorithm::Sha256 => MessageDigest::sha256(),
        }
    }
    pub(crate) fn hash(self) -> DigestState {
        match self {
            SigningAlgorithm::Sha1 => DigestState::Sha1(Sha1::new()),
            SigningAlgorithm::Sha256 => DigestState::Sha256(Sha256::new()),
        }
    }
    pub(crate) fn digest(self, bytes: &[u8]) -> Vec<u8> {
        let mut hash = self.hash();
        hash.update(bytes);
        hash.finish()
    }
}

/// A digest in progress.
pub(crate) enum DigestState {
    Sha1(Sha1),
    Sha256(Sha256),
}

impl DigestState {
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match self {
            DigestState::Sha1(hash) => hash.update(bytes),
            DigestState::Sha256(hash) => hash.update(bytes),
        }
    }
    pub(crate) fn finish(self) -> Vec<u8> {
        match self {
            DigestState::Sha1(hash) => hash.finish().to_vec(),
            DigestState::Sha256(hash) => hash.finish().to_vec(),
        }
    }
}

const RSA_SHA1: &str = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";
const SHA1: &str = "http://www.w3.org/2000/09/xmldsig#sha1";
const RSA_SHA256: &str = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
const SHA256: &str = "http://www.w3.org/2001/04/xmlenc#sha256";
