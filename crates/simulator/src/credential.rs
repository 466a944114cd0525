//! Facts proven by a client's certificate: its holder, its validity, and the root that it chains to.
//!
//! Law: MOC 7.0 anexo I, rules A01–A06 (transmitter) and E01–E06 (signature). Each certificate is examined once and
//! cached.

use crate::pki::Pki;
use base64::Engine as _;
use jiff::Timestamp;
use openssl::pkey::Public;
use openssl::rsa::Rsa;
use openssl::stack::Stack;
use openssl::x509::store::{X509Store, X509StoreBuilder};
use openssl::x509::verify::X509VerifyFlags;
use openssl::x509::{X509, X509StoreContext};
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use x509_parser::prelude::{FromDer, GeneralName, KeyUsage, ParsedExtension, X509Certificate, X509Version};

/// Facts read from a certificate. Time is judged at each use.
#[derive(Debug, Clone)]
pub(crate) struct CertificateFacts {
    /// otherName 2.16.76.1.3.3.
    pub(crate) cnpj: Option<String>,
    /// otherName 2.16.76.1.3.1.
    pub(crate) cpf: Option<String>,
    /// Common name, without the number at its end.
    pub(crate) name: String,
    version_3: bool,
    authority: bool,
    client_auth: bool,
    signs: bool,
    from: i64,
    until: i64,
    trusted: bool,
    /// True when the root is known and is none of ICP-Brasil.
    outside: bool,
    /// Serial number in hexadecimal, as in revocation lists.
    serial: String,
    /// SubjectPublicKeyInfo, DER.
    pub(crate) public_key: Vec<u8>,
    /// The public key parsed, when it is RSA: parsing it takes longer than verifying a signature.
    pub(crate) rsa: Option<Rsa<Public>>,
}

/// Use of a certificate: each has its own codes for the faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CertificateUse {
    /// Codes 280–285.
    Transmission,
    /// Codes 290–295.
    Signature,
}

impl CertificateFacts {
    /// CNPJ or CPF.
    pub(crate) fn holder(&self) -> &str {
        self.cnpj.as_deref().or(self.cpf.as_deref()).unwrap_or("")
    }

    /// Codes of everything wrong with the certificate for that use, in the order of the manual. `revoked`: serial
    /// numbers, as on a list of an authority.
    pub(crate) fn faults(&self, used_for: CertificateUse, now: Timestamp, revoked: &BTreeSet<String>) -> Vec<u16> {
        let base = match used_for {
            CertificateUse::Transmission => 280,
            CertificateUse::Signature => 290,
        };
        let allowed = match used_for {
            CertificateUse::Transmission => self.client_auth,
            CertificateUse::Signature => self.signs,
        };
        let now = now.as_second();
        let wrong = [
            (base, !self.version_3 || self.authority || !allowed),
            (base + 1, now < self.from || now > self.until),
            (base + 2, self.cnpj.is_none() && self.cpf.is_none()),
            (base + 3, !self.trusted && !self.outside),
            (base + 4, revoked.contains(&self.serial)),
            (base + 5, self.outside),
        ];
        wrong.into_iter().filter(|(_, is_wrong)| *is_wrong).map(|(code, _)| code).collect()
    }
}

/// Reads certificates, and caches the results.
pub(crate) struct CertificateReader {
    store: X509Store,
    /// A commercial root, which every browser trusts and no tax authority accepts.
    outside: X509Store,
    known: Mutex<HashMap<[u8; 32], Option<Arc<CertificateFacts>>>>,
    /// By the text of `X509Certificate`, which a signer writes alike each time.
    written: Mutex<HashMap<String, Arc<CertificateFacts>>>,
}

/// Most certificates cached; the cache is cleared when it is full.
const MOST_CACHED: usize = 10_000;
/// Most certificates cached by their text.
const MOST_CACHED_TEXTS: usize = 1_000;
/// A longer text is read each time.
const LONGEST_CACHED_TEXT: usize = 8 << 10;

impl CertificateReader {
    pub(crate) fn new(pki: &Pki) -> anyhow::Result<CertificateReader> {
        Ok(CertificateReader {
            store: only(pki.root().clone())?,
            outside: only(pki.commercial().clone())?,
            known: Mutex::default(),
            written: Mutex::default(),
        })
    }

    /// Reads a signature's certificate, base64 with white space.
    pub(crate) fn read_base64(&self, text: &str) -> Option<Arc<CertificateFacts>> {
        if let Some(known) = locked(&self.written).get(text) {
            return Some(Arc::clone(known));
        }
        let compact: String = text.chars().filter(|character| !character.is_whitespace()).collect();
        let credential = self.read_der(&base64::engine::general_purpose::STANDARD.decode(compact).ok()?)?;
        let mut written = locked(&self.written);
        if written.len() >= MOST_CACHED_TEXTS {
            written.clear();
        }
        if text.len() <= LONGEST_CACHED_TEXT {
            written.insert(text.to_owned(), Arc::clone(&credential));
        }
        Some(credential)
    }

    /// Reads a DER certificate; `None` when it is no certificate.
    pub(crate) fn read_der(&self, der: &[u8]) -> Option<Arc<CertificateFacts>> {
        let fingerprint = Sha256::digest(der).into();
        if let Some(known) = locked(&self.known).get(&fingerprint) {
            return known.clone();
        }
        let credential = self.read(der).map(Arc::new);
        let mut known = locked(&self.known);
        if known.len() >= MOST_CACHED {
            known.clear();
        }
        known.insert(fingerprint, credential.clone());
        credential
    }

    fn read(&self, der: &[u8]) -> Option<CertificateFacts> {
        let (_, certificate) = X509Certificate::from_der(der).ok()?;
        let (mut cnpj, mut cpf) = (None, None);
        for (oid, value) in other_names(&certificate) {
            match oid.as_str() {
                "2.16.76.1.3.3" => cnpj = Some(value),
                "2.16.76.1.3.1" => cpf = value.get(8..19).map(str::to_owned),
                _ => {}
            }
        }
        let usage = certificate.key_usage().ok().flatten().map(|extension| extension.value);
        let extended = certificate.extended_key_usage().ok().flatten().map(|extension| extension.value);
        let common_name = certificate.subject().iter_common_name().next().and_then(|name| name.as_str().ok());
        let common_name = common_name.unwrap_or_default();
        Some(CertificateFacts {
            cnpj,
            cpf,
            name: common_name.rsplit_once(':').map_or(common_name, |(name, _)| name).to_owned(),
            version_3: certificate.version() == X509Version::V3,
            authority: certificate.is_ca(),
            client_auth: extended.is_some_and(|extended| extended.client_auth || extended.any),
            signs: usage.is_some_and(KeyUsage::digital_signature) && usage.is_some_and(KeyUsage::non_repudiation),
            from: certificate.validity().not_before.timestamp(),
            until: certificate.validity().not_after.timestamp(),
            trusted: leads_to(&self.store, der),
            outside: leads_to(&self.outside, der),
            serial: hexadecimal(certificate.raw_serial()),
            public_key: certificate.public_key().raw.to_vec(),
            rsa: Rsa::public_key_from_der(certificate.public_key().raw).ok(),
        })
    }
}

/// Ignores poisoning: a panic in one examination must not end the others.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// otherName OIDs and the text of their values.
fn other_names(certificate: &X509Certificate<'_>) -> Vec<(String, String)> {
    let names = certificate.extensions().iter().filter_map(|extension| match extension.parsed_extension() {
        ParsedExtension::SubjectAlternativeName(names) => Some(&names.general_names),
        _ => None,
    });
    names
        .flatten()
        .filter_map(|name| match name {
            GeneralName::OtherName(oid, value) => Some((oid.to_id_string(), inner_text(value)?)),
            _ => None,
        })
        .collect()
}

/// The value is `[0] { OCTET STRING | PrintableString | UTF8String }`, all with short lengths.
fn inner_text(value: &[u8]) -> Option<String> {
    let explicit = if value.first() == Some(&0xa0) { value.get(2..)? } else { value };
    let length = usize::from(*explicit.get(1)?);
    let text = explicit.get(2..2 + length)?;
    Some(String::from_utf8_lossy(text).trim().to_owned())
}

/// A store with this root alone, without a check of validity: that is judged by the simulator's clock.
fn only(root: X509) -> Result<X509Store, openssl::error::ErrorStack> {
    let mut store = X509StoreBuilder::new()?;
    store.add_cert(root)?;
    store.set_flags(X509VerifyFlags::NO_CHECK_TIME)?;
    Ok(store.build())
}

fn leads_to(store: &X509Store, der: &[u8]) -> bool {
    let verified = || -> Result<bool, openssl::error::ErrorStack> {
        let leaf = X509::from_der(der)?;
        let (mut context, none) = (X509StoreContext::new()?, Stack::new()?);
        context.init(store, &leaf, &none, |context| context.verify_cert())
    };
    verified().unwrap_or(false)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::CertificateSubject;
    use openssl::pkcs12::Pkcs12;

    /// A chain of the test's own.
    fn chain(name: &str) -> Pki {
        let dir = std::env::temp_dir().join(format!("carimbo-credential-{name}-{}", std::process::id()));
        let pki = Pki::load_or_create(&dir).unwrap();
        std::fs::remove_dir_all(&dir).unwrap();
        pki
    }

    fn examined(pki: &Pki, subject: &CertificateSubject) -> CertificateFacts {
        let pfx = pki.issue(subject, "x").unwrap();
        let leaf = Pkcs12::from_der(&pfx).unwrap().parse2("x").unwrap().cert.unwrap();
        let credential = CertificateReader::new(pki).unwrap().read_der(&leaf.to_der().unwrap()).unwrap();
        (*credential).clone()
    }

    fn company() -> CertificateSubject {
        CertificateSubject::new("EMPRESA", "12ABC34501DE35")
    }

    const NONE: BTreeSet<String> = BTreeSet::new();

    #[test]
    fn a_good_certificate_has_no_fault_and_names_its_cnpj() {
        let pki = chain("good");
        let credential = examined(&pki, &company());
        assert_eq!(credential.holder(), "12ABC34501DE35");
        assert!(credential.faults(CertificateUse::Transmission, Timestamp::now(), &NONE).is_empty());
        assert!(credential.faults(CertificateUse::Signature, Timestamp::now(), &NONE).is_empty());
        assert_eq!(
            examined(&pki, &CertificateSubject::new("PESSOA", "11144477735")).cpf.as_deref(),
            Some("11144477735")
        );
    }

    #[test]
    fn each_fault_has_its_number() {
        let (pki, now) = (chain("faulty"), Timestamp::now());
        for (subject, transmission, signature) in [
            (company().authority(), vec![280], vec![290]),
            (company().without_client_auth(), vec![280], vec![]),
            (company().without_non_repudiation(), vec![], vec![290]),
            (company().valid_for_days(-1), vec![281], vec![291]),
            (company().without_icp_brasil_fields(), vec![282], vec![292]),
            (company().untrusted(), vec![283], vec![293]),
            (company().outside_icp_brasil(), vec![285], vec![295]),
        ] {
            let credential = examined(&pki, &subject);
            assert_eq!(credential.faults(CertificateUse::Transmission, now, &NONE), transmission, "{subject:?}");
            assert_eq!(credential.faults(CertificateUse::Signature, now, &NONE), signature, "{subject:?}");
        }
        let good = examined(&pki, &company());
        let listed = BTreeSet::from([good.serial.clone()]);
        assert_eq!(good.faults(CertificateUse::Transmission, now, &listed), [284]);
        assert_eq!(good.faults(CertificateUse::Signature, now, &listed), [294]);
    }
}
