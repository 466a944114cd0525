//! Issue of certificates: root, server, and clients, good or deliberately bad.

use super::{KeyedCertificate, name};
use openssl::asn1::{Asn1Integer, Asn1Object, Asn1OctetString, Asn1Time};
use openssl::bn::{BigNum, MsbOption};
use openssl::hash::MessageDigest;
use openssl::nid::Nid;
use openssl::pkcs12::Pkcs12;
use openssl::pkey::{PKey, PKeyRef, Private};
use openssl::stack::Stack;
use openssl::x509::extension::{
    AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, KeyUsage, SubjectAlternativeName,
};
use openssl::x509::{X509, X509Builder, X509Extension, X509Name, X509NameRef};
use std::time::{SystemTime, UNIX_EPOCH};

const DAY: i64 = 86_400;

/// Seconds by which a root or a server's certificate is valid before it was made: the clock of a reader may be set
/// back, or may have been ahead when it was made.
const BEFORE: i64 = 3_650 * DAY;

/// Validity of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Validity {
    /// Seconds since 1970.
    pub from: i64,
    /// Seconds since 1970.
    pub until: i64,
}

/// A client certificate to be made: right by default, wrong where a test wants it wrong.
#[derive(Debug, Clone)]
pub struct CertificateSubject {
    nome: String,
    cpf_cnpj: String,
    validity: Validity,
    icp_brasil_fields: bool,
    client_auth: bool,
    non_repudiation: bool,
    authority: bool,
    root: RootKind,
}

/// Root of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RootKind {
    IcpBrasil,
    Commercial,
    Unknown,
}

impl CertificateSubject {
    /// A good certificate of a company (14 positions) or a person (11 digits), valid from a day ago for a year.
    pub fn new(nome: &str, cpf_cnpj: &str) -> CertificateSubject {
        CertificateSubject {
            nome: nome.to_owned(),
            cpf_cnpj: cpf_cnpj.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_uppercase(),
            validity: Validity { from: now() - DAY, until: now() + 365 * DAY },
            icp_brasil_fields: true,
            client_auth: true,
            non_repudiation: true,
            authority: false,
            root: RootKind::IcpBrasil,
        }
    }
    /// Valid from a day ago for so many days; negative: it ended so many days ago.
    pub fn valid_for_days(mut self, days: i64) -> CertificateSubject {
        let until = now() + days * DAY;
        self.validity = Validity { from: (now() - DAY).min(until - 365 * DAY), until };
        if days > 0 {
            self.validity.from = now() - DAY;
        }
        self
    }
    pub fn valid(mut self, validity: Validity) -> CertificateSubject {
        self.validity = validity;
        self
    }
    /// Without the ICP-Brasil otherName fields (282, 292).
    pub fn without_icp_brasil_fields(mut self) -> CertificateSubject {
        self.icp_brasil_fields = false;
        self
    }
    /// Without extended key usage clientAuth (280).
    pub fn without_client_auth(mut self) -> CertificateSubject {
        self.client_auth = false;
        self
    }
    /// Without key usage nonRepudiation (290).
    pub fn without_non_repudiation(mut self) -> CertificateSubject {
        self.non_repudiation = false;
        self
    }
    /// A certificate of an authority (280, 290).
    pub fn authority(mut self) -> CertificateSubject {
        self.authority = true;
        self
    }
    /// Issued by an untrusted root (283, 293).
    pub fn untrusted(mut self) -> CertificateSubject {
        self.root = RootKind::Unknown;
        self
    }
    /// Issued by a root that is known and none of ICP-Brasil (285, 295).
    pub fn outside_icp_brasil(mut self) -> CertificateSubject {
        self.root = RootKind::Commercial;
        self
    }
    pub(super) fn root(&self) -> RootKind {
        self.root
    }
}

pub(super) fn root(common_name: &str, key: PKey<Private>) -> anyhow::Result<KeyedCertificate> {
    let subject = distinguished(common_name, "Autoridade Certificadora Raiz")?;
    let validity = Validity { from: now() - BEFORE, until: now() + 7300 * DAY };
    let mut builder = started(&subject, &subject, validity, &key)?;
    builder.append_extension(BasicConstraints::new().critical().ca().build()?)?;
    builder.append_extension(KeyUsage::new().critical().key_cert_sign().crl_sign().build()?)?;
    builder.sign(&key, MessageDigest::sha256())?;
    Ok(KeyedCertificate { certificate: builder.build(), key })
}

pub(super) fn server(issuer: &KeyedCertificate, key: PKey<Private>) -> anyhow::Result<KeyedCertificate> {
    let subject = distinguished("localhost", "Simulador Carimbo")?;
    let validity = Validity { from: now() - BEFORE, until: now() + 3650 * DAY };
    let mut builder = started(&subject, issuer.certificate.subject_name(), validity, &key)?;
    builder.append_extension(BasicConstraints::new().critical().build()?)?;
    builder.append_extension(KeyUsage::new().critical().digital_signature().build()?)?;
    builder.append_extension(ExtendedKeyUsage::new().server_auth().build()?)?;
    let context = builder.x509v3_context(Some(&issuer.certificate), None);
    let names = SubjectAlternativeName::new().dns("localhost").ip("127.0.0.1").ip("::1").build(&context)?;
    let authority = AuthorityKeyIdentifier::new().keyid(false).issuer(true).build(&context)?;
    builder.append_extension(names)?;
    builder.append_extension(authority)?;
    builder.sign(&issuer.key, MessageDigest::sha256())?;
    Ok(KeyedCertificate { certificate: builder.build(), key })
}

pub(super) fn client_pfx(
    issuer: &KeyedCertificate,
    subject: &CertificateSubject,
    key: PKey<Private>,
    senha: &str,
) -> anyhow::Result<Vec<u8>> {
    let certificate = client(issuer, subject, &key)?;
    let mut chain = Stack::new()?;
    chain.push(issuer.certificate.clone())?;
    let pfx = Pkcs12::builder()
        .name(&subject.nome)
        .pkey(&key)
        .cert(&certificate)
        .ca(chain)
        .key_algorithm(Nid::AES_256_CBC)
        .cert_algorithm(Nid::AES_256_CBC)
        .mac_md(MessageDigest::sha256())
        .build2(senha)?;
    Ok(pfx.to_der()?)
}

/// Issues a client certificate with its key.
pub(super) fn holder(
    issuer: &KeyedCertificate,
    subject: &CertificateSubject,
    key: PKey<Private>,
) -> anyhow::Result<KeyedCertificate> {
    Ok(KeyedCertificate { certificate: client(issuer, subject, &key)?, key })
}

fn client(issuer: &KeyedCertificate, subject: &CertificateSubject, key: &PKeyRef<Private>) -> anyhow::Result<X509> {
    let unit = if subject.cpf_cnpj.len() == 11 { "RFB e-CPF A1" } else { "RFB e-CNPJ A1" };
    let holder = distinguished(&format!("{}:{}", subject.nome, subject.cpf_cnpj), unit)?;
    let mut builder = started(&holder, issuer.certificate.subject_name(), subject.validity, key)?;
    let mut constraints = BasicConstraints::new();
    constraints.critical();
    let mut usage = KeyUsage::new();
    usage.critical().digital_signature().key_encipherment();
    if subject.authority {
        constraints.ca();
        usage.key_cert_sign();
    }
    if subject.non_repudiation {
        usage.non_repudiation();
    }
    builder.append_extension(constraints.build()?)?;
    builder.append_extension(usage.build()?)?;
    let mut extended = ExtendedKeyUsage::new();
    extended.email_protection();
    if subject.client_auth {
        extended.client_auth();
    }
    builder.append_extension(extended.build()?)?;
    if subject.icp_brasil_fields {
        builder.append_extension(alternative_names(&subject.cpf_cnpj)?)?;
    }
    builder.sign(&issuer.key, MessageDigest::sha256())?;
    Ok(builder.build())
}

fn alternative_names(cpf_cnpj: &str) -> anyhow::Result<X509Extension> {
    let value = Asn1OctetString::new_from_bytes(&name::alternative_names(cpf_cnpj))?;
    let oid = Asn1Object::from_str("2.5.29.17")?;
    Ok(X509Extension::new_from_der(&oid, false, &value)?)
}

fn started(
    subject: &X509NameRef,
    issuer: &X509NameRef,
    validity: Validity,
    key: &PKeyRef<Private>,
) -> anyhow::Result<X509Builder> {
    let mut serial = BigNum::new()?;
    serial.rand(126, MsbOption::ONE, false)?;
    let mut builder = X509::builder()?;
    builder.set_version(2)?;
    builder.set_serial_number(&*Asn1Integer::from_bn(&serial)?)?;
    builder.set_subject_name(subject)?;
    builder.set_issuer_name(issuer)?;
    builder.set_not_before(&*Asn1Time::from_unix(validity.from)?)?;
    builder.set_not_after(&*Asn1Time::from_unix(validity.until)?)?;
    builder.set_pubkey(key)?;
    Ok(builder)
}

fn distinguished(common_name: &str, unit: &str) -> anyhow::Result<X509Name> {
    let mut name = X509Name::builder()?;
    name.append_entry_by_nid(Nid::COUNTRYNAME, "BR")?;
    name.append_entry_by_nid(Nid::ORGANIZATIONNAME, "ICP-Brasil simulada")?;
    name.append_entry_by_nid(Nid::ORGANIZATIONALUNITNAME, unit)?;
    // The attribute holds 64 characters; the number at its end must not be cut.
    let excess = common_name.chars().count().saturating_sub(64);
    let (holder, number) = common_name.rsplit_once(':').unwrap_or((common_name, ""));
    let kept: String = holder.chars().take(holder.chars().count().saturating_sub(excess)).collect();
    let text = if number.is_empty() { kept } else { format!("{kept}:{number}") };
    name.append_entry_by_nid(Nid::COMMONNAME, &text)?;
    Ok(name.build())
}

fn now() -> i64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX)
}
