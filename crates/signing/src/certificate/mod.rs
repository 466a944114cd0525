//! A1 certificates: PKCS#12 of every kind in use, and the fields that ICP-Brasil adds.
//!
//! Law: RFC 7292; ICP-Brasil DOC-ICP-04, `otherName` of arc 2.16.76.1.3.
//! Must not know: which documents the holder issues with it.

mod icp_brasil;
mod pfx;

use base64::Engine as _;
use openssl::hash::MessageDigest;
use openssl::nid::Nid;
use openssl::pkey::{Id, PKey, Private};
use openssl::x509::{X509, X509NameRef};
use std::sync::Arc;

/// A certificate with its private key. `Debug` shows the holder only; the key is wiped by OpenSSL on drop. Cheap to
/// clone.
#[derive(Clone)]
pub struct Certificate {
    inner: Arc<CertificateData>,
}

struct CertificateData {
    leaf: X509,
    leaf_base64: String,
    fingerprint: [u8; 32],
    chain: Vec<X509>,
    key: PKey<Private>,
    holder: CertificateHolder,
}

/// Holder, issuer and validity, as the certificate states them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateHolder {
    /// otherName 2.16.76.1.3.3, 14 positions.
    pub cnpj: Option<String>,
    /// First 11 digits after the birth date in otherName 2.16.76.1.3.1 (or .3.4).
    pub cpf: Option<String>,
    /// Common name.
    pub titular: String,
    /// Common name of the issuer.
    pub emissor: String,
    /// Serial number, hexadecimal.
    pub numero_serie: String,
    /// Seconds since 1970.
    pub valido_de: i64,
    /// Seconds since 1970.
    pub valido_ate: i64,
}

/// Reasons to refuse a PFX.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPfx {
    /// MAC mismatch.
    #[error("a senha do certificado não confere")]
    WrongPassword,
    /// Not PKCS#12.
    #[error("o arquivo não é um PKCS#12 (.pfx, .p12) legível")]
    Unreadable,
    /// Asks for more hashing than any exporter writes, or is larger than any certificate.
    #[error(
        "o arquivo pede mais trabalho para ser aberto do que um certificado A1 precisa (iterações, tamanho ou número de \
         itens); exporte-o de novo com os valores padrão do programa que o gerou"
    )]
    TooCostly,
    /// Encrypted by an algorithm that this crate does not inspect.
    #[error(
        "o arquivo está protegido por um algoritmo que não é aceito; exporte-o de novo com AES-256 ou 3DES, que qualquer \
         programa oferece"
    )]
    Unsupported,
    /// Only certificates inside.
    #[error("o arquivo não contém a chave privada")]
    NoPrivateKey,
    /// No certificate belongs to the key.
    #[error("o arquivo não contém o certificado da chave privada")]
    NoCertificate,
    /// The fiscal signature is RSA-SHA1; other kinds of key cannot make it.
    #[error("a chave do certificado não é RSA")]
    NotRsa,
    /// Each signature would take seconds.
    #[error("a chave RSA do certificado passa de {LONGEST_KEY_BITS} bits; as da ICP-Brasil têm 2048 ou 4096")]
    KeyTooLong,
}

impl Certificate {
    /// Opens a PFX and selects its newest pair of key and certificate.
    pub fn from_pfx(pfx: &[u8], password: &str) -> Result<Certificate, InvalidPfx> {
        let contents = pfx::open(pfx, password)?;
        if contents.keys.is_empty() {
            return Err(InvalidPfx::NoPrivateKey);
        }
        let (leaf, key) = contents.newest_pair().ok_or(InvalidPfx::NoCertificate)?;
        Certificate::from_parts(leaf, contents.certificates, key)
    }
    /// Builds a certificate from a leaf, its key and other certificates in any order. Only the chain above the leaf is
    /// kept.
    pub fn from_parts(leaf: X509, others: Vec<X509>, key: PKey<Private>) -> Result<Certificate, InvalidPfx> {
        if key.id() != Id::RSA {
            return Err(InvalidPfx::NotRsa);
        }
        if key.bits() > LONGEST_KEY_BITS {
            return Err(InvalidPfx::KeyTooLong);
        }
        if !belongs_to(&leaf, &key) {
            return Err(InvalidPfx::NoCertificate);
        }
        let der = leaf.to_der().map_err(|_| InvalidPfx::Unreadable)?;
        let digest = leaf.digest(MessageDigest::sha256()).map_err(|_| InvalidPfx::Unreadable)?;
        let inner = CertificateData {
            holder: CertificateHolder::of(&leaf, &der)?,
            leaf_base64: base64::engine::general_purpose::STANDARD.encode(&der),
            fingerprint: digest.as_ref().try_into().map_err(|_| InvalidPfx::Unreadable)?,
            chain: chain_up_from(&leaf, others),
            leaf,
            key,
        };
        Ok(Certificate { inner: Arc::new(inner) })
    }
    pub fn holder(&self) -> &CertificateHolder {
        &self.inner.holder
    }
    /// The leaf, for TLS and KeyInfo.
    pub fn leaf(&self) -> &X509 {
        &self.inner.leaf
    }
    /// DER of the leaf in base64 without line breaks, as `X509Certificate` carries it.
    pub fn leaf_base64(&self) -> &str {
        &self.inner.leaf_base64
    }
    /// SHA-256 of the leaf: names this certificate in caches.
    pub fn fingerprint(&self) -> &[u8; 32] {
        &self.inner.fingerprint
    }
    /// Intermediates found in the PFX, for TLS, from the leaf's issuer upwards; the root is left out.
    pub fn chain(&self) -> &[X509] {
        &self.inner.chain
    }
    /// The private key, for TLS.
    pub fn key(&self) -> &PKey<Private> {
        &self.inner.key
    }
}

impl std::fmt::Debug for Certificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Certificate").field("holder", self.holder()).finish_non_exhaustive()
    }
}

impl CertificateHolder {
    /// Reads the fields of a DER certificate, e.g. the one in a document's KeyInfo.
    pub fn from_der(der: &[u8]) -> Result<CertificateHolder, InvalidPfx> {
        let certificate = X509::from_der(der).map_err(|_| InvalidPfx::Unreadable)?;
        CertificateHolder::of(&certificate, der)
    }

    fn of(certificate: &X509, der: &[u8]) -> Result<CertificateHolder, InvalidPfx> {
        let (_, parsed) = x509_parser::parse_x509_certificate(der).map_err(|_| InvalidPfx::Unreadable)?;
        let names = icp_brasil::names(&parsed);
        Ok(CertificateHolder {
            cnpj: names.cnpj,
            cpf: names.cpf,
            titular: common_name(certificate.subject_name()),
            emissor: common_name(certificate.issuer_name()),
            numero_serie: parsed.raw_serial().iter().map(|byte| format!("{byte:02X}")).collect(),
            valido_de: parsed.validity().not_before.timestamp(),
            valido_ate: parsed.validity().not_after.timestamp(),
        })
    }
}

/// First common name. OpenSSL converts every string type to UTF-8.
fn common_name(name: &X509NameRef) -> String {
    let entry = name.entries_by_nid(Nid::COMMONNAME).next();
    entry.and_then(|entry| entry.data().to_string().ok()).unwrap_or_default()
}

/// True when the public keys match. `localKeyId` is optional, and wrong in files that were merged by hand.
fn belongs_to(certificate: &X509, key: &PKey<Private>) -> bool {
    certificate.public_key().is_ok_and(|public| public.public_eq(key))
}

fn chain_up_from(leaf: &X509, others: Vec<X509>) -> Vec<X509> {
    let mut chain: Vec<X509> = Vec::new();
    let mut below = leaf;
    while let Some(issuer) = others.iter().find(|candidate| issued(candidate, below) && !issued(candidate, candidate)) {
        if chain.contains(issuer) || chain.len() == LONGEST_CHAIN {
            break;
        }
        chain.push(issuer.clone());
        below = issuer;
    }
    chain
}

fn issued(issuer: &X509, subject: &X509) -> bool {
    let same_name = issuer.subject_name().try_cmp(subject.issuer_name()).is_ok_and(std::cmp::Ordering::is_eq);
    same_name && issuer.public_key().is_ok_and(|key| subject.verify(&key).unwrap_or(false))
}

impl PartialEq for Certificate {
    /// Compares leaves only; the key follows from the leaf.
    fn eq(&self, other: &Certificate) -> bool {
        self.fingerprint() == other.fingerprint()
    }
}

impl Eq for Certificate {}

const LONGEST_KEY_BITS: u32 = 8192;
/// Longest chain kept. ICP-Brasil has two or three certificates above a leaf; each step tries the signatures of all
/// that bear the issuer's name.
const LONGEST_CHAIN: usize = 8;
