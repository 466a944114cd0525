//! Verifying signatures as the other side: by `xml-sec`, which shares no code with what signs.
//!
//! Law: MOC 7.0 visão geral, 3.2.2; rules E01–E08 of anexo I (290–298, 213).

use crate::credential::{Credential, Use};
use crate::world::World;
use base64::Engine as _;
use fiscal::xml::Element;
use jiff::Timestamp;
use std::sync::Arc;
use xml_sec::policy::{VerificationPolicy, VerificationTrustMode};
use xml_sec::xmldsig::{DsigStatus, SignatureAlgorithm, VerificationKey, VerifyContext};

const DSIG: &str = "http://www.w3.org/2000/09/xmldsig#";
const C14N: &str = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
const RSA_SHA1: &str = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";
const SHA1: &str = "http://www.w3.org/2000/09/xmldsig#sha1";

/// A signature that may still be wrong: who signed, what digest it states, and the codes of what is wrong with it.
pub(crate) struct Examined {
    /// The signer, when KeyInfo holds a certificate.
    pub(crate) signer: Option<Arc<Credential>>,
    /// base64 DigestValue.
    pub(crate) digest: String,
    /// Codes in the order of the manual; empty when it holds.
    pub(crate) faults: Vec<u16>,
}

/// Verifies the signature of `signed` (the child with the `Id`) in `document`; `source` is the document's text, standing alone.
pub(crate) fn examine(document: &Element, signed: &str, source: &str, world: &World, now: Timestamp) -> Examined {
    let id = document.child(signed).and_then(|element| element.attribute("Id")).unwrap_or("");
    let Some(signature) = document.child("Signature") else {
        return Examined { signer: None, digest: String::new(), faults: vec![298] };
    };
    let digest = signature.text_at("SignedInfo/Reference/DigestValue").unwrap_or("").to_owned();
    let signer = certificate(signature).and_then(|der| world.examiner.examine(&der));
    let mut faults = match &signer {
        Some(signer) => signer.faults(Use::Signature, now, &world.settings().revogados),
        None => vec![290],
    };
    if !is_standard(signature, id) {
        faults.push(298);
    } else if let Some(signer) = &signer
        && !holds(source, signer)
    {
        faults.push(297);
    }
    Examined { signer, digest, faults }
}

fn certificate(signature: &Element) -> Option<Vec<u8>> {
    let text = signature.text_at("KeyInfo/X509Data/X509Certificate")?;
    let compact: String = text.chars().filter(|character| !character.is_whitespace()).collect();
    base64::engine::general_purpose::STANDARD.decode(compact).ok()
}

/// Algorithms, the two transforms in their order, one reference to the signed element, and KeyInfo with the certificate only.
fn is_standard(signature: &Element, id: &str) -> bool {
    let algorithm =
        |path: &str| signature.at(path).and_then(|element| element.attribute("Algorithm")).unwrap_or("").to_owned();
    let Some(reference) = signature.at("SignedInfo/Reference") else { return false };
    let transforms: Vec<&str> = reference
        .child("Transforms")
        .map(|transforms| transforms.children().filter_map(|transform| transform.attribute("Algorithm")).collect())
        .unwrap_or_default();
    let names = |path: &str| -> Vec<String> {
        signature
            .at(path)
            .map(|element| element.children().map(|child| child.name.to_string()).collect())
            .unwrap_or_default()
    };
    signature.namespace == DSIG
        && algorithm("SignedInfo/CanonicalizationMethod") == C14N
        && algorithm("SignedInfo/SignatureMethod") == RSA_SHA1
        && algorithm("SignedInfo/Reference/DigestMethod") == SHA1
        && transforms == [ENVELOPED, C14N]
        && signature
            .child("SignedInfo")
            .is_some_and(|info| info.children().filter(|child| child.name == "Reference").count() == 1)
        && !id.is_empty()
        && reference.attribute("URI").and_then(|uri| uri.strip_prefix('#')) == Some(id)
        && names("KeyInfo") == ["X509Data"]
        && names("KeyInfo/X509Data") == ["X509Certificate"]
}

fn holds(source: &str, signer: &Credential) -> bool {
    let key = VerificationKey {
        algorithm: SignatureAlgorithm::RsaSha1,
        public_key_bytes: signer.public_key.clone(),
        certificate_der: None,
        name: None,
    };
    let context = VerifyContext::new().policy(policy()).key(&key);
    context.verify(source).is_ok_and(|result| result.status == DsigStatus::Valid)
}

/// The standard of 2006 asks for SHA-1, which the library refuses unless told; who the key belongs to is judged by us.
fn policy() -> VerificationPolicy {
    let mut policy = VerificationPolicy::default();
    policy.key_trust.mode = VerificationTrustMode::CryptographicOnly;
    policy.key_trust.allowed_legacy_signature_algorithms.insert(SignatureAlgorithm::RsaSha1);
    policy
}
