//! Verification faults of a server's chain, in words for the operator.

use openssl::nid::Nid;
use openssl::x509::{X509NameRef, X509Ref, X509StoreContextRef, X509VerifyResult};
use std::sync::{Arc, Mutex, PoisonError};

/// First fault of a chain; filled by OpenSSL's callback.
#[derive(Clone, Default)]
pub struct ChainFault(Arc<Mutex<Option<String>>>);

impl ChainFault {
    /// Reason against the server's chain, if any.
    pub fn chain_reason(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records OpenSSL's result and never overrules it.
    pub fn callback(&self, host: &str) -> impl Fn(bool, &mut X509StoreContextRef) -> bool + Send + Sync + 'static {
        let (verdict, host) = (self.clone(), host.to_owned());
        move |trusted, context| {
            if !trusted {
                let mut why = verdict.0.lock().unwrap_or_else(PoisonError::into_inner);
                why.get_or_insert_with(|| explain(context, &host));
            }
            trusted
        }
    }
}

fn explain(context: &X509StoreContextRef, host: &str) -> String {
    let code = context.error();
    let Some(certificate) = context.current_cert() else {
        return english(code);
    };
    let (subject, issuer) = (name(certificate.subject_name()), name(certificate.issuer_name()));
    match code.as_raw() {
        UNABLE_TO_GET_ISSUER_CERT | UNABLE_TO_GET_ISSUER_CERT_LOCALLY | UNABLE_TO_VERIFY_LEAF_SIGNATURE => {
            format!(
                "emissor \"{issuer}\" desconhecido (certificado \"{subject}\"): nenhuma âncora de confiança o assina"
            )
        }
        DEPTH_ZERO_SELF_SIGNED_CERT => format!("\"{subject}\" assina a si mesmo e não é uma âncora de confiança"),
        SELF_SIGNED_CERT_IN_CHAIN => format!("a raiz \"{subject}\" não é uma âncora de confiança"),
        CERT_NOT_YET_VALID => format!("\"{subject}\" só vale a partir de {}", certificate.not_before()),
        CERT_HAS_EXPIRED => format!("\"{subject}\" venceu em {}", certificate.not_after()),
        HOSTNAME_MISMATCH | IP_ADDRESS_MISMATCH => {
            format!("o certificado é de {}, não de {host}", names(certificate, &subject))
        }
        _ => format!("{} (certificado \"{subject}\", emissor \"{issuer}\")", english(code)),
    }
}

fn english(code: X509VerifyResult) -> String {
    format!("o OpenSSL diz \"{}\" [{}]", code.error_string(), code.as_raw())
}

fn name(name: &X509NameRef) -> String {
    let text = |nid| name.entries_by_nid(nid).next().and_then(|entry| entry.data().to_string().ok());
    text(Nid::COMMONNAME)
        .or_else(|| text(Nid::ORGANIZATIONALUNITNAME))
        .or_else(|| text(Nid::ORGANIZATIONNAME))
        .unwrap_or_default()
}

fn names(certificate: &X509Ref, subject: &str) -> String {
    let alternatives = certificate.subject_alt_names();
    let listed = alternatives.iter().flatten().filter_map(|name| match (name.dnsname(), name.ipaddress()) {
        (Some(dns), _) => Some(dns.to_owned()),
        (None, Some(ip)) => address(ip),
        (None, None) => None,
    });
    let listed: Vec<String> = listed.collect();
    if listed.is_empty() { format!("\"{subject}\"") } else { listed.join(", ") }
}

fn address(bytes: &[u8]) -> Option<String> {
    let v4 = <[u8; 4]>::try_from(bytes).ok().map(|ip| std::net::Ipv4Addr::from(ip).to_string());
    v4.or_else(|| Some(std::net::Ipv6Addr::from(<[u8; 16]>::try_from(bytes).ok()?).to_string()))
}

// openssl/x509_vfy.h
const UNABLE_TO_GET_ISSUER_CERT: i32 = 2;
const CERT_NOT_YET_VALID: i32 = 9;
const CERT_HAS_EXPIRED: i32 = 10;
const DEPTH_ZERO_SELF_SIGNED_CERT: i32 = 18;
const SELF_SIGNED_CERT_IN_CHAIN: i32 = 19;
const UNABLE_TO_GET_ISSUER_CERT_LOCALLY: i32 = 20;
const UNABLE_TO_VERIFY_LEAF_SIGNATURE: i32 = 21;
const HOSTNAME_MISMATCH: i32 = 62;
const IP_ADDRESS_MISMATCH: i32 = 64;
