//! A root and server certificates, made when the tests run.

use openssl::asn1::Asn1Time;
use openssl::bn::{BigNum, MsbOption};
use openssl::ec::{EcGroup, EcKey};
use openssl::hash::MessageDigest;
use openssl::nid::Nid;
use openssl::pkey::{PKey, Private};
use openssl::ssl::{SslAcceptor, SslMethod};
use openssl::x509::extension::{BasicConstraints, SubjectAlternativeName};
use openssl::x509::{X509, X509Builder, X509NameBuilder};

pub(crate) struct Root {
    certificate: X509,
    key: PKey<Private>,
}

impl Root {
    pub(crate) fn new() -> Root {
        let key = ec();
        let mut builder = begin("Raiz de Teste", &key);
        builder.set_issuer_name(builder_name("Raiz de Teste").as_ref()).unwrap();
        builder.append_extension(BasicConstraints::new().critical().ca().build().unwrap()).unwrap();
        builder.sign(&key, MessageDigest::sha256()).unwrap();
        Root { certificate: builder.build(), key }
    }

    pub(crate) fn pem(&self) -> Vec<u8> {
        self.certificate.to_pem().unwrap()
    }

    /// A TLS acceptor for this name.
    pub(crate) fn acceptor(&self, name: &str) -> SslAcceptor {
        let key = ec();
        let mut builder = begin(name, &key);
        builder.set_issuer_name(self.certificate.subject_name()).unwrap();
        let names =
            SubjectAlternativeName::new().dns(name).build(&builder.x509v3_context(Some(&self.certificate), None));
        builder.append_extension(names.unwrap()).unwrap();
        builder.sign(&self.key, MessageDigest::sha256()).unwrap();
        let mut acceptor = SslAcceptor::mozilla_intermediate_v5(SslMethod::tls_server()).unwrap();
        acceptor.set_private_key(&key).unwrap();
        acceptor.set_certificate(&builder.build()).unwrap();
        acceptor.build()
    }
}

fn ec() -> PKey<Private> {
    let group = EcGroup::from_curve_name(Nid::X9_62_PRIME256V1).unwrap();
    PKey::from_ec_key(EcKey::generate(&group).unwrap()).unwrap()
}

fn builder_name(common: &str) -> openssl::x509::X509Name {
    let mut name = X509NameBuilder::new().unwrap();
    name.append_entry_by_text("CN", common).unwrap();
    name.build()
}

fn begin(common: &str, key: &PKey<Private>) -> X509Builder {
    let mut builder = X509Builder::new().unwrap();
    builder.set_version(2).unwrap();
    let mut serial = BigNum::new().unwrap();
    serial.rand(64, MsbOption::MAYBE_ZERO, false).unwrap();
    builder.set_serial_number(&serial.to_asn1_integer().unwrap()).unwrap();
    builder.set_subject_name(builder_name(common).as_ref()).unwrap();
    builder.set_not_before(&Asn1Time::days_from_now(0).unwrap()).unwrap();
    builder.set_not_after(&Asn1Time::days_from_now(30).unwrap()).unwrap();
    builder.set_pubkey(key).unwrap();
    builder
}
