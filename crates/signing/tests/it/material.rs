//! Test certificates, made when the tests run, and the golden documents.

use openssl::asn1::{Asn1Object, Asn1Time};
use openssl::bn::BigNum;
use openssl::ec::{EcGroup, EcKey};
use openssl::hash::MessageDigest;
use openssl::nid::Nid;
use openssl::pkey::{PKey, Private};
use openssl::x509::extension::{BasicConstraints, SubjectAlternativeName};
use openssl::x509::{X509, X509Builder, X509Extension, X509Name, X509NameBuilder};
use signing::Certificate;
use std::sync::LazyLock;
use testkit::test_keys::rsa;

pub const NFE: &str = include_str!("../golden/nfe.xml");
pub const NFE_ID: &str = "NFe35261111222333000181550010000000011847362510";
pub const DPS: &str = include_str!("../../../fiscal/tests/golden/nfse/exemplo_assinatura/expected.xml");
pub const INUTILIZACAO: &str = include_str!("../golden/inutilizacao.xml");
pub const CANCELAMENTO: &str = include_str!("../golden/cancelamento.xml");

/// Encodings of the `otherName` fields inside `[0]`.
#[derive(Clone, Copy)]
pub enum Inner {
    Octets = 0x04,
    Utf8 = 0x0C,
    Printable = 0x13,
}

/// A root, an intermediate and a leaf with its key.
pub struct Chain {
    pub root: X509,
    pub intermediate: X509,
    pub leaf: X509,
    pub key: PKey<Private>,
}

impl Chain {
    pub fn new(other_names: &[(&str, &str)], inner: Inner) -> Chain {
        let (root_key, middle_key, key) = (ec(), ec(), rsa(env!("CARGO_TARGET_TMPDIR")));
        let (root_name, middle_name) = (name("AC Raiz de Teste"), name("AC Teste Emissora"));
        let root = certificate(&root_name, &root_name, &root_key, &root_key, &[], inner, true);
        let intermediate = certificate(&middle_name, &root_name, &middle_key, &root_key, &[], inner, true);
        let holder = name("EMPRESA TESTE LTDA:11222333000181");
        let leaf = certificate(&holder, &middle_name, &key, &middle_key, other_names, inner, false);
        Chain { root, intermediate, leaf, key }
    }
    pub fn certificate(&self) -> Certificate {
        let others = vec![self.root.clone(), self.intermediate.clone()];
        Certificate::from_parts(self.leaf.clone(), others, self.key.clone()).unwrap()
    }
}

/// Chain shared by the tests that need any certificate.
pub static CHAIN: LazyLock<Chain> = LazyLock::new(|| Chain::new(&E_CNPJ, Inner::Octets));

pub const E_CNPJ: [(&str, &str); 4] = [
    ("2.16.76.1.3.2", "FULANO DE TAL"),
    ("2.16.76.1.3.3", "11222333000181"),
    ("2.16.76.1.3.4", "0101198011144477735000000000000000000000000SSPSP"),
    ("2.16.76.1.3.7", "000000000000"),
];

/// An elliptic key for an authority: generated faster than RSA.
pub fn ec() -> PKey<Private> {
    let group = EcGroup::from_curve_name(Nid::X9_62_PRIME256V1).unwrap();
    PKey::from_ec_key(EcKey::generate(&group).unwrap()).unwrap()
}

pub fn name(common: &str) -> X509Name {
    let mut name = X509NameBuilder::new().unwrap();
    name.append_entry_by_text("C", "BR").unwrap();
    name.append_entry_by_text("O", "ICP-Brasil").unwrap();
    name.append_entry_by_text("CN", common).unwrap();
    name.build()
}

pub fn certificate(
    subject: &X509Name,
    issuer: &X509Name,
    key: &PKey<Private>,
    issuer_key: &PKey<Private>,
    other_names: &[(&str, &str)],
    inner: Inner,
    authority: bool,
) -> X509 {
    certificate_until(2_000_000_000, subject, issuer, key, issuer_key, other_names, inner, authority)
}

#[expect(clippy::too_many_arguments, reason = "a test's certificate has that many sides")]
pub fn certificate_until(
    until: i64,
    subject: &X509Name,
    issuer: &X509Name,
    key: &PKey<Private>,
    issuer_key: &PKey<Private>,
    other_names: &[(&str, &str)],
    inner: Inner,
    authority: bool,
) -> X509 {
    let mut builder = X509Builder::new().unwrap();
    builder.set_version(2).unwrap();
    let mut serial = BigNum::new().unwrap();
    serial.rand(64, openssl::bn::MsbOption::MAYBE_ZERO, false).unwrap();
    builder.set_serial_number(&serial.to_asn1_integer().unwrap()).unwrap();
    builder.set_subject_name(subject).unwrap();
    builder.set_issuer_name(issuer).unwrap();
    builder.set_not_before(&Asn1Time::from_unix(1_760_000_000).unwrap()).unwrap();
    builder.set_not_after(&Asn1Time::from_unix(until).unwrap()).unwrap();
    builder.set_pubkey(key).unwrap();
    if authority {
        builder.append_extension(BasicConstraints::new().critical().ca().build().unwrap()).unwrap();
    }
    if !other_names.is_empty() {
        builder.append_extension(alternative_names(other_names, inner, &builder)).unwrap();
    }
    builder.sign(issuer_key, MessageDigest::sha256()).unwrap();
    builder.build()
}

fn alternative_names(other_names: &[(&str, &str)], inner: Inner, builder: &X509Builder) -> X509Extension {
    let mut names = SubjectAlternativeName::new();
    names.email("empresa@example.com");
    for (oid, text) in other_names {
        let mut value = vec![inner as u8, u8::try_from(text.len()).unwrap()];
        value.extend_from_slice(text.as_bytes());
        names.other_name2(Asn1Object::from_str(oid).unwrap(), &value);
    }
    names.build(&builder.x509v3_context(None, None)).unwrap()
}
