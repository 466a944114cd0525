//! Test certificates, made when the tests run.

use openssl::asn1::Asn1Time;
use openssl::bn::{BigNum, MsbOption};
use openssl::ec::{EcGroup, EcKey};
use openssl::hash::MessageDigest;
use openssl::nid::Nid;
use openssl::pkey::{PKey, Private};
use openssl::x509::extension::{BasicConstraints, SubjectAlternativeName};
use openssl::x509::{X509, X509Builder, X509Name, X509NameBuilder};
use signing::Certificate;
use testkit::test_keys::rsa;

/// A certificate that can sign others.
pub struct Authority {
    pub certificate: X509,
    key: PKey<Private>,
}

/// A certificate with its key.
pub struct Pair {
    pub certificate: X509,
    pub key: PKey<Private>,
}

/// Validity in seconds since 1970; today lies within `VALID` only.
pub const VALID: (i64, i64) = (1_700_000_000, 2_100_000_000);
pub const EXPIRED: (i64, i64) = (1_600_000_000, 1_700_000_000);
pub const NOT_YET: (i64, i64) = (2_100_000_000, 2_100_000_001);

impl Authority {
    pub fn root(common: &str) -> Authority {
        let key = ec();
        let certificate = issue(common, &[], VALID, &key, None, true);
        Authority { certificate, key }
    }
    pub fn intermediate(&self, common: &str) -> Authority {
        let key = ec();
        let certificate = issue(common, &[], VALID, &key, Some(self), true);
        Authority { certificate, key }
    }
    /// Issues a certificate for these host names and addresses.
    pub fn pair(&self, common: &str, names: &[&str], validity: (i64, i64)) -> Pair {
        let key = ec();
        Pair { certificate: issue(common, names, validity, &key, Some(self), false), key }
    }
    pub fn client(&self, common: &str) -> Certificate {
        let key = rsa(env!("CARGO_TARGET_TMPDIR"));
        let leaf = issue(common, &[], VALID, &key, Some(self), false);
        Certificate::from_parts(leaf, vec![self.certificate.clone()], key).unwrap()
    }
    pub fn pem(&self) -> Vec<u8> {
        self.certificate.to_pem().unwrap()
    }
}

/// Key of every certificate but a client's, which signs documents and must be RSA: generated faster.
fn ec() -> PKey<Private> {
    let group = EcGroup::from_curve_name(Nid::X9_62_PRIME256V1).unwrap();
    PKey::from_ec_key(EcKey::generate(&group).unwrap()).unwrap()
}

fn name(common: &str) -> X509Name {
    let mut name = X509NameBuilder::new().unwrap();
    name.append_entry_by_text("O", "Carimbo Testes").unwrap();
    name.append_entry_by_text("CN", common).unwrap();
    name.build()
}

fn issue(
    common: &str,
    names: &[&str],
    (from, until): (i64, i64),
    key: &PKey<Private>,
    issuer: Option<&Authority>,
    authority: bool,
) -> X509 {
    let subject = name(common);
    let mut builder = X509Builder::new().unwrap();
    builder.set_version(2).unwrap();
    let mut serial = BigNum::new().unwrap();
    serial.rand(64, MsbOption::MAYBE_ZERO, false).unwrap();
    builder.set_serial_number(&serial.to_asn1_integer().unwrap()).unwrap();
    builder.set_subject_name(&subject).unwrap();
    builder.set_issuer_name(issuer.map_or(&*subject, |issuer| issuer.certificate.subject_name())).unwrap();
    builder.set_not_before(&Asn1Time::from_unix(from).unwrap()).unwrap();
    builder.set_not_after(&Asn1Time::from_unix(until).unwrap()).unwrap();
    builder.set_pubkey(key).unwrap();
    if authority {
        builder.append_extension(BasicConstraints::new().critical().ca().build().unwrap()).unwrap();
    }
    if !names.is_empty() {
        let mut alternatives = SubjectAlternativeName::new();
        for name in names {
            if name.parse::<std::net::IpAddr>().is_ok() {
                alternatives.ip(name)
            } else {
                alternatives.dns(name)
            };
        }
        builder.append_extension(alternatives.build(&builder.x509v3_context(None, None)).unwrap()).unwrap();
    }
    builder.sign(issuer.map_or(key, |issuer| &issuer.key), MessageDigest::sha256()).unwrap();
    builder.build()
}
